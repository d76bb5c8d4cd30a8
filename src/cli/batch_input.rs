//! What a batch is about: requirements from files, folders and JSON lines.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::requirement::MAX_BYTES;
use super::{CliError, Context, requirement};
use crate::edge::env;

/// Largest file of JSON lines, in bytes.
const MAX_LINES: usize = 64 * 1024 * 1024;
/// Endings of files of a folder that hold one requirement each.
const TEXTS: [&str; 3] = ["md", "markdown", "txt"];
/// Endings of files that hold a requirement a line.
const LINES: [&str; 2] = ["jsonl", "ndjson"];

/// One requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// As the user knows it: a path, `path:line`, or the `id` of a line.
    pub name: String,
    /// The requirement.
    pub requirement: String,
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
                return Err(CliError::usage(
                    format!("`{}` cannot be read: {error}", argument.display()),
                    "",
                    "name files and folders that are there",
                ));
            }
        }
    }
    if items.is_empty() {
        return Err(CliError::usage(
            "there is no requirement",
            "a folder's requirements are its files that end in .md, .markdown, .txt, .jsonl or .ndjson",
            "aitc batch requirements/",
        ));
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
    let requirement =
        requirement::gather("requirement", None, &files, "", context).map_err(|error| {
            // Which of many files is empty is what matters.
            let what = if error.what.contains(&name) {
                error.what.clone()
            } else {
                format!("`{name}`: {}", error.what)
            };
            CliError { what, ..error }
        })?;
    items.push(Item { name, requirement });
    Ok(())
}

fn lines(
    shown: &Path,
    name: &str,
    context: &Context,
    items: &mut Vec<Item>,
) -> Result<(), CliError> {
    let fault = |line: usize, what: String| {
        CliError::usage(
            format!("{name}:{line}: {what}"),
            "a batch is started whole or not at all",
            r#"write lines such as {"id": "export", "requirement": "Export the list"}"#,
        )
    };
    let bytes = if name == "-" {
        env::read_stdin(MAX_LINES)
    } else {
        env::read_capped(&context.path(shown), MAX_LINES)
    };
    let bytes = bytes.map_err(|error| fault(1, error.to_string()))?;
    if bytes.len() > MAX_LINES {
        return Err(fault(1, "the file is larger than 64 MiB".to_owned()));
    }
    for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let read: Line = serde_json::from_slice(line).map_err(|_| {
            fault(
                at + 1,
                "neither a text nor an object with `requirement`".to_owned(),
            )
        })?;
        let (id, text) = match read {
            Line::Text(text) => (None, text),
            Line::Object(object) => (object.id, object.requirement),
        };
        let requirement = text.trim().replace("\r\n", "\n");
        if requirement.is_empty() || requirement.contains('\0') || requirement.len() > MAX_BYTES {
            let what = "the requirement is empty, larger than 256 KiB, or no text";
            return Err(fault(at + 1, what.to_owned()));
        }
        items.push(Item {
            name: id.unwrap_or_else(|| format!("{name}:{}", at + 1)),
            requirement,
        });
    }
    Ok(())
}
