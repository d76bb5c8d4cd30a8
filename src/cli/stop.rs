//! `aitc stop`: ends a running discussion.

use clap::Args;

use super::{Context, Exit, Fault, message, versions};
use crate::edge::inbox::MessageBody;
use crate::machine::Version;

/// End the discussion of a running workshop; what was said is summed up and published as unresolved
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc stop\n  aitc stop --run v2")]
pub struct StopArgs {
    /// Which run; needed only if several are unfinished
    #[arg(long, value_name = "vN")]
    run: Option<Version>,
}

/// Sends the order to the run.
pub fn run(args: &StopArgs, context: &Context) -> Result<Exit, Fault> {
    deliver(args.run, context)?.done(context)
}

/// Ends the discussion of a run.
///
/// # Errors
/// The discussion is over, no run receives the order, or it cannot be sent.
pub fn deliver(run: Option<Version>, context: &Context) -> Result<message::SentMessage, Fault> {
    let found = message::target(run, "stop", context)?;
    message::goes_on(&versions::read(found.clone(), context)?.state)?;
    message::send(&found, MessageBody::Stop, context)
}
