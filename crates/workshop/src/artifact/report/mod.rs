//! `planning_report.md`, or a board's minutes: the whole plan, for a reviewer with ten minutes.
//!
//! The template gets the [`Plan`] of `planning.ai.json` as `plan`. Values computed from it
//! (coverage of the criteria, order of the work, digests) are in `x`. Nothing is cut: `check`
//! reports a report that is too long.

mod changes;
mod models;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::outcome::FeedbackOutcome;
use super::page::Pages;
use super::plan::{Plan, PlanDocuments, StopFigures};
use super::{Artifact, Drawing, document, markup};
use crate::fault::Fault;
use crate::ids::{AssumptionId, ConsensusId, QuestionId, words_like_ids};
use crate::machine::team::TeamWork;
use crate::machine::{
    AnswerSource, Assumption, Exchange, FeedbackItem, Format, IssueOrigin, IssueRecord, Question,
    QuestionStatus, State, untold,
};
use crate::reply::{DocumentKind, IssueSeverity, Level, PlanAssumption, Risk, Size, WorkItem};
use models::model_changes;

/// Maximum number of words of a report outside of folded parts, counted by
/// [`open_words`](super::open_words).
pub const WORD_BUDGET: usize = 3000;

/// The same for small work.
pub const LIGHT_WORD_BUDGET: usize = 800;

/// The template with parts that the report templates share.
pub(super) const PARTS: &str = "report/parts.j2";

/// The template of `feedback.md`.
pub(super) const FEEDBACK_PAGE: &str = "report/feedback.j2";

/// The report template of a format.
pub(super) fn page(format: Format) -> &'static str {
    match format {
        Format::Board | Format::Party => "report/minutes.j2",
        Format::Team => "report/team.j2",
        Format::Workshop => "report/report.j2",
    }
}

/// The figures of the end, with amounts of money (spent or reserved, and the limit) as text;
/// `money` is null unless the budget of money ended it.
pub(in crate::artifact) fn stop_view(figures: StopFigures) -> Value {
    let money = figures.usd.map(|usd| [usd.value, usd.limit]);
    let mut view = json!(figures);
    view["money"] = json!(money.map(|usd| usd.map(|one| one.to_string())));
    view
}

pub(super) fn render(state: &State, plan: &Plan, pages: &Pages) -> Result<Artifact, Fault> {
    let view = json!({ "plan": plan, "x": computed(state, plan)? });
    let text = pages.render(page(plan.format), &view)?;
    Ok(super::text(plan.format.report().to_owned(), text))
}

/// Values computed from a plan that are not part of it.
fn computed(state: &State, plan: &Plan) -> Result<Value, Fault> {
    let [core, beside] = resting(plan)?;
    let documents = &plan.documents;
    let standing = plan.consensus.iter().filter(|c| c.withdrawn.is_none());
    let standing = standing.map(|c| (c.item.id.to_string(), c));
    let titles = plan.issues.iter();
    let titles = titles.map(|issue| (issue.id.to_string(), whole_title(state, issue)));
    let before = state
        .task
        .previous
        .as_ref()
        .map(|previous| &previous.documents);
    let changed = before.map_or_else(Vec::new, |it| changes::items(it, &state.documents.written));
    let beside_items =
        before.map_or_else(Vec::new, |it| changes::others(it, &state.documents.written));
    let diagram = documents.system_design.as_ref();
    let diagram = diagram.and_then(|design| design.content.diagram.as_ref());
    let work = documents.work_in_order();
    let text = plan.report.as_ref().and_then(|words| words.plan.as_ref());
    let trace = trace(documents);
    let total = plan.usage.total;
    Ok(json!({
        "title": title(plan),
        // Name of the version, its format, and the name of the structured file.
        "run": state.inputs.run().to_string(),
        "format": plan.format.name(),
        "structured": plan.format.structured(),
        // Whether all answers were replayed from recordings.
        "scripted": state.inputs.is_scripted(),
        // Models that were replaced while the run was interrupted.
        "model_changes": model_changes(state),
        // Codes of the members by full name.
        "codes": state.inputs.roles.codes_by_name(),
        // Standing agreed items by id.
        "items": standing.collect::<BTreeMap<_, _>>(),
        // Agreed items of this version on minor issues that had no other proposal.
        "corners": corners(state, plan),
        // Agreed items that the plan's text does not mention; empty without such a text.
        "untold": text.map(|text| untold(state, text)).unwrap_or_default(),
        // Evidence named by agreed texts, their reasons, the design or the coach's texts; then all
        // other evidence named by the documents.
        "resting": core,
        "beside": beside,
        // Questions whose answers are listed; assumed answers are in `decide`.
        "answered": answered(plan),
        // Assumptions made without asking the user.
        "assumed": unasked(plan),
        // Other assumptions of the risk assessment.
        "taken_for_granted": taken_for_granted(state, plan),
        // Titles of the issues by id.
        "titles": titles.collect::<BTreeMap<_, _>>(),
        "stop": plan.stop.map(stop_view),
        // Open issues, blocking ones first.
        "open": open(state),
        "open_blocking": plan.issues.iter().filter(|i| i.is_blocking()).count(),
        // Names of documents made from the ledger; `report` for the coach's texts.
        "without_model": without_model(state),
        // Dropped issues that the user had asked for.
        "wishes_dropped": state.ledger.wishes_dropped().map(ended).collect::<Vec<_>>(),
        // Changes of the documents' items by id; empty in a first version.
        "changed": changed,
        // Changed parts of the documents without ids, such as `test_plan.data`.
        "changed_beside": beside_items,
        // Documents taken over unchanged, each with the version that wrote it.
        "carried_over": carried_over(state),
        // The version's name on the command line, such as `billing/v1`.
        "name": state.inputs.run().to_string(),
        // One-based number of the first decision that has another answer.
        "other_answer": plan.decide.iter().position(|row| row.answers.len() > 1).map(|at| at + 1),
        "coverage": documents.coverage(),
        // For each criterion what it rests on, and what builds, tests and endangers it.
        "trace": trace,
        // New or changed items of the documents that rest on the outcome of a point of feedback, by
        // the id of the feedback.
        "reached": reached(plan, &trace, &changed),
        // Work items in order of execution, and their number by size.
        "work": work,
        "sizes": sizes(&work),
        // Risks, most serious first.
        "risks": risks(plan),
        // The design's diagram in Mermaid.
        "diagram": diagram.map(|diagram| Drawing::of(diagram).mermaid()),
        // Phases of a team: how many are done, of how many.
        "phases": state.team.as_ref().map(TeamWork::progress),
        // Cached share of the input in whole percent.
        "cached_percent": (total.input > 0)
            .then(|| total.cached_input.min(total.input) * 100 / total.input),
        "digests": digests(state)?,
        "commit": state.inputs.commit,
    }))
}

/// The whole title of an issue. An issue made from feedback of this run that says more than the
/// title is named by the feedback's id, because the feedback is printed in full.
fn whole_title(state: &State, issue: &IssueRecord) -> String {
    match said_in(state, issue) {
        Some(item) if item.text.trim() != issue.title => item.id.to_string(),
        _ => issue.whole_title().to_owned(),
    }
}

/// The subject of an issue: the feedback of this run that it was made from, otherwise its whole
/// title.
pub(super) fn subject(state: &State, issue: &IssueRecord) -> String {
    let said = said_in(state, issue).map(|item| item.text.as_str());
    markup::one_line(said.unwrap_or_else(|| issue.whole_title()))
}

/// The feedback of this run that an issue was made from.
fn said_in<'a>(state: &'a State, issue: &IssueRecord) -> Option<&'a FeedbackItem> {
    let IssueOrigin::Feedback { feedback } = issue.origin else {
        return None;
    };
    state.task.feedback.iter().find(|item| item.id == feedback)
}

/// Agreed items of this version that a reviewer need not consider: their issues are minor, and
/// there was no other proposal. Empty if all agreed items are like that.
fn corners(state: &State, plan: &Plan) -> Vec<ConsensusId> {
    let is_minor = |id| {
        let issue = state.ledger.find(id);
        issue.is_some_and(|issue| issue.severity == IssueSeverity::Minor)
    };
    let new = plan.consensus.iter();
    let new = new.filter(|c| c.withdrawn.is_none() && c.item.version == plan.version);
    let (corners, core): (Vec<_>, Vec<_>) =
        new.partition(|c| c.instead_of.is_empty() && is_minor(c.item.issue));
    match core.is_empty() {
        true => Vec::new(),
        false => corners.iter().map(|c| c.item.id).collect(),
    }
}

/// The evidence named by agreed or designed texts or the report's own, and the evidence named only
/// elsewhere in the documents.
fn resting(plan: &Plan) -> Result<[Vec<String>; 2], Fault> {
    let design = plan.documents.system_design.as_ref();
    let design = design.map(|design| (&design.content.architecture, &design.content.decisions));
    let agreed = plan.consensus.iter().filter(|c| c.withdrawn.is_none());
    let agreed: Vec<_> = agreed.map(|c| (&c.item.text, &c.why)).collect();
    let core = named_in(plan, &(design, agreed, &plan.report))?;
    let mut beside = named_in(plan, &plan.documents)?;
    beside.retain(|id| !core.contains(id));
    Ok([core, beside])
}

/// The evidence whose id occurs in these texts.
fn named_in(plan: &Plan, written: &impl serde::Serialize) -> Result<Vec<String>, Fault> {
    let written = super::json(plan.format.structured().to_owned(), written)?;
    let text = String::from_utf8_lossy(&written.bytes);
    let words: BTreeSet<&str> = words_like_ids(&text).collect();
    let all = plan.evidence.iter().map(|one| one.id.to_string());
    Ok(all.filter(|id| words.contains(id.as_str())).collect())
}

/// The questions of a plan that were answered by the user, also in feedback, or by the discussion.
/// In other formats all questions except those answered by the files.
fn answered(plan: &Plan) -> Vec<QuestionId> {
    const OTHERS: [AnswerSource; 3] = [
        AnswerSource::Assumed,
        AnswerSource::Discussion,
        AnswerSource::Repository,
    ];
    let is_told = |question: &&Question| match plan.format {
        Format::Workshop => {
            let mut replies = question.dialogue.iter();
            let replied =
                |turn: &Exchange| !turn.reply.trim().is_empty() && !OTHERS.contains(&turn.source);
            let is_closed = [AnswerSource::Discussion, AnswerSource::Feedback]
                .into_iter()
                .any(|source| question.is_closed_by(source));
            replies.any(replied) || is_closed
        }
        _ => !question.is_closed_by(AnswerSource::Repository),
    };
    let all = plan.questions.iter().filter(is_told);
    all.map(|question| question.id).collect()
}

/// Assumptions made without asking the user.
fn unasked(plan: &Plan) -> Vec<AssumptionId> {
    let declined = |id| {
        let mut questions = plan.questions.iter();
        questions.any(|question| question.id == id && question.is_declined())
    };
    let all = plan.assumptions.iter();
    let unasked = all.filter(|one| !declined(one.question));
    unasked.map(|one| one.id).collect()
}

/// Assumptions of the risk assessment that no decision asks about, each with the question it
/// answers and the user's answer since then.
fn taken_for_granted(state: &State, plan: &Plan) -> Vec<Value> {
    let asked = |id: &String| plan.decide.iter().any(|row| row.about.contains(id));
    let assessment = plan.documents.risk_assessment.iter();
    let all = assessment.flat_map(|it| &it.content.assumptions);
    let untold = all.filter(|one| !one.from.as_ref().is_some_and(asked));
    let view = |one: &PlanAssumption| {
        let is_it = |known: &&Assumption| one.from.as_ref() == Some(&known.id.to_string());
        let question = state.assumed().find(is_it);
        let question = question.and_then(|known| state.questions.find(known.question));
        let answer = question.and_then(|question| match &question.status {
            QuestionStatus::Closed { source, answer } => {
                let is_users = source.is_own_words() || *source == AnswerSource::Recommended;
                is_users.then_some(answer)
            }
            _ => None,
        });
        json!({
            "from": one.from, "text": one.text,
            "question": question.map(Question::current_text), "answer": answer,
        })
    };
    untold.map(view).collect()
}

/// The coach's title, otherwise the first line of the requirement.
fn title(plan: &Plan) -> &str {
    let words = plan.report.as_ref().map_or("", |words| words.title.trim());
    let mut lines = plan.requirement.lines();
    let first = lines.find(|line| !line.trim().is_empty());
    match words {
        "" => first.unwrap_or_default(),
        _ => words,
    }
}

fn without_model(state: &State) -> Vec<&'static str> {
    let documents = state.documents.written.iter();
    documents
        .filter(|(_, record)| record.without_model)
        .map(|(kind, _)| kind.name())
        .chain(state.documents.report_without_model.then_some("report"))
        .collect()
}

fn carried_over(state: &State) -> Vec<(&'static str, u32)> {
    let documents = state.documents.written.iter();
    let carried = documents.filter_map(|(kind, record)| Some((kind.name(), record.carried?)));
    carried.collect()
}

/// Open issues with the members that object.
fn open(state: &State) -> Vec<Value> {
    let minor = state.ledger.open().filter(|issue| !issue.is_blocking());
    let open = state.ledger.blocking().chain(minor).map(|issue| {
        let objecting = issue.objectors().into_iter();
        let objecting = objecting.map(|member| state.inputs.roles.code(member));
        json!({"issue": issue, "title": subject(state, issue), "objecting": objecting.collect::<Vec<_>>()})
    });
    open.collect()
}

/// An issue that ended without a text in the plan.
fn ended(issue: &IssueRecord) -> Value {
    let change = issue.history.last();
    let reason = change.and_then(|change| change.reason.as_deref());
    json!({
        "id": issue.id, "title": issue.whole_title(), "reason": reason.unwrap_or_default(),
        "round": change.map_or(issue.round, |change| change.round),
    })
}

fn sizes(work: &[&WorkItem]) -> Vec<(Size, usize)> {
    let count = |size| work.iter().filter(|item| item.size == size).count();
    let sizes = [Size::S, Size::M, Size::L, Size::XL].map(|size| (size, count(size)));
    sizes.into_iter().filter(|(_, n)| *n > 0).collect()
}

/// The risks by chance times impact, highest first; equal ones by id.
fn risks(plan: &Plan) -> Vec<&Risk> {
    let assessment = plan.documents.risk_assessment.iter();
    let mut risks: Vec<_> = assessment.flat_map(|it| &it.content.risks).collect();
    let weight = |level: Level| level as u8 + 1;
    risks.sort_by_key(|risk| std::cmp::Reverse(weight(risk.chance) * weight(risk.impact)));
    risks
}

/// One row for each criterion: the ids it rests on, and the items that name it.
fn trace(documents: &PlanDocuments) -> Vec<Value> {
    let modules = documents.system_design.iter();
    let modules: Vec<_> = modules.flat_map(|it| &it.content.modules).collect();
    let risks = documents.risk_assessment.iter();
    let risks: Vec<_> = risks.flat_map(|it| &it.content.risks).collect();
    let rows = documents.coverage().criteria.into_iter().map(|covered| {
        let id = &covered.criterion.id;
        let modules = modules.iter().filter(|it| it.covers.contains(id));
        let risks = risks.iter().filter(|it| it.affects.contains(id));
        json!({
            "id": id, "from": covered.criterion.from, "work": covered.work,
            "tests": covered.tests.iter().map(|test| &test.id).collect::<Vec<_>>(),
            "modules": modules.map(|it| &it.id).collect::<Vec<_>>(),
            "risks": risks.map(|it| &it.id).collect::<Vec<_>>(),
        })
    });
    rows.collect()
}

/// The items of the documents that are new or `changed` and rest on the outcome of each point of
/// feedback: criteria and decisions derived from it, and what builds, tests and endangers those
/// criteria.
fn reached(plan: &Plan, trace: &[Value], changed: &[Value]) -> BTreeMap<String, Vec<String>> {
    let texts = |value: &Value| -> Vec<String> {
        let all = value.as_array().into_iter().flatten();
        all.filter_map(|id| id.as_str().map(str::to_owned))
            .collect()
    };
    let changed: BTreeSet<String> = changed
        .iter()
        .flat_map(|row| [texts(&row["changed"]), texts(&row["new"])].concat())
        .collect();
    let design = plan.documents.system_design.iter();
    let decisions: Vec<_> = design.flat_map(|it| &it.content.decisions).collect();
    let of = |feedback: &FeedbackOutcome| {
        let became = feedback.consensus.iter().map(ToString::to_string);
        let became: Vec<String> = became.chain([feedback.id.to_string()]).collect();
        let rests = |from: &[String]| from.iter().any(|id| became.contains(id));
        let rows: Vec<&Value> = trace
            .iter()
            .filter(|row| rests(&texts(&row["from"])))
            .collect();
        let mut ids: Vec<String> = rows
            .iter()
            .filter_map(|row| Some(row["id"].as_str()?.to_owned()))
            .collect();
        let decided = decisions.iter().filter(|one| rests(&one.from));
        ids.extend(decided.map(|one| one.id.clone()));
        for part in ["modules", "work", "tests", "risks"] {
            ids.extend(rows.iter().flat_map(|row| texts(&row[part])));
        }
        let mut told = BTreeSet::new();
        ids.retain(|id| changed.contains(id) && told.insert(id.clone()));
        (feedback.id.to_string(), ids)
    };
    plan.feedback.iter().map(of).collect()
}

/// The start of the SHA-256 of each document; the whole is in the manifest.
fn digests(state: &State) -> Result<Vec<Value>, Fault> {
    let records = DocumentKind::ALL.iter();
    let records = records.filter_map(|kind| state.documents.written.get(kind));
    records
        .map(|record| {
            let file = document::render(state, record)?;
            let digest = Sha256::digest(&file.bytes);
            let start = digest[..8].iter().map(|byte| format!("{byte:02x}"));
            Ok(json!({"path": file.path, "sha256": start.collect::<String>()}))
        })
        .collect()
}

/// `feedback.md`: the unchanged feedback with ids.
pub(super) fn feedback(state: &State, pages: &Pages) -> Result<Artifact, Fault> {
    let view = json!({"version": state.inputs.version, "feedback": state.task.feedback});
    let text = pages.render(FEEDBACK_PAGE, &view)?;
    Ok(super::text("feedback.md", text))
}
