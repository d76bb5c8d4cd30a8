//! `aitc check`: is a version sound.

use clap::Args;

use super::{CliError, Context, Exit, open};

/// Check a version: traceability, dangling ids, budgets of length
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc check\n  aitc check v1 --strict")]
pub struct CheckArgs {
    /// Which version; the latest, if left out
    #[arg(value_name = "vN", value_parser = open::version)]
    version: Option<u32>,
    /// Take warnings for errors
    #[arg(long)]
    strict: bool,
}

/// Prints what it finds on stdout.
pub fn run(args: &CheckArgs, context: &Context) -> Result<Exit, CliError> {
    let _ = (args, context);
    Err(CliError::not_wired("check"))
}
