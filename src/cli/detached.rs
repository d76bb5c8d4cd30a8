//! Runs held by processes of their own, so that the caller may exit.

use std::ffi::OsString;

use tokio::sync::watch;

use super::run_flags::{self, RunFlags, Work};
use super::session::{self, Given, RunResult};
use super::{CliError, Context, internal};
use crate::edge::launch::Launched;
use crate::edge::ports::Observer;
use crate::fault::line::INTERNAL;
use crate::fault::{Message, values};
use crate::machine::{Entry, State, Version};

/// Begins a run as far as its first line: errors are reported here, and it has its number. It
/// blocks; [`take_up`] has it held.
///
/// # Errors
/// Whatever keeps a run from being begun, with nothing on disk.
pub fn begin(work: Work, flags: &RunFlags, context: &Context) -> Result<Version, CliError> {
    let order = run_flags::order(work, flags, context)?;
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build();
    let runtime = runtime.map_err(|error| internal(&error.into()))?;
    // Interrupted from the start, it records what was asked for and asks nobody.
    let (_told, interrupt) = watch::channel(Some(15));
    let given = Given {
        team: None,
        observer: Some(Box::new(Unwatched)),
    };
    match runtime.block_on(session::run(&order, given, context, interrupt))? {
        RunResult::Ended(version, _) => Ok(version),
        RunResult::Rehearsed(_) => Err(INTERNAL.with(values![what = "only rehearsed"])),
    }
}

/// Has a run gone on with by a process of its own, which this one may outlive or not.
///
/// # Errors
/// There is no process to be had.
pub fn take_up(run: Version, context: &Context) -> Result<Launched, CliError> {
    let lang = context.lang(None).code();
    let mut arguments: Vec<OsString> = vec!["-C".into(), context.root.clone().into()];
    arguments.extend(["--lang", lang, "--no-input", "--quiet"].map(Into::into));
    let (config, profile) = (&context.global.config, &context.global.profile);
    // The other process starts in the root, and may not take a file from there for the user's.
    let config = config
        .as_deref()
        .map(|path| context.path(path).into_os_string());
    let profile = profile.as_ref().map(OsString::from);
    for (flag, value) in [("--config", config), ("--profile", profile)] {
        arguments.extend(value.into_iter().flat_map(|value| [flag.into(), value]));
    }
    arguments.extend(["resume".into(), run.to_string().into()]);
    Launched::begin(arguments).map_err(|error| internal(&error.into()))
}

/// Nobody watches: the process that holds the run reports its progress.
struct Unwatched;

impl Observer for Unwatched {
    fn entry(&mut self, _: &State, _: &Entry) {}

    fn notice(&mut self, _: &Message) {}
}
