//! `aitc verify`: are transcript and files what they were.

mod again;
mod repair;

use std::path::PathBuf;

use clap::Args;

use super::versions::{self, FoundVersion};
use super::{CliError, Context, Exit, hints};
use crate::artifact;
use crate::driver::Replay;
use crate::edge::fs::RealFs;
use crate::edge::journal::{self, JournalError, TRANSCRIPT};
use crate::edge::store::{Problem, verify};
use crate::fault::Tell as _;
use crate::fault::{Message, Text, texts, values};
use crate::machine::{State, Version};
use crate::ui::view::clean;
use schemars::JsonSchema;
use serde::Serialize;

pub use again::WrittenDocument;
pub use repair::{RepairedDocument, offered};

texts! {
    SOUND: "{path}: {n} lines, sound", "{path}：{n} 行，完好";
    PROBLEM: "{path}: {what}", "{path}：{what}";
    TORN: "line {n} was not written to its end: {bytes} bytes, which `aitc resume` cuts off and keeps", "第 {n} 行没有写完：{bytes} 字节，`aitc resume` 会切下并另存";
    OTHERWISE: "`{path}` is not what the transcript gives", "`{path}` 与会议记录所生成的不同";
}

/// Check transcript and files of a version: hashes, rules, and every file rebuilt
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  aitc verify\n  aitc verify v1 --out again\n  aitc verify v2 --repair"
)]
pub struct VerifyArgs {
    /// Which version; default: the latest
    #[arg(value_name = "vN", value_parser = versions::version)]
    version: Option<Version>,
    /// Rebuild every file from the transcript and write it to DIR
    #[arg(long, value_name = "DIR", conflicts_with = "repair")]
    out: Option<PathBuf>,
    /// Cut the damaged end off a draft's transcript and save it beside; remove an empty draft
    #[arg(long)]
    repair: bool,
}

/// `aitc verify --json`.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum VerifyDocument {
    /// What was found.
    Found(FoundDocument),
    /// `--out`.
    Written(WrittenDocument),
    /// `--repair`.
    Repaired(RepairedDocument),
}

/// What was found.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundDocument {
    /// Folder of the version.
    path: String,
    /// Lines of the transcript.
    lines: u64,
    /// What is not as it was published, or not what the transcript gives.
    problems: Vec<String>,
}

/// Prints what is not as it was published, could not have come about by the rules, or is
/// not what the transcript gives; ends with code 12 if anything is.
/// Of a draft only the transcript can be verified.
pub fn run(args: &VerifyArgs, context: &Context) -> Result<Exit, CliError> {
    if let Some(out) = &args.out {
        return again::write(args.version, out, context);
    }
    if args.repair {
        return repair::run(args.version, context);
    }
    let found = versions::find(args.version, context)?;
    let path = versions::shown(&found.folder, context);
    let mut lines = 0;
    let mut problems: Vec<Message> = Vec::new();
    if found.draft {
        problems.extend(repair::left_empty(&found, context)?);
    } else {
        let report = verify(&RealFs, &found.folder)?;
        lines = report.lines;
        problems = report.problems.iter().map(Problem::message).collect();
    }
    // Hashes that fit show that nothing was damaged, not that the rules were kept.
    if problems.is_empty() {
        match replayed(&found, context)? {
            Ok((n, state)) => {
                lines = n;
                if let Some(state) = state.filter(|_| !found.draft) {
                    problems.extend(otherwise(&state, &found)?);
                }
            }
            Err(problem) => problems.push(problem),
        }
    }
    let lang = context.lang(None);
    if found.draft && versions::are_several(context) {
        for problem in &mut problems {
            *problem = problem.put(|text| hints::of_run(text, found.version));
        }
    }
    let problems: Vec<&str> = problems.iter().map(|one| one.of(lang)).collect();
    let text = if problems.is_empty() {
        SOUND.with(lang, values![path, n = lines])
    } else {
        let rows: Vec<_> = problems
            .iter()
            .map(|one| PROBLEM.with(lang, values![path, what = clean(one)]))
            .collect();
        rows.join("\n")
    };
    let is_sound = problems.is_empty();
    let document = VerifyDocument::Found(FoundDocument {
        path,
        lines,
        problems: problems.into_iter().map(str::to_owned).collect(),
    });
    context.print(&text, &document)?;
    Ok(Exit::found(!is_sound))
}

/// Number of lines and what they amount to, if every one follows from those before it; else
/// what is wrong, and of a draft how it is repaired.
fn replayed(
    found: &FoundVersion,
    context: &Context,
) -> Result<Result<(u64, Option<State>), Message>, CliError> {
    let mut replay = Replay::default();
    let path = found.folder.join(TRANSCRIPT);
    match journal::read(&RealFs, &path, &mut |entry| replay.take(&entry)) {
        Ok(good) => Ok(match (good.torn, replay.state) {
            (None, Some(state)) => match versions::is_its_own(&state, found, context) {
                Ok(()) => Ok((good.lines, Some(state))),
                Err(other) => Err(other.what().clone()),
            },
            (None, None) => Ok((good.lines, None)),
            (Some(torn), _) => Err(TORN.fill(values![n = torn.seq, bytes = torn.bytes])),
        }),
        Err(error @ JournalError::Damaged { .. }) => {
            let what = error.told().what().clone();
            Ok(Err(match repair::offer(found)? {
                Some(offer) => Message::joined(&[what, offer], Text("; ", "；")),
                None => what,
            }))
        }
        Err(error) => Err(error.into()),
    }
}

/// Files that are as they were published and are not what the transcript gives.
fn otherwise(state: &State, found: &FoundVersion) -> Result<Vec<Message>, CliError> {
    let made = artifact::render(state)?;
    let fs = versions::files();
    let differs = |path: &str, bytes: &[u8]| {
        let there = fs.read(&found.folder.join(path));
        !there.is_ok_and(|there| there == bytes)
    };
    let differing = made.iter().filter(|file| differs(&file.path, &file.bytes));
    let told = differing.map(|file| OTHERWISE.fill(values![path = file.path]));
    Ok(told.collect())
}
