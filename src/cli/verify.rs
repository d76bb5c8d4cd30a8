//! `aitc verify`: are transcript and files what they were.

use clap::Args;

use super::{CliError, Context, Exit, open};
use crate::edge::fs::RealFs;
use crate::edge::journal::{self, JournalError, TRANSCRIPT};
use crate::edge::store::verify;
use crate::view::clean;
use serde_json::json;

/// Verify hashes of transcript and files
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc verify\n  aitc verify v1 --json")]
pub struct VerifyArgs {
    /// Which version; the latest, if left out
    #[arg(value_name = "vN", value_parser = open::version)]
    version: Option<u32>,
}

/// Prints what is not as it was published; ends with code 12 if anything is.
/// Of a draft only the transcript can be verified.
pub fn run(args: &VerifyArgs, context: &Context) -> Result<Exit, CliError> {
    let found = open::find(args.version, context)?;
    let path = open::shown(&found.folder, context);
    let (problems, lines): (Vec<String>, u64) = if found.draft {
        match journal::read(&RealFs, &found.folder.join(TRANSCRIPT), &mut |_| Ok(())) {
            Ok(good) => (Vec::new(), good.lines),
            Err(error @ JournalError::Damaged { .. }) => (vec![error.to_string()], 0),
            Err(error) => return Err(error.into()),
        }
    } else {
        let report = verify(&RealFs, &found.folder)?;
        (
            report.problems.iter().map(ToString::to_string).collect(),
            report.lines,
        )
    };
    let text = if problems.is_empty() {
        format!("{path}: {lines} lines, sound")
    } else {
        let rows: Vec<_> = problems
            .iter()
            .map(|one| format!("{path}: {}", clean(one)))
            .collect();
        rows.join("\n")
    };
    let document = json!({"v": 1, "path": path, "lines": lines, "problems": problems});
    context.print(&text, &document)?;
    Ok(if problems.is_empty() {
        Exit::Done
    } else {
        Exit::Found
    })
}
