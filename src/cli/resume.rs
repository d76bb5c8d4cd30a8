//! `aitc resume`: go on after crash, stop or answer.

use clap::Args;

use super::hold::{self, QuestionFlags, Work};
use super::{CliError, Context, Exit, open};

/// Go on with a run that was interrupted or waits for answers
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc resume\n  aitc resume v2 --answers answers.yaml")]
pub struct ResumeArgs {
    /// Which run; needed only if several are unfinished
    #[arg(value_name = "vN", value_parser = open::version)]
    version: Option<u32>,
    /// Go on although roles or templates changed since the run began; it keeps the old ones
    #[arg(long)]
    accept_drift: bool,
    /// Address of the provider's API, if the run was begun with one
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    #[command(flatten)]
    questions: QuestionFlags,
}

/// Takes a run up where its transcript ends.
pub fn run(args: ResumeArgs, context: &Context) -> Result<Exit, CliError> {
    let work = Work::Resumption {
        version: args.version,
        accept_drift: args.accept_drift,
    };
    hold::go_on(work, &args.questions, args.base_url.as_deref(), context)
}
