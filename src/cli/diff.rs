//! `aitc diff`: what changed between versions, by meaning.

use clap::Args;

use super::{CliError, Context, Exit, open};

/// Compare two versions by meaning
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc diff v1 v2\n  aitc diff --exit-code --json")]
pub struct DiffArgs {
    /// The older version; the one before the newer, if left out
    #[arg(value_name = "vA", value_parser = open::version)]
    older: Option<u32>,
    /// The newer version; the latest, if left out
    #[arg(value_name = "vB", value_parser = open::version)]
    newer: Option<u32>,
    /// End with code 12 if something changed
    #[arg(long)]
    exit_code: bool,
}

/// Prints what it finds on stdout.
pub fn run(args: &DiffArgs, context: &Context) -> Result<Exit, CliError> {
    let _ = (args, context);
    Err(CliError::not_wired("diff"))
}
