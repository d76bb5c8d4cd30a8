//! `aitc resume`: continues a run after a crash, a stop or an answer.

use std::path::PathBuf;

use clap::Args;

use super::interrupt::run_until_interrupted;
use super::order::{self, RunTask};
use super::run_flags::{self, ModelFlags, QuestionFlags};
use super::{Context, Exit, Fault, launch};
use crate::machine::Version;

/// Continue a run that was interrupted or is waiting for answers
#[derive(Debug, Args)]
#[command(
    mut_arg("provider", |arg| arg.help("Continue with this provider; required if the run was started with a program")),
    mut_arg("model", |arg| arg.help("Continue with this model, for all roles or, as `ROLE=MODEL`, for one (`ROLE=provider:model` too); repeatable")),
    mut_arg("base_url", |arg| arg.help("Address of the provider's API, if the run was started with one")),
    after_help = "Examples:\n  aitc resume\n  aitc resume v2 --answers answers.yaml\n  aitc resume --model gpt-5-mini"
)]
pub struct ResumeArgs {
    /// Which run; needed only if several are unfinished
    #[arg(value_name = "vN")]
    version: Option<Version>,
    /// Continue with the old roles and templates, even if the files have changed since the start
    #[arg(long)]
    accept_drift: bool,
    #[command(flatten)]
    models: ModelFlags,
    /// Keep writing every answer to DIR, for `--provider scripted`
    #[arg(long, value_name = "DIR", hide = true)]
    record: Option<PathBuf>,
    #[command(flatten)]
    trials: run_flags::TrialFlag,
    #[command(flatten)]
    pub(super) questions: QuestionFlags,
}

/// Continues a run where its transcript ends.
pub fn run(args: &ResumeArgs, context: &Context) -> Result<Exit, Fault> {
    let work = RunTask::Resumption {
        version: args.version,
        accept_drift: args.accept_drift,
        instead: args.models.clone(),
    };
    let record = args.record.clone();
    let order = order::of_resumption(work, &args.questions, &args.trials, record, context)?;
    run_until_interrupted(|interrupt| launch::run_and_report(order, context, interrupt))
}
