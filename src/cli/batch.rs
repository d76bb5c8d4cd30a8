//! `aitc batch`: a run for each of many requirements.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use clap::Args;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::interrupt::run_on_threads;
use super::launch::{self, RunResources};
use super::order::{self, Order, RunTask};
use super::requirement::{self, MAX_BYTES, REQUIREMENT};
use super::run_flags::{ModelFlags, RunFlags};
use super::run_models::{self, RunModels};
use super::{Context, Exit, Fault, key, outcome, provider_choice, versions};
use crate::driver::Outcome;
use crate::edge::model::{Rate, RateLimited};
use crate::edge::ports::Observer;
use crate::edge::safe_open::FileUse;
use crate::edge::{env, limits, locked};
use crate::fault::line::{BATCH_EMPTY, BATCH_LINE, INTERNAL, RECORD_BATCH};
use crate::fault::{Message, MessageValue, recorded, said_by_system, texts, values};
use crate::machine::{Entry, Event, Format, FormatMention, Lang, QuestionMode, State, Version};
use crate::redact::Redactor;
use crate::ui::view::{self, Style};

texts! {
    FEWER: "{jobs} runs at a time: this process may have {files} files open", "同时进行 {jobs} 次运行：本进程最多可打开 {files} 个文件";
    OF_FILE: "`{name}`: {what}", "`{name}`：{what}";
    FILE_TOO_LARGE: "the file is larger than 64 MiB", "文件超过 64 MiB";
    NO_REQUIREMENT: "neither a text nor an object with `requirement`", "既不是文本，也不是含有 `requirement` 的对象";
    UNFIT: "the requirement is empty, larger than 256 KiB, or no text", "需求为空、超过 256 KiB 或不是文本";
}

/// Number of open files besides those of runs: streams, the runtime, the repository survey.
const OTHER_FILES: u64 = 64;

/// Open files of a run: three, and with many runs one connection.
const FILES_OF_A_RUN: u64 = 4;

/// Maximum number of calls in flight over all runs, if there are fewer runs than that: a few runs
/// may each make several concurrently; many take turns, since a connection costs memory and a file.
const LEAST_CALLS: usize = 64;

/// Run a workshop for each of many requirements
#[derive(Debug, Args)]
#[command(
    override_usage = "aitc batch [OPTIONS] <FILE|DIR>...",
    after_help = "A requirement is a file, a file in a folder (.md, .markdown, .txt), or a line of\n\
        JSON (.jsonl, .ndjson, or - on standard input): a text, or an object with\n\
        `requirement` and an `id`. Running the same command again continues where a batch\n\
        stopped: unfinished runs are resumed, published ones are skipped.\n\n\
        Examples:\n  \
        aitc batch requirements/ --jobs 8 --questions assume\n  \
        aitc batch backlog.jsonl --dry-run"
)]
pub struct BatchArgs {
    /// Files and folders with requirements
    #[arg(value_name = "FILE|DIR", required = true)]
    inputs: Vec<PathBuf>,
    /// Maximum number of runs at a time, 1 to 10000
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=10_000), hide_default_value = true)]
    jobs: u32,
    #[command(flatten)]
    pub(super) run: RunFlags,
}

/// Starts or resumes a run for each requirement that has no published version.
pub fn run(args: &BatchArgs, context: &Context) -> Result<Exit, Fault> {
    let items = gather(&args.inputs, context)?;
    let mut order = order::order(
        RunTask::New {
            requirement: String::new(),
            format: Format::Workshop,
        },
        &args.run,
        context,
    )?;
    if order.flags.record.is_some() {
        return Err(RECORD_BATCH.with(&[]));
    }
    // Concurrent runs can neither ask questions nor ask for consent to trials.
    if order.questions == QuestionMode::Ask {
        order.questions = QuestionMode::Pause;
    }
    order.config.trials.get_or_insert(false);
    let todos = todo(&items, &key::redactor(&order.config, context), context)?;
    if order.flags.dry_run {
        return finish(before(&items, &todos, true), None, context);
    }
    versions::clear_abandoned(context)?;
    let jobs = bounded(args.jobs as usize, context);
    run_on_threads(jobs.clamp(2, 8), |mut interrupt| async move {
        let find = async |order: &Order| match todos.contains(&Todo::Start) {
            true => {
                let models = run_models::for_new_run(order, context).await;
                models.map(Some).map_err(provider_choice::of_many)
            }
            false => Ok(None),
        };
        let models = launch::with_a_model(&mut order, context, &mut interrupt, find).await?;
        let mut models = match models {
            Ok(models) => models,
            Err(exit) => return Ok(exit),
        };
        let clients = models.iter_mut().flat_map(|all| all.clients.values_mut());
        for client in clients {
            let most = Rate {
                concurrent: Some(jobs.max(LEAST_CALLS)),
                ..Rate::default()
            };
            *client = Arc::new(RateLimited::new(Arc::clone(client), most));
        }
        let lang = context.lang(Some(&order.config));
        let shared = Arc::new(Shared {
            order,
            models,
            context: context.clone(),
            told: Mutex::default(),
        });
        let all = todos
            .iter()
            .filter(|todo| !matches!(todo, Todo::Nothing(_)))
            .count();
        let mut done = 0;
        let told = |line: &BatchLine| {
            done += 1;
            if !context.global.quiet && !context.format().is_json() {
                context.show(&progress(line, done, all, &context.style(lang)));
            }
        };
        let lines = hold_all(&items, &todos, shared, jobs, interrupt.clone(), told).await?;
        let signal = *interrupt.borrow();
        finish(lines, signal, context)
    })
}

fn finish(lines: Vec<BatchLine>, signal: Option<i32>, context: &Context) -> Result<Exit, Fault> {
    let exit = match signal {
        Some(signal) => Exit::of_signal(signal),
        None => exit(&lines),
    };
    let document = BatchDocument {
        exit_code: exit.code(),
        runs: lines,
    };
    context.list("batch", &document, &document)?;
    Ok(exit)
}

/// Limits the number of concurrent runs by the number of open files: each needs its journal, its
/// lock, and one that it writes, and each call in flight a connection.
fn bounded(jobs: usize, context: &Context) -> usize {
    let Some(files) = limits::raise_open_files() else {
        return jobs;
    };
    let others = OTHER_FILES + LEAST_CALLS as u64;
    let most = (files.saturating_sub(others) / FILES_OF_A_RUN).max(1);
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    if jobs > most {
        context.notice(&FEWER.fill(values![jobs = most, files]));
    }
    jobs.min(most)
}

/// Largest file of JSON lines, in bytes.
const MAX_LINES: usize = FileUse::Batch.most();
/// Extensions of files in a folder that contain one requirement each.
const TEXTS: [&str; 3] = ["md", "markdown", "txt"];
/// Extensions of files that contain one requirement per line.
const LINES: [&str; 2] = ["jsonl", "ndjson"];

/// One requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchItem {
    /// Its name for the user: a path, `path:line`, or the `id` of a line.
    pub name: String,
    /// The requirement, topic or task, with the format it is addressed to and the members it names.
    pub asked: FormatMention,
}

/// A line of a file of JSON lines: an object, or the requirement as a text.
#[derive(Deserialize)]
#[serde(untagged)]
enum JsonLine {
    Text(String),
    Object(JsonRequirement),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonRequirement {
    id: Option<String>,
    requirement: String,
}

/// Reads every requirement, in the order of the arguments; in folders by name.
///
/// # Errors
/// A file cannot be read or is empty, a line is invalid, or there is no requirement.
pub fn gather(arguments: &[PathBuf], context: &Context) -> Result<Vec<BatchItem>, Fault> {
    let mut items = Vec::new();
    for argument in arguments {
        let path = context.path(argument);
        match env::files_in(&path) {
            Ok(Some(files)) => {
                for below in files {
                    let shown = argument.join(&below);
                    if has_ending(&below, &TEXTS) || has_ending(&below, &LINES) {
                        file(&shown, context, &mut items)?;
                    }
                }
            }
            Ok(None) => file(argument, context, &mut items)?,
            Err(error) => {
                let name = requirement::quoted(argument);
                return Err(requirement::unreadable(&name, &said_by_system(&error)));
            }
        }
    }
    if items.is_empty() {
        return Err(BATCH_EMPTY.with(&[]));
    }
    Ok(items)
}

fn has_ending(path: &Path, endings: &[&str]) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| endings.contains(&ending.to_ascii_lowercase().as_str()))
}

fn file(shown: &Path, context: &Context, items: &mut Vec<BatchItem>) -> Result<(), Fault> {
    let name = shown.display().to_string();
    if has_ending(shown, &LINES) || name == "-" {
        return json_lines(shown, &name, context, items);
    }
    let files = [shown.to_path_buf()];
    let requirement =
        requirement::gather(REQUIREMENT, None, &files, BATCH_EMPTY.words().fix, context).map_err(
            |error| {
                // The user has to know which of many files is empty.
                if error.what().en.contains(&name) {
                    return error;
                }
                let what = OF_FILE.fill(values![name, what = error.what()]);
                error.saying(what)
            },
        )?;
    let asked = order::read(requirement).map_err(|alone| {
        let what = OF_FILE.fill(values![name, what = alone.what()]);
        alone.saying(what)
    })?;
    items.push(BatchItem { name, asked });
    Ok(())
}

fn json_lines(
    shown: &Path,
    name: &str,
    context: &Context,
    items: &mut Vec<BatchItem>,
) -> Result<(), Fault> {
    let fault = |line: usize, what: &dyn MessageValue| BATCH_LINE.with(values![name, line, what]);
    let (_, bytes) = requirement::read(shown, FileUse::Batch, context)?;
    if bytes.len() > MAX_LINES {
        return Err(fault(1, &FILE_TOO_LARGE));
    }
    for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let read: JsonLine = jsonl::read(line).map_err(|_| fault(at + 1, &NO_REQUIREMENT))?;
        let (id, text) = match read {
            JsonLine::Text(text) => (None, text),
            JsonLine::Object(object) => (object.id, object.requirement),
        };
        let requirement = requirement::plain(text.trim());
        if requirement::says_nothing(&requirement)
            || requirement.contains('\0')
            || requirement.len() > MAX_BYTES
        {
            return Err(fault(at + 1, &UNFIT));
        }
        items.push(BatchItem {
            name: id.unwrap_or_else(|| format!("{name}:{}", at + 1)),
            asked: order::read(requirement).map_err(|alone| fault(at + 1, alone.what()))?,
        });
    }
    Ok(())
}

/// The work for one requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Todo {
    /// A new run.
    Start,
    /// Go on with the draft of that version.
    Resume(Version),
    /// That version is published.
    Nothing(Version),
}

/// What all runs share.
pub struct Shared {
    /// Flags and configuration; the work is set for each run.
    pub order: Order,
    /// Models; `None` if nothing new is started.
    pub models: Option<RunModels>,
    /// The workspace.
    pub context: Context,
    /// Notices already shown: of a thousand runs each would show them again.
    pub told: Mutex<BTreeSet<Message>>,
}

/// Determines the work for each item from what is on disk: a run belongs to an item if its first
/// line has the same requirement and format. Equal requirements have one run each; revisions belong
/// to no item.
///
/// # Errors
/// The outputs cannot be listed or read.
pub fn todo(
    items: &[BatchItem],
    redactor: &Redactor,
    context: &Context,
) -> Result<Vec<Todo>, Fault> {
    let mut known: BTreeMap<(Format, String), VecDeque<Todo>> = BTreeMap::new();
    for found in versions::find_all(context)? {
        // A damaged one is reported by the commands that need it.
        let first = versions::first_line(&found)?.map(|entry| entry.event);
        let Some(Event::UserInput {
            content,
            inputs,
            from: None,
            ..
        }) = first
        else {
            continue;
        };
        let first = (inputs.format, content);
        let todo = if found.draft {
            Todo::Resume(found.version)
        } else {
            Todo::Nothing(found.version)
        };
        known.entry(first).or_default().push_back(todo);
    }
    let todos = items.iter().map(|item| {
        let text = redactor.redact(&item.asked.text);
        let own = known.get_mut(&(item.asked.format, text));
        own.and_then(VecDeque::pop_front).unwrap_or(Todo::Start)
    });
    Ok(todos.collect())
}

/// Executes the given runs, at most `jobs` at a time, and calls `ended` for each as it ends. After
/// an interrupt no further one is started.
pub async fn hold_all(
    items: &[BatchItem],
    todos: &[Todo],
    shared: Arc<Shared>,
    jobs: usize,
    interrupt: watch::Receiver<Option<i32>>,
    mut ended: impl FnMut(&BatchLine),
) -> Result<Vec<BatchLine>, Fault> {
    let mut waiting: VecDeque<usize> = (0..items.len())
        .filter(|at| !matches!(todos[*at], Todo::Nothing(_)))
        .collect();
    let (mut running, mut lines) = (JoinSet::new(), before(items, todos, false));
    loop {
        while running.len() < jobs
            && interrupt.borrow().is_none()
            && let Some(at) = waiting.pop_front()
        {
            let work = match todos[at] {
                Todo::Resume(version) => RunTask::Resumption {
                    version: Some(version),
                    accept_drift: false,
                    instead: ModelFlags::default(),
                },
                Todo::Start | Todo::Nothing(_) => RunTask::New {
                    requirement: items[at].asked.text.clone(),
                    format: items[at].asked.format,
                },
            };
            let members = items[at].asked.members.clone();
            let (line, shared) = (lines[at].clone(), Arc::clone(&shared));
            let interrupt = interrupt.clone();
            running.spawn(async move { (at, one(line, (work, members), shared, interrupt).await) });
        }
        match running.join_next().await {
            None => break,
            Some(Ok((at, line))) => {
                ended(&line);
                lines[at] = line;
            }
            Some(Err(error)) => {
                let what = format!("a run of the batch broke off: {error}");
                return Err(INTERNAL.with(values![what]));
            }
        }
    }
    Ok(lines)
}

async fn one(
    line: BatchLine,
    (work, members): (RunTask, Option<Vec<String>>),
    shared: Arc<Shared>,
    interrupt: watch::Receiver<Option<i32>>,
) -> BatchLine {
    let line = Arc::new(Mutex::new(line));
    let mut order = Order {
        work,
        ..shared.order.clone()
    };
    if members.is_some() {
        order.config.roles = members;
    }
    let given = RunResources {
        models: shared.models.clone(),
        observer: Some(Box::new(BatchObserver {
            line: Arc::clone(&line),
            shared: Arc::clone(&shared),
        })),
    };
    let end = launch::run(&order, given, &shared.context, interrupt).await;
    let end = end.map(|(_, outcome)| outcome);
    let mut line = locked(&line).clone();
    let exit = exit_of(&end);
    line.fate = match exit {
        Exit::Done => BatchFate::Agreed,
        Exit::Unresolved => BatchFate::Unresolved,
        Exit::UserNeeded => BatchFate::NeedsUser,
        Exit::Interrupted | Exit::Terminated => BatchFate::Interrupted,
        _ => BatchFate::Failed,
    };
    line.exit_code = Some(exit.code());
    line.error = trouble(&end, shared.context.lang(Some(&shared.order.config)));
    line
}

/// Counts and shows no events: the events of a thousand concurrent runs cannot be read.
struct BatchObserver {
    line: Arc<Mutex<BatchLine>>,
    shared: Arc<Shared>,
}

impl Observer for BatchObserver {
    fn entry(&mut self, state: &State, entry: &Entry) {
        for line in view::log_lines(state, entry, self.shared.context.global.verbose) {
            // A closed log must not stop a batch.
            let _ = writeln!(std::io::stderr(), "{line}");
        }
        let usage = &state.calls.used;
        let mut line = locked(&self.line);
        line.version = Some(state.inputs.run().number);
        line.rounds = state.round;
        line.open = state.ledger.open().count();
        line.tokens = usage.total();
        line.estimated = usage.estimated;
    }

    fn notice(&mut self, text: &Message) {
        if locked(&self.shared.told).insert(text.clone()) {
            self.shared.context.notice(text);
        }
    }
}

/// Returns the exit code for the end of a run.
pub fn exit_of(end: &Result<Outcome, Fault>) -> Exit {
    match end {
        Ok(Outcome::Published { stop, .. }) => outcome::exit_of(*stop),
        Ok(Outcome::NeedsUser { .. } | Outcome::NeedsReplies { .. }) => Exit::UserNeeded,
        Ok(Outcome::ProviderUnavailable { .. }) => Exit::Provider,
        Ok(Outcome::UnusableReply { .. }) => Exit::Unusable,
        Ok(Outcome::Interrupted { signal }) => Exit::of_signal(*signal),
        Err(error) => error.exit,
    }
}

/// What `batch` prints.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BatchDocument {
    /// What the command ends with.
    pub exit_code: u8,
    /// One for each requirement, in their order.
    pub runs: Vec<BatchLine>,
}

/// What became of one requirement.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BatchLine {
    /// File, `file:line` or `id` of the requirement.
    pub name: String,
    /// How the run of this requirement ended.
    pub fate: BatchFate,
    /// `N` of `vN`; null if it has none.
    pub version: Option<u32>,
    /// The kind of meeting it is for.
    pub format: Format,
    /// The exit code that a run of its own would have had; null if none was held.
    pub exit_code: Option<u8>,
    /// Number of rounds that were held.
    pub rounds: u32,
    /// Number of issues that are still open.
    pub open: usize,
    /// Tokens sent and received in calls that were answered.
    pub tokens: u64,
    /// Whether some of them were not counted by anybody and are estimated. Left out if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
    /// What went wrong, if anything did.
    pub error: Option<String>,
}

/// What became of a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BatchFate {
    /// Published, no blocking issue open.
    Agreed,
    /// A version was published, but the team did not agree.
    Unresolved,
    /// Questions wait for the user.
    #[serde(rename = "needs_human")]
    NeedsUser,
    /// Interrupted; a batch with the same requirements goes on with it.
    Interrupted,
    /// It failed; see `error`.
    Failed,
    /// The batch was interrupted before its turn.
    NotStarted,
    /// It was published before this batch.
    AlreadyPublished,
    /// With `--dry-run`: it would be started.
    WouldStart,
    /// With `--dry-run`: it would be resumed.
    WouldResume,
}

/// Returns a line for each item before any run; `is_dry` if none will be held.
fn before(items: &[BatchItem], todos: &[Todo], is_dry: bool) -> Vec<BatchLine> {
    let both = items.iter().zip(todos);
    both.map(|(item, todo)| {
        let (fate, version) = match *todo {
            Todo::Nothing(n) => (BatchFate::AlreadyPublished, Some(n)),
            Todo::Resume(n) if is_dry => (BatchFate::WouldResume, Some(n)),
            Todo::Start if is_dry => (BatchFate::WouldStart, None),
            Todo::Resume(n) => (BatchFate::NotStarted, Some(n)),
            Todo::Start => (BatchFate::NotStarted, None),
        };
        BatchLine {
            name: item.name.clone(),
            fate,
            version: version.map(|version| version.number),
            format: item.asked.format,
            exit_code: None,
            rounds: 0,
            open: 0,
            tokens: 0,
            estimated: false,
            error: None,
        }
    })
    .collect()
}

fn trouble(end: &Result<Outcome, Fault>, lang: Lang) -> Option<String> {
    match end {
        Ok(Outcome::ProviderUnavailable { detail, .. } | Outcome::UnusableReply { detail, .. }) => {
            Some(recorded::translated(detail, lang).into_owned())
        }
        Err(error) => Some(error.what().of(lang).to_owned()),
        Ok(_) => None,
    }
}

/// Returns the exit code of a batch: that of its runs; if they differ, the most serious one: a
/// failure, then questions for the user, then an unresolved plan.
pub fn exit(lines: &[BatchLine]) -> Exit {
    let has = |fate: BatchFate| lines.iter().any(|line| line.fate == fate);
    let failed = lines.iter().find(|line| line.fate == BatchFate::Failed);
    if let Some(code) = failed.and_then(|line| line.exit_code) {
        return Exit::of(code);
    }
    if has(BatchFate::NeedsUser) {
        Exit::UserNeeded
    } else if has(BatchFate::Unresolved) {
        Exit::Unresolved
    } else {
        Exit::Done
    }
}

/// Returns the line shown when a run ends: `[3/200] v3  agreed  a.md`.
pub fn progress(line: &BatchLine, done: usize, all: usize, style: &Style) -> String {
    let facts = json!({"run": line, "done": done, "all": all});
    view::list("batch_run", &facts, style)
}
