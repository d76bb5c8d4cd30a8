//! `planning_report.md`, or a board's minutes: the whole plan, for a reviewer with ten minutes.
//!
//! The template reads the [`Plan`] as `planning.ai.json` has it, as `plan`; what follows from
//! the plan and is no part of it (coverage of the criteria, an order, digests) stands in `x`.
//! Nothing is cut: a report that is too long is named by `check`.

mod changes;
mod models;

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::page::Pages;
use super::plan::{Coverage, Plan, PlanConsensus, StopFigures};
use super::{Artifact, ArtifactError, document, markup, team};
use crate::machine::{FeedbackItem, Format, IssueRecord, State};
use crate::reply::{DocumentKind, Level, Risk, Size, WorkItem};
use changes::ItemsRow;
use models::{ModelChangeRow, model_changes};

/// Most words that stand open in a report, as [`open_words`](super::open_words) counts them.
pub const WORD_BUDGET: usize = 3000;

/// The same for small work.
pub const LIGHT_WORD_BUDGET: usize = 800;

/// What the report templates share.
pub(super) const PARTS: &str = "report/parts.j2";

/// The template of `feedback.md`.
pub(super) const FEEDBACK_PAGE: &str = "report/feedback.j2";

/// Returns the template of a format's report.
pub(super) fn page(format: Format) -> &'static str {
    match format {
        Format::Board | Format::Party => "report/minutes.j2",
        Format::Team => "report/team.j2",
        Format::Workshop => "report/report.j2",
    }
}

/// What follows from a plan and is no part of it.
#[derive(Serialize)]
struct Computed<'a> {
    title: &'a str,
    /// Name of the format, and the file with everything structured.
    format: &'static str,
    structured: &'static str,
    /// Was every answer replayed from a script?
    scripted: bool,
    /// Models that others were put in place of while the run was interrupted.
    model_changes: Vec<ModelChangeRow>,
    /// Codes of the members by full name.
    codes: BTreeMap<&'a str, &'a str>,
    /// Agreed items that stand, by id.
    items: BTreeMap<String, &'a PlanConsensus>,
    /// Titles of the issues by id.
    titles: BTreeMap<String, &'a str>,
    stop: Option<StopView>,
    /// Open issues, blocking ones first.
    open: Vec<OpenIssue<'a>>,
    open_blocking: usize,
    /// Documents written from the ledger, by name; `report` for the coach's words.
    without_model: Vec<&'static str>,
    /// Issues the human had asked for that were dropped.
    wishes_dropped: Vec<Ended<'a>>,
    /// How the items of the documents changed, by id; empty in a first version.
    changed: Vec<ItemsRow>,
    coverage: Coverage<'a>,
    /// Work items in the order they are done in, and how many there are of each size.
    work: Vec<&'a WorkItem>,
    sizes: Vec<(&'static str, usize)>,
    /// Risks, the gravest first.
    risks: Vec<&'a Risk>,
    diagram: Option<String>,
    phases: Vec<team::PhaseRow<'a>>,
    phases_done: usize,
    /// Whole percent of the input that was cached.
    cached_percent: Option<u64>,
    digests: Vec<DigestRow>,
    commit: Option<&'a str>,
}

/// Why the discussion ended, with money in words.
#[derive(Serialize)]
pub(in crate::artifact) struct StopView {
    #[serde(flatten)]
    figures: StopFigures,
    /// Spent or reserved, and the most; none where it was no budget of money.
    money: Option<[String; 2]>,
}

impl StopView {
    pub(in crate::artifact) fn of(figures: StopFigures) -> Self {
        let money = figures
            .usd
            .map(|usd| [usd.value.to_string(), usd.limit.to_string()]);
        Self { figures, money }
    }
}

/// An open issue with who objects.
#[derive(Serialize)]
struct OpenIssue<'a> {
    issue: &'a IssueRecord,
    objecting: Vec<&'a str>,
}

/// An issue that ended without a text in the plan.
#[derive(Serialize)]
struct Ended<'a> {
    id: String,
    title: &'a str,
    round: u32,
    reason: &'a str,
}

#[derive(Serialize)]
struct DigestRow {
    path: String,
    sha256: String,
}

/// Renders the report.
pub(super) fn render(state: &State, plan: &Plan, pages: &Pages) -> Result<Artifact, ArtifactError> {
    let view = json!({ "plan": plan, "x": computed(state, plan)? });
    let text = pages.render(page(plan.format), &view)?;
    Ok(super::text(plan.format.report().to_owned(), text))
}

fn computed<'a>(state: &'a State, plan: &'a Plan) -> Result<Computed<'a>, ArtifactError> {
    let documents = &plan.documents;
    let standing = plan.consensus.iter().filter(|c| c.withdrawn.is_none());
    let design = documents.system_design.as_ref();
    let total = plan.usage.total;
    Ok(Computed {
        title: title(plan),
        format: plan.format.name(),
        structured: plan.format.structured(),
        scripted: state.inputs.is_scripted(),
        codes: plan
            .members
            .iter()
            .map(|member| (member.id.as_str(), member.code.as_str()))
            .collect(),
        items: standing.map(|c| (c.item.id.to_string(), c)).collect(),
        titles: plan
            .issues
            .iter()
            .map(|issue| (issue.id.to_string(), issue.title.as_str()))
            .collect(),
        stop: plan.stop.map(StopView::of),
        open: open(state),
        open_blocking: plan.issues.iter().filter(|i| i.is_blocking()).count(),
        without_model: without_model(state),
        wishes_dropped: state.ledger.wishes_dropped().map(ended).collect(),
        changed: state.previous.as_ref().map_or_else(Vec::new, |previous| {
            changes::items(&previous.documents, &state.documents)
        }),
        coverage: documents.coverage(),
        work: documents.work_in_order(),
        sizes: sizes(documents.work_in_order()),
        risks: risks(plan),
        diagram: design.and_then(|design| markup::diagram(&design.content.diagram)),
        phases: team::rows(state),
        phases_done: state.team.as_ref().map_or(0, |team| team.progress().0),
        cached_percent: (total.input > 0)
            .then(|| total.cached_input.min(total.input) * 100 / total.input),
        model_changes: model_changes(state),
        digests: digests(state)?,
        commit: state.inputs.commit.as_deref(),
    })
}

/// The coach's title, or the first line of what was asked.
fn title(plan: &Plan) -> &str {
    let words = plan.report.as_ref().map_or("", |words| words.title.trim());
    let first = || {
        plan.requirement
            .lines()
            .find(|line| !line.trim().is_empty())
    };
    if words.is_empty() {
        first().unwrap_or_default()
    } else {
        words
    }
}

fn without_model(state: &State) -> Vec<&'static str> {
    let documents = state.documents.iter();
    documents
        .filter(|(_, record)| record.without_model)
        .map(|(kind, _)| kind.name())
        .chain(state.report_without_model.then_some("report"))
        .collect()
}

fn open(state: &State) -> Vec<OpenIssue<'_>> {
    let minor = state.ledger.open().filter(|issue| !issue.is_blocking());
    let code = |id| state.inputs.roles.code(id);
    state
        .ledger
        .blocking()
        .chain(minor)
        .map(|issue| OpenIssue {
            issue,
            objecting: issue.objectors().into_iter().map(code).collect(),
        })
        .collect()
}

fn ended(issue: &IssueRecord) -> Ended<'_> {
    let change = issue.history.last();
    Ended {
        id: issue.id.to_string(),
        title: &issue.title,
        round: change.map_or(issue.round, |change| change.round),
        reason: change
            .and_then(|change| change.reason.as_deref())
            .unwrap_or_default(),
    }
}

fn sizes(work: Vec<&WorkItem>) -> Vec<(&'static str, usize)> {
    let names = [
        (Size::S, "S"),
        (Size::M, "M"),
        (Size::L, "L"),
        (Size::XL, "XL"),
    ];
    let count = |size| work.iter().filter(|item| item.size == size).count();
    names
        .into_iter()
        .map(|(size, name)| (name, count(size)))
        .filter(|(_, n)| *n > 0)
        .collect()
}

/// The gravest first; equal ones keep the order of their ids.
fn risks(plan: &Plan) -> Vec<&Risk> {
    let assessment = plan.documents.risk_assessment.iter();
    let mut risks: Vec<_> = assessment.flat_map(|it| &it.content.risks).collect();
    let weight = |level: Level| level as u8 + 1;
    risks.sort_by_key(|risk| std::cmp::Reverse(weight(risk.chance) * weight(risk.impact)));
    risks
}

/// The start of the SHA-256 of each document; the manifest holds the whole.
fn digests(state: &State) -> Result<Vec<DigestRow>, ArtifactError> {
    let mut rows = Vec::new();
    for record in DocumentKind::ALL
        .iter()
        .filter_map(|kind| state.documents.get(kind))
    {
        let file = document::render(state, record)?;
        let digest = Sha256::digest(&file.bytes);
        rows.push(DigestRow {
            path: file.path,
            sha256: digest[..8]
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect(),
        });
    }
    Ok(rows)
}

/// `feedback.md`: the feedback word for word, with ids.
pub(super) fn feedback(state: &State, pages: &Pages) -> Result<Artifact, ArtifactError> {
    #[derive(Serialize)]
    struct View<'a> {
        version: u32,
        feedback: &'a [FeedbackItem],
    }
    let view = View {
        version: state.inputs.version,
        feedback: &state.feedback,
    };
    let text = pages.render(FEEDBACK_PAGE, &view)?;
    Ok(super::text("feedback.md", text))
}
