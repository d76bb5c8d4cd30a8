//! The question whether the discussion ends, and what can be typed while a run is in progress.

use serde_json::json;

use super::Style;
use super::layout::dot;
use super::lines::page;
use super::status::Progress;
use super::text::{self, say};
use crate::fault::values;
use crate::machine::{State, StopReason, ending};

/// The menu of a run in progress.
pub fn menu(style: &Style) -> String {
    say(style, text::MENU, &[])
}

/// The status of a run in progress, in one line.
pub fn standing(state: &State, style: &Style) -> String {
    let open = state.ledger.open().map(|issue| issue.id.to_string());
    let open: Vec<_> = open.collect();
    let mut parts = vec![Progress::of(state).text(style)];
    parts.extend((!open.is_empty()).then(|| open.join(", ")));
    let waiting: Vec<_> = state
        .questions
        .waiting()
        .map(|q| q.id.to_string())
        .collect();
    let values = values![ids = waiting.join(", ")];
    parts.extend((!waiting.is_empty()).then(|| say(style, text::WAITS_FOR, values)));
    parts.join(dot(style))
}

/// The question whether the discussion ends, including the prompt for the answer.
pub fn end_question(state: &State, guard: StopReason, style: &Style) -> String {
    let is_proposal = guard == StopReason::Proposal;
    let proposal = state.ending.proposal.as_ref().filter(|_| is_proposal);
    let (value, limit) = ending::figures(state, guard);
    let about = json!({
        "proposal": proposal.map(|one| json!({"agent": one.agent, "clean": one.clean})),
        "guard": guard, "value": value, "limit": limit,
    });
    let reached = page("end", about, state, style);
    let prompt = match is_proposal {
        true => text::CONFIRM_END.of(style.lang).to_owned(),
        false => {
            let granted = ending::extension(state, guard);
            say(style, text::CONFIRM_LIMIT, values![granted])
        }
    };
    format!("{reached}\n{prompt}")
}
