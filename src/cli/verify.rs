//! `aitc verify`: are transcript and files what they were.

use clap::Args;

use super::{CliError, Context, Exit, open};

/// Verify hashes of transcript and files
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc verify\n  aitc verify v1 --json")]
pub struct VerifyArgs {
    /// Which version; the latest, if left out
    #[arg(value_name = "vN", value_parser = open::version)]
    version: Option<u32>,
}

/// Prints what it finds on stdout.
pub fn run(args: &VerifyArgs, context: &Context) -> Result<Exit, CliError> {
    let _ = (args, context);
    Err(CliError::not_wired("verify"))
}
