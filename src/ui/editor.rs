//! Lets the user write a text in an editor.

use std::io::{self, Write as _};
use std::path::PathBuf;

use super::foreground;
use crate::edge::safe_open::{self, FileUse};

/// Result of running an editor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditorResult {
    /// The editor succeeded: the content of the file, and its path. The file is kept, so that
    /// nothing is lost if the text cannot be used.
    Saved {
        /// The content.
        bytes: Vec<u8>,
        /// The path; only the owner can read the file.
        path: PathBuf,
    },
    /// The editor succeeded, and the file is unchanged.
    Nothing,
    /// The editor failed, or the user gave up. The path of the file if it was changed.
    GivenUp(Option<PathBuf>),
    /// The editor was not found.
    Missing,
}

/// Runs the editor `line`, a command line for the shell, on a new file that contains `begun`, and
/// waits for it to end.
///
/// Reads at most the maximum size of `kind` plus one byte.
///
/// # Errors
/// The file cannot be written or read, or the program cannot be started.
pub fn write(line: &str, begun: &str, kind: FileUse) -> io::Result<EditorResult> {
    let mut file = tempfile::Builder::new()
        .prefix("aitc-")
        .suffix(".md")
        .tempfile()?;
    file.write_all(begun.as_bytes())?;
    // Only the path is kept, not the open file: editors replace a file by a new one.
    let path = file.into_temp_path();
    let ended = foreground::run(foreground::line(line, &[&path.to_string_lossy()]), |_| {})?;
    let Some(status) = ended else {
        return Ok(EditorResult::Missing);
    };
    let bytes = safe_open::read_named(&path, kind);
    // A changed file is kept, so that no text of the user is lost.
    let is_untouched = bytes.as_ref().is_ok_and(|bytes| *bytes == begun.as_bytes());
    if is_untouched {
        return Ok(match status.success() {
            true => EditorResult::Nothing,
            false => EditorResult::GivenUp(None),
        });
    }
    let path = path.keep().map_err(|error| error.error)?;
    if status.success() {
        let bytes = bytes?;
        return Ok(EditorResult::Saved { bytes, path });
    }
    Ok(EditorResult::GivenUp(Some(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(line: &str) -> EditorResult {
        write(line, "\n<!-- note -->\n", FileUse::Words).unwrap()
    }

    #[test]
    fn what_is_saved_is_read_and_stays() {
        let EditorResult::Saved { bytes, path } = written(
            "f() { echo 导出 | cat - \"$1\" > \"$1.new\" && mv \"$1.new\" \"$1\"; }; cd /tmp; f",
        ) else {
            panic!("not saved");
        };
        assert_eq!(String::from_utf8(bytes).unwrap(), "导出\n\n<!-- note -->\n");
        assert!(path.is_file());
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn giving_up_and_having_none_are_told_apart() {
        assert_eq!(written("true"), EditorResult::Nothing);
        assert_eq!(written("false"), EditorResult::GivenUp(None));
        let EditorResult::GivenUp(Some(path)) = written("f() { echo x > \"$1\"; false; }; f")
        else {
            panic!("what was written is lost");
        };
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "x\n");
        std::fs::remove_file(path).unwrap();
        assert_eq!(
            written("/nowhere/editor 2>/dev/null"),
            EditorResult::Missing
        );
    }
}
