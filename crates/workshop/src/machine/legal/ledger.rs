//! What may change in the ledger and in the draft.

use std::collections::{BTreeMap, BTreeSet};

use super::{Illegal, Verdict, ensure, illegal};
use crate::ids::IssueId;
use crate::machine::consensus::ConsensusItem;
use crate::machine::decide::flips;
use crate::machine::event::{EnteredIssue, Receipt, WithdrawnItem};
use crate::machine::issue::{IssueChange, IssueRecord, IssueStatus, Origin};
use crate::machine::state::State;
use crate::machine::text::{admissible, merged_into, rival};
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
        let names = position.backs.iter().chain(&position.against);
        for name in names {
            let text = name.parse().ok().and_then(|id| issue.text(id));
            ensure(text.is_some(), || {
                format!("`{name}` is no text on `{}`", issue.id)
            })?;
        }
        ensure(
            position.changed_because.is_some() || !flips(issue, member, position),
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
        let Some(text) = issue.text(item.text_id).filter(|t| t.text == item.text) else {
            return illegal(format!("nobody proposed the text of `{id}`"));
        };
        ensure(
            *text.author() == item.proposed_by && text.round() == item.proposed_round,
            || format!("`{id}` is another's text"),
        )?;
        let merged = issue.objectors_of(merged_into(state, changes, issue.id));
        let supporters = admissible(state, issue, text, &merged)
            .map_err(|(_, why)| Illegal(format!("`{id}` may not join the draft: {why}")))?;
        ensure(item.supporters == supporters, || {
            format!("the supporters of `{id}` are others")
        })?;
        let beside = items.iter().filter(|i| i.issue == issue.id && i.id != id);
        let beside: Vec<_> = beside.filter_map(|i| issue.text(i.text_id)).collect();
        ensure(!beside.iter().any(|t| issue.is_one_chain(t, text)), || {
            format!("`{id}` joins beside a text of its own chain")
        })?;
        let merged = merged_into(state, changes, issue.id);
        ensure(rival(issue, text, &beside, merged).is_none(), || {
            format!("`{id}` joins while a rival stands")
        })?;
        let settles = changes.iter().any(|change| {
            change.issue == issue.id
                && matches!(&change.to, IssueStatus::Settled { by } if by.contains(&id))
        });
        ensure(settles, || format!("`{id}` settles nothing"))?;
    }
    Ok(())
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
            IssueStatus::Dropped => reasoned && is_unopposed(state, changes, issue),
            IssueStatus::Deferred => {
                let is_minor = issue.severity == Severity::Minor;
                reasoned && is_minor && is_unopposed(state, changes, issue)
            }
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

/// Nothing is dropped or left for later while a member stands against a text on it, or on
/// what is merged into it.
fn is_unopposed(state: &State, changes: &[IssueChange], issue: &IssueRecord) -> bool {
    let merged = merged_into(state, changes, issue.id);
    issue.objectors_with(merged).is_empty()
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
