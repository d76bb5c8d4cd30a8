//! Finds and names calls that are answered by hand, for the commands about them.

use schemars::JsonSchema;
use serde::Serialize;

use super::versions::{self, FoundVersion, Opened};
use super::{Context, Exit, Fault, hints};
use crate::edge::fs::{Fs as _, RealFs};
use crate::edge::store::by_hand::{CallFile, replies};
use crate::fault::plans::{REPLIES_NEEDED, REPLY_NONE};
use crate::fault::{Message, texts, values};
use crate::machine::{CallId, Version};
use crate::role::{RoleId, RoleSet};

texts! {
    AND: ", ", "、";
    CALL: "call {n} ({member})", "调用 {n}（{member}）";
}

/// Finds the unfinished run whose calls are answered by hand: the one named, else the only one with
/// a waiting call, else the only one.
///
/// # Errors
/// The one that is named does not exist, or one must be named; `command` is what was typed.
pub fn unfinished(
    version: Option<Version>,
    command: &str,
    context: &Context,
) -> Result<Option<Opened>, Fault> {
    if version.is_some() {
        versions::find(version, context)?;
    }
    let opened = |found: &FoundVersion| versions::read(found.clone(), context);
    let rank = |found: &FoundVersion| {
        let state = opened(found)?.state;
        let waits = state.calls.waiting_by_hand().next().is_some();
        Ok(state.inputs.asks_by_hand().then_some(u8::from(waits)))
    };
    let example = |name: &str| format!("aitc {command} --run {name}");
    let found = versions::the_run(version, &rank, &example, context)?;
    let opened = found.as_ref().map(opened).transpose()?;
    Ok(opened.filter(|opened| opened.state.inputs.asks_by_hand()))
}

/// The error that no call waits to be answered by hand.
pub fn none() -> Fault {
    REPLY_NONE.with(&[])
}

/// Returns the waiting calls, those without a reply first, each with whether its reply exists.
///
/// # Errors
/// The folder of calls cannot be listed.
pub fn waiting(opened: &Opened) -> Result<Vec<(u32, CallId, bool)>, Fault> {
    let there = replies(&RealFs, &opened.folder)?;
    let calls = opened.state.calls.waiting_by_hand();
    let mut calls: Vec<_> = calls
        .map(|(n, call)| {
            // A process may have died between taking a reply and recording it.
            let taken = opened.folder.join(CallFile::Taken.of(n));
            let replied = there.contains(&n) || RealFs.exists(&taken).unwrap_or(false);
            (n, call.clone(), replied)
        })
        .collect();
    calls.sort_by_key(|(n, _, replied)| (*replied, *n));
    Ok(calls)
}

/// Reports that the run pauses because these calls wait.
pub fn needed(draft: &str, roles: &RoleSet, calls: &[(u32, CallId)]) -> Fault {
    let named = calls.iter().map(|(n, call)| {
        let member = roles.code(&call.member);
        CALL.fill(values![n, member])
    });
    let named: Vec<Message> = named.collect();
    let n = calls.first().map_or(0, |(n, _)| *n);
    let places = values![
        calls = Message::joined(&named, AND),
        folder = format!("{draft}/calls"),
        reply = format!("{draft}/{}", CallFile::Reply.of(n)),
        n
    ];
    REPLIES_NEEDED.with(places)
}

/// The same, for programs.
pub fn document(
    draft: &str,
    calls: &[(u32, CallId)],
    version: Version,
    context: &Context,
) -> WaitingDocument {
    let next = hints::for_run("aitc next", version, context);
    let waiting = calls.iter().map(|(n, call)| WaitingCall {
        number: *n,
        call: call.clone(),
        member: call.member.clone(),
        prompt: format!("{draft}/{}", CallFile::Prompt.of(*n)),
        reply: format!("{draft}/{}", CallFile::Reply.of(*n)),
    });
    WaitingDocument {
        version: version.number,
        waiting: waiting.collect(),
        next,
        exit_code: Exit::UserNeeded.code(),
    }
}

/// Calls wait for replies by hand.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaitingDocument {
    /// Number of the version: `N` of `vN`.
    pub version: u32,
    /// Calls that wait for a reply.
    pub waiting: Vec<WaitingCall>,
    /// The command that prints the next prompt.
    pub next: String,
    /// Exit code of the command, always 8: replies are due.
    pub exit_code: u8,
}

/// A call that waits for its reply.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaitingCall {
    /// Its number among those of the run.
    pub number: u32,
    /// Id of the call.
    pub call: CallId,
    /// The member that is asked.
    pub member: RoleId,
    /// File with what is asked.
    pub prompt: String,
    /// File that the reply goes to.
    pub reply: String,
}
