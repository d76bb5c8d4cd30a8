//! Lines typed while a run is in progress: the menu, exit words, messages to the members, and the
//! answer to whether the discussion ends.

use super::mail::{ParsedMessage, parse_line};
use super::{Respondent, WaitEnd, ends_wait, understood, withdrawn};
use crate::edge::ports::{EndAnswer, Human as _, UserIntervention};
use crate::fault::line::SLASH_UNKNOWN;
use crate::fault::{ToFault as _, texts, values};
use crate::machine::{AnswerSource, Channel, Intent, Question, State, StopReason, intervention};
use crate::ui::view;

/// A line that is a key of the menu.
#[derive(PartialEq)]
pub(super) enum MenuKey {
    /// An empty line.
    Enter,
    /// Ends the discussion.
    End,
    /// Continues.
    GoOn,
    /// Lets the members vote.
    Vote,
}

/// The key that a line consists of, if any.
pub(super) fn menu_key(line: &str) -> Option<MenuKey> {
    match line.trim().to_ascii_lowercase().as_str() {
        "" => Some(MenuKey::Enter),
        "e" | "[e]" => Some(MenuKey::End),
        "c" | "[c]" => Some(MenuKey::GoOn),
        "v" | "[v]" => Some(MenuKey::Vote),
        _ => None,
    }
}

texts! {
    AS_ANSWER: "/answer {id} {line} gives it as the answer", "如果这就是回答，请输入 /answer {id} {line}";
}

impl Respondent {
    /// Keeps what the user says for the next `mail`.
    pub fn say(&mut self, intent: Intent, line: &str) {
        self.typed.push(UserIntervention {
            intent,
            content: line.trim().to_owned(),
            channel: Channel::Terminal,
            message: None,
        });
    }

    /// The text that a line asks for, if it asks for nothing else: the menu or the status of the
    /// run.
    pub(super) fn looked_up(&self, state: &State, line: &str) -> Option<String> {
        let style = self.style();
        let shown = match line.trim() {
            "/help" => view::menu(&style),
            "/status" => view::standing(state, &style),
            _ => return None,
        };
        Some(view::hung(&shown, &style))
    }

    /// The reply to a line typed at a question that neither answers it nor does anything else: a
    /// request for information, a command that is unknown or not possible here, or the number of a
    /// missing option. Such a line is not recorded, because that could not be undone. A user who
    /// means a word with a slash as the answer to `question` has to say so; the reply shows how.
    pub(super) fn replied(
        &self,
        state: &State,
        question: Option<&Question>,
        line: &str,
    ) -> Option<String> {
        if let Some(told) = self.looked_up(state, line) {
            return Some(told);
        }
        let no_option =
            question.and_then(|question| understood(question, line, AnswerSource::Terminal).err());
        let fault = match no_option {
            Some(none) => none,
            None => parse_line(state, line).err()?,
        };
        let id = question.map(|question| question.id);
        let (style, lang) = (self.style(), self.style.lang);
        let is_slash = line.trim().starts_with('/');
        let as_answer = id
            .filter(|_| is_slash && intervention::answered(line).is_none())
            .map(|id| AS_ANSWER.fill(values![id, line = line.trim()]));
        let is_known = fault.code != SLASH_UNKNOWN.code;
        let fixes = [
            (is_known || as_answer.is_none()).then(|| fault.fix().of(lang)),
            as_answer.as_ref().map(|text| text.of(lang)),
        ];
        let told = [Some(fault.what().of(lang))].into_iter().chain(fixes);
        let told: Vec<_> = told
            .flatten()
            .map(|text| view::hung(text, &style))
            .collect();
        Some(told.join("\n"))
    }

    /// Whether a line typed at a question is an exit word, a command, or the answer to another
    /// question. If so, it is kept for the next `mail`.
    pub(super) fn is_command(&mut self, state: &State, line: &str) -> bool {
        match parse_line(state, line) {
            Ok(ParsedMessage::Answer(answer)) => self.given.push(answer),
            // A single `v` is an answer here; only `/vote` asks for a vote.
            Ok(ParsedMessage::Said(Intent::VoteToEnd, _)) if menu_key(line).is_some() => {
                return false;
            }
            Ok(ParsedMessage::Said(Intent::Say, _)) => return false,
            Ok(ParsedMessage::Said(intent, _)) => self.say(intent, line),
            // The error was already shown by `replied`.
            Err(_) => return false,
        }
        true
    }

    /// Asks whether the discussion ends.
    pub(super) async fn put_end(
        &mut self,
        state: &State,
        guard: StopReason,
    ) -> Result<EndAnswer, String> {
        if !self.is_there() {
            return Ok(EndAnswer::Nobody);
        }
        // Messages received so far were sent to the discussion and do not answer this question.
        match self.read_inbox(state) {
            Ok(mail) if !ends_wait(&mail, None) => {}
            Ok(_) => return Ok(EndAnswer::Earlier),
            Err(error) => {
                self.failed = Some(error);
                return Ok(EndAnswer::Earlier);
            }
        }
        let shown = view::end_question(state, guard, &self.style());
        match self.put_question(state, None, &shown).await? {
            WaitEnd::Mail(_) => {
                self.withdraw(&withdrawn::CAME_FIRST.into())?;
                Ok(EndAnswer::Elsewhere)
            }
            WaitEnd::Line(Some(line)) => Ok(self.understood_end(state, &line)),
            WaitEnd::Line(None) if self.silent => {
                self.withdraw(&withdrawn::NOBODY.into())?;
                Ok(EndAnswer::Nobody)
            }
            WaitEnd::Line(None) => {
                self.show("\n")?;
                self.access.terminal = None;
                Ok(EndAnswer::Nobody)
            }
        }
    }

    fn understood_end(&mut self, state: &State, line: &str) -> EndAnswer {
        match (menu_key(line), intervention::read(line, &state.inputs)) {
            (Some(MenuKey::Enter | MenuKey::End), _) | (None, Ok(Intent::Stop)) => EndAnswer::Stop,
            (Some(MenuKey::GoOn), _) => EndAnswer::GoOn(String::new()),
            (None, Ok(Intent::Say)) => EndAnswer::GoOn(line.trim().to_owned()),
            (Some(MenuKey::Vote), _) => {
                self.say(Intent::VoteToEnd, line);
                EndAnswer::Elsewhere
            }
            (None, Ok(intent)) => {
                self.say(intent, line);
                EndAnswer::Elsewhere
            }
            (None, Err(unknown)) => {
                self.notices.push(unknown.to_fault().what().clone());
                EndAnswer::Elsewhere
            }
        }
    }
}
