//! Runs in processes of their own, so that the caller may exit.

use std::ffi::OsString;

use tokio::sync::watch;

use super::launch::{self, RunResources};
use super::order::{self, RunTask};
use super::run_flags::RunFlags;
use super::{Context, Fault, internal};
use crate::edge::ports::Observer;
use crate::edge::process::Launched;
use crate::fault::Message;
use crate::machine::{Entry, State, Version};

/// Starts a run and records its first line, so that it has its number and errors are reported here.
/// It blocks; [`take_up`] continues the run.
///
/// # Errors
/// The run cannot start; nothing is on disk then.
pub fn begin(work: RunTask, flags: &RunFlags, context: &Context) -> Result<Version, Fault> {
    let order = order::order(work, flags, context)?;
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build();
    let runtime = runtime.map_err(|error| internal(&error.into()))?;
    // Because it is interrupted from the start, it records its first line and asks nobody.
    let (_told, interrupt) = watch::channel(Some(15));
    let given = RunResources {
        models: None,
        observer: Some(Box::new(SilentObserver)),
    };
    let (version, _) = runtime.block_on(launch::run(&order, given, context, interrupt))?;
    Ok(version)
}

/// Continues a run in a process of its own, independent of this one.
///
/// # Errors
/// The process cannot be started.
pub fn take_up(run: Version, context: &Context) -> Result<Launched, Fault> {
    let lang = context.lang(None).code();
    let mut arguments: Vec<OsString> = vec!["-C".into(), context.root.clone().into()];
    arguments.extend(["--lang", lang, "--no-input", "--quiet"].map(Into::into));
    let (config, profile) = (&context.global.config, &context.global.profile);
    // The other process starts in the root, where a relative path could name another file.
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

/// Shows nothing: the process that executes the run reports its progress.
struct SilentObserver;

impl Observer for SilentObserver {
    fn entry(&mut self, _: &State, _: &Entry) {}

    fn notice(&mut self, _: &Message) {}
}
