//! `aitc render`: the artifacts again, without a model.

use clap::Args;

use super::{CliError, Context, Exit, open};
use crate::artifact::{self, Artifact};
use crate::edge::env;
use crate::edge::fs::{Fs, StorageError};
use crate::edge::store::Outputs;
use crate::view::clean;
use serde_json::json;
use std::path::Path;

/// Make every artifact again from the transcript, and compare or write
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc render v1\n  aitc render v1 --out again")]
pub struct RenderArgs {
    /// Which version; the latest, if left out
    #[arg(value_name = "vN", value_parser = open::version)]
    version: Option<u32>,
    /// Write the files to DIR in place of comparing them
    #[arg(long, value_name = "DIR")]
    out: Option<std::path::PathBuf>,
}

/// Makes every artifact again. Without `--out` it compares them with the files
/// of the version and ends with code 12 if one differs; nothing is written in place.
pub fn run(args: &RenderArgs, context: &Context) -> Result<Exit, CliError> {
    let opened = open::open(args.version, context)?;
    let made = artifact::render(&opened.state)?;
    let fs = open::files();
    let mut differing = Vec::new();
    match &args.out {
        Some(out) => write(fs.as_ref(), &context.path(out), &made, context)?,
        None => {
            for file in &made {
                let same = fs
                    .read(&opened.folder.join(&file.path))
                    .is_ok_and(|bytes| bytes == file.bytes);
                if !same {
                    differing.push(file.path.clone());
                }
            }
        }
    }
    let text = match (&args.out, differing.is_empty()) {
        (Some(out), _) => format!(
            "{} files written to {}",
            made.len(),
            clean(&out.to_string_lossy())
        ),
        (None, true) => format!("{}: {} files, the same", opened.path, made.len()),
        (None, false) => format!(
            "{}: these differ: {}",
            opened.path,
            clean(&differing.join(", "))
        ),
    };
    let document =
        json!({"v": 1, "path": opened.path, "files": made.len(), "differing": differing});
    context.print(&text, &document)?;
    Ok(if differing.is_empty() {
        Exit::Done
    } else {
        Exit::Found
    })
}

/// Writes new files below `out`; nothing is written if one of them is there already.
fn write(fs: &dyn Fs, out: &Path, files: &[Artifact], context: &Context) -> Result<(), CliError> {
    let refused = |what: String| {
        let why = "files that are there are never replaced, nor versions added to";
        CliError::usage(
            what,
            why,
            "name a folder that is new: aitc render --out again",
        )
    };
    let outputs = Outputs::at(open::files(), &context.root);
    if env::lies_in(out, outputs.home()) {
        return Err(refused(format!(
            "`{}` holds versions",
            outputs.home().display()
        )));
    }
    for file in files {
        let path = out.join(&file.path);
        if fs
            .exists(&path)
            .map_err(StorageError::doing("look at", &path))?
        {
            return Err(refused(format!("`{}` is there already", path.display())));
        }
    }
    for file in files {
        let path = out.join(&file.path);
        let folder = path.parent().unwrap_or(out);
        fs.create_dir_all(folder)
            .map_err(StorageError::doing("make", folder))?;
        fs.write_new(&path, &file.bytes)
            .map_err(StorageError::doing("write", &path))?;
    }
    Ok(())
}
