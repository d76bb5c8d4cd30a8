//! Values for the last message of a call: the task and what it needs.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::super::text::{block, for_model_json, line};
use super::said::dialogue;
use crate::machine::admissible;
use crate::machine::debate::looks_for_divergence;
use crate::machine::similarity::possible_merges;
use crate::machine::{
    DocumentOrigin, DraftLine, IssueRecord, Question, QuestionStatus, SHRINK_FROM_ROUND, State,
    StopReason, goes_on_from, holds_the_form, is_stalled, items_due, max_rounds, vote,
};
use crate::reply::{Document, DocumentKind};
use crate::role::{RoleId, RoleSpec};

/// Maximum number of refusals from the last summary that the coach is shown.
const MAX_REFUSED: usize = 8;

/// Values for the coach's first list of issues.
pub(in crate::prompt) fn judgment(state: &State) -> Value {
    json!({
        "format": state.inputs.format.name(),
        "light": state.inputs.light,
        "judges_size": state.may_judge_size(),
        "revision": state.task.previous.as_ref().map(|previous| previous.version),
        "same_requirement": state
            .task.previous
            .as_ref()
            .is_some_and(|previous| previous.requirement == state.task.requirement),
        "feedback_ids": state.task.feedback.iter().map(|item| item.id).collect::<Vec<_>>(),
    })
}

/// The questions that the coach has not seen yet, or else the one that the call is about, with what
/// was found for them.
pub(in crate::prompt) fn relay(state: &State, about: Option<&Question>) -> Value {
    let raised = |question: &&Question| question.status == QuestionStatus::Raised;
    let mut questions: Vec<&Question> = state.questions.asked.iter().filter(raised).collect();
    if questions.is_empty() {
        questions.extend(about);
    }
    let shown: Vec<Value> = questions
        .iter()
        .map(|question| {
            json!({
                "id": question.id, "code": state.inputs.roles.code(&question.asked_by),
                "text": line(&question.text),
            })
        })
        .collect();
    let finds = questions.iter().flat_map(|question| {
        let found = state.found_for(question.id).iter();
        found.map(|find| {
            json!({
                "question": question.id, "place": line(&find.place()), "text": block(&find.text),
            })
        })
    });
    json!({
        "ids": questions.iter().map(|question| question.id).collect::<Vec<_>>(),
        "questions": shown,
        "finds": finds.collect::<Vec<_>>(),
    })
}

/// The user's reply, for the member who asked.
pub(in crate::prompt) fn follow_up(role: &RoleSpec, question: &Question) -> Value {
    json!({
        "id": role.id, "code": role.code, "question_id": question.id,
        "question": line(&question.text), "dialogue": dialogue(question),
    })
}

/// Values for the opening words of the report or the minutes.
pub(in crate::prompt) fn report(state: &State) -> Value {
    let left = state.review.left_open();
    let shown = |one| super::review::finding(state, one);
    let coach = &state.inputs.roles.coach.id;
    json!({
        // Whether the plan is written as one text. A grammar has no room for it.
        "tells": !holds_the_form(&state.inputs.model_of(coach).provider),
        "agreed": state.ending.is_agreed() || is_by_review(state), "format": state.inputs.format.name(),
        "small": state.is_small(), "before": before(state),
        "findings": left.map(shown).collect::<Vec<_>>(),
    })
}

/// The opening words of the previous version's report, if it has the same language.
fn before(state: &State) -> Option<Value> {
    let previous = state.task.previous.as_ref()?;
    let is_same = |written: &DocumentOrigin| written.lang == state.inputs.doc_lang;
    let words = previous.report.as_ref()?;
    let is_fit = !previous.written.is_empty() && previous.written.values().all(is_same);
    let mut words = serde_json::to_value(words).ok().filter(|_| is_fit)?;
    for_model_json(&mut words);
    Some(json!({"version": previous.version, "json": words.to_string()}))
}

/// Returns whether the members agreed and only the review left something open.
fn is_by_review(state: &State) -> bool {
    let stop = state.ending.stop.as_ref();
    stop.is_some_and(|stop| stop.reason == StopReason::Review)
}

pub(in crate::prompt) fn vote(state: &State, role: &RoleSpec) -> Value {
    json!({
        "id": role.id, "code": role.code, "end": crate::machine::vote::END,
        "blocking": state.ledger.blocking().map(|issue| issue.id).collect::<Vec<_>>(),
    })
}

/// The state of every open issue, for the coach's summary.
pub(in crate::prompt) fn summary(state: &State) -> Value {
    let code = |member: &RoleId| state.inputs.roles.code(member).to_owned();
    let codes = |members: Vec<&RoleId>| members.into_iter().map(code).collect::<Vec<_>>();
    let issues: Vec<Value> = state
        .ledger
        .open()
        .map(|issue| {
            let texts = texts(state, issue);
            json!({
                "id": issue.id, "severity": issue.severity,
                "texts": texts, "objectors": codes(issue.objectors()),
            })
        })
        .collect();
    let refused: Vec<Value> = state
        .discussion
        .summaries
        .last()
        .map(|summary| summary.refused.as_slice())
        .unwrap_or_default()
        .iter()
        .take(MAX_REFUSED)
        .map(|refusal| json!({"about": line(&refusal.about), "rule": refusal.rule}))
        .collect();
    let merges: Vec<Value> = possible_merges(state)
        .map(|pair| json!({"issue": pair.issue, "into": pair.into}))
        .collect();
    let last_round = state.round >= max_rounds(state);
    json!({
        "round": state.round, "issues": issues, "stale": stale(state), "refused": refused,
        // In the first round nobody can tell what a second one would bring, and after the last
        // round there is no other.
        "may_vote": state.round > 1 && !last_round && vote::may_call(state).is_ok(),
        "debates": looks_for_divergence(state),
        "possible_merges": merges,
        "must_shrink": state.round >= SHRINK_FROM_ROUND,
        "last_round": last_round,
    })
}

/// The texts in force on an issue, each with its supporters, the objections against it, and what
/// else keeps it from being settled.
fn texts(state: &State, issue: &IssueRecord) -> Vec<Value> {
    let code = |member: &RoleId| state.inputs.roles.code(member).to_owned();
    let told = issue.standing_texts().map(|text| {
        let backers = issue.backers(text);
        let objectors = issue.objectors_to(text);
        let rule = admissible(state, issue, text, &BTreeSet::new()).err();
        let rivals = issue.rivals(text).map(|rival| rival.id);
        json!({
            "id": text.id, "by": text.authors.iter().map(|a| code(&a.member)).collect::<Vec<_>>(),
            "backed_by": backers.iter().map(|s| code(&s.member)).collect::<Vec<_>>(),
            "objectors": objectors.into_iter().map(code).collect::<Vec<_>>(),
            "lacks": rule.map(|(rule, _)| rule), "rivals": rivals.collect::<Vec<_>>(),
        })
    });
    told.collect()
}

/// Open issues that the last summary left open too, with nothing new said about them since.
fn stale(state: &State) -> Vec<String> {
    state
        .ledger
        .open()
        .filter(|issue| is_stalled(state, issue))
        .map(|issue| issue.id.to_string())
        .collect()
}

/// How the discussion ended, for members who write from its result.
pub(in crate::prompt) fn closing(state: &State) -> Value {
    let agreed = state.ending.is_agreed();
    let items = state.draft.standing().map(|item| item.id.to_string());
    let rest = state.draft.lines().iter().filter_map(|line| match line {
        DraftLine::Answered { question, .. } => Some(question.to_string()),
        DraftLine::Assumed { assumption, .. } => Some(assumption.to_string()),
        _ => None,
    });
    json!({
        "agreed": agreed, "reason": state.ending.stop.as_ref().map(|stop| stop.reason),
        "ids": items.chain(rest).collect::<Vec<_>>(),
    })
}

/// An existing document; `version` is set if it belongs to the previous version.
pub(in crate::prompt) fn written(
    document: &Document,
    version: Option<u32>,
) -> Result<Value, serde_json::Error> {
    let mut content = serde_json::to_value(document)?;
    if let Some(map) = content.as_object_mut() {
        // The tag is the program's own and not a field of the answer.
        map.shift_remove("document");
    }
    for_model_json(&mut content);
    let kind = document.kind().name();
    Ok(json!({"kind": kind, "version": version, "json": content.to_string()}))
}

/// The first free id of each kind of item in the document.
pub(super) fn first_ids(state: &State, kind: DocumentKind) -> Vec<String> {
    let prefixes: &[&str] = match kind {
        DocumentKind::ProductPlan => &["AC"],
        DocumentKind::SystemDesign => &["M", "DEC"],
        DocumentKind::DevPlan => &["W"],
        DocumentKind::TestPlan => &["T"],
        DocumentKind::RiskAssessment => &["R"],
    };
    let mut counters = state.run.counters.clone();
    let first = prefixes.iter().map(|prefix| counters.next_document(prefix));
    first.collect()
}

pub(in crate::prompt) fn document(state: &State, role: &RoleSpec, kind: DocumentKind) -> Value {
    let notes = state
        .discussion
        .notes()
        .filter(|(_, _, note)| note.document == kind);
    let notes = notes.map(|(id, member, note)| {
        let code = state.inputs.roles.code(member);
        json!({"id": id, "code": code, "text": block(&note.text)})
    });
    json!({
        "id": role.id, "code": role.code, "kind": kind,
        "first": first_ids(state, kind), "small": state.is_small(),
        "notes": notes.collect::<Vec<_>>(), "items": items_due(state, kind),
        "revision": state.task.previous.as_ref().map(|previous| previous.version),
        "goes_on": goes_on_from(state, kind).is_some(),
        "max_items": (state.inputs.rules.limits.max_output_tokens / 170).clamp(4, 24),
    })
}
