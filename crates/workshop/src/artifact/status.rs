//! `state.md`: where the run stands, for people and for scripts that read its frontmatter.

use serde::Serialize;

use super::gather::stop_figures;
use super::page::Pages;
use super::report::StopView;
use super::{Artifact, ArtifactError};
use crate::machine::debate::{self, UnheldDebate};
use crate::machine::{
    Format, Question, Stage, State, StopReason, Voice, ending, max_rounds, similarity,
};
use crate::reply::Severity;

/// The template.
pub(super) const PAGE: &str = "report/state.j2";

/// The status as the state has it now.
pub(super) fn render(state: &State, pages: &Pages) -> Result<Artifact, ArtifactError> {
    Ok(super::text(
        "state.md",
        pages.render(PAGE, &StatusView::of(state))?,
    ))
}

#[derive(Serialize)]
struct StatusView<'a> {
    /// Its kind, as the frontmatter has it.
    workflow: &'static str,
    version: u32,
    /// Who speaks, where it is the same for everybody.
    voice: Option<Voice>,
    round: u32,
    max_rounds: u32,
    started_at: &'a str,
    last_activity_at: &'a str,
    consensus: bool,
    stop: Option<StopReason>,
    value: u64,
    limit: u64,
    /// The same with everything a sentence about it needs.
    ended: Option<StopView>,
    silence_count: u32,
    flags: Flags,
    stage: &'static str,
    /// File that people read first once it is there.
    report: &'static str,
    writes_documents: bool,
    team: Option<TeamView>,
    counts: Counts,
    open: Vec<OpenView<'a>>,
    waiting: Vec<WaitingView<'a>>,
    /// Topics of debates that were granted and are still to be held.
    debates_due: Vec<&'a str>,
    debates_unheld: Vec<UnheldDebate>,
}

/// Which guards have fired, or would if they were obeyed.
#[derive(Serialize)]
struct Flags {
    round_limit: bool,
    time_limit: bool,
    silence: bool,
    user_requested: bool,
    similarity: bool,
    proposal: bool,
    budget: bool,
}

impl Flags {
    fn of(state: &State) -> Self {
        let decided = state.ending.decided.map(|decided| decided.reason);
        let stopped = state.stop.as_ref().map(|stop| stop.reason);
        let ends = |guard| stopped == Some(guard) || (stopped.is_none() && decided == Some(guard));
        let found = |guard| ends(guard) || state.warned.contains(&guard);
        let reached = |guard| {
            let (value, limit) = ending::figures(state, guard);
            ends(guard) || (stopped.is_none() && value >= limit)
        };
        Self {
            round_limit: reached(StopReason::RoundLimit),
            time_limit: reached(StopReason::TimeLimit),
            silence: found(StopReason::Silence),
            user_requested: ends(StopReason::User),
            similarity: found(StopReason::Similarity),
            proposal: ends(StopReason::Proposal) || state.ending.proposal.is_some(),
            budget: ends(StopReason::Budget),
        }
    }
}

#[derive(Serialize)]
struct Counts {
    speeches: usize,
    issues_open: usize,
    issues_blocking: usize,
    issues_closed: usize,
    consensus_items: usize,
    questions_waiting: usize,
    assumptions: usize,
    documents: usize,
    interventions: u32,
    end_proposals: u32,
    diligence_pushes: u32,
    /// Questions that were looked into.
    inquiries: usize,
    calls: u64,
    tokens: u64,
    secrets_redacted: u32,
}

/// Phases of a team.
#[derive(Serialize)]
struct TeamView {
    done: usize,
    phases: usize,
}

#[derive(Serialize)]
struct OpenView<'a> {
    id: String,
    title: &'a str,
    severity: Severity,
}

#[derive(Serialize)]
struct WaitingView<'a> {
    id: String,
    text: &'a str,
}

impl<'a> StatusView<'a> {
    fn of(state: &'a State) -> Self {
        let open = state.ledger.open().count();
        let blocking = state.ledger.blocking().count();
        Self {
            workflow: match state.inputs.format {
                Format::Workshop => "planning-workshop",
                Format::Party => "party-mode",
                other => other.name(),
            },
            version: state.inputs.version,
            voice: state.inputs.voice(),
            round: state.round,
            max_rounds: max_rounds(state),
            started_at: &state.started_at,
            last_activity_at: &state.last_activity_at,
            // Before the first summary an empty list says nothing about agreement.
            consensus: !state.summaries.is_empty() && blocking == 0,
            stop: state.stop.as_ref().map(|stop| stop.reason),
            value: state.stop.as_ref().map_or(0, |stop| stop.value),
            limit: state.stop.as_ref().map_or(0, |stop| stop.limit),
            ended: stop_figures(state).map(StopView::of),
            silence_count: similarity::alike_rounds(state).saturating_sub(1),
            flags: Flags::of(state),
            stage: stage_name(state.stage),
            report: state.inputs.format.report(),
            writes_documents: state.inputs.format.writes_documents(),
            team: state.team.as_ref().map(|team| {
                let (done, phases) = team.progress();
                TeamView { done, phases }
            }),
            counts: Counts {
                speeches: state.speeches.len() + state.waiting_speeches.len(),
                issues_open: open,
                issues_blocking: blocking,
                issues_closed: state.ledger.iter().count() - open,
                consensus_items: state.draft.standing().count(),
                questions_waiting: waiting(state).count(),
                assumptions: state.assumptions.len(),
                documents: state.documents.len(),
                interventions: state.ending.interventions,
                end_proposals: state.ending.proposals.0,
                diligence_pushes: state.ending.diligence.pushes.values().sum(),
                inquiries: state.looked.len(),
                calls: state.calls.answered,
                tokens: state.calls.used.total(),
                secrets_redacted: state.redacted,
            },
            open: state
                .ledger
                .open()
                .map(|issue| OpenView {
                    id: issue.id.to_string(),
                    title: &issue.title,
                    severity: issue.severity,
                })
                .collect(),
            waiting: waiting(state)
                .map(|question| WaitingView {
                    id: question.id.to_string(),
                    text: question.current_text(),
                })
                .collect(),
            debates_due: debates_due(state),
            debates_unheld: debate::unheld(state),
        }
    }
}

/// Nor does a question wait then, whatever was left open.
fn waiting(state: &State) -> impl Iterator<Item = &Question> {
    let questions = state.waiting_questions();
    questions.filter(|_| state.stop.is_none())
}

/// After the end nothing is still to be held.
fn debates_due(state: &State) -> Vec<&str> {
    let wanted = state.docket.wanted.iter();
    let due = wanted.filter(|_| state.stop.is_none());
    due.map(|wanted| &*wanted.topic).collect()
}

/// Name of a stage, the key of its words in the templates.
fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Opening => "opening",
        Stage::Judging => "judging",
        Stage::Between => "between",
        Stage::Speaking => "speaking",
        Stage::Summarising => "summarising",
        Stage::Closing => "closing",
        Stage::Reporting => "reporting",
        Stage::Complete => "complete",
        Stage::Published => "published",
    }
}
