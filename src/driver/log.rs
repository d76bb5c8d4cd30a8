//! Log lines of a run, for diagnosis: every call, nudges, warnings and the guards that ended the
//! run. They are structured (`tracing`): fields have the names of the transcript, and the text is
//! English whatever the language of the run.
//!
//! ```text
//! entry on disk ─▶ record ─▶ tracing event ─▶ the observer's dispatcher ─▶ `-v` on stderr
//! ```

use serde::Serialize;
use tracing::{debug, info, warn};

use crate::machine::{Entry, Event, State};

/// Where calls are logged: started and answered with `-vv`, trouble with `-v`.
const CALL: &str = "aitc::call";
const DILIGENCE: &str = "aitc::diligence";
/// Where guards and proposals to end are logged.
const ENDING: &str = "aitc::ending";

/// Logs an entry that is on disk.
pub(super) fn record(state: &State, entry: &Entry) {
    let run = &*state.run.id;
    calls(run, &entry.event);
    diligence(run, &entry.event);
    ending(run, entry);
}

fn calls(run: &str, event: &Event) {
    if let Some(receipt) = event.receipt() {
        let (call, model, usage) = (&receipt.call, &receipt.model, &receipt.usage);
        debug!(
            target: CALL, run, %call, model,
            usage.input, usage.cached_input, usage.output, usage.reasoning,
            latency_ms = receipt.latency_ms, "answered"
        );
    }
    match event {
        Event::CallStarted {
            call,
            model,
            input_context,
            reserve,
            ..
        } => debug!(
            target: CALL, run, %call, model, bytes = input_context.bytes, reserve, "started"
        ),
        Event::CallFailed {
            call,
            kind,
            detail,
            retryable,
            latency_ms,
            ..
        } => warn!(
            target: CALL, run, %call, kind = name(kind), ?detail, retryable, latency_ms, "failed"
        ),
        Event::ReplyRejected {
            receipt,
            reason,
            finish,
            ..
        } => warn!(
            target: CALL, run, call = %receipt.call, ?reason, finish = name(finish), "rejected"
        ),
        _ => {}
    }
}

fn diligence(run: &str, event: &Event) {
    match event {
        Event::DiligencePush {
            why,
            source,
            language,
            left,
            receipt,
            ..
        } => info!(
            target: DILIGENCE, run, member = %receipt.call.member, call = %receipt.call,
            language = language.code(), source, why = name(why), left, "pushed"
        ),
        Event::DiligenceExhausted {
            id, why, receipt, ..
        } => info!(
            target: DILIGENCE, run, member = %receipt.call.member, call = %receipt.call,
            why = name(why), question = %id, "exhausted"
        ),
        Event::DiligenceOff {
            source,
            language,
            members,
        } => {
            for member in members {
                info!(
                    target: DILIGENCE, run, %member, language = language.code(), source, left = 0, "off"
                );
            }
        }
        _ => {}
    }
}

fn ending(run: &str, entry: &Entry) {
    let (round, active_ms) = (entry.round, entry.active_ms);
    match &entry.event {
        Event::GuardWarned {
            guard,
            value,
            limit,
            unit,
            sign,
        } => warn!(
            target: ENDING, run, guard = name(guard), sign = sign.map(|sign| name(&sign)),
            value, limit, unit = unit.map(|unit| name(&unit)), round, active_ms, "warned"
        ),
        Event::GuardFired {
            guard,
            value,
            limit,
            unit,
            sign,
        } => info!(
            target: ENDING, run, guard = name(guard), sign = sign.map(|sign| name(&sign)),
            value, limit, unit = unit.map(|unit| name(&unit)), round, active_ms, "fired"
        ),
        Event::EndProposal { agent_name, .. } => {
            info!(target: ENDING, run, member = %agent_name, round, active_ms, "proposed");
        }
        Event::EndDecision {
            guard,
            confirmed,
            by,
            granted,
            ..
        } => info!(
            target: ENDING, run, guard = name(guard), confirmed, by = name(by), granted,
            round, active_ms, "decided"
        ),
        _ => {}
    }
}

/// A value's name in the transcript.
fn name(of: &impl Serialize) -> String {
    match serde_json::to_value(of) {
        Ok(serde_json::Value::String(name)) => name,
        Ok(other) => other.to_string(),
        Err(error) => error.to_string(),
    }
}
