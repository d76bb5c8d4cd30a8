//! Messages of the user to a running workshop, typed or sent: answers to questions, words for the
//! members, requests for a debate or a stop. `ui/human/mail.rs` reads them from the inbox.

use super::Ports;
use super::clarification::reply;
use super::session::Session;
use crate::artifact::QUESTIONS_FILE;
use crate::clean::gist;
use crate::edge::ports::{UserAnswer, UserIntervention};
use crate::fault::{Fault, recorded, texts, values};
use crate::machine::{AnswerSource, Channel, Intent, intervention, may_follow};

texts! {
    NOT_TAKEN: "ignored: {text} ({why})", "没有采纳：{text}（{why}）";
    NOT_NEEDED: "the answer to {id} is not needed: the question is closed, or was never put", "不需要 {id} 的答案：该问题已关闭，或从未提出";
}

impl Session {
    /// Takes in the messages sent since the last time; returns whether there were any. An answer is
    /// received, recorded and committed, and only then is its message deleted: after a crash in
    /// between its id is already known, and the message is deleted without being used.
    pub(super) fn take_mail(&mut self, ports: &mut Ports<'_>) -> Result<bool, Fault> {
        self.take_mail_when(false, ports)
    }

    /// As [`take_mail`](Self::take_mail); `is_asked` if the user is being asked about the end at
    /// this moment.
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
    pub(super) fn take_answers(
        &mut self,
        answers: Vec<UserAnswer>,
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
            match event.filter(|event| may_follow(&self.state, event).is_ok()) {
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
            ports.human.delete_messages(&messages)?;
        }
        Ok(taken)
    }

    /// Records an answer that no question waits for any more; one that comes after the last line of
    /// the transcript is only reported.
    fn keep_late(&mut self, late: UserAnswer, ports: &mut Ports<'_>) -> Result<(), Fault> {
        let words = (ports.redact)(&late.text);
        let channel = match late.source {
            AnswerSource::Terminal => Channel::Terminal,
            _ => Channel::Message,
        };
        let content = intervention::answer_to(late.question, &words);
        let event =
            intervention::unasked(&self.state, Intent::Answer, content, channel, late.message);
        match may_follow(&self.state, &event) {
            Ok(()) => self.record(ports, event),
            Err(_) => {
                let told = NOT_NEEDED.fill(values![id = late.question]);
                ports.observer.notice(&told);
                Ok(())
            }
        }
    }

    /// Records what the user said and commits it; only then may the messages be deleted. A message
    /// that comes too late is reported.
    fn take_said(
        &mut self,
        said: Vec<UserIntervention>,
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
                intervention::when_asked
            } else {
                intervention::unasked
            };
            let event = event(&self.state, one.intent, content, one.channel, one.message);
            match may_follow(&self.state, &event) {
                Ok(()) => self.record(ports, event)?,
                Err(why) => {
                    let why = recorded::message(&why.to_string());
                    let said = gist(&text);
                    let not_taken = NOT_TAKEN.fill(values![text = said, why]);
                    ports.observer.notice(&not_taken);
                }
            }
        }
        if self.state.run.seq > before {
            self.commit(ports)?;
        }
        if !messages.is_empty() {
            ports.human.delete_messages(&messages)?;
        }
        Ok(())
    }
}
