//! Parts of prompts that were rendered before.
//!
//! Within a round every prompt is the one before with more at its end, so that
//! all but its last messages need not be rendered again. What a part says is
//! settled by its key: the events behind it are on record and never change.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::chat::Message;
use crate::fault::Fault;
use crate::machine::{QuestionId, State};

/// Which part of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// Requirement, revision and survey.
    Brief,
    /// The draft as the round found it.
    Draft,
    /// The issues as the round found them.
    Agenda,
    /// The line that calls for a speech, and the speech: index into the state's.
    Speech(usize),
    /// A turn without a speech: index into the state's.
    PassedOver(usize),
    /// What somebody looked at: index into all looks.
    Look(usize),
    /// Words of the user, by index.
    Human(usize),
    /// An answer to a question.
    Answer(QuestionId),
    /// One of those that only prompts of the closing hold, by its place.
    Closing(u32),
}

/// What was rendered for one round of one run.
#[derive(Debug, Default)]
pub(super) struct Memo {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    run: String,
    round: u32,
    parts: HashMap<Part, Vec<Message>>,
}

impl Memo {
    /// The messages of a part: those kept, else those `render` makes.
    ///
    /// # Errors
    /// Those of `render`; nothing is kept then.
    pub(super) fn messages(
        &self,
        state: &State,
        part: Part,
        render: impl FnOnce() -> Result<Vec<Message>, Fault>,
    ) -> Result<Vec<Message>, Fault> {
        // Before the first round issues and questions still come and go.
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

    /// The message of the closing that was kept in this place if it says the same, else
    /// this one, which is kept. Documents are asked for side by side, and all but the end
    /// of their prompts is held once; nothing of the discussion is needed any more.
    pub(super) fn of_closing(&self, place: u32, message: Message) -> Message {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let stays = |part: &Part| matches!(part, Part::Brief | Part::Closing(_));
        kept.parts.retain(|part, _| stays(part));
        let known = kept.parts.entry(Part::Closing(place)).or_default();
        if known.first() != Some(&message) {
            *known = vec![message.clone()];
        }
        known.first().cloned().unwrap_or(message)
    }
}
