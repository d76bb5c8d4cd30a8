//! `aitc team`: splits a task into phases, on which members work layer by layer.

use std::path::PathBuf;

use clap::Args;

use super::order::RunTask;
use super::run_flags::RunFlags;
use super::{Context, Exit, Fault, launch, requirement};
use crate::fault::texts;
use crate::machine::Format;

texts! {
    WHAT: "task", "任务";
    EXAMPLE: "aitc team \"Compare three ways to store receipts\"", "aitc team \"比较三种收据存储方式\"";
}

/// Split a task into phases, let members work on them in parallel, and combine the results
#[derive(Debug, Args)]
#[command(
    override_usage = "aitc team [OPTIONS] [TASK|-]",
    mut_arg("rounds", |arg| arg.help("Maximum number of phase layers, 1 to 100")),
    mut_arg("review_debate", |arg| arg.help("Debate the phases before any work begins; not for small work")),
    mut_arg("review", |arg| arg.help("Whether members review the synthesis before it is handed in")),
    mut_arg("full", |arg| arg.hide(true)),
    mut_arg("light", |arg| arg.help("For small work: no automatic debate, no review")),
    after_help = "Examples:\n  \
        aitc team \"Compare three ways to store receipts\"\n  \
        aitc team \"Compare three ways to store receipts\" --members SD,RP\n  \
        aitc \"@team[SD,RP] Compare three ways to store receipts\""
)]
pub struct TeamArgs {
    /// What is to be done; `-` reads standard input
    task: Option<String>,
    /// Read the task from FILE; repeatable, the texts are joined
    #[arg(short, long = "file", value_name = "FILE|-")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) run: RunFlags,
}

/// Runs a team on the task.
pub fn run(args: &TeamArgs, context: &Context) -> Result<Exit, Fault> {
    let task = requirement::gather(WHAT, args.task.as_deref(), &args.files, EXAMPLE, context)?;
    let work = RunTask::New {
        requirement: task,
        format: Format::Team,
    };
    launch::start(work, &args.run, context)
}
