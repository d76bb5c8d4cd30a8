//! A comment on a version, with its replies and its outcome.
//!
//! A thread is a small file of its own next to the version ([`file`]). Its outcome is not stored in
//! a file: it is read from the transcript of the revision (`answer`).

mod answer;
mod file;
pub mod foreign;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::artifact::one_line;
use crate::fault::Text;
use crate::lang::Lang;
use crate::machine::shown;

pub use answer::{ThreadAnswer, ThreadView, answer, later, status};
pub use file::{MAX_FILE, parse, with_reply};

/// Maximum number of characters of a comment or reply.
pub const MAX_TEXT: usize = 4_000;
/// Maximum number of characters of the quote that a thread is about.
pub const MAX_QUOTE: usize = 600;
/// Maximum number of characters of a name, and of the item a thread is about.
pub const MAX_NAME: usize = 120;
/// Maximum number of replies of a thread.
pub const MAX_REPLIES: usize = 100;
/// Maximum number of characters of the point of feedback that a thread becomes.
const MAX_POINT: usize = 6_000;

/// The status of a comment, from what people did to it and how a revision answered it.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ThreadStatus {
    /// It waits for a revision.
    #[default]
    Open,
    /// It was dealt with.
    Taken,
    /// The people who answer for the plan do not follow it.
    Declined,
    /// Its author takes it back.
    Withdrawn,
}

impl ThreadStatus {
    /// Its name, as in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Taken => "taken",
            Self::Declined => "declined",
            Self::Withdrawn => "withdrawn",
        }
    }
}

/// A reply to a comment, or something done to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ThreadReply {
    /// Who, by the name that they gave.
    pub author: String,
    /// When, RFC 3339; empty if nobody wrote it down.
    #[serde(default)]
    pub time: String,
    /// The new status of the comment; left out if it does not change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<ThreadStatus>,
    /// The words; may be empty where it only does something.
    #[serde(default)]
    pub text: String,
}

/// A comment on a version, with what was said to it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Thread {
    /// Its file's name without the ending.
    pub id: String,
    /// Id of the item it is on; left out for the plan as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<String>,
    /// The words it is about; left out if none were selected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// Who, by the name that they gave.
    pub author: String,
    /// When, RFC 3339; empty if nobody wrote it down.
    #[serde(default)]
    pub time: String,
    /// Whether the version cannot be approved while it is open.
    #[serde(default)]
    pub blocking: bool,
    /// Text of the message.
    pub text: String,
    /// Messages about it, oldest first.
    #[serde(default)]
    pub replies: Vec<ThreadReply>,
}

/// Somebody's approval of a version, byte for byte.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Approval {
    /// Name of the file that holds it.
    pub file: String,
    /// Who, by the name that they gave.
    pub by: String,
    /// Time of the approval, in RFC 3339.
    pub time: String,
    /// SHA-256 of the version's manifest, 64 lower-case hexadecimal digits.
    pub digest: String,
    /// The note with it; left out if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Thread {
    /// Its status from people's actions: that of the last reply that changes the status.
    pub fn state(&self) -> ThreadStatus {
        let done = self.replies.iter().rev().find_map(|reply| reply.state);
        done.unwrap_or_default()
    }

    /// The point of feedback that it becomes, on one line: its text, its place and the replies. It
    /// is truncated at `MAX_POINT` characters.
    pub fn point(&self, lang: Lang) -> String {
        const ON: Text = Text("on {item}", "关于 {item}");
        const ON_WORDS: Text = Text("on “{quote}”", "关于“{quote}”");
        const BOTH: Text = Text("on {item}, “{quote}”", "关于 {item}，“{quote}”");
        const REPLIED: Text = Text(" {author} replied: {text}", " {author} 回复：{text}");
        let line = |text: &str| one_line(&shown(text));
        let (item, quote) = (self.item.as_deref(), self.quote.as_deref());
        let (item, quote) = (item.map(line), quote.map(line));
        let values = [
            ("item", item.as_deref().unwrap_or_default()),
            ("quote", quote.as_deref().unwrap_or_default()),
        ];
        let place = match (&item, &quote) {
            (Some(_), Some(_)) => BOTH.with(lang, &values),
            (Some(_), None) => ON.with(lang, &values),
            (None, Some(_)) => ON_WORDS.with(lang, &values),
            (None, None) => String::new(),
        };
        let mut point = line(&self.text);
        if !place.is_empty() {
            point.push_str(&match lang {
                Lang::En => format!(" ({place})"),
                Lang::Zh => format!("（{place}）"),
            });
        }
        for reply in self.replies.iter().filter(|reply| !reply.text.is_empty()) {
            let (author, text) = (line(&reply.author), line(&reply.text));
            point.push_str(&REPLIED.with(lang, &[("author", &author), ("text", &text)]));
        }
        match point.char_indices().nth(MAX_POINT) {
            Some((end, _)) => format!("{}…", point[..end].trim_end()),
            None => point,
        }
    }

    /// Its byte offset in a plan's report. If the report does not mention its place, the end of the
    /// report.
    pub fn place_in(&self, report: &str) -> usize {
        let quoted = self.quote.as_deref().and_then(|words| report.find(words));
        let item = || {
            let id = self.item.as_deref()?;
            let bold = report.find(&format!("**{id}**"));
            bold.or_else(|| report.find(id))
        };
        quoted.or_else(item).unwrap_or(report.len())
    }
}

/// Sorts threads in the order of the plan: by their place in its report, then by time.
pub fn in_order(threads: &mut [Thread], report: &str) {
    threads.sort_by_cached_key(|thread| {
        let place = thread.place_in(report);
        (place, thread.time.clone(), thread.id.clone())
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_one_line_of_bounded_length() {
        let mut thread = Thread {
            item: Some("AC-3".to_owned()),
            quote: Some("a deleted\naccount".to_owned()),
            text: "Which one?\n<!-- unseen --> Say so.\u{202e}".to_owned(),
            ..Thread::default()
        };
        let point = "Which one? Say so. (on AC-3, “a deleted account”)";
        assert_eq!(thread.point(Lang::En), point);
        thread.item = None;
        thread.replies.push(ThreadReply {
            author: "Bob".to_owned(),
            text: "The first.".to_owned(),
            ..ThreadReply::default()
        });
        let point = "Which one? Say so.（关于“a deleted account”） Bob 回复：The first.";
        assert_eq!(thread.point(Lang::Zh), point);
        thread.text = "x".repeat(MAX_POINT + 1);
        assert_eq!(thread.point(Lang::En).chars().count(), MAX_POINT + 1);
    }

    #[test]
    fn the_last_that_was_done_holds() {
        let mut thread = Thread::default();
        assert_eq!(thread.state(), ThreadStatus::Open);
        for state in [
            Some(ThreadStatus::Declined),
            None,
            Some(ThreadStatus::Open),
            None,
        ] {
            thread.replies.push(ThreadReply {
                state,
                ..ThreadReply::default()
            });
        }
        assert_eq!(thread.state(), ThreadStatus::Open);
        thread.replies.truncate(2);
        assert_eq!(thread.state(), ThreadStatus::Declined);
    }

    #[test]
    fn threads_stand_in_the_order_of_the_plan() {
        let on = |item: &str, quote: &str, id: &str| Thread {
            id: id.to_owned(),
            item: Some(item.to_owned()).filter(|item| !item.is_empty()),
            quote: Some(quote.to_owned()).filter(|quote| !quote.is_empty()),
            ..Thread::default()
        };
        let mut threads = [
            on("", "", "whole"),
            on("AC-2", "", "second"),
            on("", "in short", "first"),
            on("AC-1", "", "third"),
        ];
        in_order(&mut threads, "AC-1 in short **AC-2** a\n**AC-1** b");
        let ids = threads.map(|thread| thread.id);
        assert_eq!(ids, ["first", "second", "third", "whole"]);
    }
}
