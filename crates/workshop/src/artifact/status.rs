//! `state.md`: the status of the run, for people and for scripts that read its front matter.

use serde_json::{Value, json};

use super::Artifact;
use super::gather::stop_figures;
use super::page::Pages;
use super::report::stop_view;
use crate::fault::Fault;
use crate::machine::debate;
use crate::machine::{Format, State, StopReason, ending, max_rounds, similarity};

pub(super) const PAGE: &str = "report/state.j2";

pub(super) fn render(state: &State, pages: &Pages) -> Result<Artifact, Fault> {
    Ok(super::text("state.md", pages.render(PAGE, &view(state))?))
}

/// The template values of the status; those of the front matter come first.
fn view(state: &State) -> Value {
    let stop = state.ending.stop.as_ref();
    let blocking = state.ledger.blocking().count();
    let open = state
        .ledger
        .open()
        .map(|issue| json!({"id": issue.id, "title": issue.title, "severity": issue.severity}));
    // Nothing waits once the discussion has ended.
    let waiting = state.questions.waiting().filter(|_| stop.is_none());
    let waiting =
        waiting.map(|question| json!({"id": question.id, "text": question.current_text()}));
    let due = state.debates.wanted.iter().filter(|_| stop.is_none());
    let (open, waiting): (Vec<_>, Vec<_>) = (open.collect(), waiting.collect());
    let phases = state.team.as_ref().map(|team| {
        let (done, phases) = team.progress();
        json!({"done": done, "phases": phases})
    });
    json!({
        "workflow": match state.inputs.format {
            Format::Workshop => "planning-workshop",
            Format::Party => "party-mode",
            other => other.name(),
        },
        "run": state.inputs.run().to_string(),
        "version": state.inputs.version,
        "name": state.inputs.run().within_format(),
        // Whose words the run contains, if that is the same for all members.
        "voice": state.inputs.voice(),
        "round": state.round,
        "max_rounds": max_rounds(state),
        "started_at": state.run.started_at,
        "last_activity_at": state.run.last_activity_at,
        // Before the first summary, a list without blocking issues does not mean agreement.
        "consensus": !state.discussion.summaries.is_empty() && blocking == 0,
        "stop": stop.map(|stop| stop.reason),
        "value": stop.map_or(0, |stop| stop.value),
        "limit": stop.map_or(0, |stop| stop.limit),
        // The same values, with everything needed for a sentence about them.
        "ended": stop_figures(state).map(stop_view),
        "silence_count": similarity::alike_rounds(state).saturating_sub(1),
        "flags": flags(state),
        "stage": state.stage,
        // The file that people read first once it exists.
        "report": state.inputs.format.report(),
        "writes_documents": state.inputs.format.writes_documents(),
        "team": phases,
        "counts": {
            "speeches": state.discussion.speeches.len() + state.discussion.waiting_speeches.len(),
            "issues_open": open.len(),
            "issues_blocking": blocking,
            "issues_closed": state.ledger.iter().count() - open.len(),
            "consensus_items": state.draft.standing().count(),
            "questions_waiting": waiting.len(),
            "assumptions": state.questions.assumptions.len(),
            "documents": state.documents.written.len(),
            "interventions": state.ending.interventions,
            "end_proposals": state.ending.proposals.0,
            "diligence_pushes": state.ending.diligence.pushes.values().sum::<u32>(),
            // Number of questions that were looked up in the files.
            "inquiries": state.grounding.looked.len(),
            "calls": state.calls.answered,
            "tokens": state.calls.used.total(),
            "tokens_estimated": state.calls.used.estimated,
            "secrets_redacted": state.run.redacted,
        },
        "open": open,
        "waiting": waiting,
        // Topics of debates that were granted but not held yet.
        "debates_due": due.map(|wanted| &wanted.topic).collect::<Vec<_>>(),
        "debates_unheld": debate::unheld(state),
    })
}

/// Whether each guard has ended the discussion, or would if it were applied.
fn flags(state: &State) -> Value {
    let decided = state.ending.decided.map(|decided| decided.reason);
    let stopped = state.ending.stop.as_ref().map(|stop| stop.reason);
    let ends = |guard| stopped == Some(guard) || (stopped.is_none() && decided == Some(guard));
    let found = |guard| ends(guard) || state.ending.warned.contains(&guard);
    let reached = |guard| {
        let (value, limit) = ending::figures(state, guard);
        ends(guard) || (stopped.is_none() && value >= limit)
    };
    json!({
        "round_limit": reached(StopReason::RoundLimit),
        "time_limit": reached(StopReason::TimeLimit),
        "silence": found(StopReason::Silence),
        "user_requested": ends(StopReason::User),
        "similarity": found(StopReason::Similarity),
        "proposal": ends(StopReason::Proposal) || state.ending.proposal.is_some(),
        "budget": ends(StopReason::Budget),
    })
}
