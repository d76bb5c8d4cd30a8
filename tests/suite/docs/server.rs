//! The server of a `console,server` block: the shared members, which want the key of the session,
//! and what `~/answers` says instead. Each call becomes a line of `~/asked`: its name, its path, its
//! model, and the temperature and seed if they were sent.
//!
//! The program `~/member` reads a prompt and prints the same server's answer. `~/forge` is what a forge was told: `docs/forge.rs`.
//!
//! A line of `~/answers` begins with the start of a call's name, and the first that fits is taken;
//! the rest says what is answered: `tests/support/fake/told.rs`, or `held` for the usual answer once
//! this line is gone, `thinks 3000` for the usual answer after so many tokens of thought. Calls of
//! `aitc doctor` are named `doctor`, requests for the list of models, which are not in `~/asked`,
//! `models`; `schema` stands for calls that ask for this format of the answer, `over-4096` for those
//! that ask for more tokens, `any` for all. The same comes through a proxy, for which a request of a
//! tunnel is named `CONNECT`. With `once` or `twice` at its beginning, a line is for the first
//! requests of a call in `~/asked` alone.
//!
//! In sessions that name them, `~/sent` holds every call as a line of JSON, and `~/untrusted` the
//! address of the same server behind a certificate that only `~/authority.pem` vouches for.

use std::io::Write as _;
use std::path::Path;

use serde_json::json;

use super::forge;
use super::session::LIMIT;
use crate::support::fake::{
    AUTHORITY, Completion, Fake, FakeConfig, KEY, Reply, Seen, answer, told, untrusted_before,
};
use crate::support::programs::go_between;

/// Starts the server for a session with this home and these commands.
pub fn start(home: &Path, commands: &[&str]) -> Fake {
    let files = ["answers", "asked", "forge", "sent"];
    let [answers, asked, kept, sent] = files.map(|name| home.join(name));
    let named = |file| commands.iter().any(|it| it.contains(&format!("~/{file}")));
    let is_kept = named("sent");
    std::fs::write(&asked, "").unwrap();
    let config = FakeConfig {
        key: Some(KEY.to_owned()),
        is_list_scripted: true,
        life: LIMIT,
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
        let before = std::fs::read_to_string(&asked).unwrap_or_default();
        let before = before
            .lines()
            .filter(|line| line.split(' ').next() == Some(name));
        let times = if is_list {
            seen.times
        } else {
            before.count() + 1
        };
        if !is_list {
            let model = seen.body["model"].as_str().unwrap_or("-");
            let mut line = format!("{name} {} {model}", seen.path);
            for option in ["temperature", "seed"] {
                if !seen.body[option].is_null() {
                    line += &format!(" {option}={}", seen.body[option]);
                }
            }
            adds(&asked, &line);
            if is_kept {
                let whole = json!({"name": name, "text": seen.text(), "headers": seen.headers,
                    "body": seen.body});
                adds(&sent, &whole.to_string());
            }
        }
        let usual = || match name {
            "models" => Reply::Models(["gpt-6-luna", "gpt-6-sol"].map(str::to_owned).to_vec()),
            "doctor" => ready(seen),
            _ => answer(seen),
        };
        let says = std::fs::read_to_string(&answers).unwrap_or_default();
        let meant = says
            .lines()
            .find_map(|line| Some((line, meant(line, name, times, seen)?)));
        match meant {
            None => usual(),
            Some((line, "held")) => Reply::WhileSaid {
                file: answers.clone(),
                line: line.to_owned(),
                then: Box::new(usual()),
            },
            Some((_, said)) => match said.strip_prefix("thinks ") {
                Some(thought) => thinking(usual(), thought.parse().unwrap()),
                None => told(said),
            },
        }
    });
    go_between(home, "member", &fake, "");
    if named("untrusted") {
        std::fs::write(home.join("untrusted"), untrusted_before(&fake)).unwrap();
        std::fs::write(home.join("authority.pem"), AUTHORITY).unwrap();
    }
    fake
}

fn adds(file: &Path, line: &str) {
    let file = std::fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(file);
    file.unwrap()
        .write_all((line.to_owned() + "\n").as_bytes())
        .unwrap();
}

/// What a line says of a call, if it is meant.
fn meant<'a>(line: &'a str, name: &str, times: usize, seen: &Seen) -> Option<&'a str> {
    let (most, line) = match line.split_once(' ')? {
        ("once", rest) => (1, rest),
        ("twice", rest) => (2, rest),
        _ => (usize::MAX, line),
    };
    let (call, told) = line.split_once(' ')?;
    let is_meant = match call.split_once("over-") {
        Some(("", limit)) => seen.body["max_tokens"].as_u64() > limit.parse().ok(),
        _ => match call {
            "any" => true,
            "schema" => seen.format().is_some(),
            _ => name.starts_with(call),
        },
    };
    (times <= most && is_meant).then_some(told)
}

/// The usual answer after so many tokens of thought.
fn thinking(usual: Reply, thought: u64) -> Reply {
    let Reply::Text(text) = usual else {
        return usual;
    };
    Reply::Full(Completion {
        usage: Some(
            json!({"prompt_tokens": 900, "completion_tokens": thought + 200,
            "completion_tokens_details": {"reasoning_tokens": thought}}),
        ),
        ..Completion::new(&text)
    })
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
