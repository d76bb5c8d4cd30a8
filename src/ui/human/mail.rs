//! Interprets the messages of the inbox: answers, and everything else.

use super::ending::{MenuKey, menu_key};
use super::{Respondent, understood};
use crate::edge::inbox::{InboxMessage, MessageBody};
use crate::edge::ports::{Mail, UserAnswer, UserIntervention};
use crate::fault::plans::QUESTION_NOT_WAITING;
use crate::fault::{Fault, Message, ToFault as _, texts, values};
use crate::machine::{AnswerSource, Channel, Intent, QuestionId, State, intervention};

impl Respondent {
    /// Reads the inbox. A message that is already recorded is deleted without being used; one that
    /// cannot be interpreted is deleted and reported; all others stay until they are taken.
    pub(super) fn read_inbox(&mut self, state: &State) -> Result<Mail, Fault> {
        let Some((inbox, _)) = &self.access.inbox else {
            return Ok(Mail::default());
        };
        let received = inbox.receive()?;
        self.notices.extend(received.notices);
        let mut mail = Mail::default();
        for InboxMessage { id, body, .. } in received.messages {
            if state.run.messages.contains(&id) {
                inbox.delete(&id)?;
                continue;
            }
            let channel = match body {
                MessageBody::Typed { .. } => Channel::Terminal,
                _ => Channel::Message,
            };
            match parse_body(state, body) {
                Ok(ParsedMessage::Answer(mut answer)) => {
                    answer.message = Some(id);
                    mail.answers.push(answer);
                }
                Ok(ParsedMessage::Said(intent, content)) => mail.said.push(UserIntervention {
                    intent,
                    content,
                    channel,
                    message: Some(id),
                }),
                Err(why) => {
                    self.notices.push(match channel {
                        Channel::Terminal => why,
                        Channel::Message => DELETED.fill(values![why]),
                    });
                    inbox.delete(&id)?;
                }
            }
        }
        Ok(mail)
    }
}

texts! {
    DELETED: "a message was deleted: {why}", "一条消息已删除：{why}";
    NO_TOPIC: "a debate needs a topic", "辩论需要一个题目";
}

/// The meaning of a message or a line.
pub(super) enum ParsedMessage {
    /// An answer to a question.
    Answer(UserAnswer),
    /// Anything else, unchanged.
    Said(Intent, String),
}

/// Interprets a typed line that does not answer the current question.
///
/// # Errors
/// It is an unknown command, answers a question that does not wait, or chooses a missing option.
pub(super) fn parse_line(state: &State, line: &str) -> Result<ParsedMessage, Fault> {
    if let Some(answer) = answer_in(state, line, AnswerSource::Terminal) {
        return answer.map(ParsedMessage::Answer);
    }
    if let Some((id, _)) = intervention::answered(line) {
        return Err(not_waiting(state, id));
    }
    let intent = match menu_key(line) {
        Some(MenuKey::End) => Ok(Intent::Stop),
        Some(MenuKey::Vote) => Ok(Intent::VoteToEnd),
        _ => intervention::read(line, &state.inputs),
    };
    let intent = intent.map_err(|unknown| unknown.to_fault())?;
    Ok(ParsedMessage::Said(intent, line.trim().to_owned()))
}

/// The error if no such question waits; it suggests the waiting question with the nearest number.
fn not_waiting(state: &State, id: QuestionId) -> Fault {
    let waiting = state.questions.waiting().map(|question| question.id);
    let near = waiting.min_by_key(|one| one.0.abs_diff(id.0));
    let fault = QUESTION_NOT_WAITING.with(values![question = id, n = state.inputs.run()]);
    fault.meaning(near.map(|near| format!("/answer {near} …")))
}

/// The answer in `/answer Q-1 …`, if there is such a question.
fn answer_in(state: &State, line: &str, source: AnswerSource) -> Option<Result<UserAnswer, Fault>> {
    let (id, text) = intervention::answered(line)?;
    Some(understood(state.questions.find(id)?, text, source))
}

fn parse_body(state: &State, body: MessageBody) -> Result<ParsedMessage, Message> {
    match body {
        MessageBody::Say { text } => {
            if let Some(answer) = answer_in(state, &text, AnswerSource::Command) {
                let told = |none: Fault| none.what().clone();
                return answer.map(ParsedMessage::Answer).map_err(told);
            }
            let intent = intervention::read(&text, &state.inputs)
                .map_err(|unknown| unknown.to_fault().what().clone())?;
            Ok(ParsedMessage::Said(intent, text))
        }
        MessageBody::Typed { line } => {
            parse_line(state, &line).map_err(|fault| fault.what().clone())
        }
        MessageBody::Stop => Ok(ParsedMessage::Said(Intent::Stop, "/stop".to_owned())),
        MessageBody::Debate { topic } => {
            let content = intervention::debate_about(&topic);
            match intervention::topic(&content) {
                Some(_) => Ok(ParsedMessage::Said(Intent::Debate, content)),
                None => Err(NO_TOPIC.into()),
            }
        }
        MessageBody::Answer {
            question,
            text,
            recommended,
            declined,
        } => {
            let source = match (recommended, declined) {
                (true, _) => AnswerSource::Recommended,
                (_, true) => AnswerSource::Declined,
                _ => AnswerSource::Command,
            };
            Ok(ParsedMessage::Answer(
                match state.questions.find(question) {
                    Some(asked) if source == AnswerSource::Command => {
                        let answer = understood(asked, &text, source);
                        answer.map_err(|none| none.what().clone())?
                    }
                    _ => UserAnswer {
                        question,
                        text,
                        source,
                        message: None,
                    },
                },
            ))
        }
    }
}
