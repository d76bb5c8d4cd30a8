//! Files that `aitc` makes for the user to keep: written once, updated while nobody has edited
//! them, and never removed or overwritten after that.
//!
//! The last line of such a file contains a digest of the rest. A file with a correct digest is as
//! `aitc` left it; any other is the user's own. A section of a user's file is made in the same way,
//! from its first line to the one with the digest.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{Context, Fault};
use crate::edge::env;
use crate::edge::fs::{IfExists as _, IoContext as _};
use crate::edge::journal::hex;
use crate::edge::safe_open::{self, FileUse};
use crate::fault::settings::OUTSIDE;
use crate::fault::values;

/// How a comment is written in a kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommentStyle {
    /// `# …`
    Hash,
    /// `<!-- … -->`
    Html,
}

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It was not there and is now.
    Created,
    /// It was as an earlier `aitc` left it and is new now.
    Updated,
    /// It is what it would be.
    Unchanged,
    /// Somebody has edited it: it stays as it is.
    Kept,
}

const MARK: &str = "made by aitc, digest ";

/// First line of a text that is a section of the user's file.
pub const SECTION: &str = "<!-- aitc -->";

/// Returns the text with its last line, which contains the digest.
pub fn marked(body: &str, comment: CommentStyle) -> String {
    let body = format!("{}\n", body.trim_end());
    let digest = digest(&body);
    let line = match comment {
        CommentStyle::Hash => format!("# {MARK}{digest}"),
        CommentStyle::Html => format!("<!-- {MARK}{digest} -->"),
    };
    format!("{body}{line}\n")
}

/// Returns whether the text is as some version of `aitc` wrote it.
fn is_untouched(text: &str) -> bool {
    let text = text.replace("\r\n", "\n");
    let Some(at) = text.trim_end().rfind('\n') else {
        return false;
    };
    let (body, last) = text.split_at(at + 1);
    last.split_once(MARK)
        .and_then(|(_, rest)| rest.split_whitespace().next())
        .is_some_and(|found| found == digest(body))
}

fn digest(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes())[..8])
}

/// Returns what would happen to the file; nothing is written.
///
/// # Errors
/// It points outside the workspace or cannot be read.
pub fn fate(path: &str, text: &str, context: &Context) -> Result<Fate, Fault> {
    planned(path, text, context).map(|(fate, _)| fate)
}

/// Returns what would happen to the file, and its resulting text.
fn planned(path: &str, text: &str, context: &Context) -> Result<(Fate, String), Fault> {
    let full = context.root.join(path);
    if !env::lies_in(&full, &context.root) {
        return Err(OUTSIDE.with(values![path]));
    }
    let old = safe_open::beneath(&context.root, Path::new(path), FileUse::Document).if_exists();
    let Some(old) = old.doing("read", &full)? else {
        return Ok((Fate::Created, text.to_owned()));
    };
    // A file that is not UTF-8 is the user's.
    Ok(String::from_utf8(old).map_or((Fate::Kept, String::new()), |old| merged(&old, text)))
}

/// Returns what happens to an existing file, and its resulting text.
fn merged(old: &str, text: &str) -> (Fate, String) {
    let (before, ours, after) = match text.starts_with(SECTION) {
        true => section(old),
        false => ("", old, ""),
    };
    let fate = if ours.replace("\r\n", "\n") == text {
        Fate::Unchanged
    } else if is_untouched(ours) {
        Fate::Updated
    } else if ours.is_empty() && !before.is_empty() {
        return (Fate::Updated, format!("{}\n\n{text}", before.trim_end()));
    } else {
        Fate::Kept
    };
    (fate, [before, text, after].concat())
}

/// Splits a text into the part before our section, the section, and the part after it.
fn section(old: &str) -> (&str, &str, &str) {
    let Some(at) = old.find(SECTION) else {
        return (old, "", "");
    };
    let (before, rest) = old.split_at(at);
    let line_end = |mark: usize| rest[mark..].find('\n').map(|end| mark + end + 1);
    let end = rest.find(MARK).and_then(line_end).unwrap_or(rest.len());
    let (ours, after) = rest.split_at(end);
    (before, ours, after)
}

/// Writes the file if it is new or nobody has edited it.
///
/// # Errors
/// As [`fate`], or it cannot be written.
pub fn write(path: &str, text: &str, context: &Context) -> Result<Fate, Fault> {
    let (fate, whole) = planned(path, text, context)?;
    if matches!(fate, Fate::Created | Fate::Updated) {
        let full = context.root.join(Path::new(path));
        env::replace_file(&full, whole.as_bytes()).doing("write", &full)?;
    }
    Ok(fate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_ours_until_a_byte_of_it_changes() {
        for comment in [CommentStyle::Hash, CommentStyle::Html] {
            let text = marked("a\nb\n", comment);
            assert!(is_untouched(&text), "{text}");
            assert!(
                is_untouched(&text.replace('\n', "\r\n")),
                "line ends are git's business"
            );
            assert!(!is_untouched(&text.replace('b', "c")));
            assert!(!is_untouched(&format!("{text}more\n")));
        }
        for text in ["", "a", "a\nb\n", "# made by aitc, digest \n"] {
            assert!(!is_untouched(text), "{text:?}");
        }
    }

    #[test]
    fn a_section_leaves_the_rest_of_a_file_alone() {
        let of = |words: &str| marked(&format!("{SECTION}\n{words}\n"), CommentStyle::Html);
        let (first, second) = (of("one"), of("two"));
        let (fate, made) = merged("# Mine\r\n", &first);
        assert_eq!(
            (fate, &*made),
            (Fate::Updated, &*format!("# Mine\n\n{first}"))
        );
        assert_eq!(merged(&made, &first), (Fate::Unchanged, made.clone()));
        let more = format!("{made}\n# Mine, too\r\n");
        let (fate, renewed) = merged(&more, &second);
        let expected = format!("# Mine\n\n{second}\n# Mine, too\r\n");
        assert_eq!((fate, renewed), (Fate::Updated, expected));
        let edited = more.replace("one", "one of mine");
        assert_eq!(merged(&edited, &second).0, Fate::Kept);
    }
}
