//! What a batch says: a line a run as it ends, and a table of all.

use schemars::JsonSchema;
use serde::Serialize;

use super::batch_input::Item;
use super::batch_run::{Report, Todo, exit_of};
use super::{CliError, Exit};
use crate::driver::Outcome;
use crate::fault::{recorded, texts};
use crate::machine::{Format, Lang, Version};
use crate::ui::view::{clean, table_of};
use crate::words::name_of;

texts! {
    TOTALS: "{n} requirements: {agreed} agreed, {unresolved} unresolved, {human} need you, {failed} failed, {rest} not finished, {before} published before", "共 {n} 条需求：{agreed} 条达成一致，{unresolved} 条未达成一致，{human} 条需要您回答，{failed} 条失败，{rest} 条未完成，{before} 条此前已发布";
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
    /// What became of it.
    pub fate: BatchFate,
    /// `N` of `vN`; null if it has none.
    pub version: Option<u32>,
    /// The kind of meeting it is for.
    pub format: Format,
    /// The exit code that a run of its own would have had; null if none was held.
    pub exit_code: Option<u8>,
    /// Rounds held.
    pub rounds: u32,
    /// Issues still open.
    pub open: usize,
    /// Tokens of answered calls.
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
    /// Published, unresolved.
    Unresolved,
    /// Questions wait for the human.
    NeedsHuman,
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

/// A line for each item, from what was to be done and what came of it.
pub fn lines(
    items: &[Item],
    todos: &[Todo],
    reports: Option<&[Report]>,
    lang: Lang,
) -> Vec<BatchLine> {
    items
        .iter()
        .zip(todos)
        .enumerate()
        .map(|(at, (item, todo))| {
            let report = reports.and_then(|all| all.iter().find(|report| report.at == at));
            match (report, todo) {
                (Some(report), _) => line(item, report, *todo, lang),
                (None, Todo::Nothing(n)) => idle(item, BatchFate::AlreadyPublished, Some(*n)),
                (None, Todo::Resume(n)) => idle(item, BatchFate::WouldResume, Some(*n)),
                (None, Todo::Start) => idle(item, BatchFate::WouldStart, None),
            }
        })
        .collect()
}

fn idle(item: &Item, fate: BatchFate, version: Option<Version>) -> BatchLine {
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
}

/// The line of a run that was held, or waited in vain.
pub fn line(item: &Item, report: &Report, todo: Todo, lang: Lang) -> BatchLine {
    let version = match todo {
        Todo::Resume(n) | Todo::Nothing(n) => Some(n),
        Todo::Start => report.figures.version,
    };
    let Some(end) = &report.end else {
        return idle(item, BatchFate::NotStarted, version);
    };
    let exit = exit_of(end);
    let fate = match exit {
        Exit::Done => BatchFate::Agreed,
        Exit::Unresolved => BatchFate::Unresolved,
        Exit::HumanNeeded => BatchFate::NeedsHuman,
        Exit::Interrupted | Exit::Terminated => BatchFate::Interrupted,
        _ => BatchFate::Failed,
    };
    BatchLine {
        fate,
        exit_code: Some(exit.code()),
        rounds: report.figures.rounds,
        open: report.figures.open,
        tokens: report.figures.tokens,
        estimated: report.figures.estimated,
        error: trouble(end, lang),
        ..idle(item, fate, version)
    }
}

fn trouble(end: &Result<Outcome, CliError>, lang: Lang) -> Option<String> {
    match end {
        Ok(Outcome::ProviderUnavailable { detail, .. } | Outcome::UnusableReply { detail, .. }) => {
            Some(recorded::told(detail, lang).into_owned())
        }
        Err(error) => Some(error.what().of(lang).to_owned()),
        Ok(_) => None,
    }
}

/// What a batch ends with: what a single run would, where runs differ the
/// gravest: a failure, then a human that is needed, then an unresolved plan.
pub fn exit(lines: &[BatchLine]) -> Exit {
    let has = |fate: BatchFate| lines.iter().any(|line| line.fate == fate);
    let failed = lines.iter().find(|line| line.fate == BatchFate::Failed);
    if let Some(code) = failed.and_then(|line| line.exit_code) {
        return Exit::of(code);
    }
    if has(BatchFate::NeedsHuman) {
        Exit::HumanNeeded
    } else if has(BatchFate::Unresolved) {
        Exit::Unresolved
    } else {
        Exit::Done
    }
}

/// What became of a run, in a few words.
fn fate_text(fate: BatchFate, lang: Lang) -> &'static str {
    name_of("batch", &fate).of(lang)
}

/// The line that is shown when a run ends: `[3/200] v3  agreed  a.md`.
pub fn progress(line: &BatchLine, done: usize, all: usize, lang: Lang) -> String {
    let error = line
        .error
        .as_deref()
        .map(|text| format!(": {}", clean(text)));
    format!(
        "[{done}/{all}] {}  {}  {}{}",
        version(line),
        fate_text(line.fate, lang),
        clean(&line.name),
        error.unwrap_or_default()
    )
}

fn version(line: &BatchLine) -> String {
    let name = |number| Version {
        format: line.format,
        series: None,
        number,
    };
    line.version
        .map_or_else(|| "–".to_owned(), |n| name(n).to_string())
}

/// All lines as a table, and the totals below.
pub fn table(lines: &[BatchLine], lang: Lang) -> String {
    let row = |line: &BatchLine| {
        let fate = fate_text(line.fate, lang).to_owned();
        [
            version(line),
            fate,
            line.open.to_string(),
            clean(&line.name),
        ]
    };
    let mut text = table_of(lines.iter().map(row));
    let count = |fates: &[BatchFate]| {
        let n = lines
            .iter()
            .filter(|line| fates.contains(&line.fate))
            .count();
        n.to_string()
    };
    let places = [
        ("n", lines.len().to_string()),
        ("agreed", count(&[BatchFate::Agreed])),
        ("unresolved", count(&[BatchFate::Unresolved])),
        ("human", count(&[BatchFate::NeedsHuman])),
        ("failed", count(&[BatchFate::Failed])),
        (
            "rest",
            count(&[BatchFate::Interrupted, BatchFate::NotStarted]),
        ),
        ("before", count(&[BatchFate::AlreadyPublished])),
    ];
    let places: Vec<(&str, &str)> = places.iter().map(|(name, n)| (*name, n.as_str())).collect();
    text.push_str(&TOTALS.with(lang, &places));
    text
}
