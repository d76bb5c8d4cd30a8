//! A search without files: what a run is told that was found.

use aitc::driver::Stop;
use aitc::edge::knowledge::{Inquired, Searched};
use aitc::machine::{Event, Find, Looked, Question, Seen, State, Survey, inquiry};
use aitc::reply::{Look, LookKind};

/// A repository of three files, none of which fits.
pub fn survey() -> Survey {
    Survey {
        files: 3,
        ..Survey::default()
    }
}

/// What the search at the start brings.
pub fn searched(_: &State, stop: Stop<'_>) -> Option<Searched> {
    (!stop()).then(|| Searched {
        survey: survey(),
        ..Searched::default()
    })
}

/// What a search for questions brings: for each one place, the same for all.
pub fn inquired(_: &State, questions: &[&Question], stop: Stop<'_>) -> Option<Inquired> {
    (!stop()).then(|| Inquired {
        files: 3,
        looked: questions
            .iter()
            .map(|question| found_for(question))
            .collect(),
    })
}

/// What looks bring: for each one place, the line it names.
pub fn looked(_: &State, looks: &[Look]) -> Vec<Seen> {
    let seen = looks.iter().map(|look| {
        let line = look.from.unwrap_or(1);
        Seen {
            look: look.clone(),
            found: vec![Find {
                path: look.what.clone(),
                from: line,
                to: line,
                text: format!("line {line} of {}", look.what),
            }],
            remark: None,
        }
    });
    seen.collect()
}

/// A wish to read one line of a file.
pub fn reading(path: &str, line: u32) -> Look {
    Look {
        kind: LookKind::Read,
        what: path.to_owned(),
        from: Some(line),
        to: Some(line),
        glob: None,
        files: Vec::new(),
        command: Vec::new(),
        base: None,
    }
}

fn found_for(question: &Question) -> Looked {
    Looked {
        question: question.id,
        terms: vec!["migration".to_owned()],
        finds: vec![Find {
            path: "docs/limits.md".to_owned(),
            from: 3,
            to: 4,
            text: "There is no migration.\nThere never was.".to_owned(),
        }],
    }
}

/// The inquiry that comes next, as a driver records it.
pub fn next_inquiry(state: &State) -> Event {
    Event::Inquiry {
        files: 3,
        looked: inquiry::next(state).into_iter().map(found_for).collect(),
    }
}
