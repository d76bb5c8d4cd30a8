//! `aitc revise`: a new version from an earlier one and feedback.

use std::path::PathBuf;

use clap::Args;

use super::hold::{self, RunFlags, Work};
use super::requirement::FEEDBACK;
use super::text::Text;
use super::{CliError, Context, Exit, open, requirement};
use crate::fault::line::NOT_QUOTED;
use crate::machine::Version;

const EXAMPLE: Text = Text(
    "aitc revise v1 \"No CSV: use XLSX\"",
    "aitc revise v1 \"不要 CSV，改用 XLSX\"",
);

/// Make a new version of a plan from your feedback
#[derive(Debug, Args)]
#[command(
    override_usage = "aitc revise [OPTIONS] [vN] [FEEDBACK|-]",
    after_help = "Examples:\n  \
        aitc revise v1 \"No CSV: use XLSX\"\n  \
        aitc revise \"Leave out the importer\"\n  \
        aitc revise v2 -f review.md"
)]
pub struct ReviseArgs {
    /// The version to revise (the latest, if left out), then the feedback
    #[arg(value_name = "vN] [FEEDBACK", num_args = 0..=2)]
    words: Vec<String>,
    /// Read the feedback from FILE; may be repeated
    #[arg(short, long = "file", value_name = "FILE|-")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) run: RunFlags,
}

/// Starts a run for feedback on an earlier version.
pub fn run(args: ReviseArgs, context: &Context) -> Result<Exit, CliError> {
    let (from, feedback) = split(&args.words)?;
    let feedback = requirement::gather(FEEDBACK, feedback, &args.files, EXAMPLE, context)?;
    let work = Work::Revision {
        from,
        feedback,
        requirement: None,
    };
    hold::start(work, &args.run, context)
}

/// `vN` comes first, if it is there; one word that is no version is feedback.
fn split(words: &[String]) -> Result<(Option<Version>, Option<&str>), CliError> {
    match words {
        [] => Ok((None, None)),
        [one] => Ok(open::named(one).map_or((None, Some(one.as_str())), |n| (Some(n), None))),
        [first, feedback, ..] => match open::version(first) {
            Ok(n) => Ok((Some(n), Some(feedback))),
            Err(_) => Err(NOT_QUOTED.with(&[("word", first)])),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_and_feedback_are_told_apart() {
        let words = |list: &[&str]| list.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
        let two = words(&["v2", "no"]);
        assert_eq!(split(&two), Ok((Some(Version::plan(2)), Some("no"))));
        let two = words(&["2", "no"]);
        assert_eq!(split(&two), Ok((Some(Version::plan(2)), Some("no"))));
        let one = words(&["v2"]);
        assert_eq!(split(&one), Ok((Some(Version::plan(2)), None)));
        let one = words(&["very good"]);
        assert_eq!(split(&one), Ok((None, Some("very good"))));
        assert!(split(&words(&["not", "quoted"])).is_err());
    }
}
