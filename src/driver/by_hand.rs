//! Calls that are answered by hand: the run writes each prompt to a file and pauses; a later
//! process takes the replies found beside the prompts.
//!
//! Such a call stays in flight across processes. It was started, it is open, and nothing that
//! depends on its reply is done before the reply is there. Its reply is handled like any other,
//! under the same id, and no process has to wait for it.

use super::replay::Replay;
use super::session::Session;
use super::{Outcome, Ports};
use crate::chat::{AnswerFormat, ChatRequest, EndpointLimits, FinishReason, Usage};
use crate::edge::journal;
use crate::edge::model::estimate_tokens;
use crate::edge::store::by_hand::{self, CallFile, ReplyFile};
use crate::fault::texts;
use crate::fault::{Fault, values};
use crate::machine::{Action, CallId, Event, FailureKind, Receipt, State, event_of, next_actions};
use crate::prompt::{self, Prompter};
use crate::redact::placeholders;

/// Recorded reason for withdrawing a call.
pub const WITHDRAWN: &str = "the discussion ended before anybody answered";

texts! {
    LATE: "{path} is not used: call {n} no longer waits for a reply", "未采用 {path}：调用 {n} 已不再等待回复";
    UNASKED: "{path} is not used: there is no call {n} yet", "未采用 {path}：还没有调用 {n}";
}

/// The event that records a reply given by hand.
pub fn reply_event(
    state: &State,
    call: &CallId,
    reply: &ReplyFile,
    redact: &(dyn Fn(&str) -> String + Sync),
) -> Event {
    let text = redact(&reply.text);
    let bytes = state
        .calls
        .open
        .get(call)
        .map_or(0, |open| open.input_context.bytes);
    let choice = state.inputs.model_of(&call.member);
    let receipt = Receipt {
        call: call.clone(),
        model: match &reply.by {
            Some(by) => redact(by),
            None => choice.model.clone(),
        },
        // The token count is unknown: estimated from the bytes, as for a program.
        usage: Usage {
            input: bytes.div_ceil(3),
            output: estimate_tokens(&reply.text),
            estimated: true,
            ..Usage::default()
        },
        latency_ms: 0,
        request_id: None,
        answer_format: Some(AnswerFormat::Prompt),
        terms: EndpointLimits::default(),
        redacted: placeholders(&text).saturating_sub(placeholders(&reply.text)),
    };
    event_of(state, receipt, &text, FinishReason::Stop)
}

impl Session {
    /// Writes the prompts of the calls started since the last time. An existing prompt file is left
    /// unchanged.
    pub(super) fn write_prompts(&mut self) -> Result<(), Fault> {
        for request in std::mem::take(&mut self.handed) {
            self.write_prompt(&request)?;
        }
        Ok(())
    }

    fn write_prompt(&self, request: &ChatRequest) -> Result<(), Fault> {
        let all = &self.state.calls.by_hand;
        let Some(n) = (1..).zip(all).find(|(_, call)| **call == request.call) else {
            return Ok(());
        };
        let rel = CallFile::Prompt.of(n.0);
        if !self.draft.holds_file(&rel)? {
            let page = prompt::by_hand::page(&self.state.inputs, n.0, request);
            self.draft.write(&rel, page.as_bytes())?;
        }
        Ok(())
    }

    /// Takes the replies that are there. If one is still missing, returns the outcome that pauses
    /// the run; only the replies taken so far have been recorded then.
    pub(super) async fn take_replies(
        &mut self,
        ports: &mut Ports<'_>,
    ) -> Result<Option<Outcome>, Fault> {
        if self.state.calls.by_hand.is_empty() {
            return Ok(None);
        }
        self.report_late(ports)?;
        // A file that is not a valid reply is reported before any reply is taken.
        let replies = self.waiting_replies()?;
        for (n, call, reply) in &replies {
            let event = reply_event(&self.state, call, reply, ports.redact);
            let event = self.grounded(event, &(ports.redact)(&reply.text), ports);
            let Some(event) = self.tried(event, ports).await? else {
                self.commit(ports)?;
                let signal = ports.interrupt.borrow().unwrap_or_default();
                return Ok(Some(Outcome::Interrupted { signal }));
            };
            self.record(ports, event)?;
            self.draft.remove(&CallFile::Refused.of(*n))?;
        }
        self.withdraw(ports)?;
        let left: Vec<(u32, CallId)> = self.waiting();
        if left.is_empty() {
            return Ok(None);
        }
        self.restore_prompts(&left)?;
        if !self.only_resumed() {
            self.commit(ports)?;
        }
        Ok(Some(Outcome::NeedsReplies {
            draft: self.draft.dir().to_owned(),
            calls: left,
            roles: Box::new(self.state.inputs.roles.clone()),
        }))
    }

    fn waiting(&self) -> Vec<(u32, CallId)> {
        let waiting = self.state.calls.waiting_by_hand();
        waiting.map(|(n, call)| (n, call.clone())).collect()
    }

    /// Replies to the open calls. Each file is renamed before it is read, so that the recorded text
    /// is the text that stays on disk; after a crash in between, the file is found under its new
    /// name.
    fn waiting_replies(&self) -> Result<Vec<(u32, CallId, ReplyFile)>, Fault> {
        let (fs, dir) = (self.draft.fs(), self.draft.dir());
        let waiting = self.waiting();
        let mut there = Vec::new();
        for (n, call) in waiting {
            if by_hand::reply(fs, dir, CallFile::Reply, n)?.is_some() {
                there.push((n, call, true));
            } else if by_hand::reply(fs, dir, CallFile::Taken, n)?.is_some() {
                there.push((n, call, false));
            }
        }
        let mut replies = Vec::with_capacity(there.len());
        for (n, call, is_new) in there {
            if is_new {
                by_hand::claim(fs, dir, n)?;
            }
            if let Some(reply) = by_hand::reply(fs, dir, CallFile::Taken, n)? {
                replies.push((n, call, reply));
            }
        }
        Ok(replies)
    }

    /// Withdraws calls that are not due any more: once the end is decided, their replies would
    /// change nothing.
    fn withdraw(&mut self, ports: &Ports<'_>) -> Result<(), Fault> {
        if self.state.ending.decided.is_none() {
            return Ok(());
        }
        let due = next_actions(&self.state).into_iter();
        let due: Vec<CallId> = due.filter_map(Action::call).collect();
        for (_, call) in self.waiting() {
            if call.purpose.is_closing() || due.contains(&call) {
                continue;
            }
            let failed = Event::CallFailed {
                call,
                kind: FailureKind::Withdrawn,
                detail: WITHDRAWN.to_owned(),
                retryable: false,
                retry_after_ms: None,
                latency_ms: 0,
            };
            self.record(ports, failed)?;
        }
        Ok(())
    }

    /// Writes missing prompt files again with their original content, rendered from the state in
    /// which each call was started.
    fn restore_prompts(&self, waiting: &[(u32, CallId)]) -> Result<(), Fault> {
        let mut lost = Vec::new();
        for (n, call) in waiting {
            if !self.draft.holds_file(&CallFile::Prompt.of(*n))? {
                lost.push(call);
            }
        }
        lost.retain(|call| self.handed.iter().all(|request| request.call != **call));
        if lost.is_empty() {
            return Ok(());
        }
        let prompter = Prompter::new(&self.state.inputs)?;
        let mut replay = Replay::default();
        let mut requests = Vec::new();
        let path = self.draft.transcript_path();
        journal::read(self.draft.fs(), &path, &mut |entry| {
            if let (Event::CallStarted { call, .. }, Some(state)) = (&entry.event, &replay.state)
                && lost.contains(&call)
            {
                requests.push(prompter.request(state, call));
            }
            replay.apply(&entry)
        })?;
        for request in requests {
            self.write_prompt(&request?)?;
        }
        Ok(())
    }

    /// Reports, once, the replies that no open call needs. A file identical to the reply already
    /// taken is deleted without a word.
    fn report_late(&mut self, ports: &mut Ports<'_>) -> Result<(), Fault> {
        if std::mem::replace(&mut self.told_late, true) {
            return Ok(());
        }
        let (fs, dir) = (self.draft.fs(), self.draft.dir());
        let waiting = self.waiting();
        for n in by_hand::replies(fs, dir)? {
            if waiting.iter().any(|(waits, _)| *waits == n) {
                continue;
            }
            let rel = CallFile::Reply.of(n);
            if by_hand::is_same(fs, dir, n)? {
                self.draft.remove(&rel)?;
                continue;
            }
            let was_asked = n as usize <= self.state.calls.by_hand.len();
            let told = if was_asked { LATE } else { UNASKED };
            ports.observer.notice(&told.fill(values![path = rel, n]));
        }
        Ok(())
    }

    /// Deletes the call files before the version is published; their content is in the transcript.
    /// Files that somebody else put there stay.
    pub(super) fn clear_calls(&self) -> Result<(), Fault> {
        for n in (1..).take(self.state.calls.by_hand.len()) {
            for kind in CallFile::ALL {
                self.draft.remove(&kind.of(n))?;
            }
        }
        by_hand::remove_if_empty(self.draft.fs(), self.draft.dir())?;
        Ok(())
    }
}
