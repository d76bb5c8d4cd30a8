//! A journal of 100,000 events, read back by the real program through the real checks.

use std::sync::Arc;
use std::time::Duration;

use aitc::edge::fs::RealFs;
use aitc::edge::journal::Journal;
use aitc::edge::store::Outputs;
use aitc::machine::{
    Action, CallId, Entry, Event, FailureKind, Inputs, Purpose, State, next_actions,
};
use aitc::reply::Stance;

use crate::meeting::{self, Meeting, agreeable, contribution, position, text};
use crate::program::Sandbox;
use crate::{median, ms, run};

const EVENTS: usize = 100_000;

/// `aitc status` of a draft reads the whole journal, validates every line and folds it into a
/// state.
pub fn measure() {
    told("a run of 100 rounds, then failing calls", failing(100));
}

fn told(what: &str, entries: Vec<Entry>) {
    let sandbox = Sandbox::new();
    let last = entries.last().map(|entry| entry.round).unwrap_or_default();
    let count = entries.len();
    let bytes = draft(&sandbox, entries);
    let costs: Vec<_> = (0..5).map(|_| sandbox.watch(&["status"])).collect();
    let wall: Duration = median(costs.iter().map(|cost| cost.wall).collect());
    let peak = costs.iter().map(|cost| cost.peak_kib).max().unwrap_or(0);
    println!(
        "replay of {count} events ({:.1} MB, {last} rounds; {what}): {:.0} ms, peak memory {:.1} MB",
        bytes as f64 / 1e6,
        ms(wall),
        peak as f64 * 1024.0 / 1e6
    );
}

/// Writes the entries as the journal of `v1.draft`; returns its size in bytes.
pub fn draft(sandbox: &Sandbox, entries: Vec<Entry>) -> u64 {
    let draft = Outputs::at(Arc::new(RealFs), &sandbox.work())
        .reserve()
        .unwrap();
    let path = draft.transcript_path();
    let mut journal = Journal::create(Arc::new(RealFs), &path).unwrap();
    for entry in entries {
        journal.add(&entry).unwrap();
    }
    journal.commit().unwrap();
    std::fs::metadata(&path).unwrap().len()
}

/// A workshop with the maximum number of rounds and time.
fn endless() -> Meeting {
    let folder = tempfile::tempdir().unwrap();
    let inputs = run::inputs(folder.path());
    let mut inputs = Inputs {
        version: 1,
        ..inputs
    };
    inputs.rules.limits.max_rounds = 100;
    inputs.rules.limits.max_duration_minutes = 1440;
    let mut meeting = Meeting::open("two things", inputs);
    meeting.step_ms = 0;
    meeting
}

/// One member always objects, so nothing is ever agreed or repeated.
fn quarrel() -> impl FnMut(&State, &CallId) -> String {
    let mut team = agreeable(u32::MAX);
    move |state, call| match call.purpose {
        Purpose::Speech if state.inputs.roles.code(&call.member) == "RP" => {
            let mut speech = contribution("No.");
            for issue in state.ledger.open() {
                let words = format!("RP wants {} otherwise", issue.id);
                let id = issue.id.to_string();
                speech
                    .positions
                    .push(position(&id, Stance::Object, Some(&words)));
            }
            text(&speech)
        }
        _ => team(state, call),
    }
}

/// A journal with this many rounds.
pub fn rounds_of(rounds: u32) -> Vec<Entry> {
    let mut meeting = endless();
    let mut script = quarrel();
    while meeting.state.round < rounds {
        assert!(meeting.step(&mut script), "the workshop ended");
    }
    meeting.entries
}

/// This many rounds, then a provider that is down and a user who resumes.
pub fn failing(rounds: u32) -> Vec<Entry> {
    let mut meeting = endless();
    let mut script = quarrel();
    while meeting.state.round < rounds {
        assert!(meeting.step(&mut script), "the workshop ended");
    }
    while meeting.entries.len() < EVENTS {
        let call = match next_actions(&meeting.state).pop() {
            Some(Action::Call(call)) => call,
            Some(Action::GiveUp(_)) => {
                meeting.record(Event::Resumed {
                    tool: "0.0.0".to_owned(),
                    accepted_drift: Vec::new(),
                    attended: false,
                    models: None,
                });
                continue;
            }
            other => panic!("no call is due but {other:?}"),
        };
        meeting.record(meeting::started(&call));
        meeting.record(Event::CallFailed {
            call,
            kind: FailureKind::Server,
            detail: "the server answered 503: overloaded, try again later".to_owned(),
            retryable: true,
            retry_after_ms: None,
            latency_ms: 12,
        });
    }
    meeting.entries.truncate(EVENTS);
    meeting.entries
}
