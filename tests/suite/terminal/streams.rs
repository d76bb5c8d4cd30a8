//! Answers that are streamed slowly and fast.

use std::time::Duration;

use super::*;

/// A workshop whose second speaker answers `words` words, in pieces of `piece` characters.
fn telling(words: usize, piece: usize, every: Duration) -> Fake {
    let script = workshop(WorkshopScript::default());
    Fake::start(move |seen| match script(seen) {
        Reply::Text(text) if seen.key == SECOND => {
            let said: Vec<_> = (0..words).map(|n| format!("word{n} 词")).collect();
            let mut answer: serde_json::Value = serde_json::from_str(&text).unwrap();
            answer["analysis"] = said.join(" ").into();
            let text = answer.to_string();
            Reply::Paced { text, piece, every }
        }
        reply => reply,
    })
}

fn watched(fake: &Fake, at: &str) -> Closed {
    let place = Place::new();
    let command = place.command_with(fake, &["plan", WISH]);
    let terminal = OnTerminal::sized(command, (80, 24));
    terminal.has("what is being said", |row| {
        row.starts_with("        ") && row.contains(at)
    });
    let closed = terminal.closes_with(0);
    is_clean(&closed);
    assert_eq!(closed.holding("✓ SD ").len(), 3, "{:#?}", closed.rows);
    closed
}

/// At 20 tokens a second each piece may be shown, with at most one frame per piece.
#[test]
fn a_slow_answer_is_seen_as_it_comes() {
    let fake = telling(12, 4, Duration::from_millis(50));
    let closed = watched(&fake, "word2 词");
    // The spinner alone would need no more frames during the answer.
    assert!(closed.frames() < 400, "{}", closed.frames());
}

/// At 2,000 tokens a second most pieces arrive between two frames.
#[test]
fn a_fast_answer_costs_no_more_frames_than_a_slow_one() {
    let words = 1_000;
    let fake = telling(words, 8, Duration::from_millis(1));
    let closed = watched(&fake, "词 word");
    let pieces = words * 10 / 8;
    assert!(
        closed.frames() < pieces / 4,
        "{} of {pieces}",
        closed.frames()
    );
    let streamed = words * 11;
    assert!(
        closed.bytes.len() < 4 * streamed,
        "{} for {streamed}",
        closed.bytes.len()
    );
    // The whole answer was streamed, and only its summary remains.
    assert!(closed.holding("word999").is_empty(), "{:#?}", closed.rows);
}

#[test]
fn nothing_a_model_streams_steers_the_terminal() {
    let script = workshop(WorkshopScript::default());
    let fake = Fake::start(move |seen| match script(seen) {
        Reply::Text(text) if seen.key == SECOND => {
            let mut answer: serde_json::Value = serde_json::from_str(&text).unwrap();
            let evil = "come \u{1b}[2J\u{1b}]0;owned\u{7}\u{9b}5m\u{202e}here \u{1b}c";
            answer["analysis"] = evil.repeat(40).into();
            // Escaped in the JSON, and unescaped as some models write it.
            let text = answer.to_string().replace("\\u0007", "\u{7}");
            let every = Duration::from_millis(10);
            Reply::Paced {
                text,
                piece: 11,
                every,
            }
        }
        reply => reply,
    });
    let closed = watched(&fake, "come");
    for evil in ["\x1b[2J", "\x1b]", "\x07", "\u{9b}", "\u{202e}", "\x1bc"] {
        assert!(!closed.bytes.contains(evil), "{evil:?}");
    }
}
