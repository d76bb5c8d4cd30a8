//! `aitc reply`: accepts the reply to a call that is answered by hand.

use std::path::{Path, PathBuf};

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::versions::{self, Opened};
use super::{Context, Exit, Fault, by_hand, hints, key, requirement};
use crate::config::Layer;
use crate::driver::reply_event;
use crate::edge::fs::RealFs;
use crate::edge::safe_open::FileUse;
use crate::edge::store::by_hand::{CallFile, is_name, read, reply, to_bytes, write_file};
use crate::fault::line::TEXT_MISSING;
use crate::fault::plans::{REPLY_BAD, REPLY_NAME, REPLY_NOT_DUE};
use crate::fault::{Message, recorded, texts, values};
use crate::machine::{CallId, Event, IdleReason, Version, may_follow};

texts! {
    REPLY: "reply", "回复";
    EXAMPLE: "aitc reply {n} -f FILE", "aitc reply {n} -f FILE";
    KEPT: "; it is kept in {path}", "；它保存在 {path}";
    TAKEN: "another reply to it was already accepted", "它已采用另一份回复";
    WITHDRAWN: "it was withdrawn when the discussion ended", "讨论结束时它已被撤回";
    NEVER: "it was not asked yet", "尚未提出该调用";
    REPLACED: "it replaces the earlier reply to call {n}, which had not been used yet", "它替换了先前对调用 {n} 的回复，先前的还没有被采用";
    REMARK: "about the answer ({about}): {text}", "关于回答（{about}）：{text}";
    TOO_EARLY: "it proposes the end while a blocking issue is open; the member will be asked again", "它在仍有阻塞议题时提议结束；该成员会再次被问到";
    NUDGED: "this reply brings nothing to the discussion; the member will be asked again", "这份回复没有给讨论带来任何内容；该成员会再次被问到";
    SAME: "call {n} has this reply already", "调用 {n} 已有这份回复";
}

/// Hand in the reply to a call that is answered by hand
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    aitc reply 3 -f reply.json\n  \
    aitc next | llm | aitc reply --as llm\n  \
    aitc reply 3 --run v2 -f - < reply.json")]
pub struct ReplyArgs {
    /// Which call; default: the one that `aitc next` prints
    #[arg(value_name = "N")]
    pub(super) number: Option<u32>,
    /// Read the reply from FILE; default: standard input
    #[arg(short, long, value_name = "FILE|-")]
    pub(super) file: Option<PathBuf>,
    /// Who wrote it, for the record: the name of a tool or a person
    #[arg(long = "as", value_name = "NAME")]
    pub(super) by: Option<String>,
    /// Which run; needed only if several are unfinished
    #[arg(long, value_name = "vN")]
    pub(super) run: Option<Version>,
}

/// Writes the reply beside its prompt, if it can be used.
pub fn run(args: &ReplyArgs, context: &Context) -> Result<Exit, Fault> {
    let n = args.number.unwrap_or(1);
    if let Some(name) = args.by.as_deref().filter(|name| !is_name(name)) {
        return Err(REPLY_NAME.with(values![name, n]));
    }
    // Input is read completely first: in a pipe, `aitc next` must finish before.
    let bytes = given(args, context)?;
    let document = handed_in(args, bytes, context)?;
    let text = context.hinted(document.next.clone());
    context.done(&text, &document)
}

/// Writes a reply beside its prompt, if it can be used.
///
/// # Errors
/// No such call waits, or the reply cannot be used.
pub fn handed_in(
    args: &ReplyArgs,
    given: Vec<u8>,
    context: &Context,
) -> Result<ReplyDocument, Fault> {
    let opened = by_hand::unfinished(args.run, "reply", context)?.ok_or_else(by_hand::none)?;
    let waiting = by_hand::waiting(&opened)?;
    let number = args.number.or(waiting.first().map(|(n, _, _)| *n));
    let number = number.ok_or_else(by_hand::none)?;
    hand_in(args, &opened, number, given, context)
        .map_err(|fault| fault.put(|text| hints::for_run(text, opened.version, context)))
}

fn given(args: &ReplyArgs, context: &Context) -> Result<Vec<u8>, Fault> {
    let file = match &args.file {
        Some(file) => file.as_path(),
        None if context.env.stdin_terminal => {
            let n = args.number.map_or("N".to_owned(), |n| n.to_string());
            let example = EXAMPLE.fill(values![n]);
            return Err(TEXT_MISSING.with(values![what = REPLY, example]));
        }
        None => Path::new("-"),
    };
    requirement::read(file, FileUse::Reply, context).map(|(_, bytes)| bytes)
}

fn hand_in(
    args: &ReplyArgs,
    opened: &Opened,
    n: u32,
    bytes: Vec<u8>,
    context: &Context,
) -> Result<ReplyDocument, Fault> {
    let redactor = key::redactor(&context.config(Layer::default())?, context);
    let said = String::from_utf8(bytes).map(|text| redactor.redact(&text));
    let bytes = match said {
        Ok(text) => {
            let by = args.by.as_deref().map(|by| redactor.redact(by));
            to_bytes(&text, by.as_deref())
        }
        Err(error) => error.into_bytes(),
    };
    let dir = &opened.folder;
    let mut waiting = opened.state.calls.waiting_by_hand();
    let Some((_, call)) = waiting.find(|(number, _)| *number == n) else {
        return not_due(opened, n, &bytes, context);
    };
    let file = args.file.as_deref();
    let is_file = file.is_some_and(|file| !requirement::is_stdin(file));
    let refused = |detail: Message| -> Fault {
        let kept = match is_file {
            true => Ok(Message::default()),
            false => write_file(&RealFs, dir, n, CallFile::Refused, &bytes).map(|path| {
                let path = versions::display_path(&path, context);
                KEPT.fill(values![path])
            }),
        };
        match kept {
            Ok(kept) => REPLY_BAD.with(values![n, detail, kept]),
            Err(error) => error,
        }
    };
    let new = read(bytes.clone()).map_err(|why| refused(why.into()))?;
    let event = reply_event(&opened.state, call, &new, &|text| redactor.redact(text));
    if let Event::ReplyRejected { reason, .. } = &event {
        return Err(refused(recorded::message(reason)));
    }
    if let Err(why) = may_follow(&opened.state, &event) {
        return Err(refused(recorded::message(&why.to_string())));
    }
    for (about, text) in remarks(&event) {
        let text = recorded::message(&text);
        context.notice(&REMARK.fill(values![about, text]));
    }
    match event {
        Event::DiligencePush {
            why: IdleReason::EndProposed,
            ..
        } => context.notice(&TOO_EARLY.into()),
        Event::DiligencePush { .. } => context.notice(&NUDGED.into()),
        _ => {}
    }
    let before = reply(&RealFs, dir, CallFile::Reply, n).ok().flatten();
    match before {
        Some(before) if before.bytes == new.bytes => context.notice(&SAME.fill(values![n])),
        before => {
            write_file(&RealFs, dir, n, CallFile::Reply, &new.bytes)?;
            if before.is_some() {
                context.notice(&REPLACED.fill(values![n]));
            }
        }
    }
    done(opened, n, Some(call), context)
}

/// Returns what the machine changes, leaves out or refuses of an answer, with the reasons.
fn remarks(event: &Event) -> Vec<(String, String)> {
    let facts = json!(event);
    let lists = [("notes", "text"), ("refused", "detail")];
    let each = lists.iter().flat_map(|(list, text)| {
        let entries = facts[list].as_array().into_iter().flatten();
        entries.filter_map(move |one| Some((one["about"].as_str()?, one[text].as_str()?)))
    });
    each.map(|(about, text)| (about.to_owned(), text.to_owned()))
        .collect()
}

/// Handles a reply to a call that does not wait: the same reply again is fine; any other is an
/// error.
fn not_due(
    opened: &Opened,
    n: u32,
    bytes: &[u8],
    context: &Context,
) -> Result<ReplyDocument, Fault> {
    let calls = &opened.state.calls;
    let asked = (1..).zip(&calls.by_hand).find(|(number, _)| *number == n);
    let taken = reply(&RealFs, &opened.folder, CallFile::Taken, n)?;
    let why = match (asked, taken) {
        (Some(_), Some(taken)) if read(bytes.to_vec()).is_ok_and(|new| new.text == taken.text) => {
            context.notice(&SAME.fill(values![n]));
            return done(opened, n, None, context);
        }
        (None, _) => NEVER,
        (Some(_), Some(_)) => TAKEN,
        (Some((_, call)), None) => match calls.troubled.get(&call.first()) {
            Some(history) if history.last_failure.is_some() => WITHDRAWN,
            _ => TAKEN,
        },
    };
    Err(REPLY_NOT_DUE.with(values![n, version = opened.version, why]))
}

fn done(
    opened: &Opened,
    n: u32,
    call: Option<&CallId>,
    context: &Context,
) -> Result<ReplyDocument, Fault> {
    let runs = versions::is_running(opened.version, context)?;
    let unanswered: Vec<u32> = by_hand::waiting(opened)?
        .into_iter()
        .filter_map(|(number, _, replied)| (!replied && number != n).then_some(number))
        .collect();
    let next = hints::for_run("aitc next", opened.version, context);
    Ok(ReplyDocument {
        version: opened.version.number,
        number: n,
        call: call.cloned(),
        waiting: unanswered,
        running: runs,
        next,
    })
}

/// `aitc reply --json`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplyDocument {
    /// Number of the version: `N` of `vN`.
    version: u32,
    /// Number of the call, as in `calls/NNN.prompt.md`.
    number: u32,
    /// Its id; null if the same reply was taken before.
    call: Option<CallId>,
    /// Numbers of calls that nobody has replied to.
    pub waiting: Vec<u32>,
    /// Whether the run is going on right now and takes it in.
    running: bool,
    /// The command that prints the next prompt.
    next: String,
}
