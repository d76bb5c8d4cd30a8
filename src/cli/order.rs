//! What a run is started or resumed with: the work, and everything that flags and settings say.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::run_flags::{ModelFlags, QuestionFlags, RunFlags, TrialFlag};
use super::{Context, Fault};
use crate::config::{Config, Layer};
use crate::edge::model::Scripted;
use crate::fault::line::{
    ASK_WITHOUT_TERMINAL, FLAG_IN_VAIN, FORMAT_ALONE, FORMAT_NOBODY, FORMAT_UNKNOWN,
};
use crate::fault::{nearest, texts, values};
use crate::machine::{Format, FormatMention, QuestionMode, Version, address, addressed};
use crate::ui::human::Answers;

texts! {
    NO_TURNS: "its members do not speak in turn", "它的成员不轮流发言";
    NO_REVIEW: "only a plan and the synthesis of a team are reviewed", "只有规划和小组的综合结果才评审";
    NO_SHORT_FORM: "only a plan is shortened when its work is small", "只有规划才会因任务小而缩短";
    NO_SERIES: "only plans are numbered in series", "只有规划才按系列编号";
}

/// An answer that is taken: the row, from 1, and the letter of the answer.
pub type DecidedRow = (usize, char);

/// What the workshop is about.
#[derive(Debug, Clone)]
pub enum RunTask {
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
        decided: Vec<DecidedRow>,
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
    pub work: RunTask,
    /// The settings that its flags make.
    pub layer: Layer,
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
    pub play: Option<Playback>,
}

impl Order {
    /// Creates an order for this work without further flags.
    pub fn of(work: RunTask, config: Config, questions: QuestionMode, answers: Answers) -> Self {
        Self {
            work,
            layer: Layer::default(),
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
pub struct Playback {
    /// What the members say.
    pub script: Arc<Scripted>,
    /// How long each answer takes if it is shown; `None` for no delay.
    pub delay: Option<Duration>,
}

/// Returns the work that a text asks for: `@board …` is for a board, anything else a requirement.
/// Members named in brackets replace `--members`.
///
/// # Errors
/// As [`read`].
pub fn parse_task(text: String, flags: &mut RunFlags) -> Result<RunTask, Fault> {
    let asked = read(text)?;
    if let Some(members) = &asked.members {
        flags.roles = Some(members.join(","));
    }
    Ok(RunTask::New {
        requirement: asked.text,
        format: asked.format,
    })
}

/// Reads what a text asks for; without an address it is for a workshop.
///
/// # Errors
/// A format has no text, or its brackets name nobody.
pub fn read(text: String) -> Result<FormatMention, Fault> {
    match addressed(&text) {
        Some(FormatMention {
            format,
            members: Some(members),
            ..
        }) if members.is_empty() => Err(FORMAT_NOBODY.with(values![name = format.name()])),
        Some(alone) if alone.text.is_empty() => {
            Err(FORMAT_ALONE.with(values![name = alone.format.name()]))
        }
        Some(asked) => Ok(asked),
        None => {
            let is_near = |name: &&str| nearest(name, Format::ALL.map(Format::name)).is_some();
            match address(&text).filter(is_near) {
                // A typing slip would cost a whole workshop.
                Some(name) => Err(unknown_format(name)),
                None => Ok(FormatMention {
                    format: Format::Workshop,
                    members: None,
                    text,
                }),
            }
        }
    }
}

/// Returns the error that there is no format of that name.
pub fn unknown_format(name: &str) -> Fault {
    let fault = FORMAT_UNKNOWN.with(values![name]);
    let near = nearest(name, Format::ALL.map(Format::name));
    fault.meaning(near.map(|near| format!("@{near}")))
}

/// Refuses flags on the command line that have no effect on the format. In a configuration file
/// such settings are for other runs and are ignored.
fn fits(work: &RunTask, flags: &RunFlags) -> Result<(), Fault> {
    let RunTask::New { format, .. } = work else {
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
pub fn order(work: RunTask, flags: &RunFlags, context: &Context) -> Result<Order, Fault> {
    fits(&work, flags)?;
    let layer = flags.layer()?;
    let config = context.config(layer.clone())?;
    let questions = question_mode(&config, context)?;
    let answers = flags.questions.answers(context)?;
    Ok(Order {
        layer,
        flags: flags.clone(),
        ..Order::of(work, config, questions, answers)
    })
}

/// Returns the order of a resumed run.
///
/// # Errors
/// The configuration is invalid.
pub fn of_resumption(
    work: RunTask,
    flags: &QuestionFlags,
    trials: &TrialFlag,
    record: Option<PathBuf>,
    context: &Context,
) -> Result<Order, Fault> {
    let mut layer = flags.layer()?;
    if let RunTask::Resumption { instead, .. } = &work {
        instead.lay(&mut layer)?;
    }
    trials.lay(&mut layer)?;
    let config = context.config(layer.clone())?;
    let questions = question_mode(&config, context)?;
    let answers = flags.answers(context)?;
    Ok(Order {
        layer,
        auto_exit: flags.auto_exit,
        flags: RunFlags::recording(record),
        ..Order::of(work, config, questions, answers)
    })
}

/// Returns how questions are handled; `ask` needs somebody at a terminal.
fn question_mode(config: &Config, context: &Context) -> Result<QuestionMode, Fault> {
    let mode = config.question_mode(context.somebody_there());
    if mode == QuestionMode::Ask && !context.somebody_there() {
        // In a file it is a preference; a flag that cannot be followed is an error.
        let setting = config.settings.get("questions");
        if setting.is_some_and(|setting| setting.origin.is_flag()) {
            return Err(ASK_WITHOUT_TERMINAL.with(&[]));
        }
        return Ok(QuestionMode::Pause);
    }
    Ok(mode)
}
