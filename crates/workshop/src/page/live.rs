//! The page of a run in progress: its events, who is asked right now, and the questions that wait.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{PageTarget, add, cleaned, frame, grouped, no_json, plain, rendered};
use crate::artifact;
use crate::fault::Fault;
use crate::machine::{
    CallId, Entry, Event, IssueStatus, Lang, Stage, State, StopReason, budget, ending, intervention,
};
use crate::words::word;

/// A call in flight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallInFlight {
    /// Id of the call.
    pub call: CallId,
    /// Its start, RFC 3339 in UTC.
    pub since: String,
}

/// What the panel beside the discussion shows besides the state.
#[derive(Debug, Clone)]
pub struct LiveStatus<'a> {
    /// The stage of the run, in a few words.
    pub stage: &'a str,
    /// Whether a process works on the run.
    pub alive: bool,
    /// The calls in flight.
    pub speaking: &'a [CallInFlight],
    /// The partial answers, rendered by [`saying`].
    pub saying: &'a str,
}

/// Template values that all parts of the page need.
fn run_context(state: &State, lang: Lang) -> Value {
    let mut context = frame(state, PageTarget::Served(None), lang, "talk");
    // Every id has an anchor on the page of the plan, now or later.
    let at = format!("/{}", state.inputs.run());
    add(&mut context, json!({"known": Value::Null, "at": at}));
    context
}

/// One event as HTML; `state` is the state after it, `told` its lines on a terminal. Empty for
/// events that are not shown.
///
/// # Errors
/// The event cannot be serialised as JSON.
pub fn piece(
    state: &State,
    entry: &Entry,
    told: Option<&str>,
    lang: Lang,
) -> Result<String, Fault> {
    if matches!(entry.event, Event::CallStarted { .. }) {
        return Ok(String::new());
    }
    let mut context = run_context(state, lang);
    let mut event = entry.clone();
    // The first event is not passed whole: roles, templates and the previous version make it large.
    let event = match &mut event.event {
        Event::UserInput {
            content, feedback, ..
        } => json!({"phase": "user_input", "content": content, "feedback": feedback}),
        _ => serde_json::to_value(&event).map_err(no_json)?,
    };
    let side = match &entry.event {
        Event::ExpertArgument(argument) => {
            let debate = state
                .debates
                .held
                .iter()
                .find(|one| one.id == argument.debate);
            let place = debate.and_then(|debate| {
                let mut members = debate.participants().iter();
                members.position(|member| *member == argument.receipt.call.member)
            });
            format!("side-{}", place.unwrap_or(0) % 2)
        }
        _ => String::new(),
    };
    add(
        &mut context,
        json!({
            "e": cleaned(&event)?,
            "told": told.map(plain),
            "side": side,
        }),
    );
    Ok(rendered("piece", &context)?.trim().to_owned())
}

/// The partial answers of the calls in flight, shown below the events; empty if there are none.
///
/// # Errors
/// The template cannot be rendered: a bug.
pub fn saying(state: &State, said: &BTreeMap<CallId, String>, lang: Lang) -> Result<String, Fault> {
    let said = said.iter().map(|(call, text)| {
        json!({"member": call.member, "purpose": call.purpose.name(), "text": plain(text)})
    });
    let said: Vec<Value> = said.collect();
    let mut context = run_context(state, lang);
    add(&mut context, json!({ "said": said }));
    Ok(rendered("saying", &context)?.trim().to_owned())
}

/// The panel beside the discussion: stage, calls in flight, guards, issues.
///
/// # Errors
/// A part of the state cannot be serialised as JSON.
pub fn board(state: &State, now: &LiveStatus<'_>, lang: Lang) -> Result<String, Fault> {
    let mut context = run_context(state, lang);
    let calls: Vec<Value> = now
        .speaking
        .iter()
        .map(|one| {
            let call = &one.call;
            json!({"member": call.member, "purpose": call.purpose.name(), "since": one.since})
        })
        .collect();
    let phases = state.team.as_ref();
    let phases = phases.map(|team| artifact::planned_team(team).phases);
    let mut issues: Vec<_> = state.ledger.iter().collect();
    issues.sort_by_key(|issue| issue.status != IssueStatus::Open);
    let shrinking: Vec<usize> = state
        .discussion
        .summaries
        .iter()
        .map(|summary| summary.open_after().len())
        .collect();
    let shrinking = match state.judgment.initial_issues {
        0 => Vec::new(),
        first => [vec![first], shrinking].concat(),
    };
    add(
        &mut context,
        json!({
            "alive": now.alive,
            "b": {
                "stage": now.stage,
                "over": state.stage >= Stage::Complete,
                "calls": calls,
                "guards": guards(state, lang),
                "shrinking": if phases.is_some() { Vec::new() } else { shrinking },
                "issues": cleaned(&issues)?,
                "phases": cleaned(&phases)?,
            },
        }),
    );
    rendered("board", &context)
}

/// Rounds, minutes, tokens and money, each with its limit if there is one.
fn guards(state: &State, lang: Lang) -> Vec<Value> {
    let (round, rounds) = ending::figures(state, StopReason::RoundLimit);
    let (minutes, most) = ending::figures(state, StopReason::TimeLimit);
    let limits = &state.inputs.rules.limits;
    let guard = |name: &str, value: String, limit: Option<String>, at: u64, of: u64| {
        let name = word(name).of(lang);
        json!({"name": name, "value": value, "limit": limit, "at": at.min(of), "of": of})
    };
    let rounds_of = match state.team {
        Some(_) => "guard.layers",
        None => "guard.rounds",
    };
    let used = state.calls.used.total();
    let mut guards = vec![
        guard(
            rounds_of,
            round.to_string(),
            Some(rounds.to_string()),
            round,
            rounds,
        ),
        guard(
            "guard.minutes",
            minutes.to_string(),
            Some(most.to_string()),
            minutes,
            most,
        ),
        guard(
            "guard.tokens",
            grouped(used),
            limits.max_tokens.map(grouped),
            used,
            limits.max_tokens.unwrap_or_default(),
        ),
    ];
    if let Some(cost) = budget::cost(state) {
        let most = limits.budget_usd;
        guards.push(guard(
            "guard.money",
            format!("${cost}"),
            most.map(|most| format!("${most}")),
            cost.nanos(),
            most.map(|most| most.nanos()).unwrap_or_default(),
        ));
    }
    guards
}

/// The questions that wait for the user, each with a field for the answer.
///
/// # Errors
/// The template cannot be rendered: a bug.
pub fn asked(state: &State, lang: Lang) -> Result<String, Fault> {
    if intervention::is_over(state) {
        return Ok(String::new());
    }
    let mut context = run_context(state, lang);
    let questions = state.questions.waiting().map(|question| {
        json!({
            "id": question.id,
            "asked_by": question.asked_by,
            "text": question.current_text(),
            "why": question.current_why(),
            "options": question.current_options(),
            "recommended": question.current_recommended(),
        })
    });
    let questions: Vec<Value> = questions.collect();
    add(&mut context, json!({"questions": cleaned(&questions)?}));
    rendered("ask", &context)
}

/// The whole page of a discussion: `pieces` in order, the panel beside them, and the number of the
/// last event. `earlier` is the number of the event before the first piece, if earlier events were
/// left out.
///
/// # Errors
/// As [`board`].
pub fn talk(
    state: &State,
    pieces: &[&str],
    earlier: Option<u64>,
    now: &LiveStatus<'_>,
    (place, lang): (PageTarget, Lang),
    live: bool,
) -> Result<String, Fault> {
    let mut context = frame(state, place, lang, "talk");
    add(
        &mut context,
        json!({
            "going": live && state.stage < Stage::Published,
            "pieces": pieces,
            "earlier": earlier,
            "seq": state.run.seq,
            "over": intervention::is_over(state),
            "board": board(state, now, lang)?,
            "ask": asked(state, lang)?,
            "saying": if live { now.saying } else { "" },
        }),
    );
    rendered("talk", &context)
}
