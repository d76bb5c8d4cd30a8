//! `aitc revise`: makes a new version from an earlier one and feedback.

use std::path::PathBuf;

use clap::Args;

use super::order::{DecidedRow, RunTask};
use super::requirement::FEEDBACK;
use super::run_flags::RunFlags;
use super::{Context, Exit, Fault, launch, requirement, threads, versions};
use crate::fault::line::{ARGUMENT_VALUE, NOT_QUOTED};
use crate::fault::{Text, texts, values};
use crate::machine::Version;

texts! {
    /// A command with feedback.
    pub(super) EXAMPLE: "aitc revise v1 \"No CSV: use XLSX\"", "aitc revise v1 \"不要 CSV，改用 XLSX\"";
    /// The reason behind a value that is refused.
    pub(super) REASON: ": {why}", "：{why}";
}

/// Make a new version of a plan from your feedback and its open comments
#[derive(Debug, Args)]
#[command(
    override_usage = "aitc revise [OPTIONS] [vN] [FEEDBACK|-]",
    after_help = "Examples:\n  \
        aitc revise v1 \"No CSV: use XLSX\"\n  \
        aitc revise \"Leave out the importer\"\n  \
        aitc revise v1                    take the comments that are open on it\n  \
        aitc revise v2 -f review.md\n  \
        aitc revise v1 --decide 2=b"
)]
pub struct ReviseArgs {
    /// The version to revise (default: the latest), then the feedback
    #[arg(value_name = "vN] [FEEDBACK", num_args = 0..=2)]
    words: Vec<String>,
    /// Read the feedback from FILE; repeatable
    #[arg(short, long = "file", value_name = "FILE|-")]
    files: Vec<PathBuf>,
    /// Choose an answer of “What you decide”: `2=b` is row 2, answer b; repeatable
    #[arg(long, value_name = "ROW=LETTER", value_delimiter = ',', value_parser = choice)]
    decide: Vec<DecidedRow>,
    #[command(flatten)]
    pub(super) run: RunFlags,
}

/// Starts a run for feedback on an earlier version.
pub fn run(args: &ReviseArgs, context: &Context) -> Result<Exit, Fault> {
    let (from, feedback) = split(&args.words)?;
    let feedback = match feedback.is_none() && args.files.is_empty() && !args.decide.is_empty() {
        true => String::new(),
        false => words(from, feedback, &args.files, context)?,
    };
    let work = RunTask::Revision {
        from,
        feedback,
        decided: args.decide.clone(),
        requirement: None,
    };
    launch::start(work, &args.run, context)
}

/// Returns the feedback on a version; it is empty if none is given and comments wait, which count
/// as feedback.
///
/// # Errors
/// There is nothing to revise the version with, or as [`requirement::gather`].
pub(super) fn words(
    from: Option<Version>,
    feedback: Option<&str>,
    files: &[PathBuf],
    context: &Context,
) -> Result<String, Fault> {
    let is_given = feedback.is_some() || !files.is_empty();
    if !is_given && threads::wait(from, context)? {
        return Ok(String::new());
    }
    requirement::gather(FEEDBACK, feedback, files, EXAMPLE, context)
}

/// Returns a revision with the waiting comments, and with the answers that `taken` names, such as
/// `2=b,3=c`.
///
/// # Errors
/// `taken` names no answers, or there is nothing to revise the plan with.
pub fn taking(run: Version, taken: &str, context: &Context) -> Result<RunTask, Fault> {
    let taken = taken.split(',').filter(|one| !one.is_empty());
    let decided = taken.map(|one| {
        let wrong = |_| {
            let reason = REASON.fill(values![why = NoChoice::TEXT]);
            ARGUMENT_VALUE.with(values![
                argument = "--decide",
                value = one,
                reason,
                command = " revise"
            ])
        };
        choice(one).map_err(wrong)
    });
    let decided: Vec<DecidedRow> = decided.collect::<Result<_, _>>()?;
    work(Some(run), String::new(), decided, context)
}

/// Returns a revision; its feedback may be blank if something is decided or comments wait.
///
/// # Errors
/// There is nothing to revise the plan with.
pub fn work(
    from: Option<Version>,
    feedback: String,
    decided: Vec<DecidedRow>,
    context: &Context,
) -> Result<RunTask, Fault> {
    let has_other = !decided.is_empty() || threads::wait(from, context)?;
    let feedback = match has_other && requirement::says_nothing(&feedback) {
        true => String::new(),
        false => requirement::present(FEEDBACK, feedback, EXAMPLE)?,
    };
    Ok(RunTask::Revision {
        from,
        feedback,
        decided,
        requirement: None,
    })
}

/// A text that does not name a row and a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", Self::TEXT.0)]
pub struct NoChoice;

impl NoChoice {
    /// The valid form.
    pub const TEXT: Text = Text(
        "it is a row and a letter, such as `2=b`",
        "应为行号和字母，例如 `2=b`",
    );
}

/// Parses a chosen answer, such as `2=b`.
pub fn choice(text: &str) -> Result<DecidedRow, NoChoice> {
    let read = text.split_once('=').and_then(|(row, letter)| {
        let mut letters = letter.trim().chars();
        let letter = letters.next().filter(char::is_ascii_alphabetic)?;
        let row = row.trim().parse().ok().filter(|row| *row > 0)?;
        letters
            .next()
            .is_none()
            .then_some((row, letter.to_ascii_lowercase()))
    });
    read.ok_or(NoChoice)
}

/// Splits the arguments: `vN` comes first, if given; a single word that is no version is feedback.
fn split(words: &[String]) -> Result<(Option<Version>, Option<&str>), Fault> {
    match words {
        [] => Ok((None, None)),
        [one] => {
            Ok(versions::parse_name(one).map_or((None, Some(one.as_str())), |n| (Some(n), None)))
        }
        [first, feedback, ..] => match first.parse() {
            Ok(n) => Ok((Some(n), Some(feedback))),
            Err(_) => Err(NOT_QUOTED.with(values![word = first])),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_a_row_and_a_letter() {
        for (text, expected) in [
            ("2=b", Ok((2, 'b'))),
            (" 12 = C ", Ok((12, 'c'))),
            ("0=b", Err(NoChoice)),
            ("2=", Err(NoChoice)),
            ("2=bc", Err(NoChoice)),
            ("b", Err(NoChoice)),
        ] {
            assert_eq!(choice(text), expected, "{text}");
        }
    }

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
