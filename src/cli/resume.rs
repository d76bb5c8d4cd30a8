//! `aitc resume`: continues a run after a crash, a stop or an answer.

use std::path::PathBuf;

use clap::Args;

use super::interrupt::run_until_interrupted;
use super::order::{self, Work};
use super::run_flags::{self, ModelFlags, QuestionFlags};
use super::{Context, Exit, Fault, launch, versions};
use crate::machine::Version;

/// Continue a run that was interrupted or is waiting for answers
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  aitc resume\n  aitc resume v2 --answers answers.yaml\n  aitc resume --model gpt-5-mini"
)]
pub struct ResumeArgs {
    /// Which run; needed only if several are unfinished
    #[arg(value_name = "vN", value_parser = versions::version)]
    version: Option<Version>,
    /// Continue even if roles or templates changed since the run started; it keeps the old ones
    #[arg(long)]
    accept_drift: bool,
    /// Continue with this provider; required if the run was started with a program
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
    /// Continue with this model, for all roles or, as `ROLE=MODEL`, for one (`ROLE=provider:model` too); repeatable
    #[arg(long, value_name = "[ROLE=]MODEL")]
    model: Vec<String>,
    /// Address of the provider's API, if the run was started with one
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
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
    let work = Work::Resumption {
        version: args.version,
        accept_drift: args.accept_drift,
        instead: ModelFlags {
            provider: args.provider.clone(),
            model: args.model.clone(),
            base_url: args.base_url.clone(),
        },
    };
    let record = args.record.clone();
    let order = order::taken_up(work, &args.questions, &args.trials, record, context)?;
    run_until_interrupted(|interrupt| launch::run_and_report(order, context, interrupt))
}
