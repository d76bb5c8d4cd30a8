//! Parts of an answer about its basis: what is looked up first, what exists already, and what a
//! review of the plan found.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::role::LookKind;

/// Something that has to be seen before the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// How it is looked at.
    pub kind: LookKind,
    /// A path, words or a regular expression, a name, a section, or a question; for `try`
    /// what the command is meant to show.
    pub what: String,
    /// For `read`: number of the first line, from 1; null for the beginning.
    pub from: Option<u32>,
    /// For `read`: number of the last line; null for as many as can be shown.
    pub to: Option<u32>,
    /// For `search`: pattern of the files, such as `src/**/*.rs`; null for all.
    pub glob: Option<String>,
    /// For `try`: files to write before the command runs.
    #[serde(default)]
    pub files: Vec<TrialFile>,
    /// For `try`: the program and each of its arguments; no shell reads them.
    #[serde(default)]
    pub command: Vec<String>,
    /// For `try`: id of an earlier trial to start from its files, such as `RUN-2`; else null.
    #[serde(default)]
    pub base: Option<String>,
}

impl Look {
    /// A lookup without a range or any other restriction.
    pub fn new(kind: LookKind, what: impl Into<String>) -> Self {
        Self {
            kind,
            what: what.into(),
            from: None,
            to: None,
            glob: None,
            files: Vec::new(),
            command: Vec::new(),
            base: None,
        }
    }
}

/// What a model knows in general, asked apart from the meeting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GeneralAnswer {
    /// The answer; empty if it does not know.
    pub answer: String,
}

/// A file of a trial.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrialFile {
    /// Path from the repository's root.
    pub path: String,
    /// Its whole text; null to edit the file as it is then.
    #[serde(default)]
    pub text: Option<String>,
    /// Edits of the file as it is then, made in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<TrialEdit>,
}

/// A change of one place in a file of a trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrialEdit {
    /// What is replaced, word for word; it must occur in the file exactly once.
    pub old: String,
    /// The text that replaces it.
    pub new: String,
}

impl TrialFile {
    /// Removes what some models write only to fill every field: an edit without texts, and an empty
    /// text beside edits.
    pub fn drop_fillers(&mut self) {
        self.edits
            .retain(|it| !(it.old.is_empty() && it.new.is_empty()));
        self.text
            .take_if(|text| text.is_empty() && !self.edits.is_empty());
    }

    /// Returns the size of what it holds, in bytes.
    pub fn bytes(&self) -> usize {
        let edits = self.edits.iter().map(|it| it.old.len() + it.new.len());
        self.text.as_ref().map_or(0, String::len) + edits.sum::<usize>()
    }

    /// Returns it as people read it: its text, or each edit with `-` and `+` before its lines.
    pub fn shown(&self) -> String {
        let marked = |mark: char, text: &str| -> String {
            text.lines().map(|line| format!("{mark}{line}\n")).collect()
        };
        let edits = self.edits.iter();
        let edits = edits.map(|it| marked('-', &it.old) + &marked('+', &it.new));
        let text = self.text.clone().into_iter();
        text.chain(edits).collect::<Vec<_>>().join("\n")
    }
}

/// What somebody says is there already, and where one sees it. Without a place and
/// without a trial it is inferred.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// The claim, one sentence.
    pub claim: String,
    /// Path of the file that shows it, from the root of the repository; else null.
    pub path: Option<String>,
    /// Number of the first line that shows it, from 1.
    pub from: Option<u32>,
    /// Number of the last line that shows it.
    pub to: Option<u32>,
    /// A few words of those lines, or of a trial's output, word for word.
    pub quote: String,
    /// The trial that showed it, such as `RUN-3`; else null.
    #[serde(default)]
    pub run: Option<String>,
}

/// Something in the plan that a reviewer wants fixed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanFinding {
    /// Id or section of the plan that has the problem.
    pub about: String,
    /// What is wrong with it.
    pub kind: FindingKind,
    /// The problem, one or two sentences.
    pub text: String,
    /// The change that would fix it.
    pub mend: String,
    /// Whether it must be fixed before work begins.
    pub blocking: bool,
}

/// What is wrong with a part of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// The statement is false.
    Wrong,
    /// Something that is needed is missing.
    Missing,
    /// It contradicts another part of the plan.
    Contradictory,
    /// Nothing supports the statement.
    Unfounded,
}

/// The finder's reply to a declined finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FindingVerdict {
    /// Id of the finding, such as `FI-3`.
    pub finding: String,
    /// Whether the finding still holds.
    pub upholds: bool,
    /// The reason, one sentence.
    pub why: String,
}

/// A document as its writer hands it in, with what became of what it was given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DocumentReply<T> {
    /// What has to be seen before the document; if it is not empty, all else is ignored.
    #[serde(default)]
    pub looks: Vec<Look>,
    /// The document; null only if `looks` is not empty.
    pub document: Option<T>,
    /// Where each note and agreed item is used, or why it is left out.
    #[serde(default)]
    pub accounts: Vec<Account>,
    /// What was done about each finding of the review.
    #[serde(default)]
    pub findings: Vec<FindingAnswer>,
    /// The writer's claims about existing code, with their places.
    #[serde(default)]
    pub evidence: Vec<Evidence>,
    /// Whether the answer had no `accounts` at all.
    #[serde(skip)]
    pub is_bare: bool,
}

impl<T> DocumentReply<T> {
    /// Only a document, with nothing else filled in.
    pub fn new(document: T) -> Self {
        Self {
            looks: Vec::new(),
            document: Some(document),
            accounts: Vec::new(),
            findings: Vec::new(),
            evidence: Vec::new(),
            is_bare: true,
        }
    }

    /// The same with the document replaced.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> DocumentReply<U> {
        DocumentReply {
            looks: self.looks,
            document: self.document.map(change),
            accounts: self.accounts,
            findings: self.findings,
            evidence: self.evidence,
            is_bare: self.is_bare,
        }
    }
}

/// Whether a document used an item it was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Account {
    /// Id of the note or agreed item.
    pub id: String,
    /// Where in the document it is used; null if it was left out.
    pub used_in: Option<String>,
    /// Why it was left out; null if it is used.
    pub left_out_because: Option<String>,
}

/// What a writer made of a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FindingAnswer {
    /// Id of the finding, such as `FI-3`.
    pub finding: String,
    /// Whether the document was changed for it.
    pub mended: bool,
    /// What was changed, or why nothing was.
    pub because: String,
}
