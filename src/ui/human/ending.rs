//! Lines typed while a run goes on: the menu, exit words, words for the
//! members, and the answer to "does it end here?".

use super::mail::{Letter, typed};
use super::{Came, Respondent, understood, withdrawn};
use crate::edge::ports::{EndAnswer, Utterance};
use crate::fault::line::SLASH_UNKNOWN;
use crate::fault::{Tell as _, texts, values};
use crate::machine::{AnswerSource, Channel, Intent, Question, State, StopReason, intervention};
use crate::ui::view;

/// A line that is neither an answer nor words for the members.
#[derive(PartialEq)]
pub(super) enum Key {
    /// Enter alone.
    Enter,
    /// End the discussion.
    End,
    /// Go on.
    GoOn,
    /// Let the members vote.
    Vote,
}

/// The key that a line is, if it is one.
pub(super) fn key(line: &str) -> Option<Key> {
    match line.trim().to_ascii_lowercase().as_str() {
        "" => Some(Key::Enter),
        "e" | "[e]" => Some(Key::End),
        "c" | "[c]" => Some(Key::GoOn),
        "v" | "[v]" => Some(Key::Vote),
        _ => None,
    }
}

texts! {
    AS_ANSWER: "/answer {id} {line} gives it as the answer", "如果这就是回答，请输入 /answer {id} {line}";
}

impl Respondent {
    fn say(&mut self, intent: Intent, line: &str) {
        self.typed.push(Utterance {
            intent,
            content: line.trim().to_owned(),
            channel: Channel::Terminal,
            message: None,
        });
    }

    /// What a line asks to see, if it asks for nothing else: what may be typed, or the status of
    /// the run.
    pub(super) fn looked_up(&self, state: &State, line: &str) -> Option<String> {
        let style = self.style();
        let shown = match line.trim() {
            "/help" => view::menu(&style),
            "/status" => view::standing(state, &style),
            _ => return None,
        };
        Some(view::hung(&shown, &style))
    }

    /// The reply to a line at a question that is not its answer and does nothing either: something
    /// looked up, a command that does not exist or not here, a meeting of its own, or a number of
    /// no option. Once recorded none of them could be taken back; a user who means a word with a
    /// slash as the answer to the `question` says so.
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
            None => typed(state, line).err()?,
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

    /// Returns whether a line typed at a question is an exit word, a command, or the answer to
    /// another question. Then it is kept.
    pub(super) fn is_command(&mut self, state: &State, line: &str) -> bool {
        match typed(state, line) {
            Ok(Letter::Answer(answer)) => self.given.push(answer),
            // The menu's own letters ask for nothing but the end, wherever they are typed.
            Ok(Letter::Said(Intent::VoteToEnd, _)) if key(line).is_some() => return false,
            Ok(Letter::Said(Intent::Say, _)) => return false,
            Ok(Letter::Said(intent, _)) => self.say(intent, line),
            // Told already, before the line is taken.
            Err(_) => return false,
        }
        true
    }

    /// Puts the question whether the discussion ends.
    pub(super) async fn put_end(
        &mut self,
        state: &State,
        guard: StopReason,
    ) -> Result<EndAnswer, String> {
        let input = if self.asks { self.listen(state) } else { None };
        let Some(input) = input else {
            return Ok(EndAnswer::Nobody);
        };
        // What is there now was sent to the discussion, not to this question.
        input.hold();
        match self.look(state) {
            Ok(mail) if mail.answers.is_empty() && mail.said.is_empty() => {}
            Ok(_) => return Ok(EndAnswer::Earlier),
            Err(error) => {
                self.failed = Some(error);
                return Ok(EndAnswer::Earlier);
            }
        }
        let shown = view::end_question(state, guard, &self.style());
        match self.put(state, None, &shown).await? {
            Came::Mail(_) => {
                self.withdraw(&withdrawn::CAME_FIRST.into())?;
                Ok(EndAnswer::Elsewhere)
            }
            Came::Line(Some(line)) => Ok(self.understood_end(state, &line)),
            Came::Line(None) if self.silent => {
                self.withdraw(&withdrawn::NOBODY.into())?;
                Ok(EndAnswer::Nobody)
            }
            Came::Line(None) => {
                self.show("\n")?;
                self.terminal = None;
                Ok(EndAnswer::Nobody)
            }
        }
    }

    fn understood_end(&mut self, state: &State, line: &str) -> EndAnswer {
        match (key(line), intervention::read(line, &state.inputs)) {
            (Some(Key::Enter | Key::End), _) | (None, Ok(Intent::Stop)) => EndAnswer::Stop,
            (Some(Key::GoOn), _) => EndAnswer::GoOn(String::new()),
            (None, Ok(Intent::Say)) => EndAnswer::GoOn(line.trim().to_owned()),
            (Some(Key::Vote), _) => {
                self.say(Intent::VoteToEnd, line);
                EndAnswer::Elsewhere
            }
            (None, Ok(intent)) => {
                self.say(intent, line);
                EndAnswer::Elsewhere
            }
            (None, Err(unknown)) => {
                self.notices.push(unknown.told().what().clone());
                EndAnswer::Elsewhere
            }
        }
    }
}
