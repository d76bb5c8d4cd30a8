//! `aitc board`: all members speak about a topic at the same time.

use std::path::PathBuf;

use clap::Args;

use super::order::RunTask;
use super::run_flags::RunFlags;
use super::{Context, Exit, Fault, launch, requirement};
use crate::fault::texts;
use crate::machine::Format;

texts! {
    WHAT: "topic", "题目";
    EXAMPLE: "aitc board \"One service or several?\"", "aitc board \"一个服务还是多个？\"";
}

/// Discuss a topic with all members at once and write minutes
#[derive(Debug, Args)]
#[command(
    override_usage = "aitc board [OPTIONS] [TOPIC|-]",
    mut_arg("review", |arg| arg.hide(true)),
    mut_arg("full", |arg| arg.hide(true)),
    mut_arg("light", |arg| arg.help("For small work: one round (a second only if needed), no automatic debate")),
    after_help = "Examples:\n  \
        aitc board \"One service or several?\"\n  \
        aitc board \"One service or several?\" --members PP,SD,RP --rounds 3\n  \
        aitc \"@board[PP,SD] One service or several?\""
)]
pub struct BoardArgs {
    /// What to talk about; `-` reads standard input
    topic: Option<String>,
    /// Read the topic from FILE; repeatable, the texts are joined
    #[arg(short, long = "file", value_name = "FILE|-")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) run: RunFlags,
}

/// Runs a board about the topic.
pub fn run(args: &BoardArgs, context: &Context) -> Result<Exit, Fault> {
    let topic = requirement::gather(WHAT, args.topic.as_deref(), &args.files, EXAMPLE, context)?;
    let work = RunTask::New {
        requirement: topic,
        format: Format::Board,
    };
    launch::start(work, &args.run, context)
}
