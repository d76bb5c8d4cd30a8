//! Runs that the page begins or takes up again: each in a process of its own, so that a page
//! that is closed loses nothing.

use std::time::Duration;

use serde_json::{Value, json};

use crate::cli::run_flags::{self, RunFlags};
use crate::cli::text::texts;
use crate::cli::{CliError, Context, Exit, detached, internal, requirement, revise, versions};
use crate::edge::launch::Launched;
use crate::fault::values;
use crate::machine::Version;

texts! {
    EXAMPLE: "aitc plan \"Export the customer list as CSV\"", "aitc plan \"将客户列表导出为 CSV\"";
    BEGUN: "{n} is under way", "{n} 已开始";
    ENDED: "it has ended already", "已经结束";
}
/// How often it is looked whether the run goes on, and how many times.
const LOOK: Duration = Duration::from_millis(100);
const LOOKS: u32 = 70;

/// Begins a plan, or what `@team` or `@board` in front asks for.
///
/// # Errors
/// The text says nothing, or there is no process to be had.
pub fn plan(text: String, context: &Context) -> Result<Value, CliError> {
    let mut flags = RunFlags::default();
    let work = run_flags::asked(
        requirement::present(requirement::REQUIREMENT, text, EXAMPLE)?,
        &mut flags,
    )?;
    match detached::begin(work, &flags, context) {
        Ok(run) => resume(run, context),
        Err(fault) => Ok(json!({"told": said(&fault.text(context.lang(None))), "wrong": true})),
    }
}

/// Goes on with a run that nobody works on, and reports whether it does.
///
/// # Errors
/// No process can be started.
pub fn resume(run: Version, context: &Context) -> Result<Value, CliError> {
    let mut launched = detached::take_up(run, context)?;
    let told = told(&mut launched, run, context);
    launched.leave();
    told
}

/// Revises a plan with the comments that are open on it; `taken` are answers of “What you
/// decide” that it takes, such as `2=b`.
///
/// # Errors
/// There is nothing to revise it with, whatever keeps the run from being begun, or there is no
/// process to be had.
pub fn revise(run: Version, taken: &str, context: &Context) -> Result<Value, CliError> {
    let work = revise::taking(run, taken, context)?;
    resume(
        detached::begin(work, &RunFlags::default(), context)?,
        context,
    )
}

/// Waits until the run goes on or the process has ended, and says which.
fn told(launched: &mut Launched, run: Version, context: &Context) -> Result<Value, CliError> {
    let lang = context.lang(None);
    let page = format!("/{run}/talk");
    for _ in 0..LOOKS {
        if let Some((code, told)) = launched.ended().map_err(|error| internal(&error.into()))? {
            if code == Some(0) {
                return Ok(json!({"told": ENDED.of(lang), "go": page}));
            }
            let told = said(&told);
            // One that soon waits for the human still goes on.
            let waits = code == Some(i32::from(Exit::HumanNeeded.code()));
            return Ok(match waits {
                true => json!({"told": told, "go": page}),
                false => json!({"told": told, "wrong": true}),
            });
        }
        if versions::is_running(run, context)? {
            break;
        }
        std::thread::sleep(LOOK);
    }
    let told = BEGUN.with(lang, values![n = run]);
    Ok(json!({"told": told, "go": page}))
}

/// An error less its code, which is for those who look it up in a terminal.
fn said(error: &str) -> &str {
    error
        .split_once("]: ")
        .map_or(error, |(_, said)| said)
        .trim()
}
