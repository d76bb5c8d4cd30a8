//! `aitc render`: the artifacts again, without a model.

use clap::Args;

use super::{CliError, Context, Exit, open};

/// Make every artifact again from the transcript, and compare or write
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc render v1\n  aitc render v1 --out again")]
pub struct RenderArgs {
    /// Which version; the latest, if left out
    #[arg(value_name = "vN", value_parser = open::version)]
    version: Option<u32>,
    /// Write the files to DIR in place of comparing them
    #[arg(long, value_name = "DIR")]
    out: Option<std::path::PathBuf>,
}

/// Prints what it finds on stdout.
pub fn run(args: &RenderArgs, context: &Context) -> Result<Exit, CliError> {
    let _ = (args, context);
    Err(CliError::not_wired("render"))
}
