//! `aitc next`: prints the next prompt to be answered by hand.

use std::path::Path;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::by_hand::WaitingCall;
use super::interrupt::run_until_interrupted;
use super::launch::{self, RunResources};
use super::order::{self, RunTask};
use super::outcome;
use super::run_flags::{self, ModelFlags, QuestionFlags};
use super::versions::{self, Opened};
use super::{Context, Exit, Fault, by_hand, hints};
use crate::driver::Outcome;
use crate::edge::fs::{Fs as _, IoContext as _, RealFs};
use crate::edge::inbox::Inbox;
use crate::edge::store::by_hand::CallFile;
use crate::fault::{Message, texts, values};
use crate::machine::{CallId, Version};

texts! {
    HAND_IN: "this is call {n} of {v}; hand its reply in with `{reply}`{others}", "这是 {v} 的调用 {n}；用 `{reply}` 提交回复{others}";
    OTHERS: ", {n} more wait beside it", "，另有 {n} 个调用同时等待";
}

/// Print the next prompt to answer by hand; exit code 8 while there is one
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    aitc next\n  \
    aitc next | llm | aitc reply --as llm\n  \
    aitc next --run v2 --json")]
pub struct NextArgs {
    /// Which run; needed only if several are unfinished
    #[arg(long, value_name = "vN")]
    run: Option<Version>,
    #[command(flatten)]
    trials: run_flags::TrialFlag,
}

/// Prints the first prompt without a reply; if all waiting calls have replies, it takes these
/// first.
pub fn run(args: &NextArgs, context: &Context) -> Result<Exit, Fault> {
    let Some(opened) = by_hand::unfinished(args.run, "next", context)? else {
        return published(args.run, context);
    };
    let waiting = by_hand::waiting(&opened)?;
    // Existing replies and messages are processed first.
    let is_still = waiting.iter().all(|(_, _, replied)| !replied)
        && Inbox::at(versions::file_system(), &opened.folder)
            .peek()?
            .is_empty();
    match unanswered(&opened, context)?.filter(|_| is_still) {
        Some(document) => print(document, waiting.len(), opened.version, context),
        None => go_on(&opened, args, context),
    }
}

/// Returns the first prompt of a run without a reply; `None` if all have one, or if its file is
/// gone, which the run writes again.
///
/// # Errors
/// The prompt cannot be read.
pub fn unanswered(opened: &Opened, context: &Context) -> Result<Option<PromptDocument>, Fault> {
    let waiting = by_hand::waiting(opened)?;
    let is_due = |n: u32| {
        let path = opened.folder.join(CallFile::Prompt.of(n));
        RealFs.exists(&path).unwrap_or(false)
    };
    if !matches!(waiting.first(), Some((n, _, false)) if is_due(*n)) {
        return Ok(None);
    }
    let calls: Vec<_> = waiting.into_iter().map(|(n, call, _)| (n, call)).collect();
    prompt(&opened.folder, opened.version, &calls, context).map(Some)
}

/// Resumes the run, and prints what it then waits for.
fn go_on(opened: &Opened, args: &NextArgs, context: &Context) -> Result<Exit, Fault> {
    let work = RunTask::Resumption {
        version: Some(opened.version),
        accept_drift: false,
        instead: ModelFlags::default(),
    };
    let flags = QuestionFlags::default();
    let order = order::of_resumption(work, &flags, &args.trials, None, context)?;
    run_until_interrupted(async |interrupt| {
        match launch::run(&order, RunResources::default(), context, interrupt).await? {
            (version, Outcome::NeedsReplies { draft, calls, .. }) => {
                let document = prompt(&draft, version, &calls, context)?;
                print(document, calls.len(), version, context)
            }
            (version, outcome) => {
                let lang = context.lang(Some(&order.config));
                outcome::report_outcome(outcome, version, &order, context, lang)
            }
        }
    })
}

/// Returns the prompt of the first of these calls.
fn prompt(
    draft: &Path,
    version: Version,
    calls: &[(u32, CallId)],
    context: &Context,
) -> Result<PromptDocument, Fault> {
    let Some((n, _)) = calls.first() else {
        return Err(by_hand::none());
    };
    let path = draft.join(CallFile::Prompt.of(*n));
    let bytes = RealFs.read(&path).doing("read", &path)?;
    let shown = versions::display_path(draft, context);
    let waiting = by_hand::document(&shown, calls, version, context);
    Ok(PromptDocument {
        v: 1,
        version: version.number,
        number: *n,
        prompt: String::from_utf8_lossy(&bytes).into_owned(),
        waiting: waiting.waiting,
        next: waiting.next,
        exit_code: waiting.exit_code,
    })
}

/// Prints the prompt; this number of calls wait.
fn print(
    document: PromptDocument,
    all: usize,
    version: Version,
    context: &Context,
) -> Result<Exit, Fault> {
    let n = document.number;
    let reply = hints::for_run(&format!("aitc reply {n} -f FILE"), version, context);
    let others = match all - 1 {
        0 => Message::default(),
        more => OTHERS.fill(values![n = more]),
    };
    context.notice(&HAND_IN.fill(values![n, v = version, reply, others]));
    let text = context.page(&document.prompt);
    context.print(&text, &NextDocument::Prompt(document))?;
    Ok(Exit::UserNeeded)
}

/// Reports that nothing is unfinished: the version that was last answered by hand is published.
fn published(version: Option<Version>, context: &Context) -> Result<Exit, Fault> {
    let mut all = versions::find_all(context)?;
    all.retain(|found| !found.draft && version.is_none_or(|named| named == found.version));
    let Some(found) = versions::latest(&all) else {
        return Err(by_hand::none());
    };
    let opened = versions::read(found.clone(), context)?;
    if !opened.state.inputs.asks_by_hand() {
        return Err(by_hand::none());
    }
    let exit = match opened.state.ending.is_agreed() {
        true => Exit::Done,
        false => Exit::Unresolved,
    };
    let document = NextDocument::Published(NothingDueDocument {
        v: 1,
        version: opened.version.number,
        path: opened.path.clone(),
        waiting: [],
        agreed: opened.state.ending.is_agreed(),
        exit_code: exit.code(),
    });
    context.print(&opened.path, &document)?;
    Ok(exit)
}

/// `aitc next --json`, where the run it takes up does not end otherwise.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum NextDocument {
    /// A prompt waits for a reply.
    Prompt(PromptDocument),
    /// Nothing waits: the version is there.
    Published(NothingDueDocument),
}

/// The next prompt that waits for a reply.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PromptDocument {
    /// Version of the format of this document.
    v: u32,
    /// Number of the version: `N` of `vN`.
    version: u32,
    /// Number of the call, as in `calls/NNN.prompt.md`.
    number: u32,
    /// The prompt, Markdown.
    prompt: String,
    /// Every call that waits, this one first.
    waiting: Vec<WaitingCall>,
    /// The command that prints the next prompt.
    next: String,
    /// Exit code of the command, always 8: replies are due.
    exit_code: u8,
}

/// Nothing waits to be answered.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "NothingDue")]
pub struct NothingDueDocument {
    /// Version of the format of this document.
    v: u32,
    /// Number of the version: `N` of `vN`.
    version: u32,
    /// Path of the folder.
    path: String,
    /// Always empty: no reply is due.
    waiting: [u32; 0],
    /// Whether no blocking issue is open.
    agreed: bool,
    /// Exit code of the command: 0 if the team agreed, else 7.
    exit_code: u8,
}
