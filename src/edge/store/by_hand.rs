//! Files of calls that are answered by hand: `calls/003.prompt.md` in a draft, and beside it
//! `003.reply.md`, which is renamed to `003.taken.md` when it is recorded.

use std::io;
use std::path::{Path, PathBuf};

use crate::edge::file_names::CALLS;
use crate::edge::fs::{
    self, FileKind, Fs, IfExists as _, IoContext as _, WriteMode, failed, read_ours,
};
use crate::edge::safe_open::{FileUse, is_refusal};
use crate::fault::plans::REPLY_FILE;
use crate::fault::{Fault, MessageValue, Text, texts, values};

/// Maximum size of a reply in bytes.
pub const MAX_REPLY: usize = FileUse::Reply.most();

/// Maximum length of the name of a reply's author, in characters.
const MAX_NAME: usize = 80;

/// The text around the name in the first line of a reply.
const BY: (&str, &str) = ("<!-- by: ", " -->");

texts! {
    NO_FOLDER: "it is not a folder", "它不是目录";
    EMPTY: "it is empty", "它是空的";
    TOO_LARGE: "it is larger than 1 MiB", "它大于 1 MiB";
    NOT_UTF8: "it is not valid UTF-8", "它不是有效的 UTF-8";
    NUL: "it holds a NUL character", "它含有 NUL 字符";
}

/// The kinds of files of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallFile {
    /// The prompt.
    Prompt,
    /// The answer, until it is taken.
    Reply,
    /// The recorded reply.
    Taken,
    /// Standard input that `aitc reply` refused.
    Refused,
}

impl CallFile {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Prompt, Self::Reply, Self::Taken, Self::Refused];

    /// Its path in the draft, for call `n`.
    pub fn of(self, n: u32) -> String {
        let kind = match self {
            Self::Prompt => "prompt",
            Self::Reply => "reply",
            Self::Taken => "taken",
            Self::Refused => "refused",
        };
        format!("{CALLS}/{n:03}.{kind}.md")
    }
}

/// The content of a reply's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyFile {
    /// The answer.
    pub text: String,
    /// The author's name, as given in the reply.
    pub by: Option<String>,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
}

/// The error for an invalid file or folder at that path in a draft.
fn unfit(draft: &Path, rel: &str, why: &dyn MessageValue) -> Fault {
    let name = draft.file_name().unwrap_or_default().to_string_lossy();
    REPLY_FILE.with(values![path = format!("{name}/{rel}"), why])
}

/// Parses a reply. The author may be given in the first line: `<!-- by: NAME -->`.
///
/// # Errors
/// It is empty, or is not text.
pub fn read(bytes: Vec<u8>) -> Result<ReplyFile, Text> {
    if bytes.len() > MAX_REPLY {
        return Err(TOO_LARGE);
    }
    let whole = std::str::from_utf8(&bytes).map_err(|_| NOT_UTF8)?;
    let whole = whole.strip_prefix('\u{feff}').unwrap_or(whole);
    if whole.contains('\0') {
        return Err(NUL);
    }
    let (first, rest) = whole.split_once('\n').unwrap_or((whole, ""));
    let by = first.trim().strip_prefix(BY.0.trim_end());
    let by = by.and_then(|name| name.strip_suffix(BY.1.trim_start()));
    let by = by.map(str::trim).filter(|name| is_name(name));
    let text = if by.is_some() { rest } else { whole };
    if text.trim().is_empty() {
        return Err(EMPTY);
    }
    let (text, by) = (text.to_owned(), by.map(str::to_owned));
    Ok(ReplyFile { text, by, bytes })
}

/// The bytes of a reply's file.
pub fn to_bytes(text: &str, by: Option<&str>) -> Vec<u8> {
    let line = by.map(|name| format!("{}{name}{}\n", BY.0, BY.1));
    let mut whole = line.unwrap_or_default() + text;
    if !whole.ends_with('\n') {
        whole.push('\n');
    }
    whole.into_bytes()
}

/// Whether this is a valid author's name for the first line of a reply.
pub fn is_name(name: &str) -> bool {
    let is_plain = |c: char| !c.is_control() && !matches!(c, '<' | '>' | '\u{2028}' | '\u{2029}');
    !name.trim().is_empty()
        && name.chars().count() <= MAX_NAME
        && name.chars().all(is_plain)
        && !name.contains("--")
}

/// The reply to call `n` in `draft`, in the file of that `kind`; `None` if there is none.
///
/// # Errors
/// The file is not a valid reply, or cannot be read.
pub fn reply(
    fs: &dyn Fs,
    draft: &Path,
    kind: CallFile,
    n: u32,
) -> Result<Option<ReplyFile>, Fault> {
    let rel = kind.of(n);
    let Some(found) = read_ours(fs, &draft.join(&rel))? else {
        return Ok(None);
    };
    let read = found.and_then(|bytes| Ok(read(bytes)?));
    read.map(Some).map_err(|why| unfit(draft, &rel, &why))
}

/// Whether the reply to call `n` equals the recorded one, byte for byte.
///
/// # Errors
/// One of them cannot be read.
pub fn is_same(fs: &dyn Fs, draft: &Path, n: u32) -> Result<bool, Fault> {
    let of = |kind: CallFile| reply(fs, draft, kind, n);
    Ok(match (of(CallFile::Reply), of(CallFile::Taken)?) {
        (Ok(Some(new)), Some(old)) => new.bytes == old.bytes,
        // An invalid reply does not equal a valid one.
        _ => false,
    })
}

/// Writes `bytes` beside the prompt of call `n`, replacing an existing file atomically.
///
/// # Errors
/// The file cannot be written, or its name is in use by something that is not a file.
pub fn write_file(
    fs: &dyn Fs,
    draft: &Path,
    n: u32,
    kind: CallFile,
    bytes: &[u8],
) -> Result<PathBuf, Fault> {
    let folder = draft.join(CALLS);
    match fs.metadata(&folder) {
        Ok(found) if found.kind == FileKind::Dir => {}
        Ok(_) => return Err(unfit(draft, CALLS, &NO_FOLDER)),
        // Created before the first prompt; somebody may have removed it since.
        Err(_) => fs.create_dir(&folder).doing("create", &folder)?,
    }
    let path = draft.join(kind.of(n));
    fs::write_atomically(fs, &path, bytes, WriteMode::Unsynced)?;
    Ok(path)
}

/// Renames the reply to call `n`, which marks it as taken.
///
/// # Errors
/// The file cannot be renamed.
pub fn claim(fs: &dyn Fs, draft: &Path, n: u32) -> Result<(), Fault> {
    let from = draft.join(CallFile::Reply.of(n));
    fs.rename(&from, &draft.join(CallFile::Taken.of(n)))
        .doing("rename", &from)?;
    Ok(())
}

/// Removes the folder of calls if it contains nothing but unfinished files.
///
/// # Errors
/// It cannot be listed or removed.
pub fn remove_if_empty(fs: &dyn Fs, draft: &Path) -> Result<(), Fault> {
    let folder = draft.join(CALLS);
    let names = fs.list(&folder).if_exists().doing("list", &folder)?;
    let Some(names) = names else { return Ok(()) };
    if names.iter().all(|name| name.ends_with(".tmp")) {
        fs.remove_dir_all(&folder).doing("remove", &folder)?;
    }
    Ok(())
}

/// Numbers of the calls with a reply file, whether they wait for one or not.
pub fn replies(fs: &dyn Fs, draft: &Path) -> Result<Vec<u32>, Fault> {
    let folder = draft.join(CALLS);
    let names = match fs.list(&folder) {
        Ok(names) => names,
        // A link in its place is reported when a reply is read.
        Err(error) if error.kind() == io::ErrorKind::NotFound || is_refusal(&error) => Vec::new(),
        Err(error) => return Err(failed("list", &folder)(error)),
    };
    let number = |name: &String| {
        let n = name.strip_suffix(".reply.md")?.parse().ok()?;
        (format!("{CALLS}/{name}") == CallFile::Reply.of(n)).then_some(n)
    };
    let mut numbers: Vec<u32> = names.iter().filter_map(number).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_may_say_who_wrote_it() {
        let reply = |text: &str| read(text.as_bytes().to_vec());
        let by = |text| reply(text).unwrap().by;
        assert_eq!(
            by("<!-- by: Claude Code -->\n{}"),
            Some("Claude Code".to_owned())
        );
        assert_eq!(by("<!--by: x-->\n{}"), None);
        assert_eq!(by("{}"), None);
        assert_eq!(reply("<!-- by: x -->\n{}").unwrap().text, "{}");
        assert_eq!(reply("<!-- by: x -->\n").unwrap_err(), EMPTY);
        assert_eq!(reply(" \n").unwrap_err(), EMPTY);
        assert_eq!(reply("a\0").unwrap_err(), NUL);
        let bytes = to_bytes("{}", Some("me"));
        assert_eq!(read(bytes).unwrap().by.as_deref(), Some("me"));
    }

    #[test]
    fn numbers_have_three_digits_or_more() {
        assert_eq!(CallFile::Prompt.of(3), "calls/003.prompt.md");
        assert_eq!(CallFile::Reply.of(1234), "calls/1234.reply.md");
    }
}
