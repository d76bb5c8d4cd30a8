//! `aitc plan`: run a workshop.

use std::path::PathBuf;

use clap::Args;

use super::order::{self, RunTask};
use super::requirement::{FEEDBACK, REQUIREMENT};
use super::run_flags::{Page, RunFlags};
use super::{Context, Exit, Fault, launch, requirement, revise, view};
use crate::fault::line::{ARGUMENT_UNKNOWN, FEEDBACK_ALONE};
use crate::fault::{texts, values};
use crate::machine::{Series, Version};

texts! {
    EXAMPLE: "aitc plan \"Export the customer list as CSV\"", "aitc plan \"将客户列表导出为 CSV\"";
}

/// Run a workshop; prints the path of the version
#[derive(Debug, Args)]
#[command(
    override_usage = "aitc plan [OPTIONS] [REQUIREMENT|-]\n       aitc [OPTIONS] \"@team|@board TEXT\"",
    after_help = "Examples:\n  \
        aitc plan \"Export the customer list as CSV\"\n  \
        aitc plan -f requirement.md -f notes.md --rounds 3\n  \
        git log -1 --format=%B | aitc plan - --questions assume\n  \
        aitc plan --from v1 --feedback \"No CSV: use XLSX\"\n  \
        aitc plan --from v1 --feedback \"No CSV\" \"Export the customer list as XLSX\""
)]
pub struct PlanArgs {
    /// What you want, in your own words; `-` reads standard input
    #[arg(value_name = "REQUIREMENT", num_args = 0..)]
    requirement: Vec<String>,
    /// Read the requirement from FILE; repeatable, the texts are joined
    #[arg(short, long = "file", value_name = "FILE|-")]
    files: Vec<PathBuf>,
    /// Revise this version; a requirement given with it replaces the old one
    #[arg(long, value_name = "vN")]
    from: Option<Version>,
    /// What to change in it; `@FILE` reads a file
    #[arg(long, value_name = "T|@F")]
    feedback: Option<String>,
    /// Number it in a series of its own, as `NAME/v1`, so that parallel branches never collide
    #[arg(long, value_name = "NAME", conflicts_with = "from")]
    series: Option<Series>,
    /// Show the run in the browser from the start
    #[arg(long)]
    view: bool,
    #[command(flatten)]
    pub(super) run: RunFlags,
}

/// Starts a run for a requirement, or for feedback on an earlier version.
pub fn run(args: &PlanArgs, context: &Context) -> Result<Exit, Fault> {
    let mut run = args.run.clone();
    run.page = args.view.then_some(view::beside as Page);
    run.series = args.series;
    if let (None, Some(feedback)) = (args.from, &args.feedback) {
        return Err(FEEDBACK_ALONE.with(values![feedback]));
    }
    let text = one_text(&args.requirement)?;
    let has_text = text.is_some() || !args.files.is_empty();
    let gather = |what| requirement::gather(what, text.as_deref(), &args.files, EXAMPLE, context);
    let work = match args.from {
        Some(from) => RunTask::Revision {
            from: Some(from),
            feedback: match args.feedback.as_deref() {
                None if has_text => String::new(),
                None => revise::words(Some(from), None, &[], context)?,
                Some(feedback) => feedback_of(feedback, context)?,
            },
            decided: Vec::new(),
            requirement: has_text.then(|| gather(REQUIREMENT)).transpose()?,
        },
        None => order::parse_task(gather(REQUIREMENT)?, &mut run)?,
    };
    launch::start(work, &run, context)
}

/// Joins the words to one text: after `@team` or `@board` they need no quotes.
fn one_text(words: &[String]) -> Result<Option<String>, Fault> {
    match words {
        [] => Ok(None),
        [one] => Ok(Some(one.clone())),
        [first, ..] if first.starts_with('@') => Ok(Some(words.join(" "))),
        [_, second, ..] => {
            Err(ARGUMENT_UNKNOWN.with(values![command = " plan", argument = second]))
        }
    }
}

/// Reads the feedback: a text, or a file after `@`.
fn feedback_of(given: &str, context: &Context) -> Result<String, Fault> {
    let (text, file) = match given.strip_prefix('@') {
        Some("") => (Some(""), None),
        Some(file) => (None, Some(PathBuf::from(file))),
        None => (Some(given), None),
    };
    requirement::gather(FEEDBACK, text, file.as_slice(), revise::EXAMPLE, context)
}
