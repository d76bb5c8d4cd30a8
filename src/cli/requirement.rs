//! Texts from the command line: an argument, files, standard input.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use regex::Regex;

use super::{Context, Fault};
use crate::edge::env;
use crate::edge::model::pattern;
use crate::edge::safe_open::{self, FileUse};
use crate::fault::line::{
    EDITOR, INPUT_UNREADABLE, STDIN_TWICE, TEXT_MISSING, TEXT_NOT_UTF8, TEXT_NUL, TEXT_TOO_LARGE,
};
use crate::fault::{Message, MessageValue, Text, said_by_system, texts, values};
use crate::machine::shown;
use crate::ui::editor::{self, EditorResult};

texts! {
    NOTE: "<!-- aitc: write the {what} above, save and close; without one nothing happens. -->", "<!-- aitc：请在上方写{what}，保存并关闭；留空则什么也不做。 -->";
    KEPT: "what you wrote is kept in {path}", "您写的内容保存在 {path}";
    NO_PROGRAM: "there is no such program", "没有这个程序";
    GIVEN_UP: "it ended with an error", "它以错误结束";
    /// Name of a requirement in messages.
    pub REQUIREMENT: "requirement", "需求";
    /// Name of feedback in messages.
    pub FEEDBACK: "feedback", "反馈";
    ARGUMENT: "the argument", "参数";
    STDIN: "standard input", "标准输入";
    LINE: "a line on standard input", "标准输入中的一行";
    ALL: "all of it together", "全部内容合起来";
}

/// Maximum size of a requirement or feedback, in bytes.
pub const MAX_BYTES: usize = FileUse::Words.most();

/// Joins the argument and the files, in that order, with an empty line between them. `-` means
/// standard input, once. White space at the ends is removed. If neither is given and somebody is at
/// the terminal, the user's editor is opened.
///
/// # Errors
/// The text is blank, contains a NUL, is larger than [`MAX_BYTES`] or not UTF-8, or a file cannot
/// be read.
pub fn gather(
    what: Text,
    argument: Option<&str>,
    files: &[PathBuf],
    example: Text,
    context: &Context,
) -> Result<String, Fault> {
    if argument.is_none()
        && files.is_empty()
        && let Some(editor) = editor(context)
    {
        return edited(what, editor, example, context);
    }
    let mut parts = Vec::new();
    let mut stdin_taken = false;
    if let Some(text) = argument.filter(|text| *text != "-") {
        parts.push(checked(what, &ARGUMENT, text.as_bytes().to_vec())?);
    }
    let from_stdin = argument.filter(|text| *text == "-").map(PathBuf::from);
    for file in from_stdin.iter().chain(files) {
        if is_stdin(file) && std::mem::replace(&mut stdin_taken, true) {
            return Err(STDIN_TWICE.with(&[]));
        }
        let (name, bytes) = read(file, FileUse::Words, context)?;
        parts.push(checked(what, &name, bytes)?);
    }
    let whole = parts
        .iter()
        .map(|part| part.trim())
        .filter(|part| !part.is_empty());
    let whole = whole.collect::<Vec<_>>().join("\n\n");
    present(what, whole, example)
}

/// Returns whether the path is `-`, which means standard input.
pub fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// Reads a file or standard input; returns the content and its name in messages.
///
/// # Errors
/// It cannot be read.
pub fn read(file: &Path, kind: FileUse, context: &Context) -> Result<(Message, Vec<u8>), Fault> {
    let (name, bytes) = match is_stdin(file) {
        true => (STDIN.into(), env::read_stdin(kind)),
        false => (
            quoted(file),
            safe_open::read_named(&context.path(file), kind),
        ),
    };
    let bytes = bytes.map_err(|error| unreadable(&name, &said_by_system(&error)))?;
    Ok((name, bytes))
}

/// Returns the error that the input cannot be read.
pub fn unreadable(name: &Message, cause: &dyn MessageValue) -> Fault {
    INPUT_UNREADABLE.with(values![name, cause])
}

/// Returns a path's name in messages.
pub fn quoted(path: &Path) -> Message {
    format!("`{}`", path.display()).into()
}

/// Returns the user's editor, if it can be used: somebody is at the terminal, and the output is not
/// a pipe.
fn editor(context: &Context) -> Option<&str> {
    let named = |name| context.env.variable(name).map(str::trim);
    let editor = named("VISUAL").or_else(|| named("EDITOR"))?;
    let there = context.somebody_there() && context.env.stdout_terminal && !editor.is_empty();
    there.then_some(editor)
}

/// Returns what the user writes in `editor`, above a comment that says what is wanted.
fn edited(what: Text, editor: &str, example: Text, context: &Context) -> Result<String, Fault> {
    let lang = context.lang(None);
    let note = NOTE.with(lang, values![what]);
    let failed = |cause: &dyn MessageValue| EDITOR.with(values![editor, cause, example]);
    let written = editor::write(editor, &format!("\n\n{note}\n"), FileUse::Words);
    match written.map_err(|error| failed(&said_by_system(&error)))? {
        EditorResult::Missing => Err(failed(&NO_PROGRAM)),
        EditorResult::Nothing => present(what, String::new(), example),
        EditorResult::GivenUp(kept) => {
            if let Some(path) = kept {
                context.notice(&KEPT.fill(values![path = path.display()]));
            }
            Err(failed(&GIVEN_UP))
        }
        EditorResult::Saved { bytes, path } => {
            context.notice(&KEPT.fill(values![path = path.display()]));
            let name = quoted(&path);
            let text = checked(what, &name, bytes)?.replace(&note, "");
            present(what, text.trim().to_owned(), example)
        }
    }
}

/// Returns the text, if it is not blank and can be stored; `what` and `example` name it in errors.
///
/// # Errors
/// It is blank, too large, or contains a NUL.
pub fn present(what: Text, whole: String, example: Text) -> Result<String, Fault> {
    if says_nothing(&whole) {
        return Err(TEXT_MISSING.with(values![what, example]));
    }
    checked(what, &ALL, whole.into_bytes())
}

/// Returns the error for a line of standard input that could be read but not used; `None` if the
/// error is another.
pub fn unusable_line(error: &io::Error) -> Option<Fault> {
    match error.kind() {
        ErrorKind::InvalidData => Some(TEXT_NOT_UTF8.with(values![name = LINE])),
        ErrorKind::FileTooLarge => Some(too_large(REQUIREMENT, &LINE)),
        _ => None,
    }
}

fn too_large(what: Text, name: &dyn MessageValue) -> Fault {
    let size = format!("{} KiB", MAX_BYTES / 1024);
    TEXT_TOO_LARGE.with(values![name, size, what])
}

fn checked(what: Text, name: &dyn MessageValue, bytes: Vec<u8>) -> Result<String, Fault> {
    if bytes.len() > MAX_BYTES {
        return Err(too_large(what, name));
    }
    let text = String::from_utf8(bytes).map_err(|_| TEXT_NOT_UTF8.with(values![name]))?;
    if text.contains('\0') {
        return Err(TEXT_NUL.with(values![name]));
    }
    // A mark that some editors put before a text.
    Ok(plain(text.strip_prefix('\u{feff}').unwrap_or(&text)))
}

/// Returns whether the text has only invisible characters.
pub fn says_nothing(text: &str) -> bool {
    shown(text).is_empty()
}

/// Returns the text with uniform line breaks, and without what colours a terminal or makes links
/// there: people who copy or pipe it mean what they saw. A sequence without an end is kept, since
/// everything after it would be lost.
pub fn plain(text: &str) -> String {
    // ECMA-48: a control sequence up to its final character, a command up to its terminator.
    static SEQUENCES: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"\x1b(?:\[[ -?]*[@-~]|\](?s:.*?)(?:\x07|\x1b\\))"));
    let text = text.replace("\r\n", "\n");
    SEQUENCES.replace_all(&text, "").into_owned()
}
