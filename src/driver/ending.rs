//! The end of a discussion: asking the user for it.

use super::session::Session;
use super::{Ports, no_terminal};
use crate::edge::ports::EndAnswer;
use crate::fault::Fault;
use crate::machine::{Channel, DecidedBy, Event, StopReason, intervention, proposal};

impl Session {
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
