//! `aitc verify --out DIR`: every file again from the transcript, without a model.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

use super::VerifyDocument;

use crate::artifact::{self, Artifact};
use crate::cli::{CliError, Context, Exit, versions};
use crate::edge::env;
use crate::edge::fs::{Doing as _, Fs};
use crate::edge::store::Outputs;
use crate::fault::line::{OUT_AMONG_VERSIONS, OUT_EXISTS};
use crate::fault::{Text, values};
use crate::machine::Version;
use crate::ui::view::clean;

const WRITTEN: Text = Text("{n} files written to {out}", "已将 {n} 个文件写入 {out}");

/// Files were written elsewhere.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WrittenDocument {
    /// Folder of the version.
    path: String,
    /// How many files were written.
    written: usize,
    /// Where, as it was given.
    out: String,
}

/// Makes every file of a version or draft again and writes it below `out`.
///
/// # Errors
/// The transcript cannot be read, or one of the files is there already.
pub fn write(version: Option<Version>, out: &Path, context: &Context) -> Result<Exit, CliError> {
    let opened = versions::open(version, context)?;
    let made = artifact::render(&opened.state)?;
    let fix = format!("aitc verify {} --out again", opened.version);
    write_new(
        versions::files().as_ref(),
        &context.path(out),
        &made,
        context,
    )
    .map_err(|fault| {
        match [OUT_AMONG_VERSIONS.code, OUT_EXISTS.code].contains(&fault.code) {
            true => fault.fixed_by(&*fix),
            false => fault,
        }
    })?;
    let shown = clean(&out.to_string_lossy());
    let text = WRITTEN.with(context.lang(None), values![n = made.len(), out = shown]);
    let document = WrittenDocument {
        path: opened.path,
        written: made.len(),
        out: shown,
    };
    context.done(&text, &VerifyDocument::Written(document))
}

/// Writes new files below `out`; nothing is written if one of them is there already.
fn write_new(
    fs: &dyn Fs,
    out: &Path,
    files: &[Artifact],
    context: &Context,
) -> Result<(), CliError> {
    let outputs = Outputs::at(versions::files(), &context.root);
    if env::lies_in(out, outputs.home()) {
        return Err(OUT_AMONG_VERSIONS.with(values![path = out.display()]));
    }
    for file in files {
        let path = out.join(&file.path);
        if fs.exists(&path).doing("look at", &path)? {
            return Err(OUT_EXISTS.with(values![path = path.display()]));
        }
    }
    for file in files {
        let path = out.join(&file.path);
        let folder = path.parent().unwrap_or(out);
        fs.create_dir_all(folder).doing("make", folder)?;
        fs.write_new(&path, &file.bytes).doing("write", &path)?;
    }
    Ok(())
}
