//! Lines typed while a run goes on: the menu, exit words, words for the
//! members, and the answer to "does it end here?".

use futures_util::FutureExt;

use super::{Came, Respondent, understood};
use crate::edge::inbox::InboxError;
use crate::edge::ports::{EndAnswer, HumanAnswer, Said};
use crate::fault::{Tell as _, nearest};
use crate::view;
use crate::workshop::{AnswerSource, Channel, Intent, State, StopReason, intervention};

/// A line that is neither an answer nor words for the members.
#[derive(PartialEq)]
enum Key {
    /// Enter alone.
    Enter,
    /// End the discussion.
    End,
    /// Go on.
    GoOn,
    /// Let the members vote.
    Vote,
}

fn key(line: &str) -> Option<Key> {
    match line.trim().to_ascii_lowercase().as_str() {
        "" => Some(Key::Enter),
        "e" | "[e]" => Some(Key::End),
        "c" | "[c]" => Some(Key::GoOn),
        "v" | "[v]" => Some(Key::Vote),
        _ => None,
    }
}

/// What may be typed after a slash while a run goes on, and what people think of.
const COMMANDS: [&str; 12] = [
    "answer",
    "auto-exit",
    "debate",
    "diff",
    "exit",
    "help",
    "questions",
    "reopen",
    "show",
    "status",
    "stop",
    "vote",
];

/// The answer in `/answer Q-1 …`, if there is such a question.
fn answer_in(state: &State, line: &str) -> Option<HumanAnswer> {
    let rest = line.trim().strip_prefix("/answer ")?;
    let (name, text) = rest.trim_start().split_once(' ')?;
    let question = name.parse().ok().and_then(|id| state.question(id))?;
    Some(understood(question, text, AnswerSource::Terminal))
}

impl Respondent {
    /// Takes lines that were typed while nothing was asked.
    pub(super) fn overhear(&mut self, state: &State) -> Result<(), InboxError> {
        while self.listen() {
            let Some(reading) = self.reading.as_mut().filter(|it| it.is_finished()) else {
                break;
            };
            let line = reading.now_or_never();
            self.reading = None;
            match line {
                Some(Ok(Ok(Some(line)))) => self.take_line(state, &line),
                // The input has ended, or cannot be read: nobody is there.
                _ => self.terminal = None,
            }
        }
        Ok(())
    }

    fn take_line(&mut self, state: &State, line: &str) {
        if self.is_answer(state, line) {
            return;
        }
        if let Some(told) = self.looked_up(state, line) {
            return self.notices.push(told.into());
        }
        match key(line) {
            Some(Key::Enter | Key::GoOn) => self.notices.push(view::menu(&self.style).into()),
            Some(Key::End) => self.say(Intent::Stop, line),
            Some(Key::Vote) => self.say(Intent::VoteToEnd, line),
            None => match intervention::read(line, &state.inputs) {
                Ok(intent) => self.say(intent, line),
                Err(unknown) => self.notices.push(unknown.told().what().clone()),
            },
        }
    }

    fn say(&mut self, intent: Intent, line: &str) {
        self.typed.push(Said {
            intent,
            content: line.trim().to_owned(),
            channel: Channel::Terminal,
            message: None,
        });
    }

    /// What a line asks to see, if it asks for nothing else: what may be typed, or how
    /// the run stands.
    pub(super) fn looked_up(&self, state: &State, line: &str) -> Option<String> {
        match line.trim() {
            "/help" => Some(view::menu(&self.style)),
            "/status" => Some(view::standing(state, &self.style)),
            _ => None,
        }
    }

    /// Is it `/answer Q-1 …`, for a question that waits? Then the answer is kept.
    fn is_answer(&mut self, state: &State, line: &str) -> bool {
        let answer = answer_in(state, line);
        self.given.extend(answer.clone());
        answer.is_some()
    }

    /// What is said to a line at a question that is not its answer and does nothing
    /// either: something looked up, or a mistyped command, which on record could not
    /// be taken back.
    pub(super) fn replied(&self, state: &State, line: &str) -> Option<String> {
        if let Some(told) = self.looked_up(state, line) {
            return Some(told);
        }
        if answer_in(state, line).is_some() {
            return None;
        }
        let fault = intervention::read(line, &state.inputs).err()?.told();
        // An answer may begin with a slash; a path is like none of these.
        let name = line.split_whitespace().next()?.trim_start_matches('/');
        nearest(name, COMMANDS)?;
        let lang = self.style.lang;
        Some(format!(
            "{}\n{}",
            fault.what().of(lang),
            fault.fix().of(lang)
        ))
    }

    /// Is a line typed at a question an exit word, a command, or the answer to another
    /// question? Then it is kept.
    pub(super) fn is_command(&mut self, state: &State, line: &str) -> bool {
        if self.is_answer(state, line) {
            return true;
        }
        // The menu's own letter ends the discussion wherever it is typed.
        if key(line) == Some(Key::End) {
            self.say(Intent::Stop, line);
            return true;
        }
        match intervention::read(line, &state.inputs) {
            Ok(Intent::Say) => false,
            Ok(intent) => {
                self.say(intent, line);
                true
            }
            // Told already, before the line is taken.
            Err(_) => false,
        }
    }

    /// Puts the question whether the discussion ends.
    pub(super) async fn put_end(
        &mut self,
        state: &State,
        guard: StopReason,
    ) -> Result<EndAnswer, String> {
        if !self.listen() {
            return Ok(EndAnswer::Nobody);
        }
        self.show(&view::end_question(state, guard, &self.style))?;
        match self.wait(state).await? {
            Came::Mail(_) => {
                self.show("\n")?;
                Ok(EndAnswer::Elsewhere)
            }
            Came::Line(Some(line)) => Ok(self.understood_end(state, &line)),
            Came::Line(None) => {
                if !self.silent {
                    self.terminal = None;
                }
                self.show("\n")?;
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
