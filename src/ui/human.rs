//! The user: prepared answers first, then the terminal, else nobody.

mod answers;
mod ending;
mod input;
mod lines;
mod mail;
mod trial;
mod turn;
mod understood;
mod withdrawn;

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

pub use answers::Answers;
pub(super) use input::behind;
pub use lines::{StandardTerminal, Wait, typed_line};
pub use turn::{For, Line, Turn};
use understood::quoted;
pub use understood::understood;

use self::input::{InputDeps, InputRouter};
use crate::edge::inbox::Inbox;
use crate::edge::ports::{BoxFuture, EndAnswer, Human, HumanAnswer, Mail, TrialAnswer, Utterance};
use crate::fault::Fault;
use crate::fault::{Message, texts, values};
use crate::machine::{
    AnswerSource, Channel, Intent, Job, Question, QuestionId, QuestionMode, Stage, State,
    StopReason,
};
use crate::ui::view::{self, Style};

/// How often the inbox is looked at while a question is on the terminal.
const LOOK: Duration = Duration::from_secs(1);

texts! {
    UNUSED: "prepared answers to {ids} were not used: those questions were not asked, or were answered another way", "为 {ids} 准备的答案没有用到：没有提出这些问题，或已另行回答";
}

/// Brings one line; `None` if the input has ended.
pub type Reader = Box<dyn FnOnce() -> std::io::Result<Option<Line>> + Send>;

/// The terminal for questions: shows text, reads lines.
pub trait Terminal: Send + Sync {
    /// Shows a text that ends in a line break or a prompt. What was typed before a prompt
    /// is shown is no answer to it.
    fn show(&self, text: &str) -> std::io::Result<()>;
    /// Prints something beside a question, which stays on the screen if there is one.
    fn tell(&self, text: &str) -> std::io::Result<()> {
        self.show(&format!("{text}\n"))
    }
    /// What waits for the next line; called on a thread of its own.
    fn reader(&self) -> Reader;
    /// Withdraws the question on the screen and says why: a line that was begun for it must answer
    /// nothing else, and is `dropped`, which is said unless nothing was begun.
    fn withdraw(&self, why: &str, dropped: &str) -> std::io::Result<()> {
        self.show(&format!("\n{why}\n{dropped}\n"))
    }
    /// Nobody waits here any more: lines to come are for others.
    fn leave(&self) {}
    /// Columns there are now; `None` if nobody can say.
    fn width(&self) -> Option<usize> {
        None
    }
}

/// The style at the width a terminal has now, where it can say.
fn at_width(style: Style, terminal: Option<&dyn Terminal>) -> Style {
    let now = terminal.and_then(Terminal::width);
    style.with_width(now.unwrap_or(style.width))
}

/// Takes secrets out of a text.
pub type Redact = Arc<dyn Fn(&str) -> String + Send + Sync>;

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
    /// Where somebody sits.
    terminal: Option<Arc<dyn Terminal>>,
    /// Whether the user is asked, or only listened to.
    asks: bool,
    assumes: bool,
    /// The receiver of typed lines; `None` before there is one.
    input: Option<Arc<InputRouter>>,
    inbox: Option<Inbox>,
    redact: Redact,
    /// What was typed at a question and is no answer to it; taken with the next look.
    typed: Vec<Utterance>,
    /// Answers typed as `/answer Q-1 …` while something else was asked, or nothing.
    given: Vec<HumanAnswer>,
    /// Questions whose answer was typed here, though not word for word.
    typed_for: BTreeSet<QuestionId>,
    /// The question that was interrupted by something else, and is to be put again.
    cut_short: Option<QuestionId>,
    /// How long a question waits on the terminal; for ever without.
    patience: Option<Duration>,
    /// Whether the last question waited in vain.
    silent: bool,
    /// Told with the next look at the mail.
    notices: Vec<Message>,
    failed: Option<Fault>,
    style: Style,
}

impl Respondent {
    /// Nobody sits there: only `answers` and `ready` answer, then the run pauses.
    pub fn absent(answers: Answers, ready: Vec<HumanAnswer>, style: Style) -> Self {
        Self {
            ready: ready.into(),
            answers,
            terminal: None,
            asks: false,
            assumes: false,
            input: None,
            inbox: None,
            redact: Arc::new(str::to_owned),
            typed: Vec::new(),
            given: Vec::new(),
            typed_for: BTreeSet::new(),
            cut_short: None,
            patience: None,
            silent: false,
            notices: Vec::new(),
            failed: None,
            style,
        }
    }

    /// What nothing and nobody answers gets the recommended answer, whatever the
    /// run was begun with.
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
            asks: true,
            ..Self::absent(answers, ready, style).hearing(terminal)
        }
    }

    /// Somebody sits at `terminal`: what is typed there is a message like any other,
    /// though nothing is asked.
    pub fn hearing(self, terminal: Box<dyn Terminal>) -> Self {
        Self {
            terminal: Some(Arc::from(terminal)),
            ..self
        }
    }

    /// Says something as the run begins.
    pub fn saying(mut self, intent: Option<Intent>) -> Self {
        self.typed.extend(intent.map(|intent| Utterance {
            intent,
            content: String::new(),
            channel: Channel::Terminal,
            message: None,
        }));
        self
    }

    /// A question waits so long on the terminal, then nobody is taken to be there.
    pub fn with_patience(self, patience: Duration) -> Self {
        Self {
            patience: Some(patience),
            ..self
        }
    }

    /// Messages of `inbox` answer too, whenever they come. What is typed while nothing
    /// is asked becomes one, less what `redact` takes out.
    pub fn with_inbox(self, inbox: Inbox, redact: Redact) -> Self {
        Self {
            inbox: Some(inbox),
            redact,
            ..self
        }
    }

    /// What `questions.md` says to a question that is answered another way is put on record as
    /// what came too late: it must not wait for a follow-up, nor be lost.
    fn give_up_ready(&mut self, state: &State, mail: &mut Mail) {
        let waits = |id| state.questions.waiting().any(|question| question.id == id);
        let is_late = |answer: &HumanAnswer| {
            let mut sent = mail.answers.iter();
            sent.any(|other| other.question == answer.question) || !waits(answer.question)
        };
        let (late, ready): (Vec<_>, Vec<_>) = self.ready.drain(..).partition(is_late);
        self.ready = ready.into();
        mail.answers.extend(late);
    }

    /// Once nothing more will be asked: which prepared answers nobody needed.
    fn tell_unused(&mut self, state: &State) {
        if state.stage < Stage::Closing {
            return;
        }
        let ids = std::mem::take(&mut self.answers).unused(state);
        if !ids.is_empty() {
            let ids: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
            self.notices
                .push(UNUSED.fill(values![ids = ids.join(", ")]));
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
        match understood(question, typed, AnswerSource::AnswersFile) {
            Ok(answer) => Some(answer),
            Err(none) => {
                self.notices.push(none.what().clone());
                None
            }
        }
    }

    /// Waits for a line, for something from elsewhere, or until patience is at
    /// its end. It is read on a thread of its own, so that neither interrupt nor
    /// message is held up.
    async fn wait(&mut self, state: &State) -> Result<Came, String> {
        self.silent = false;
        let ends = self.patience.map(|it| tokio::time::Instant::now() + it);
        let Some(input) = self.listen(state) else {
            return Ok(Came::Line(None));
        };
        input.ask();
        let came = loop {
            let late = async {
                match ends {
                    Some(at) => tokio::time::sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                line = input.line() => break Came::Line(line.map_err(|error| unreadable(&error))?),
                () = late => {
                    self.silent = true;
                    break Came::Line(None);
                }
                () = tokio::time::sleep(LOOK), if self.inbox.is_some() => {}
            }
            match self.look(state) {
                Ok(mail) if mail.answers.is_empty() && mail.said.is_empty() => {}
                Ok(mail) => break Came::Mail(mail.answers),
                Err(error) => {
                    // Told by the next look at the mail, with the right code.
                    self.failed = Some(error);
                    break Came::Mail(Vec::new());
                }
            }
        };
        // A line that came at the same moment was typed as the answer.
        Ok(match input.hold() {
            Some(line) => {
                self.silent = false;
                Came::Line(Some(line))
            }
            None => came,
        })
    }

    /// Shows a question and waits; a line that only looks something up, or is a slip
    /// of the keys, is replied to and decides nothing.
    async fn put(
        &mut self,
        state: &State,
        question: Option<&Question>,
        shown: &str,
    ) -> Result<Came, String> {
        // What is typed the moment the question can be seen is its answer, and no word for
        // the run: lines wait from here on until it is known what for.
        if let Some(input) = self.listen(state) {
            input.hold();
        }
        self.show(shown)?;
        let mut doubted = None;
        loop {
            let mut came = self.wait(state).await?;
            let Came::Line(Some(line)) = &mut came else {
                return Ok(came);
            };
            // The same number once more: it is meant.
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

    /// How to write on the terminal as wide as it is now.
    fn style(&self) -> Style {
        at_width(self.style, self.terminal.as_deref())
    }

    /// The receiver of typed lines; `None` if there is none.
    fn listen(&mut self, state: &State) -> Option<Arc<InputRouter>> {
        let terminal = self.terminal.as_ref()?;
        let input = self.input.get_or_insert_with(|| {
            Arc::new(InputRouter::open(InputDeps {
                terminal: Arc::clone(terminal),
                inbox: self.inbox.clone(),
                inputs: state.inputs.clone(),
                redact: Arc::clone(&self.redact),
                style: self.style,
            }))
        });
        Some(Arc::clone(input))
    }

    /// Takes what was typed while nothing was asked as messages from now on; those
    /// there are lie in the inbox.
    fn overhear(&mut self, state: &State) {
        let Some(input) = self.listen(state) else {
            return;
        };
        input.overhear();
        if input.was_asked_how_it_stands() {
            let standing = view::standing(state, &self.style());
            self.notices.push(standing.into());
        }
        if input.has_ended() {
            self.terminal = None;
        }
    }

    /// Shows a text on the terminal, if there is one.
    fn show(&self, text: &str) -> Result<(), String> {
        let Some(terminal) = &self.terminal else {
            return Ok(());
        };
        let fault = |error| format!("the terminal cannot be written: {error}");
        terminal.show(text).map_err(fault)
    }
}

fn unreadable(error: &dyn std::fmt::Display) -> String {
    format!("the terminal cannot be read: {error}")
}

/// What ended a wait.
enum Came {
    /// A line was typed; `None` if the input has ended or nobody typed in time.
    Line(Option<String>),
    /// Messages arrived.
    Mail(Vec<HumanAnswer>),
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
                if !self.is_there() {
                    // A run that was begun to assume does so by itself.
                    let ordered = self.assumes && state.inputs.questions != QuestionMode::Assume;
                    answers.extend(ordered.then(|| HumanAnswer {
                        question: question.id,
                        text: String::new(),
                        source: AnswerSource::Assumed,
                        message: None,
                    }));
                    continue;
                }
                self.put_instead(state, question.id)?;
                let shown = view::question_text(state, question, &self.style());
                let shown = shown + view::answer_prompt(&self.style());
                match self.put(state, Some(question), &shown).await? {
                    Came::Line(Some(line)) if self.is_command(state, &line) => break,
                    Came::Line(Some(line)) => {
                        // A number of no option was reported, and is no answer.
                        answers.extend(understood(question, &line, AnswerSource::Terminal));
                    }
                    Came::Line(None) if self.silent => {
                        self.withdraw(&withdrawn::UNANSWERED.fill(values![id = question.id]))?;
                        break;
                    }
                    // The input has ended: from now on nobody is there.
                    Came::Line(None) => {
                        self.terminal = None;
                        break;
                    }
                    Came::Mail(sent) => {
                        self.came_between(question.id, &sent)?;
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
        let mut mail = self.look(state)?;
        // What came this way is put on record before anything else is done: an answer has its
        // question closed, a stop asks nothing more.
        let mut sent = mail.answers.iter().chain(&self.given);
        let is_answered = sent.any(|answer| Some(answer.question) == self.cut_short);
        let mut said = mail.said.iter().chain(&self.typed);
        let is_stopped = said.any(|said| said.intent == Intent::Stop);
        if is_answered || is_stopped || !self.is_put_again(state) {
            self.leave_cut_short(state);
            self.overhear(state);
        }
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
        job: &'a Job,
    ) -> BoxFuture<'a, Result<TrialAnswer, String>> {
        Box::pin(self.put_trial(state, who, job))
    }

    fn is_there(&self) -> bool {
        self.asks && self.terminal.is_some()
    }

    fn fell_silent(&self) -> bool {
        self.silent
    }

    fn closes(&mut self) {
        if let Some(input) = &self.input {
            input.close();
        }
    }

    fn taken(&mut self, messages: &[String]) -> Result<(), Fault> {
        match &self.inbox {
            Some(inbox) => messages.iter().try_for_each(|id| inbox.delete(id)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
