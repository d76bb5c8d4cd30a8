//! A debate as its participants see it, and as later rounds see it.

use serde_json::{Value, json};

use super::super::text::{block, for_model, line};
use crate::machine::debate::{
    Argument, Debate, DebateSide, DebateTrigger, MAX_ROUNDS, Motion, due_motion,
};
use crate::machine::{CallId, DebateId, DebatePart, IssueText, State};
use crate::reply::Decision;
use crate::role::RoleId;

/// Longest style shown, in characters. The limit is short because styles are outside the fences.
const MAX_STYLE: usize = 300;

/// The topic of the debate, and the result of the round before it; `None` if no debate is due.
pub(in crate::prompt) fn motion(state: &State) -> Option<Value> {
    let (id, motion) = current(state)?;
    let code = |member| state.inputs.roles.code(member);
    let sides = motion
        .sides
        .iter()
        .map(|side| json!({"code": code(&side.member), "stands_for": block(&side.stands_for)}));
    let participants = motion.debate_config.participants.iter();
    let summary = state
        .discussion
        .summaries
        .last()
        .filter(|last| last.round == state.round);
    Some(json!({
        "is": "motion", "debate": id, "about": motion.about, "round": state.round,
        "topic": for_model(&motion.debate_config.topic), "asked": motion.trigger == DebateTrigger::User,
        "participants": participants.map(code).collect::<Vec<_>>(),
        "sides": sides.collect::<Vec<_>>(),
        "summary": summary.map(|last| for_model(&last.text)),
    }))
}

/// The line that called for the opening, and the opening.
pub(in crate::prompt) fn opening(debate: &Debate) -> [Value; 2] {
    [
        json!({"is": "open", "debate": debate.id}),
        json!({"is": "opened", "text": for_model(&debate.opening)}),
    ]
}

/// The last message of a call in a debate.
pub(in crate::prompt) fn debate_task(state: &State, call: &CallId, part: DebatePart) -> Value {
    let Some((id, motion)) = current(state) else {
        return json!({"is": "rule", "debate": "", "about": null});
    };
    match (part, state.open_debate()) {
        (DebatePart::Argument, Some(debate)) => argue(state, debate, &call.member, call.turn),
        (DebatePart::Summary, Some(debate)) => sum_up(debate, call.turn),
        (DebatePart::Opening, _) => json!({"is": "open", "debate": id}),
        _ => json!({"is": "rule", "debate": id, "about": motion.about}),
    }
}

/// The line that calls for an argument.
pub(in crate::prompt) fn argue(
    state: &State,
    debate: &Debate,
    member: &RoleId,
    round: u32,
) -> Value {
    let role = state.inputs.roles.find(member.as_str());
    let style = |text: Option<&String>| {
        // The sentence around it has its own full stop.
        text.map(|text| line(text).chars().take(MAX_STYLE).collect::<String>())
            .map(|text| text.trim_end_matches(['.', '。']).to_owned())
    };
    let has_text = |side: &DebateSide| side.member == *member && !side.stands_for.trim().is_empty();
    json!({
        "is": "argue", "debate": debate.id, "id": member,
        "code": state.inputs.roles.code(member), "debate_round": round,
        "of": debate.motion.debate_config.rounds().min(MAX_ROUNDS),
        "has_text": debate.motion.sides.iter().any(has_text),
        "subject": debate.subject(), "is_debate": debate.motion.about.is_none(),
        "thinking": style(role.and_then(|role| role.thinking_style.as_ref())),
        "speaking": style(role.and_then(|role| role.speaking_style.as_ref())),
    })
}

/// An argument as other members see it.
pub(in crate::prompt) fn argued(state: &State, member: &RoleId, argument: &Argument) -> Value {
    let position = argument.position().map(|p| super::said::position(state, p));
    let corrections = argument.said.corrections.iter();
    let corrections = corrections.map(|c| json!({"whom": line(&c.whom), "about": block(&c.about)}));
    json!({
        "is": "argued", "code": state.inputs.roles.code(member),
        "analysis": for_model(&argument.said.analysis), "position": position,
        "corrections": corrections.collect::<Vec<_>>(),
    })
}

/// A participant who made no argument.
pub(in crate::prompt) fn missing(state: &State, member: &RoleId) -> Value {
    json!({"is": "missing", "code": state.inputs.roles.code(member)})
}

/// The line that called for a summary, and the summary.
pub(in crate::prompt) fn summed_up(debate: &Debate, round: u32, text: &str) -> [Value; 2] {
    [
        sum_up(debate, round),
        json!({"is": "summed_up", "text": for_model(text)}),
    ]
}

/// The ruling of the debate whose conclusion is this text of an issue, with the reason.
pub(super) fn ruling(state: &State, text: &IssueText) -> Option<Value> {
    let debate = state
        .debates
        .held
        .iter()
        .find(|d| Some(d.id) == text.id.debate())?;
    let ruling = &debate.resolution.as_ref()?.ruling;
    Some(json!({"decision": ruling.decision.name(), "why": block(&ruling.rationale)}))
}

/// The members who still object to a debate's conclusion.
pub(super) fn dissent(state: &State, debate: &Debate) -> Vec<Value> {
    let dissent = debate.resolution.iter().flat_map(|end| &end.dissent);
    let shown = dissent.map(|one| {
        let code = state.inputs.roles.code(&one.member);
        json!({"code": code, "why": block(&one.why)})
    });
    shown.collect()
}

/// Conclusions of debates that are not about a single issue, from before a round or all of them.
/// They carry their dissent, because no position on an issue shows who objects.
pub(super) fn concluded(state: &State, before: Option<u32>) -> Vec<Value> {
    let debates = state.debates.held.iter().filter(|debate| {
        debate.motion.about.is_none() && before.is_none_or(|round| debate.after_round < round)
    });
    debates
        .filter_map(|debate| Some((debate, &debate.resolution.as_ref()?.ruling)))
        .filter(|(_, ruling)| ruling.decision != Decision::Shelve)
        .map(|(debate, ruling)| {
            json!({
                "debate": debate.id, "decision": ruling.decision.name(),
                "topic": line(&debate.motion.debate_config.topic), "text": block(&ruling.conclusion),
                "dissent": dissent(state, debate),
            })
        })
        .collect()
}

fn sum_up(debate: &Debate, round: u32) -> Value {
    let last = round >= debate.motion.debate_config.rounds();
    json!({"is": "sum_up", "debate": debate.id, "debate_round": round, "last": last})
}

/// The open debate, or the one that is about to open.
fn current(state: &State) -> Option<(DebateId, Motion)> {
    match state.open_debate() {
        Some(debate) => Some((debate.id, debate.motion.clone())),
        None => due_motion(state),
    }
}
