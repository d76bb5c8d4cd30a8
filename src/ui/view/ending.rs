//! The question whether the discussion ends, and what can be typed meanwhile.

use super::layout::{Mark, dot, labelled, marked};
use super::status::standing_of_round;
use super::text::{self, say};
use super::{Style, clean, gist};
use crate::fault::values;
use crate::machine::{State, StopReason, ending};

/// The menu of a run that goes on.
pub fn menu(style: &Style) -> String {
    say(style, text::MENU, &[])
}

/// The status of a run in progress, in one line.
pub fn standing(state: &State, style: &Style) -> String {
    let open = state.ledger.open().map(|issue| issue.id.to_string());
    let open: Vec<_> = open.collect();
    let mut parts = vec![standing_of_round(state, style)];
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

/// The question whether the discussion ends, up to where the answer is typed.
pub fn end_question(state: &State, guard: StopReason, style: &Style) -> String {
    if guard == StopReason::Proposal {
        let proposal = state.ending.proposal.as_ref();
        let who = proposal.map_or("", |p| state.inputs.roles.code(&p.agent));
        let asked = say(style, text::PROPOSES_END, values![who = clean(who)]);
        let mut lines = vec![marked(Mark::Asked, &asked, style)];
        let said = proposal.map_or_else(String::new, |p| gist(&p.clean));
        lines.extend((!said.is_empty()).then(|| labelled("", &said, style)));
        lines.push(text::CONFIRM_END.of(style.lang).to_owned());
        return lines.join("\n");
    }
    let (value, limit) = ending::figures(state, guard);
    let values = values![guard = text::name_of("ended", &guard), value, limit];
    let reached = marked(Mark::Asked, &say(style, text::REACHED, values), style);
    let granted = ending::extension(state, guard);
    let prompt = say(style, text::CONFIRM_LIMIT, values![granted]);
    format!("{reached}\n{prompt}")
}
