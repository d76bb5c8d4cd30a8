//! A member's own inquiry: what repository and knowledge folders hold for the words
//! of its questions, looked up before the coach looks at them.
//!
//! The search is done at the edge and recorded; when it is due, whose it is and what
//! of it is on record is said here.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::call::Purpose;
use super::legal::{DISCUSSION, Illegal, Verdict, at, ensure};
use super::question::{AnswerSource, Question, QuestionStatus};
use super::state::State;
use crate::fault::Text;
use crate::ids::QuestionId;
use crate::reply::Asked;

const NOTHING_FOUND: Text = Text(
    "nothing was found in repository and knowledge folders; say what you take for granted, or ask the human and say what was looked for",
    "在仓库和资料目录中没有找到；请写明你以什么为前提，或向提需求的人提问并说明已查过什么",
);

/// Places that stand for an answer of the files, at most.
const MAX_ANSWERS: usize = 3;
/// Places one inquiry brings, at most, over all its questions.
pub const MAX_FINDS: usize = 5;

/// What was looked for on account of one question, and found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Looked {
    /// Which question.
    #[serde(alias = "question")]
    pub id: QuestionId,
    /// Words that were searched for: of the question and of why it matters.
    pub terms: Vec<String>,
    /// Places that fit, best first; empty where nothing does.
    pub finds: Vec<Find>,
}

/// A place that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Find {
    /// Path from the repository's root, `/` between parts; of a knowledge folder outside
    /// of it as given.
    pub path: String,
    /// One-based number of the first line shown; 0 for what is no lines of a file.
    pub from: u32,
    /// Number of the last line shown, at least `from`.
    pub to: u32,
    /// Those lines; for a question at most 4 and about 480 characters.
    pub text: String,
}

impl Find {
    /// Path and lines, such as `docs/limits.md:3-5`.
    pub fn place(&self) -> String {
        if self.from == 0 {
            self.path.clone()
        } else if self.from == self.to {
            format!("{}:{}", self.path, self.from)
        } else {
            format!("{}:{}-{}", self.path, self.from, self.to)
        }
    }
}

/// Questions that were raised and not looked into, in order; none where there is nothing
/// to look in.
pub fn due(state: &State) -> impl Iterator<Item = &Question> {
    let searchable = state.survey.as_ref().is_some_and(|survey| {
        survey.files > 0 || survey.knowledge_files > 0 || !survey.knowledge.is_empty()
    });
    // One for the repository is answered here, whoever asked and whatever there is.
    state.questions.iter().filter(move |question| {
        let of_repository = question.of == Asked::Repository;
        question.status == QuestionStatus::Raised
            && (of_repository || (searchable && !question.asked_by.is_coach()))
            && !state.looked.contains_key(&question.id)
    })
}

/// The questions of the inquiry that is recorded next: all due ones of one member.
pub fn next(state: &State) -> Vec<&Question> {
    let asker = due(state).next().map(|question| &question.asked_by);
    due(state)
        .filter(|question| Some(&question.asked_by) == asker)
        .collect()
}

/// Is it the inquiry that comes next, before the coach is asked?
pub(super) fn check(state: &State, looked: &[Looked]) -> Verdict {
    at(state, &DISCUSSION)?;
    let is_asked = |purpose| state.calls.open.keys().any(|call| call.purpose == purpose);
    ensure(!is_asked(Purpose::Relay), || {
        "the coach looks at the questions already".to_owned()
    })?;
    let wanted: Vec<QuestionId> = next(state).iter().map(|question| question.id).collect();
    if wanted.is_empty() {
        return Err(Illegal("no question is to be looked into".to_owned()));
    }
    let given = looked.iter().map(|looked| looked.id);
    ensure(given.eq(wanted.iter().copied()), || {
        "these are not the questions of the member who is to look next".to_owned()
    })?;
    let finds = || looked.iter().flat_map(|looked| &looked.finds);
    ensure(finds().count() <= MAX_FINDS, || {
        format!("more than {MAX_FINDS} places are found")
    })?;
    let is_place = |find: &Find| !find.path.trim().is_empty() && (1..=find.to).contains(&find.from);
    ensure(finds().all(is_place), || "a find names no place".to_owned())?;
    let once = |looked: &Looked| {
        let mut paths = BTreeSet::new();
        looked.finds.iter().all(|find| paths.insert(&find.path))
    };
    ensure(looked.iter().all(once), || {
        "a file stands twice under one question".to_owned()
    })
}

impl State {
    /// A member looked: its finds stand before the coach, and may be cited.
    pub(super) fn take_inquiry(&mut self, looked: &[Looked]) {
        for one in looked {
            self.looked.insert(one.id, one.finds.clone());
            let question = self.question(one.id);
            if question.is_some_and(|question| question.of == Asked::Repository) {
                self.answer_from_files(one.id);
            }
        }
    }

    /// Closes a question with what was found for it, or with the word that nothing was: it
    /// waits for nobody.
    pub(super) fn answer_from_files(&mut self, id: QuestionId) {
        let finds = self.found_for(id).iter().take(MAX_ANSWERS);
        let finds = finds.map(|find| format!("{}\n{}", find.place(), find.text));
        let found: Vec<String> = finds.collect();
        let answer = match found.is_empty() {
            true => NOTHING_FOUND.of(self.inputs.doc_lang).to_owned(),
            false => found.join("\n"),
        };
        self.close_question(id, AnswerSource::Repository, &answer);
    }

    /// What was found for one question; empty where nothing was, or nobody looked.
    pub fn found_for(&self, question: QuestionId) -> &[Find] {
        self.looked.get(&question).map_or(&[], Vec::as_slice)
    }
}
