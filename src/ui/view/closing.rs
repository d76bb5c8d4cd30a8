//! The last lines of a run: what to read, what to decide, what it cost.

use std::path::Path;

use serde_json::{Value, json};

use super::layout::{Mark, about, bold, labelled, marked, tokens};
use super::lines::page;
use super::live::clock;
use super::text;
use super::{Style, clean};
use crate::fault::Text;
use crate::machine::review::FindingFate;
use crate::machine::{Question, State, Stop, StopReason, budget};

/// What the closing lines of a complete run propose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// It is published; the lines say what to type next.
    Review,
    /// It is published; the caller says what to do next.
    Nothing,
    /// It is a chat's run, which is published only if the user saves it.
    Save,
}

/// The closing lines on standard error of a complete run in folder `path`: what to read, what to
/// decide, what it cost.
pub fn closing(state: &State, path: &str, next: Next, style: &Style) -> String {
    let format = state.inputs.format;
    let stop = state.ending.stop.as_ref();
    let assumed = state.questions.assumptions.iter().map(|one| {
        let question = state.questions.find(one.question);
        json!({"id": one.id, "text": one.text, "question": question.map(Question::current_text)})
    });
    let topics = state.debates.wanted.iter().map(|wanted| &wanted.topic);
    // The folder to commit includes `.gitattributes`: if a checkout converted line ends, the files
    // would seem to be changed.
    let levels = 2 + usize::from(format.folder().is_some());
    let root = Path::new(path).ancestors().nth(levels);
    let root = root.and_then(Path::to_str);
    let about = json!({
        "run": state.inputs.run().to_string(),
        "format": format,
        "rounds": state.round,
        "agreed": state.ending.is_agreed(),
        "guard": stop.map(|stop| why(state, stop).of(style.lang)),
        "said": next == Next::Save,
        "report": state.documents.report,
        "read": format!("{path}/{}", format.report()),
        "open": state.ledger.open().collect::<Vec<_>>(),
        "dropped": state.ledger.wishes_dropped().collect::<Vec<_>>(),
        "unheld": topics.collect::<Vec<_>>(),
        "absent": state.discussion.passed_over,
        "assumed": assumed.collect::<Vec<_>>(),
        "taken": state.run.redacted,
        "review": format.is_reviewed().then(|| reviewed(state)),
        "calls": calls(state),
        "next": (next == Next::Review).then_some("review"),
        "root": root.filter(|root| !root.is_empty()).unwrap_or(path),
        "revise": format.writes_documents(),
    });
    page("closing", about, state, style)
}

/// The result of the review, or why there was none.
pub(super) fn reviewed(state: &State) -> Value {
    let review = &state.review;
    let (found, mended) = (review.findings.len(), review.count(FindingFate::Mended));
    json!({"unheld": review.unheld, "found": found, "mended": mended})
}

/// What can be looked at after the demonstration, each with its command.
pub fn demo_steps(steps: &[(String, String)], style: &Style) -> String {
    let last = steps.len().saturating_sub(1);
    let step = |(n, (what, command)): (usize, &(String, String))| {
        let label = match n {
            0 => text::LOOK,
            n if n == last => text::NEXT,
            _ => Text::NONE,
        };
        // A command is not wrapped, so that it can be copied.
        [
            labelled(label, &clean(what), style),
            format!("{}{}", " ".repeat(11), clean(command)),
        ]
    };
    let lines: Vec<String> = steps.iter().enumerate().flat_map(step).collect();
    format!("\n{}", lines.join("\n"))
}

/// A command as it is typed; not wrapped, so that it can be copied.
pub fn demo_command(command: &str, style: &Style) -> String {
    format!("\n{}", bold(&format!("$ {}", clean(command)), style))
}

/// The notice before a demonstration.
pub fn demo_notice(style: &Style) -> String {
    marked(Mark::Note, text::DEMO.of(style.lang), style)
}

/// Why the discussion ended, in a few words.
pub(super) fn why(state: &State, stop: &Stop) -> Text {
    match (stop.reason, stop.sign) {
        (StopReason::Budget, _) if budget::is_money(state, stop.limit) => text::word("money_guard"),
        (StopReason::User, _) if state.ending.ended_by_vote.is_some() => text::word("by_vote"),
        (reason, None) => text::name_of("ended", &reason),
        (_, Some(sign)) => text::name_of("sign", &sign),
    }
}

/// Calls, active time, tokens and the cached share of the input.
pub(super) fn calls(state: &State) -> Value {
    let book = &state.calls;
    let used = &book.used;
    let cached = (used.cached_input * 100).checked_div(used.input);
    let about = |figure: String| format!("{}{figure}", about(used));
    json!({
        "calls": book.answered,
        "scripted": state.inputs.is_scripted() && used.total() == 0,
        "time": clock(state.run.active_ms),
        "total": about(tokens(used.total())),
        "input": about(tokens(used.input)),
        "output": about(tokens(used.output)),
        "cached": cached.unwrap_or_default(),
        "cost": budget::cost(state).map(|cost| about(cost.to_string())),
        "failed": book.failed,
        "rejected": book.rejected,
    })
}
