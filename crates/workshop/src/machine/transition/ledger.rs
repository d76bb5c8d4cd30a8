//! Issues entered and changed, items withdrawn: what is allowed, and its effects.

use std::collections::{BTreeMap, BTreeSet};

use crate::ids::{ConsensusId, IssueId};
use crate::machine::consensus::{ConsensusItem, DraftLine};
use crate::machine::event::{EnteredIssue, WithdrawnItem};
use crate::machine::illegal::{Illegal, Verdict, ensure, refuse};
use crate::machine::issue::{IssueChange, IssueOrigin, IssueRecord, IssueStatus, PositionRecord};
use crate::machine::proposed_text::{IssueText, admissible, merged_into, rival};
use crate::machine::state::State;
use crate::reply::IssueSeverity;

impl State {
    pub(in crate::machine) fn enter_issues(&mut self, issues: &[EnteredIssue]) {
        for issue in issues {
            self.run.counters.issue = self.run.counters.issue.max(issue.id.0);
            let words = (issue.title.clone(), issue.detail.clone());
            let (severity, origin) = (issue.severity, issue.origin.clone());
            let issue = IssueRecord::new(issue.id, words, severity, origin, self.round);
            self.ledger.enter(issue);
        }
    }

    pub(in crate::machine) fn change_issues(&mut self, changes: &[IssueChange]) {
        for change in changes {
            if let Some(issue) = self.ledger.find_mut(change.issue) {
                issue.status = change.to.clone();
                issue.history.push(change.clone());
            }
        }
        let merged = changes.iter().filter_map(|change| match change.to {
            IssueStatus::Merged { into } => Some((change.issue, into)),
            _ => None,
        });
        self.bring_along(merged);
        // After the merges, so that what was merged into an issue moves on with it.
        let told_anew = changes.iter().filter_map(|change| match &change.to {
            IssueStatus::Refined { into } => match into.as_slice() {
                [only] => Some((change.issue, *only)),
                _ => None,
            },
            _ => None,
        });
        self.bring_along(told_anew);
    }

    /// Copies the texts and the latest positions of issues to the issues they continue in.
    fn bring_along(&mut self, moves: impl Iterator<Item = (IssueId, IssueId)>) {
        type MovedEntries = (Vec<IssueText>, Vec<PositionRecord>);
        let mut brought: BTreeMap<IssueId, MovedEntries> = BTreeMap::new();
        for (from, into) in moves {
            let Some(issue) = self.ledger.find(from) else {
                continue;
            };
            let (texts, positions) = brought.entry(into).or_default();
            texts.extend(issue.texts.iter().cloned());
            positions.extend(issue.latest().cloned());
        }
        for (into, (texts, positions)) in brought {
            if let Some(target) = self.ledger.find_mut(into) {
                target.take_positions(texts, positions);
            }
        }
    }

    pub(in crate::machine) fn withdraw(&mut self, withdrawn: &[WithdrawnItem]) {
        for item in withdrawn {
            self.draft.push(DraftLine::Withdrawn {
                item: item.item,
                feedback: item.feedback,
                reason: item.reason.clone(),
                round: self.round,
            });
        }
    }
}

impl State {
    /// Checks that new issues are numbered consecutively.
    pub(super) fn ensure_numbered(&self, issues: &[EnteredIssue]) -> Verdict {
        for (nth, issue) in (1u64..).zip(issues) {
            let due = u64::from(self.run.counters.issue) + nth;
            ensure!(
                u64::from(issue.id.0) == due,
                "`{}` should be `I-{due}`",
                issue.id
            );
        }
        Ok(())
    }

    /// Checks that a judgment opens issues for the requirement and for every point of the feedback,
    /// and that a blocking issue is open afterwards.
    pub(super) fn ensure_first_issues(&self, issues: &[EnteredIssue]) -> Verdict {
        self.ensure_numbered(issues)?;
        let mut points = BTreeSet::new();
        for issue in issues {
            let fits = match issue.origin {
                IssueOrigin::Requirement => true,
                IssueOrigin::Feedback { feedback } => {
                    issue.severity == IssueSeverity::Blocking
                        && self.task.feedback_item(feedback).is_some()
                        && points.insert(feedback)
                }
                _ => false,
            };
            ensure!(fits, "`{}` comes from nowhere", issue.id);
        }
        let mut feedback = self.task.feedback.iter();
        if let Some(item) = feedback.find(|item| !points.contains(&item.id)) {
            refuse!("`{}` became no issue", item.id);
        }
        let is_blocking = |issue: &EnteredIssue| issue.severity == IssueSeverity::Blocking;
        let holds = issues.iter().any(is_blocking) || self.ledger.blocking().next().is_some();
        ensure!(holds, "nothing blocking is open after the judgment");
        Ok(())
    }

    /// Checks that only agreed items in force are withdrawn, each once, because of the user's
    /// feedback.
    pub(super) fn ensure_withdrawn(&self, withdrawn: &[WithdrawnItem]) -> Verdict {
        let mut seen = BTreeSet::new();
        for line in withdrawn {
            let item = line.item;
            let stands = self.draft.standing().any(|standing| standing.id == item);
            ensure!(stands, "`{item}` is not in the draft");
            ensure!(seen.insert(item), "`{item}` is withdrawn twice");
            let feedback = line.feedback.and_then(|id| self.task.feedback_item(id));
            ensure!(feedback.is_some(), "`{item}` is withdrawn without feedback");
        }
        Ok(())
    }

    /// Checks the counted rule: a cited text, at least one supporter, no objector.
    pub(super) fn ensure_admissible(
        &self,
        items: &[ConsensusItem],
        changes: &[IssueChange],
    ) -> Verdict {
        for (nth, item) in (1u64..).zip(items) {
            let id = item.id;
            let due = u64::from(self.run.counters.consensus) + nth;
            ensure!(u64::from(id.0) == due, "`{id}` should be `C-{due}`");
            let issue = self.ledger.find(item.issue).filter(|issue| issue.is_open());
            let Some(issue) = issue else {
                refuse!("`{id}` settles `{}`, which is not open", item.issue);
            };
            let is_of_now = item.round == self.round && item.version == self.inputs.version;
            ensure!(is_of_now, "`{id}` is of another round or version");
            let Some(text) = issue.text(item.text_id).filter(|t| t.text == item.text) else {
                refuse!("nobody proposed the text of `{id}`");
            };
            let is_theirs =
                *text.author() == item.proposed_by && text.round() == item.proposed_round;
            ensure!(is_theirs, "`{id}` is another's text");
            let merged = || merged_into(self, changes, issue.id);
            let supporters = admissible(self, issue, text, &issue.objectors_of(merged()))
                .map_err(|(_, why)| Illegal(format!("`{id}` may not join the draft: {why}")))?;
            ensure!(
                item.supporters == supporters,
                "the supporters of `{id}` are others"
            );
            let beside = items.iter().filter(|i| i.issue == issue.id && i.id != id);
            let beside: Vec<_> = beside.filter_map(|i| issue.text(i.text_id)).collect();
            let is_again = beside.iter().any(|t| issue.is_one_chain(t, text));
            ensure!(!is_again, "`{id}` joins beside a text of its own chain");
            let rival = rival(issue, text, &beside, merged());
            ensure!(rival.is_none(), "`{id}` joins while a rival stands");
            let is_settled = |change: &IssueChange| {
                change.issue == issue.id
                    && matches!(&change.to, IssueStatus::Settled { by } if by.contains(&id))
            };
            ensure!(changes.iter().any(is_settled), "`{id}` settles nothing");
        }
        Ok(())
    }

    /// Checks that every change closes an open issue in a way its status allows, and that no issue
    /// vanishes.
    pub(super) fn ensure_changes(
        &self,
        changes: &[IssueChange],
        items: &[ConsensusItem],
        entered: &[EnteredIssue],
    ) -> Verdict {
        let mut seen = BTreeSet::new();
        for change in changes {
            let id = change.issue;
            ensure!(seen.insert(id), "`{id}` is changed twice");
            let Some(issue) = self.ledger.find(id).filter(|issue| issue.is_open()) else {
                refuse!("`{id}` is not open");
            };
            ensure!(
                change.round == self.round,
                "`{id}` is changed in another round"
            );
            let reasoned = change.reason.as_ref().is_some_and(|r| !r.trim().is_empty());
            let joins = |by: &ConsensusId| items.iter().any(|i| i.id == *by && i.issue == id);
            let fine = match &change.to {
                IssueStatus::Open => false,
                IssueStatus::Settled { by } => !by.is_empty() && by.iter().all(joins),
                IssueStatus::Refined { into } => {
                    let is_new = |id: &IssueId| entered.iter().any(|part| part.id == *id);
                    into.iter().all(is_new) && lives_on(self, entered, issue, into)
                }
                IssueStatus::Merged { into } => {
                    self.ledger.find(*into).is_some() && lives_on(self, entered, issue, &[*into])
                }
                IssueStatus::Dropped => reasoned && is_unopposed(self, changes, issue),
                IssueStatus::Deferred => {
                    let is_minor = issue.severity == IssueSeverity::Minor;
                    reasoned && is_minor && is_unopposed(self, changes, issue)
                }
            };
            ensure!(fine, "`{id}` may not become {:?}", change.to);
        }
        if let Some(id) = in_circle(changes) {
            refuse!("`{id}` vanishes in a circle");
        }
        let is_raised = |issue: &EnteredIssue| {
            match issue.origin {
            IssueOrigin::Refined { parent } => changes.iter().any(|change| {
                change.issue == parent
                    && matches!(&change.to, IssueStatus::Refined { into } if into.contains(&issue.id))
            }),
            _ => false,
        }
        };
        match entered.iter().find(|issue| !is_raised(issue)) {
            Some(issue) => refuse!("nobody raised `{}`", issue.id),
            None => Ok(()),
        }
    }
}

/// Returns whether no member objects to a text on the issue, or on what is merged into it;
/// otherwise it may not be dropped or deferred.
fn is_unopposed(state: &State, changes: &[IssueChange], issue: &IssueRecord) -> bool {
    let merged = merged_into(state, changes, issue.id);
    issue.objectors_with(merged).is_empty()
}

/// Returns whether all of `into` are other open issues, and a blocking issue stays blocking in one
/// of them.
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
    let parts: Vec<Option<IssueSeverity>> = into.iter().map(severity).collect();
    !parts.is_empty()
        && parts.iter().all(Option::is_some)
        && (issue.severity == IssueSeverity::Minor
            || parts.contains(&Some(IssueSeverity::Blocking)))
}

/// Returns an issue whose merges form a cycle.
fn in_circle(changes: &[IssueChange]) -> Option<IssueId> {
    let merges = changes.iter().filter_map(|change| match change.to {
        IssueStatus::Merged { into } => Some((change.issue, into)),
        _ => None,
    });
    let mut left: BTreeMap<IssueId, IssueId> = merges.collect();
    loop {
        let held: BTreeSet<IssueId> = left.keys().copied().collect();
        left.retain(|_, into| held.contains(into));
        if left.len() == held.len() {
            return left.into_keys().next();
        }
    }
}
