//! Calls: which may start, which reply answers one, their history and cost.

use crate::call::{CallId, DebatePart, Purpose, Scope};
use crate::chat::FinishReason;
use crate::machine::event::{Event, FailureKind, InputContext, Receipt};
use crate::machine::illegal::{Verdict, ensure};
use crate::machine::price::Usd;
use crate::machine::question::{Question, QuestionStatus};
use crate::machine::state::{CallHistory, OpenCall, Stage, State};
use crate::machine::vote::Ballot;
use crate::machine::{debate, ending, look, review, team};
use crate::role::RoleId;

use super::DISCUSSION;

impl State {
    pub(super) fn call_started(
        &mut self,
        call: &CallId,
        (reserve, reserve_usd): (u64, Usd),
        input_context: &InputContext,
    ) -> Verdict {
        if call.ask > 0 {
            look::check_question(self, call)?;
        } else {
            self.ensure_may_start(call)?;
        }
        let open = OpenCall {
            reserve,
            reserve_usd,
            input_context: input_context.clone(),
        };
        self.calls.open.insert(call.clone(), open);
        if self.inputs.model_of(&call.member).is_by_hand() {
            self.calls.by_hand.push(call.clone());
        }
        self.grounding.trials.tell(call);
        Ok(())
    }

    /// Returns whether the call may be started now.
    pub fn may_start(&self, call: &CallId) -> bool {
        self.ensure_may_start(call).is_ok()
    }

    /// Checks that a call is due and not started yet.
    fn ensure_may_start(&self, call: &CallId) -> Verdict {
        ensure!(!self.is_being_made(call), "call `{call}` is open already");
        let round = self.round;
        ensure!(call.round == round, "call `{call}` is not of round {round}");
        let looked = self.grounding.looks.times_looked(call);
        ensure!(
            call.look == looked,
            "call `{call}` does not follow what was looked at"
        );
        let spent = self.calls.troubled.get(&call.first());
        let next = spent.map_or(0, |history| history.spent_attempts) + 1;
        ensure!(
            call.attempt == next,
            "call `{call}` should be attempt {next}"
        );
        let is_left_out = match call.purpose {
            Purpose::Debate(_) => self.debates.skips,
            Purpose::Vote => self.ending.decided.is_some(),
            _ => false,
        };
        ensure!(
            is_due(self, call) && !is_left_out,
            "call `{call}` is not due"
        );
        let is_of_dialogue =
            call.scope == Scope::Root || call.purpose == Purpose::Debate(DebatePart::Opening);
        let closes = call.purpose == Purpose::Summary && self.ending.decided.is_some();
        if DISCUSSION.contains(&self.stage) && is_of_dialogue && !closes {
            self.ensure_no_question()?;
        }
        Ok(())
    }

    /// Checks that a reply answers a call that was started and is awaited, and is of the requested
    /// kind.
    pub(super) fn ensure_is_answer(&self, event: &Event, call: &CallId) -> Verdict {
        self.ensure_is_open(call)?;
        if event.ends_its_call() {
            ensure!(fits(event, call), "call `{call}` asked for something else");
            ensure!(is_due(self, call), "nothing waits for call `{call}`");
        }
        Ok(())
    }

    pub(in crate::machine) fn ensure_is_open(&self, call: &CallId) -> Verdict {
        ensure!(
            self.calls.open.contains_key(call),
            "call `{call}` was not started"
        );
        Ok(())
    }

    /// Returns whether the call is in progress, at any attempt.
    pub(in crate::machine) fn is_being_made(&self, call: &CallId) -> bool {
        let mut open = self.calls.open.keys();
        open.any(|open| open.unlooked() == call.unlooked())
    }

    pub(super) fn call_failed(
        &mut self,
        call: &CallId,
        kind: FailureKind,
        retryable: bool,
    ) -> &mut CallHistory {
        if let Some(open) = self.calls.open.remove(call) {
            self.calls.lose(&open);
        }
        let model = &self.inputs.model_of(&call.member).model;
        let thinks = self.calls.thought.contains_key(model);
        let history = self.calls.troubled.entry(call.first()).or_default();
        history.spent_attempts = call.attempt;
        if kind == FailureKind::Withdrawn {
            return history;
        }
        self.calls.failed += 1;
        history.failures += 1;
        let asked_more = thinks && !history.larger_refused || history.only_needs_room();
        if asked_more && kind == FailureKind::Refused {
            history.larger_refused = true;
        } else {
            history.refusals += u32::from(!retryable);
        }
        history.last_kind = Some(kind);
        history
    }

    /// The run goes on without an answer to the call, by the rules or, in a review, because the
    /// budget has no room for it.
    pub(super) fn call_given_up(&mut self, event: &Event, call: &CallId, reason: &str) -> Verdict {
        let is_of_review = review::is_due(self, call) && !self.is_being_made(call);
        if !is_of_review || self.ensure_no_budget().is_err() {
            self.ensure_is_next(event)?;
        }
        match call.purpose {
            Purpose::Judgment => self.do_without_plan(reason),
            Purpose::Speech => self.pass_over(&call.member, reason),
            Purpose::Relay | Purpose::FollowUp => self.skip_clarification(call),
            Purpose::Summary => self.divergence_unjudged(),
            Purpose::Step => self.step_missing(call, reason),
            Purpose::Vote => self.take_ballot(&call.member, Ballot::Abstain),
            Purpose::Debate(_) => self.argument_missing(call, reason),
            Purpose::Document(_) | Purpose::Report | Purpose::Review | Purpose::Verdict => {
                self.review_missed(call, reason);
            }
        }
        Ok(())
    }

    pub(super) fn reply_rejected(
        &mut self,
        receipt: &Receipt,
        (output, reason): (&str, &str),
        finish: FinishReason,
        put_back: bool,
    ) {
        self.take_receipt(receipt);
        self.calls.rejected += 1;
        let history = self.calls.troubled.entry(receipt.call.first()).or_default();
        history.spent_attempts = receipt.call.attempt;
        history.put_back |= put_back;
        match finish {
            _ if put_back => {}
            FinishReason::Length => history.cuts += 1,
            _ => history.rejections += 1,
        }
        history.last_cut = finish == FinishReason::Length;
        // A cut-off reply would take as much room in the next prompt as it took in the answer.
        let reply = if history.last_cut { "" } else { output };
        history.last_rejected = Some((reason.to_owned(), reply.to_owned()));
        history.last_nudged = None;
        history.retry_after_ms = None;
    }

    /// Resumes the run in another process: calls in flight are lost, and everything may be retried.
    pub(super) fn resumed(&mut self, accepted_drift: &[String], attended: bool) {
        self.run.resumed += 1;
        self.ending.attended = attended;
        self.grounding.trials.lose();
        for (call, open) in std::mem::take(&mut self.calls.open) {
            // Its prompt is in a file, where any later process finds it.
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
            if !self.run.accepted_drift.contains(drift) {
                self.run.accepted_drift.push(drift.clone());
            }
        }
    }

    /// Takes an answered call off the open ones, and books its cost and what it showed of its
    /// endpoint.
    pub(in crate::machine) fn take_receipt(&mut self, receipt: &Receipt) {
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
        self.run.redacted = self.run.redacted.saturating_add(receipt.redacted);
        book.answered += 1;
        book.used += receipt.usage;
        book.latency_ms = book.latency_ms.saturating_add(receipt.latency_ms);
        *book.by_member.entry(member.clone()).or_default() += receipt.usage;
        let models = book.models.entry(member.clone()).or_default();
        if !models.contains(&receipt.model) {
            models.insert(receipt.model.clone());
        }
    }

    /// Ends an answered call and its turn.
    pub(super) fn end_call(&mut self, receipt: &Receipt) {
        self.take_receipt(receipt);
        self.calls.troubled.remove(&receipt.call.first());
        self.forget_times_looked(&receipt.call);
    }
}

/// Returns whether the event is what the call requested.
fn fits(event: &Event, call: &CallId) -> bool {
    match (event, call.purpose) {
        (Event::CoachInitialJudgment { .. }, Purpose::Judgment)
        | (Event::TeamFormed(_) | Event::PlanRevised(_), Purpose::Judgment)
        | (Event::Speaking { .. }, Purpose::Speech)
        | (Event::ClarificationRelayed { .. }, Purpose::Relay)
        | (Event::ConsensusSummary { .. }, Purpose::Summary)
        | (Event::ExpertStep(_) | Event::ExpertResult(_), Purpose::Step)
        | (Event::VoteCast { .. }, Purpose::Vote)
        | (Event::DebateStarted(_), Purpose::Debate(DebatePart::Opening))
        | (Event::ExpertArgument(_), Purpose::Debate(DebatePart::Argument))
        | (Event::DebateRoundSummary(_), Purpose::Debate(DebatePart::Summary))
        | (Event::DebateResolved(_), Purpose::Debate(DebatePart::Ruling))
        | (Event::Report { .. } | Event::TeamSynthesis(_), Purpose::Report)
        | (Event::Review(_), Purpose::Review)
        | (Event::Verdicts(_), Purpose::Verdict) => true,
        (Event::ClarificationFollowedUp { id, .. }, Purpose::FollowUp) => {
            call.scope == Scope::Question(id.0)
        }
        (Event::Document { kind, .. }, Purpose::Document(asked)) => *kind == asked,
        (Event::Amendment(amended), purpose) => amended.kind.purpose() == purpose,
        _ => false,
    }
}

/// Returns whether an answer to the call is awaited, at any attempt.
fn is_due(state: &State, call: &CallId) -> bool {
    let of_coach =
        |turn: u32| call.scope == Scope::Root && call.member.is_coach() && call.turn == turn;
    if state.stage == Stage::Reviewing {
        return review::is_due(state, call);
    }
    match call.purpose {
        Purpose::Judgment => {
            let again = team::revision_due(state);
            state.stage == Stage::Judging && of_coach(1)
                || again.is_some_and(|due| due == call.unlooked())
        }
        Purpose::Speech => {
            state.stage == Stage::Speaking
                && call.scope == Scope::Root
                && speaks_now(state, call.turn, &call.member)
        }
        Purpose::Summary => {
            let turn = state.inputs.roles.members.len() as u32 + 1;
            of_coach(turn)
                && (state.stage == Stage::Summarising
                    || (state.stage == Stage::Speaking && ending::cuts_round_short(state)))
        }
        Purpose::Debate(_) => debate::is_due(state, call),
        Purpose::Step => team::is_due(state, call),
        Purpose::Relay => {
            let raised =
                |q: &&Question| q.status == QuestionStatus::Raised && !q.asked_by.is_coach();
            let first = state.questions.asked.iter().find(raised);
            DISCUSSION.contains(&state.stage)
                && call.member.is_coach()
                && call.turn == 1
                && first.is_some_and(|q| call.scope == Scope::Question(q.id.0))
        }
        Purpose::FollowUp => {
            let is_asked = |q: &Question| {
                call.scope == Scope::Question(q.id.0)
                    && q.status == QuestionStatus::Replied
                    && q.asked_by == call.member
                    && q.dialogue.len() as u32 == call.turn
            };
            DISCUSSION.contains(&state.stage) && state.questions.asked.iter().any(is_asked)
        }
        Purpose::Document(kind) => {
            let writer = state.inputs.roles.writer(kind);
            state.stage == Stage::Writing
                && state.next_documents().contains(&kind)
                && call.scope == Scope::Root
                && call.turn == 1
                && writer.is_some_and(|role| role.id == call.member)
        }
        Purpose::Vote => {
            let mut voters = state.ending.vote.iter().flat_map(|vote| vote.missing());
            DISCUSSION.contains(&state.stage)
                && call.scope == Scope::Root
                && call.turn == state.ending.votes.0
                && voters.any(|member| *member == call.member)
        }
        Purpose::Report => {
            state.stage == Stage::Reporting && call.unlooked() == review::words_call(state)
        }
        Purpose::Review | Purpose::Verdict => false,
    }
}

/// Returns whether it is the member's turn. In a blind round it is the turn of everybody who has
/// not spoken.
fn speaks_now(state: &State, turn: u32, member: &RoleId) -> bool {
    let mut next = state.next_speakers();
    if !state.is_blind_round() {
        next.truncate(1);
    }
    next.iter().any(|(t, m)| *t == turn && m == member)
}
