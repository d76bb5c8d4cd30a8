//! Runs that the page begins or takes up again: each in a process of its own, so that a page
//! that is closed loses nothing.

use std::ffi::OsString;
use std::time::Duration;

use serde_json::{Value, json};

use crate::cli::text::Text;
use crate::cli::{CliError, Context, Exit, internal, open, requirement};
use crate::edge::launch::Launched;
use crate::edge::lock::RunLock;
use crate::machine::{Lang, Version};

const WHAT: Text = Text("requirement", "需求");
const EXAMPLE: Text = Text(
    "aitc plan \"Export the customer list as CSV\"",
    "aitc plan \"将客户列表导出为 CSV\"",
);
const BEGUN: Text = Text("{n} is under way", "{n} 已开始");
const ENDED: Text = Text("it has ended already", "已经结束");
const BEGINS: Text = Text(
    "it is being begun; it shows up in the list in a moment",
    "正在开始，稍后会出现在列表中",
);
const UNSEEN: Text = Text(
    "it was begun, but cannot be seen: {why}",
    "已开始，但无法查看：{why}",
);
/// How often it is looked whether the run is there, and how many times.
const LOOK: Duration = Duration::from_millis(100);
const LOOKS: u32 = 70;

/// Begins a plan, or what `@team` or `@board` in front asks for.
///
/// # Errors
/// The text says nothing, or there is no process to be had.
pub fn plan(text: String, context: &Context) -> Result<Value, CliError> {
    let text = requirement::present(WHAT, text, EXAMPLE)?;
    begin(&["plan".into(), "-".into()], &text, "/", context)
}

/// Goes on with a run that nobody works on.
///
/// # Errors
/// There is no process to be had.
pub fn resume(run: Version, context: &Context) -> Result<Value, CliError> {
    let page = format!("/{run}/talk");
    begin(
        &["resume".into(), run.to_string().into()],
        "",
        &page,
        context,
    )
}

/// Begins it, and waits until its run is there or it has ended; `page` is where one looks for
/// a run that is not known yet.
fn begin(
    command: &[OsString],
    input: &str,
    page: &str,
    context: &Context,
) -> Result<Value, CliError> {
    let lang = context.lang(None);
    let lang_name = match lang {
        Lang::En => "en",
        Lang::Zh => "zh",
    };
    let mut arguments: Vec<OsString> = vec!["-C".into(), context.root.clone().into()];
    arguments.extend(["--lang", lang_name, "--no-input", "--quiet"].map(Into::into));
    let (config, profile) = context.global.chosen();
    // The other process starts in the root, and may not take a file from there for the user's.
    let config = config.map(|path| context.path(path.as_ref()).into_os_string());
    for (flag, value) in [("--config", config), ("--profile", profile)] {
        arguments.extend(value.into_iter().flat_map(|value| [flag.into(), value]));
    }
    arguments.extend_from_slice(command);
    let known = runs(context)?;
    let no_process = |error: std::io::Error| internal(&error.into());
    let mut launched = Launched::begin(arguments, input).map_err(no_process)?;
    let seen = seen(&mut launched, &known, page, context);
    launched.leave();
    // It was begun, whatever cannot be read of it.
    Ok(seen.unwrap_or_else(|fault| {
        let told = UNSEEN.with(lang, &[("why", fault.what().of(lang))]);
        json!({"told": told, "go": page})
    }))
}

/// Waits until its run is there or it has ended, and tells which; `known` are the runs before.
fn seen(
    launched: &mut Launched,
    known: &[Version],
    page: &str,
    context: &Context,
) -> Result<Value, CliError> {
    let lang = context.lang(None);
    for _ in 0..LOOKS {
        let ended = launched.ended().map_err(|error| internal(&error.into()))?;
        if let Some((code, said)) = ended {
            // The code is for those who look it up in a terminal.
            let told = said.split_once("]: ").map_or(&*said, |(_, told)| told);
            let told = told.trim();
            if code == Some(0) {
                return Ok(json!({"told": ENDED.of(lang), "go": page}));
            }
            // One that soon waits for the human has been begun all the same.
            let waits = code == Some(i32::from(Exit::HumanNeeded.code()));
            let begun = runs(context)?.into_iter().find(|run| !known.contains(run));
            return Ok(match begun.filter(|_| waits) {
                Some(run) => json!({"told": told, "go": format!("/{run}/talk")}),
                None => json!({"told": told, "wrong": true}),
            });
        }
        if let Some(run) = held_by(launched.pid(), context)? {
            let told = BEGUN.with(lang, &[("n", &run.to_string())]);
            return Ok(json!({"told": told, "go": format!("/{run}/talk")}));
        }
        std::thread::sleep(LOOK);
    }
    Ok(json!({"told": BEGINS.of(lang), "go": page}))
}

fn runs(context: &Context) -> Result<Vec<Version>, CliError> {
    let all = open::recorded(open::find_all(context)?, context)?;
    Ok(all.into_iter().map(|found| found.version).collect())
}

/// The run that this process works on.
fn held_by(pid: u32, context: &Context) -> Result<Option<Version>, CliError> {
    for found in open::recorded(open::find_all(context)?, context)? {
        let path = open::lock_path(found.version, context);
        let holder = if found.draft {
            RunLock::holder(&path)
        } else {
            None
        };
        if holder.is_some_and(|holder| holder.pid == pid) && RunLock::is_held(&path)? {
            return Ok(Some(found.version));
        }
    }
    Ok(None)
}
