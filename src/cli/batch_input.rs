//! What a batch is about: requirements from files, folders and JSON lines.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::requirement::MAX_BYTES;
use super::requirement::REQUIREMENT;
use super::run_flags;
use super::{CliError, Context, requirement};
use crate::edge::doors::Kind;
use crate::edge::env;
use crate::fault::line::{BATCH_EMPTY, BATCH_LINE};
use crate::fault::{Value, said_by_system, texts, values};
use crate::machine::Addressed;

texts! {
    OF_FILE: "`{name}`: {what}", "`{name}`：{what}";
    FILE_TOO_LARGE: "the file is larger than 64 MiB", "文件超过 64 MiB";
    NO_REQUIREMENT: "neither a text nor an object with `requirement`", "既不是文本，也不是含有 `requirement` 的对象";
    UNFIT: "the requirement is empty, larger than 256 KiB, or no text", "需求为空、超过 256 KiB 或不是文本";
}

/// Largest file of JSON lines, in bytes.
const MAX_LINES: usize = Kind::Batch.most();
/// Endings of files of a folder that hold one requirement each.
const TEXTS: [&str; 3] = ["md", "markdown", "txt"];
/// Endings of files that hold a requirement a line.
const LINES: [&str; 2] = ["jsonl", "ndjson"];

/// One requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// As the user knows it: a path, `path:line`, or the `id` of a line.
    pub name: String,
    /// The requirement, topic or task, the format it is addressed to, and the members
    /// it names.
    pub asked: Addressed,
}

/// A line of a file of JSON lines: an object, or the requirement as a text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Text(String),
    Object(Object),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Object {
    id: Option<String>,
    requirement: String,
}

/// Reads every requirement, in the order of the arguments; in folders by name.
///
/// # Errors
/// A file that cannot be read or is empty, a line that is none, or nothing at all.
pub fn gather(arguments: &[PathBuf], context: &Context) -> Result<Vec<Item>, CliError> {
    let mut items = Vec::new();
    for argument in arguments {
        let path = context.path(argument);
        match env::files_in(&path) {
            Ok(Some(files)) => {
                for below in files {
                    let shown = argument.join(&below);
                    if has_ending(&below, &TEXTS) || has_ending(&below, &LINES) {
                        file(&shown, context, &mut items)?;
                    }
                }
            }
            Ok(None) => file(argument, context, &mut items)?,
            Err(error) => {
                let name = requirement::quoted(argument);
                return Err(requirement::unreadable(&name, &said_by_system(&error)));
            }
        }
    }
    if items.is_empty() {
        return Err(BATCH_EMPTY.with(&[]));
    }
    Ok(items)
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| endings.contains(&ending.to_ascii_lowercase().as_str()))
}

fn file(shown: &Path, context: &Context, items: &mut Vec<Item>) -> Result<(), CliError> {
    let name = shown.display().to_string();
    if has_ending(shown, &LINES) || name == "-" {
        return lines(shown, &name, context, items);
    }
    let files = [shown.to_path_buf()];
    let requirement = requirement::gather(REQUIREMENT, None, &files, BATCH_EMPTY.fix, context)
        .map_err(|error| {
            // Which of many files is empty is what matters.
            if error.what().en.contains(&name) {
                return error;
            }
            let what = OF_FILE.fill(values![name, what = error.what()]);
            error.saying(what)
        })?;
    let asked = run_flags::read(requirement).map_err(|alone| {
        let what = OF_FILE.fill(values![name, what = alone.what()]);
        alone.saying(what)
    })?;
    items.push(Item { name, asked });
    Ok(())
}

fn lines(
    shown: &Path,
    name: &str,
    context: &Context,
    items: &mut Vec<Item>,
) -> Result<(), CliError> {
    let fault = |line: usize, what: &dyn Value| BATCH_LINE.with(values![name, line, what]);
    let (_, bytes) = requirement::read(shown, Kind::Batch, context)?;
    if bytes.len() > MAX_LINES {
        return Err(fault(1, &FILE_TOO_LARGE));
    }
    for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let read: Line = jsonl::read(line).map_err(|_| fault(at + 1, &NO_REQUIREMENT))?;
        let (id, text) = match read {
            Line::Text(text) => (None, text),
            Line::Object(object) => (object.id, object.requirement),
        };
        let requirement = requirement::plain(text.trim());
        if requirement::says_nothing(&requirement)
            || requirement.contains('\0')
            || requirement.len() > MAX_BYTES
        {
            return Err(fault(at + 1, &UNFIT));
        }
        items.push(Item {
            name: id.unwrap_or_else(|| format!("{name}:{}", at + 1)),
            asked: run_flags::read(requirement).map_err(|alone| fault(at + 1, alone.what()))?,
        });
    }
    Ok(())
}
