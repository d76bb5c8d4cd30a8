//! `aitc status`: shows running workshops, waiting questions, and all versions.

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::questions::{sent, tell_answered};
use super::versions::{self, Opened};
use super::{Context, Exit, Fault, hints};
use crate::edge::fs::RealFs;
use crate::edge::store;
use crate::fault::{texts, values};
use crate::machine::{QuestionId, Stage, Version};
use crate::ui::view::{self, StatusDocument, VersionLine};

const SAY: &str = "aitc say \"…\"";
texts! {
    RUNS: "a process is at work on {n}, and goes on by itself; `aitc stop` ends the discussion", "有进程正在运行 {n}，会自行继续；`aitc stop` 结束讨论";
    DISAGREES: "{n} is not as it was published: {why}; `aitc verify {n}` names all of it", "{n} 与发布时不同：{why}；`aitc verify {n}` 会列出全部问题";
}
/// Maximum number of unfinished runs shown in full; of more, each is a line of the list.
const IN_FULL: usize = 3;

/// Show running workshops, what waits for you, and all versions
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  aitc status\n  aitc status v2 --json")]
pub struct StatusArgs {
    /// Show this version or run in full
    #[arg(value_name = "vN")]
    version: Option<Version>,
}

/// `aitc status --json`.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum StandingDocument {
    /// All drafts and versions.
    All(Box<Overview>),
    /// The version or run that was named.
    One(Box<StatusDocument>),
}

/// Unfinished runs and versions of a workspace.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Overview {
    /// Runs that have not ended.
    runs: Vec<StatusDocument>,
    /// Versions and drafts, plans first, the oldest first of each format.
    versions: Vec<VersionLine>,
}

/// Prints it on stdout.
pub fn run(args: &StatusArgs, context: &Context) -> Result<Exit, Fault> {
    if args.version.is_none() {
        return overview(context);
    }
    let standing = RunStanding::of(versions::open(args.version, context)?, context)?;
    let (text, document) = standing.shown(context);
    context.print(
        &context.as_typed(text),
        &StandingDocument::One(Box::new(document)),
    )?;
    standing.print_notices(context);
    Ok(Exit::Done)
}

/// Prints unfinished runs in full, then a line for each version. An unreadable one is reported on
/// stderr and skipped.
fn overview(context: &Context) -> Result<Exit, Fault> {
    let AllRuns {
        unfinished,
        mut lines,
        is_whole,
    } = AllRuns::of(context)?;
    let (texts, runs): (Vec<String>, Vec<StatusDocument>) =
        unfinished.iter().map(|run| run.shown(context)).unzip();
    let document = StandingDocument::All(Box::new(Overview {
        runs,
        versions: lines.clone(),
    }));
    let in_full = unfinished.len() <= IN_FULL;
    let mut parts = Vec::new();
    if in_full {
        parts = texts;
        let is_shown = |line: &VersionLine| {
            let mut runs = unfinished.iter();
            runs.any(|run| run.opened.path == line.path)
        };
        lines.retain(|line| !is_shown(line));
    }
    // If none of the versions can be read, it would be wrong to say that there are none.
    if !lines.is_empty() || (parts.is_empty() && is_whole) {
        let style = context.style_out(context.lang(None));
        parts.push(view::list("versions", &lines, &style));
    }
    context.print(&context.as_typed(parts.join("\n\n")), &document)?;
    for run in unfinished.iter().filter(|_| in_full) {
        run.print_notices(context);
    }
    Ok(Exit::Done)
}

/// Everything there is.
pub struct AllRuns {
    /// Runs that have not ended.
    pub unfinished: Vec<RunStanding>,
    /// Versions and drafts, plans first, the oldest first of each format.
    pub lines: Vec<VersionLine>,
    /// Whether all of them could be read.
    is_whole: bool,
}

impl AllRuns {
    /// Reads all of them; unreadable ones are reported and skipped.
    ///
    /// # Errors
    /// The folder cannot be listed, or an inbox or lock cannot be read.
    pub fn of(context: &Context) -> Result<Self, Fault> {
        let mut is_whole = true;
        let (mut lines, mut unfinished) = (Vec::new(), Vec::new());
        for found in versions::recorded(versions::find_all(context)?, context)? {
            match versions::read(found, context) {
                Ok(opened) => {
                    let problem = match opened.draft {
                        true => None,
                        false => store::disagrees(&RealFs, &opened.folder, &opened.head)?,
                    };
                    if let Some(problem) = problem {
                        let why = problem.message;
                        context.notice(&DISAGREES.fill(values![n = opened.version, why]));
                        is_whole = false;
                        continue;
                    }
                    let standing = RunStanding::of(opened, context)?;
                    lines.push(standing.line());
                    if standing.opened.draft && standing.opened.state.stage != Stage::Published {
                        unfinished.push(standing);
                    }
                }
                Err(error) => {
                    context.notice(error.what());
                    is_whole = false;
                }
            }
        }
        Ok(Self {
            unfinished,
            lines,
            is_whole,
        })
    }
}

/// A version or run, with the state of its inbox and lock.
pub struct RunStanding {
    /// The version or run.
    pub opened: Opened,
    /// Questions with an answer that no process has read.
    sent: Vec<QuestionId>,
    /// Whether a process works on it.
    pub runs: bool,
}

impl RunStanding {
    /// Reads inbox and lock.
    ///
    /// # Errors
    /// Its inbox or its lock cannot be read.
    pub fn of(opened: Opened, context: &Context) -> Result<Self, Fault> {
        Ok(Self {
            sent: sent(&opened)?,
            runs: opened.draft && versions::is_running(opened.version, context)?,
            opened,
        })
    }

    fn line(&self) -> VersionLine {
        let opened = &self.opened;
        VersionLine::of(&opened.state, opened.draft, &opened.path, &self.sent)
    }

    /// Returns it in full, for people and for programs.
    fn shown(&self, context: &Context) -> (String, StatusDocument) {
        let opened = &self.opened;
        let style = context.style_out(context.lang(None));
        let text = view::status_text(&opened.state, &opened.path, &self.sent, &style);
        // A running run cannot be resumed; the hint is to talk to its members.
        let text = match self.runs {
            true => text.replace(&format!("aitc resume {}", opened.version), SAY),
            false => text,
        };
        let text = hints::on_run(&text, opened.version, context);
        (text, self.document(context))
    }

    /// Returns it in full, for programs.
    pub fn document(&self, context: &Context) -> StatusDocument {
        let opened = &self.opened;
        let mut document = view::status_document(&opened.state, &opened.path, &self.sent);
        if self.runs && document.next == format!("aitc resume {}", opened.version) {
            document.next = SAY.to_owned();
        }
        document.next = hints::for_run(&document.next, opened.version, context);
        document
    }

    /// Prints on stderr whether it runs, and which questions have an answer.
    fn print_notices(&self, context: &Context) {
        if self.runs {
            context.notice(&RUNS.fill(values![n = self.opened.version]));
        }
        tell_answered(&self.opened, &self.sent, context);
    }
}
