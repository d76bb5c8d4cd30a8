//! All inputs of a run, frozen in its first event.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::carry_over::DocumentOrigin;
use super::consensus::ConsensusItem;
use super::debate::DebateLimits;
use super::ending::EndingRules;
use super::evidence::EvidenceRecord;
use super::format::{Format, Series, Version};
use super::issue::IssueRecord;
use super::look::Grounding;
use super::normalize::split_id;
use super::price::{Price, Usd};
use super::question::{Assumption, Question};
use super::similarity::SimilarityChoice;
use super::templates::Templates;
use super::trial::TrialRecord;
use crate::ids::{
    AssumptionId, ConsensusId, DebateId, EvidenceId, FeedbackId, FindingId, IssueId, ProposalId,
    QuestionId, TrialId,
};
use crate::lang::Lang;
use crate::reply::{Document, DocumentKind, ReportWords};
use crate::role::RoleSet;

/// What happens to a question for the user.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum QuestionMode {
    /// Questions are asked on the terminal, and the run waits for the answers.
    Ask,
    /// Written to `questions.md`; the run stops and is resumed.
    #[default]
    Pause,
    /// The recommended answer is taken and recorded as an assumption.
    Assume,
}

/// How the first round is held.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FirstRound {
    /// One after the other, each seeing the earlier speakers.
    #[default]
    Sequential,
    /// Side by side, nobody seeing the others: no anchoring.
    Blind,
}

/// Who speaks first in later rounds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SpeakingOrder {
    /// Members speak in the same order in every round.
    #[default]
    Fixed,
    /// Each round starts one member further on.
    Rotate,
}

/// Limits of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Limits {
    /// Rounds, at least 1. Default 10.
    pub max_rounds: u32,
    /// Round at which a warning is given. Default 8.
    pub warn_at_rounds: u32,
    /// Active minutes of discussion, at least 1. Default 30.
    pub max_duration_minutes: u32,
    /// Active minutes at which a warning is given. Default 25.
    pub warn_at_minutes: u32,
    /// Tokens of the whole run, input and output; none by default.
    pub max_tokens: Option<u64>,
    /// Dollars of the whole run, at the prices of its models; none by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget_usd: Option<Usd>,
    /// Side-by-side model calls, at least 1. Default 4.
    pub concurrency: usize,
    /// Largest answer asked for, in tokens. Default 16000.
    pub max_output_tokens: u64,
    /// Tokens of the discussion that a document's writer is shown, the latest rounds first. Default
    /// 60000.
    pub context_tokens: u64,
    /// Failed attempts of one call before the run stops with exit code 5. Default 5.
    pub max_failures: u32,
    /// Follow-up turns of one clarification: far more than one needs, so that only a
    /// member that is never satisfied meets it. Default 20.
    pub max_follow_ups: u32,
    /// Limits of debates.
    pub debates: DebateLimits,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_rounds: 10,
            warn_at_rounds: 8,
            max_duration_minutes: 30,
            warn_at_minutes: 25,
            max_tokens: None,
            budget_usd: None,
            concurrency: 4,
            max_output_tokens: 16_000,
            context_tokens: 60_000,
            max_failures: 5,
            max_follow_ups: 20,
            debates: DebateLimits::default(),
        }
    }
}

/// Name of the provider that replays answers from files.
pub const SCRIPTED: &str = "scripted";

/// Returns whether the provider constrains a model's answers with a grammar built from the schema.
pub fn holds_the_form(provider: &str) -> bool {
    provider == "llamacpp"
}

/// Name of the provider whose calls are answered through files: by you, a colleague, or an agent.
pub const HAND: &str = "hand";

/// Which model a member is; never a URL, key or host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelChoice {
    /// Provider name, such as `openai`.
    pub provider: String,
    /// Model name as the provider knows it.
    pub model: String,
    /// Sampling temperature, or the default of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f64>,
    /// Sampling seed, or the default of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Its price, if the user gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
}

/// Who speaks for a member, and so whose words its speeches and documents are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AuthorKind {
    /// A language model.
    Model,
    /// Answers from a script or a recording, replayed; no model was asked.
    Recordings,
    /// Nobody: written from the ledger, because the budget left no call.
    Ledger,
}

impl ModelChoice {
    /// Returns whether its calls are answered through files, at any later time.
    pub fn is_by_hand(&self) -> bool {
        self.provider == HAND
    }

    /// Returns who speaks with this choice.
    pub fn voice(&self) -> AuthorKind {
        match self.provider.as_str() {
            SCRIPTED => AuthorKind::Recordings,
            _ => AuthorKind::Model,
        }
    }
}

/// The settings of the configuration that a run freezes, under the names of their keys. Most are
/// frozen as they are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunRules {
    /// Limits of the run.
    pub limits: Limits,
    /// How the discussion may end, and what keeps it going.
    pub ending: EndingRules,
    /// How members answer in round 1.
    pub first_round: FirstRound,
    /// Order in which members speak after round 1.
    pub order: SpeakingOrder,
    /// How members come to know the repository.
    pub grounding: Grounding,
    /// Whether the plan is reviewed before it is published. Never where the work is small.
    #[serde(default)]
    pub review: bool,
    /// How similarity is measured, and from which scores on it is noted.
    #[serde(default)]
    pub similarity: SimilarityChoice,
}

impl Default for RunRules {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            ending: EndingRules::default(),
            first_round: FirstRound::default(),
            order: SpeakingOrder::default(),
            grounding: Grounding::default(),
            review: true,
            similarity: SimilarityChoice::default(),
        }
    }
}

/// The frozen inputs of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Inputs {
    /// Version of `aitc` that started the run.
    pub tool: String,
    /// Number of the version the run works for: `N` of `vN`.
    pub version: u32,
    /// The kind of meeting; a workshop if absent.
    #[serde(default, skip_serializing_if = "Format::is_workshop")]
    pub format: Format,
    /// The series that a plan is counted in; left out for those that are counted together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<Series>,
    /// Language of documents and prompts.
    pub doc_lang: Lang,
    /// Who takes part, with the whole text of their files.
    pub roles: RoleSet,
    /// Contents of every template, by name such as `prompt/shared.j2`.
    #[schemars(with = "BTreeMap<String, String>")]
    pub templates: Templates,
    /// Where each template came from: name to workspace path, built-in ones left out.
    pub template_sources: BTreeMap<String, String>,
    /// The settings of the configuration.
    #[serde(flatten)]
    pub rules: RunRules,
    /// How questions to the user are handled.
    pub questions: QuestionMode,
    /// Small work: one round, a second only if something blocking is left; a one-page report.
    pub light: bool,
    /// Whether the workshop is held in full, however small the coach finds the work.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub full: bool,
    /// Whether members are told that they may have commands run. Whether a command is run, the
    /// user of each machine decides.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub trials: bool,
    /// Model of the members that have none of their own.
    pub model: ModelChoice,
    /// Models by full role name.
    pub role_models: BTreeMap<String, ModelChoice>,
    /// Providers that were reached at another address than their usual one.
    /// The address itself is not recorded: who resumes the run has to give it again.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub own_addresses: BTreeSet<String>,
    /// Commit of the repository, if it is one; a change only warns.
    pub commit: Option<String>,
}

impl Inputs {
    /// Returns the version that this run writes.
    pub fn run(&self) -> Version {
        Version {
            format: self.format,
            series: self.series,
            number: self.version,
        }
    }

    /// Returns whether the members speak in parallel in `round`.
    pub fn is_blind(&self, round: u32) -> bool {
        self.format.speaks_side_by_side()
            || (round == 1 && self.rules.first_round == FirstRound::Blind)
    }

    /// Returns the model of a member.
    pub fn model_of(&self, role: &crate::role::RoleId) -> &ModelChoice {
        self.role_models.get(role.as_str()).unwrap_or(&self.model)
    }

    /// Returns whether any member's calls are answered by hand.
    pub fn asks_by_hand(&self) -> bool {
        let own = self.role_models.values();
        own.chain([&self.model]).any(ModelChoice::is_by_hand)
    }

    /// Returns who speaks for all members, including the coach; `None` if they differ.
    pub fn voice(&self) -> Option<AuthorKind> {
        let voice = self.model.voice();
        let own = self.role_models.values();
        own.map(ModelChoice::voice)
            .all(|other| other == voice)
            .then_some(voice)
    }

    /// Returns whether all answers were replayed from files, so that no model was asked.
    pub fn is_scripted(&self) -> bool {
        self.voice() == Some(AuthorKind::Recordings)
    }
}

/// A point of the user's feedback, word for word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FeedbackItem {
    /// Id of the point of feedback, `F-n`.
    pub id: FeedbackId,
    /// The feedback, word for word.
    pub text: String,
    /// The thread of the revised version that it was made of; left out for what was said with
    /// the revision itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
}

impl FeedbackItem {
    /// Returns a point of feedback that was given with the revision itself.
    pub fn said(id: FeedbackId, text: String) -> Self {
        Self {
            id,
            text,
            thread: None,
        }
    }
}

/// What a revision takes over from the version before it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PreviousVersion {
    /// Number of the version that is revised.
    pub version: u32,
    /// UUID of the run that made it.
    pub run_id: String,
    /// Hash of its transcript's last line.
    pub head: String,
    /// Requirement of that version, word for word.
    pub requirement: String,
    /// Agreed items of its draft that were not withdrawn, in order.
    pub consensus: Vec<ConsensusItem>,
    /// Its whole ledger, closed issues included.
    pub issues: Vec<IssueRecord>,
    /// Questions of that version, with their answers.
    pub questions: Vec<Question>,
    /// Assumptions of that version.
    pub assumptions: Vec<Assumption>,
    /// Documents of that version, as published.
    pub documents: BTreeMap<DocumentKind, Document>,
    /// Where each of them comes from.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub written: BTreeMap<DocumentKind, DocumentOrigin>,
    /// The members' claims about existing code, with the results of checking them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<EvidenceRecord>,
    /// What that evidence says was run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trials: Vec<TrialRecord>,
    /// The words that open its report; absent if a model did not write them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<ReportWords>,
    /// Largest numbers used so far along the line of ancestors.
    pub counters: Counters,
}

/// Largest number given so far for each kind of id; ids are never used twice.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Counters {
    /// Highest number of an id `I-n` given so far; 0 for none.
    pub issue: u32,
    /// Highest number of an id `C-n` given so far; 0 for none.
    pub consensus: u32,
    /// Highest number of an id `X-n` given so far; 0 for none.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub text: u32,
    /// Highest number of an id `Q-n` given so far; 0 for none.
    pub question: u32,
    /// Highest number of an id `A-n` given so far; 0 for none.
    pub assumption: u32,
    /// Highest number of an id `F-n` given so far; 0 for none.
    pub feedback: u32,
    /// Highest number of an id `D-n` given so far; 0 for none.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub debate: u32,
    /// Highest number of an id `E-n` given so far; 0 for none.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub evidence: u32,
    /// Highest number of an id `FI-n` given so far; 0 for none.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub finding: u32,
    /// Highest number of an id `RUN-n` given so far; 0 for none.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub run: u32,
    /// Last number of every document prefix: `AC`, `M`, `DEC`, `W`, `T`, `R`.
    pub documents: BTreeMap<String, u32>,
}

macro_rules! next_ids {
    ($($next:ident: $last:ident -> $id:ident;)*) => {$(
        #[doc = concat!("Returns the next [`", stringify!($id), "`].")]
        pub fn $next(&mut self) -> $id {
            self.$last = self.$last.saturating_add(1);
            $id(self.$last)
        }
    )*};
}

impl Counters {
    next_ids! {
        next_debate: debate -> DebateId;
        next_text: text -> ProposalId;
        next_evidence: evidence -> EvidenceId;
        next_finding: finding -> FindingId;
        next_run: run -> TrialId;
        next_issue: issue -> IssueId;
        next_consensus: consensus -> ConsensusId;
        next_question: question -> QuestionId;
        next_assumption: assumption -> AssumptionId;
    }

    /// Returns the next id of a document item, such as `AC-4`.
    pub fn next_document(&mut self, prefix: &str) -> String {
        let n = self.documents.entry(prefix.to_owned()).or_default();
        *n = n.saturating_add(1);
        format!("{prefix}-{n}")
    }

    /// Advances the counter to this id of a document item.
    pub fn reach(&mut self, id: &str) {
        if let Some((prefix, number)) = split_id(id) {
            let last = self.documents.entry(prefix.to_owned()).or_default();
            *last = number.max(*last);
        }
    }
}

/// What was found in the repository and the knowledge folders, once, at the start.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Survey {
    /// Files seen, ignored ones left out.
    pub files: u32,
    /// Files that matter for the requirement: those of which lines are shown, best first,
    /// then those that are only named.
    pub hits: Vec<SurveyFile>,
    /// The tree in short: the folders and files of the first level, then the folders of the
    /// second, at most about 80.
    pub tree: Vec<String>,
    /// How it is built and tested, as its own files say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub builds: Vec<String>,
    /// The repository's own rules for contributors: the beginnings of files such as
    /// `CONTRIBUTING.md` and `AGENTS.md`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<KnowledgePassage>,
    /// What the program rests on, by the names its manifests give, at most about 40.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uses: Vec<String>,
    /// Files and passages of the knowledge folders that fit, at most about 5.
    #[serde(default)]
    pub knowledge: Vec<KnowledgePassage>,
    /// Files seen in the knowledge folders.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub knowledge_files: u32,
}

impl Survey {
    /// Returns whether there is anything in which something can be looked up.
    pub fn can_be_searched(&self) -> bool {
        self.files > 0 || self.knowledge_files > 0 || !self.knowledge.is_empty()
    }

    /// Redacts secrets in text read from files.
    pub fn redact(&mut self, redact: &dyn Fn(&str) -> String) {
        let blocks = self.hits.iter_mut().flat_map(|hit| &mut hit.blocks);
        let blocks = blocks.flat_map(|block| [&mut block.name, &mut block.text]);
        let passages = self.knowledge.iter_mut().chain(&mut self.rules);
        let passages = passages.map(|passage| &mut passage.text);
        let names = self.uses.iter_mut().chain(&mut self.builds);
        for text in blocks.chain(passages).chain(names) {
            *text = redact(text);
        }
    }

    /// Returns every text that was read from a file.
    pub fn texts(&self) -> impl Iterator<Item = &String> {
        let blocks = self.hits.iter().flat_map(|hit| &hit.blocks);
        let passages = self.knowledge.iter().chain(&self.rules);
        let passages = passages.map(|passage| &passage.text);
        blocks.map(|block| &block.text).chain(passages)
    }
}

/// A file that fits the requirement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SurveyFile {
    /// Path from the repository's root, `/` between parts.
    pub path: String,
    /// Places in it that fit, in order; none where it is only named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<SurveyLines>,
}

/// Consecutive lines of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SurveyLines {
    /// One-based number of the first one.
    pub from: u32,
    /// Number of the last one.
    pub to: u32,
    /// The definition or section they are of, such as `Config.load`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The lines, less blank ones and what all of them are indented by.
    pub text: String,
}

/// A passage of a knowledge file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KnowledgePassage {
    /// Path from the repository's root, `/` between parts; of a knowledge folder outside of it as
    /// given.
    pub path: String,
    /// The text, at most about 800 characters.
    pub text: String,
}
