//! Trials: commands that a member has run in a copy of the tree before its answer counts.
//!
//! A trial is a look of the kind `try`. Its start is recorded first: a trial cut off by a crash is
//! reported as lost, and is run again only on request. Its result is in the look's event; nothing
//! is run while a transcript is read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::event::Event;
use super::illegal::{Verdict, ensure};
use super::inquiry::Excerpt;
use super::look::{LookResult, is_given, questions};
use super::notes::folded;
use super::state::State;
use crate::call::CallId;
use crate::fault::{Text, recorded, texts};
use crate::ids::TrialId;
use crate::lang::Lang;
use crate::reply::{Evidence, Look, LookKind, TrialFile};
use crate::role::RoleId;

/// Maximum number of files in one trial, including those of its base.
const MAX_FILES: usize = 24;
/// Maximum size of these files, in bytes.
const MAX_BYTES: usize = 256 * 1024;
/// Maximum number of arguments of a command.
const MAX_ARGUMENTS: usize = 64;
/// How many characters are kept of the beginning and of the end of an output.
const KEPT: (usize, usize) = (4_000, 8_000);
/// Maximum number of trials that build on one another.
const MAX_BASES: usize = 16;

/// How a trial ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum TrialEnd {
    /// By itself, with this exit status.
    Exited {
        /// Exit status of the command.
        code: i32,
    },
    /// A signal ended the command.
    Signalled {
        /// Number of the signal.
        signal: i32,
    },
    /// It was ended, since it passed one of its bounds.
    Bounded {
        /// Limit that was reached.
        by: TrialBound,
    },
    /// It could not be begun: why, in words.
    Failed {
        /// Reason for which it could not be begun.
        why: String,
        /// The program that is not on this machine, where that is why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        missing: Option<String>,
    },
    /// The process that ran it came to an end before it.
    Lost,
}

impl TrialEnd {
    /// Returns whether a program was not found on this machine. If a shell was to start it, the
    /// shell's status shows that.
    fn misses_a_program(&self) -> bool {
        matches!(
            self,
            Self::Exited { code: 127 }
                | Self::Failed {
                    missing: Some(_),
                    ..
                }
        )
    }
}

/// What is limited in a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TrialBound {
    /// The seconds a trial may take.
    Time,
    /// The memory a trial may use.
    Memory,
    /// The number of its processes at one time.
    Processes,
    /// The bytes a trial may print.
    Output,
    /// The bytes a trial may write to disk.
    Disk,
}

impl TrialBound {
    fn named(self) -> Text {
        match self {
            Self::Time => Text("out of time", "超时"),
            Self::Memory => Text("too much memory", "占用内存过多"),
            Self::Processes => Text("too many processes", "进程过多"),
            Self::Output => Text("too much output", "输出过多"),
            Self::Disk => Text("too much written to disk", "写入磁盘过多"),
        }
    }
}

/// The record of a trial without its output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Trial {
    /// Id of the trial, `RUN-n`.
    pub id: TrialId,
    /// How the command ended.
    pub end: TrialEnd,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// Bytes of its output that are left out between beginning and end.
    #[serde(default, skip_serializing_if = "super::is_default")]
    pub left_out: u64,
}

/// A trial of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TrialRecord {
    /// Id of the trial, `RUN-n`.
    pub id: TrialId,
    /// Full role name of the member that asked for it.
    pub by: RoleId,
    /// The call that was answered with it.
    #[schemars(with = "String")]
    pub call: CallId,
    /// State of the tree it was run on.
    pub tree: String,
    /// What was to be run and what came of it; while it runs there is no `trial` in it.
    pub seen: LookResult,
    /// Whether the loss was reported to the member that asked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub told: bool,
    /// Whether it ended before the answer that asked for it was on record.
    #[serde(skip)]
    pub waits: bool,
}

impl TrialRecord {
    /// Returns how it ended; `None` while it runs.
    pub fn end(&self) -> Option<&TrialEnd> {
        self.seen.trial.as_ref().map(|trial| &trial.end)
    }

    fn is_lost(&self) -> bool {
        self.end() == Some(&TrialEnd::Lost)
    }

    /// Returns whether it finished, so that a repeat would give the same result.
    fn is_done(&self) -> bool {
        matches!(
            self.end(),
            Some(TrialEnd::Exited { .. } | TrialEnd::Signalled { .. } | TrialEnd::Bounded { .. })
        )
    }
}

/// What to run: files to write into a copy of the tree, and a command to run there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrialJob {
    /// The files, each path once: with their text, or edited as they are in the copy.
    pub files: Vec<TrialFile>,
    /// The command and its arguments.
    pub command: Vec<String>,
}

/// The result of running it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrialOutcome {
    /// How the command ended.
    pub end: TrialEnd,
    /// The beginning of its output, safe to display.
    pub head: String,
    /// The end of its output, after the omitted part; empty if nothing is omitted.
    pub tail: String,
    /// Bytes omitted between the two.
    pub left_out: u64,
    /// Duration in milliseconds.
    pub duration_ms: u64,
}

/// A trial that is due.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialDue {
    /// Id of the trial, `RUN-n`.
    pub id: TrialId,
    /// Index of its look in the answer.
    pub index: usize,
    /// The event of its start, recorded before it starts.
    pub started: Event,
    /// What to run.
    pub job: TrialJob,
}

texts! {
    NO_COMMAND: "not run: there is no command, or one that is too long", "没有运行：没有命令，或命令过长";
    BAD_FILE: "not run: `{path}` is not a writable path in the tree", "没有运行：`{path}` 不是代码树内可以写入的路径";
    NO_TEXT: "not run: `{path}` has neither a text nor an edit with an `old`", "没有运行：`{path}` 既没有全文，也没有带 `old` 的修改";
    TOO_MUCH: "not run: its files are more than a trial may hold", "没有运行：文件超过一次试运行的上限";
    NO_BASE: "not run: there is no `{id}`", "没有运行：没有 `{id}`";
    REFUSED: "not run: {why}; what it would show stays inferred", "没有运行：{why}；本想由它看出的内容仍是推断";
    LOST: "{id} was cut off and its result is lost; ask for it once more, and it is run", "{id} 中断了，结果已丢失；再次要求就会重新运行";
    SAME: "the same as {id}, which is not run again; {end}", "与 {id} 相同，不再运行；{end}";
    ENDED: "{id}: {end}", "{id}：{end}";
    EXITED: "exit {code} after {took}", "用时 {took}，退出状态 {code}";
    SIGNALLED: "ended by signal {signal} after {took}", "用时 {took}，被信号 {signal} 结束";
    BOUNDED: "ended after {took}: {why}", "用时 {took}，被结束：{why}";
    FAILED: "could not be run: {why}", "无法运行：{why}";
    MISSING: "could not be run: `{program}` is not on this machine", "无法运行：本机没有 `{program}`";
    NEEDED: "{end}; no trial has a program that is not on this machine: try nothing else that needs it, and what it would show stays inferred", "{end}；本机没有的程序，任何试运行里都没有：不要再试需要它的命令，本想由它看出的内容仍是推断";
    LEFT_OUT: "… {n} bytes are left out here …", "……此处略去 {n} 字节……";
    NO_RUN: "there is no trial `{id}`", "没有试运行 `{id}`";
    NO_RESULT: "`{id}` brought no result", "`{id}` 没有结果";
    NOT_PRINTED: "`{id}` did not print the quote", "`{id}` 的输出中没有该引文";
}

/// All trials of a run; those cited by an earlier version come first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Trials {
    /// The trials, in order of their ids.
    pub all: Vec<TrialRecord>,
    /// How many of them come from an earlier version; no call of this run requested those.
    pub(super) taken_over: usize,
}

impl Trials {
    /// Returns the trial with this id.
    pub fn find(&self, id: TrialId) -> Option<&TrialRecord> {
        self.all.iter().find(|one| one.id == id)
    }

    /// Returns the trial that runs for a call: the last one, if its result is not recorded.
    pub fn running(&self, call: &CallId) -> Option<&TrialRecord> {
        let last = self.all.iter().rev().find(|one| one.call == *call);
        last.filter(|one| one.end().is_none())
    }

    /// Returns the trials that a call requested and whose results it did not get before it was
    /// repeated: they are lost, or their results still wait for it.
    pub fn cut_off(&self, call: &CallId) -> impl Iterator<Item = &TrialRecord> {
        let call = call.first();
        let own = move |one: &&TrialRecord| one.call.first() == call;
        let all = self.all.iter().skip(self.taken_over).filter(own);
        all.filter(|one| one.waits || one.is_lost())
    }

    pub(super) fn take_over(&mut self, all: &[TrialRecord]) {
        self.all = all.to_vec();
        self.taken_over = all.len();
    }

    /// Marks the running trials as lost when a new process resumes the run.
    pub(super) fn lose(&mut self) {
        for one in self.all.iter_mut().filter(|one| one.end().is_none()) {
            one.seen.trial = Some(Trial {
                id: one.id,
                end: TrialEnd::Lost,
                duration_ms: 0,
                left_out: 0,
            });
        }
    }

    /// Marks the lost trials of a call as reported, because the prompt of the repeated call names
    /// them.
    pub(super) fn tell(&mut self, call: &CallId) {
        let call = call.first();
        let own = self.all.iter_mut().skip(self.taken_over);
        for one in own.filter(|one| one.is_lost()) {
            one.told |= one.call.first() == call;
        }
    }

    pub(super) fn take(&mut self, seen: &LookResult) {
        let Some(trial) = &seen.trial else { return };
        if let Some(one) = self.all.iter_mut().find(|one| one.id == trial.id) {
            one.seen = seen.clone();
            one.told |= trial.end == TrialEnd::Lost;
            one.waits = false;
        }
    }
}

/// Returns whether the event requests a trial that was neither run nor refused.
pub fn is_wanted(event: &Event) -> bool {
    matches!(event, Event::Look { seen, .. } if seen.iter().any(is_unsettled))
}

fn is_unsettled(one: &LookResult) -> bool {
    one.look.kind == LookKind::Try && one.trial.is_none() && one.remark.is_none()
}

/// Returns the next trial of a request to run on a tree in this state; `None` if nothing is left.
/// The request gets notes on what is not run: an invalid trial, one that was run before on the same
/// state or was lost, or all of them if `tree` says why nothing is run.
pub fn next(state: &State, event: &mut Event, tree: &Result<String, String>) -> Option<TrialDue> {
    let lang = state.inputs.doc_lang;
    let Event::Look { receipt, seen, .. } = event else {
        return None;
    };
    let before = seen.clone();
    for (index, one) in seen.iter_mut().enumerate() {
        if !is_unsettled(one) {
            continue;
        }
        if let Some(own) = untold(state, &receipt.call, &before, &one.look) {
            let trial = own.seen.trial.as_ref();
            one.remark = trial.map(|trial| told(trial, lang));
            one.trial.clone_from(&own.seen.trial);
            one.found.clone_from(&own.seen.found);
            continue;
        }
        let job = match job(state, &one.look) {
            Ok(job) => job,
            Err(why) => {
                one.remark = Some(why);
                continue;
            }
        };
        let tree = match tree {
            Ok(tree) => tree,
            Err(why) => {
                one.remark = Some(REFUSED.with(lang, &[("why", why)]));
                continue;
            }
        };
        if let Some(same) = same(state, &job, tree) {
            let end = same.seen.trial.as_ref();
            let end = end.map(|trial| ending(trial, lang));
            let values = [
                ("id", &*same.id.to_string()),
                ("end", &end.unwrap_or_default()),
            ];
            one.remark = Some(SAME.with(lang, &values));
            one.found.clone_from(&same.seen.found);
            continue;
        }
        let id = state.run.counters.clone().next_run();
        let started = Event::TrialStarted {
            call: receipt.call.clone(),
            id,
            look: one.look.clone(),
            tree: tree.clone(),
        };
        return Some(TrialDue {
            id,
            index,
            started,
            job,
        });
    }
    None
}

/// Returns the trial of this call that was cut off and is not reported yet, if the request repeats
/// it.
fn untold<'s>(
    state: &'s State,
    call: &CallId,
    wish: &[LookResult],
    look: &Look,
) -> Option<&'s TrialRecord> {
    let is_told = |id: TrialId| {
        let mut told = wish.iter().filter_map(|one| one.trial.as_ref());
        told.any(|trial| trial.id == id)
    };
    let mut own = state.grounding.trials.cut_off(call);
    own.find(|one| !one.told && one.seen.look == *look && !is_told(one.id))
}

/// Returns the request with the result of a trial, given by the trial's id and its look's index.
pub fn with_ran(
    state: &State,
    mut event: Event,
    (id, index): (TrialId, usize),
    ran: TrialOutcome,
) -> Event {
    let lang = state.inputs.doc_lang;
    if let Event::Look { seen, .. } = &mut event
        && let Some(one) = seen.get_mut(index)
    {
        let (text, cut) = kept(&ran, lang);
        let trial = Trial {
            id,
            end: ran.end,
            duration_ms: ran.duration_ms,
            left_out: cut,
        };
        one.found = (!text.trim().is_empty())
            .then(|| Excerpt {
                path: id.to_string(),
                from: 1,
                to: text.lines().count() as u32,
                text,
            })
            .into_iter()
            .collect();
        one.remark = Some(told(&trial, lang));
        one.trial = Some(trial);
    }
    event
}

/// Returns the event that a trial has ended, if its answer cannot be recorded at once because other
/// trials or sub-questions of it are still due. A crash then loses only the unfinished ones.
pub fn kept_before(event: &Event, index: usize) -> Option<Event> {
    let Event::Look { receipt, seen, .. } = event else {
        return None;
    };
    if !is_wanted(event) && questions(event).is_empty() {
        return None;
    }
    let one = seen.get(index)?;
    Some(Event::TrialEnded {
        call: receipt.call.clone(),
        trial: one.trial.clone()?,
        found: one.found.clone(),
    })
}

/// Returns the beginning and the end of an output, with a line in between if something is omitted,
/// and how many bytes are omitted.
fn kept(ran: &TrialOutcome, lang: Lang) -> (String, u64) {
    let (first, last) = KEPT;
    let whole = match ran.left_out {
        0 => format!("{}{}", ran.head, ran.tail),
        _ => String::new(),
    };
    let (head, tail) = match ran.left_out {
        0 if whole.chars().count() <= first + last => return (whole, 0),
        0 => (whole.as_str(), whole.as_str()),
        _ => (ran.head.as_str(), ran.tail.as_str()),
    };
    let end = head
        .char_indices()
        .nth(first)
        .map_or(head.len(), |(at, _)| at);
    let skipped = tail.chars().count().saturating_sub(last);
    let begin = tail
        .char_indices()
        .nth(skipped)
        .map_or(tail.len(), |(at, _)| at);
    let cut = match ran.left_out {
        0 => begin.saturating_sub(end) as u64,
        n => n + (head.len() - end + begin) as u64,
    };
    let line = LEFT_OUT.with(lang, &[("n", &cut.to_string())]);
    (format!("{}\n{line}\n{}", &head[..end], &tail[begin..]), cut)
}

fn told(trial: &Trial, lang: Lang) -> String {
    let end = ending(trial, lang);
    match trial.end {
        TrialEnd::Lost => end,
        _ => ENDED.with(lang, &[("id", &trial.id.to_string()), ("end", &end)]),
    }
}

/// Returns how it ended and what follows from it for whoever asked, as text.
fn ending(trial: &Trial, lang: Lang) -> String {
    let end = ended(trial, lang);
    match trial.end.misses_a_program() {
        true => NEEDED.with(lang, &[("end", &end)]),
        false => end,
    }
}

/// Returns how it ended and how long it took, as text.
pub fn ended(trial: &Trial, lang: Lang) -> String {
    let took = format!("{:.1} s", trial.duration_ms as f64 / 1000.0);
    match &trial.end {
        TrialEnd::Exited { code } => {
            EXITED.with(lang, &[("code", &code.to_string()), ("took", &took)])
        }
        TrialEnd::Signalled { signal } => {
            SIGNALLED.with(lang, &[("signal", &signal.to_string()), ("took", &took)])
        }
        TrialEnd::Bounded { by } => {
            BOUNDED.with(lang, &[("why", by.named().of(lang)), ("took", &took)])
        }
        TrialEnd::Failed {
            missing: Some(program),
            ..
        } => MISSING.with(lang, &[("program", program)]),
        TrialEnd::Failed { why, .. } => {
            FAILED.with(lang, &[("why", &recorded::translated(why, lang))])
        }
        TrialEnd::Lost => LOST.with(lang, &[("id", &trial.id.to_string())]),
    }
}

/// Returns the earlier trial that wrote the same files on the same state of the tree and ran the
/// same command.
fn same<'s>(state: &'s State, wanted: &TrialJob, tree: &str) -> Option<&'s TrialRecord> {
    let all = state.grounding.trials.all.iter();
    let mut on_it = all.filter(|one| one.is_done() && one.tree == tree);
    on_it.find(|one| job(state, &one.seen.look).as_ref() == Ok(wanted))
}

/// Returns what a look requests to run, with the files of the trials it builds on.
///
/// # Errors
/// Why it cannot be run, as text.
pub fn job(state: &State, look: &Look) -> Result<TrialJob, String> {
    let lang = state.inputs.doc_lang;
    let is_command = look.command.iter().any(|word| !word.trim().is_empty())
        && look.command.len() <= MAX_ARGUMENTS
        && look.command.iter().map(String::len).sum::<usize>() <= MAX_BYTES;
    if !is_command {
        return Err(NO_COMMAND.of(lang).to_owned());
    }
    let (mut layers, mut top) = (vec![&look.files[..]], look);
    while let Some(base) = top.base.as_deref() {
        let id = named(base);
        let found = id.and_then(|id| state.grounding.trials.find(id));
        let Some(found) = found.filter(|_| layers.len() <= MAX_BASES) else {
            return Err(NO_BASE.with(lang, &[("id", base)]));
        };
        top = &found.seen.look;
        layers.push(&top.files);
    }
    let mut files: Vec<TrialFile> = Vec::new();
    for file in layers.into_iter().rev().flatten() {
        let path = plain(&file.path);
        let Some(path) = path else {
            return Err(BAD_FILE.with(lang, &[("path", &file.path)]));
        };
        let (text, edits) = (file.text.clone(), file.edits.clone());
        if text.is_none() && edits.iter().all(|edit| edit.old.is_empty()) {
            return Err(NO_TEXT.with(lang, &[("path", &file.path)]));
        }
        let before = files.iter_mut().find(|one| one.path == path);
        if let (None, Some(before)) = (&text, before) {
            before.edits.extend(edits);
            continue;
        }
        files.retain(|one| one.path != path);
        files.push(TrialFile { path, text, edits });
    }
    let bytes: usize = files.iter().map(TrialFile::bytes).sum();
    if files.len() > MAX_FILES || bytes > MAX_BYTES {
        return Err(TOO_MUCH.of(lang).to_owned());
    }
    Ok(TrialJob {
        files,
        command: look.command.clone(),
    })
}

/// Returns a path within the tree, without special parts; `None` if it leads elsewhere or into
/// git's own files.
fn plain(path: &str) -> Option<String> {
    let path = path.trim().trim_matches('`').replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    let mut parts = path.split('/');
    let is_plain = |part: &str| {
        !matches!(part, "" | "." | "..")
            && !part.eq_ignore_ascii_case(".git")
            && !part.chars().any(char::is_control)
    };
    (!path.is_empty() && !path.contains(':') && parts.all(is_plain)).then(|| path.to_owned())
}

/// Parses the id of a trial.
pub fn named(text: &str) -> Option<TrialId> {
    text.trim().trim_matches('`').parse().ok()
}

/// Returns whether a claim is in the output of a trial; `None` if the claim names no trial.
pub(super) fn held(state: &State, claim: &Evidence) -> Option<Result<TrialId, String>> {
    let lang = state.inputs.doc_lang;
    let given = claim.run.as_deref()?;
    let not = |text: Text| Err(text.with(lang, &[("id", given.trim())]));
    let Some(one) = named(given).and_then(|id| state.grounding.trials.find(id)) else {
        return Some(not(NO_RUN));
    };
    let mut output = one.seen.found.iter().map(|find| find.text.as_str());
    Some(match one.is_done() {
        false => not(NO_RESULT),
        // A trial without output is confirmed by how it ended.
        true if one.seen.found.is_empty() => Ok(one.id),
        true if output.any(|text| holds(text, &claim.quote)) => Ok(one.id),
        true => not(NOT_PRINTED),
    })
}

/// Returns whether an output contains the words of a quotation, whatever the white space between
/// them.
fn holds(output: &str, quote: &str) -> bool {
    let quote = quote
        .trim()
        .trim_matches(['`', '"', '\u{201c}', '\u{201d}']);
    let quote = folded(&quote.replace("...", "…"));
    let mut parts = quote
        .split('…')
        .map(str::trim)
        .filter(|part| !part.is_empty());
    let output = folded(output);
    let mut rest = output.as_str();
    quote.chars().any(char::is_alphanumeric)
        && parts.all(|part| match rest.split_once(part) {
            Some((_, after)) => {
                rest = after;
                true
            }
            None => false,
        })
}

/// Checks that the result of a trial is reported once, for the call that started it.
pub(super) fn check_seen(state: &State, call: &CallId, seen: &[LookResult]) -> Verdict {
    for one in seen {
        let Some(trial) = &one.trial else { continue };
        let own = state.grounding.trials.find(trial.id).filter(|own| {
            own.call.first() == call.first()
                && own.seen.look == one.look
                && match own.end() {
                    None => true,
                    Some(end) => (own.waits || own.is_lost()) && *end == trial.end,
                }
        });
        let id = trial.id;
        ensure!(own.is_some(), "`{id}` is no trial of call `{call}`");
    }
    Ok(())
}

impl State {
    /// Records the start of a trial for a member whose answer is still due.
    pub(super) fn take_trial(
        &mut self,
        call: &CallId,
        id: TrialId,
        look: &Look,
        tree: &str,
    ) -> Verdict {
        self.ensure_is_open(call)?;
        let may_try = is_given(self, call) && look.kind == LookKind::Try;
        ensure!(may_try, "call `{call}` may try nothing");
        let next = self.run.counters.clone().next_run();
        ensure!(id == next, "`{id}` should be `{next}`");
        self.run.counters.run = id.0;
        self.grounding.trials.all.push(TrialRecord {
            id,
            by: call.member.clone(),
            call: call.clone(),
            tree: tree.to_owned(),
            seen: LookResult::of(look.clone()),
            told: false,
            waits: false,
        });
        Ok(())
    }

    /// Records the end of a trial, once and for its own call, while its answer is still due.
    pub(super) fn end_trial(&mut self, call: &CallId, trial: &Trial, found: &[Excerpt]) -> Verdict {
        self.ensure_is_open(call)?;
        let running = self.grounding.trials.running(call).map(|own| own.id);
        let ends = running == Some(trial.id) && trial.end != TrialEnd::Lost;
        ensure!(ends, "`{}` does not run for call `{call}`", trial.id);
        if let Some(one) = self
            .grounding
            .trials
            .all
            .iter_mut()
            .find(|one| one.id == trial.id)
        {
            one.seen.trial = Some(trial.clone());
            one.seen.found = found.to_vec();
            one.waits = true;
        }
        Ok(())
    }
}
