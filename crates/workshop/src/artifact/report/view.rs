//! What the report's template is given: status, decisions, dissent, rounds, provenance.

use std::borrow::Cow;

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::changes::{self, Changes};
use super::closing::{self, AgreedNeed, Decide, DroppedIssue, OpenIssue, StopView};
use super::documents::{self, Design, Product, Risks, Tests, Work};
use super::{Rows, join};
use crate::artifact::plan::{Plan, PlanDebate, Status};
use crate::artifact::team::{self, PhaseRow};
use crate::artifact::{ArtifactError, document, markup};
use crate::chat::Usage;
use crate::fault::recorded::told;
use crate::machine::debate::UnheldDebate;
use crate::machine::{IssueStatus, Lang, Rule, State};
use crate::reply::DocumentKind;

/// Everything the report says.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    /// Name of the format.
    format: &'static str,
    /// File with everything structured.
    structured: &'static str,
    version: u32,
    from: Option<u32>,
    title: String,
    agreed: bool,
    stop: Option<StopView>,
    offline: bool,
    scripted: bool,
    /// Members that are checklists beside others that are models.
    offline_members: String,
    /// Documents rendered from the ledger, by name; `report` for the coach's words.
    without_model: Vec<&'static str>,
    rounds: usize,
    issues: usize,
    closed: usize,
    open: Rows<OpenIssue<'a>>,
    open_blocking: usize,
    assumed: usize,
    decide: Rows<Decide>,
    /// What the revision was asked for, in short; empty in a first version.
    asked: String,
    in_short: String,
    changes: Option<Changes<'a>>,
    /// What is agreed, need by need.
    agreed_needs: Rows<AgreedNeed<'a>>,
    product: Option<Product<'a>>,
    design: Option<Design<'a>>,
    work: Option<Work<'a>>,
    tests: Option<Tests<'a>>,
    risks: Option<Risks<'a>>,
    objections: Rows<ObjectionRow<'a>>,
    /// Objections that stand, on issues and in debates about none.
    dissent: usize,
    debates: Rows<DebateRow<'a>>,
    /// Debates that were granted and never held.
    unheld: Rows<&'a UnheldDebate>,
    refused: Rows<RefusedRow<'a>>,
    /// The phases of a team.
    phases: Rows<PhaseRow<'a>>,
    phases_done: usize,
    /// What a team's lead made of them; empty in every other format.
    synthesis: &'a str,
    /// What stands in the draft, with whose support.
    settled: Rows<SettledRow<'a>>,
    /// What the coach said after each round.
    summaries: Rows<SummaryRow<'a>>,
    round_rows: Rows<RoundRow>,
    dropped: Rows<DroppedIssue<'a>>,
    /// Those of them that the human had asked for.
    wishes_dropped: Rows<DroppedIssue<'a>>,
    passed_over: Rows<AbsenceRow<'a>>,
    members: Rows<MemberRow<'a>>,
    /// Nudges by code, such as `PP 2`; empty when nobody was nudged.
    nudges: String,
    interventions: u32,
    /// Secrets taken out.
    redacted: u32,
    usage: UsageView,
    digests: Rows<DigestRow>,
    run_id: &'a str,
    tool: &'a str,
    commit: Option<&'a str>,
}

#[derive(Serialize)]
struct ObjectionRow<'a> {
    issue: String,
    title: &'a str,
    status: &'static str,
    member: &'a str,
    round: u32,
    why: &'a str,
    proposal: Option<&'a str>,
}

#[derive(Serialize)]
struct DebateRow<'a> {
    id: String,
    about: Option<String>,
    topic: &'a str,
    after_round: u32,
    rounds: usize,
    participants: String,
    decision: Option<&'static str>,
    conclusion: &'a str,
    rationale: &'a str,
    plain: bool,
    taken: String,
    dissent: Vec<DissentRow<'a>>,
}

#[derive(Serialize)]
struct DissentRow<'a> {
    member: &'a str,
    why: &'a str,
}

#[derive(Serialize)]
struct RefusedRow<'a> {
    round: u32,
    rule: Rule,
    about: &'a str,
    detail: Cow<'a, str>,
}

#[derive(Serialize)]
struct RoundRow {
    round: u32,
    agenda: String,
    settled: String,
    new: String,
    open: usize,
    blocking: usize,
    objected: String,
}

#[derive(Serialize)]
struct SettledRow<'a> {
    id: String,
    issue: String,
    title: &'a str,
    text: &'a str,
    /// The member's own text, where `text` is the coach's words for it.
    proposed: Option<&'a str>,
    by: &'a str,
    supporters: String,
}

#[derive(Serialize)]
struct SummaryRow<'a> {
    round: u32,
    text: &'a str,
}

#[derive(Serialize)]
struct AbsenceRow<'a> {
    member: &'a str,
    round: u32,
    reason: Cow<'a, str>,
}

#[derive(Serialize)]
struct MemberRow<'a> {
    code: &'a str,
    name: &'a str,
    model: String,
    offline: bool,
    usage: Usage,
}

#[derive(Serialize)]
struct UsageView {
    total: u64,
    input: u64,
    output: u64,
    cached_percent: Option<u64>,
    answered: u64,
    failed: u64,
    rejected: u64,
    lost: u64,
    limit: Option<u64>,
    /// In words; none where no prices are known.
    cost: Option<String>,
    budget: Option<String>,
}

#[derive(Serialize)]
struct DigestRow {
    path: String,
    sha256: String,
}

/// Words of the summary: 150, or about as much in Chinese characters.
fn short_limit(lang: Lang) -> usize {
    match lang {
        Lang::En => 150,
        Lang::Zh => 250,
    }
}

/// Computes what the report says.
pub(super) fn report<'a>(state: &'a State, plan: &'a Plan) -> Result<Report<'a>, ArtifactError> {
    let words = state.report.as_ref();
    let documents = &plan.documents;
    let open: Rows<OpenIssue<'_>> = closing::open(state);
    Ok(Report {
        format: plan.format.name(),
        structured: plan.format.structured(),
        version: plan.version,
        from: plan.from.as_ref().map(|from| from.version),
        title: title(state),
        agreed: plan.status == Status::Agreed,
        stop: plan.stop.map(StopView::of),
        offline: plan.offline,
        scripted: state.inputs.is_scripted(),
        offline_members: offline_members(plan),
        without_model: without_model(state),
        rounds: plan.rounds.len(),
        issues: plan.issues.len(),
        closed: plan.issues.len() - open.rows.len(),
        open_blocking: plan.issues.iter().filter(|i| i.is_blocking()).count(),
        open,
        assumed: plan.assumptions.len(),
        decide: closing::decide(state),
        asked: changes::asked(state, short_limit(plan.language) / 3),
        in_short: words.map_or(String::new(), |words| {
            markup::first_words(&words.in_short, short_limit(plan.language))
        }),
        changes: changes::of(state, plan),
        agreed_needs: closing::agreed(state),
        product: documents
            .product_plan
            .as_ref()
            .map(|p| documents::product(p, plan.offline)),
        design: documents.system_design.as_ref().map(documents::design),
        work: documents.dev_plan.as_ref().map(documents::work),
        tests: documents
            .test_plan
            .as_ref()
            .map(|t| documents::tests(t, documents)),
        risks: documents.risk_assessment.as_ref().map(documents::risks),
        objections: objections(state, plan),
        dissent: plan.dissent.objections.len() + plan.dissent.in_debates.len(),
        debates: debates(state, plan),
        unheld: plan.debates_unheld.iter().collect(),
        refused: refused(plan),
        phases: team::rows(state),
        phases_done: state.team.as_ref().map_or(0, |team| team.progress().0),
        synthesis: state
            .team
            .as_ref()
            .and_then(|team| team.synthesis.as_deref())
            .unwrap_or_default(),
        settled: settled(state),
        summaries: summaries(state),
        round_rows: rounds(state, plan),
        dropped: closing::dropped(state),
        wishes_dropped: closing::wishes_dropped(state),
        passed_over: absences(state, plan),
        members: members(plan),
        nudges: nudges(state),
        interventions: plan.course.interventions,
        redacted: plan.redacted,
        usage: usage(plan),
        digests: digests(state)?,
        run_id: &plan.run_id,
        tool: &plan.tool,
        commit: state.inputs.commit.as_deref(),
    })
}

fn title(state: &State) -> String {
    let words = state.report.as_ref().map_or("", |words| words.title.trim());
    let subject = state.subject();
    let first = subject.lines().find(|line| !line.trim().is_empty());
    let title = if words.is_empty() {
        first.unwrap_or_default()
    } else {
        words
    };
    markup::clip(title, 120)
}

fn offline_members(plan: &Plan) -> String {
    if plan.offline {
        return String::new();
    }
    join(plan.members.iter().filter(|m| m.offline).map(|m| &m.code))
}

fn without_model(state: &State) -> Vec<&'static str> {
    let documents = state.documents.iter();
    documents
        .filter(|(_, record)| record.without_model)
        .map(|(kind, _)| kind.name())
        .chain(state.report_without_model.then_some("report"))
        .collect()
}

fn objections<'a>(state: &'a State, plan: &'a Plan) -> Rows<ObjectionRow<'a>> {
    let code = |member| state.inputs.roles.code(member);
    let objections = plan.dissent.objections.iter();
    objections
        .map(|objection| ObjectionRow {
            issue: objection.issue.to_string(),
            title: state
                .ledger
                .find(objection.issue)
                .map_or("", |issue| issue.title.as_str()),
            status: status_name(&objection.status),
            member: code(&objection.member),
            round: objection.round,
            why: &objection.why,
            proposal: objection.proposal.as_deref(),
        })
        .collect()
}

fn debates<'a>(state: &'a State, plan: &'a Plan) -> Rows<DebateRow<'a>> {
    let code = |member| state.inputs.roles.code(member);
    let row = |debate: &'a PlanDebate| {
        let ruling = debate.ruling.as_ref();
        let dissent = ruling.iter().flat_map(|ruling| &ruling.dissent);
        DebateRow {
            id: debate.id.to_string(),
            about: debate.motion.about.map(|id| id.to_string()),
            topic: &debate.motion.debate_config.topic,
            after_round: debate.after_round,
            rounds: debate.rounds.len(),
            participants: join(debate.motion.debate_config.participants.iter().map(code)),
            decision: ruling.map(|ruling| ruling.ruling.decision.name()),
            conclusion: ruling.map_or("", |ruling| &ruling.ruling.conclusion),
            rationale: ruling.map_or("", |ruling| &ruling.ruling.rationale),
            plain: ruling.is_some_and(|ruling| ruling.plain.is_some()),
            taken: join(&debate.taken),
            dissent: dissent
                .map(|dissent| DissentRow {
                    member: code(&dissent.member),
                    why: &dissent.why,
                })
                .collect(),
        }
    };
    plan.debates.iter().map(row).collect()
}

/// Name of an issue's status, the key of its words in the templates.
fn status_name(status: &IssueStatus) -> &'static str {
    match status {
        IssueStatus::Open => "open",
        IssueStatus::Settled { .. } => "settled",
        IssueStatus::Refined { .. } => "refined",
        IssueStatus::Merged { .. } => "merged",
        IssueStatus::Dropped => "dropped",
        IssueStatus::Deferred => "deferred",
    }
}

fn refused(plan: &Plan) -> Rows<RefusedRow<'_>> {
    let refused = plan.dissent.refused.iter();
    refused
        .map(|refused| RefusedRow {
            round: refused.round,
            rule: refused.refusal.rule,
            about: &refused.refusal.about,
            detail: told(&refused.refusal.detail, plan.language),
        })
        .collect()
}

fn settled(state: &State) -> Rows<SettledRow<'_>> {
    let code = |member| state.inputs.roles.code(member);
    let standing = state.draft.standing();
    standing
        .map(|item| SettledRow {
            id: item.id.to_string(),
            issue: item.issue.to_string(),
            title: state.ledger.find(item.issue).map_or("", |i| &i.title),
            text: item.wording.as_ref().unwrap_or(&item.text),
            proposed: item.wording.as_ref().map(|_| item.text.as_str()),
            by: code(&item.proposed_by),
            supporters: join(item.supporters.iter().map(|s| code(&s.member))),
        })
        .collect()
}

fn summaries(state: &State) -> Rows<SummaryRow<'_>> {
    let summaries = state.summaries.iter();
    summaries
        .map(|summary| SummaryRow {
            round: summary.round,
            text: &summary.text,
        })
        .collect()
}

fn rounds(state: &State, plan: &Plan) -> Rows<RoundRow> {
    let rounds = plan.rounds.iter();
    rounds
        .map(|round| RoundRow {
            round: round.round,
            agenda: join(&round.agenda),
            settled: join(&round.settled),
            new: join(&round.entered),
            open: round.open_after.len(),
            blocking: round.blocking_after,
            objected: join(
                round
                    .objections
                    .iter()
                    .map(|o| format!("{} {}", state.inputs.roles.code(&o.member), o.issue)),
            ),
        })
        .collect()
}

fn absences<'a>(state: &'a State, plan: &'a Plan) -> Rows<AbsenceRow<'a>> {
    let absences = plan.passed_over.iter();
    absences
        .map(|absence| AbsenceRow {
            member: state.inputs.roles.code(&absence.member),
            round: absence.round,
            reason: told(&absence.reason, plan.language),
        })
        .collect()
}

fn members(plan: &Plan) -> Rows<MemberRow<'_>> {
    let members = plan.members.iter();
    members
        .map(|member| MemberRow {
            code: &member.code,
            name: member.id.as_str(),
            model: format!("{}/{}", member.provider, member.model),
            offline: member.offline,
            usage: member.usage,
        })
        .collect()
}

fn usage(plan: &Plan) -> UsageView {
    let expense = &plan.usage;
    let total = expense.total;
    UsageView {
        total: total.total(),
        input: total.input,
        output: total.output,
        cached_percent: (total.input > 0)
            .then(|| total.cached_input.min(total.input) * 100 / total.input),
        answered: expense.answered,
        failed: expense.failed,
        rejected: expense.rejected,
        lost: expense.lost,
        limit: expense.limit,
        cost: expense.cost.map(|usd| usd.to_string()),
        budget: expense.budget.map(|usd| usd.to_string()),
    }
}

/// The start of the SHA-256 of requirement and documents; the manifest holds the whole.
fn digests(state: &State) -> Result<Rows<DigestRow>, ArtifactError> {
    let mut rows = Vec::new();
    for kind in DocumentKind::ALL {
        if let Some(record) = state.documents.get(&kind) {
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
    }
    Ok(rows.into_iter().collect())
}

fn nudges(state: &State) -> String {
    let pushes = state.ending.diligence.pushes.iter();
    super::join(pushes.map(|(id, n)| format!("{} {n}", state.inputs.roles.code(id))))
}
