//! `aitc batch`: many requirements, each its own run.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use clap::Args;

use super::batch_input;
use super::batch_report::{self as report, BatchDocument};
use super::batch_run::{self as runs, Shared, Todo};
use super::interrupt::run_on_threads;
use super::run_flags::{self, RunFlags, Work};
use super::{CliError, Context, Exit, consent, key, models, versions, who};
use crate::edge::model::{Rate, RateLimited};
use crate::edge::{limits, log};
use crate::fault::line::RECORD_BATCH;
use crate::fault::{texts, values};
use crate::machine::{Format, QuestionMode};

texts! {
    FEWER: "{jobs} runs at a time: this process may have {files} files open", "同时进行 {jobs} 个运行：本进程最多可打开 {files} 个文件";
}

/// Files open besides those of runs: streams, the runtime, the repository survey.
const OTHER_FILES: u64 = 64;

/// Of a run: three files and, where there are many, one connection.
const FILES_OF_A_RUN: u64 = 4;

/// Calls in flight over all runs, if there are fewer runs than that: few runs may make
/// theirs side by side, of many each waits for its turn, since a connection costs memory
/// and a file.
const LEAST_CALLS: usize = 64;

/// Run a workshop for each of many requirements
#[derive(Debug, Args)]
#[command(
    override_usage = "aitc batch [OPTIONS] <FILE|DIR>...",
    after_help = "A requirement is a file, a file of a folder (.md, .markdown, .txt), or a line of\n\
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

/// Holds a run for each requirement that has no published version.
pub fn run(args: &BatchArgs, context: &Context) -> Result<Exit, CliError> {
    let items = batch_input::gather(&args.inputs, context)?;
    let mut order = run_flags::order(
        Work::New {
            requirement: String::new(),
            format: Format::Workshop,
        },
        &args.run,
        context,
    )?;
    if order.flags.record.is_some() {
        return Err(RECORD_BATCH.with(&[]));
    }
    // Side by side nobody can be asked in turn, nor whether something may be run.
    if order.questions == QuestionMode::Ask {
        order.questions = QuestionMode::Pause;
    }
    order.config.trials.get_or_insert(false);
    let todos = runs::todo(&items, &key::redactor(&order.config, context), context)?;
    if order.flags.dry_run {
        return finish(
            report::lines(&items, &todos, None, context.lang(None)),
            None,
            context,
        );
    }
    versions::clear_abandoned(context)?;
    let jobs = bounded(args.jobs as usize, context);
    run_on_threads(jobs.clamp(2, 8), |mut interrupt| async move {
        if let Some(exit) = consent::ask(&mut order, context, &mut interrupt).await? {
            return Ok(exit);
        }
        let mut team = match todos.contains(&Todo::Start) {
            true => match models::team(&order, context).await {
                Ok(team) => Some(team),
                Err(fault) => {
                    let fault = who::of_many(fault);
                    let asked = who::ask(fault, &mut order, context, &mut interrupt).await?;
                    if let Some(exit) = asked {
                        return Ok(exit);
                    }
                    if let Some(exit) = consent::ask(&mut order, context, &mut interrupt).await? {
                        return Ok(exit);
                    }
                    Some(models::team(&order, context).await?)
                }
            },
            false => None,
        };
        for model in team.iter_mut().flat_map(|team| team.models.values_mut()) {
            let most = Rate {
                concurrent: Some(jobs.max(LEAST_CALLS)),
                ..Rate::default()
            };
            *model = Arc::new(RateLimited::new(Arc::clone(model), most));
        }
        let lang = context.lang(Some(&order.config));
        let shared = Arc::new(Shared {
            order,
            team,
            context: context.clone(),
            // A log that nobody can read any more must not stop a batch.
            log: log::lines(context.global.verbose, |line| {
                let _ = writeln!(std::io::stderr(), "{line}");
            }),
            told: Mutex::default(),
        });
        let all = todos
            .iter()
            .filter(|todo| !matches!(todo, Todo::Nothing(_)))
            .count();
        let mut done = 0;
        let told = |report: &runs::Report| {
            done += 1;
            if !context.global.quiet && !context.format().is_json() {
                let line = report::line(&items[report.at], report, todos[report.at], lang);
                context.show(&report::progress(&line, done, all, lang));
            }
        };
        let reports = runs::all(&items, &todos, shared, jobs, interrupt.clone(), told).await?;
        let lines = report::lines(&items, &todos, Some(&reports), lang);
        let signal = *interrupt.borrow();
        finish(lines, signal, context)
    })
}

/// Prints the table and says with which code to end.
fn finish(
    lines: Vec<report::BatchLine>,
    signal: Option<i32>,
    context: &Context,
) -> Result<Exit, CliError> {
    let exit = match signal {
        Some(signal) => Exit::of_signal(signal),
        None => report::exit(&lines),
    };
    let text = report::table(&lines, context.lang(None));
    let document = BatchDocument {
        exit_code: exit.code(),
        runs: lines,
    };
    context.print(&text, &document)?;
    Ok(exit)
}

/// As many runs as there are files for: each holds its journal, its lock, and one that it
/// writes; and there is a connection for each call in flight.
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
