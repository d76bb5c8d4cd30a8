//! The coach proposes, the engine admits: what a summary adds to the draft and what happens to each
//! issue.

use std::collections::{BTreeMap, BTreeSet};

use super::cited::cited_role;
use super::consensus::{ConsensusItem, Supporter};
use super::debate;
use super::decide::parse_id;
use super::event::{EnteredIssue, Event, LedgerRefusal, LedgerRule, Receipt};
use super::inputs::Counters;
use super::issue::{IssueChange, IssueOrigin, IssueRecord, IssueStatus};
use super::notes::{folded, line, refusal, titled};
use super::proposed_text::{self, IssueText, merged_into, named_text};
use super::stalled::is_stalled;
use super::state::State;
use super::vote;
use crate::ids::{ConsensusId, IssueId};
use crate::reply::{Contribution, Fate, FateKind, IssueSeverity, NewIssue, Reminder};
use crate::role::RoleId;

/// Maximum number of issues that one issue may be refined into.
pub const MAX_PARTS: usize = 4;
/// From this round on a summary may not leave more open issues than it found.
pub const SHRINK_FROM_ROUND: u32 = 3;

/// Turns the coach's summary into an event, with what was said and what was admitted.
pub fn summary(state: &State, receipt: Receipt, answer: Contribution) -> Event {
    let mut draft = SummaryDraft::new(state, &answer);
    let fates = draft.fates;
    // Merges first: an objection to a merged issue counts against the other one, too.
    for fate in fates.iter().filter(|f| f.fate == FateKind::Merged) {
        draft.take(fate);
    }
    for fate in fates
        .iter()
        .filter(|f| !matches!(f.fate, FateKind::Merged | FateKind::Refined))
    {
        draft.take(fate);
    }
    // Refinements last: the number of allowed parts depends on how many issues were closed.
    for fate in fates.iter().filter(|f| f.fate == FateKind::Refined) {
        draft.take(fate);
    }
    draft.take_back_empty_drops();
    draft.name_the_forgotten();
    draft.refuse_inventions();
    for asked in &answer.questions {
        let detail = "a summary asks nobody; left out";
        draft.refuse(LedgerRule::Invented, &asked.question, detail);
    }
    let reminders = draft.reminders(&answer);
    let (divergences, refused) = debate::of_summary(state, &answer, &draft.changes);
    let mut divergences = divergences.into_iter();
    draft.refused.extend(refused);
    let calls_vote = match vote::called_by_coach(state, &answer, &draft.changes) {
        Some(Ok(why)) => Some(why),
        Some(Err(detail)) => {
            draft.refuse(LedgerRule::Repeated, vote::END, detail);
            None
        }
        None => None,
    };
    Event::ConsensusSummary {
        receipt,
        output: answer.analysis.clone(),
        consensus: draft.admitted,
        changes: draft.changes.into_values().collect(),
        new_issues: draft.entered,
        reminders,
        refused: draft.refused,
        calls_vote,
        divergence: divergences.next(),
        more_divergences: divergences.collect(),
        summary: answer,
        proposes_end: false,
        response_text: None,
    }
}

/// Processes a summary, one fate at a time.
struct SummaryDraft<'a> {
    state: &'a State,
    fates: &'a [Fate],
    parts: &'a [NewIssue],
    counters: Counters,
    admitted: Vec<ConsensusItem>,
    changes: BTreeMap<IssueId, IssueChange>,
    entered: Vec<EnteredIssue>,
    used_parts: BTreeSet<usize>,
    spoken_of: BTreeSet<IssueId>,
    refused: Vec<LedgerRefusal>,
}

/// Why a fate is refused.
type Refusal = (LedgerRule, String);

impl<'a> SummaryDraft<'a> {
    fn new(state: &'a State, answer: &'a Contribution) -> Self {
        Self {
            state,
            fates: answer.coach.as_ref().map_or(&[], |coach| &coach.fates),
            parts: &answer.new_issues,
            counters: state.run.counters.clone(),
            admitted: Vec::new(),
            changes: BTreeMap::new(),
            entered: Vec::new(),
            used_parts: BTreeSet::new(),
            spoken_of: BTreeSet::new(),
            refused: Vec::new(),
        }
    }

    fn take(&mut self, fate: &Fate) {
        let issue = parse_id::<IssueId>(&fate.issue)
            .and_then(|id| self.state.ledger.find(id))
            .filter(|issue| issue.is_open());
        let Some(issue) = issue else {
            let detail = "no open issue has this id";
            self.refuse(LedgerRule::UnknownId, &fate.issue, detail);
            return;
        };
        self.spoken_of.insert(issue.id);
        if let Err((rule, detail)) = self.enact(issue, fate) {
            self.refuse(rule, &issue.id.to_string(), &detail);
        }
    }

    fn enact(&mut self, issue: &IssueRecord, fate: &Fate) -> Result<(), Refusal> {
        let closed = self.changes.get(&issue.id).map(|change| &change.to);
        let again = matches!(
            (closed, fate.fate),
            (Some(IssueStatus::Settled { .. }), FateKind::Settled) | (None, _)
        );
        if !again {
            let detail = "it was given another fate in the same summary".to_owned();
            return Err((LedgerRule::Repeated, detail));
        }
        match fate.fate {
            FateKind::Open => self.leave_open(issue),
            FateKind::Settled => self.settle(issue, fate),
            FateKind::Merged => self.merge(issue, fate),
            FateKind::Refined => self.refine(issue, fate),
            FateKind::Dropped => {
                let reason = reason_for(fate)?;
                self.unopposed(issue, "it was dropped")?;
                if issue.severity == IssueSeverity::Blocking {
                    self.unsupported(issue)?;
                }
                self.change(issue.id, IssueStatus::Dropped, Some(reason));
                Ok(())
            }
            FateKind::Deferred if issue.severity == IssueSeverity::Blocking => Err((
                LedgerRule::BlockingDeferred,
                "only minor issues can be left for later".to_owned(),
            )),
            FateKind::Deferred => {
                let reason = reason_for(fate)?;
                self.unopposed(issue, "it was left for later")?;
                self.change(issue.id, IssueStatus::Deferred, Some(reason));
                Ok(())
            }
        }
    }

    /// Refuses to leave an issue open twice while nobody says anything new about it.
    fn leave_open(&self, issue: &IssueRecord) -> Result<(), Refusal> {
        if is_stalled(self.state, issue) {
            let detail = "left open again, and nobody took a new position on it".to_owned();
            return Err((LedgerRule::Stalled, detail));
        }
        Ok(())
    }

    fn settle(&mut self, issue: &IssueRecord, fate: &Fate) -> Result<(), Refusal> {
        let cites = fate.cites.as_deref().unwrap_or_default().trim();
        let Some(text) = named_text(self.state, issue, cites) else {
            let detail = match cites {
                "" => "it does not say which text is agreed".to_owned(),
                _ => format!("`{}` proposed no text on it", line(cites)),
            };
            return Err((LedgerRule::NotProposed, detail));
        };
        let supporters = self.admissible(issue, text)?;
        let mut beside = self.admitted.iter().filter(|item| item.issue == issue.id);
        let is_again = beside.any(|item| {
            let admitted = issue.text(item.text_id);
            admitted.is_some_and(|other| issue.is_one_chain(other, text))
        });
        if is_again {
            let detail = "the same text, or one it is made from, was admitted already".to_owned();
            return Err((LedgerRule::Repeated, detail));
        }
        let also = self.complements(issue);
        let merged = merged_into(self.state, self.changes.values(), issue.id);
        if let Some(rival) = proposed_text::rival(issue, text, &also, merged) {
            let detail = format!(
                "`{}` is a rival text, and one of them has to give way",
                rival.id
            );
            return Err((LedgerRule::Rival, detail));
        }
        let id = self.counters.next_consensus();
        let wording = fate.wording.clone().map(|w| w.trim().to_owned());
        self.admitted.push(ConsensusItem {
            id,
            issue: issue.id,
            text: text.text.clone(),
            text_id: text.id,
            wording: wording.filter(|w| !w.is_empty() && *w != text.text),
            proposed_by: text.author().clone(),
            proposed_round: text.round(),
            round: self.state.round,
            supporters,
            version: self.state.inputs.version,
        });
        self.add_settled(issue.id, id, fate.reason.clone());
        Ok(())
    }

    fn admissible(&self, issue: &IssueRecord, text: &IssueText) -> Result<Vec<Supporter>, Refusal> {
        let merged = merged_into(self.state, self.changes.values(), issue.id);
        proposed_text::admissible(self.state, issue, text, &issue.objectors_of(merged))
    }

    /// Returns the texts of an issue that, as the coach says with a reason for each, complement
    /// each other, if all of them can join the draft together; otherwise none.
    fn complements<'b>(&self, issue: &'b IssueRecord) -> Vec<&'b IssueText> {
        let is_of_it = |fate: &&Fate| {
            fate.fate == FateKind::Settled && parse_id::<IssueId>(&fate.issue) == Some(issue.id)
        };
        let told = self.fates.iter().filter(is_of_it).map(|fate| {
            let text = named_text(self.state, issue, fate.cites.as_deref()?.trim())?;
            reason_for(fate).ok()?;
            self.admissible(issue, text).ok()?;
            Some(text)
        });
        told.collect::<Option<Vec<_>>>().unwrap_or_default()
    }

    fn add_settled(&mut self, issue: IssueId, item: ConsensusId, reason: Option<String>) {
        if let Some(change) = self.changes.get_mut(&issue)
            && let IssueStatus::Settled { by } = &mut change.to
        {
            by.push(item);
            return;
        }
        self.change(issue, IssueStatus::Settled { by: vec![item] }, reason);
    }

    /// Refuses the coach's step, named by `done`, while a member's position is against it.
    fn unopposed(&self, issue: &IssueRecord, done: &str) -> Result<(), Refusal> {
        let objectors = self.objectors(issue);
        let roles = &self.state.inputs.roles;
        let names: Vec<&str> = objectors.iter().map(|member| roles.code(member)).collect();
        let verb = match names.as_slice() {
            [] => return Ok(()),
            [_] => "objects",
            _ => "object",
        };
        let detail = format!("{done}, but {} {verb}", names.join(", "));
        Err((LedgerRule::ObjectionStands, detail))
    }

    /// Refuses to drop what the user asked for while a member supports a text on it: what can be
    /// agreed must be settled.
    fn unsupported(&self, issue: &IssueRecord) -> Result<(), Refusal> {
        let is_asked = matches!(
            issue.origin,
            IssueOrigin::Requirement | IssueOrigin::Feedback { .. } | IssueOrigin::Reopened { .. }
        );
        if is_asked && issue.standing_texts().next().is_some() {
            let detail = "it was asked for, and a text on it has support: settle that, or say what speaks against it";
            return Err((LedgerRule::SupportStands, detail.to_owned()));
        }
        Ok(())
    }

    /// Keeps dropped issues open if nothing is agreed and no blocking issue would be left: an empty
    /// plan is not an agreement.
    fn take_back_empty_drops(&mut self) {
        let is_agreed = self.state.draft.standing().next().is_some() || !self.admitted.is_empty();
        let goes_on = |issue: &IssueRecord| !self.changes.contains_key(&issue.id);
        let is_left = self.state.ledger.blocking().any(goes_on)
            || self
                .entered
                .iter()
                .any(|e| e.severity == IssueSeverity::Blocking);
        if is_agreed || is_left {
            return;
        }
        let is_dropped = |id: &IssueId| {
            let change = self.changes.get(id);
            change.is_some_and(|change| change.to == IssueStatus::Dropped)
        };
        let blocking = self.state.ledger.blocking().map(|issue| issue.id);
        let dropped: Vec<IssueId> = blocking.filter(is_dropped).collect();
        for id in dropped {
            self.changes.remove(&id);
            let detail = "nothing is agreed, and nothing would be left to agree on";
            self.refuse(LedgerRule::NothingLeft, &id.to_string(), detail);
        }
    }

    /// Returns the objectors to the issue and to everything merged into it in this summary.
    fn objectors(&self, issue: &IssueRecord) -> Vec<RoleId> {
        let merged = merged_into(self.state, self.changes.values(), issue.id);
        issue.objectors_with(merged).into_iter().cloned().collect()
    }

    fn merge(&mut self, issue: &IssueRecord, fate: &Fate) -> Result<(), Refusal> {
        let target = fate
            .into
            .first()
            .and_then(|id| parse_id::<IssueId>(id))
            .and_then(|id| self.state.ledger.find(id))
            .filter(|target| {
                target.is_open() && target.id != issue.id && !self.changes.contains_key(&target.id)
            });
        let Some(target) = target else {
            let detail = "it can only be merged into another open issue".to_owned();
            return Err((LedgerRule::BadTarget, detail));
        };
        if issue.severity == IssueSeverity::Blocking && target.severity == IssueSeverity::Minor {
            let detail = "a blocking issue cannot vanish into a minor one".to_owned();
            return Err((LedgerRule::BadTarget, detail));
        }
        if self.is_merge_target(issue.id) {
            let detail = "another issue was merged into it in the same summary".to_owned();
            return Err((LedgerRule::BadTarget, detail));
        }
        self.change(
            issue.id,
            IssueStatus::Merged { into: target.id },
            fate.reason.clone(),
        );
        Ok(())
    }

    fn is_merge_target(&self, id: IssueId) -> bool {
        self.changes
            .values()
            .any(|change| change.to == IssueStatus::Merged { into: id })
    }

    fn refine(&mut self, issue: &IssueRecord, fate: &Fate) -> Result<(), Refusal> {
        let mut fresh = BTreeSet::new();
        for target in &fate.into {
            let key = target.trim();
            let Some(part) = self.parts.iter().position(|part| part.key.trim() == key) else {
                let detail = format!("`{}` cannot be refined into it; left out", issue.id);
                self.refuse(LedgerRule::BadTarget, key, &detail);
                continue;
            };
            if !self.used_parts.contains(&part) && !self.parts[part].title.trim().is_empty() {
                fresh.insert(part);
            }
        }
        if fresh.is_empty() {
            let detail = "it can only be refined into new issues".to_owned();
            return Err((LedgerRule::BadTarget, detail));
        }
        if fresh.len() > MAX_PARTS || fresh.len() > self.room_for_parts() {
            let detail = format!("{} new issues would make the list grow", fresh.len());
            return Err((LedgerRule::ListGrew, detail));
        }
        let blocking = issue.severity == IssueSeverity::Blocking;
        let keeps_hold = fresh
            .iter()
            .any(|part| self.parts[*part].severity == IssueSeverity::Blocking);
        // An objection may be about any of the parts, so none of them may become minor.
        let is_disputed = !self.objectors(issue).is_empty();
        let mut into = Vec::new();
        for (nth, part) in fresh.into_iter().enumerate() {
            let new = &self.parts[part];
            // A blocking issue cannot be refined into minor issues only.
            let is_needed = is_disputed || (!keeps_hold && nth == 0);
            let lift = blocking && is_needed && new.severity == IssueSeverity::Minor;
            let id = self.counters.next_issue();
            into.push(id);
            self.used_parts.insert(part);
            if lift {
                let detail = "a blocking issue continues in it, so it is blocking too";
                self.refuse(LedgerRule::BadTarget, &id.to_string(), detail);
            }
            let (title, detail) = titled(&new.title, &new.detail);
            self.entered.push(EnteredIssue {
                id,
                title,
                detail,
                severity: if lift {
                    IssueSeverity::Blocking
                } else {
                    new.severity
                },
                origin: IssueOrigin::Refined { parent: issue.id },
            });
        }
        let status = IssueStatus::Refined { into };
        self.change(issue.id, status, fate.reason.clone());
        Ok(())
    }

    /// Returns how many issues a refinement may add: [`MAX_PARTS`] at first, from round
    /// [`SHRINK_FROM_ROUND`] on only as many as this summary has closed, including itself.
    fn room_for_parts(&self) -> usize {
        if self.state.round < SHRINK_FROM_ROUND {
            return MAX_PARTS;
        }
        (self.changes.len() + 1).saturating_sub(self.entered.len())
    }

    fn change(&mut self, issue: IssueId, to: IssueStatus, reason: Option<String>) {
        let reason = reason.filter(|text| !text.trim().is_empty());
        let round = self.state.round;
        let change = IssueChange {
            issue,
            round,
            to,
            reason,
        };
        self.changes.insert(issue, change);
    }

    fn name_the_forgotten(&mut self) {
        let forgotten: Vec<String> = self
            .state
            .ledger
            .open()
            .filter(|issue| !self.spoken_of.contains(&issue.id))
            .map(|issue| issue.id.to_string())
            .collect();
        for id in forgotten {
            self.refuse(
                LedgerRule::Forgotten,
                &id,
                "the summary does not speak of it; it stays open",
            );
        }
    }

    fn refuse_inventions(&mut self) {
        for (nth, part) in self.parts.iter().enumerate() {
            if !self.used_parts.contains(&nth) {
                let detail = "no member raised it and no issue was refined into it";
                self.refused
                    .push(refusal(LedgerRule::Invented, &part.title, detail));
            }
        }
    }

    fn reminders(&mut self, answer: &Contribution) -> Vec<Reminder> {
        let given = answer
            .coach
            .as_ref()
            .map(|coach| coach.reminders.as_slice());
        let mut kept = Vec::new();
        for reminder in given.unwrap_or_default() {
            match cited_role(self.state, reminder.member.trim()) {
                Some(role) if !role.id.is_coach() => kept.push(Reminder {
                    member: role.code.clone(),
                    text: folded(&reminder.text),
                }),
                _ => self.refuse(LedgerRule::UnknownId, &reminder.member, "no such member"),
            }
        }
        kept
    }

    fn refuse(&mut self, rule: LedgerRule, about: &str, detail: &str) {
        self.refused.push(refusal(rule, about, detail));
    }
}

fn reason_for(fate: &Fate) -> Result<String, Refusal> {
    fate.reason
        .clone()
        .filter(|reason| !reason.trim().is_empty())
        .ok_or_else(|| {
            (
                LedgerRule::NoReason,
                "it was closed without a reason".to_owned(),
            )
        })
}
