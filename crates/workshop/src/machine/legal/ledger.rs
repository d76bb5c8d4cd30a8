//! What may change in the ledger and in the draft.

use std::collections::{BTreeMap, BTreeSet};

use super::{Verdict, ensure, illegal};
use crate::ids::IssueId;
use crate::machine::cited::has_support;
use crate::machine::consensus::ConsensusItem;
use crate::machine::decide::flips;
use crate::machine::event::{EnteredIssue, Receipt, WithdrawnItem};
use crate::machine::issue::{IssueChange, IssueRecord, IssueStatus, Origin};
use crate::machine::state::State;
use crate::reply::{Contribution, Severity};

/// New issues are numbered on, without a gap.
pub(super) fn check_entered(state: &State, issues: &[EnteredIssue]) -> Verdict {
    for (nth, issue) in (1u64..).zip(issues) {
        let due = u64::from(state.counters.issue) + nth;
        ensure(u64::from(issue.id.0) == due, || {
            format!("`{}` should be `I-{due}`", issue.id)
        })?;
    }
    Ok(())
}

/// A judgment opens issues for the requirement and for every point of the
/// feedback, and something blocking is open afterwards.
pub(super) fn check_first_issues(state: &State, issues: &[EnteredIssue]) -> Verdict {
    check_entered(state, issues)?;
    let mut points = BTreeSet::new();
    for issue in issues {
        let fits = match issue.origin {
            Origin::Requirement => true,
            Origin::Feedback { feedback } => {
                issue.severity == Severity::Blocking
                    && state.feedback_item(feedback).is_some()
                    && points.insert(feedback)
            }
            _ => false,
        };
        ensure(fits, || format!("`{}` comes from nowhere", issue.id))?;
    }
    let missing = state
        .feedback
        .iter()
        .find(|item| !points.contains(&item.id));
    if let Some(item) = missing {
        return illegal(format!("`{}` became no issue", item.id));
    }
    let holds = |issue: &EnteredIssue| issue.severity == Severity::Blocking;
    ensure(
        issues.iter().any(holds) || state.ledger.blocking().next().is_some(),
        || "nothing blocking is open after the judgment".to_owned(),
    )
}

/// Only standing items are withdrawn, each once, because of the human's feedback.
pub(super) fn check_withdrawn(state: &State, withdrawn: &[WithdrawnItem]) -> Verdict {
    let mut seen = BTreeSet::new();
    for line in withdrawn {
        let item = line.item;
        ensure(
            state.draft.standing().any(|standing| standing.id == item),
            || format!("`{item}` does not stand in the draft"),
        )?;
        ensure(seen.insert(item), || format!("`{item}` is withdrawn twice"))?;
        ensure(
            line.feedback
                .is_some_and(|id| state.feedback_item(id).is_some()),
            || format!("`{item}` is withdrawn without feedback"),
        )?;
    }
    Ok(())
}

/// A speech takes one position an issue, on open ones, and turns none round silently.
pub(super) fn check_speech(state: &State, receipt: &Receipt, speech: &Contribution) -> Verdict {
    ensure(speech.coach.is_none(), || {
        "a member filled in the coach's part".to_owned()
    })?;
    let member = &receipt.call.member;
    let mut seen = BTreeSet::new();
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
        ensure(seen.insert(issue.id), || {
            format!("two positions on `{}` in one speech", issue.id)
        })?;
        ensure(
            position.changed_because.is_some() || !flips(issue, member, position.stance),
            || format!("the stance on `{}` flipped without a reason", issue.id),
        )?;
    }
    Ok(())
}

/// The counted rule: a cited text, somebody for it, nobody against it.
pub(super) fn check_admissions(
    state: &State,
    items: &[ConsensusItem],
    changes: &[IssueChange],
) -> Verdict {
    for (nth, item) in (1u64..).zip(items) {
        let id = item.id;
        let due = u64::from(state.counters.consensus) + nth;
        ensure(u64::from(id.0) == due, || {
            format!("`{id}` should be `C-{due}`")
        })?;
        let Some(issue) = state.ledger.find(item.issue).filter(|i| i.is_open()) else {
            return illegal(format!(
                "`{id}` settles `{}`, which is not open",
                item.issue
            ));
        };
        ensure(
            item.round == state.round && item.version == state.inputs.version,
            || format!("`{id}` is of another round or version"),
        )?;
        ensure(is_on_record(issue, item), || {
            format!("nobody proposed the text of `{id}`")
        })?;
        let supporters = issue.support_of(&item.text);
        let supported = has_support(&supporters, item.debate, item.proposed_round);
        ensure(supported, || format!("nobody supports `{id}`"))?;
        ensure(item.supporters == supporters, || {
            format!("the supporters of `{id}` are others")
        })?;
        ensure(
            issue
                .objectors_with(merged_into(state, changes, issue.id))
                .is_empty(),
            || format!("`{id}` was admitted over an objection"),
        )?;
        let settles = changes.iter().any(|change| {
            change.issue == issue.id
                && matches!(&change.to, IssueStatus::Settled { by } if by.contains(&id))
        });
        ensure(settles, || format!("`{id}` settles nothing"))?;
    }
    Ok(())
}

/// Did a member propose the item's text, or a debate conclude it?
fn is_on_record(issue: &IssueRecord, item: &ConsensusItem) -> bool {
    let Some(debate) = item.debate else {
        return issue.positions.iter().rev().any(|p| {
            p.member == item.proposed_by
                && p.round == item.proposed_round
                && p.proposal.as_ref() == Some(&item.text)
        });
    };
    item.proposed_by.is_coach()
        && issue
            .conclusions
            .iter()
            .any(|c| c.debate == debate && c.round == item.proposed_round && c.text == item.text)
}

fn merged_into<'a>(
    state: &'a State,
    changes: &'a [IssueChange],
    target: IssueId,
) -> impl Iterator<Item = &'a IssueRecord> {
    changes.iter().filter_map(move |change| match change.to {
        IssueStatus::Merged { into } if into == target => state.ledger.find(change.issue),
        _ => None,
    })
}

/// Every change closes an open issue in a way its status allows, and nothing vanishes.
pub(super) fn check_changes(
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
        ensure(change.round == state.round, || {
            format!("`{id}` is changed in another round")
        })?;
        let reasoned = change.reason.as_ref().is_some_and(|r| !r.trim().is_empty());
        let fine = match &change.to {
            IssueStatus::Open => false,
            IssueStatus::Settled { by } => {
                !by.is_empty()
                    && by
                        .iter()
                        .all(|c| items.iter().any(|i| i.id == *c && i.issue == id))
            }
            IssueStatus::Refined { into } => lives_on(state, entered, issue, into),
            IssueStatus::Merged { into } => {
                state.ledger.find(*into).is_some() && lives_on(state, entered, issue, &[*into])
            }
            IssueStatus::Dropped => reasoned && may_drop(state, changes, issue),
            IssueStatus::Deferred => reasoned && issue.severity == Severity::Minor,
        };
        ensure(fine, || format!("`{id}` may not become {:?}", change.to))?;
    }
    if let Some(id) = in_circle(changes) {
        return illegal(format!("`{id}` vanishes in a circle"));
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

/// What is blocking is no pseudo-issue while a member stands against something in it,
/// or in what is merged into it.
fn may_drop(state: &State, changes: &[IssueChange], issue: &IssueRecord) -> bool {
    issue.severity == Severity::Minor
        || issue
            .objectors_with(merged_into(state, changes, issue.id))
            .is_empty()
}

/// Are all of `into` other open issues, and does a blocking one stay blocking in one of them?
fn lives_on(
    state: &State,
    entered: &[EnteredIssue],
    issue: &IssueRecord,
    into: &[IssueId],
) -> bool {
    let severity = |id: &IssueId| {
        let open = state.ledger.find(*id).filter(|part| part.is_open());
        let new = entered.iter().find(|part| part.id == *id);
        open.map(|part| part.severity)
            .or_else(|| new.map(|part| part.severity))
            .filter(|_| *id != issue.id)
    };
    let parts: Vec<Option<Severity>> = into.iter().map(severity).collect();
    !parts.is_empty()
        && parts.iter().all(Option::is_some)
        && (issue.severity == Severity::Minor || parts.contains(&Some(Severity::Blocking)))
}

/// Issues whose merges and refinements lead back to themselves.
fn in_circle(changes: &[IssueChange]) -> Option<IssueId> {
    let mut left: BTreeMap<IssueId, &[IssueId]> = changes
        .iter()
        .map(|change| match &change.to {
            IssueStatus::Merged { into } => (change.issue, std::slice::from_ref(into)),
            IssueStatus::Refined { into } => (change.issue, into.as_slice()),
            _ => (change.issue, [].as_slice()),
        })
        .collect();
    loop {
        let held: BTreeSet<IssueId> = left.keys().copied().collect();
        left.retain(|_, into| into.iter().any(|part| held.contains(part)));
        if left.len() == held.len() {
            return left.into_keys().next();
        }
    }
}
