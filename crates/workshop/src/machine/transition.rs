//! The only transition function: it checks an entry against the state and applies it.
//!
//! Both live running and replay use it. A transition checks first and changes afterwards, so that
//! an illegal event changes nothing. An event that follows from the rules alone is legal when
//! [`next_actions`] would record it; a model's answer is legal while its call waits for it.
//!
//! The methods of a subject with files of its own are beside it, in `review/transition.rs` and the
//! like or in `evidence.rs`, the others in `transition/`.

mod calls;
mod closing;
mod ledger;
mod opening;
mod questions;
mod round;

use super::action::Action;
use super::ending;
use super::event::{Entry, Event, FailureKind, StopReason};
use super::illegal::{Illegal, Verdict, ensure, refuse};
use super::next::next_actions;
use super::proposal::DecidedBy;
use super::redacted::secrets_in;
use super::state::{Stage, State};

pub(super) const DISCUSSION: [Stage; 3] = [Stage::Between, Stage::Speaking, Stage::Summarising];

pub(super) const BEFORE_CLOSING: [Stage; 4] = [
    Stage::Judging,
    Stage::Between,
    Stage::Speaking,
    Stage::Summarising,
];

/// Checks whether the event would be accepted now.
///
/// # Errors
/// [`Illegal`] says which rule it breaks.
pub fn may_follow(state: &State, event: &Event) -> Result<(), Illegal> {
    state.clone().take(event, state.run.active_ms)
}

impl State {
    /// Applies one more entry.
    ///
    /// # Errors
    /// [`Illegal`] says which rule the event breaks; the state is then unchanged.
    pub fn apply(&mut self, entry: &Entry) -> Result<(), Illegal> {
        self.take(&entry.event, entry.active_ms)?;
        self.stamp(entry);
        Ok(())
    }

    /// Applies an event that is recorded after `now_ms` active milliseconds.
    fn take(&mut self, event: &Event, now_ms: u64) -> Verdict {
        let is_published = self.stage == Stage::Published;
        ensure!(!is_published, "the run is published; nothing may follow");
        if is_decided_by_rules(self, event) {
            self.ensure_is_next(event)?;
        }
        if let Some(receipt) = event.receipt() {
            self.ensure_is_answer(event, &receipt.call)?;
        }
        match event {
            Event::UserInput { .. } => refuse!("`user_input` is line 1 and comes once"),
            Event::KnowledgeSearch { survey } => {
                self.ensure_at(&[Stage::Opening])?;
                self.grounding.survey = Some(survey.clone());
                self.stage = Stage::Judging;
            }
            Event::CallStarted {
                call,
                reserve,
                reserve_usd,
                input_context,
                ..
            } => {
                let usd = reserve_usd.unwrap_or_default();
                self.call_started(call, (*reserve, usd), input_context)?;
            }
            Event::CallFailed {
                call,
                retryable,
                retry_after_ms,
                detail,
                kind,
                ..
            } => {
                self.ensure_is_open(call)?;
                if *kind == FailureKind::Withdrawn {
                    let is_by_hand = self.calls.by_hand.contains(call);
                    ensure!(
                        is_by_hand && self.ending.decided.is_some(),
                        "only a call by hand is withdrawn, once the end is decided"
                    );
                }
                let history = self.call_failed(call, *kind, *retryable);
                history.last_failure = Some(detail.clone());
                history.retry_after_ms = *retry_after_ms;
            }
            Event::ReplyRejected {
                receipt,
                output,
                reason,
                finish,
                put_back,
            } => self.reply_rejected(receipt, (output, reason), *finish, *put_back),
            Event::CallGivenUp { call, reason } => self.call_given_up(event, call, reason)?,
            Event::CoachInitialJudgment {
                receipt,
                info,
                judgment,
                issues,
                invited,
                withdrawn,
                refused,
            } => {
                self.judge(judgment, issues, invited, withdrawn)?;
                self.judgment.text = Some(info.clone());
                self.judgment.refused.clone_from(refused);
                self.ask(&receipt.call.member, judgment);
                self.claim(&receipt.call.member, &judgment.evidence);
            }
            Event::RoundStarted { issues } => self.round_started(issues),
            Event::Speaking { .. } => self.spoken(event)?,
            Event::Evidence { evidence } => self.take_evidence(evidence)?,
            Event::Look {
                receipt,
                seen,
                asked,
                ..
            } => self.take_look(receipt, seen, asked)?,
            Event::TrialStarted {
                call,
                id,
                look,
                tree,
            } => self.take_trial(call, *id, look, tree)?,
            Event::TrialEnded { call, trial, found } => self.end_trial(call, trial, found)?,
            Event::Inquiry { looked, .. } => self.take_inquiry(looked)?,
            Event::ClarificationRelayed { decisions, .. } => self.take_relayed(decisions)?,
            Event::UserClarificationNeeded { id, .. } => self.put_to_user(*id),
            Event::UserClarificationDialogue {
                id,
                question,
                user_reply,
                source,
                message,
            } => {
                self.take_reply(*id, question, user_reply, *source, message.as_ref())?;
            }
            Event::ClarificationFollowedUp {
                id,
                follow_up,
                asked,
                ..
            } => self.follow_up(*id, follow_up.as_ref(), asked.as_ref()),
            Event::SimilarityMeasured { measurement } => self.take_measurement(measurement)?,
            Event::ConsensusSummary { .. } => self.summed_up(event)?,
            Event::TeamFormed(formed) => self.team_formed(formed)?,
            Event::PlanRevised(revised) => self.plan_revised(revised)?,
            Event::PhaseStarted(started) => self.phase_started(started),
            Event::ExpertStep(stepped) => self.expert_stepped(stepped)?,
            Event::ExpertResult(finished) => self.expert_finished(finished)?,
            Event::TeamSynthesis(synthesised) => self.synthesised(synthesised)?,
            Event::DebateStarted(started) => self.debate_started(started)?,
            Event::DebateVoided(_) => self.debate_voided(),
            Event::ExpertArgument(argued) => self.argued(argued)?,
            Event::DebateRoundSummary(summary) => self.debate_summed_up(summary)?,
            Event::DebateResolved(resolved) => self.debate_resolved(resolved)?,
            Event::GuardWarned(near) => {
                self.ending.warned.insert(near.reason);
            }
            Event::DiscussionEnded(end) => self.discussion_ended(end)?,
            Event::Document { .. } => self.document_written(event)?,
            Event::Report { receipt, words, .. } => {
                self.report_written(receipt.is_some(), words)?
            }
            Event::PlanChecked(checked) => self.plan_checked(checked)?,
            Event::Review(reviewed) => self.reviewed(reviewed)?,
            Event::Amendment(amended) => self.amended(amended)?,
            Event::Verdicts(judged) => self.judged(judged)?,
            Event::ReviewClosed(closed) => self.review_closed(closed)?,
            Event::Resumed {
                accepted_drift,
                attended,
                models,
                ..
            } => {
                if let Some(models) = models {
                    self.go_on_with(models)?;
                }
                self.resumed(accepted_drift, *attended);
            }
            Event::Published {
                stop,
                blocking,
                open,
            } => self.published(*stop, blocking, open)?,
            Event::EndProposal { .. }
            | Event::EndDecision { .. }
            | Event::UserIntervention { .. }
            | Event::VoteCast { .. }
            | Event::VoteClosed { .. }
            | Event::DiligencePush { .. }
            | Event::DiligenceExhausted { .. }
            | Event::DiligenceOff { .. } => self.take_ending(event, now_ms)?,
        }
        if let Some(receipt) = event.receipt().filter(|_| event.ends_its_call()) {
            self.end_call(receipt);
        }
        self.finish_round();
        Ok(())
    }

    fn stamp(&mut self, entry: &Entry) {
        self.run.seq = entry.seq;
        self.run.active_ms = entry.active_ms;
        self.run.last_activity_at.clone_from(&entry.ts);
        self.run.redacted = self.run.redacted.saturating_add(secrets_in(&entry.event));
    }

    /// Checks that it is the event that the machine records next.
    fn ensure_is_next(&self, event: &Event) -> Verdict {
        let is_it = |due: &Event| due.is_told_by(event);
        if ending::silence_of_the_user(self).is_some_and(|due| is_it(&due)) {
            return self.ensure_at(&BEFORE_CLOSING);
        }
        let actions = next_actions(self);
        let mut recorded = actions.iter().filter_map(|action| match action {
            Action::Record(due) => Some(due.as_ref()),
            _ => None,
        });
        ensure!(recorded.any(is_it), "it is not what is recorded next");
        Ok(())
    }

    pub(super) fn ensure_at(&self, stages: &[Stage]) -> Verdict {
        let stage = self.stage;
        ensure!(
            stages.contains(&stage),
            "the run is at {stage:?}, not at {stages:?}"
        );
        Ok(())
    }

    /// Checks that no question is pending, which the root dialogue must wait for.
    pub(super) fn ensure_no_question(&self) -> Verdict {
        match self.questions.pending().next() {
            Some(question) => refuse!("`{}` is still pending", question.id),
            None => Ok(()),
        }
    }
}

/// Returns whether the event follows from the rules alone: it contains no answer, no user input and
/// nothing from outside.
fn is_decided_by_rules(state: &State, event: &Event) -> bool {
    match event {
        Event::RoundStarted { .. }
        | Event::UserClarificationNeeded { .. }
        | Event::PhaseStarted(_)
        | Event::DebateVoided(_)
        | Event::EndProposal { .. }
        | Event::VoteClosed { .. }
        | Event::GuardWarned(_)
        | Event::DiligenceOff { .. } => true,
        Event::DiscussionEnded(end) => end.reason != StopReason::Budget || end.sign.is_some(),
        Event::EndDecision { by, .. } => match by {
            DecidedBy::Settings => true,
            DecidedBy::Unattended => !state.ending.attended,
            DecidedBy::Terminal | DecidedBy::Message => false,
        },
        Event::DebateStarted(_)
        | Event::DebateRoundSummary(_)
        | Event::DebateResolved(_)
        | Event::Document {
            carried: Some(_), ..
        } => event.receipt().is_none(),
        Event::ReviewClosed(closed) => closed.cut.is_none(),
        // Answers, what the user does, and what is found outside.
        _ => false,
    }
}
