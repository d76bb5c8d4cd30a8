//! Flags of a run. Every command that starts one has [`RunFlags`], and `order.rs` makes an order of
//! them; `resume` has only those about questions, models and trials.

use std::path::PathBuf;

use clap::Args;

use super::{Context, Fault};
use crate::config::Layer;
use crate::edge::BoxFuture;
use crate::edge::safe_open::{self, FileUse};
use crate::fault::settings::{ANSWERS, CONFIG_NOT_UTF8};
use crate::fault::{Message, said_by_system, texts, values};
use crate::machine::{Series, Version};
use crate::ui::human::Answers;

texts! {
    NO_FILE: "name a file that can be read, or leave out `--answers`: the questions will then wait for you", "请指定可读取的文件，或去掉 `--answers`：提出的问题会等待您回答";
}

/// Flags of a new run.
#[derive(Debug, Clone, Default, Args)]
pub struct RunFlags {
    /// Who takes part, by name or code, separated by commas
    #[arg(long, visible_alias = "members", value_name = "LIST")]
    pub(super) roles: Option<String>,
    /// Maximum number of rounds, 1 to 100
    #[arg(long, value_name = "N")]
    rounds: Option<String>,
    /// Maximum minutes of discussion, 1 to 1440
    #[arg(long, value_name = "N")]
    minutes: Option<String>,
    /// Token limit for the whole run
    #[arg(long, value_name = "N")]
    max_tokens: Option<String>,
    /// Dollar limit for the whole run, at the prices in your own configuration
    #[arg(long, value_name = "X")]
    budget_usd: Option<String>,
    /// Folder with texts to search; repeatable
    #[arg(long, value_name = "DIR")]
    knowledge: Vec<String>,
    #[command(flatten)]
    pub(super) models: ModelFlags,
    /// How much of the repository members see
    #[arg(long, value_name = "off|map|looks")]
    grounding: Option<String>,
    #[command(flatten)]
    trials: TrialFlag,
    /// Whether members speak in turn or all at once in the first round
    #[arg(long, value_name = "sequential|blind", hide = true)]
    pub(super) first_round: Option<String>,
    /// Whether the speaking order stays the same or rotates by one each round
    #[arg(long, value_name = "fixed|rotate", hide = true)]
    pub(super) order: Option<String>,
    /// Language of the documents; default: that of the requirement
    #[arg(long, value_name = "zh|en")]
    doc_lang: Option<String>,
    /// Maximum number of debates, 0 to 3
    #[arg(long, value_name = "N")]
    debates: Option<String>,
    /// Debate the first issue list before round 1; not for small work
    #[arg(long)]
    review_debate: bool,
    /// Whether members review the plan before it is published
    #[arg(long, value_name = "on|off")]
    pub(super) review: Option<String>,
    /// For small work: one round (a second only if needed), no automatic debate, no review, a one-page report
    #[arg(long)]
    pub(super) light: bool,
    /// All rounds, debates and the review, even if the coach judges the work small
    #[arg(long, conflicts_with = "light")]
    pub(super) full: bool,
    /// Sampling seed, where the provider takes one
    #[arg(long, value_name = "N", hide = true)]
    seed: Option<u32>,
    /// Sampling temperature, 0 to 2, where the provider takes one
    #[arg(long, value_name = "X", hide = true)]
    temperature: Option<String>,
    /// Folder of recorded answers, for `--provider scripted`
    #[arg(long, value_name = "DIR", hide = true)]
    fixtures: Option<String>,
    /// Write every answer to DIR as it comes, for `--provider scripted`
    #[arg(long, value_name = "DIR", hide = true)]
    pub(super) record: Option<PathBuf>,
    /// Print the first prompt of every member and send nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    #[command(flatten)]
    pub(super) questions: QuestionFlags,
    /// What shows the run in the browser, if it is to be shown there.
    #[arg(skip)]
    pub page: Option<Page>,
    /// The series that the plan is counted in.
    #[arg(skip)]
    pub series: Option<Series>,
    /// Whether some may be flags of a chat, whose runs do not all use each of them.
    #[arg(skip)]
    pub(super) is_of_chat: bool,
}

/// Shows a run of this process in the browser; returns the message about it.
pub type Page = for<'a> fn(Version, &'a Context) -> BoxFuture<'a, Result<Message, Fault>>;

/// The flag that lets members have something run.
#[derive(Debug, Clone, Default, Args)]
pub struct TrialFlag {
    /// Let members run commands in a copy of the repository, in a sandbox
    #[arg(
        long,
        value_name = "true|false",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "true"
    )]
    trials: Option<String>,
}

impl TrialFlag {
    /// Sets the flag in a layer.
    ///
    /// # Errors
    /// Its value is neither `true` nor `false`.
    pub fn lay(&self, layer: &mut Layer) -> Result<(), Fault> {
        match &self.trials {
            Some(text) => layer.flag("--trials", "trials.enabled", text),
            None => Ok(()),
        }
    }
}

/// Flags that say which model is meant.
#[derive(Debug, Clone, Default, Args)]
pub struct ModelFlags {
    /// Provider that answers the calls
    #[arg(long, value_name = "NAME")]
    pub(super) provider: Option<String>,
    /// Model for all roles, or `ROLE=MODEL` for one (`ROLE=provider:model` too); repeatable
    #[arg(long, value_name = "[ROLE=]MODEL")]
    pub(super) model: Vec<String>,
    /// Address of the provider's API
    #[arg(long, value_name = "URL")]
    pub(super) base_url: Option<String>,
}

/// Flags about questions for the user, of new and resumed runs.
#[derive(Debug, Clone, Default, Args)]
pub struct QuestionFlags {
    /// How questions are handled: ask now, pause the run, or assume the recommended answer
    #[arg(long, value_name = "ask|pause|assume")]
    pub(super) questions: Option<String>,
    /// End the discussion at a limit or a standstill without asking
    #[arg(long)]
    pub(super) auto_exit: bool,
    /// Answers prepared in a file, YAML or JSON: `Q-1: text`
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
}

impl RunFlags {
    /// No flag but the folder to record into.
    pub fn recording(record: Option<PathBuf>) -> Self {
        Self {
            record,
            ..Self::default()
        }
    }

    /// Takes what a chat was begun with where nothing is said; its settings hold there by
    /// themselves.
    pub fn fill(&mut self, chat: &Self) {
        let (light, full) = (self.light, self.full);
        self.light |= chat.light && !full;
        self.full |= chat.full && !light;
        self.dry_run |= chat.dry_run;
        self.is_of_chat = true;
        self.questions.fill(&chat.questions);
    }

    /// Returns the flags that are no settings, for the lines of a chat.
    pub fn besides_settings(self) -> Self {
        Self {
            light: self.light,
            full: self.full,
            dry_run: self.dry_run,
            is_of_chat: true,
            questions: QuestionFlags {
                questions: None,
                ..self.questions
            },
            ..Self::default()
        }
    }

    /// Returns the flags as the strongest layer of the configuration.
    pub fn layer(&self) -> Result<Layer, Fault> {
        let mut layer = self.questions.layer()?;
        let seed = self.seed.map(|seed| seed.to_string());
        layer.flags(&[
            ("--roles", "roles", &self.roles),
            ("--rounds", "limits.max_rounds", &self.rounds),
            ("--minutes", "limits.max_duration_minutes", &self.minutes),
            ("--max-tokens", "limits.max_tokens", &self.max_tokens),
            ("--budget-usd", "limits.budget_usd", &self.budget_usd),
            ("--seed", "seed", &seed),
            ("--temperature", "temperature", &self.temperature),
            ("--fixtures", "fixtures", &self.fixtures),
            ("--grounding", "grounding.depth", &self.grounding),
            ("--first-round", "first_round", &self.first_round),
            ("--order", "order", &self.order),
            ("--doc-lang", "doc_lang", &self.doc_lang),
            ("--debates", "limits.max_debates", &self.debates),
            ("--review", "review", &self.review),
        ])?;
        if self.review_debate {
            layer.flag("--review-debate", "review_debate", "on")?;
        }
        self.trials.lay(&mut layer)?;
        self.models.lay(&mut layer)?;
        layer.flag_list("--knowledge", "knowledge", self.knowledge.clone())?;
        Ok(layer)
    }
}

impl ModelFlags {
    /// Lays the flags into a layer.
    ///
    /// # Errors
    /// A value is outside its key's range.
    pub fn lay(&self, layer: &mut Layer) -> Result<(), Fault> {
        layer.flags(&[
            ("--provider", "provider", &self.provider),
            ("--base-url", "base_url", &self.base_url),
        ])?;
        for choice in &self.model {
            match choice.split_once('=') {
                Some((role, model)) => {
                    let key = format!("role_models.{}", role.trim());
                    layer.flag("--model", &key, model)?;
                }
                None => layer.flag("--model", "model", choice)?,
            }
        }
        Ok(())
    }
}

impl QuestionFlags {
    /// Takes what a chat was begun with where nothing is said.
    pub fn fill(&mut self, chat: &Self) {
        self.auto_exit |= chat.auto_exit;
        self.answers = self.answers.take().or(chat.answers.clone());
    }

    pub(super) fn layer(&self) -> Result<Layer, Fault> {
        let mut layer = Layer::default();
        if let Some(mode) = &self.questions {
            layer.flag("--questions", "questions", mode)?;
        }
        if self.auto_exit {
            layer.flag("--auto-exit", "ending.auto_exit_enabled", "true")?;
        }
        Ok(layer)
    }

    pub(super) fn answers(&self, context: &Context) -> Result<Answers, Fault> {
        let Some(file) = &self.answers else {
            return Ok(Answers::default());
        };
        let name = file.display().to_string();
        let bytes =
            safe_open::read_named(&context.path(file), FileUse::Settings).map_err(|error| {
                let fault = ANSWERS.with(values![place = name, what = said_by_system(&error)]);
                fault.fixed_by(NO_FILE)
            })?;
        let text = String::from_utf8(bytes)
            .map_err(|_| CONFIG_NOT_UTF8.with(values![path = name, line = 1]))?;
        Answers::parse(&name, &text)
    }
}
