//! The one transition function: entries fold into a state.
//!
//! Live running and replay both come through here. `apply` trusts its entry:
//! `check` has looked at it before.

mod answers;
mod hearing;
mod ledger;
mod opening;

use super::consensus::DraftLine;
use super::debate;
use super::decide::parse_id;
use super::event::{Entry, Event, FailureKind, Receipt};
use super::inputs::FeedbackItem;
use super::question::{AnswerSource, QuestionStatus};
use super::redacted::taken_out;
use super::review;
use super::state::{
    DocumentRecord, OpenCall, PassedOver, PastRound, Said, SpeechRecord, Stage, State, Stop,
    SummaryRecord,
};
use super::vote::Caller;
use crate::chat::FinishReason;
use crate::ids::{FeedbackId, IssueId};
use crate::reply::Contribution;

impl State {
    /// Takes one more entry in.
    pub fn apply(&mut self, entry: &Entry) {
        self.stamp(entry);
        match &entry.event {
            Event::UserInput { .. } => {}
            Event::KnowledgeSearch { survey } => {
                self.survey = Some(survey.clone());
                self.stage = Stage::Judging;
            }
            Event::CallStarted {
                call,
                reserve,
                reserve_usd,
                input_context,
                ..
            } => {
                let open = OpenCall {
                    reserve: *reserve,
                    reserve_usd: reserve_usd.unwrap_or_default(),
                    input_context: input_context.clone(),
                };
                self.calls.open.insert(call.clone(), open);
                if self.inputs.model_of(&call.member).is_by_hand() {
                    self.calls.by_hand.push(call.clone());
                }
                self.trials.tell(call);
            }
            Event::CallFailed {
                call,
                retryable,
                retry_after_ms,
                detail,
                kind,
                ..
            } => {
                if let Some(open) = self.calls.open.remove(call) {
                    self.calls.lose(&open);
                }
                self.calls.failed += 1;
                let model = &self.inputs.model_of(&call.member).model;
                let thinks = self.calls.thought.contains_key(model);
                let history = self.calls.troubled.entry(call.first()).or_default();
                history.spent_attempts = call.attempt;
                history.failures += 1;
                let asked_more = thinks && !history.larger_refused || history.only_needs_room();
                if asked_more && *kind == FailureKind::Refused {
                    history.larger_refused = true;
                } else {
                    history.refusals += u32::from(!retryable);
                }
                history.last_failure = Some(detail.clone());
                history.last_kind = Some(*kind);
                history.retry_after_ms = *retry_after_ms;
            }
            Event::ReplyRejected {
                receipt,
                output,
                reason,
                finish,
                put_back,
            } => {
                self.pay(receipt);
                self.calls.rejected += 1;
                let history = self.calls.troubled.entry(receipt.call.first()).or_default();
                history.spent_attempts = receipt.call.attempt;
                history.put_back |= put_back;
                match finish {
                    _ if *put_back => {}
                    FinishReason::Length => history.cuts += 1,
                    _ => history.rejections += 1,
                }
                history.last_cut = *finish == FinishReason::Length;
                // A cut reply would take as much of the next prompt as it took of the answer.
                let reply = if history.last_cut { "" } else { output };
                history.last_rejected = Some((reason.clone(), reply.to_owned()));
                history.last_nudged = None;
                history.retry_after_ms = None;
            }
            Event::CoachInitialJudgment {
                receipt,
                info,
                judgment,
                issues,
                invited,
                withdrawn,
                refused,
            } => {
                self.settle_call(receipt);
                self.invited.clone_from(invited);
                self.judgment = Some(info.clone());
                self.size = judgment.coach.as_ref().and_then(|coach| coach.size);
                self.judgment_refused.clone_from(refused);
                self.withdraw(withdrawn);
                self.enter_issues(issues);
                self.ask(&receipt.call.member, judgment);
                self.claim(&receipt.call.member, &judgment.evidence);
                self.initial_issues = self.ledger.open().count();
                self.stage = Stage::Between;
            }
            Event::RoundStarted { issues } => {
                let carried = self.carried_over();
                let said = std::mem::replace(&mut self.said, carried);
                if self.round > 0 {
                    let round = self.round;
                    self.past_rounds.push(PastRound { round, said });
                }
                self.round += 1;
                self.docket.begin_round();
                self.turns.begin_round();
                self.agenda.clone_from(issues);
                self.hear_words();
                self.stage = Stage::Speaking;
                if let Some(team) = &mut self.team {
                    team.begin_layer();
                }
                self.reach_barrier();
            }
            Event::Speaking {
                turn,
                receipt,
                speech,
                notes,
                output,
                proposes_end,
                response_text,
                ..
            } => {
                self.settle_call(receipt);
                if *proposes_end {
                    self.take_marker(&receipt.call.member, output, response_text.as_ref());
                }
                let record = SpeechRecord {
                    member: receipt.call.member.clone(),
                    round: self.round,
                    turn: *turn,
                    speech: speech.clone(),
                    issues: Vec::new(),
                    questions: Vec::new(),
                    notes: notes.clone(),
                };
                self.waiting_speeches.insert(*turn, record);
                self.reach_barrier();
            }
            Event::Evidence { evidence } => {
                let taken = self.take_evidence(evidence);
                debug_assert!(taken.is_ok(), "{taken:?}");
            }
            Event::Look {
                receipt,
                seen,
                asked,
                ..
            } => {
                let taken = self.take_look(receipt, seen, asked);
                debug_assert!(taken.is_ok(), "{taken:?}");
            }
            Event::TrialStarted {
                call,
                id,
                look,
                tree,
            } => {
                let taken = self.take_trial(call, *id, look, tree);
                debug_assert!(taken.is_ok(), "{taken:?}");
            }
            Event::TrialEnded { call, trial, found } => {
                let taken = self.end_trial(call, trial, found);
                debug_assert!(taken.is_ok(), "{taken:?}");
            }
            Event::PassedOver {
                phase_id: Some(phase),
                member,
                reason,
                ..
            } => self.step_passed_over(phase, member, reason),
            Event::PassedOver { member, reason, .. } => {
                self.passed_over.push(PassedOver {
                    member: member.clone(),
                    round: self.round,
                    reason: reason.clone(),
                });
                let blind = self.is_blind_round();
                self.turns.take([member].into_iter(), blind);
                if !self.is_blind_round() {
                    self.said.push(Said::PassedOver(self.passed_over.len() - 1));
                }
                self.reach_barrier();
            }
            Event::Inquiry { looked, .. } => self.take_inquiry(looked),
            Event::ClarificationRelayed {
                receipt, decisions, ..
            } => {
                self.settle_call(receipt);
                for decision in decisions {
                    if decision.looked_up {
                        self.answer_from_files(decision.id);
                        continue;
                    }
                    match &decision.answer {
                        Some(answer) => {
                            self.close_question(decision.id, AnswerSource::Discussion, answer);
                        }
                        None => {
                            self.set_question(
                                decision.id,
                                QuestionStatus::Passed { follow_up: None },
                            );
                        }
                    }
                }
            }
            Event::UserClarificationNeeded { id, .. } => {
                let follow_up = match self.question(*id).map(|q| &q.status) {
                    Some(QuestionStatus::Passed { follow_up }) => follow_up.clone(),
                    _ => None,
                };
                self.set_question(*id, QuestionStatus::Waiting { follow_up });
                self.ending.diligence.used.clear();
            }
            Event::UserClarificationDialogue {
                id,
                question,
                user_reply,
                source,
                message,
            } => {
                self.messages.extend(message.clone());
                self.take_reply(*id, question, user_reply, *source);
            }
            Event::ClarificationFollowedUp {
                receipt,
                id,
                follow_up,
                asked,
                ..
            } => {
                self.settle_call(receipt);
                match follow_up {
                    Some(text) => {
                        let follow_up = Some(text.clone());
                        self.set_question(*id, QuestionStatus::Passed { follow_up });
                        self.ask_further(*id, asked.clone());
                    }
                    None => self.close_replied(*id),
                }
            }
            Event::ClarificationSkipped { call, .. } => self.skip_clarification(call),
            Event::SimilarityMeasured { measurement } => {
                if let Some(asked) = &measurement.asked {
                    self.calls.used.input = self.calls.used.input.saturating_add(asked.tokens);
                }
                self.measurements.insert(self.round, measurement.clone());
            }
            Event::ConsensusSummary {
                receipt,
                output,
                summary,
                consensus,
                changes,
                new_issues,
                reminders,
                refused,
                proposes_end,
                response_text,
                calls_vote,
                divergence,
                more_divergences,
            } => {
                self.settle_call(receipt);
                let found = divergence.iter().chain(more_divergences);
                self.docket.found = found.cloned().collect();
                self.docket.declined = debate::declined(summary).collect();
                if *proposes_end {
                    self.take_marker(&receipt.call.member, output, response_text.as_ref());
                }
                let mut entered: Vec<IssueId> = self
                    .speeches_of(self.round)
                    .flat_map(|speech| speech.issues.clone())
                    .collect();
                entered.extend(new_issues.iter().map(|issue| issue.id));
                self.enter_issues(new_issues);
                for item in consensus {
                    self.counters.consensus = self.counters.consensus.max(item.id.0);
                    self.draft.push(DraftLine::Agreed { item: item.clone() });
                }
                self.change_issues(changes);
                self.summaries.push(SummaryRecord {
                    round: self.round,
                    text: output.clone(),
                    admitted: consensus.iter().map(|item| item.id).collect(),
                    discussed: self.agenda.clone(),
                    left_open: left_open(summary),
                    entered,
                    closed: changes.iter().map(|change| change.issue).collect(),
                    reminders: reminders.clone(),
                    refused: refused.clone(),
                    blocking_left: self.ledger.blocking().count(),
                });
                self.stage = Stage::Between;
                if calls_vote.is_some() {
                    self.open_vote(Caller::Coach);
                }
            }
            Event::TeamFormed(formed) => self.team_formed(formed),
            Event::PlanRevised(revised) => self.plan_revised(revised),
            Event::PhaseStarted(started) => self.phase_started(started),
            Event::ExpertStep(stepped) => self.expert_stepped(stepped),
            Event::ExpertResult(finished) => self.expert_finished(finished),
            Event::TeamSynthesis(synthesised) => self.synthesised(synthesised),
            Event::DebateStarted(started) => self.debate_started(started),
            Event::DivergenceUnjudged(_) => self.divergence_unjudged(),
            Event::DebateVoided(_) => self.debate_voided(),
            Event::ExpertArgument(argued) => self.argued(argued),
            Event::ArgumentMissing(missing) => self.argument_missing(missing),
            Event::DebateRoundSummary(summary) => self.debate_summed_up(summary),
            Event::DebateResolved(resolved) => self.debate_resolved(resolved),
            Event::GuardWarned { guard, .. } => {
                self.warned.insert(*guard);
            }
            Event::GuardFired {
                guard,
                value,
                limit,
                sign,
                ..
            } => {
                // Nothing that was said is lost when a guard cuts a side-by-side round.
                self.take_waiting();
                self.end_layer();
                self.stop = Some(Stop {
                    reason: *guard,
                    round: self.round,
                    value: *value,
                    limit: *limit,
                    sign: *sign,
                });
                self.stage = Stage::Closing;
                self.close_if_written();
            }
            Event::Document {
                receipt,
                kind,
                content,
                carried,
                evidence,
                accounts,
                notes,
            } => {
                if let Some(receipt) = receipt {
                    self.settle_call(receipt);
                }
                super::adopt::advance_counters(&mut self.counters, content);
                let record = DocumentRecord {
                    content: content.clone(),
                    evidence: evidence.clone(),
                    without_model: receipt.is_none() && carried.is_none(),
                    carried: *carried,
                    accounts: accounts.clone(),
                    notes: notes.clone(),
                };
                self.documents.insert(*kind, record);
                self.close_if_written();
            }
            Event::Report { receipt, words, .. } => {
                if let Some(receipt) = receipt {
                    self.settle_call(receipt);
                }
                // Words of the coach stand, where there is no room to write them anew.
                if receipt.is_some() || self.report.is_none() {
                    self.report_without_model = receipt.is_none();
                    self.report = Some(words.clone());
                }
                // Beside the last amendments of a review, the review goes on.
                if self.stage == Stage::Reporting {
                    self.stage = Stage::Complete;
                }
            }
            Event::PlanChecked(_)
            | Event::Review(_)
            | Event::Amendment(_)
            | Event::Verdicts(_)
            | Event::ReviewClosed(_) => {
                // Held against the rules before the line was written.
                if let Some(step) = review::step(&entry.event) {
                    step.apply(self).unwrap_or_default();
                }
            }
            Event::Resumed {
                accepted_drift,
                watched,
                models,
                ..
            } => {
                self.resumed += 1;
                if let Some(models) = models {
                    self.go_on_with(models);
                }
                self.ending.watched = *watched;
                self.trials.lose();
                for (call, open) in std::mem::take(&mut self.calls.open) {
                    // Its prompt lies in a file and waits, whichever process comes next.
                    if self.inputs.model_of(&call.member).is_by_hand() {
                        self.calls.open.insert(call, open);
                    } else {
                        self.calls.lose(&open);
                    }
                }
                for history in self.calls.troubled.values_mut() {
                    history.begin_anew();
                }
                for drift in accepted_drift {
                    if !self.accepted_drift.contains(drift) {
                        self.accepted_drift.push(drift.clone());
                    }
                }
            }
            Event::Published { .. } => self.stage = Stage::Published,
            other => self.take_ending(other),
        }
        self.hear_out();
    }

    fn stamp(&mut self, entry: &Entry) {
        self.seq = entry.seq;
        self.active_ms = entry.active_ms;
        self.last_activity_at.clone_from(&entry.ts);
        self.redacted = self.redacted.saturating_add(taken_out(&entry.event));
    }

    pub(super) fn pay(&mut self, receipt: &Receipt) {
        let member = &receipt.call.member;
        let asked = self.inputs.model_of(member);
        let book = &mut self.calls;
        if receipt.usage.reasoning > 0 {
            let thought = book.thought.entry(asked.model.clone()).or_default();
            *thought = receipt.usage.reasoning.max(*thought);
        }
        let asked_at = (asked.provider.clone(), asked.model.clone());
        let known = book.known.entry(asked_at).or_default();
        known.learn(receipt.answer_format, &receipt.terms);
        let longest = book.longest.entry(asked.model.clone()).or_default();
        *longest = receipt.usage.output.max(*longest);
        if receipt.call.purpose.is_closing() {
            book.longest_closing = book.longest_closing.max(receipt.usage.output);
        }
        if let Some(price) = asked.price {
            book.spent = book.spent.saturating_add(price.cost(&receipt.usage));
        }
        if let Some(open) = book.open.remove(&receipt.call)
            && open.input_context.bytes > 0
        {
            let ratio = receipt
                .usage
                .input
                .saturating_mul(1000)
                .div_ceil(open.input_context.bytes);
            book.tokens_per_kilobyte = book.tokens_per_kilobyte.max(ratio);
        }
        self.redacted = self.redacted.saturating_add(receipt.redacted);
        book.answered += 1;
        book.used += receipt.usage;
        book.latency_ms = book.latency_ms.saturating_add(receipt.latency_ms);
        *book.by_member.entry(member.clone()).or_default() += receipt.usage;
        let models = book.models.entry(member.clone()).or_default();
        if !models.contains(&receipt.model) {
            models.insert(receipt.model.clone());
        }
    }

    pub(super) fn settle_call(&mut self, receipt: &Receipt) {
        self.pay(receipt);
        self.calls.troubled.remove(&receipt.call.first());
        self.forget_asks(&receipt.call);
    }

    fn close_if_written(&mut self) {
        let all = self
            .document_kinds()
            .into_iter()
            .all(|kind| self.documents.contains_key(&kind));
        if all {
            let mut documents = self.documents.values();
            let without_model = documents.any(|record| record.without_model);
            match self.team {
                None => self.begin_review(without_model, Stage::Reporting),
                Some(_) => self.stage = Stage::Reporting,
            }
            // In the order of the documents, whichever came first.
            for (kind, record) in self.documents.clone() {
                if let Some(writer) = self.inputs.roles.writer(kind).map(|role| role.id.clone()) {
                    self.claim(&writer, &record.evidence);
                }
            }
        }
    }

    /// One point of the feedback.
    pub fn feedback_item(&self, id: FeedbackId) -> Option<&FeedbackItem> {
        self.feedback.iter().find(|item| item.id == id)
    }
}

/// Issues the coach explicitly left open.
fn left_open(summary: &Contribution) -> Vec<IssueId> {
    summary
        .coach
        .iter()
        .flat_map(|coach| &coach.fates)
        .filter(|fate| fate.fate == crate::reply::FateKind::Open)
        .filter_map(|fate| parse_id(&fate.issue))
        .collect()
}
