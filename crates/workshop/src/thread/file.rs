//! The file format of a thread: YAML with one line per reply, so that git can merge replies that
//! were added on two branches.

use std::fmt::Write as _;

use serde::Deserialize;

use super::{MAX_NAME, MAX_QUOTE, MAX_REPLIES, MAX_TEXT, Thread, ThreadReply};
use crate::fault::{LineError, texts};
use crate::machine::shown;
use crate::yaml;

/// Maximum size of a thread file, in bytes.
pub const MAX_FILE: usize = 512 << 10;

texts! {
    MISSING: "`{key}` is missing", "缺少 `{key}`";
    LONG: "`{key}` has more than {most} characters", "`{key}` 超过 {most} 个字符";
    MANY: "it has more than {most} replies; begin another thread", "回复超过 {most} 条；请另写一条评论";
    MARKERS: "git left both sides of a merge here; keep every reply, and delete the lines of git", "git 在此留下了合并的两边；请保留每条回复，并删去 git 的标记行";
}

/// A thread as its file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ThreadFile {
    item: Option<String>,
    quote: Option<String>,
    author: String,
    #[serde(default)]
    time: String,
    #[serde(default)]
    blocking: bool,
    text: String,
    replies: Option<Vec<ThreadReply>>,
}

/// Parses a thread; `id` is the file name without its extension.
///
/// # Errors
/// The text is not a valid thread file, or one of its texts exceeds its limit.
pub fn parse(id: &str, text: &str) -> Result<Thread, LineError> {
    let marker = |line: &str| line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ");
    if let Some(at) = text.lines().position(marker) {
        return Err(LineError::new(at as u64 + 1, MARKERS));
    }
    let file: ThreadFile = yaml::parse(text, MAX_FILE)?;
    let mut thread = Thread {
        id: id.to_owned(),
        item: file.item,
        quote: file.quote,
        author: file.author,
        time: file.time,
        blocking: file.blocking,
        text: file.text,
        replies: file.replies.unwrap_or_default(),
    };
    if thread.replies.len() > MAX_REPLIES {
        return Err(LineError::new(1, MANY.fill(&[("most", &MAX_REPLIES)])));
    }
    clean(&mut thread)?;
    // After a merge, replies from two branches may be out of order.
    thread
        .replies
        .sort_by(|one, other| one.time.cmp(&other.time));
    Ok(thread)
}

/// Makes each text what a reader sees of it.
fn clean(thread: &mut Thread) -> Result<(), LineError> {
    let mut texts = vec![
        ("author", &mut thread.author, MAX_NAME),
        ("time", &mut thread.time, MAX_NAME),
        ("text", &mut thread.text, MAX_TEXT),
    ];
    let named = [
        ("item", &mut thread.item, MAX_NAME),
        ("quote", &mut thread.quote, MAX_QUOTE),
    ];
    texts.extend(
        named
            .into_iter()
            .filter_map(|(key, text, most)| Some((key, text.as_mut()?, most))),
    );
    for reply in &mut thread.replies {
        texts.push(("author", &mut reply.author, MAX_NAME));
        texts.push(("time", &mut reply.time, MAX_NAME));
        texts.push(("text", &mut reply.text, MAX_TEXT));
    }
    for (key, text, most) in texts {
        *text = shown(text);
        if text.chars().count() > most {
            let what = LONG.fill(&[("key", &key), ("most", &most)]);
            return Err(LineError::new(1, what));
        }
    }
    thread.item.take_if(|item| item.is_empty());
    thread.quote.take_if(|quote| quote.is_empty());
    let says_nothing = |reply: &ThreadReply| reply.text.is_empty() && reply.state.is_none();
    let missing =
        if thread.author.is_empty() || thread.replies.iter().any(|it| it.author.is_empty()) {
            "author"
        } else if thread.text.is_empty() || thread.replies.iter().any(says_nothing) {
            "text"
        } else {
            return Ok(());
        };
    Err(LineError::new(1, MISSING.fill(&[("key", &missing)])))
}

impl Thread {
    /// Formats the thread as YAML.
    pub fn to_yaml(&self) -> String {
        let mut text = String::new();
        for (key, value) in [("item", &self.item), ("quote", &self.quote)] {
            if let Some(value) = value {
                let _ = writeln!(text, "{key}: {}", quoted(value));
            }
        }
        let _ = writeln!(text, "author: {}", quoted(&self.author));
        if !self.time.is_empty() {
            let _ = writeln!(text, "time: {}", quoted(&self.time));
        }
        if self.blocking {
            text.push_str("blocking: true\n");
        }
        let _ = writeln!(text, "text: {}", block(&self.text));
        // The key is always written, so that two branches add only lines of their own.
        text.push_str("replies:\n");
        for reply in &self.replies {
            text.push_str(&reply.to_line());
        }
        text
    }
}

impl ThreadReply {
    fn to_line(&self) -> String {
        let mut line = format!("- {{author: {}", quoted(&self.author));
        if !self.time.is_empty() {
            let _ = write!(line, ", time: {}", quoted(&self.time));
        }
        if let Some(state) = self.state {
            let _ = write!(line, ", state: {}", state.name());
        }
        if !self.text.is_empty() {
            let _ = write!(line, ", text: {}", quoted(&self.text));
        }
        line + "}\n"
    }
}

/// Returns the thread with one more reply, and the text of its file. The reply is appended as a
/// line if the file has the form that this program writes, so that text written by hand does not
/// move.
///
/// # Errors
/// The file is not a valid thread.
pub fn with_reply(id: &str, text: &str, reply: ThreadReply) -> Result<(Thread, String), LineError> {
    let mut thread = parse(id, text)?;
    thread.replies.push(reply.clone());
    thread
        .replies
        .sort_by(|one, other| one.time.cmp(&other.time));
    let mut added = text.to_owned();
    if !added.ends_with('\n') {
        added.push('\n');
    }
    added.push_str(&reply.to_line());
    // If the replies of a hand-edited file do not come last, the whole file is rewritten.
    if parse(id, &added).as_ref() != Ok(&thread) {
        added = thread.to_yaml();
    }
    parse(id, &added)?;
    Ok((thread, added))
}

/// Quotes a text as a one-line YAML string: JSON syntax, with everything escaped that breaks a line
/// in YAML.
fn quoted(text: &str) -> String {
    let text = serde_json::Value::from(text).to_string();
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}

/// Formats a text as a YAML block, which is easy to edit, or on one line if a block is not needed
/// or cannot hold it.
fn block(text: &str) -> String {
    let is_plain =
        |line: &str| !line.ends_with(char::is_whitespace) && !line.contains(char::is_control);
    let is_block = text.contains('\n')
        && !text.starts_with(char::is_whitespace)
        && !text.ends_with('\n')
        && text.lines().all(is_plain)
        && !text.contains(['\u{2028}', '\u{2029}', '\u{feff}']);
    if !is_block {
        return quoted(text);
    }
    let mut out = "|-".to_owned();
    for line in text.lines() {
        out.push('\n');
        if !line.is_empty() {
            out.push_str("  ");
            out.push_str(line);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::ThreadStatus;
    use super::*;

    fn thread(text: &str) -> Thread {
        Thread {
            id: "k4f2q9".to_owned(),
            item: Some("AC-3".to_owned()),
            quote: Some(text.to_owned()),
            author: "Ann \"A\" O'Neill: #1".to_owned(),
            time: "2026-01-31T08:00:00.000Z".to_owned(),
            blocking: true,
            text: text.to_owned(),
            replies: vec![ThreadReply {
                author: "李".to_owned(),
                time: "2026-01-31T09:00:00.000Z".to_owned(),
                state: Some(ThreadStatus::Declined),
                text: text.to_owned(),
            }],
        }
    }

    #[test]
    fn a_file_reads_as_it_was_written() {
        for text in [
            "plain",
            "No.",
            "yes",
            "~",
            "1.10",
            "- a: b",
            "? x",
            "two\nlines",
            "a\n\n  indented: [b\n}#",
            "tab\there\nand: there",
            "---\nx\n...",
            "%YAML 9\n# not a comment",
            "\"quoted\\\" \\u0000",
            "& *a !!str | > @ `",
            "line\n  ",
            "中文：\n第二行",
            "a\u{1b}[31m\nb\u{202e}",
        ] {
            let thread = thread(text);
            let text = thread.to_yaml();
            let mut wanted = thread.clone();
            wanted.text = shown(&wanted.text);
            wanted.quote = wanted.quote.map(|quote| shown(&quote));
            wanted.replies[0].text = shown(&wanted.replies[0].text);
            assert_eq!(parse("k4f2q9", &text), Ok(wanted), "{text}");
        }
    }

    #[test]
    fn a_reply_is_one_more_line_and_what_was_written_by_hand_stays() {
        let reply = |author: &str, time: &str| ThreadReply {
            author: author.to_owned(),
            time: time.to_owned(),
            state: None,
            text: "Yes.\nAnd no.".to_owned(),
        };
        let by_hand = "# mine\nauthor: Ann\ntext: Why?\nreplies:\n";
        let (thread, text) = with_reply("x", by_hand, reply("Bob", "2026-02")).unwrap();
        assert_eq!(thread.replies.len(), 1);
        assert_eq!(text.strip_prefix(by_hand).unwrap().lines().count(), 1);
        // An earlier reply that was added later is sorted by its time.
        let (thread, _) = with_reply("x", &text, reply("Cy", "2026-01")).unwrap();
        assert_eq!(thread.replies[0].author, "Cy");
        let (_, text) = with_reply("x", "text: Why?\nauthor: Ann", reply("Bob", "")).unwrap();
        assert_eq!(parse("x", &text).unwrap().replies.len(), 1, "{text}");
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, line, said) in [
            ("", 1, "end of input"),
            ("- a", 1, ""),
            ("author: a\ntext: [b]", 2, ""),
            ("author: a", 1, "`text`"),
            ("author: a\ntext: b\nblock: true", 3, "`block`"),
            ("author: a\ntext: b\nblocking: often", 3, ""),
            ("author: a\ntext: b\nreplies: c", 3, ""),
            (
                "author: a\ntext: b\nreplies:\n- {author: c, state: done}",
                4,
                "open",
            ),
            (
                "author: a\ntext: b\nreplies:\n- {author: c}",
                1,
                "`text` is missing",
            ),
            ("author: a\n<<<<<<< HEAD\ntext: b", 2, "both sides"),
        ] {
            let error = parse("x", text).unwrap_err();
            let told = error.message().en;
            assert_eq!(error.line, line, "{text}: {told}");
            assert!(told.contains(said), "{told}");
        }
        let long = format!("author: a\ntext: {}", "x".repeat(MAX_TEXT + 1));
        assert!(parse("x", &long).is_err());
    }
}
