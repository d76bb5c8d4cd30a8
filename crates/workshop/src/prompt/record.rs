//! The discussion for members who write from it: the current round comes first, exactly as in its
//! own prompts, so that providers find it in their cache; then the rounds before it.

use serde_json::json;

use super::measure::tokens_of;
use super::prompter::Prompter;
use super::view;
use crate::chat::Message;
use crate::fault::Fault;
use crate::machine::{DiscussionItem, State};

impl Prompter {
    /// Returns the rounds with their debates, and the number of the first one. If they exceed
    /// `limits.context_tokens`, these are the latest that fit, after a message that names the rest.
    pub(super) fn record(&self, state: &State) -> Result<(Vec<Message>, u32), Fault> {
        if state.round == 0 {
            return Ok((Vec::new(), 1));
        }
        let mut shown = Vec::new();
        self.discussion(state, &mut shown)?;
        shown.extend(self.end_of_round(state, state.round)?);
        let bound = state.inputs.rules.limits.context_tokens;
        let Some(mut room) = bound.checked_sub(tokens_of(&shown)) else {
            let left_out = self.round(json!({"is": "left_out", "until": state.round}))?;
            return Ok((vec![left_out], state.round + 1));
        };
        let mut from = state.round;
        let mut earlier = Vec::new();
        for past in state.discussion.past_rounds.iter().rev() {
            let round = self.past_round(state, past.round, &past.said)?;
            let Some(left) = room.checked_sub(tokens_of(&round)) else {
                earlier.push(vec![
                    self.round(json!({"is": "left_out", "until": past.round}))?,
                ]);
                break;
            };
            (room, from) = (left, past.round);
            earlier.push(round);
        }
        shown.extend(earlier.into_iter().rev().flatten());
        Ok((shown, from))
    }

    /// What was said in an earlier round, without the lines that called for it.
    fn past_round(
        &self,
        state: &State,
        round: u32,
        said: &[DiscussionItem],
    ) -> Result<Vec<Message>, Fault> {
        let mut messages = vec![self.round(json!({"is": "round", "round": round}))?];
        // Lookups of that round are no longer needed; the draft holds what was cited from them.
        let spoken = said
            .iter()
            .filter(|one| !matches!(one, DiscussionItem::Look(_)));
        for one in spoken {
            let mut spoken = self.said(state, *one)?;
            messages.extend(spoken.pop());
        }
        messages.extend(self.end_of_round(state, round)?);
        Ok(messages)
    }

    /// The coach's summary of a round, and the debates after it.
    fn end_of_round(&self, state: &State, round: u32) -> Result<Vec<Message>, Fault> {
        let mut messages = Vec::new();
        for summary in state
            .discussion
            .summaries
            .iter()
            .filter(|one| one.round == round)
        {
            messages.push(self.round(view::summed(summary))?);
        }
        for debate in state
            .debates
            .held
            .iter()
            .filter(|one| one.after_round == round)
        {
            messages.push(self.round(view::debated(debate))?);
            for number in 1..=debate.rounds.len() as u32 {
                self.debate_round(state, debate, number, &mut messages)?;
            }
        }
        Ok(messages)
    }

    fn round(&self, value: serde_json::Value) -> Result<Message, Fault> {
        self.user("round", value)
    }
}
