//! The end of a discussion and the documents written after it.

use crate::ids::IssueId;
use crate::machine::budget;
use crate::machine::carry_over;
use crate::machine::ending::{EndCause, Stop};
use crate::machine::event::{Event, StopReason};
use crate::machine::illegal::{Illegal, Verdict, ensure};
use crate::machine::normalize::{advance_counters, check_document};
use crate::machine::state::{DocumentRecord, Stage, State};
use crate::reply::ReportWords;

use super::BEFORE_CLOSING;

impl State {
    /// Checks that the figures of a budget that ends the discussion are the current ones.
    fn ensure_budget(&self, end: &EndCause) -> Verdict {
        self.ensure_at(&BEFORE_CLOSING)?;
        let figures = (end.value, end.limit);
        let mut due = budget::figures(self).into_iter();
        let is_due = due.any(|(of, now)| now == figures && end.unit.is_none_or(|unit| unit == of));
        ensure!(is_due, "the figures are not those of the budget");
        Ok(())
    }

    /// Checks that a cap on tokens or money is set: only a cap is a reason to render without a
    /// model.
    pub(in crate::machine) fn ensure_no_budget(&self) -> Verdict {
        let is_capped = !budget::figures(self).is_empty();
        ensure!(
            is_capped,
            "a model can be asked: no cap on tokens or money is set"
        );
        Ok(())
    }

    pub(super) fn discussion_ended(&mut self, end: &EndCause) -> Verdict {
        if end.reason == StopReason::Budget && end.sign.is_none() {
            self.ensure_budget(end)?;
        }
        // Speeches of a parallel round that a guard cuts short are kept.
        self.take_waiting();
        self.end_layer();
        self.ending.stop = Some(Stop {
            reason: end.reason,
            round: self.round,
            value: end.value,
            limit: end.limit,
            sign: end.sign,
        });
        self.ending.proposal = None;
        self.stage = Stage::Writing;
        self.close_if_written();
        Ok(())
    }

    pub(super) fn document_written(&mut self, event: &Event) -> Verdict {
        let Event::Document {
            receipt,
            kind,
            content,
            carried,
            evidence,
            accounts,
            notes,
        } = event
        else {
            return Ok(());
        };
        self.ensure_at(&[Stage::Writing])?;
        ensure!(content.kind() == *kind, "the content is another document");
        let is_due = self.next_documents().contains(kind);
        ensure!(is_due, "its turn has not come");
        match carried {
            Some(version) => carry_over::check(self, content, *version)?,
            None => check_document(self, content).map_err(Illegal)?,
        }
        let without_model = receipt.is_none() && carried.is_none();
        if without_model {
            self.ensure_no_budget()?;
        }
        advance_counters(&mut self.run.counters, content);
        let record = DocumentRecord {
            content: content.clone(),
            evidence: evidence.clone(),
            without_model,
            carried: *carried,
            accounts: accounts.clone(),
            notes: notes.clone(),
        };
        self.documents.written.insert(*kind, record);
        self.close_if_written();
        Ok(())
    }

    fn close_if_written(&mut self) {
        let kinds = self.document_kinds();
        if !kinds
            .iter()
            .all(|kind| self.documents.written.contains_key(kind))
        {
            return;
        }
        let mut documents = self.documents.written.values();
        let without_model = documents.any(|record| record.without_model);
        match self.team {
            None => self.begin_review(without_model, Stage::Reporting),
            Some(_) => self.stage = Stage::Reporting,
        }
        // In the order of the documents, whichever was finished first.
        for (kind, record) in self.documents.written.clone() {
            if let Some(writer) = self.inputs.roles.writer(kind).map(|role| role.id.clone()) {
                self.claim(&writer, &record.evidence);
            }
        }
    }

    pub(super) fn report_written(&mut self, is_by_model: bool, words: &ReportWords) -> Verdict {
        if !is_by_model {
            self.ensure_no_budget()?;
            self.ensure_at(&[Stage::Reporting])?;
        }
        self.documents.report_without_model = !is_by_model;
        self.documents.report = Some(words.clone());
        self.stage = Stage::Complete;
        Ok(())
    }

    pub(super) fn published(
        &mut self,
        reason: StopReason,
        blocking: &[IssueId],
        open: &[IssueId],
    ) -> Verdict {
        self.ensure_at(&[Stage::Complete])?;
        let is_reason = self
            .ending
            .stop
            .as_ref()
            .is_some_and(|stop| stop.reason == reason);
        ensure!(is_reason, "the reason is not why the discussion ended");
        let now_blocking = self.ledger.blocking().map(|issue| issue.id);
        let now_open = self.ledger.open().map(|issue| issue.id);
        let is_same =
            now_blocking.eq(blocking.iter().copied()) && now_open.eq(open.iter().copied());
        ensure!(is_same, "the open issues are others");
        self.stage = Stage::Published;
        Ok(())
    }
}
