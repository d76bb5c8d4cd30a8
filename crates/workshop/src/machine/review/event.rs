//! The events of a review. Each event derives the next record from the previous one, or says why it
//! is not allowed.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::due::{Due, NO_ROOM, due, has_reviewed, reviewers};
use super::record::{
    AMENDED_FOR_REVIEW, AnsweredFinding, Finding, FindingFate, MissedPart, Missing, Review,
    Unreviewed, Writing,
};
use super::target;
use crate::ids::FindingId;
use crate::machine::budget;
use crate::machine::call::{CallId, Purpose};
use crate::machine::ending::Stop;
use crate::machine::event::{Event, Note, Receipt, StopReason};
use crate::machine::illegal::{Illegal, Verdict, ensure, refuse};
use crate::machine::inputs::Counters;
use crate::machine::normalize::{advance_counters, check_document};
use crate::machine::state::{Stage, State};
use crate::reply::{
    Document, DocumentKind, FindingAnswer, FindingKind, FindingVerdict, PlanFinding, Synthesis,
};
use crate::role::RoleId;

/// The engine checked the plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Checked {
    /// What is wrong with it.
    pub found: Vec<CheckedFinding>,
}

/// An error that the engine's check found, in the language of the documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckedFinding {
    /// The id, path or document concerned.
    pub about: String,
    /// The document in which it can be mended.
    pub document: DocumentKind,
    /// The problem.
    pub kind: FindingKind,
    /// In a sentence.
    pub text: String,
    /// What would mend it.
    pub mend: String,
}

/// A member read what is to be published, or gave no usable answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Reviewed {
    /// Its usage; `None` if its answers were unusable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Receipt>,
    /// Who.
    pub member: RoleId,
    /// What it says of it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// What it found; ids are given when all reviews are in, in the order of the members.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<PlanFinding>,
    /// Omissions, with reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// Why there is no review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed: Option<String>,
}

/// A document, or a team's synthesis, was put to its writer with what was found in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Amended {
    /// Its usage; `None` if the writer's answers were unusable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Receipt>,
    /// Which.
    pub kind: Writing,
    /// The document as it is now; none where it stays as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Document>,
    /// The synthesis as it is now; none where it stays as it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub synthesis: Option<Synthesis>,
    /// What became of each finding that the writer spoke of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<FindingAnswer>,
    /// Omissions, with reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// Why there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed: Option<String>,
}

/// A finder said whether its declined findings still hold, or gave no usable answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judged {
    /// Its usage; `None` if its answers were unusable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<Receipt>,
    /// Who.
    pub member: RoleId,
    /// What it says.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub output: String,
    /// One for each finding it was asked about; those it does not mention still hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<FindingVerdict>,
    /// Omissions, with reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// Why there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed: Option<String>,
}

/// The review is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewClosed {
    /// Blocking findings that still hold.
    pub upheld: Vec<FindingId>,
    /// Why it was broken off; none where it came to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cut: Option<Unreviewed>,
}

impl ReviewClosed {
    /// Returns the end of the review as recorded in the state.
    pub fn of(state: &State, cut: Option<Unreviewed>) -> Self {
        let stands = |finding: &&Finding| {
            let settled = [FindingFate::Mended, FindingFate::Withdrawn];
            finding.blocking && !settled.contains(&finding.fate)
        };
        let upheld = state.review.findings.iter().filter(stands);
        Self {
            upheld: upheld.map(|finding| finding.id).collect(),
            cut,
        }
    }
}

/// How an event of the review changes the record.
pub(in crate::machine) trait Step {
    /// Returns the record after the event.
    ///
    /// # Errors
    /// Why the event is not allowed.
    fn next(&self, state: &State) -> Result<Review, Illegal>;

    /// Returns the receipt of the answer, if any.
    fn receipt(&self) -> Option<&Receipt> {
        None
    }

    /// Applies its other changes to the state.
    fn settle(&self, _: &mut State) {}
}

/// Returns whether the event follows from the rules alone: nobody answered, and no budget cap is
/// the cause.
pub(in crate::machine) fn is_decided_by_rules(event: &Event) -> bool {
    let missed = match event {
        Event::Review(Reviewed { missed, .. })
        | Event::Amendment(Amended { missed, .. })
        | Event::Verdicts(Judged { missed, .. }) => missed.as_deref(),
        Event::ReviewClosed(closed) => return closed.cut.is_none(),
        _ => return false,
    };
    missed.is_some_and(|why| why != NO_ROOM)
}

/// Returns the event as a step of the review; `None` for any other event.
pub(in crate::machine) fn step(event: &Event) -> Option<&dyn Step> {
    Some(match event {
        Event::PlanChecked(step) => step,
        Event::Review(step) => step,
        Event::Amendment(step) => step,
        Event::Verdicts(step) => step,
        Event::ReviewClosed(step) => step,
        _ => return None,
    })
}

impl dyn Step + '_ {
    /// Applies the step.
    ///
    /// # Errors
    /// The event is not allowed; nothing is changed then.
    pub(in crate::machine) fn apply(&self, state: &mut State) -> Verdict {
        let mut review = self.next(state)?;
        number(state, &mut review);
        state.review = review;
        self.settle(state);
        Ok(())
    }
}

/// Assigns ids to the findings once all reviews are in.
fn number(state: &mut State, review: &mut Review) {
    let members: Vec<RoleId> = reviewers(state).cloned().collect();
    if !review.heard && members.iter().all(|id| has_reviewed(review, id)) {
        for member in members {
            for found in review.waiting.remove(&member).unwrap_or_default() {
                let documents = target::writings(state, &found.about, &found.mend);
                let fate = if documents.is_empty() {
                    FindingFate::LeftToHuman
                } else {
                    FindingFate::Open
                };
                review.findings.push(Finding {
                    id: state.run.counters.next_finding(),
                    by: Some(member.clone()),
                    about: found.about,
                    kind: found.kind,
                    text: found.text,
                    mend: found.mend,
                    blocking: found.blocking,
                    documents,
                    pass: AMENDED_FOR_REVIEW,
                    answers: Vec::new(),
                    fate,
                    why: None,
                });
            }
        }
        review.heard = true;
    }
    for finding in &review.findings {
        state.run.counters.finding = state.run.counters.finding.max(finding.id.0);
    }
}

impl Step for Checked {
    fn next(&self, state: &State) -> Result<Review, Illegal> {
        let is_due = due(state) == Some(Due::Check);
        ensure!(is_due, "no check of the plan is due");
        let mut review = state.review.clone();
        review.checks += 1;
        let mut counters: Counters = state.run.counters.clone();
        let own = review.findings.iter_mut().filter(|one| one.by.is_none());
        for finding in own {
            let is_there = self.found.iter().any(|found| found.is(finding));
            match finding.fate {
                FindingFate::Declined if is_there => {}
                _ if !is_there => finding.fate = FindingFate::Mended,
                _ => {
                    finding.fate = FindingFate::Open;
                    finding.pass = review.checks;
                    finding.answers.clear();
                }
            }
        }
        for found in &self.found {
            if review.findings.iter().any(|finding| found.is(finding)) {
                continue;
            }
            review.findings.push(Finding {
                id: counters.next_finding(),
                by: None,
                about: found.about.clone(),
                kind: found.kind,
                text: found.text.clone(),
                mend: found.mend.clone(),
                blocking: false,
                documents: vec![found.document.into()],
                pass: review.checks,
                answers: Vec::new(),
                fate: FindingFate::Open,
                why: None,
            });
        }
        Ok(review)
    }
}

impl CheckedFinding {
    /// Returns whether it is the same finding as in the previous check. A declined finding stays
    /// declined, even if the amended plan changes its description.
    fn is(&self, finding: &Finding) -> bool {
        let same = finding.by.is_none() && finding.about == self.about;
        let declined = finding.fate == FindingFate::Declined && finding.kind == self.kind;
        same && (finding.text == self.text || declined)
    }
}

impl Step for Reviewed {
    fn next(&self, state: &State) -> Result<Review, Illegal> {
        let due = due_call(state, Purpose::Review, &self.member)?;
        came(state, self.receipt.as_ref(), &due, self.missed.as_deref())?;
        let mut review = state.review.clone();
        match &self.missed {
            None => {
                let found = self.findings.clone();
                review.waiting.insert(self.member.clone(), found);
            }
            Some(reason) => review.miss(&self.member, MissedPart::Review, reason),
        }
        Ok(review)
    }

    fn receipt(&self) -> Option<&Receipt> {
        self.receipt.as_ref()
    }
}

impl Step for Amended {
    fn next(&self, state: &State) -> Result<Review, Illegal> {
        let writer = self.kind.writer(state);
        let Some(writer) = writer else {
            refuse!("nobody writes `{}`", self.kind.name());
        };
        let due = due_call(state, self.kind.purpose(), writer)?;
        came(state, self.receipt.as_ref(), &due, self.missed.as_deref())?;
        let pass = due.turn.saturating_sub(1);
        if let Some(content) = &self.content {
            let is_it = self.kind == content.kind().into();
            ensure!(is_it, "the content is another document");
            let before = state.documents.written.get(&content.kind());
            let is_changed = before.map(|one| &one.content) != Some(content);
            ensure!(is_changed, "the document is the same");
            check_document(state, content).map_err(Illegal)?;
        }
        if self.synthesis.is_some() {
            let is_it = self.kind == Writing::Synthesis;
            ensure!(is_it, "a document is no synthesis");
            let is_changed = self.synthesis != state.synthesis();
            ensure!(is_changed, "the document is the same");
        }
        let mut review = state.review.clone();
        let put: BTreeSet<FindingId> = review.put_by(&due).map(|one| one.id).collect();
        for answer in &self.findings {
            let found = put.iter().find(|id| id.to_string() == answer.finding);
            let finding = review.findings.iter_mut();
            let finding = found.and_then(|id| finding.into_iter().find(|one| one.id == *id));
            let Some(finding) = finding else {
                refuse!("`{}` was not put to its writer", answer.finding);
            };
            let is_true = self.changes_something() || !answer.mended;
            ensure!(
                is_true,
                "`{}` is mended, and nothing has changed",
                finding.id
            );
            finding.answers.push(AnsweredFinding {
                document: self.kind,
                mended: answer.mended,
                because: answer.because.clone(),
            });
            // A blocking finding is fixed only if no writer involved declined it.
            let mut answers = finding.answers.iter();
            let is_mended = match finding.blocking {
                true => answers.all(|one| one.mended),
                false => answers.any(|one| one.mended),
            };
            finding.fate = match is_mended {
                true => FindingFate::Mended,
                false => FindingFate::Declined,
            };
        }
        review.amended.insert(self.kind, pass);
        if let Some(reason) = &self.missed {
            review.miss(writer, MissedPart::Amendment, reason);
        }
        Ok(review)
    }

    fn receipt(&self) -> Option<&Receipt> {
        self.receipt.as_ref()
    }

    fn settle(&self, state: &mut State) {
        if let Some(synthesis) = &self.synthesis {
            state.put_together(synthesis);
        }
        let Some(content) = &self.content else {
            return;
        };
        advance_counters(&mut state.run.counters, content);
        if let Some(record) = state.documents.written.get_mut(&content.kind()) {
            record.content = content.clone();
            record.carried = None;
            record.without_model = false;
            record.notes.extend(self.notes.iter().cloned());
        }
    }
}

impl Step for Judged {
    fn next(&self, state: &State) -> Result<Review, Illegal> {
        let due = due_call(state, Purpose::Verdict, &self.member)?;
        came(state, self.receipt.as_ref(), &due, self.missed.as_deref())?;
        let mut review = state.review.clone();
        let asked: BTreeSet<FindingId> = review.put_back_to(&self.member).map(|f| f.id).collect();
        let named = |verdict: &&FindingVerdict| {
            let name = &verdict.finding;
            !asked.iter().any(|id| id.to_string() == *name)
        };
        if let Some(other) = self.verdicts.iter().find(named) {
            refuse!("`{}` was not put back to its finder", other.finding);
        }
        let disputed = review.findings.iter_mut().filter(|f| asked.contains(&f.id));
        for finding in disputed {
            let mut verdicts = self.verdicts.iter();
            let own = verdicts.find(|verdict| verdict.finding == finding.id.to_string());
            finding.why = own.map(|verdict| verdict.why.clone());
            finding.fate = match own {
                Some(verdict) if !verdict.upholds => FindingFate::Withdrawn,
                _ => FindingFate::Upheld,
            };
        }
        review.judged.insert(self.member.clone());
        if let Some(reason) = &self.missed {
            review.miss(&self.member, MissedPart::Verdict, reason);
        }
        Ok(review)
    }

    fn receipt(&self) -> Option<&Receipt> {
        self.receipt.as_ref()
    }
}

impl Step for ReviewClosed {
    fn next(&self, state: &State) -> Result<Review, Illegal> {
        let due = due(state);
        let is_due = match self.cut {
            None => due == Some(Due::Close),
            Some(_) => due.is_some() && !budget::figures(state).is_empty(),
        };
        let is_over = is_due && state.calls.open.is_empty();
        ensure!(is_over, "the review is not at its end");
        let is_it = *self == Self::of(state, self.cut);
        ensure!(is_it, "other findings stand");
        let mut review = state.review.clone();
        let mut reviewed = reviewers(state).filter(|id| !review.missed(id, MissedPart::Review));
        review.unheld = match self.cut {
            Some(cut) if !review.heard => Some(cut),
            None if reviewed.next().is_none() => Some(Unreviewed::NoReviewer),
            _ => None,
        };
        for finding in &mut review.findings {
            if self.upheld.contains(&finding.id) {
                finding.fate = FindingFate::Upheld;
            }
        }
        Ok(review)
    }

    fn settle(&self, state: &mut State) {
        // The report of a team is written before the review, that of a plan in parallel with its
        // amendments.
        let is_true = state.team.is_some() || self.cut.is_some() || state.review.keeps_words();
        state.stage = match state.documents.report {
            Some(_) if is_true => Stage::Complete,
            _ => Stage::Reporting,
        };
        let upheld = self.upheld.len() as u64;
        if upheld > 0 && state.ending.is_agreed() {
            state.ending.stop = Some(Stop {
                reason: StopReason::Review,
                round: state.round,
                value: upheld,
                limit: 0,
                sign: None,
            });
        }
    }
}

impl Amended {
    fn changes_something(&self) -> bool {
        self.content.is_some() || self.synthesis.is_some()
    }
}

impl State {
    /// Begins the review once everything is written, or goes to the stage `otherwise` if there is
    /// none.
    pub(in crate::machine) fn begin_review(&mut self, without_model: bool, otherwise: Stage) {
        self.review.unheld = Review::left_out(self, without_model);
        self.stage = match self.review.unheld {
            None => Stage::Reviewing,
            Some(_) => otherwise,
        };
    }
}

impl Review {
    fn miss(&mut self, member: &RoleId, part: MissedPart, reason: &str) {
        self.missing.push(Missing {
            member: member.clone(),
            part,
            reason: reason.to_owned(),
        });
    }
}

/// Returns the due call of that purpose to a member.
fn due_call(state: &State, purpose: Purpose, member: &RoleId) -> Result<CallId, Illegal> {
    let calls = match due(state) {
        Some(Due::Calls(calls)) => calls,
        _ => Vec::new(),
    };
    let mut calls = calls.into_iter();
    let due = calls.find(|call| call.purpose == purpose && call.member == *member);
    due.ok_or_else(|| Illegal(format!("no {} of `{member}` is due", purpose.name())))
}

/// Checks that there is either an answer or a reason why there is none.
fn came(state: &State, receipt: Option<&Receipt>, due: &CallId, missed: Option<&str>) -> Verdict {
    let is_one = receipt.is_some() != missed.is_some();
    ensure!(is_one, "an answer or the reason for none is needed");
    if missed == Some(NO_ROOM) {
        ensure!(!state.is_asked(due), "`{due}` is being made");
        state.ensure_no_budget()?;
    }
    Ok(())
}
