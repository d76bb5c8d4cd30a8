//! Renders one event as terminal lines: collects the values for the template `lines.j2`.

use std::collections::BTreeMap;

use minijinja::context;
use minijinja::value::Serde;
use serde_json::{Value, json};

use super::text::{name_of, word};
use super::{Style, closing, layout, lines, live};
use crate::fault::Text;
use crate::machine::similarity::Score;
use crate::machine::{
    AfterFailure, CallId, ConsensusId, EndCause, Entry, Event, ExceededBound, Excerpt, Forecast,
    IssueId, QuestionId, QuestionMode, Receipt, Scope, State, StopReason, StopSign, Usd,
    after_failure, budget, debate, ending, intervention, is_asked_again, secrets_in, shown,
};
use crate::reply::DocumentKind;

/// The lines for `entry`, without a final line break; `state` is the state after it. `None` for
/// events that are not shown.
pub fn line(state: &State, entry: &Entry, style: &Style) -> Option<String> {
    let (small, outgrown) = size(state, &entry.event).unzip();
    // The first event is not passed whole: roles, templates and the previous version make it large.
    let told = match &entry.event {
        Event::UserInput { .. } => json!({"phase": "user_input"}),
        _ => serde_json::to_value(entry).unwrap_or_default(),
    };
    let context = context! {
        e => Serde(told),
        x => Serde(facts(state, &entry.event, style)),
        figure => figure(entry.event.receipt(), style),
        no_review => debate::leaves_review_out(state),
        small,
        outgrown,
    };
    let lines = lines::render_lines("lines", context, state, style);
    (!lines.is_empty()).then_some(lines)
}

/// Time and tokens of an answer; empty for a replayed one.
fn figure(receipt: Option<&Receipt>, style: &Style) -> String {
    match receipt {
        // A replayed answer used no tokens, and a zero would look like an error.
        Some(receipt) if receipt.usage.total() == 0 => String::new(),
        Some(receipt) => {
            let took = live::clock(receipt.latency_ms);
            let about = layout::about(&receipt.usage);
            let total = layout::tokens(receipt.usage.total());
            format!("{took}{}{about}{total}", layout::dot(style))
        }
        None => super::text::WITHOUT_MODEL.of(style.lang).to_owned(),
    }
}

/// Whether the work is small (`yes`), or what outgrew that (`issues`, `blocking`, `files`), and how
/// many there are; `None` for events that decide neither.
fn size(state: &State, event: &Event) -> Option<(&'static str, usize)> {
    let outgrown = state.is_judged_small().then(|| state.outgrown())?;
    match (event, outgrown) {
        (Event::CoachInitialJudgment { .. }, None) => Some(("yes", 0)),
        (Event::CoachInitialJudgment { .. }, Some(ExceededBound::Issues(n))) => Some(("issues", n)),
        (Event::ConsensusSummary { .. }, Some(ExceededBound::Blocking(n))) if state.round == 1 => {
            Some(("blocking", n))
        }
        (
            Event::Document {
                kind: DocumentKind::SystemDesign,
                ..
            },
            Some(ExceededBound::Files(n)),
        ) => Some(("files", n)),
        _ => None,
    }
}

/// Values for the lines of an event that are not in the event but in the state after it.
fn facts(state: &State, event: &Event, style: &Style) -> Value {
    match event {
        Event::UserInput {
            inputs, content, ..
        } => json!({
            "format": inputs.format,
            "n": inputs.run().within_format(),
            "members": inputs.roles.members.len(),
            "model": (!inputs.is_scripted()).then_some(&inputs.model.model),
            "about": shown(content),
            "taken": secrets_in(event),
        }),
        Event::RoundStarted { issues } => {
            let issues = issues.iter().filter_map(|id| state.ledger.find(*id));
            let issues =
                issues.map(|it| json!({"id": it.id, "title": it.title, "severity": it.severity}));
            json!({ "issues": issues.collect::<Vec<_>>() })
        }
        Event::SimilarityMeasured { measurement } => {
            let own = measurement.members.iter().filter_map(|m| m.own.first());
            let mean = Score::mean(own.map(|own| own.score));
            json!({ "mean": mean.map(|mean| mean.to_string()) })
        }
        Event::ConsensusSummary { consensus, .. } => {
            let mut by_issue: BTreeMap<IssueId, Vec<ConsensusId>> = BTreeMap::new();
            for item in consensus {
                by_issue.entry(item.issue).or_default().push(item.id);
            }
            let settled = by_issue.iter();
            let settled = settled.map(|(issue, items)| format!("{issue} ({})", layout::ids(items)));
            let open = state.ledger.open().map(|issue| issue.id);
            json!({"settled": settled.collect::<Vec<_>>(), "open": open.collect::<Vec<_>>()})
        }
        Event::Document { kind, .. } => {
            json!({ "writer": state.inputs.roles.writer(*kind).map(|role| &role.id) })
        }
        Event::Amendment(done) => {
            json!({ "writer": done.kind.writer(state) })
        }
        Event::Review(_) | Event::ReviewClosed(_) => {
            let what = match state.team {
                Some(_) => "the_synthesis",
                None => "plan",
            };
            json!({"what": word(what).of(style.lang), "review": closing::reviewed(state)})
        }
        Event::CallStarted {
            call,
            input_context,
            ..
        } => forecast(state, call, input_context.bytes),
        Event::CallFailed { call, .. } => {
            let then = match after_failure(state, call) {
                AfterFailure::Again => "again",
                AfterFailure::Later => "later",
                AfterFailure::Never => "never",
            };
            json!({ "then": then })
        }
        Event::ReplyRejected { receipt, .. } => {
            json!({ "again": is_asked_again(state, &receipt.call) })
        }
        Event::CallGivenUp { call, .. } => {
            let phase = match call.scope {
                Scope::Phase(n) => Some(format!("P-{n}")),
                _ => None,
            };
            let phases = state.team.as_ref().map(|team| team.plan.phases());
            json!({"turn": call.turn, "phase": phase, "phases": phases})
        }
        Event::GuardWarned(end) | Event::DiscussionEnded(end) => guarded(state, end, style),
        Event::Resumed { models, .. } => {
            let changes = state.run.model_changes.iter();
            let now = changes.filter(|change| models.is_some() && change.round == state.round);
            let now = now.map(
                |change| json!({"members": change.members, "from": change.from, "to": change.to}),
            );
            json!({ "models": now.collect::<Vec<_>>() })
        }
        Event::Inquiry { looked, .. } => {
            let by = looked.first().and_then(|one| state.raised_by(one.id));
            let places = looked.iter().flat_map(|one| &one.finds).map(Excerpt::place);
            json!({"by": by, "places": places.collect::<Vec<_>>()})
        }
        Event::UserClarificationNeeded { id, .. }
        | Event::UserClarificationDialogue { id, .. }
        | Event::ClarificationFollowedUp { id, .. } => asked_by(state, *id),
        Event::UserIntervention { content, .. } => json!({
            "topic": intervention::topic(content),
            "answered": intervention::answered(content),
            "why": intervention::reason(content),
            "sums_up": ending::has_to_be_summed_up(state),
            "leaves_open": ending::is_pending(state),
            "most_debates": debate::most(state),
        }),
        Event::DebateStarted(started) => {
            let team = state.team.as_ref();
            let phase = team.and_then(|team| {
                let phase = team.plan.find(team.debates.get(&started.debate)?)?;
                let waiting = team.plan.phases().iter();
                let waiting = waiting.filter(|other| other.depends_on.contains(&phase.id));
                let waiting: Vec<_> = waiting.map(|other| &other.id).collect();
                Some(json!({"id": phase.id, "after": phase.depends_on, "waiting": waiting}))
            });
            json!({ "phase": phase })
        }
        _ => json!({}),
    }
}

/// The estimate of calls, tokens and money, before the first call of a run; empty otherwise.
fn forecast(state: &State, call: &CallId, bytes: u64) -> Value {
    // If the limits leave no room for a discussion, the first call is that of a document.
    let is_first = state.calls.answered == 0 && state.calls.open.len() == 1;
    if !is_first || call.attempt > 1 {
        return json!({});
    }
    let Some(forecast) = Forecast::of(state, bytes) else {
        return json!({});
    };
    let limits = &state.inputs.rules.limits;
    let cap = limits.max_tokens.filter(|cap| *cap < forecast.tokens);
    let budget = limits.budget_usd.filter(|cap| Some(*cap) < forecast.usd);
    json!({
        "format": state.inputs.format,
        "calls": forecast.calls,
        "chain": forecast.chain,
        "tokens": layout::tokens(forecast.tokens),
        "usd": forecast.usd.map(|usd| usd.to_string()),
        "trials": state.inputs.trials,
        "carried": forecast.carried,
        "small_cap": cap.map(layout::tokens),
        "small_budget": budget.map(|cap| cap.to_string()),
    })
}

/// The name of a guard with its value and limit, formatted.
fn guarded(state: &State, end: &EndCause, style: &Style) -> Value {
    let is_money = end.reason == StopReason::Budget && budget::is_money(state, end.limit);
    let figure = |figure: u64| match end.sign {
        Some(StopSign::Repetition) => Score::from_ratio(figure as f64 / 1000.0).to_string(),
        None if is_money => format!("${}", Usd::from_nanos(figure)),
        _ => figure.to_string(),
    };
    let name: Text = match is_money {
        true => word("money_guard"),
        false => name_of("ended", &end.reason),
    };
    json!({
        "guard": name.of(style.lang),
        "value": figure(end.value),
        "limit": figure(end.limit),
        "attended": state.ending.attended,
        "vote": state.ending.ended_by_vote,
    })
}

/// Who asks a question, and whether it is asked on the terminal.
fn asked_by(state: &State, id: QuestionId) -> Value {
    let question = state.questions.find(id);
    json!({
        "is_put": state.inputs.questions == QuestionMode::Ask,
        "asker": question.map(|question| &question.asked_by),
        "is_further": question.is_some_and(|question| question.dialogue.len() > 1),
    })
}
