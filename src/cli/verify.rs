//! `aitc verify`: are transcript and files what they were.

use clap::Args;

use super::open::{self, Found};
use super::text::{Message, Text};
use super::{CliError, Context, Exit, hints};
use crate::driver::Replay;
use crate::edge::fs::RealFs;
use crate::edge::journal::{self, JournalError, TRANSCRIPT};
use crate::edge::store::{Problem, verify};
use crate::fault::Tell as _;
use crate::ui::view::clean;
use schemars::JsonSchema;
use serde::Serialize;

const SOUND: Text = Text("{path}: {n} lines, sound", "{path}：{n} 行，完好");
const PROBLEM: Text = Text("{path}: {what}", "{path}：{what}");
const TORN: Text = Text(
    "line {n} was not written to its end: {bytes} bytes, which `aitc resume` cuts off and keeps",
    "第 {n} 行没有写完：{bytes} 字节，`aitc resume` 会切下并另存",
);

/// Verify hashes of transcript and files
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc verify\n  aitc verify v1 --json")]
pub struct VerifyArgs {
    /// Which version; the latest, if left out
    #[arg(value_name = "vN", value_parser = open::version)]
    version: Option<u32>,
}

/// `aitc verify --json`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VerifyDocument<'a> {
    /// Version of this format.
    v: u32,
    /// Folder of the version.
    path: &'a str,
    /// Lines of the transcript.
    lines: u64,
    /// What is not as it was published.
    problems: Vec<&'a str>,
}

/// Prints what is not as it was published, or could not have come about by the
/// rules; ends with code 12 if anything is.
/// Of a draft only the transcript can be verified.
pub fn run(args: &VerifyArgs, context: &Context) -> Result<Exit, CliError> {
    let found = open::find(args.version, context)?;
    let path = open::shown(&found.folder, context);
    let (mut problems, lines): (Vec<Message>, u64) = if found.draft {
        match replayed(&found, context)? {
            Ok(lines) => (Vec::new(), lines),
            Err(problem) => (vec![problem], 0),
        }
    } else {
        let report = verify(&RealFs, &found.folder)?;
        let mut problems: Vec<Message> = report.problems.iter().map(Problem::message).collect();
        // Hashes that fit show that nothing was damaged, not that the rules were kept.
        if problems.is_empty()
            && let Err(problem) = replayed(&found, context)?
        {
            problems.push(problem);
        }
        (problems, report.lines)
    };
    let lang = context.lang(None);
    if found.draft && open::are_several(context) {
        for problem in &mut problems {
            *problem = problem.put(|text| hints::of_run(text, found.version));
        }
    }
    let problems: Vec<&str> = problems.iter().map(|one| one.of(lang)).collect();
    let text = if problems.is_empty() {
        SOUND.with(lang, &[("path", &path), ("n", &lines.to_string())])
    } else {
        let rows: Vec<_> = problems
            .iter()
            .map(|one| PROBLEM.with(lang, &[("path", &path), ("what", &clean(one))]))
            .collect();
        rows.join("\n")
    };
    let is_sound = problems.is_empty();
    let document = VerifyDocument {
        v: 1,
        path: &path,
        lines,
        problems,
    };
    context.print(&text, &document)?;
    Ok(if is_sound { Exit::Done } else { Exit::Found })
}

/// Number of lines, if every one follows from those before it; else what is wrong.
fn replayed(found: &Found, context: &Context) -> Result<Result<u64, Message>, CliError> {
    let mut replay = Replay::default();
    let path = found.folder.join(TRANSCRIPT);
    match journal::read(&RealFs, &path, &mut |entry| replay.take(&entry)) {
        Ok(good) => Ok(match (good.torn, replay.state) {
            (None, Some(state)) => match open::is_its_own(&state, found, context) {
                Ok(()) => Ok(good.lines),
                Err(other) => Err(other.what().clone()),
            },
            (None, None) => Ok(good.lines),
            (Some(torn), _) => Err(TORN.fill(&[("n", &torn.seq), ("bytes", &torn.bytes)])),
        }),
        Err(error @ JournalError::Damaged { .. }) => Ok(Err(error.told().what().clone())),
        Err(error) => Err(error.into()),
    }
}
