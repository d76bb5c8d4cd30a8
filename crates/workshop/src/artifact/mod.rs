//! Files as functions of the state: documents, report, plan, speeches, `state.md`, `questions.md`.
//!
//! The same state gives the same bytes. Nothing here is ever read back, except
//! that a person fills in `questions.md` ([`read_questions`]). All words that
//! people read come from the templates frozen in the run's inputs; what
//! members wrote is escaped wherever it could become markup.

mod debate;
mod decide;
mod diagram;
mod document;
mod document_page;
mod fallback;
mod gather;
mod markup;
mod misfit;
mod outcome;
mod page;
mod plan;
mod questions;
mod report;
mod speech;
mod status;
mod team;

use serde::Serialize;

pub use decide::{Decide, DecideKind, decide};
pub use diagram::Drawing;
pub use document::DocumentFile;
pub use document_page::{document_markdown, document_name};
pub use fallback::{fallback_document, fallback_report};
pub use markup::{Fence, inline, one_line, open_words, plain, split_sentences};
pub use misfit::misfit;
pub use outcome::{
    Carried, CarriedFate, FeedbackFate, FeedbackOutcome, Inherited, InheritedFate, feedback,
    inherited,
};
pub use plan::*;
pub use questions::{
    QuestionsError, answer_line, nothing_misplaced, questions_page, read_questions,
};
pub use report::{LIGHT_WORD_BUDGET, WORD_BUDGET};
pub use team::{PhaseOutcome, PlanPhase, PlanTeam, fallback_synthesis};

use crate::fault::Fault;
use crate::fault::line::INTERNAL;
use crate::fault::settings::TEMPLATE;
use crate::machine::debate::Debate;
use crate::machine::{Inputs, SpeechRecord, Stage, State};
use crate::reply::DocumentKind;
use page::Pages;

/// A file of a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// Path relative to the version's folder, `/` between parts.
    pub path: String,
    /// Its whole content.
    pub bytes: Vec<u8>,
}

impl Artifact {
    /// Returns its content as a text; every file of a version is one.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

/// The fault of a template that does not parse, names something unknown, or runs too long.
fn broken(name: &str, error: &minijinja::Error) -> Fault {
    let line = error
        .line()
        .map_or(String::new(), |n| format!("line {n}: "));
    TEMPLATE.with(&[("name", &name), ("what", &format!("{line}{error}"))])
}

/// Makes the files of one run: its templates are read once, then rendered as
/// often as something happens.
#[derive(Debug)]
pub struct Renderer {
    pages: Pages,
}

impl Renderer {
    /// Reads the templates frozen in the run's inputs.
    ///
    /// # Errors
    /// A template is missing or broken.
    pub fn new(inputs: &Inputs) -> Result<Self, Fault> {
        let mut names = vec![
            status::PAGE,
            speech::PAGE,
            questions::PAGE,
            report::FEEDBACK_PAGE,
            report::PARTS,
            report::page(inputs.format),
        ];
        // Runs that were frozen before there were debates hold none.
        if inputs.templates.contains_key(debate::PAGE) {
            names.push(debate::PAGE);
        }
        let pages = Pages::read(inputs, &names)?;
        Ok(Self { pages })
    }

    /// What changes while members talk: `state.md`, `questions.md` if something
    /// waits, those speeches of the current round that are `new` since the last
    /// time, and debates held since that round began.
    ///
    /// # Errors
    /// A template names something unknown or runs too long.
    pub fn live(
        &self,
        state: &State,
        new: impl Fn(&SpeechRecord) -> bool,
    ) -> Result<Vec<Artifact>, Fault> {
        let mut files = self.speeches(state, new)?;
        files.extend(self.standing(state, state.round)?);
        Ok(files)
    }

    /// The speeches of the current round that are `new`: written before anybody else is
    /// asked.
    ///
    /// # Errors
    /// As [`live`](Self::live).
    pub fn speeches(
        &self,
        state: &State,
        new: impl Fn(&SpeechRecord) -> bool,
    ) -> Result<Vec<Artifact>, Fault> {
        let of_this_round = |speech: &SpeechRecord| speech.round == state.round && new(speech);
        speech::render(state, &self.pages, of_this_round)
    }

    /// The files that show the status of the run: `state.md`, questions, debates that were opened
    /// after round `since` or later, and what the phases of a team brought.
    ///
    /// # Errors
    /// As [`live`](Self::live).
    pub fn standing(&self, state: &State, since: u32) -> Result<Vec<Artifact>, Fault> {
        let mut files = vec![status::render(state, &self.pages)?];
        files.extend(questions::render(state, &self.pages)?);
        let now = |debate: &Debate| debate.after_round >= since;
        files.extend(debate::render(state, &self.pages, now)?);
        files.extend(team::files(state));
        Ok(files)
    }

    /// Those documents that are `new` since the last time.
    ///
    /// # Errors
    /// A document has no JSON form.
    pub fn documents(
        &self,
        state: &State,
        new: impl Fn(DocumentKind) -> bool,
    ) -> Result<Vec<Artifact>, Fault> {
        let new = state
            .documents
            .written
            .values()
            .filter(|record| new(record.content.kind()));
        new.map(|record| document::render(state, record)).collect()
    }

    /// `feedback.md`, which is there from the first event on; none without feedback.
    ///
    /// # Errors
    /// As [`live`](Self::live).
    pub fn feedback(&self, state: &State) -> Result<Option<Artifact>, Fault> {
        let given = !state.task.feedback.is_empty();
        given
            .then(|| report::feedback(state, &self.pages))
            .transpose()
    }

    /// Every file as the state has it now, in order of paths; `manifest.json` is the store's.
    ///
    /// The structured file and the report or minutes are there once the coach has
    /// closed, `questions.md` while a question waits for the user.
    ///
    /// # Errors
    /// A template names something unknown or runs too long.
    pub fn all(&self, state: &State) -> Result<Vec<Artifact>, Fault> {
        let mut files = speech::render(state, &self.pages, |_| true)?;
        files.push(status::render(state, &self.pages)?);
        files.extend(questions::render(state, &self.pages)?);
        files.extend(debate::render(state, &self.pages, |_| true)?);
        files.extend(team::files(state));
        files.extend(self.documents(state, |_| true)?);
        files.extend(self.feedback(state)?);
        if state.stage >= Stage::Complete {
            let plan = gather::plan(state);
            files.push(json(plan.format.structured().to_owned(), &plan)?);
            files.push(report::render(state, &plan, &self.pages)?);
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(files)
    }
}

/// Every file as the state has it now, in order of paths: [`Renderer::all`], once.
///
/// # Errors
/// A template is missing or broken.
pub fn render(state: &State) -> Result<Vec<Artifact>, Fault> {
    Renderer::new(&state.inputs)?.all(state)
}

/// Everything structured about a version: what `planning.ai.json` holds.
pub fn structured(state: &State) -> Plan {
    gather::plan(state)
}

/// What changes while members talk: [`Renderer::live`], once.
///
/// # Errors
/// A template is missing or broken.
pub fn live(state: &State) -> Result<Vec<Artifact>, Fault> {
    Renderer::new(&state.inputs)?.live(state, |_| true)
}

fn json(path: String, value: &impl Serialize) -> Result<Artifact, Fault> {
    match serde_json::to_vec_pretty(value) {
        Ok(mut bytes) => {
            bytes.push(b'\n');
            Ok(Artifact { path, bytes })
        }
        Err(error) => {
            let what = format!("`{path}` cannot be written as JSON: {error}");
            Err(INTERNAL.with(&[("what", &what)]))
        }
    }
}

fn text(path: impl Into<String>, text: String) -> Artifact {
    Artifact {
        path: path.into(),
        bytes: text.into_bytes(),
    }
}
