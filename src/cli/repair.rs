//! `aitc repair`: a damaged tail cut and kept aside.

use clap::Args;

use super::{CliError, Context, Exit, open};

/// Cut a damaged tail off a transcript and keep it aside
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc repair --dry-run\n  aitc repair v2")]
pub struct RepairArgs {
    /// Which version; the latest, if left out
    #[arg(value_name = "vN", value_parser = open::version)]
    version: Option<u32>,
    /// Say what would be done
    #[arg(long)]
    dry_run: bool,
}

/// Prints what it finds on stdout.
pub fn run(args: &RepairArgs, context: &Context) -> Result<Exit, CliError> {
    let _ = (args, context);
    Err(CliError::not_wired("repair"))
}
