//! What the user says: prepared answers, messages in the inbox of the run, the terminal. A run
//! without a terminal reads its inbox here too.

mod answers;
mod ending;
mod input;
mod mail;
mod parse_answer;
mod trial;
mod turn;
mod withdrawn;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

pub use answers::Answers;
pub(super) use input::behind;
use parse_answer::quoted;
pub use parse_answer::understood;
pub use turn::{LineUse, QuestionState, TypedLine};

use self::input::InputRouter;
use crate::edge::BoxFuture;
use crate::edge::inbox::Inbox;
use crate::edge::ports::{EndAnswer, Human, Mail, TrialAnswer, UserAnswer, UserIntervention};
use crate::fault::Fault;
use crate::fault::{Message, Text, texts, values};
use crate::machine::{
    AnswerSource, Intent, Question, QuestionMode, Stage, State, StopReason, TrialJob,
};
use crate::ui::view::{self, Style};

/// Interval for checking the inbox while a question is on the terminal.
const LOOK: Duration = Duration::from_secs(1);

texts! {
    UNUSED: "prepared answers to {ids} were not used: those questions were not asked, or were answered another way", "为 {ids} 准备的答案没有用到：没有提出这些问题，或已另行回答";
}

/// Handles a typed line, or the end of input (`None`); returns a text to be shown below it.
pub type LineHandler = Box<dyn Fn(Option<TypedLine>, &Style) -> Option<String> + Send>;

/// The terminal for questions: shows text, passes on lines.
pub trait Terminal: Send + Sync {
    /// Shows a text that ends in a line break or a prompt. Text typed before a prompt is shown is
    /// not an answer to it.
    fn show(&self, text: &str) -> std::io::Result<()>;
    /// Rings the bell, if the user wants to hear it.
    fn ring(&self) {}
    /// Passes typed lines to `line_handler`, first those that were typed so far.
    fn on_line(&self, line_handler: LineHandler);
    /// Removes the question from the screen and shows `why`. A line begun for it must not answer
    /// anything else: it is discarded, and `dropped` says so unless nothing was begun.
    fn withdraw(&self, why: &str, dropped: &str) -> std::io::Result<()> {
        self.show(&format!("\n{why}\n{dropped}\n"))
    }
    /// Current width in columns; `None` if unknown.
    fn width(&self) -> Option<usize> {
        None
    }
}

/// Removes secrets from a text.
pub type Redact = Arc<dyn Fn(&str) -> String + Send + Sync>;

/// How the user can be reached. By default nobody is there: only prepared answers are used, then
/// the run pauses.
#[derive(Default)]
pub struct UserAccess {
    /// The user's terminal. Lines typed there are messages to the run.
    pub terminal: Option<Arc<dyn Terminal>>,
    /// Whether questions that have no other answer are asked at the terminal.
    pub asks: bool,
    /// Whether the recommended answer is taken to every question that is not answered otherwise,
    /// whatever the run's own setting says.
    pub assumes: bool,
    /// How long a question waits at the terminal; after that nobody is considered present. `None`:
    /// without limit.
    pub patience: Option<Duration>,
    /// The inbox of the run. Answers are accepted from it at any time, and a line typed while
    /// nothing is asked becomes a message there, without its secrets.
    pub inbox: Option<(Inbox, Redact)>,
}

/// The source of answers for a run.
///
/// Answers are interpreted the same way wherever they are written: a number chooses an option, an
/// empty answer takes the recommended one, `-` declines, and any other text is the answer.
pub struct Respondent {
    /// Answers given before their question was asked, such as those in `questions.md`. Each is used
    /// once, for the current turn of its question.
    ready: VecDeque<UserAnswer>,
    answers: Answers,
    /// Without a terminal once its input has ended.
    access: UserAccess,
    /// Receives typed lines; created on first use.
    input: Option<Arc<InputRouter>>,
    /// Input typed at a question that does not answer it; returned by the next `mail`.
    typed: Vec<UserIntervention>,
    /// Answers typed as `/answer Q-1 …` while another question, or none, was asked.
    given: Vec<UserAnswer>,
    /// Whether the last question timed out.
    silent: bool,
    /// Notices to return with the next `mail`.
    notices: Vec<Message>,
    failed: Option<Fault>,
    style: Style,
}

impl Respondent {
    /// Answers with `answers` and `ready` first, then with what `seat` offers.
    pub fn new(answers: Answers, ready: Vec<UserAnswer>, style: Style, access: UserAccess) -> Self {
        Self {
            ready: ready.into(),
            answers,
            access,
            input: None,
            typed: Vec::new(),
            given: Vec::new(),
            silent: false,
            notices: Vec::new(),
            failed: None,
            style,
        }
    }

    /// Records an answer of `questions.md` as late if its question was answered in another way: it
    /// must neither answer a follow-up nor be lost.
    fn give_up_ready(&mut self, state: &State, mail: &mut Mail) {
        let waits = |id| state.questions.waiting().any(|question| question.id == id);
        let is_late = |answer: &UserAnswer| {
            let mut sent = mail.answers.iter();
            sent.any(|other| other.question == answer.question) || !waits(answer.question)
        };
        let (late, ready): (Vec<_>, Vec<_>) = self.ready.drain(..).partition(is_late);
        self.ready = ready.into();
        mail.answers.extend(late);
    }

    /// Reports unused prepared answers once no more questions will be asked.
    fn tell_unused(&mut self, state: &State) {
        if state.stage < Stage::Writing {
            return;
        }
        let ids = std::mem::take(&mut self.answers).unused(state);
        if !ids.is_empty() {
            let ids: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
            self.notices
                .push(UNUSED.fill(values![ids = Text::COMMA.join(&ids)]));
        }
    }

    fn prepared(&mut self, question: &Question) -> Option<UserAnswer> {
        let ready = self
            .ready
            .iter()
            .position(|answer| answer.question == question.id);
        if let Some(answer) = ready.and_then(|at| self.ready.remove(at)) {
            return Some(answer);
        }
        let typed = self
            .answers
            .for_turn(question.id, question.dialogue.len())?;
        match understood(question, typed, AnswerSource::AnswersFile) {
            Ok(answer) => Some(answer),
            Err(none) => {
                self.notices.push(none.what().clone());
                None
            }
        }
    }

    /// Waits for a typed line, a message that [`ends the wait`](ends_wait), or the end of the
    /// patience.
    async fn wait(
        &mut self,
        state: &State,
        question: Option<&Question>,
    ) -> Result<WaitEnd, String> {
        self.silent = false;
        let late = tokio::time::sleep(self.access.patience.unwrap_or(Duration::MAX));
        tokio::pin!(late);
        let Some(input) = self.listen(state) else {
            return Ok(WaitEnd::Line(None));
        };
        let came = loop {
            tokio::select! {
                biased;
                line = input.line() => break WaitEnd::Line(line),
                () = &mut late => {
                    self.silent = true;
                    break WaitEnd::Line(None);
                }
                () = tokio::time::sleep(LOOK), if self.access.inbox.is_some() => {}
            }
            match self.read_inbox(state) {
                Ok(mail) if ends_wait(&mail, question) => break WaitEnd::Mail(mail.answers),
                Ok(_) => {}
                Err(error) => {
                    // Returned by the next `mail`, with the right exit code.
                    self.failed = Some(error);
                    break WaitEnd::Mail(Vec::new());
                }
            }
        };
        // A line typed at the same moment still answers the question.
        Ok(match input.answer() {
            Some(line) => {
                self.silent = false;
                WaitEnd::Line(Some(line))
            }
            None => came,
        })
    }

    /// Shows a question and waits for the answer. A line that only asks for information, or is
    /// probably a typing error, is replied to and decides nothing.
    async fn put_question(
        &mut self,
        state: &State,
        question: Option<&Question>,
        shown: &str,
    ) -> Result<WaitEnd, String> {
        if let Some(input) = self.listen(state) {
            // Nobody has taken an answer to a question that an interrupt ended.
            drop(input.answer());
        }
        self.show(shown)?;
        if let Some(terminal) = &self.access.terminal {
            terminal.ring();
        }
        let mut doubted = None;
        loop {
            let mut came = self.wait(state, question).await?;
            let WaitEnd::Line(Some(line)) = &mut came else {
                return Ok(came);
            };
            // The same number typed again is meant as it is.
            if let Some(meant) = quoted(line).filter(|_| doubted.as_ref() == Some(line)) {
                *line = meant;
            }
            let Some(told) = self.replied(state, question, line) else {
                return Ok(came);
            };
            doubted = Some(line.clone());
            self.show(&format!("{told}\n{shown}"))?;
        }
    }

    /// The style with the terminal's current width.
    fn style(&self) -> Style {
        let terminal = self.access.terminal.as_ref();
        let now = terminal.and_then(|terminal| terminal.width());
        self.style.with_width(now.unwrap_or(self.style.width))
    }

    /// The receiver of typed lines; `None` without a terminal.
    fn listen(&mut self, state: &State) -> Option<Arc<InputRouter>> {
        let terminal = self.access.terminal.as_ref()?;
        let input = self.input.get_or_insert_with(|| {
            let (inbox, inputs) = (self.access.inbox.clone(), state.inputs.clone());
            let input = Arc::new(InputRouter::new(inbox, inputs));
            let router = Arc::clone(&input);
            terminal.on_line(Box::new(move |line, style| router.handle_line(line, style)));
            input
        });
        Some(Arc::clone(input))
    }

    /// Does what typed lines asked for; messages among them are already in the inbox.
    fn overhear(&mut self, state: &State) {
        let Some(input) = self.listen(state) else {
            return;
        };
        if input.take_status_request() {
            let standing = view::standing(state, &self.style());
            self.notices.push(standing.into());
        }
        if input.has_ended() {
            self.access.terminal = None;
        }
    }

    /// Shows a text on the terminal, if there is one.
    fn show(&self, text: &str) -> Result<(), String> {
        let Some(terminal) = &self.access.terminal else {
            return Ok(());
        };
        let fault = |error| format!("the terminal cannot be written: {error}");
        terminal.show(text).map_err(fault)
    }
}

/// Whether a question is not asked any longer once this was sent: an answer to it, or a stop. Other
/// messages wait until it is answered. A question about the run itself (`None`) is settled by any.
fn ends_wait(mail: &Mail, question: Option<&Question>) -> bool {
    match question {
        Some(question) => {
            let is_stop = |said: &UserIntervention| said.intent == Intent::Stop;
            is_answered(question, &mail.answers) || mail.said.iter().any(is_stop)
        }
        None => !mail.answers.is_empty() || !mail.said.is_empty(),
    }
}

fn is_answered(question: &Question, sent: &[UserAnswer]) -> bool {
    sent.iter().any(|answer| answer.question == question.id)
}

/// The reason why a wait ended.
enum WaitEnd {
    /// A line was typed; `None` if the input has ended or the time was over.
    Line(Option<String>),
    /// Messages arrived; these answers were among them.
    Mail(Vec<UserAnswer>),
}

impl Human for Respondent {
    fn ask<'a>(
        &'a mut self,
        state: &'a State,
        questions: &'a [&'a Question],
    ) -> BoxFuture<'a, Result<Vec<UserAnswer>, String>> {
        Box::pin(async move {
            let mut answers = Vec::new();
            for question in questions {
                if let Some(answer) = self.prepared(question) {
                    answers.push(answer);
                    continue;
                }
                if !self.is_there() {
                    // A run that was started with `assume` makes the assumptions itself.
                    let ordered =
                        self.access.assumes && state.inputs.questions != QuestionMode::Assume;
                    answers.extend(ordered.then(|| UserAnswer {
                        question: question.id,
                        text: String::new(),
                        source: AnswerSource::Assumed,
                        message: None,
                    }));
                    continue;
                }
                // What was sent while an earlier question stood is taken before this one is asked.
                if self
                    .read_inbox(state)
                    .is_ok_and(|mail| ends_wait(&mail, Some(question)))
                {
                    break;
                }
                let shown = view::question_text(state, question, &self.style());
                let shown = shown + view::answer_prompt(&self.style());
                match self.put_question(state, Some(question), &shown).await? {
                    WaitEnd::Line(Some(line)) if self.is_command(state, &line) => break,
                    WaitEnd::Line(Some(line)) => {
                        // Nothing is added for the number of a missing option: it was already
                        // reported.
                        answers.extend(understood(question, &line, AnswerSource::Terminal));
                    }
                    WaitEnd::Line(None) if self.silent => {
                        self.withdraw(&withdrawn::UNANSWERED.fill(values![id = question.id]))?;
                        break;
                    }
                    // The input has ended: nobody can be asked from now on.
                    WaitEnd::Line(None) => {
                        self.access.terminal = None;
                        break;
                    }
                    WaitEnd::Mail(sent) => {
                        let why = match is_answered(question, &sent) {
                            true => withdrawn::ANSWERED,
                            false => withdrawn::NO_MORE,
                        };
                        self.withdraw(&why.fill(values![id = question.id]))?;
                        answers.extend(sent);
                        break;
                    }
                }
            }
            Ok(answers)
        })
    }

    fn mail(&mut self, state: &State) -> Result<Mail, Fault> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let mut mail = self.read_inbox(state)?;
        self.overhear(state);
        self.give_up_ready(state, &mut mail);
        self.tell_unused(state);
        mail.answers.splice(0..0, std::mem::take(&mut self.given));
        mail.said.splice(0..0, std::mem::take(&mut self.typed));
        mail.notices.append(&mut self.notices);
        Ok(mail)
    }

    fn ask_end<'a>(
        &'a mut self,
        state: &'a State,
        guard: StopReason,
    ) -> BoxFuture<'a, Result<EndAnswer, String>> {
        Box::pin(self.put_end(state, guard))
    }

    fn ask_trial<'a>(
        &'a mut self,
        state: &'a State,
        who: &'a str,
        job: &'a TrialJob,
    ) -> BoxFuture<'a, Result<TrialAnswer, String>> {
        Box::pin(self.put_trial(state, who, job))
    }

    fn is_there(&self) -> bool {
        self.access.asks && self.access.terminal.is_some()
    }

    fn fell_silent(&self) -> bool {
        self.silent
    }

    fn closes(&mut self) {
        if let Some(input) = &self.input {
            input.close();
        }
    }

    fn delete_messages(&mut self, messages: &[String]) -> Result<(), Fault> {
        match &self.access.inbox {
            Some((inbox, _)) => messages.iter().try_for_each(|id| inbox.delete(id)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
