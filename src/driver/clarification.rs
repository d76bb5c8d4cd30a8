//! Questions to the user: asking them, and taking in answers from the terminal and from messages.

use super::session::{QUESTIONS_FILE, Session};
use super::{Outcome, Ports, no_terminal};
use crate::edge::ports::HumanAnswer;
use crate::fault::Fault;
use crate::fault::texts;
use crate::machine::{
    AnswerSource, Channel, Event, Intent, Question, QuestionId, QuestionMode, check, ending,
    intervention,
};

/// Useless answers in a row after which a run pauses and does not ask again.
const MAX_USELESS: u32 = 8;

texts! {
    NOT_NEEDED: "the answer to {id} is not needed: the question is closed, or was never put", "不需要 {id} 的答案：该问题已关闭，或从未提出";
}

impl Session {
    /// Takes in the messages sent since the last time; returns whether there were any. An answer is
    /// received, recorded and committed, and only then is its message deleted: after a crash in
    /// between its id is already known, and the message is deleted unread.
    pub(super) fn take_mail(&mut self, ports: &mut Ports<'_>) -> Result<bool, Fault> {
        self.take_mail_when(false, ports)
    }

    /// As [`take_mail`](Self::take_mail); `is_asked` if the user is just being asked about the end.
    pub(super) fn take_mail_when(
        &mut self,
        is_asked: bool,
        ports: &mut Ports<'_>,
    ) -> Result<bool, Fault> {
        let mail = ports.human.mail(&self.state)?;
        let came = !mail.answers.is_empty() || !mail.said.is_empty();
        for notice in &mail.notices {
            ports.observer.notice(notice);
        }
        self.take_answers(mail.answers, ports)?;
        self.take_said(mail.said, is_asked, ports)?;
        Ok(came)
    }

    /// Records answers and commits them; returns how many of them a question was waiting for. Other
    /// answers are recorded as late.
    fn take_answers(
        &mut self,
        answers: Vec<HumanAnswer>,
        ports: &mut Ports<'_>,
    ) -> Result<usize, Fault> {
        let (mut taken, mut messages) = (0, Vec::new());
        let before = self.state.run.seq;
        for answer in answers {
            let (id, source) = (answer.question, answer.source);
            let late = answer.clone();
            messages.extend(answer.message.clone());
            let event = self.state.questions.find(id).map(|question| {
                let text = match source {
                    AnswerSource::Recommended | AnswerSource::Assumed => {
                        question.current_recommended().to_owned()
                    }
                    _ => (ports.redact)(&answer.text),
                };
                reply(question, text, source, answer.message)
            });
            match event.filter(|event| check(&self.state, event).is_ok()) {
                Some(event) => {
                    self.record(ports, event)?;
                    taken += 1;
                }
                None => self.keep_late(late, ports)?,
            }
        }
        if self.state.run.seq > before {
            self.commit(ports)?;
        }
        if taken > 0 && self.state.questions.waiting().next().is_none() {
            self.draft.remove(QUESTIONS_FILE)?;
        }
        if !messages.is_empty() {
            ports.human.taken(&messages)?;
        }
        Ok(taken)
    }

    /// Records an answer that no question waits for any more; one that comes after the last line of
    /// the transcript is only reported.
    fn keep_late(&mut self, late: HumanAnswer, ports: &mut Ports<'_>) -> Result<(), Fault> {
        let words = (ports.redact)(&late.text);
        let channel = match late.source {
            AnswerSource::Terminal => Channel::Terminal,
            _ => Channel::Message,
        };
        let content = intervention::answer_to(late.question, &words);
        let event =
            intervention::unasked(&self.state, Intent::Answer, content, channel, late.message);
        match check(&self.state, &event) {
            Ok(()) => self.record(ports, event),
            Err(_) => {
                let told = NOT_NEEDED.fill(&[("id", &late.question)]);
                ports.observer.notice(&told);
                Ok(())
            }
        }
    }

    /// Asks the user these questions. Returns an outcome if the run has to pause.
    pub(super) async fn ask_human(
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
            && let Some(fired) = ending::silence_of_the_human(&self.state)
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
        for file in self.renderer.live(&self.state, |_| false)? {
            if file.path == QUESTIONS_FILE {
                self.draft.write(&file.path, &file.bytes)?;
            }
        }
        Ok(Outcome::NeedsHuman {
            file: self.draft.dir().join(QUESTIONS_FILE),
            questions,
        })
    }
}

fn reply(
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
