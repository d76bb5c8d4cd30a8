//! Answers in words, for pages and tables.

use std::time::Duration;

use serde_json::json;

use super::{Completion, Reply};

/// The answer that a line describes: its first word is the kind, or a status.
///
/// | line | what is answered |
/// | --- | --- |
/// | `429 retry-after=9 oops` | a status with an error of this text, or with this body if it begins with `{` or `<`; `␣` in a header is a blank |
/// | `text All is well.` | an answer with this text; `length`, cut by its limit; `filter`, by a filter |
/// | `raw data: {}⏎data: [DONE]` | the events of a stream, whole lines; `⏎` ends one |
/// | `cut {"analysis":` | the beginning of an answer; `reset`, and the connection breaks; `stall`, and silence |
/// | `split text` | an answer whose bytes come one by one; `drip`, slowly |
/// | `models big small` | the list of these models |
/// | `hang`, `empty`, `html`, `broken` | nothing at all, no body, a web page, half an event |
pub fn told(line: &str) -> Reply {
    let (kind, text) = line.split_once(' ').unwrap_or((line, ""));
    let text = text.to_owned();
    let finished = |finish| {
        Reply::Full(Completion {
            finish,
            ..Completion::new(&text)
        })
    };
    match kind {
        "text" => Reply::Text(text),
        "length" => Reply::Length(text),
        "filter" => finished("content_filter"),
        "raw" => Reply::Raw(vec![(text.replace('⏎', "\n\n") + "\n\n").into_bytes()]),
        "cut" => Reply::Cut(text),
        "reset" => Reply::Reset(text),
        "stall" => Reply::HangInStream(text),
        "split" => Reply::SplitUtf8(text),
        "models" => Reply::Models(text.split(' ').map(str::to_owned).collect()),
        "drip" => Reply::Drip {
            text,
            every: Duration::from_millis(100),
        },
        "hang" => Reply::HangBeforeHeaders,
        "html" => Reply::Html,
        "empty" => Reply::Empty,
        "broken" => Reply::BrokenFrame,
        status => {
            let status = status.parse();
            let status = status.unwrap_or_else(|_| panic!("no answer is called `{line}`"));
            let mut headers = Vec::new();
            let mut said = &*text;
            for name in ["retry-after", "location", "content-type"] {
                let value = said.strip_prefix(name).and_then(|it| it.strip_prefix('='));
                if let Some((value, rest)) = value.and_then(|it| it.split_once(' ')) {
                    headers.push((name, value.replace('␣', " ")));
                    said = rest;
                }
            }
            let body = match said.starts_with(['{', '<']) {
                true => said.to_owned(),
                false => json!({"error": {"message": said}}).to_string(),
            };
            Reply::status(status, headers, &body)
        }
    }
}
