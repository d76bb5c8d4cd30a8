//! Cache of rendered prompt parts.
//!
//! Within a round every prompt extends the one before it, so only its last messages need to be
//! rendered. A part never changes for the same key, because the recorded events behind it never
//! change.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::chat::Message;
use crate::fault::Fault;
use crate::machine::{DiscussionItem, State};

/// The key of a prompt part.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum PromptPart {
    /// Requirement, revision and survey.
    Brief,
    /// The draft as of the start of the round.
    Draft,
    /// The issues as of the start of the round.
    Agenda,
    /// Something that was said or done in the round.
    Said(DiscussionItem),
    /// A message that only prompts of the closing phase hold, by its position.
    Closing(u32),
}

/// The rendered parts of one round of one run.
#[derive(Debug, Default)]
pub(super) struct Memo {
    kept: Mutex<RoundCache>,
}

#[derive(Debug, Default)]
struct RoundCache {
    run: String,
    round: u32,
    parts: HashMap<PromptPart, Vec<Message>>,
}

impl Memo {
    /// Returns the cached messages of a part, or renders and caches them.
    ///
    /// # Errors
    /// Those of `render`; then nothing is cached.
    pub(super) fn messages(
        &self,
        state: &State,
        part: PromptPart,
        render: impl FnOnce() -> Result<Vec<Message>, Fault>,
    ) -> Result<Vec<Message>, Fault> {
        // Before the first round issues and questions still change.
        if state.round == 0 {
            return render();
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.run != state.run.id || kept.round != state.round {
            kept.run.clone_from(&state.run.id);
            kept.round = state.round;
            kept.parts.clear();
        }
        if let Some(messages) = kept.parts.get(&part) {
            return Ok(messages.clone());
        }
        let messages = render()?;
        kept.parts.insert(part, messages.clone());
        Ok(messages)
    }

    /// Returns the cached closing message at this position if it has the same content; otherwise
    /// caches and returns this one. Documents are requested in parallel and share all but the end
    /// of their prompts, so that part is kept in memory once. Parts of the discussion are dropped,
    /// because they are no longer needed.
    pub(super) fn of_closing(&self, place: u32, message: Message) -> Message {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let stays = |part: &PromptPart| matches!(part, PromptPart::Brief | PromptPart::Closing(_));
        kept.parts.retain(|part, _| stays(part));
        let known = kept.parts.entry(PromptPart::Closing(place)).or_default();
        if known.first() != Some(&message) {
            *known = vec![message.clone()];
        }
        known.first().cloned().unwrap_or(message)
    }
}
