//! `aitc render`: the artifacts again, without a model.

use clap::Args;

use super::text::Text;
use super::{CliError, Context, Exit, open};
use crate::artifact::{self, Artifact};
use crate::edge::env;
use crate::edge::fs::{Fs, StorageError};
use crate::edge::store::Outputs;
use crate::fault::line::{OUT_AMONG_VERSIONS, OUT_EXISTS};
use crate::ui::view::clean;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;

const WRITTEN: Text = Text("{n} files written to {out}", "已将 {n} 个文件写入 {out}");
const SAME: Text = Text(
    "{path}: {n} files, the same",
    "{path}：{n} 个文件，完全相同",
);
const DIFFER: Text = Text(
    "{path}: these differ: {names}",
    "{path}：下列文件不同：{names}",
);

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

/// `aitc render --json`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RenderDocument<'a> {
    /// Version of this format.
    v: u32,
    /// Folder of the version.
    path: &'a str,
    /// How many files were made.
    files: usize,
    /// Those that are not what they were.
    differing: &'a [String],
}

/// Makes every artifact again. Without `--out` it compares them with the files
/// of the version and ends with code 12 if one differs; nothing is written in place.
pub fn run(args: &RenderArgs, context: &Context) -> Result<Exit, CliError> {
    let opened = open::open(args.version, context)?;
    let made = artifact::render(&opened.state)?;
    let fs = open::files();
    let mut differing = Vec::new();
    match &args.out {
        Some(out) => {
            let files = (opened.version, made.as_slice());
            write(fs.as_ref(), &context.path(out), files, context)?;
        }
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
        (Some(_), _) => WRITTEN,
        (None, true) => SAME,
        (None, false) => DIFFER,
    };
    let out = args
        .out
        .as_deref()
        .unwrap_or(Path::new(""))
        .to_string_lossy();
    let places = [
        ("path", opened.path.as_str()),
        ("n", &made.len().to_string()),
        ("out", &clean(&out)),
        ("names", &clean(&differing.join(", "))),
    ];
    let text = text.with(context.lang(None), &places);
    let document = RenderDocument {
        v: 1,
        path: &opened.path,
        files: made.len(),
        differing: &differing,
    };
    context.print(&text, &document)?;
    Ok(if differing.is_empty() {
        Exit::Done
    } else {
        Exit::Found
    })
}

/// Writes new files below `out`; nothing is written if one of them is there already.
fn write(
    fs: &dyn Fs,
    out: &Path,
    (version, files): (u32, &[Artifact]),
    context: &Context,
) -> Result<(), CliError> {
    let fix = &*format!("aitc render v{version} --out again");
    let outputs = Outputs::at(open::files(), &context.root);
    if env::lies_in(out, outputs.home()) {
        let fault = OUT_AMONG_VERSIONS.with(&[("path", &out.display())]);
        return Err(fault.fixed_by(fix));
    }
    for file in files {
        let path = out.join(&file.path);
        if fs
            .exists(&path)
            .map_err(StorageError::doing("look at", &path))?
        {
            return Err(OUT_EXISTS.with(&[("path", &path.display())]).fixed_by(fix));
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
