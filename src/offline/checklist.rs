//! The checklists as data.

mod reading;

use serde::Deserialize;

use super::medium::Medium;
use super::text::Matcher;
use crate::reply::{DocumentKind, ExternalDependency, Level, NonGoal, Rejected, Size, TestLevel};

pub(super) use reading::read;
pub use reading::{parse, parse_media, scan_triggers};

/// Folder of the checklists among the templates.
pub const FOLDER: &str = "checklists/";

/// The file that holds the members' turns of phrase.
pub const PHRASES: &str = "checklists/phrases.yaml";

/// The file that says by which words the kind of product is told.
pub const MEDIA: &str = "checklists/media.yaml";

/// The topic whose items fit every need.
pub const GENERAL: &str = "general";

/// Which part of the work a member stands for: that of the document it writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// What is wanted.
    Product,
    /// How it is built.
    Design,
    /// In which steps.
    Build,
    /// How it is proved.
    Test,
    /// What can go wrong.
    Risk,
}

impl From<DocumentKind> for Part {
    fn from(kind: DocumentKind) -> Self {
        match kind {
            DocumentKind::ProductPlan => Self::Product,
            DocumentKind::SystemDesign => Self::Design,
            DocumentKind::DevPlan => Self::Build,
            DocumentKind::TestPlan => Self::Test,
            DocumentKind::RiskAssessment => Self::Risk,
        }
    }
}

/// One topic: what an experienced team checks when a requirement touches it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checklist {
    /// Name, the file's name without its ending.
    pub topic: String,
    /// Name for people.
    pub title: String,
    /// Is it about a side of the work, so that the work itself needs a criterion beside it?
    #[serde(default)]
    pub aside: bool,
    /// Words that call the topic up, English and Chinese together.
    pub triggers: Vec<String>,
    /// Phrases in which a trigger means something else: `log in` is no log.
    #[serde(default)]
    pub not: Vec<String>,
    /// Acceptance wording.
    #[serde(default)]
    pub product: Vec<ProductItem>,
    /// Technical decisions.
    #[serde(default)]
    pub design: Vec<DesignItem>,
    /// Steps of work.
    #[serde(default)]
    pub work: Vec<WorkHint>,
    /// Tests beyond one a criterion.
    #[serde(default)]
    pub tests: Vec<TestHint>,
    /// What goes wrong in practice.
    #[serde(default)]
    pub risks: Vec<RiskHint>,
    /// What a requirement usually leaves open.
    #[serde(default)]
    pub asks: Vec<Ask>,
    /// Where an item of this file cannot stand beside one of another.
    #[serde(default)]
    pub conflicts: Vec<Conflict>,
    /// Where an item of `product` promises too little by itself.
    #[serde(default)]
    pub weak_spots: Vec<Conflict>,
    /// What is better decided later.
    #[serde(default)]
    pub later: Vec<Later>,
    /// What it needs from outside the team.
    #[serde(default)]
    pub dependencies: Vec<ExternalDependency>,
    /// What is usually left out.
    #[serde(default)]
    pub non_goals: Vec<NonGoal>,
}

impl ProductItem {
    /// Is it for a need with these words?
    pub fn fits(&self, need: &Matcher) -> bool {
        match self.keeps {
            true => need.only_keeps(),
            false => fits(&self.words, &self.not, need),
        }
    }

    /// Is it for feedback that leaves something out?
    pub fn leaves_out(&self) -> bool {
        self.feedback && !self.takes_out.is_empty()
    }
}

impl DesignItem {
    /// Is it for a need with these words?
    pub fn fits(&self, need: &Matcher) -> bool {
        fits(&self.words, &self.not, need)
    }
}

fn fits(words: &[String], not: &[String], need: &Matcher) -> bool {
    (words.is_empty() || need.any(words)) && !need.any(not)
}

impl Checklist {
    /// How many of its triggers occur in a text, outside the phrases in which they mean
    /// something else.
    pub fn called_by(&self, text: &Matcher) -> usize {
        if self.not.is_empty() || !text.any(&self.triggers) {
            return text.count(&self.triggers);
        }
        text.without(&self.not).count(&self.triggers)
    }

    /// Does a document hold something of this title because the list has it?
    pub fn holds_hint(&self, title: &str) -> bool {
        self.work.iter().any(|hint| hint.title == title)
            || self.tests.iter().any(|hint| hint.title == title)
            || self.risks.iter().any(|hint| hint.title == title)
    }

    /// The list without what is for other kinds of product, and without what the requirement
    /// as a whole does not ask for or decides otherwise.
    pub fn of(mut self, medium: Medium, requirement: &Matcher) -> Self {
        let is_asked = |asked: &[String]| asked.is_empty() || requirement.any(asked);
        let is_open = |item: &DesignItem| is_asked(&item.asked) && !requirement.any(&item.unless);
        let is_wanted =
            |item: &ProductItem| is_asked(&item.asked) && !requirement.any(&item.unless);
        self.product
            .retain(|item| medium.is_among(&item.media) && is_wanted(item));
        self.design
            .retain(|item| medium.is_among(&item.media) && is_open(item));
        self.work
            .retain(|item| medium.is_among(&item.media) && is_asked(&item.asked));
        self.tests
            .retain(|item| medium.is_among(&item.media) && is_asked(&item.asked));
        self.risks
            .retain(|item| medium.is_among(&item.media) && is_asked(&item.asked));
        self.asks.retain(|item| medium.is_among(&item.media));
        self.conflicts.retain(|item| medium.is_among(&item.media));
        self.weak_spots.retain(|item| medium.is_among(&item.media));
        self.later
            .retain(|item| medium.is_among(&item.media) && is_asked(&item.asked));
        self
    }

    /// Does it say nothing on this kind of product?
    pub fn is_silent(&self) -> bool {
        self.product.is_empty() && self.design.is_empty()
    }

    /// Is it the list whose items fit every need?
    pub fn is_general(&self) -> bool {
        self.topic == GENERAL
    }
}

/// A rule of behaviour with the criterion that shows it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProductItem {
    /// Name within the file.
    pub key: String,
    /// Kinds of product it holds for; none means any.
    #[serde(default)]
    pub media: Vec<Medium>,
    /// Words the need must have; none means always.
    #[serde(default)]
    pub words: Vec<String>,
    /// Words of which the requirement must have one, wherever it is; none means always.
    #[serde(default)]
    pub asked: Vec<String>,
    /// Words of the need by which it is about something else.
    #[serde(default)]
    pub not: Vec<String>,
    /// Words that rule it out, wherever in the requirement they are.
    #[serde(default)]
    pub unless: Vec<String>,
    /// The sentence for the plan; `{need}` stands for the need.
    pub say: String,
    /// The situation.
    pub given: String,
    /// What happens.
    pub when: String,
    /// What is then seen.
    pub then: String,
    /// Where its test stands in the pyramid.
    pub level: TestLevel,
    /// Does a need it fits stay without the rules of its topics, as a repair does?
    #[serde(default)]
    pub alone: bool,
    /// Is it for points of feedback only?
    #[serde(default)]
    pub feedback: bool,
    /// Is it for what only says that things stay as they are?
    #[serde(default)]
    pub keeps: bool,
    /// Is it for feedback that takes something out by its id? `{named}` stands for what.
    #[serde(default)]
    pub strikes: bool,
    /// Words by which feedback takes something out that is there; `no e-mails` rules out
    /// what may never have been.
    #[serde(default)]
    pub takes_out: Vec<String>,
    /// How the work on such a need is called; `{need}` stands for the need.
    #[serde(default)]
    pub task: Option<String>,
}

/// A technical decision with what it rules out.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DesignItem {
    /// Name within the file.
    pub key: String,
    /// Kinds of product it holds for; none means any.
    #[serde(default)]
    pub media: Vec<Medium>,
    /// Words the need must have; none means always.
    #[serde(default)]
    pub words: Vec<String>,
    /// Words of which the requirement must have one, wherever it is; none means always.
    #[serde(default)]
    pub asked: Vec<String>,
    /// Words of the need by which it is about something else.
    #[serde(default)]
    pub not: Vec<String>,
    /// Key of the item of `product` whose `words` and `not` are its own.
    #[serde(default)]
    pub fits_as: Option<String>,
    /// Words that rule it out, wherever in the requirement they are.
    #[serde(default)]
    pub unless: Vec<String>,
    /// What is decided about, one line.
    pub title: String,
    /// The sentence for the plan; `{need}` and `{files}` may stand in it.
    pub say: String,
    /// Why.
    pub why: String,
    /// What else was considered.
    #[serde(default)]
    pub rejected: Vec<Rejected>,
    /// The part of the system that carries it.
    #[serde(default)]
    pub module: Option<ModuleHint>,
}

/// A part of the system.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModuleHint {
    /// Name.
    pub name: String,
    /// What it is responsible for.
    pub purpose: String,
    /// Name of a new file for it, without folder and ending; none when it lives in existing files.
    #[serde(default)]
    pub file: Option<String>,
}

/// A step of work.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorkHint {
    /// Name within the file.
    pub key: String,
    /// Kinds of product it holds for; none means any.
    #[serde(default)]
    pub media: Vec<Medium>,
    /// Words of which the requirement must have one, wherever it is; none means always.
    #[serde(default)]
    pub asked: Vec<String>,
    /// One line.
    pub title: String,
    /// What is done and when it is done.
    pub detail: String,
    /// How large.
    pub size: Size,
    /// 1 groundwork, 2 the thing itself, 3 hardening.
    pub stage: u8,
}

/// A test that a criterion alone would not lead to.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestHint {
    /// Name within the file.
    pub key: String,
    /// Kinds of product it holds for; none means any.
    #[serde(default)]
    pub media: Vec<Medium>,
    /// Words of which the requirement must have one, wherever it is; none means always.
    #[serde(default)]
    pub asked: Vec<String>,
    /// One line.
    pub title: String,
    /// Where it stands in the pyramid.
    pub level: TestLevel,
    /// What is done.
    pub steps: String,
    /// What must be seen.
    pub expected: String,
}

/// What goes wrong in practice.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RiskHint {
    /// Name within the file.
    pub key: String,
    /// Kinds of product it holds for; none means any.
    #[serde(default)]
    pub media: Vec<Medium>,
    /// Words of which the requirement must have one, wherever it is; none means always.
    #[serde(default)]
    pub asked: Vec<String>,
    /// One line.
    pub title: String,
    /// How likely.
    pub chance: Level,
    /// How bad.
    pub impact: Level,
    /// What is done against it.
    pub mitigation: String,
    /// How one notices in time.
    pub early_sign: String,
}

/// What a requirement usually leaves open.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ask {
    /// Name within the file.
    pub key: String,
    /// Kinds of product it holds for; none means any.
    #[serde(default)]
    pub media: Vec<Medium>,
    /// Which part asks.
    pub by: Part,
    /// Words the requirement must have; none means always.
    #[serde(default)]
    pub words: Vec<String>,
    /// Words that show that it is answered already.
    #[serde(default)]
    pub unless: Vec<String>,
    /// Key of the item of `product` whose `words` are its own, and with whose `not` it is no
    /// question.
    #[serde(default)]
    pub fits_as: Option<String>,
    /// The question.
    pub question: String,
    /// Why the plan depends on it.
    pub why: String,
    /// Answers to choose among.
    pub options: Vec<String>,
    /// The answer taken if nobody answers.
    pub recommended: String,
    /// What an answer says, for the plan; `{answer}` stands for it.
    pub settles: String,
}

/// What a member objects to: two sound items that cannot both stand as they are, or one
/// that promises too little.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conflict {
    /// Key of the item of this file, in `product` or `design`, that gives way.
    pub mine: String,
    /// Kinds of product it holds for; none means any.
    #[serde(default)]
    pub media: Vec<Medium>,
    /// The other side: `topic/key`; a weak spot has none.
    #[serde(default)]
    pub with: Option<String>,
    /// Which part objects.
    pub objector: Part,
    /// The objection.
    pub because: String,
    /// The text that serves both sides; of a weak spot, the sentence that the item lacks.
    pub compromise: String,
    /// Why the proposer gives way.
    pub accept: String,
    /// The situation that shows the compromise.
    pub given: String,
    /// What happens.
    pub when: String,
    /// What is then seen.
    pub then: String,
}

impl Conflict {
    /// The topic and the key of the other side.
    pub fn other_side(&self) -> Option<(&str, &str)> {
        self.with.as_deref()?.split_once('/')
    }
}

/// A minor matter that a member names so that it is not forgotten.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Later {
    /// Name within the file.
    pub key: String,
    /// Kinds of product it holds for; none means any.
    #[serde(default)]
    pub media: Vec<Medium>,
    /// Words of which the requirement must have one, wherever it is; none means always.
    #[serde(default)]
    pub asked: Vec<String>,
    /// Which part names it.
    pub by: Part,
    /// Words that show that it was asked for, and so cannot wait.
    #[serde(default)]
    pub unless: Vec<String>,
    /// One line.
    pub title: String,
    /// What has to be decided.
    pub detail: String,
    /// Why it can wait.
    pub reason: String,
}
