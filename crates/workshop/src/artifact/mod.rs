//! The files of a run as functions of its state: documents, report, plan, speeches, `state.md`,
//! `questions.md`.
//!
//! The same state gives the same bytes. No file is read back, except `questions.md` with the user's
//! answers ([`read_questions`]). All texts for people come from the templates frozen in the run's
//! inputs; texts of members are escaped wherever they could become markup.

mod debate;
mod decide;
mod diagram;
mod document;
mod document_page;
mod fallback;
mod gather;
mod markup;
mod outcome;
mod page;
mod plan;
mod questions;
mod report;
mod schema_check;
mod speech;
mod status;
mod team;

use serde::Serialize;

pub use decide::{OpenDecision, OpenDecisionKind, decide};
pub use diagram::Drawing;
pub use document::DocumentFile;
pub use document_page::{document_markdown, document_name};
pub use fallback::{fallback_document, fallback_report};
pub use gather::plan as structured;
pub use markup::{inline, one_line, open_words, plain, split_sentences};
pub use outcome::{
    CarriedFate, CarriedItem, FeedbackFate, FeedbackOutcome, InheritedFate, InheritedIssue,
    feedback, inherited,
};
pub use plan::*;
pub use questions::{
    QUESTIONS_FILE, answer_line, nothing_misplaced, questions_page, read_questions,
};
pub use report::{LIGHT_WORD_BUDGET, WORD_BUDGET};
pub use schema_check::misfit;
pub use team::{PhaseOutcome, PlanPhase, PlanTeam, fallback_synthesis, plan as planned_team};

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
    /// Path relative to the version's folder, with `/` between parts.
    pub path: String,
    /// The whole content.
    pub bytes: Vec<u8>,
}

impl Artifact {
    /// The content as text; every file of a version is text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

/// The error for a template that cannot be parsed, uses an undefined name, or runs too long.
fn broken(name: &str, error: &minijinja::Error) -> Fault {
    let line = error
        .line()
        .map_or(String::new(), |n| format!("line {n}: "));
    TEMPLATE.with(&[("name", &name), ("what", &format!("{line}{error}"))])
}

/// Renders the files of one run: parses its templates once, then renders them whenever needed.
#[derive(Debug)]
pub struct Renderer {
    pages: Pages,
}

impl Renderer {
    /// Parses the templates frozen in the run's inputs.
    ///
    /// # Errors
    /// A template is missing or invalid.
    pub fn new(inputs: &Inputs) -> Result<Self, Fault> {
        let names = [
            status::PAGE,
            speech::PAGE,
            questions::PAGE,
            report::FEEDBACK_PAGE,
            report::PARTS,
            report::page(inputs.format),
            debate::PAGE,
        ];
        let pages = Pages::read(inputs, &names)?;
        Ok(Self { pages })
    }

    /// The speeches of the current round for which `new` returns true; they are written before the
    /// next member is asked.
    ///
    /// # Errors
    /// A template uses an undefined name or runs too long.
    pub fn speeches(
        &self,
        state: &State,
        new: impl Fn(&SpeechRecord) -> bool,
    ) -> Result<Vec<Artifact>, Fault> {
        let of_this_round = |speech: &SpeechRecord| speech.round == state.round && new(speech);
        speech::render(state, &self.pages, of_this_round)
    }

    /// The files that show the status of the run: `state.md`, `questions.md`, debates opened after
    /// round `since` or later, and results of a team's phases.
    ///
    /// # Errors
    /// A template uses an undefined name or runs too long.
    pub fn standing(&self, state: &State, since: u32) -> Result<Vec<Artifact>, Fault> {
        let mut files = vec![status::render(state, &self.pages)?];
        files.extend(questions::render(state, &self.pages)?);
        let now = |debate: &Debate| debate.after_round >= since;
        files.extend(debate::render(state, &self.pages, now)?);
        files.extend(team::files(state));
        Ok(files)
    }

    /// The documents for which `new` returns true.
    ///
    /// # Errors
    /// A document cannot be serialised as JSON.
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

    /// `feedback.md`, which exists from the first event on; `None` without feedback.
    ///
    /// # Errors
    /// A template uses an undefined name or runs too long.
    pub fn feedback(&self, state: &State) -> Result<Option<Artifact>, Fault> {
        let given = !state.task.feedback.is_empty();
        given
            .then(|| report::feedback(state, &self.pages))
            .transpose()
    }

    /// All files for this state, sorted by path, except `manifest.json`, which the store writes.
    ///
    /// The structured file and the report or minutes exist once the run is complete, `questions.md`
    /// while a question waits for the user.
    ///
    /// # Errors
    /// A template uses an undefined name or runs too long.
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

/// All files for this state, as [`Renderer::all`], for a single use.
///
/// # Errors
/// A template is missing or invalid.
pub fn render(state: &State) -> Result<Vec<Artifact>, Fault> {
    Renderer::new(&state.inputs)?.all(state)
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
