//! Questions to the user: asking them, and pausing or assuming where nobody answers.

use super::session::Session;
use super::{Outcome, Ports, no_terminal};
use crate::artifact::QUESTIONS_FILE;
use crate::fault::Fault;
use crate::machine::{AnswerSource, Event, Question, QuestionId, QuestionMode, ending};

/// Useless answers in a row after which a run pauses and does not ask again.
const MAX_USELESS: u32 = 8;

impl Session {
    /// Asks the user these questions. Returns an outcome if the run has to pause.
    pub(super) async fn ask_user(
        &mut self,
        ids: Vec<QuestionId>,
        ports: &mut Ports<'_>,
    ) -> Result<Option<Outcome>, Fault> {
        self.commit(ports)?;
        let started = ports.clock.monotonic_ms();
        let questions: Vec<_> = ids
            .iter()
            .filter_map(|id| self.state.questions.find(*id))
            .collect();
        let interrupt = ports.interrupt.clone();
        let answers = tokio::select! {
            answers = ports.human.ask(&self.state, &questions) => answers.map_err(no_terminal)?,
            () = super::interrupted(interrupt) => return Ok(None),
        };
        self.waited(started, ports);
        // Useless answers leave the questions open: they are asked again, up to a limit.
        let came = !answers.is_empty();
        if self.take_answers(answers, ports)? > 0 {
            self.useless = 0;
            return Ok(None);
        }
        self.useless += u32::from(came);
        if came && self.useless < MAX_USELESS {
            return Ok(None);
        }
        // A message that came meanwhile shows that the user is there, even if it was refused: no
        // pause.
        if self.take_mail(ports)? {
            return Ok(None);
        }
        if self.state.inputs.questions == QuestionMode::Assume {
            return self.assume(&ids, ports).map(|()| None);
        }
        if ports.human.fell_silent()
            && let Some(fired) = ending::silence_of_the_user(&self.state)
        {
            return self.record(ports, fired).map(|()| None);
        }
        self.pause(ids).map(Some)
    }

    /// Records the recommended answers as assumptions.
    fn assume(&mut self, ids: &[QuestionId], ports: &mut Ports<'_>) -> Result<(), Fault> {
        let events: Vec<Event> = ids
            .iter()
            .filter_map(|id| self.state.questions.find(*id))
            .map(|question| {
                let text = question.current_recommended().to_owned();
                reply(question, text, AnswerSource::Assumed, None)
            })
            .collect();
        for event in events {
            self.record(ports, event)?;
        }
        self.commit(ports)
    }

    fn pause(&self, questions: Vec<QuestionId>) -> Result<Outcome, Fault> {
        for file in self.renderer.standing(&self.state, self.state.round)? {
            if file.path == QUESTIONS_FILE {
                self.draft.write(&file.path, &file.bytes)?;
            }
        }
        Ok(Outcome::NeedsUser {
            file: self.draft.dir().join(QUESTIONS_FILE),
            questions,
        })
    }
}

/// The answer to a question, as it is recorded.
pub(super) fn reply(
    question: &Question,
    user_reply: String,
    source: AnswerSource,
    message: Option<String>,
) -> Event {
    Event::UserClarificationDialogue {
        id: question.id,
        question: question.current_text().to_owned(),
        user_reply,
        source,
        message,
    }
}
