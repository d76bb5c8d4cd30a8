//! Issues entered and changed, items withdrawn.

use std::collections::BTreeMap;

use crate::ids::IssueId;
use crate::machine::Positions;
use crate::machine::consensus::DraftLine;
use crate::machine::event::{EnteredIssue, WithdrawnItem};
use crate::machine::issue::{IssueChange, IssueRecord, IssueStatus, Origin, PositionRecord};
use crate::machine::state::State;
use crate::machine::text::IssueText;
use crate::reply::Stance;

impl State {
    pub(in crate::machine) fn enter_issues(&mut self, issues: &[EnteredIssue]) {
        for issue in issues {
            self.counters.issue = self.counters.issue.max(issue.id.0);
            self.ledger.enter(IssueRecord {
                left_by: None,
                held_in: None,
                id: issue.id,
                title: issue.title.clone(),
                detail: issue.detail.clone(),
                severity: issue.severity,
                origin: issue.origin.clone(),
                round: self.round,
                status: IssueStatus::Open,
                positions: Positions::default(),
                history: Vec::new(),
                texts: Vec::new(),
            });
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
        // After the merges: what was merged into an issue goes on with it.
        let told_anew = changes.iter().filter_map(|change| match &change.to {
            IssueStatus::Refined { into } => match into.as_slice() {
                [only] => Some((change.issue, *only)),
                _ => None,
            },
            _ => None,
        });
        self.bring_along(told_anew);
        self.bring_objections(changes);
    }

    /// What goes on in nothing but several issues that were there before takes its objections
    /// along to each: those may have support enough to be settled at once.
    fn bring_objections(&mut self, changes: &[IssueChange]) {
        for change in changes {
            let IssueStatus::Refined { into } = &change.to else {
                continue;
            };
            let parent = change.issue;
            let is_part = |id: &IssueId| {
                let origin = self.ledger.find(*id).map(|issue| &issue.origin);
                origin == Some(&Origin::Refined { parent })
            };
            if into.len() < 2 || into.iter().any(is_part) {
                continue;
            }
            let objections = |issue: &IssueRecord| -> Vec<_> {
                let latest = issue.positions.latest();
                let against = latest.filter(|position| position.stance == Stance::Object);
                // The text it was to stays behind: it is to whatever is proposed here.
                let to_all = |position: &PositionRecord| PositionRecord {
                    backs: None,
                    against: None,
                    ..position.clone()
                };
                against.map(to_all).collect()
            };
            let brought = self.ledger.find(parent).map(objections).unwrap_or_default();
            for id in into {
                if let Some(target) = self.ledger.find_mut(*id) {
                    target.take_positions([], brought.clone());
                }
            }
        }
    }

    /// Takes the texts and the latest positions of issues along to where they go on.
    fn bring_along(&mut self, moves: impl Iterator<Item = (IssueId, IssueId)>) {
        type Brought = (Vec<IssueText>, Vec<PositionRecord>);
        let mut brought: BTreeMap<IssueId, Brought> = BTreeMap::new();
        for (from, into) in moves {
            let Some(issue) = self.ledger.find(from) else {
                continue;
            };
            let (texts, positions) = brought.entry(into).or_default();
            texts.extend(issue.texts.iter().cloned());
            positions.extend(issue.positions.latest().cloned());
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
