//! `aitc check`: checks a version against the rules.

use clap::Args;

use super::versions::Opened;
use super::{Context, Exit, Fault, against, threads, versions};
use crate::check::{
    self, CheckContext, CheckFinding, CheckSeverity, DamagedFile, FileFacts, FindingDocument,
};
use crate::edge::fs::{IfExists as _, IoContext as _};
use crate::edge::knowledge::{EvidenceCheck, Search};
use crate::edge::store::verify;
use crate::fault::plans::VERSION_DRAFT;
use crate::fault::values;
use crate::machine::evidence::inferred_items;
use crate::machine::{EvidenceId, EvidenceRecord, EvidenceSource, Lang, State, Version};
use crate::reply::FileImpact;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::{Component, Path};

/// Check a version: traceability, dangling ids, length limits
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  aitc check\n  aitc check v1 --strict\n  aitc check v1 --approved\n  aitc check v1 --against main..HEAD --strict"
)]
pub struct CheckArgs {
    /// Which version; default: the latest published
    #[arg(value_name = "vN")]
    version: Option<Version>,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
    /// Instead of the rules, compare the plan with the changes of these commits; with
    /// --strict a difference fails (12)
    #[arg(long, value_name = "BASE..HEAD")]
    against: Option<String>,
    /// Also fail (12) unless exactly this version is approved and no blocking comment is open;
    /// with --strict the approver must have committed the approval
    #[arg(long, conflicts_with = "against")]
    approved: bool,
    /// With --against: print JUnit XML
    #[arg(long, requires = "against")]
    junit: bool,
}

/// `aitc check --json`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckDocument {
    /// Number of the version: `N` of `vN`.
    version: u32,
    /// Whether it is a run that has not ended. What is not written yet cannot be checked.
    draft: bool,
    /// Whether the command ends with 12.
    fails: bool,
    /// Findings of the check.
    findings: Vec<FindingDocument>,
    /// What members saw in the files and what has changed there since: natural, once the plan is
    /// built.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    stale: Vec<Stale>,
    /// Where what is said to be there comes from; left out if all of it was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Grounds>,
    /// Who approved it and what prevents it from counting; left out without `--approved`.
    #[serde(skip_serializing_if = "Option::is_none")]
    approval: Option<threads::Gate>,
}

/// How much of what is said to be there comes from where.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Grounds {
    /// Claims that were read in files.
    read: usize,
    /// Claims that a trial showed.
    ran: usize,
    /// Number of claims that neither a file nor a trial showed.
    inferred: usize,
    /// Agreed items and decisions that name evidence, all of it inferred.
    rest_on_inferred: Vec<String>,
}

impl Grounds {
    fn of(state: &State) -> Option<Self> {
        let all = |source| {
            let records = state.grounding.evidence.iter();
            records.filter(|one| one.source() == source).count()
        };
        let grounds = Self {
            read: all(EvidenceSource::Read),
            ran: all(EvidenceSource::Ran),
            inferred: all(EvidenceSource::Inferred),
            rest_on_inferred: inferred_items(state),
        };
        (grounds.ran + grounds.inferred > 0).then_some(grounds)
    }
}

/// Evidence whose lines have changed.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stale {
    /// Its id, such as `E-3`.
    id: EvidenceId,
    /// Whether it is elsewhere in the same file.
    moved: bool,
    /// Where, or why it is gone.
    what: String,
}

impl CheckArgs {
    /// To check this one.
    pub fn of(version: u32) -> Self {
        Self {
            version: Some(Version::plan(version)),
            strict: false,
            approved: false,
            against: None,
            junit: false,
        }
    }
}

/// Prints the findings on stdout; ends with code 12 if any of them is an error.
pub fn run(args: &CheckArgs, context: &Context) -> Result<Exit, Fault> {
    let opened = versions::open_plan_to_judge(args.version, context)?;
    if let Some(range) = &args.against {
        return against::run(&opened, range, (args.strict, args.junit), context);
    }
    let lang = context.lang(None);
    let mut document = checked(&opened, args.strict, context)?;
    if args.approved {
        if opened.draft {
            return Err(VERSION_DRAFT.with(values![n = opened.version]));
        }
        let gate = threads::gate(threads::Plan::of(&opened), args.strict, lang, context)?;
        document.fails |= !gate.approved;
        document.approval = Some(gate);
    }
    let mut facts = json!(document);
    facts["path"] = (*opened.path).into();
    facts["written"] = opened.state.documents.written.len().into();
    facts["wanted"] = opened.state.document_kinds().len().into();
    context.list("check", &facts, &document)?;
    Ok(Exit::found(document.fails))
}

/// Checks a version against the rules; `strict` treats warnings as errors.
///
/// # Errors
/// One of its files cannot be read.
pub fn checked(opened: &Opened, strict: bool, context: &Context) -> Result<CheckDocument, Fault> {
    let findings = findings(opened, strict, context)?;
    let lang = context.lang(None);
    Ok(CheckDocument {
        version: opened.version.number,
        draft: opened.draft,
        fails: check::fails(&findings, strict),
        findings: findings.iter().map(|one| one.document(lang)).collect(),
        stale: stale(&opened.state, lang, context),
        evidence: Grounds::of(&opened.state),
        approval: None,
    })
}

/// Returns the findings for a version, or for the existing parts of a draft.
fn findings(opened: &Opened, strict: bool, context: &Context) -> Result<Vec<CheckFinding>, Fault> {
    let mut files = match opened.draft {
        true => made(opened)?,
        false => published(opened)?,
    };
    let damage = match opened.draft {
        true => Vec::new(),
        false => damage(opened)?,
    };
    let report = files.remove("planning_report.md");
    Ok(check::check(
        &opened.state,
        &CheckContext {
            tree: &|impacts| tree_of(&context.root, impacts),
            report: report.as_deref(),
            files: &files,
            damage: &damage,
            strict,
        },
    ))
}

/// Returns the evidence from files of the workspace that has changed since.
fn stale(state: &State, lang: Lang, context: &Context) -> Vec<Stale> {
    let search = Search::of(&context.root);
    let inside = |one: &&EvidenceRecord| {
        let path = one.ground.as_ref().map(|ground| Path::new(&ground.path));
        path.is_some_and(|path| {
            let mut parts = path.components();
            parts.all(|part| matches!(part, Component::Normal(_)))
        })
    };
    let seen: Vec<EvidenceRecord> = state
        .grounding
        .evidence
        .iter()
        .filter(inside)
        .cloned()
        .collect();
    if seen.is_empty() {
        return Vec::new();
    }
    let since = search.verify_again(&seen, lang);
    let stale = seen.iter().zip(since).filter_map(|(record, since)| {
        let (moved, what) = match since? {
            EvidenceCheck::Holds => return None,
            EvidenceCheck::Moved(what) => (true, what),
            EvidenceCheck::Gone(what) => (false, what),
        };
        Some(Stale {
            id: record.id,
            moved,
            what,
        })
    });
    stale.collect()
}

/// Returns the number of errors that `aitc check` finds in a run that was just published. Its files
/// are not read, because they were written a moment ago.
pub fn errors(state: &State, context: &Context) -> usize {
    let world = CheckContext {
        tree: &check::paths_alone(|path| is_there(path, &context.root)),
        report: None,
        files: &BTreeMap::new(),
        damage: &[],
        strict: false,
    };
    let found = check::check(state, &world);
    let errors = found
        .iter()
        .filter(|one| one.severity == CheckSeverity::Error);
    errors.count()
}

/// Returns the files of a draft, rendered from its transcript.
fn made(opened: &Opened) -> Result<BTreeMap<String, String>, Fault> {
    let made = crate::artifact::render(&opened.state)?.into_iter();
    Ok(made.map(|file| (file.path.clone(), file.text())).collect())
}

/// Returns the same files of a published version from disk; a missing one is reported as damaged.
fn published(opened: &Opened) -> Result<BTreeMap<String, String>, Fault> {
    let mut files = made(opened)?;
    let mut missing = Vec::new();
    for (path, text) in &mut files {
        let at = opened.folder.join(path.as_str());
        let fs = versions::file_system();
        match fs.read(&at).if_exists().doing("read", &at)? {
            Some(bytes) => *text = String::from_utf8_lossy(&bytes).into_owned(),
            None => missing.push(path.clone()),
        }
    }
    files.retain(|path, _| !missing.contains(path));
    Ok(files)
}

/// Returns what differs from the published version.
fn damage(opened: &Opened) -> Result<Vec<DamagedFile>, Fault> {
    let report = verify(versions::file_system().as_ref(), &opened.folder)?;
    let damage = report.problems.into_iter().map(|problem| DamagedFile {
        path: problem.path,
        what: problem.message,
    });
    Ok(damage.collect())
}

/// Returns facts from the workspace about files that are to change.
pub fn tree_of(root: &Path, impacts: &[FileImpact]) -> Vec<FileFacts> {
    Search::of(root).facts(impacts, &|path| is_there(path, root))
}

/// Returns whether there is a file or folder of that path below the workspace's root. A path that
/// leads out of it is not read.
pub fn is_there(path: &str, root: &Path) -> bool {
    let path = Path::new(path);
    let inside = path
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    inside && versions::file_system().metadata(&root.join(path)).is_ok()
}
