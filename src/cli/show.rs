//! `aitc show`: prints one part of a version.

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::versions::{self, Opened};
use super::{Context, Exit, Fault};
use crate::artifact;
use crate::edge::file_names::TRANSCRIPT;
use crate::edge::fs::{Fs as _, IfExists as _, IoContext as _, RealFs};
use crate::fault::line::PAGER;
use crate::fault::plans::{
    DEBATE_MISSING, ISSUE_MISSING, PART_NOT_WRITTEN, PART_UNKNOWN, ROUND_MISSING, TRIAL_MISSING,
};
use crate::fault::{Text, nearest, said_by_system, values};
use crate::machine::{DebateId, IssueId, IssueRecord, TrialId, TrialRecord, Version, split_id};
use crate::reply::DocumentKind;
use crate::ui::pager::Pager;
use crate::ui::view::{self, RoundDocument};

/// Show a part of a version: its report, a document, a round, an issue
#[derive(Debug, Args)]
#[command(
    override_usage = "aitc show [OPTIONS] [vN] \
        [report|product|design|dev|test|risk|transcript|round N|I-3|D-1|RUN-1]",
    after_help = "Examples:\n  aitc show\n  aitc show v1 design\n  aitc show round 2\n  aitc show v2 I-3"
)]
pub struct ShowArgs {
    /// The version (default: the latest), then the part (default: the report)
    #[arg(value_name = "vN] [PART", num_args = 0..=3)]
    words: Vec<String>,
    /// Do not show it through a pager (`AITC_PAGER`, `PAGER`, less)
    #[arg(long)]
    no_pager: bool,
}

/// A part of a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShowPart {
    /// The report for people.
    Report,
    /// A final document.
    Document(DocumentKind),
    /// The transcript.
    Transcript,
    /// One round.
    Round(u32),
    /// One issue with its life.
    Issue(IssueId),
    /// One debate, from its question to the ruling.
    Debate(DebateId),
    /// A trial with its whole output.
    Trial(TrialId),
}

/// Prints the part on stdout.
pub fn run(args: &ShowArgs, context: &Context) -> Result<Exit, Fault> {
    let (version, part) = parse(&args.words)?;
    let opened = versions::open(version, context)?;
    let style = context.style_out(context.lang(None));
    let state = &opened.state;
    let (shown, document) = match part {
        ShowPart::Round(n) => {
            let document = view::round_document(state, n).ok_or_else(|| {
                ROUND_MISSING.with(values![
                    path = opened.path,
                    round = n,
                    rounds = state.round,
                    n = opened.version
                ])
            })?;
            let document = ShowDocument::Round(Box::new(document));
            (view::round_text(state, n, &style), document)
        }
        ShowPart::Issue(id) => {
            let issue = state.ledger.find(id).ok_or_else(|| no_issue(id, &opened))?;
            let document = IssueDocument {
                version: opened.version.number,
                issue: issue.clone(),
            };
            let document = ShowDocument::Issue(Box::new(document));
            (view::issue_text(state, issue, &style), document)
        }
        ShowPart::Trial(id) => {
            let trial = state.grounding.trials.find(id).ok_or_else(|| {
                TRIAL_MISSING.with(values![path = opened.path, id, n = opened.version])
            })?;
            let document = TrialDocument {
                version: opened.version.number,
                trial: trial.clone(),
            };
            let document = ShowDocument::Trial(Box::new(document));
            (view::trial_text(state, trial, &style), document)
        }
        ShowPart::Debate(id) if state.debates.held.iter().all(|debate| debate.id != id) => {
            return Err(DEBATE_MISSING.with(values![path = opened.path, id, n = opened.version]));
        }
        ShowPart::Report | ShowPart::Document(_) | ShowPart::Transcript | ShowPart::Debate(_) => {
            let text = file(&opened, part)?;
            let document = document(&opened, part, &text);
            // A pipe gets the bytes of the file, a terminal the text without control characters.
            let shown = match (context.env.stdout_terminal, part) {
                (false, _) => text,
                (true, ShowPart::Report | ShowPart::Debate(_)) => view::markdown(&text, &style),
                (true, ShowPart::Document(kind)) if let ShowDocument::Content(held) = &document => {
                    view::document_page(kind, &held.content, &style)
                }
                (true, _) => view::clean_page(&text),
            };
            (shown, document)
        }
    };
    if is_paged(args, context) && paged(&shown, context)? {
        return Ok(Exit::Done);
    }
    context.done(&shown, &document)
}

fn is_paged(args: &ShowArgs, context: &Context) -> bool {
    let env = &context.env;
    let turns = env.variable("TERM").is_some_and(|term| term != "dumb") && !env.is_ci();
    env.stdout_terminal && turns && !args.no_pager && !context.format().is_json()
}

/// Shows a page in the user's pager; returns false if there is none.
fn paged(page: &str, context: &Context) -> Result<bool, Fault> {
    let variable = |name: &str| context.env.variables.get(name).map(String::as_str);
    let Some(pager) = Pager::of(variable("AITC_PAGER"), variable("PAGER")) else {
        return Ok(false);
    };
    pager
        .show(&format!("{page}\n"))
        .map_err(|error| PAGER.with(values![cause = said_by_system(&error)]))
}

fn no_issue(id: IssueId, opened: &Opened) -> Fault {
    let all: Vec<IssueId> = opened.state.ledger.iter().map(|issue| issue.id).collect();
    let near = all.iter().min_by_key(|one| one.0.abs_diff(id.0));
    let names: Vec<_> = all.iter().map(ToString::to_string).collect();
    let fault = ISSUE_MISSING.with(values![
        path = opened.path,
        id,
        names = Text::COMMA.join(&names),
        n = opened.version
    ]);
    fault.meaning(near.map(|near| format!("aitc show {} {near}", opened.version)))
}

/// Returns the text of a file of the version: the report, a document, the transcript. A draft's
/// documents are rendered from its state as far as they exist.
pub fn file(opened: &Opened, part: ShowPart) -> Result<String, Fault> {
    let name = match part {
        ShowPart::Document(kind) => format!("{}.json", kind.name()),
        ShowPart::Transcript => TRANSCRIPT.to_owned(),
        ShowPart::Debate(id) => format!("debates/{id}.md"),
        ShowPart::Report | ShowPart::Round(_) | ShowPart::Issue(_) | ShowPart::Trial(_) => {
            opened.state.inputs.format.report().to_owned()
        }
    };
    let text = if opened.draft && part != ShowPart::Transcript {
        made(opened, &name)?
    } else {
        let path = opened.folder.join(&name);
        let bytes = RealFs.read(&path).if_exists().doing("read", &path)?;
        bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    text.ok_or_else(|| not_written(opened, &name))
}

/// Returns a file of the version rendered from the transcript; `None` if there is no such file.
///
/// # Errors
/// A template of the run does not render.
pub fn made(opened: &Opened, name: &str) -> Result<Option<String>, Fault> {
    let files = artifact::render(&opened.state)?;
    let file = files.into_iter().find(|file| file.path == name);
    Ok(file.map(|file| file.text()))
}

/// Returns the error that the version has no such file.
pub fn not_written(opened: &Opened, name: &str) -> Fault {
    PART_NOT_WRITTEN.with(values![path = opened.path, name, n = opened.version])
}

/// Returns the part for programs: JSON files unchanged under `content`, other text under `text`.
fn document(opened: &Opened, part: ShowPart, text: &str) -> ShowDocument {
    let content: Option<Value> = match part {
        ShowPart::Document(_) => serde_json::from_str(text).ok(),
        ShowPart::Transcript => text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).ok())
            .collect::<Option<Vec<_>>>()
            .map(Value::from),
        ShowPart::Report
        | ShowPart::Round(_)
        | ShowPart::Issue(_)
        | ShowPart::Debate(_)
        | ShowPart::Trial(_) => None,
    };
    let (version, path) = (opened.version.number, opened.path.clone());
    match content {
        Some(content) => ShowDocument::Content(ContentDocument {
            version,
            path,
            content,
        }),
        None => ShowDocument::Text(TextDocument {
            version,
            path,
            text: text.to_owned(),
        }),
    }
}

/// `aitc show --json`.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum ShowDocument {
    /// The report, or a file that is no JSON.
    Text(TextDocument),
    /// A document, or the lines of the transcript.
    Content(ContentDocument),
    /// A round of the discussion.
    Round(Box<RoundDocument>),
    /// An issue with its life.
    Issue(Box<IssueDocument>),
    /// A trial.
    Trial(Box<TrialDocument>),
}

/// A text of a version.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TextDocument {
    version: u32,
    path: String,
    /// The text, Markdown.
    text: String,
}

/// A JSON file of a version.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ContentDocument {
    version: u32,
    path: String,
    /// As its own schema says.
    content: Value,
}

/// An issue with its life.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IssueDocument {
    version: u32,
    issue: IssueRecord,
}

/// A trial, with what it printed.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrialDocument {
    version: u32,
    trial: TrialRecord,
}

fn parse(words: &[String]) -> Result<(Option<Version>, ShowPart), Fault> {
    let mut rest: Vec<&str> = words.iter().map(String::as_str).collect();
    // A number alone is a version in the first place only.
    let named = |at: &usize| match *at {
        0 => words[0].parse::<Version>().is_ok(),
        at => versions::parse_name(&words[at]).is_some(),
    };
    let at = (0..words.len()).find(named);
    let version = at.and_then(|at| rest.remove(at).parse::<Version>().ok());
    let part = match rest[..] {
        [] => Some(ShowPart::Report),
        ["round", n] => n.parse().ok().filter(|n| *n > 0).map(ShowPart::Round),
        [word] => {
            let named = NAMED.iter().find(|(name, _)| *name == word);
            let issue = || word.parse().ok().map(ShowPart::Issue);
            let debate = || word.parse().ok().map(ShowPart::Debate);
            let trial = || word.parse().ok().map(ShowPart::Trial);
            let named = named.map(|(_, part)| *part);
            named.or_else(issue).or_else(debate).or_else(trial)
        }
        _ => None,
    };
    part.map(|part| (version, part)).ok_or_else(|| {
        let fault = PART_UNKNOWN.with(values![word = rest.join(" ")]);
        let of = version.map_or_else(String::new, |n| format!("{n} "));
        let names = NAMED.map(|(name, _)| name).into_iter().chain(["round"]);
        let near = nearest(rest.first().copied().unwrap_or_default(), names);
        let near = near.map(|part| if part == "round" { "round 1" } else { part });
        let near = near.map(|part| format!("aitc show {of}{part}"));
        // An item of a document is no part, but it has an origin.
        let item = rest.first().filter(|word| split_id(word).is_some());
        let of = version.map_or_else(String::new, |n| format!(" --of {n}"));
        fault.meaning(near.or(item.map(|id| format!("aitc why {id}{of}"))))
    })
}

/// Parts that are called by a name alone.
const NAMED: [(&str, ShowPart); 7] = [
    ("report", ShowPart::Report),
    ("product", ShowPart::Document(DocumentKind::ProductPlan)),
    ("design", ShowPart::Document(DocumentKind::SystemDesign)),
    ("dev", ShowPart::Document(DocumentKind::DevPlan)),
    ("test", ShowPart::Document(DocumentKind::TestPlan)),
    ("risk", ShowPart::Document(DocumentKind::RiskAssessment)),
    ("transcript", ShowPart::Transcript),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_parts_are_told_apart() {
        for (line, expected) in [
            ("", (None, ShowPart::Report)),
            ("v2", (Some(Version::plan(2)), ShowPart::Report)),
            ("team/v2", ("team/v2".parse().ok(), ShowPart::Report)),
            (
                "v2 design",
                (
                    Some(Version::plan(2)),
                    ShowPart::Document(DocumentKind::SystemDesign),
                ),
            ),
            ("round 3", (None, ShowPart::Round(3))),
            (
                "v1 I-3",
                (Some(Version::plan(1)), ShowPart::Issue(IssueId(3))),
            ),
            ("D-1", (None, ShowPart::Debate(DebateId(1)))),
            ("2", (Some(Version::plan(2)), ShowPart::Report)),
            ("report v1", (Some(Version::plan(1)), ShowPart::Report)),
            ("round 3 v1", (Some(Version::plan(1)), ShowPart::Round(3))),
        ] {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            assert_eq!(parse(&words), Ok(expected), "{line}");
        }
        for line in ["round", "round 0", "desgin", "v1 v2", "I-0"] {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            assert!(parse(&words).is_err(), "{line}");
        }
    }
}
