//! What may follow: an event is held against the state before it is written,
//! live and at replay alike.

mod calls;
mod ending;
mod ledger;

use std::collections::BTreeSet;

pub(super) use self::calls::answered;
use self::calls::{answers, check_passed_over, check_start, of_question};
use self::ledger::{
    check_admissions, check_changes, check_entered, check_first_issues, check_speech,
    check_withdrawn,
};
use super::adopt::check_document;
use super::budget;
use super::call::{CallId, Purpose};
use super::carry;
use super::debate;
use super::ending as guards;
use super::event::{Event, RelayDecision, StopReason, Unit};
use super::evidence;
use super::inquiry;
use super::look;
use super::party;
use super::question::{AnswerSource, QuestionStatus};
use super::review;
use super::similarity;
use super::state::{Stage, State};
use super::team;
use super::trial;
use super::vote;
use crate::ids::{IssueId, QuestionId};
use crate::reply::DocumentKind;

/// An event that does not follow from the state, with what stands against it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Illegal(pub String);

pub(super) type Verdict = Result<(), Illegal>;

/// Holds an event against the state: may it be the next line?
///
/// # Errors
/// [`Illegal`] says which rule it breaks.
pub fn check(state: &State, event: &Event) -> Verdict {
    if state.stage == Stage::Published {
        return illegal("the run is published; nothing may follow");
    }
    match event {
        Event::UserInput { .. } => illegal("`user_input` is line 1 and comes once"),
        Event::KnowledgeSearch { .. } => at(state, &[Stage::Opening]),
        Event::CallStarted { call, .. } => check_start(state, call),
        Event::CallFailed { call, .. } => is_open(state, call),
        Event::ReplyRejected { receipt, .. } => is_open(state, &receipt.call),
        Event::CoachInitialJudgment {
            receipt,
            issues,
            invited,
            withdrawn,
            ..
        } => {
            answers(state, receipt, &[Stage::Judging], |p| {
                p == Purpose::Judgment
            })?;
            check_first_issues(state, issues)?;
            party::check_invited(state, invited)?;
            check_withdrawn(state, withdrawn)
        }
        Event::RoundStarted { issues } => {
            at(state, &[Stage::Between])?;
            no_questions(state)?;
            debate::check_none_open(state)?;
            ensure(team::revision_due(state).is_none(), || {
                "the plan is to be given anew".to_owned()
            })?;
            let open: Vec<IssueId> = state.ledger.open().map(|issue| issue.id).collect();
            ensure(*issues == open, || {
                "the agenda is not the open issues".to_owned()
            })?;
            ending::check_round(state)
        }
        Event::Speaking {
            turn,
            receipt,
            input_context,
            speech,
            ..
        } => {
            answers(state, receipt, &[Stage::Speaking], |p| p == Purpose::Speech)?;
            ensure(*turn == receipt.call.turn, || {
                "the turn is not the call's".to_owned()
            })?;
            let member = &receipt.call.member;
            let started = state.calls.open.get(&receipt.call);
            let given = started.map(|open| &open.input_context);
            ensure(
                input_context.is_none() || input_context.as_ref() == given,
                || "the input is not the call's".to_owned(),
            )?;
            let due = state.next_speakers().contains(&(*turn, member.clone()));
            ensure(due, || format!("`{member}` has had its turn"))?;
            check_speech(state, receipt, speech)
        }
        Event::Evidence { evidence } => evidence::check(state, evidence),
        Event::Look {
            receipt,
            seen,
            asked,
            ..
        } => look::check(state, receipt, seen, asked),
        Event::TrialStarted { call, id, look, .. } => trial::check_start(state, call, *id, look),
        Event::TrialEnded { call, trial, .. } => trial::check_end(state, call, trial),
        Event::PassedOver {
            phase_id: Some(phase),
            turn,
            member,
            ..
        } => team::check_passed_over(state, phase, *turn, member),
        Event::PassedOver { turn, member, .. } => check_passed_over(state, *turn, member),
        Event::Inquiry { looked, .. } => inquiry::check(state, looked),
        Event::ClarificationRelayed {
            receipt, decisions, ..
        } => {
            answers(state, receipt, &DISCUSSION, |p| p == Purpose::Relay)?;
            check_relayed(state, decisions)
        }
        Event::UserClarificationNeeded { id, asked, .. } => {
            at(state, &BEFORE_CLOSING)?;
            let by_coach = state.question(*id).is_some_and(|q| q.asked_by.is_coach());
            has_status(state, *id, |s| match s {
                QuestionStatus::Raised => by_coach,
                status => matches!(status, QuestionStatus::Passed { .. }),
            })?;
            is_asked(state, *id, asked)
        }
        Event::UserClarificationDialogue {
            id,
            question,
            source,
            message,
            ..
        } => {
            at(state, &BEFORE_CLOSING)?;
            has_status(state, *id, |s| matches!(s, QuestionStatus::Waiting { .. }))?;
            is_asked(state, *id, question)?;
            let by_engine = [AnswerSource::Discussion, AnswerSource::Repository];
            ensure(!by_engine.contains(source), || {
                format!("`{id}` cannot be answered by {source:?}")
            })?;
            ensure(
                message.as_ref().is_none_or(|m| !state.messages.contains(m)),
                || "this message was taken already".to_owned(),
            )
        }
        Event::ClarificationFollowedUp { receipt, id, .. } => {
            answers(state, receipt, &DISCUSSION, |p| p == Purpose::FollowUp)?;
            of_question(receipt, *id)?;
            has_status(state, *id, |s| *s == QuestionStatus::Replied)
        }
        Event::ClarificationSkipped { call, .. } => calls::check_skipped(state, call),
        Event::SimilarityMeasured { measurement } => {
            similarity::check(state, measurement).map_err(Illegal)
        }
        Event::ConsensusSummary {
            receipt,
            consensus,
            changes,
            new_issues,
            calls_vote,
            divergence,
            more_divergences,
            ..
        } => {
            let stages = [Stage::Summarising, Stage::Speaking];
            answers(state, receipt, &stages, |p| p == Purpose::Summary)?;
            ensure(
                state.stage == Stage::Summarising || guards::cuts_round_short(state),
                || "not everybody has spoken".to_owned(),
            )?;
            check_entered(state, new_issues)?;
            check_admissions(state, consensus, changes)?;
            check_changes(state, changes, consensus, new_issues)?;
            if calls_vote.is_some() {
                vote::may_call(state).map_err(|why| Illegal(why.to_owned()))?;
            }
            let is_changed = |id| changes.iter().any(|change| change.issue == id);
            let found = divergence.iter().chain(more_divergences);
            debate::check_divergences(state, found, is_changed)
        }
        Event::TeamFormed(formed) => team::check_formed(state, formed),
        Event::PlanRevised(revised) => team::check_revised(state, revised),
        Event::PhaseStarted(started) => team::check_started(state, started),
        Event::ExpertStep(stepped) => team::check_step(state, stepped),
        Event::ExpertResult(finished) => team::check_result(state, finished),
        Event::TeamSynthesis(synthesised) => team::check_synthesis(state, synthesised),
        Event::DebateStarted(started) => debate::check_started(state, started),
        Event::DivergenceUnjudged(event) => debate::check_unjudged(state, event),
        Event::DebateVoided(voided) => debate::check_voided(state, voided),
        Event::ExpertArgument(argued) => debate::check_argument(state, argued),
        Event::ArgumentMissing(missing) => debate::check_missing(state, missing),
        Event::DebateRoundSummary(summary) => debate::check_summary(state, summary),
        Event::DebateResolved(resolved) => debate::check_resolved(state, resolved),
        Event::GuardWarned { .. } => {
            at(state, &DISCUSSION)?;
            is_decided(state, event)
        }
        Event::GuardFired {
            guard: StopReason::Budget,
            value,
            limit,
            unit,
            sign: None,
        } => {
            at(state, &BEFORE_CLOSING)?;
            let due = budget::figures(state);
            let is_due = |(unit_due, figures): &(Unit, (u64, u64))| {
                *figures == (*value, *limit) && unit.is_none_or(|unit| unit == *unit_due)
            };
            ensure(due.iter().any(is_due), || {
                "the figures are not those of the budget".to_owned()
            })
        }
        Event::GuardFired { .. } => ending::check_fired(state, event),
        Event::DiligencePush { .. }
        | Event::DiligenceExhausted { .. }
        | Event::DiligenceOff { .. } => ending::check_diligence(state, event),
        Event::EndProposal { .. } | Event::VoteClosed { .. } => {
            at(state, &DISCUSSION)?;
            is_decided(state, event)
        }
        Event::EndDecision { .. } => ending::check_decision(state, event),
        Event::UserIntervention {
            intent,
            content,
            reopens,
            message,
            refused,
            ..
        } => {
            ending::check_intervention(state, message)?;
            debate::check_wanted(state, *intent, content, *refused)?;
            ending::check_reopening(state, *intent, content, reopens.as_ref())
        }
        Event::VoteCast {
            receipt, member, ..
        } => ending::check_vote(state, receipt.as_ref(), member),
        Event::Document {
            receipt,
            kind,
            content,
            carried,
            ..
        } => {
            match (receipt, carried) {
                (Some(receipt), _) => answers(state, receipt, &[Stage::Closing], |p| {
                    p == Purpose::Document(*kind)
                })?,
                (None, Some(_)) => {}
                (None, None) => without_model(state)?,
            }
            at(state, &[Stage::Closing])?;
            ensure(content.kind() == *kind, || {
                "the content is another document".to_owned()
            })?;
            ensure(may_write(state, *kind), || {
                "its turn has not come".to_owned()
            })?;
            match carried {
                Some(version) => carry::check(state, content, *version),
                None => check_document(state, content).map_err(Illegal),
            }
        }
        Event::Report { receipt, .. } => match receipt {
            Some(receipt) => {
                let stages = [Stage::Reviewing, Stage::Reporting];
                answers(state, receipt, &stages, |p| p == Purpose::Report)
            }
            None => {
                without_model(state)?;
                at(state, &[Stage::Reporting])
            }
        },
        Event::PlanChecked(_)
        | Event::Review(_)
        | Event::Amendment(_)
        | Event::Verdicts(_)
        | Event::ReviewClosed(_) => match review::step(event) {
            Some(step) => step.next(state).map(|_| ()),
            None => Ok(()),
        },
        Event::Resumed { models, .. } => match models {
            Some(models) => models.apply(&mut state.inputs.clone()),
            None => Ok(()),
        },
        Event::Published {
            stop,
            blocking,
            open,
        } => {
            at(state, &[Stage::Complete])?;
            ensure(
                state.stop.as_ref().is_some_and(|s| s.reason == *stop),
                || "the reason is not why the discussion ended".to_owned(),
            )?;
            let now_blocking: Vec<IssueId> = state.ledger.blocking().map(|i| i.id).collect();
            let now_open: Vec<IssueId> = state.ledger.open().map(|i| i.id).collect();
            ensure(*blocking == now_blocking && *open == now_open, || {
                "the open issues are others".to_owned()
            })
        }
    }
}

pub(super) const DISCUSSION: [Stage; 3] = [Stage::Between, Stage::Speaking, Stage::Summarising];

const BEFORE_CLOSING: [Stage; 4] = [
    Stage::Judging,
    Stage::Between,
    Stage::Speaking,
    Stage::Summarising,
];

fn illegal(why: impl Into<String>) -> Verdict {
    Err(Illegal(why.into()))
}

pub(super) fn ensure(holds: bool, why: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(Illegal(why())) }
}

pub(super) fn at(state: &State, stages: &[Stage]) -> Verdict {
    ensure(stages.contains(&state.stage), || {
        format!("the run is at {:?}, not at {stages:?}", state.stage)
    })
}

pub(super) fn is_open(state: &State, call: &CallId) -> Verdict {
    ensure(state.calls.open.contains_key(call), || {
        format!("call `{call}` was not started")
    })
}

/// While a question is pending the root dialogue stands still.
pub(super) fn no_questions(state: &State) -> Verdict {
    let pending = state
        .questions
        .iter()
        .find(|q| !matches!(q.status, QuestionStatus::Closed { .. }));
    match pending {
        Some(question) => illegal(format!("`{}` is still pending", question.id)),
        None => Ok(()),
    }
}

fn has_status(state: &State, id: QuestionId, fits: impl Fn(&QuestionStatus) -> bool) -> Verdict {
    match state.question(id) {
        Some(question) if fits(&question.status) => Ok(()),
        Some(question) => illegal(format!("`{id}` is at {:?}", question.status)),
        None => illegal(format!("there is no `{id}`")),
    }
}

fn may_write(state: &State, kind: DocumentKind) -> bool {
    state.next_documents().contains(&kind)
}

/// Is it what the guards decide here?
fn is_decided(state: &State, event: &Event) -> Verdict {
    match guards::decide(state) {
        Some(due) if due.is_told_by(event) => Ok(()),
        Some(due) => illegal(format!("the guards decide otherwise: {due:?}")),
        None => illegal("no guard is due".to_owned()),
    }
}

/// Each question is decided once, and answered only with a citation.
fn check_relayed(state: &State, decisions: &[RelayDecision]) -> Verdict {
    let mut seen = BTreeSet::new();
    for decision in decisions {
        let id = decision.id;
        has_status(state, id, |s| *s == QuestionStatus::Raised)?;
        ensure(seen.insert(id), || format!("`{id}` is decided twice"))?;
        let cited = decision
            .cites
            .as_ref()
            .is_some_and(|c| !c.trim().is_empty());
        ensure(decision.answer.is_none() || cited, || {
            format!("`{id}` is answered without a citation")
        })?;
    }
    Ok(())
}

fn is_asked(state: &State, id: QuestionId, text: &str) -> Verdict {
    let asked = state.question(id).map(|question| question.current_text());
    ensure(asked == Some(text), || {
        format!("`{id}` asks something else")
    })
}

/// Nothing is rendered without a model but for want of tokens or money.
fn without_model(state: &State) -> Verdict {
    ensure(!budget::figures(state).is_empty(), || {
        "a model can be asked: no cap on tokens or money is set".to_owned()
    })
}
