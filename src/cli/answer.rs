//! `aitc answer`: answer a question of a run.

use std::path::PathBuf;

use clap::Args;

use super::{CliError, Context, Exit, open, requirement};
use crate::workshop::QuestionId;

/// Answer a question that waits for you
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    aitc answer Q-1 \"Only administrators may export\"\n  \
    aitc answer Q-2 --recommended\n  \
    aitc answer --recommended --all")]
pub struct AnswerArgs {
    /// Which question, such as `Q-1`
    #[arg(value_name = "Q-N", required_unless_present = "all")]
    question: Option<QuestionId>,
    /// The answer; `-` reads standard input
    text: Option<String>,
    /// Read the answer from FILE
    #[arg(short, long = "file", value_name = "FILE|-")]
    files: Vec<PathBuf>,
    /// Take the recommended answer
    #[arg(long, conflicts_with_all = ["text", "files", "decline"])]
    recommended: bool,
    /// Every question that waits
    #[arg(long, requires = "recommended", conflicts_with = "question")]
    all: bool,
    /// Do not answer; the recommended answer is recorded as an assumption
    #[arg(long, conflicts_with_all = ["text", "files"])]
    decline: bool,
    /// Which run; needed only if several wait
    #[arg(long, value_name = "vN", value_parser = open::version)]
    run: Option<u32>,
}

/// What the user says to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// An answer in words.
    Text(String),
    /// The recommended answer.
    Recommended,
    /// Nothing.
    Declined,
}

/// Puts the answer where the run finds it.
pub fn run(args: &AnswerArgs, context: &Context) -> Result<Exit, CliError> {
    let said = if args.recommended {
        Said::Recommended
    } else if args.decline {
        Said::Declined
    } else {
        let example = "aitc answer Q-1 \"Only administrators may export\"";
        let text = args.text.as_deref();
        Said::Text(requirement::gather(
            "answer",
            text,
            &args.files,
            example,
            context,
        )?)
    };
    deliver(args.run, args.question, &said, context)
}

/// Sends `said` to one question of a run, or to all that wait.
fn deliver(
    version: Option<u32>,
    question: Option<QuestionId>,
    said: &Said,
    context: &Context,
) -> Result<Exit, CliError> {
    let _ = (version, question, said, context);
    Err(CliError::not_wired("answer"))
}
