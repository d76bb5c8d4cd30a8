//! What may follow: an event is held against the state before it is written,
//! live and at replay alike.

use std::collections::BTreeSet;

use super::adopt::check_document;
use super::call::{CallId, Purpose, Scope};
use super::consensus::ConsensusItem;
use super::decide::flips;
use super::ending;
use super::event::{EnteredIssue, Event, Receipt, StopReason};
use super::ids::{IssueId, QuestionId};
use super::issue::{IssueChange, IssueRecord, IssueStatus, Origin};
use super::question::QuestionStatus;
use super::state::{Stage, State};
use crate::reply::{Contribution, DocumentKind, Severity};

/// An event that does not follow from the state, with what stands against it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Illegal(pub String);

type Verdict = Result<(), Illegal>;

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
            withdrawn,
            ..
        } => {
            answers(state, receipt, &[Stage::Judging], |p| {
                p == Purpose::Judgment
            })?;
            check_entered(state, issues)?;
            match withdrawn
                .iter()
                .find(|w| !state.draft.standing().any(|item| item.id == w.item))
            {
                Some(w) => illegal(format!("`{}` does not stand in the draft", w.item)),
                None => Ok(()),
            }
        }
        Event::RoundStarted { issues } => {
            at(state, &[Stage::Between])?;
            no_questions(state)?;
            let open: Vec<IssueId> = state.ledger.open().map(|issue| issue.id).collect();
            ensure(*issues == open, || {
                "the agenda is not the open issues".to_owned()
            })?;
            ensure(state.round < ending::max_rounds(state), || {
                "the round limit is reached".to_owned()
            })
        }
        Event::Speaking {
            turn,
            receipt,
            speech,
            ..
        } => {
            answers(state, receipt, &[Stage::Speaking], |p| p == Purpose::Speech)?;
            ensure(*turn == receipt.call.turn, || {
                "the turn is not the call's".to_owned()
            })?;
            check_speech(state, receipt, speech)
        }
        Event::PassedOver { turn, member, .. } => {
            at(state, &[Stage::Speaking])?;
            ensure(
                state.next_speakers().contains(&(*turn, member.clone())),
                || format!("it is not `{member}`'s turn"),
            )
        }
        Event::ClarificationRelayed {
            receipt, decisions, ..
        } => {
            answers(state, receipt, &DISCUSSION, |p| p == Purpose::Relay)?;
            for decision in decisions {
                has_status(state, decision.question, |s| *s == QuestionStatus::Raised)?;
                ensure(
                    decision.answer.is_none() || decision.cites.is_some(),
                    || format!("`{}` is answered without a citation", decision.question),
                )?;
            }
            Ok(())
        }
        Event::UserClarificationNeeded { question, .. } => {
            at(state, &DISCUSSION)?;
            has_status(state, *question, |s| {
                matches!(s, QuestionStatus::Raised | QuestionStatus::Passed { .. })
            })
        }
        Event::UserClarificationDialogue { id, message, .. } => {
            at(state, &DISCUSSION)?;
            has_status(state, *id, |s| matches!(s, QuestionStatus::Waiting { .. }))?;
            ensure(
                message.as_ref().is_none_or(|m| !state.messages.contains(m)),
                || "this message was taken already".to_owned(),
            )
        }
        Event::ClarificationFollowedUp {
            receipt, question, ..
        } => {
            answers(state, receipt, &DISCUSSION, |p| p == Purpose::FollowUp)?;
            has_status(state, *question, |s| *s == QuestionStatus::Replied)
        }
        Event::ConsensusSummary {
            receipt,
            consensus,
            changes,
            new_issues,
            ..
        } => {
            let stages = [Stage::Summarising, Stage::Speaking];
            answers(state, receipt, &stages, |p| p == Purpose::Summary)?;
            ensure(
                state.stage == Stage::Summarising || ending::cuts_round_short(state),
                || "not everybody has spoken".to_owned(),
            )?;
            check_entered(state, new_issues)?;
            check_admissions(state, consensus, changes)?;
            check_changes(state, changes, consensus, new_issues)
        }
        Event::GuardWarned { guard, .. } => ensure(!state.warned.contains(guard), || {
            "this guard has warned already".to_owned()
        }),
        Event::GuardFired { guard, .. } => {
            at(
                state,
                &[
                    Stage::Judging,
                    Stage::Between,
                    Stage::Speaking,
                    Stage::Summarising,
                ],
            )?;
            ensure(
                *guard != StopReason::Consensus
                    || (state.stage == Stage::Between
                        && state.round > 0
                        && state.ledger.blocking().next().is_none()),
                || "agreement is claimed with a blocking issue open".to_owned(),
            )
        }
        Event::Document {
            receipt,
            kind,
            content,
            ..
        } => {
            if let Some(receipt) = receipt {
                answers(state, receipt, &[Stage::Closing], |p| {
                    p == Purpose::Document(*kind)
                })?;
            }
            at(state, &[Stage::Closing])?;
            ensure(content.kind() == *kind, || {
                "the content is another document".to_owned()
            })?;
            ensure(may_write(state, *kind), || {
                "its turn has not come".to_owned()
            })?;
            check_document(state, content).map_err(Illegal)
        }
        Event::Report { receipt, .. } => match receipt {
            Some(receipt) => answers(state, receipt, &[Stage::Reporting], |p| {
                p == Purpose::Report
            }),
            None => at(state, &[Stage::Reporting]),
        },
        Event::Resumed { .. } => Ok(()),
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

const DISCUSSION: [Stage; 3] = [Stage::Between, Stage::Speaking, Stage::Summarising];

fn illegal(why: impl Into<String>) -> Verdict {
    Err(Illegal(why.into()))
}

fn ensure(holds: bool, why: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(Illegal(why())) }
}

fn at(state: &State, stages: &[Stage]) -> Verdict {
    ensure(stages.contains(&state.stage), || {
        format!("the run is at {:?}, not at {stages:?}", state.stage)
    })
}

fn is_open(state: &State, call: &CallId) -> Verdict {
    ensure(state.calls.open.contains_key(call), || {
        format!("call `{call}` was not started")
    })
}

/// A reply answers a call that was started, is of the right kind and comes in its stage.
fn answers(
    state: &State,
    receipt: &Receipt,
    stages: &[Stage],
    purpose: impl Fn(Purpose) -> bool,
) -> Verdict {
    at(state, stages)?;
    is_open(state, &receipt.call)?;
    ensure(purpose(receipt.call.purpose), || {
        format!("call `{}` asked for something else", receipt.call)
    })
}

fn check_start(state: &State, call: &CallId) -> Verdict {
    ensure(!state.calls.open.contains_key(call), || {
        format!("call `{call}` is open already")
    })?;
    ensure(call.round == state.round, || {
        format!("call `{call}` is not of round {}", state.round)
    })?;
    ensure(
        state.inputs.roles.find(call.member.as_str()).is_some(),
        || format!("`{}` is no member", call.member),
    )?;
    let due = match call.purpose {
        Purpose::Judgment => state.stage == Stage::Judging,
        Purpose::Speech => {
            let next = state.next_speakers();
            let own = (call.turn, call.member.clone());
            state.stage == Stage::Speaking
                && if state.is_blind_round() {
                    next.contains(&own)
                } else {
                    next.first() == Some(&own)
                }
        }
        Purpose::Summary => {
            state.stage == Stage::Summarising
                || (state.stage == Stage::Speaking && ending::cuts_round_short(state))
        }
        Purpose::Relay | Purpose::FollowUp => {
            matches!(call.scope, Scope::Question(n) if state.question(QuestionId(n)).is_some())
                && DISCUSSION.contains(&state.stage)
        }
        Purpose::Document(kind) => state.stage == Stage::Closing && may_write(state, kind),
        Purpose::Report => state.stage == Stage::Reporting,
    };
    ensure(due, || format!("call `{call}` is not due"))?;
    if DISCUSSION.contains(&state.stage) && call.scope == Scope::Root {
        return no_questions(state);
    }
    Ok(())
}

/// While a question is pending the root dialogue stands still.
fn no_questions(state: &State) -> Verdict {
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
    let kinds = state.document_kinds();
    kinds.contains(&kind)
        && !state.documents.contains_key(&kind)
        && kind
            .depends_on()
            .iter()
            .all(|needed| !kinds.contains(needed) || state.documents.contains_key(needed))
}

fn check_entered(state: &State, issues: &[EnteredIssue]) -> Verdict {
    for (issue, due) in issues.iter().zip(state.counters.issue + 1..) {
        ensure(issue.id == IssueId(due), || {
            format!("`{}` should be `I-{due}`", issue.id)
        })?;
    }
    Ok(())
}

fn check_speech(state: &State, receipt: &Receipt, speech: &Contribution) -> Verdict {
    ensure(speech.coach.is_none(), || {
        "a member filled in the coach's part".to_owned()
    })?;
    let member = &receipt.call.member;
    for position in &speech.positions {
        let issue = position
            .issue
            .parse()
            .ok()
            .and_then(|id: IssueId| state.ledger.find(id))
            .filter(|issue| issue.is_open());
        let Some(issue) = issue else {
            return illegal(format!("`{}` is no open issue", position.issue));
        };
        ensure(
            position.changed_because.is_some() || !flips(issue, member, position.stance),
            || format!("the stance on `{}` flipped without a reason", issue.id),
        )?;
    }
    Ok(())
}

/// The counted rule: a cited text, somebody for it, nobody against it.
fn check_admissions(state: &State, items: &[ConsensusItem], changes: &[IssueChange]) -> Verdict {
    for (item, due) in items.iter().zip(state.counters.consensus + 1..) {
        let id = item.id;
        ensure(id.0 == due, || format!("`{id}` should be `C-{due}`"))?;
        let Some(issue) = state.ledger.find(item.issue).filter(|i| i.is_open()) else {
            return illegal(format!(
                "`{id}` settles `{}`, which is not open",
                item.issue
            ));
        };
        let cited = issue
            .positions
            .iter()
            .any(|p| p.member == item.proposed_by && p.proposal.as_ref() == Some(&item.text));
        ensure(cited, || format!("nobody proposed the text of `{id}`"))?;
        let supported = issue.positions.iter().any(|p| p.stance.supports());
        ensure(supported, || format!("nobody supports `{id}`"))?;
        let merged = changes.iter().filter_map(|change| match change.to {
            IssueStatus::Merged { into } if into == issue.id => state.ledger.find(change.issue),
            _ => None,
        });
        let own = issue.latest();
        let objects = !issue.objectors().is_empty()
            || merged
                .flat_map(IssueRecord::objectors)
                .any(|member| !own.contains_key(member));
        ensure(!objects, || {
            format!("`{id}` was admitted over an objection")
        })?;
    }
    Ok(())
}

fn check_changes(
    state: &State,
    changes: &[IssueChange],
    items: &[ConsensusItem],
    entered: &[EnteredIssue],
) -> Verdict {
    let mut seen = BTreeSet::new();
    for change in changes {
        let id = change.issue;
        ensure(seen.insert(id), || format!("`{id}` is changed twice"))?;
        let Some(issue) = state.ledger.find(id).filter(|issue| issue.is_open()) else {
            return illegal(format!("`{id}` is not open"));
        };
        let reasoned = change.reason.as_ref().is_some_and(|r| !r.trim().is_empty());
        let fine = match &change.to {
            IssueStatus::Open => false,
            IssueStatus::Settled { by } => {
                !by.is_empty()
                    && by
                        .iter()
                        .all(|c| items.iter().any(|i| i.id == *c && i.issue == id))
            }
            IssueStatus::Refined { into } => {
                !into.is_empty()
                    && into
                        .iter()
                        .all(|part| exists(state, entered, *part) && *part != id)
            }
            IssueStatus::Merged { into } => {
                *into != id && state.ledger.find(*into).is_some_and(IssueRecord::is_open)
            }
            IssueStatus::Dropped => reasoned,
            IssueStatus::Deferred => reasoned && issue.severity == Severity::Minor,
        };
        ensure(fine, || format!("`{id}` may not become {:?}", change.to))?;
    }
    let orphan = entered.iter().find(|issue| match issue.origin {
        Origin::Refined { parent } => !changes.iter().any(|change| {
            change.issue == parent
                && matches!(&change.to, IssueStatus::Refined { into } if into.contains(&issue.id))
        }),
        _ => true,
    });
    match orphan {
        Some(issue) => illegal(format!("nobody raised `{}`", issue.id)),
        None => Ok(()),
    }
}

fn exists(state: &State, entered: &[EnteredIssue], id: IssueId) -> bool {
    state.ledger.find(id).is_some() || entered.iter().any(|issue| issue.id == id)
}
