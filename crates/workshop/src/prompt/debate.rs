//! The part of a prompt that a debate adds to its round: the motion, then everything said in the
//! debate, each after the line that called for it.

use serde_json::Value;

use super::prompter::Prompter;
use super::view;
use crate::chat::Message;
use crate::fault::Fault;
use crate::machine::debate::{Debate, DebateTurn};
use crate::machine::{CallId, DebatePart, Purpose, State};

impl Prompter {
    /// The debate so far. If a round is argued in parallel, its arguments are added only once all
    /// of them have arrived.
    pub(super) fn debate(
        &self,
        state: &State,
        call: &CallId,
        messages: &mut Vec<Message>,
    ) -> Result<(), Fault> {
        messages.extend(self.of_debate(view::motion(state))?);
        let Some(debate) = state.open_debate() else {
            return Ok(());
        };
        messages.extend(self.of_debate(view::opening(debate))?);
        let argues = call.purpose == Purpose::Debate(DebatePart::Argument);
        let held = debate.rounds.len() as u32;
        let heard = if argues {
            call.turn.saturating_sub(1)
        } else {
            held
        };
        for round in 1..=heard.min(held) {
            self.debate_round(state, debate, round, messages)?;
        }
        Ok(())
    }

    pub(super) fn debate_round(
        &self,
        state: &State,
        debate: &Debate,
        number: u32,
        messages: &mut Vec<Message>,
    ) -> Result<(), Fault> {
        let Some(round) = debate.rounds.get(number as usize - 1) else {
            return Ok(());
        };
        for (place, turn) in &round.turns {
            let Some(member) = debate.participants().get(*place) else {
                continue;
            };
            messages.extend(self.of_debate([view::argue(state, debate, member, number)])?);
            messages.extend(self.of_debate([match turn {
                DebateTurn::Argued(argument) => view::argued(state, member, argument),
                DebateTurn::Missing { .. } => view::missing(state, member),
            }])?);
        }
        if let Some(summary) = &round.summary {
            messages.extend(self.of_debate(view::summed_up(debate, number, summary))?);
        }
        Ok(())
    }

    fn of_debate(&self, values: impl IntoIterator<Item = Value>) -> Result<Vec<Message>, Fault> {
        values
            .into_iter()
            .map(|value| self.user("debate", value))
            .collect()
    }
}
