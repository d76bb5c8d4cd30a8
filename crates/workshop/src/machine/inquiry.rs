//! Inquiries for members: searches of the repository and the knowledge folders for the words of
//! their questions, before the coach sees these, and of the issues they raise.
//!
//! The search itself is done at the edge and recorded; this module says when one is due, for whom,
//! and which of its results are on record.

use std::collections::BTreeSet;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::illegal::{Verdict, ensure};
use super::inputs::Survey;
use super::issue::IssueOrigin;
use super::look::{Depth, LookRecord, LookResult};
use super::question::{AnswerSource, QuestionStatus};
use super::state::{DiscussionItem, State};
use super::transition::DISCUSSION;
use crate::call::{CallId, Purpose, Scope};
use crate::fault::texts;
use crate::ids::{IssueId, QuestionId};
use crate::reply::{Answerer, Look, LookKind};
use crate::role::RoleId;

texts! {
    NOTHING_FOUND: "nothing was found in repository and knowledge folders; say what you take for granted, or ask the user and say what was looked for", "在仓库和资料目录中没有找到；请写明你以什么为前提，或者向提需求的人提问，并说明查过什么";
}

/// Maximum number of places in an answer from the files.
const MAX_ANSWERS: usize = 3;
/// Maximum number of places that one inquiry returns over all its topics.
pub const MAX_FINDS: usize = 5;

/// What somebody raised, by its id.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[schemars(with = "String")]
#[serde(untagged)]
pub enum InquiryId {
    /// A question.
    Question(QuestionId),
    /// An issue.
    Issue(IssueId),
}

impl fmt::Display for InquiryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Question(id) => id.fmt(f),
            Self::Issue(id) => id.fmt(f),
        }
    }
}

/// A topic to search for.
#[derive(Debug, Clone, Copy)]
pub struct Inquiry<'s> {
    /// Id of what is asked.
    pub id: InquiryId,
    /// Who raised it.
    pub by: &'s RoleId,
    /// Its text, and why it matters.
    pub texts: [&'s str; 2],
}

/// Search and results for one topic.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TopicSearch {
    /// Which question, or which issue.
    pub id: InquiryId,
    /// Words that were searched for: of the question and of why it matters, of the issue's
    /// title and detail.
    pub terms: Vec<String>,
    /// Places that fit, best first; empty if nothing does.
    pub finds: Vec<Excerpt>,
}

/// A place that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Excerpt {
    /// Path from the repository's root, `/` between parts; of a knowledge folder outside
    /// of it as given.
    pub path: String,
    /// One-based number of the first line shown; 0 for what is no lines of a file.
    pub from: u32,
    /// Number of the last line shown, at least `from`.
    pub to: u32,
    /// Those lines; for a topic at most 4 and about 480 characters.
    pub text: String,
}

impl Excerpt {
    /// Returns path and lines, such as `docs/limits.md:3-5`.
    pub fn place(&self) -> String {
        match self.from {
            0 => self.path.clone(),
            from => place(&self.path, from, self.to),
        }
    }
}

/// Returns path and lines, such as `src/a.rs:3-5` or `src/a.rs:3`.
pub(super) fn place(path: &str, from: u32, to: u32) -> String {
    match from == to {
        true => format!("{path}:{from}"),
        false => format!("{path}:{from}-{to}"),
    }
}

/// Returns the topics that were raised and not searched yet, questions first; none if there is
/// nothing to search, and no issues if members do not look.
pub fn due(state: &State) -> impl Iterator<Item = Inquiry<'_>> {
    let survey = state.grounding.survey.as_ref();
    let searchable = survey.is_some_and(Survey::can_be_searched);
    // A question for the repository is answered here, whoever asked it and even if there is nothing
    // to search.
    let questions = state.questions.asked.iter().filter(move |question| {
        let of_repository = question.of == Answerer::Repository;
        question.status == QuestionStatus::Raised
            && (of_repository || (searchable && !question.asked_by.is_coach()))
    });
    let questions = questions.map(|question| Inquiry {
        id: InquiryId::Question(question.id),
        by: &question.asked_by,
        texts: [&question.text, &question.why],
    });
    let looks = searchable && state.inputs.rules.grounding.depth == Depth::Looks;
    let new = state
        .ledger
        .open()
        .filter(move |issue| looks && issue.round == state.round);
    let issues = new.filter_map(|issue| match &issue.origin {
        IssueOrigin::Member { member } => Some(Inquiry {
            id: InquiryId::Issue(issue.id),
            by: member,
            texts: [&issue.title, &issue.detail],
        }),
        _ => None,
    });
    questions
        .chain(issues)
        .filter(|raised| !state.grounding.looked.contains_key(&raised.id))
}

/// Returns the topics of the next inquiry: all due questions of one member, or all its due issues.
pub fn next(state: &State) -> Vec<Inquiry<'_>> {
    let Some(first) = due(state).next() else {
        return Vec::new();
    };
    let kind = std::mem::discriminant(&first.id);
    due(state)
        .filter(|raised| raised.by == first.by && std::mem::discriminant(&raised.id) == kind)
        .collect()
}

/// Checks that it is the next inquiry, and that the coach is not called yet.
fn check(state: &State, looked: &[TopicSearch]) -> Verdict {
    state.ensure_at(&DISCUSSION)?;
    let mut open = state.calls.open.keys();
    let is_asked = open.any(|call| call.purpose == Purpose::Relay);
    ensure!(!is_asked, "the coach looks at the questions already");
    let wanted = next(state);
    ensure!(!wanted.is_empty(), "nothing is to be looked into");
    let given = looked.iter().map(|looked| looked.id);
    let is_it = given.eq(wanted.iter().map(|raised| raised.id));
    ensure!(
        is_it,
        "this is not what the member who is to look next has raised"
    );
    let finds = || looked.iter().flat_map(|looked| &looked.finds);
    ensure!(
        finds().count() <= MAX_FINDS,
        "more than {MAX_FINDS} places are found"
    );
    let is_place =
        |find: &Excerpt| !find.path.trim().is_empty() && (1..=find.to).contains(&find.from);
    ensure!(finds().all(is_place), "a find names no place");
    let is_once = |looked: &TopicSearch| {
        let mut paths = BTreeSet::new();
        looked.finds.iter().all(|find| paths.insert(&find.path))
    };
    ensure!(
        looked.iter().all(is_once),
        "a file stands twice under one topic"
    );
    Ok(())
}

impl State {
    /// Records an inquiry: what was found for a question is shown to the coach, what was found for
    /// an issue to everybody, as if the member had searched; all of it may be cited.
    pub(super) fn take_inquiry(&mut self, looked: &[TopicSearch]) -> Verdict {
        check(self, looked)?;
        for one in looked {
            self.grounding.looked.insert(one.id, one.finds.clone());
            match one.id {
                InquiryId::Issue(id) if !one.finds.is_empty() => {
                    self.show_for_issue(id, &one.finds)
                }
                InquiryId::Question(id) => {
                    let question = self.questions.find(id);
                    if question.is_some_and(|question| question.of == Answerer::Repository) {
                        self.answer_from_files(id);
                    }
                }
                InquiryId::Issue(_) => {}
            }
        }
        Ok(())
    }

    fn show_for_issue(&mut self, id: IssueId, finds: &[Excerpt]) {
        let mut speeches = self.discussion.speeches.iter().rev();
        let raised = speeches.find(|speech| speech.issues.contains(&id));
        let Some((speech, issue)) = raised.zip(self.ledger.find(id)) else {
            return;
        };
        let (member, round) = (speech.member.clone(), speech.round);
        let call = CallId::new(Scope::Root, Purpose::Speech, member, round, speech.turn);
        let seen = LookResult {
            found: finds.to_vec(),
            ..LookResult::of(Look::new(LookKind::Search, &issue.title))
        };
        self.grounding.looks.all.push(LookRecord {
            call,
            seen: vec![seen],
            issue: Some(id),
        });
        self.discussion
            .said
            .push(DiscussionItem::Look(self.grounding.looks.all.len() - 1));
    }

    /// Returns who raised a topic; `None` if nobody did.
    pub fn raised_by(&self, topic: InquiryId) -> Option<&RoleId> {
        match topic {
            InquiryId::Question(id) => self.questions.find(id).map(|question| &question.asked_by),
            InquiryId::Issue(id) => match &self.ledger.find(id)?.origin {
                IssueOrigin::Member { member } => Some(member),
                _ => None,
            },
        }
    }

    /// Closes a question with what was found for it, or with the statement that nothing was found;
    /// it waits for nobody.
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

    /// Returns what was found for a question; empty if nothing was, or if there was no search.
    pub fn found_for(&self, question: QuestionId) -> &[Excerpt] {
        let found = self.grounding.looked.get(&InquiryId::Question(question));
        found.map_or(&[], Vec::as_slice)
    }
}
