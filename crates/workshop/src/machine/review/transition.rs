//! What the events of a review change.

use std::collections::BTreeSet;

use super::due::{ReviewStep, due, has_reviewed, is_due, reviewers};
use super::event::{Amendment, FindingVerdicts, PlanChecked, PlanReviewed, ReviewClosed};
use super::record::{
    AMENDED_FOR_REVIEW, AnsweredFinding, FindingFate, MissedPart, MissedTurn, NoReviewReason,
    Review, ReviewFinding, Writing,
};
use super::target;
use crate::call::{CallId, Purpose};
use crate::ids::FindingId;
use crate::machine::budget;
use crate::machine::ending::Stop;
use crate::machine::event::StopReason;
use crate::machine::illegal::{Illegal, Verdict, ensure, refuse};
use crate::machine::normalize::{advance_counters, check_document, is_dangling};
use crate::machine::state::{Stage, State};
use crate::reply::FindingVerdict;
use crate::role::RoleId;

impl State {
    /// All is written: members review it next, or `otherwise` follows.
    pub(in crate::machine) fn begin_review(&mut self, without_model: bool, otherwise: Stage) {
        self.review.unheld = Review::left_out(self, without_model);
        self.stage = match self.review.unheld {
            None => Stage::Reviewing,
            Some(_) => otherwise,
        };
    }

    /// The engine checked the plan: what it found before is mended, or is there once more. Then it
    /// is open again and goes to its writer, unless the writer declined it.
    pub(in crate::machine) fn plan_checked(&mut self, checked: &PlanChecked) -> Verdict {
        let is_due = due(self) == Some(ReviewStep::Check);
        ensure!(is_due, "no check of the plan is due");
        let (review, counters) = (&mut self.review, &mut self.run.counters);
        review.checks += 1;
        let own = review.findings.iter_mut().filter(|one| one.by.is_none());
        for finding in own {
            let again = checked.found.iter().any(|found| found.is(finding));
            match (again, finding.fate) {
                (false, _) => finding.fate = FindingFate::Mended,
                (true, FindingFate::Declined) => {}
                _ => {
                    finding.fate = FindingFate::Open;
                    finding.pass = review.checks;
                    finding.answers.clear();
                }
            }
        }
        for found in &checked.found {
            if review.findings.iter().any(|finding| found.is(finding)) {
                continue;
            }
            review.findings.push(ReviewFinding {
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
        self.number_findings();
        Ok(())
    }

    /// A member reviewed; what it found waits for the others.
    pub(in crate::machine) fn reviewed(&mut self, reviewed: &PlanReviewed) -> Verdict {
        let (member, found) = (&reviewed.member, &reviewed.findings);
        let is_own = reviewed.receipt.call.member == *member;
        ensure!(is_own, "somebody else was asked");
        self.review.waiting.insert(member.clone(), found.clone());
        self.number_findings();
        Ok(())
    }

    /// Gives their ids to findings that have none yet, once all reviews are in.
    fn number_findings(&mut self) {
        let members: Vec<RoleId> = reviewers(self).cloned().collect();
        let is_in = |id| has_reviewed(&self.review, id);
        if self.review.heard || !members.iter().all(is_in) {
            return;
        }
        self.review.heard = true;
        for member in members {
            for found in self.review.waiting.remove(&member).unwrap_or_default() {
                let documents = target::writings(self, &found.about, &found.mend);
                let fate = if documents.is_empty() {
                    FindingFate::LeftToUser
                } else {
                    FindingFate::Open
                };
                self.review.findings.push(ReviewFinding {
                    id: self.run.counters.next_finding(),
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
    }

    /// A writer answered the findings put to it; it must have changed what it says it fixed.
    pub(in crate::machine) fn amended(&mut self, amended: &Amendment) -> Verdict {
        let call = &amended.receipt.call;
        ensure!(is_due(self, call), "nothing waits for call `{call}`");
        if let Some(content) = &amended.content {
            let is_it = amended.kind == content.kind().into();
            ensure!(is_it, "the content is another document");
            let before = self.documents.written.get(&content.kind());
            let is_changed = before.map(|one| &one.content) != Some(content);
            ensure!(is_changed, "the document is the same");
            check_document(self, content).map_err(Illegal)?;
        }
        if amended.synthesis.is_some() {
            let is_it = amended.kind == Writing::Synthesis;
            ensure!(is_it, "a document is no synthesis");
            let is_changed = amended.synthesis != self.synthesis();
            ensure!(is_changed, "the document is the same");
        }
        let changes = amended.content.is_some() || amended.synthesis.is_some();
        let mut review = self.review.clone();
        let put: BTreeSet<FindingId> = review.put_by(call).map(|one| one.id).collect();
        for answer in &amended.findings {
            let found = put.iter().find(|id| id.to_string() == answer.finding);
            let finding = review.findings.iter_mut();
            let finding = found.and_then(|id| finding.into_iter().find(|one| one.id == *id));
            let Some(finding) = finding else {
                refuse!("`{}` was not put to its writer", answer.finding);
            };
            let is_true = changes || !answer.mended;
            ensure!(
                is_true,
                "`{}` is said to be fixed, but nothing has changed",
                finding.id
            );
            finding.answers.push(AnsweredFinding {
                document: amended.kind,
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
        review.amended.insert(amended.kind, amendments(call));
        self.review = review;
        if let Some(synthesis) = &amended.synthesis {
            self.put_together(synthesis);
        }
        let Some(content) = &amended.content else {
            return Ok(());
        };
        advance_counters(&mut self.run.counters, content);
        if let Some(record) = self.documents.written.get_mut(&content.kind()) {
            record.content = content.clone();
            record.carried = None;
            record.without_model = false;
            record.notes.retain(|note| !is_dangling(note));
            record.notes.extend(amended.notes.iter().cloned());
        }
        Ok(())
    }

    /// A finder said whether its declined findings still hold.
    pub(in crate::machine) fn judged(&mut self, judged: &FindingVerdicts) -> Verdict {
        let is_own = judged.receipt.call.member == judged.member;
        ensure!(is_own, "somebody else was asked");
        let asked = self.review.put_back_to(&judged.member);
        let asked: Vec<String> = asked.map(|finding| finding.id.to_string()).collect();
        let mut verdicts = judged.verdicts.iter();
        if let Some(other) = verdicts.find(|one| !asked.contains(&one.finding)) {
            refuse!("`{}` was not put back to its finder", other.finding);
        }
        self.judge_findings(&judged.member, &judged.verdicts);
        Ok(())
    }

    /// Findings that their finder does not mention still hold.
    fn judge_findings(&mut self, finder: &RoleId, verdicts: &[FindingVerdict]) {
        let is_asked =
            |one: &&mut ReviewFinding| one.by.as_ref() == Some(finder) && one.is_disputed();
        for finding in self.review.findings.iter_mut().filter(is_asked) {
            let id = finding.id.to_string();
            let own = verdicts.iter().find(|verdict| verdict.finding == id);
            finding.why = own.map(|verdict| verdict.why.clone());
            finding.fate = match own {
                Some(verdict) if !verdict.upholds => FindingFate::Withdrawn,
                _ => FindingFate::Upheld,
            };
        }
        self.review.judged.insert(finder.clone());
    }

    /// The review goes on without somebody who gave no usable answer.
    pub(in crate::machine) fn review_missed(&mut self, call: &CallId, reason: &str) {
        let part = match (Writing::of(call.purpose), call.purpose) {
            (Some(writing), _) => {
                self.review.amended.insert(writing, amendments(call));
                MissedPart::Amendment
            }
            (None, Purpose::Verdict) => {
                self.judge_findings(&call.member, &[]);
                MissedPart::Verdict
            }
            _ => MissedPart::Review,
        };
        self.review.missing.push(MissedTurn {
            member: call.member.clone(),
            part,
            reason: reason.to_owned(),
        });
        self.number_findings();
    }

    /// The review is over, and what is blocking and neither mended nor withdrawn is upheld.
    pub(in crate::machine) fn review_closed(&mut self, closed: &ReviewClosed) -> Verdict {
        let due = due(self);
        let is_due = match closed.cut {
            None => due == Some(ReviewStep::Close),
            Some(_) => due.is_some() && !budget::figures(self).is_empty(),
        };
        let is_over = is_due && self.calls.open.is_empty();
        ensure!(is_over, "the review is not at its end");
        let is_it = *closed == ReviewClosed::of(self, closed.cut);
        ensure!(is_it, "other findings stand");
        let is_held = reviewers(self).any(|id| !self.review.missed(id, MissedPart::Review));
        let review = &mut self.review;
        review.unheld = match closed.cut {
            Some(cut) if !review.heard => Some(cut),
            None if !is_held => Some(NoReviewReason::NoReviewer),
            _ => None,
        };
        for finding in &mut review.findings {
            if closed.upheld.contains(&finding.id) {
                finding.fate = FindingFate::Upheld;
            }
        }
        self.stage = match self.team {
            Some(_) => Stage::Complete,
            None => Stage::Reporting,
        };
        let upheld = closed.upheld.len() as u64;
        if upheld > 0 && self.ending.is_agreed() {
            self.ending.stop = Some(Stop {
                reason: StopReason::Review,
                round: self.round,
                value: upheld,
                limit: 0,
                sign: None,
            });
        }
        Ok(())
    }
}

/// To which amendments a call of theirs belongs: 1 or 2.
fn amendments(call: &CallId) -> u32 {
    call.turn.saturating_sub(1)
}
