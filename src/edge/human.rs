//! The human: prepared answers first, then the terminal, else nobody.

mod answers;

use std::collections::VecDeque;
use std::io::{BufRead, Write};

pub use answers::Answers;

use super::ports::{BoxFuture, Human, HumanAnswer};
use crate::view::{self, Style};
use crate::workshop::{AnswerSource, Question, State};

/// Where questions are put: shows text, brings one line.
pub trait Terminal: Send {
    /// Shows a text that ends in a line break or a prompt.
    ///
    /// # Errors
    /// Whatever the system says.
    fn show(&mut self, text: &str) -> std::io::Result<()>;
    /// Waits for a line, without its line break; none when the input has ended.
    ///
    /// # Errors
    /// Whatever the system says.
    fn line(&mut self) -> std::io::Result<Option<String>>;
}

/// Questions on stderr, answers from standard input; only for a real terminal.
#[derive(Debug, Default)]
pub struct StandardTerminal;

impl Terminal for StandardTerminal {
    fn show(&mut self, text: &str) -> std::io::Result<()> {
        let mut stderr = std::io::stderr().lock();
        stderr.write_all(text.as_bytes())?;
        stderr.flush()
    }

    fn line(&mut self) -> std::io::Result<Option<String>> {
        let mut line = String::new();
        let read = std::io::stdin().lock().read_line(&mut line)?;
        Ok((read > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned()))
    }
}

/// Who answers in a run.
///
/// An answer, wherever it is written, is read in one way: a number picks an
/// option, nothing takes the recommended answer, `-` declines, anything else
/// is the answer itself.
pub struct Respondent {
    /// Answers that came before the question was put, such as those of
    /// `questions.md`; each is used once, for the question's current turn.
    ready: VecDeque<HumanAnswer>,
    answers: Answers,
    terminal: Option<Box<dyn Terminal>>,
    assumes: bool,
    style: Style,
}

impl Respondent {
    /// Nobody sits there: only `answers` and `ready` answer, then the run pauses.
    pub fn absent(answers: Answers, ready: Vec<HumanAnswer>, style: Style) -> Self {
        Self {
            ready: ready.into(),
            answers,
            terminal: None,
            assumes: false,
            style,
        }
    }

    /// What nothing and nobody answers gets the recommended answer, on record as
    /// an assumption, whatever the run was begun with.
    pub fn assuming(self) -> Self {
        Self {
            assumes: true,
            ..self
        }
    }

    /// Somebody sits at `terminal` and is asked what nothing else answers.
    pub fn at(
        terminal: Box<dyn Terminal>,
        answers: Answers,
        ready: Vec<HumanAnswer>,
        style: Style,
    ) -> Self {
        Self {
            terminal: Some(terminal),
            ..Self::absent(answers, ready, style)
        }
    }

    fn prepared(&mut self, question: &Question) -> Option<HumanAnswer> {
        let ready = self
            .ready
            .iter()
            .position(|answer| answer.question == question.id);
        if let Some(answer) = ready.and_then(|at| self.ready.remove(at)) {
            return Some(answer);
        }
        let typed = self.answers.take(question.id, question.dialogue.len())?;
        Some(understood(question, typed, AnswerSource::AnswersFile))
    }
}

impl Human for Respondent {
    fn ask<'a>(
        &'a mut self,
        state: &'a State,
        questions: &'a [&'a Question],
    ) -> BoxFuture<'a, Result<Vec<HumanAnswer>, String>> {
        Box::pin(async move {
            let mut answers = Vec::new();
            for question in questions {
                if let Some(answer) = self.prepared(question) {
                    answers.push(answer);
                    continue;
                }
                let Some(terminal) = self.terminal.take() else {
                    answers.extend(self.assumes.then(|| HumanAnswer {
                        question: question.id,
                        text: String::new(),
                        source: AnswerSource::Assumed,
                        message: None,
                    }));
                    continue;
                };
                let shown = view::question_text(state, question, &self.style);
                let prompt = shown + view::answer_prompt(&self.style);
                let (terminal, line) = wait_for_line(terminal, prompt).await?;
                match line {
                    Some(line) => {
                        self.terminal = Some(terminal);
                        answers.push(understood(question, &line, AnswerSource::Terminal));
                    }
                    // The input has ended: from now on nobody is there.
                    None => break,
                }
            }
            Ok(answers)
        })
    }
}

/// Waits on a thread of its own, so that an interrupt is not held up.
async fn wait_for_line(
    mut terminal: Box<dyn Terminal>,
    prompt: String,
) -> Result<(Box<dyn Terminal>, Option<String>), String> {
    let waiting = tokio::task::spawn_blocking(move || {
        terminal.show(&prompt)?;
        let line = terminal.line()?;
        Ok::<_, std::io::Error>((terminal, line))
    });
    waiting
        .await
        .map_err(|error| format!("the terminal cannot be read: {error}"))?
        .map_err(|error| format!("the terminal cannot be read: {error}"))
}

/// Reads what was typed as an answer to `question`.
fn understood(question: &Question, typed: &str, source: AnswerSource) -> HumanAnswer {
    let typed = typed.trim();
    // Options are answers to the question itself, not to a follow-up.
    let option = typed
        .parse::<usize>()
        .ok()
        .filter(|_| question.current_text() == question.text)
        .and_then(|n| question.options.get(n.checked_sub(1)?));
    let (text, source) = match (typed, option) {
        ("", _) => (String::new(), AnswerSource::Recommended),
        ("-", _) => (String::new(), AnswerSource::Declined),
        (_, Some(option)) => (option.clone(), source),
        (typed, None) => (typed.to_owned(), source),
    };
    HumanAnswer {
        question: question.id,
        text,
        source,
        message: None,
    }
}

#[cfg(test)]
mod tests;
