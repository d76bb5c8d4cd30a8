//! The server of a `console,server` block: the shared members, which want the key of the session,
//! and what `~/answers` says instead. Each call becomes a line of `~/asked`: its name, its path, its
//! model, and the temperature and seed if they were sent.
//!
//! The program `~/member` reads a prompt and prints the same server's answer; `~/awaits COMMAND`
//! repeats a command until it succeeds. `~/forge` is what a forge was told: `docs/forge.rs`.
//!
//! A line of `~/answers` begins with the start of a call's name, and the first that fits is taken:
//!
//! | line | what is answered |
//! | --- | --- |
//! | `speech/SystemDesigner/r1 500 oops` | a status with an error of this text |
//! | `speech/SystemDesigner/r1 429 retry-after=9 oops` | the same with a header; so `location=` |
//! | `report text All is well.` | an answer with this text |
//! | `report raw {"choices":[]}` | an event of the stream, and its end |
//! | `summary cut {"analysis":` | the beginning of an answer |
//! | `summary reset {"analysis":` | the same, and the connection breaks; so `stall` for silence |
//! | `speech/SystemDesigner/r1 held` | the usual answer, once this line is gone |
//! | `models html` | a web page; so `empty` for an answer without a body |
//! | `schema 400 oops` | for calls that ask for this format of the answer |
//!
//! The same comes through a proxy, for which a request of a tunnel is named `CONNECT`.
//! With `once` at its beginning, a line is for the first request of a call alone. Calls of `aitc
//! doctor` are named `doctor`, requests for the list of models, which are not in `~/asked`,
//! `models`.

use std::io::Write as _;
use std::path::Path;

use serde_json::json;

use super::forge;
use crate::support::fake::{Completion, Fake, FakeConfig, KEY, Reply, Seen, answer};
use crate::support::programs::{go_between, script};

/// Starts the server for a session with this home.
pub fn start(home: &Path) -> Fake {
    let [answers, asked, kept] = ["answers", "asked", "forge"].map(|name| home.join(name));
    std::fs::write(&asked, "").unwrap();
    let config = FakeConfig {
        key: Some(KEY.to_owned()),
        is_list_scripted: true,
        ..FakeConfig::default()
    };
    let fake = Fake::with(config, move |seen| {
        if seen.path.starts_with("/repos/") {
            return forge::reply(&kept, seen);
        }
        let is_doctor = seen
            .text()
            .starts_with("You are asked whether you can be reached");
        let name = if is_doctor { "doctor" } else { &seen.key };
        let is_list = name == "models";
        if !is_list {
            let model = seen.body["model"].as_str().unwrap_or("-");
            let mut line = format!("{name} {} {model}", seen.path);
            for option in ["temperature", "seed"] {
                if !seen.body[option].is_null() {
                    line += &format!(" {option}={}", seen.body[option]);
                }
            }
            let file = std::fs::OpenOptions::new().append(true).open(&asked);
            file.unwrap().write_all((line + "\n").as_bytes()).unwrap();
        }
        let usual = || match name {
            "models" => Reply::Models(["gpt-6-luna", "gpt-6-sol"].map(str::to_owned).to_vec()),
            "doctor" => ready(seen),
            _ => answer(seen),
        };
        let told = std::fs::read_to_string(&answers).unwrap_or_default();
        let meant = told
            .lines()
            .find_map(|line| Some((line, meant(line, name, seen)?)));
        match meant {
            None => usual(),
            Some((line, "held")) => Reply::WhileSaid {
                file: answers.clone(),
                line: line.to_owned(),
                then: Box::new(usual()),
            },
            Some((_, told)) => said(told),
        }
    });
    go_between(home, "member", &fake, "");
    script(home, "awaits", AWAITS);
    fake
}

const AWAITS: &str = r#"for _ in {1..1200}; do
    "$@" > /dev/null 2>&1 && exit
    sleep 0.05
done
echo "never: $*"; exit 1"#;

/// What a line says of a call, if it is meant.
fn meant<'a>(line: &'a str, name: &str, seen: &Seen) -> Option<&'a str> {
    let once = line.strip_prefix("once ");
    if once.is_some() && seen.times > 1 {
        return None;
    }
    let (call, told) = once.unwrap_or(line).split_once(' ')?;
    let is_format = call == "schema" && seen.format().is_some();
    (name.starts_with(call) || is_format).then_some(told)
}

/// The answer that a line describes.
fn said(told: &str) -> Reply {
    let (kind, text) = told.split_once(' ').unwrap_or((told, ""));
    let text = text.to_owned();
    match kind {
        "text" => Reply::Text(text),
        "raw" => Reply::Raw(vec![
            format!("data: {text}\n\ndata: [DONE]\n\n").into_bytes(),
        ]),
        "cut" => Reply::Cut(text),
        "reset" => Reply::Reset(text),
        "stall" => Reply::HangInStream(text),
        "html" => Reply::Html,
        "empty" => Reply::Empty,
        status => {
            let mut headers = Vec::new();
            let mut said = &*text;
            for name in ["retry-after", "location"] {
                let value = said.strip_prefix(name).and_then(|it| it.strip_prefix('='));
                if let Some((value, rest)) = value.and_then(|it| it.split_once(' ')) {
                    headers.push((name, value.to_owned()));
                    said = rest;
                }
            }
            Reply::Status {
                status: status.parse().unwrap(),
                headers,
                body: json!({"error": {"message": said}}).to_string(),
            }
        }
    }
}

/// A valid answer without content; what is asked a second time is reported as cached.
pub fn ready(seen: &Seen) -> Reply {
    let text = json!({"analysis": "ready", "positions": [], "corrections": [], "questions": [],
        "new_issues": [], "coach": null});
    let again = seen.body.to_string().contains("same question again");
    Reply::Full(Completion {
        usage: Some(json!({"prompt_tokens": 1000, "completion_tokens": 50,
            "prompt_tokens_details": {"cached_tokens": if again { 900 } else { 0 }}})),
        ..Completion::new(&text.to_string())
    })
}
