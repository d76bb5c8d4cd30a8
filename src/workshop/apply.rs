//! The one transition function: entries fold into a state.
//!
//! Live running and replay both come through here. `apply` trusts its entry:
//! `check` has looked at it before.

use std::collections::{BTreeMap, BTreeSet};

use super::consensus::{ConsensusDraft, DraftLine};
use super::decide::parse_id;
use super::event::{EnteredIssue, Entry, Event, Receipt, WithdrawnItem};
use super::ids::{FeedbackId, IssueId, QuestionId};
use super::inputs::{FeedbackItem, FirstRound, Inputs, Previous};
use super::issue::{IssueChange, IssueLedger, IssueRecord, IssueStatus, Origin, PositionRecord};
use super::question::{AnswerSource, Assumption, Exchange, Question, QuestionStatus};
use super::state::{
    CallBook, DocumentRecord, OpenCall, PassedOver, Said, SpeechRecord, Stage, State, Stop,
    SummaryRecord,
};
use crate::reply::Contribution;

impl State {
    /// The state after line 1, a `user_input`; none for any other event.
    pub fn open(entry: &Entry) -> Option<Self> {
        let Event::UserInput {
            content,
            run_id,
            inputs,
            from,
            feedback,
        } = &entry.event
        else {
            return None;
        };
        let mut state = Self::empty(run_id, content, inputs, from.as_deref(), feedback);
        state.stamp(entry);
        state.started_at.clone_from(&entry.ts);
        Some(state)
    }

    fn empty(
        run_id: &str,
        requirement: &str,
        inputs: &Inputs,
        from: Option<&Previous>,
        feedback: &[FeedbackItem],
    ) -> Self {
        let mut state = Self {
            run_id: run_id.to_owned(),
            requirement: requirement.to_owned(),
            inputs: inputs.clone(),
            previous: from.cloned(),
            feedback: feedback.to_vec(),
            survey: None,
            stage: Stage::Opening,
            round: 0,
            judgment: None,
            judgment_refused: Vec::new(),
            agenda: Vec::new(),
            speeches: Vec::new(),
            waiting_speeches: BTreeMap::new(),
            passed_over: Vec::new(),
            said: Vec::new(),
            summaries: Vec::new(),
            ledger: IssueLedger::default(),
            draft: ConsensusDraft::default(),
            questions: Vec::new(),
            assumptions: Vec::new(),
            documents: BTreeMap::new(),
            report: None,
            report_without_model: false,
            stop: None,
            warned: BTreeSet::new(),
            calls: CallBook::default(),
            counters: from.map(|p| p.counters.clone()).unwrap_or_default(),
            messages: BTreeSet::new(),
            resumed: 0,
            accepted_drift: Vec::new(),
            seq: 0,
            started_at: String::new(),
            last_activity_at: String::new(),
            active_ms: 0,
        };
        if let Some(previous) = from {
            state.take_over(previous);
        }
        if let Some(last) = feedback.last() {
            state.counters.feedback = state.counters.feedback.max(last.id.0);
        }
        state
    }

    /// What an earlier version agreed stands; what it left open is open again,
    /// with positions still to be taken in this run.
    fn take_over(&mut self, previous: &Previous) {
        for item in &previous.consensus {
            self.draft.push(DraftLine::Agreed { item: item.clone() });
        }
        for question in &previous.questions {
            self.draft_answer(question, &previous.assumptions);
        }
        for issue in &previous.issues {
            let mut issue = issue.clone();
            if issue.is_open() {
                issue.positions.clear();
                issue.origin = Origin::Previous;
            }
            self.ledger.enter(issue);
        }
        let counters = &mut self.counters;
        for id in previous.issues.iter().map(|issue| issue.id.0) {
            counters.issue = counters.issue.max(id);
        }
        for id in previous.consensus.iter().map(|item| item.id.0) {
            counters.consensus = counters.consensus.max(id);
        }
        for id in previous.questions.iter().map(|question| question.id.0) {
            counters.question = counters.question.max(id);
        }
        for id in previous.assumptions.iter().map(|taken| taken.id.0) {
            counters.assumption = counters.assumption.max(id);
        }
        self.questions.clone_from(&previous.questions);
        self.assumptions.clone_from(&previous.assumptions);
    }

    fn draft_answer(&mut self, question: &Question, assumptions: &[Assumption]) {
        let QuestionStatus::Closed { answer, .. } = &question.status else {
            return;
        };
        let assumed = assumptions.iter().find(|a| a.question == question.id);
        self.draft.push(match assumed {
            Some(assumption) => DraftLine::Assumed {
                assumption: assumption.id,
                question: question.id,
                text: assumption.text.clone(),
            },
            None => DraftLine::Answered {
                question: question.id,
                text: question.text.clone(),
                answer: answer.clone(),
            },
        });
    }

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
                input_context,
                ..
            } => {
                let open = OpenCall {
                    reserve: *reserve,
                    bytes: input_context.bytes,
                };
                self.calls.open.insert(call.clone(), open);
            }
            Event::CallFailed {
                call,
                retryable,
                retry_after_ms,
                detail,
                ..
            } => {
                // Nobody says what a failed call cost: it counts in full.
                if let Some(open) = self.calls.open.remove(call) {
                    self.calls.lost = self.calls.lost.saturating_add(open.reserve);
                }
                self.calls.failed += 1;
                let history = self.calls.troubled.entry(call.first()).or_default();
                history.spent_attempts = call.attempt;
                history.failures += 1;
                history.fatal = !retryable;
                history.last_failure = Some(detail.clone());
                history.retry_after_ms = *retry_after_ms;
            }
            Event::ReplyRejected {
                receipt,
                output,
                reason,
                ..
            } => {
                self.pay(receipt);
                self.calls.rejected += 1;
                let history = self.calls.troubled.entry(receipt.call.first()).or_default();
                history.spent_attempts = receipt.call.attempt;
                history.rejections += 1;
                history.last_rejected = Some((reason.clone(), output.clone()));
                history.retry_after_ms = None;
            }
            Event::CoachInitialJudgment {
                receipt,
                info,
                judgment,
                issues,
                withdrawn,
                refused,
            } => {
                self.settle_call(receipt);
                self.judgment = Some(info.clone());
                self.judgment_refused.clone_from(refused);
                self.withdraw(withdrawn);
                self.enter_issues(issues);
                self.ask(&receipt.call.member, judgment);
                self.stage = Stage::Between;
            }
            Event::RoundStarted { issues } => {
                self.round += 1;
                self.agenda.clone_from(issues);
                self.said.clear();
                self.stage = Stage::Speaking;
                self.reach_barrier();
            }
            Event::Speaking {
                turn,
                receipt,
                speech,
                notes,
                ..
            } => {
                self.settle_call(receipt);
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
            Event::PassedOver { member, reason, .. } => {
                self.passed_over.push(PassedOver {
                    member: member.clone(),
                    round: self.round,
                    reason: reason.clone(),
                });
                if !self.is_blind_round() {
                    self.said.push(Said::PassedOver(self.passed_over.len() - 1));
                }
                self.reach_barrier();
            }
            Event::ClarificationRelayed {
                receipt, decisions, ..
            } => {
                self.settle_call(receipt);
                for decision in decisions {
                    match &decision.answer {
                        Some(answer) => {
                            self.close_question(
                                decision.question,
                                AnswerSource::Discussion,
                                answer,
                            );
                        }
                        None => {
                            self.set_question(
                                decision.question,
                                QuestionStatus::Passed { follow_up: None },
                            );
                        }
                    }
                }
            }
            Event::UserClarificationNeeded { question, .. } => {
                let follow_up = match self.question(*question).map(|q| &q.status) {
                    Some(QuestionStatus::Passed { follow_up }) => follow_up.clone(),
                    _ => None,
                };
                self.set_question(*question, QuestionStatus::Waiting { follow_up });
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
                question,
                follow_up,
            } => {
                self.settle_call(receipt);
                match follow_up {
                    Some(text) => {
                        let follow_up = Some(text.clone());
                        self.set_question(*question, QuestionStatus::Passed { follow_up });
                    }
                    None => self.close_replied(*question),
                }
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
            } => {
                self.settle_call(receipt);
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
            }
            Event::GuardWarned { guard, .. } => {
                self.warned.insert(*guard);
            }
            Event::GuardFired {
                guard,
                value,
                limit,
            } => {
                // Nothing that was said is lost when a guard cuts a side-by-side round.
                self.take_waiting();
                self.stop = Some(Stop {
                    reason: *guard,
                    round: self.round,
                    value: *value,
                    limit: *limit,
                });
                self.stage = Stage::Closing;
                self.close_if_written();
            }
            Event::Document {
                receipt,
                kind,
                content,
                notes,
            } => {
                if let Some(receipt) = receipt {
                    self.settle_call(receipt);
                }
                super::adopt::advance_counters(&mut self.counters, content);
                let record = DocumentRecord {
                    content: content.clone(),
                    without_model: receipt.is_none(),
                    notes: notes.clone(),
                };
                self.documents.insert(*kind, record);
                self.close_if_written();
            }
            Event::Report { receipt, words } => {
                if let Some(receipt) = receipt {
                    self.settle_call(receipt);
                }
                self.report_without_model = receipt.is_none();
                self.report = Some(words.clone());
                self.stage = Stage::Complete;
            }
            Event::Resumed { accepted_drift, .. } => {
                self.resumed += 1;
                for (_, open) in std::mem::take(&mut self.calls.open) {
                    self.calls.lost = self.calls.lost.saturating_add(open.reserve);
                }
                for history in self.calls.troubled.values_mut() {
                    (history.failures, history.rejections) = (0, 0);
                    history.fatal = false;
                    history.retry_after_ms = None;
                }
                for drift in accepted_drift {
                    if !self.accepted_drift.contains(drift) {
                        self.accepted_drift.push(drift.clone());
                    }
                }
            }
            Event::Published { .. } => self.stage = Stage::Published,
        }
    }

    fn stamp(&mut self, entry: &Entry) {
        self.seq = entry.seq;
        self.active_ms = entry.active_ms;
        self.last_activity_at.clone_from(&entry.ts);
    }

    fn pay(&mut self, receipt: &Receipt) {
        let member = &receipt.call.member;
        let book = &mut self.calls;
        if let Some(open) = book.open.remove(&receipt.call)
            && open.bytes > 0
        {
            let ratio = receipt
                .usage
                .input
                .saturating_mul(1000)
                .div_ceil(open.bytes);
            book.tokens_per_kilobyte = book.tokens_per_kilobyte.max(ratio);
        }
        book.answered += 1;
        book.used += receipt.usage;
        book.latency_ms = book.latency_ms.saturating_add(receipt.latency_ms);
        *book.by_member.entry(member.clone()).or_default() += receipt.usage;
        let models = book.models.entry(member.clone()).or_default();
        if !models.contains(&receipt.model) {
            models.insert(receipt.model.clone());
        }
    }

    fn settle_call(&mut self, receipt: &Receipt) {
        self.pay(receipt);
        self.calls.troubled.remove(&receipt.call.first());
    }

    /// Takes side-by-side speeches in once everybody is accounted for, in order
    /// of turns: ids do not depend on who answered first.
    fn reach_barrier(&mut self) {
        let blind = self.is_blind_round();
        if blind && !self.next_speakers().is_empty() {
            return;
        }
        self.take_waiting();
        if blind {
            self.said
                .extend((0..self.passed_over.len()).map(Said::PassedOver));
        }
        if self.next_speakers().is_empty() {
            self.stage = Stage::Summarising;
        }
    }

    fn take_waiting(&mut self) {
        for (_, record) in std::mem::take(&mut self.waiting_speeches) {
            self.take_speech(record);
        }
    }

    fn take_speech(&mut self, mut record: SpeechRecord) {
        for position in &record.speech.positions {
            let issue = position.issue.parse().ok();
            if let Some(issue) = issue.and_then(|id| self.ledger.find_mut(id)) {
                issue.positions.push(PositionRecord {
                    member: record.member.clone(),
                    round: record.round,
                    stance: position.stance,
                    proposal: position.proposal.clone(),
                    why: position.why.clone(),
                    changed_because: position.changed_because.clone(),
                });
            }
        }
        for new in &record.speech.new_issues {
            let id = self.counters.next_issue();
            record.issues.push(id);
            self.ledger.enter(IssueRecord {
                id,
                title: new.title.clone(),
                detail: new.detail.clone(),
                severity: new.severity,
                origin: Origin::Member {
                    member: record.member.clone(),
                },
                round: record.round,
                status: IssueStatus::Open,
                positions: Vec::new(),
                history: Vec::new(),
            });
        }
        record.questions = self.ask(&record.member.clone(), &record.speech.clone());
        self.speeches.push(record);
        self.said.push(Said::Speech(self.speeches.len() - 1));
    }

    fn ask(
        &mut self,
        member: &crate::role::RoleId,
        contribution: &Contribution,
    ) -> Vec<QuestionId> {
        let mut ids = Vec::new();
        for asked in &contribution.questions {
            let id = self.counters.next_question();
            ids.push(id);
            self.questions.push(Question {
                id,
                asked_by: member.clone(),
                round: self.round,
                text: asked.question.clone(),
                why: asked.why.clone(),
                blocks: asked.blocks.as_deref().and_then(|id| id.parse().ok()),
                options: asked.options.clone(),
                recommended: asked.recommended.clone(),
                status: QuestionStatus::Raised,
                dialogue: Vec::new(),
            });
        }
        ids
    }

    fn enter_issues(&mut self, issues: &[EnteredIssue]) {
        for issue in issues {
            self.counters.issue = self.counters.issue.max(issue.id.0);
            self.ledger.enter(IssueRecord {
                id: issue.id,
                title: issue.title.clone(),
                detail: issue.detail.clone(),
                severity: issue.severity,
                origin: issue.origin.clone(),
                round: self.round,
                status: IssueStatus::Open,
                positions: Vec::new(),
                history: Vec::new(),
            });
        }
    }

    fn change_issues(&mut self, changes: &[IssueChange]) {
        let mut brought: BTreeMap<IssueId, Vec<PositionRecord>> = BTreeMap::new();
        for change in changes {
            let Some(issue) = self.ledger.find_mut(change.issue) else {
                continue;
            };
            issue.status = change.to.clone();
            issue.history.push(change.clone());
            if let IssueStatus::Merged { into } = change.to {
                let latest = issue.latest().into_values().cloned();
                brought.entry(into).or_default().extend(latest);
            }
        }
        for (into, positions) in brought {
            if let Some(target) = self.ledger.find_mut(into) {
                target.take_positions(positions);
            }
        }
    }

    fn withdraw(&mut self, withdrawn: &[WithdrawnItem]) {
        for item in withdrawn {
            self.draft.push(DraftLine::Withdrawn {
                item: item.item,
                feedback: item.feedback,
                reason: item.reason.clone(),
            });
        }
    }

    fn set_question(&mut self, id: QuestionId, status: QuestionStatus) {
        if let Some(question) = self.questions.iter_mut().find(|q| q.id == id) {
            question.status = status;
        }
    }

    fn take_reply(&mut self, id: QuestionId, asked: &str, reply: &str, source: AnswerSource) {
        let follow_ups = self.inputs.limits.max_follow_ups as usize;
        let Some(question) = self.questions.iter_mut().find(|q| q.id == id) else {
            return;
        };
        let recommended = question.recommended.clone();
        question.dialogue.push(Exchange {
            question: asked.to_owned(),
            reply: reply.to_owned(),
            source,
        });
        let own_words = source.is_own_words();
        if own_words && !question.asked_by.is_coach() && question.dialogue.len() <= follow_ups {
            question.status = QuestionStatus::Replied;
            return;
        }
        if own_words {
            self.close_replied(id);
            return;
        }
        if question
            .dialogue
            .iter()
            .any(|turn| turn.source.is_own_words())
        {
            // Only the follow-up was left unanswered: what was said before holds.
            self.close_replied(id);
            return;
        }
        if source != AnswerSource::Recommended {
            self.assume(id, &recommended, source);
        }
        let answer = if reply.is_empty() {
            &recommended
        } else {
            reply
        };
        self.close_question(id, source, answer);
    }

    /// Closes a question with everything the human said to it in own words.
    fn close_replied(&mut self, id: QuestionId) {
        let Some(question) = self.question(id) else {
            return;
        };
        let said = || {
            let turns = question.dialogue.iter();
            turns.filter(|turn| turn.source.is_own_words())
        };
        let Some(source) = said().next_back().map(|turn| turn.source) else {
            return;
        };
        let answer = said()
            .map(|exchange| exchange.reply.as_str())
            .collect::<Vec<_>>()
            .join("\n");
        self.close_question(id, source, &answer);
    }

    fn close_question(&mut self, id: QuestionId, source: AnswerSource, answer: &str) {
        let status = QuestionStatus::Closed {
            source,
            answer: answer.to_owned(),
        };
        self.set_question(id, status);
        if let Some(question) = self.question(id).cloned() {
            let assumptions = std::mem::take(&mut self.assumptions);
            self.draft_answer(&question, &assumptions);
            self.assumptions = assumptions;
        }
        if self.stage >= Stage::Speaking {
            self.said.push(Said::Answer(id));
        }
    }

    fn assume(&mut self, question: QuestionId, text: &str, source: AnswerSource) {
        let id = self.counters.next_assumption();
        let why = match source {
            AnswerSource::Declined => "declined",
            _ => "not asked",
        };
        self.assumptions.push(Assumption {
            id,
            question,
            text: text.to_owned(),
            why: why.to_owned(),
            round: self.round,
        });
    }

    fn close_if_written(&mut self) {
        let all = self
            .document_kinds()
            .into_iter()
            .all(|kind| self.documents.contains_key(&kind));
        if all {
            self.stage = Stage::Reporting;
        }
    }

    /// Is this a first round that is spoken side by side?
    pub fn is_blind_round(&self) -> bool {
        self.round == 1 && self.inputs.first_round == FirstRound::Blind
    }

    /// Members without a usable answer in one round.
    pub fn passed_over_in(&self, round: u32) -> impl Iterator<Item = &PassedOver> {
        self.passed_over
            .iter()
            .rev()
            .take_while(move |passed| passed.round >= round)
            .filter(move |passed| passed.round == round)
    }

    /// Who still has to speak in the current round, with their turns, in order.
    pub fn next_speakers(&self) -> Vec<(u32, crate::role::RoleId)> {
        let spoken: BTreeSet<u32> = self
            .speeches
            .iter()
            .rev()
            .take_while(|speech| speech.round == self.round)
            .map(|speech| speech.turn)
            .chain(self.waiting_speeches.keys().copied())
            .collect();
        self.speakers(self.round)
            .into_iter()
            .zip(1u32..)
            .filter(|(member, turn)| {
                !spoken.contains(turn)
                    && !self
                        .passed_over_in(self.round)
                        .any(|passed| &passed.member == *member)
            })
            .map(|(member, turn)| (turn, member.clone()))
            .collect()
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
