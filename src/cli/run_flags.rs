//! Flags of a run, and the order made of them: shared by `plan`, `revise` and `resume`.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;

use super::{CliError, Context};
use crate::config::{Config, ConfigError, Layer};
use crate::edge::doors::{self, Kind};
use crate::edge::model::Scripted;
use crate::edge::ports::BoxFuture;
use crate::fault::line::{
    ASK_WITHOUT_TERMINAL, FLAG_IN_VAIN, FORMAT_ALONE, FORMAT_NOBODY, FORMAT_UNKNOWN,
};
use crate::fault::settings::{ANSWERS, CONFIG_NOT_UTF8};
use crate::fault::{Message, nearest, said_by_system, texts, values};
use crate::machine::{Addressed, Format, QuestionMode, Series, Version, address, addressed};
use crate::ui::human::Answers;

texts! {
    NO_TURNS: "its members do not speak in turn", "它的成员不轮流发言";
    NO_REVIEW: "only a plan and the synthesis of a team are reviewed", "只有规划和小组的综合结果才评审";
    NO_SHORT_FORM: "only a plan is shortened when its work is small", "只有规划才会因任务小而缩短";
    NO_SERIES: "only plans are numbered in series", "只有规划才按系列编号";
    NO_FILE: "name a file that can be read, or leave out `--answers`: the questions will then wait for you", "请指定可读取的文件，或去掉 `--answers`：提出的问题会等待您回答";
}

/// Flags of a new run.
#[derive(Debug, Clone, Default, Args)]
pub struct RunFlags {
    /// Who takes part, by name or code, separated by commas
    #[arg(long, visible_alias = "members", value_name = "LIST")]
    roles: Option<String>,
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
    first_round: Option<String>,
    /// Whether the speaking order stays the same or rotates by one each round
    #[arg(long, value_name = "fixed|rotate", hide = true)]
    order: Option<String>,
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
    review: Option<String>,
    /// For small work: one round (a second only if needed), no automatic debate, no review, a one-page report
    #[arg(long)]
    pub(super) light: bool,
    /// All rounds, debates and the review, even if the coach judges the work small
    #[arg(long, conflicts_with = "light")]
    pub(super) full: bool,
    /// Sampling seed, where the provider takes one
    #[arg(long, value_name = "N", hide = true)]
    pub(super) seed: Option<u64>,
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
    is_of_chat: bool,
}

/// Shows a run of this process in the browser; returns the message about it.
pub type Page = for<'a> fn(Version, &'a Context) -> BoxFuture<'a, Result<Message, CliError>>;

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
    pub fn lay(&self, layer: &mut Layer) -> Result<(), ConfigError> {
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
    /// Let limits and detectors end the discussion without asking
    #[arg(long)]
    auto_exit: bool,
    /// Answers prepared in a file, YAML or JSON: `Q-1: text`
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,
}

impl RunFlags {
    /// Takes what a chat was begun with where nothing is said; its settings hold there by
    /// themselves.
    pub fn fill(&mut self, chat: &Self) {
        let (light, full) = (self.light, self.full);
        self.light |= chat.light && !full;
        self.full |= chat.full && !light;
        self.seed = self.seed.or(chat.seed);
        self.dry_run |= chat.dry_run;
        self.is_of_chat = true;
        self.questions.fill(&chat.questions);
    }

    /// Returns the flags that are no settings, for the lines of a chat.
    pub fn besides_settings(self) -> Self {
        Self {
            light: self.light,
            full: self.full,
            seed: self.seed,
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
    pub fn layer(&self) -> Result<Layer, ConfigError> {
        let mut layer = self.questions.layer()?;
        layer.flags(&[
            ("--roles", "roles", &self.roles),
            ("--rounds", "limits.max_rounds", &self.rounds),
            ("--minutes", "limits.max_duration_minutes", &self.minutes),
            ("--max-tokens", "limits.max_tokens", &self.max_tokens),
            ("--budget-usd", "limits.budget_usd", &self.budget_usd),
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
    pub fn lay(&self, layer: &mut Layer) -> Result<(), ConfigError> {
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

    fn layer(&self) -> Result<Layer, ConfigError> {
        let mut layer = Layer::default();
        if let Some(mode) = &self.questions {
            layer.flag("--questions", "questions", mode)?;
        }
        if self.auto_exit {
            layer.flag("--auto-exit", "ending.auto_exit_enabled", "true")?;
        }
        Ok(layer)
    }

    fn answers(&self, context: &Context) -> Result<Answers, CliError> {
        let Some(file) = &self.answers else {
            return Ok(Answers::default());
        };
        let name = file.display().to_string();
        let bytes = doors::named(&context.path(file), Kind::Settings).map_err(|error| {
            let fault = ANSWERS.with(values![place = name, what = said_by_system(&error)]);
            fault.fixed_by(NO_FILE)
        })?;
        let text = String::from_utf8(bytes)
            .map_err(|_| CONFIG_NOT_UTF8.with(values![path = name, line = 1]))?;
        Answers::parse(&name, &text)
    }
}

/// An answer that is taken: the row, from 1, and the letter of the answer.
pub type Choice = (usize, char);

/// What the workshop is about.
#[derive(Debug, Clone)]
pub enum Work {
    /// A new requirement.
    New {
        /// The requirement or topic, word for word.
        requirement: String,
        /// The kind of meeting it is for.
        format: Format,
    },
    /// A new version of an earlier one.
    Revision {
        /// Which; `None` for the latest.
        from: Option<Version>,
        /// The user's feedback; may be empty where the requirement is another one.
        feedback: String,
        /// Answers of its “What you decide” that are taken, as more points of feedback.
        decided: Vec<Choice>,
        /// The requirement from now on, if it is not that of the version.
        requirement: Option<String>,
    },
    /// Continue a run.
    Resumption {
        /// The run; `None` for the only one.
        version: Option<Version>,
        /// Whether changed inputs are accepted, with the frozen ones kept in use.
        accept_drift: bool,
        /// Provider and models to use instead of the recorded ones.
        instead: ModelFlags,
    },
}

/// Everything a run is started or resumed with.
#[derive(Debug, Clone)]
pub struct Order {
    /// The work.
    pub work: Work,
    /// The effective configuration.
    pub config: Config,
    /// What happens to questions.
    pub questions: QuestionMode,
    /// Answers prepared by the user.
    pub answers: Answers,
    /// Whether to switch automatic ending on in a resumed run.
    pub auto_exit: bool,
    /// The flags, of which some are no settings.
    pub flags: RunFlags,
    /// The recording to replay, if no model is asked.
    pub play: Option<Play>,
}

impl Order {
    /// Creates an order for this work without further flags.
    pub fn of(work: Work, config: Config, questions: QuestionMode, answers: Answers) -> Self {
        Self {
            work,
            config,
            questions,
            answers,
            auto_exit: false,
            flags: RunFlags::default(),
            play: None,
        }
    }
}

/// A workshop with prepared answers.
#[derive(Debug, Clone)]
pub struct Play {
    /// What the members say.
    pub script: Arc<Scripted>,
    /// How long each answer takes if it is shown; `None` for no delay.
    pub aloud: Option<Duration>,
}

/// Returns the work that a text asks for: `@board …` is for a board, anything else a requirement.
/// Members named in brackets replace `--members`.
///
/// # Errors
/// As [`read`].
pub fn asked(text: String, flags: &mut RunFlags) -> Result<Work, CliError> {
    let asked = read(text)?;
    if let Some(members) = &asked.members {
        flags.roles = Some(members.join(","));
    }
    Ok(Work::New {
        requirement: asked.text,
        format: asked.format,
    })
}

/// Reads what a text asks for; without an address it is for a workshop.
///
/// # Errors
/// A format has no text, or its brackets name nobody.
pub fn read(text: String) -> Result<Addressed, CliError> {
    match addressed(&text) {
        Some(Addressed {
            format,
            members: Some(members),
            ..
        }) if members.is_empty() => Err(FORMAT_NOBODY.with(values![name = format.name()])),
        Some(alone) if alone.text.is_empty() => {
            Err(FORMAT_ALONE.with(values![name = alone.format.name()]))
        }
        Some(asked) => Ok(asked),
        // A typing slip would cost a whole workshop.
        None => mistyped_format(&text).map_or(
            Ok(Addressed {
                format: Format::Workshop,
                members: None,
                text,
            }),
            Err,
        ),
    }
}

/// Returns the error that the text is addressed to a name that resembles a format's, if it is.
fn mistyped_format(text: &str) -> Option<CliError> {
    let name = address(text)?;
    nearest(name, Format::ALL.map(Format::name))?;
    Some(unknown_format(name))
}

/// Returns the error that there is no format of that name.
pub fn unknown_format(name: &str) -> CliError {
    let fault = FORMAT_UNKNOWN.with(values![name]);
    let near = nearest(name, Format::ALL.map(Format::name));
    fault.meaning(near.map(|near| format!("@{near}")))
}

/// Refuses flags on the command line that have no effect on the format. In a configuration file
/// such settings are for other runs and are ignored.
fn fits(work: &Work, flags: &RunFlags) -> Result<(), CliError> {
    let Work::New { format, .. } = work else {
        return Ok(());
    };
    let turns = !format.speaks_in_turn();
    let no_plan = !format.is_workshop() && !flags.is_of_chat;
    let no_review = !format.is_reviewed();
    let of_series = !format.is_workshop() && flags.series.is_some();
    let given = [
        (
            "--first-round",
            NO_TURNS,
            turns && flags.first_round.is_some(),
        ),
        ("--order", NO_TURNS, turns && flags.order.is_some()),
        ("--review", NO_REVIEW, no_review && flags.review.is_some()),
        ("--full", NO_SHORT_FORM, no_plan && flags.full),
        ("--series", NO_SERIES, of_series),
    ];
    let name = format.name();
    match given.into_iter().find(|(.., is_vain)| *is_vain) {
        Some((flag, why, _)) => Err(FLAG_IN_VAIN.with(values![flag, name, why])),
        None => Ok(()),
    }
}

/// Returns the order of a new run.
///
/// # Errors
/// The configuration is invalid, or a flag means nothing to the format.
pub fn order(work: Work, flags: &RunFlags, context: &Context) -> Result<Order, CliError> {
    fits(&work, flags)?;
    let config = context.config(flags.layer()?)?;
    let questions = question_mode(&config, context)?;
    let answers = flags.questions.answers(context)?;
    Ok(Order {
        flags: flags.clone(),
        ..Order::of(work, config, questions, answers)
    })
}

/// Returns the order of a resumed run.
///
/// # Errors
/// The configuration is invalid.
pub fn taken_up(
    work: Work,
    flags: &QuestionFlags,
    trials: &TrialFlag,
    record: Option<PathBuf>,
    context: &Context,
) -> Result<Order, CliError> {
    let mut layer = flags.layer()?;
    if let Work::Resumption { instead, .. } = &work {
        instead.lay(&mut layer)?;
    }
    trials.lay(&mut layer)?;
    let config = context.config(layer)?;
    let questions = question_mode(&config, context)?;
    let answers = flags.answers(context)?;
    Ok(Order {
        auto_exit: flags.auto_exit,
        flags: RunFlags {
            record,
            ..RunFlags::default()
        },
        ..Order::of(work, config, questions, answers)
    })
}

/// Returns how questions are handled; `ask` needs somebody at a terminal.
fn question_mode(config: &Config, context: &Context) -> Result<QuestionMode, CliError> {
    let mode = config.question_mode(context.somebody_there());
    if mode == QuestionMode::Ask && !context.somebody_there() {
        // In a file it is a preference; a flag that cannot be followed is an error.
        let origin = config
            .settings
            .get("questions")
            .map(|setting| &setting.origin);
        if matches!(origin, Some(crate::config::Origin::Flag(_))) {
            return Err(ASK_WITHOUT_TERMINAL.with(&[]));
        }
        return Ok(QuestionMode::Pause);
    }
    Ok(mode)
}
