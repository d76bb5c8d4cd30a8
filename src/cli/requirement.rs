//! Texts from the command line: an argument, files, standard input.

use std::path::PathBuf;

use super::{CliError, Context};
use crate::edge::env;

/// Largest requirement or feedback, in bytes.
pub const MAX_BYTES: usize = 256 * 1024;

/// Joins the argument and the files, in that order, with an empty line between
/// them. `-` stands for standard input, once. White space at the ends is cut.
///
/// # Errors
/// Nothing but white space, a NUL, text over [`MAX_BYTES`] or not UTF-8, or a
/// file that cannot be read.
pub fn gather(
    what: &str,
    argument: Option<&str>,
    files: &[PathBuf],
    example: &str,
    context: &Context,
) -> Result<String, CliError> {
    let mut parts = Vec::new();
    let mut stdin_taken = false;
    if let Some(text) = argument.filter(|text| *text != "-") {
        parts.push(checked(what, "the argument", text.as_bytes().to_vec())?);
    }
    let from_stdin = argument.filter(|text| *text == "-").map(PathBuf::from);
    for file in from_stdin.iter().chain(files) {
        let (name, bytes) = if file.as_os_str() == "-" {
            if std::mem::replace(&mut stdin_taken, true) {
                return Err(CliError::usage(
                    "`-` is given twice",
                    "standard input ends once",
                    "",
                ));
            }
            ("standard input".to_owned(), env::read_stdin(MAX_BYTES))
        } else {
            let name = format!("`{}`", file.display());
            (name, env::read_capped(&context.path(file), MAX_BYTES))
        };
        let bytes = bytes.map_err(|error| {
            CliError::usage(
                format!("{name} cannot be read: {error}"),
                "",
                "name a file that can be read",
            )
        })?;
        parts.push(checked(what, &name, bytes)?);
    }
    let whole = parts
        .iter()
        .map(|part| part.trim())
        .filter(|part| !part.is_empty());
    let whole = whole.collect::<Vec<_>>().join("\n\n");
    if whole.is_empty() {
        return Err(CliError::usage(
            format!("there is no {what}"),
            "it is given as an argument, with `-f FILE`, or with `-` on standard input",
            example,
        ));
    }
    checked(what, "all of it together", whole.into_bytes())
}

fn checked(what: &str, name: &str, bytes: Vec<u8>) -> Result<String, CliError> {
    if bytes.len() > MAX_BYTES {
        return Err(CliError::usage(
            format!("{name} is larger than {} KiB", MAX_BYTES / 1024),
            format!("every member is given the whole {what}"),
            "shorten it, and put what it refers to into a folder named with --knowledge DIR",
        ));
    }
    let text = String::from_utf8(bytes).map_err(|_| {
        CliError::usage(format!("{name} is not valid UTF-8"), "", "save it as UTF-8")
    })?;
    if text.contains('\0') {
        return Err(CliError::usage(
            format!("{name} holds a NUL character"),
            "that is no text",
            "give a text file",
        ));
    }
    Ok(text.replace("\r\n", "\n"))
}
