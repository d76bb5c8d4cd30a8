//! The user and the end of a discussion: taking in what the user says, and asking whether the
//! discussion ends.

use super::session::Session;
use super::{Ports, no_terminal};
use crate::clean::gist;
use crate::edge::ports::{EndAnswer, Utterance};
use crate::fault::Fault;
use crate::fault::{Text, recorded};
use crate::machine::{Channel, DecidedBy, Event, StopReason, check, intervention, proposal};

const NOT_TAKEN: Text = Text("not taken in: {text} ({why})", "未被采纳：{text}（{why}）");

impl Session {
    /// Records what the user said and commits it; only then may the messages be deleted. A message
    /// that comes too late is reported.
    pub(super) fn take_said(
        &mut self,
        said: Vec<Utterance>,
        is_asked: bool,
        ports: &mut Ports<'_>,
    ) -> Result<(), Fault> {
        let mut messages = Vec::new();
        let before = self.state.run.seq;
        for one in said {
            messages.extend(one.message.clone());
            let content = (ports.redact)(&one.content);
            let text = content.clone();
            let event = if is_asked {
                intervention::event
            } else {
                intervention::unasked
            };
            let event = event(&self.state, one.intent, content, one.channel, one.message);
            match check(&self.state, &event) {
                Ok(()) => self.record(ports, event)?,
                Err(why) => {
                    let why = recorded::message(&why.to_string());
                    let said = gist(&text);
                    let not_taken = NOT_TAKEN.fill(&[("text", &said), ("why", &why)]);
                    ports.observer.notice(&not_taken);
                }
            }
        }
        if self.state.run.seq > before {
            self.commit(ports)?;
        }
        if !messages.is_empty() {
            ports.human.taken(&messages)?;
        }
        Ok(())
    }

    /// Asks whether the discussion ends, and records the decision. Without an answer the rule for
    /// unattended runs applies.
    pub(super) async fn ask_end(
        &mut self,
        guard: StopReason,
        ports: &mut Ports<'_>,
    ) -> Result<(), Fault> {
        self.commit(ports)?;
        let started = ports.clock.monotonic_ms();
        let interrupt = ports.interrupt.clone();
        let answer = tokio::select! {
            answer = ports.human.ask_end(&self.state, guard) => answer.map_err(no_terminal)?,
            () = super::interrupted(interrupt) => return Ok(()),
        };
        self.waited(started, ports);
        let event = match answer {
            EndAnswer::Elsewhere => return self.take_mail_when(true, ports).map(drop),
            EndAnswer::Earlier => return self.take_mail(ports).map(drop),
            EndAnswer::Stop => confirmed(guard, DecidedBy::Terminal, ""),
            EndAnswer::GoOn(words) => {
                let words = (ports.redact)(&words);
                intervention::declined(&self.state, guard, words, Channel::Terminal, None)
            }
            EndAnswer::Nobody if guard == StopReason::Proposal => proposal::unattended(&self.state),
            EndAnswer::Nobody => confirmed(guard, DecidedBy::Unattended, "nobody answered"),
        };
        self.record(ports, event)
    }
}

fn confirmed(guard: StopReason, by: DecidedBy, reason: &str) -> Event {
    Event::EndDecision {
        guard,
        confirmed: true,
        by,
        reason: reason.to_owned(),
        granted: 0,
        message: None,
    }
}
