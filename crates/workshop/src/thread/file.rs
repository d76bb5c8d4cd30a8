//! The file format of a thread: YAML with one line per reply, so that git can merge replies that
//! were added on two branches.

use std::fmt::Write as _;

use super::{MAX_NAME, MAX_QUOTE, MAX_REPLIES, MAX_TEXT, Reply, Thread, ThreadStatus};
use crate::fault::{Message, nearest, texts};
use crate::machine::shown;
use crate::yaml::{self, Node, Tree, YamlError};

/// Maximum size of a thread file, in bytes.
pub const MAX_FILE: usize = 512 << 10;

/// Keys of a thread and of a reply.
const KEYS: [&str; 7] = [
    "item", "quote", "author", "time", "blocking", "text", "replies",
];
const REPLY_KEYS: [&str; 4] = ["author", "time", "state", "text"];

texts! {
    NO_MAPPING: "it is `key: value`, a line each", "应为每行一个 `键: 值`";
    NO_LIST: "`{key}` is a list", "`{key}` 应为列表";
    NO_TEXT: "`{key}` is a text", "`{key}` 应为文本";
    MISSING: "`{key}` is missing", "缺少 `{key}`";
    UNKNOWN: "there is no key `{key}`", "没有键 `{key}`";
    NEAR: "there is no key `{key}`; did you mean `{near}`?", "没有键 `{key}`；您是否想写 `{near}`？";
    NO_STATE: "`{word}` is none of {states}", "`{word}` 不是 {states} 之一";
    LONG: "`{key}` has more than {most} characters", "`{key}` 超过 {most} 个字符";
    MANY: "it has more than {most} replies; begin another thread", "回复超过 {most} 条；请另写一条评论";
    MARKERS: "git left both sides of a merge here; keep every reply, and delete the lines of git", "git 在此留下了合并的两边；请保留每条回复，并删去 git 的标记行";
}

/// Parses a thread; `id` is the file name without its extension.
///
/// # Errors
/// The text is not a valid thread file, or one of its texts exceeds its limit.
pub fn parse(id: &str, text: &str) -> Result<Thread, YamlError> {
    let marker = |line: &str| line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ");
    if let Some(at) = text.lines().position(marker) {
        return Err(wrong(at as u64 + 1, MARKERS));
    }
    let node = yaml::read(text, MAX_FILE)?;
    let keys = mapping(&node, &KEYS)?;
    let mut thread = Thread {
        id: id.to_owned(),
        ..Thread::default()
    };
    for (key, line, value) in keys {
        match key.as_str() {
            "item" => thread.item = said(key, value, MAX_NAME)?,
            "quote" => thread.quote = said(key, value, MAX_QUOTE)?,
            "author" => thread.author = said(key, value, MAX_NAME)?.unwrap_or_default(),
            "time" => thread.time = said(key, value, MAX_NAME)?.unwrap_or_default(),
            "blocking" => {
                let word = said(key, value, MAX_NAME)?.unwrap_or_default();
                thread.blocking = match word.as_str() {
                    "true" | "yes" => true,
                    "false" | "no" | "" => false,
                    word => return Err(none_of(*line, word, &["true", "false"])),
                };
            }
            "text" => thread.text = said(key, value, MAX_TEXT)?.unwrap_or_default(),
            _ => thread.replies = replies(key, value)?,
        }
    }
    for (key, value) in [("author", &thread.author), ("text", &thread.text)] {
        if value.is_empty() {
            return Err(wrong(node.line, MISSING.fill(&[("key", &key)])));
        }
    }
    Ok(thread)
}

fn replies(key: &str, node: &Node) -> Result<Vec<Reply>, YamlError> {
    let items = match &node.value {
        Tree::Null => return Ok(Vec::new()),
        Tree::List(items) => items,
        _ => return Err(wrong(node.line, NO_LIST.fill(&[("key", &key)]))),
    };
    if items.len() > MAX_REPLIES {
        return Err(wrong(node.line, MANY.fill(&[("most", &MAX_REPLIES)])));
    }
    let mut replies = Vec::new();
    for item in items {
        let mut reply = Reply::default();
        for (key, line, value) in mapping(item, &REPLY_KEYS)? {
            match key.as_str() {
                "author" => reply.author = said(key, value, MAX_NAME)?.unwrap_or_default(),
                "time" => reply.time = said(key, value, MAX_NAME)?.unwrap_or_default(),
                "state" => {
                    let word = said(key, value, MAX_NAME)?.unwrap_or_default();
                    let state = ThreadStatus::ALL
                        .into_iter()
                        .find(|state| state.name() == word);
                    reply.state = match state {
                        None => {
                            return Err(none_of(
                                *line,
                                &word,
                                &ThreadStatus::ALL.map(ThreadStatus::name),
                            ));
                        }
                        state => state,
                    };
                }
                _ => reply.text = said(key, value, MAX_TEXT)?.unwrap_or_default(),
            }
        }
        if reply.author.is_empty() {
            return Err(wrong(item.line, MISSING.fill(&[("key", &"author")])));
        }
        if reply.text.is_empty() && reply.state.is_none() {
            return Err(wrong(item.line, MISSING.fill(&[("key", &"text")])));
        }
        replies.push(reply);
    }
    // After a merge, replies from two branches may be out of order.
    replies.sort_by(|one, other| one.time.cmp(&other.time));
    Ok(replies)
}

fn mapping<'n>(node: &'n Node, keys: &[&str]) -> Result<&'n [(String, u64, Node)], YamlError> {
    let Tree::Map(pairs) = &node.value else {
        return Err(wrong(node.line, NO_MAPPING));
    };
    for (key, line, _) in pairs {
        if !keys.contains(&key.as_str()) {
            let near = nearest(key, keys.iter().copied());
            return Err(wrong(
                *line,
                match near {
                    Some(near) => NEAR.fill(&[("key", key), ("near", &near)]),
                    None => UNKNOWN.fill(&[("key", key)]),
                },
            ));
        }
    }
    Ok(pairs)
}

/// The text of a value as a reader sees it; `None` if it is empty.
fn said(key: &str, node: &Node, most: usize) -> Result<Option<String>, YamlError> {
    let text = match &node.value {
        Tree::Null => return Ok(None),
        Tree::Text(text) => shown(text),
        _ => return Err(wrong(node.line, NO_TEXT.fill(&[("key", &key)]))),
    };
    if text.chars().count() > most {
        let what = LONG.fill(&[("key", &key), ("most", &most)]);
        return Err(wrong(node.line, what));
    }
    Ok(Some(text).filter(|text| !text.is_empty()))
}

fn none_of(line: u64, word: &str, words: &[&str]) -> YamlError {
    let states = words.join(", ");
    wrong(line, NO_STATE.fill(&[("word", &word), ("states", &states)]))
}

fn wrong(line: u64, what: impl Into<Message>) -> YamlError {
    YamlError {
        line,
        what: what.into(),
    }
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

impl Reply {
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
pub fn with_reply(id: &str, text: &str, reply: Reply) -> Result<(Thread, String), YamlError> {
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
            replies: vec![Reply {
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
        let reply = |author: &str, time: &str| Reply {
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
            ("", 1, "it is `key: value`"),
            ("- a", 1, "it is `key: value`"),
            ("author: a\ntext: [b]", 2, "`text` is a text"),
            ("author: a", 1, "`text` is missing"),
            ("author: a\ntext: b\nblock: true", 3, "no key `block`"),
            ("author: a\ntext: b\nblocking: often", 3, "none of true"),
            ("author: a\ntext: b\nreplies: c", 3, "`replies` is a list"),
            (
                "author: a\ntext: b\nreplies:\n- {author: c, state: done}",
                4,
                "none of open",
            ),
            (
                "author: a\ntext: b\nreplies:\n- {author: c}",
                4,
                "`text` is missing",
            ),
            ("author: a\n<<<<<<< HEAD\ntext: b", 2, "both sides"),
        ] {
            let error = parse("x", text).unwrap_err();
            let told = error.message().en;
            assert_eq!(error.line, line, "{told}");
            assert!(told.contains(said), "{told}");
        }
        let long = format!("author: a\ntext: {}", "x".repeat(MAX_TEXT + 1));
        assert!(parse("x", &long).is_err());
    }
}
