//! Turns a model's text into an event, whatever the call asked for.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::budget::{self, Reserve};
use super::debate;
use super::event::{Event, Note, Receipt};
use super::format::Format;
use super::inputs::{SCRIPTED, holds_the_form};
use super::normalize::{
    accounts, is_dangling, lacks_substance, normalize_document, normalize_report, report_put_back,
};
use super::state::State;
use super::summary::summary;
use super::truncation;
use super::{carry_over, decide, diligence, look, proposal, review, team, vote};
use crate::call::{CallId, Purpose, Scope};
use crate::chat::FinishReason;
use crate::fault::recorded;
use crate::ids::QuestionId;
use crate::reply::{self, Contribution, DocumentKind, ParsedReply, ReplyError, Truncation};

/// Returns the event of a reply: the one its call asked for, or an [`Event::ReplyRejected`] with
/// the reason.
pub fn event_of(state: &State, receipt: Receipt, text: &str, finish: FinishReason) -> Event {
    read(state, &receipt, text, finish).unwrap_or_else(|reason| {
        debug_assert!(recorded::is_known(&reason), "no Chinese for `{reason}`");
        Event::ReplyRejected {
            receipt,
            output: text.to_owned(),
            reason,
            finish,
            put_back: false,
        }
    })
}

fn read(
    state: &State,
    receipt: &Receipt,
    text: &str,
    finish: FinishReason,
) -> Result<Event, String> {
    match finish {
        FinishReason::Length => {
            return Err("the reply was cut by its length limit; say the same in fewer words and with fewer entries".to_owned());
        }
        FinishReason::ContentFilter => {
            return Err("the provider's content filter cut the reply".to_owned());
        }
        FinishReason::Stop | FinishReason::Other => {}
    }
    if let Some(looks) = look::wanted(state, receipt, text) {
        return Ok(looks);
    }
    let (paid, call) = (receipt.clone(), &receipt.call);
    let team = state.inputs.format == Format::Team;
    let (mut event, cuts) = match call.purpose {
        Purpose::Judgment if team => {
            let (plan, cuts) = taken(state, call, reply::read_team_plan(text))?;
            (team::planned(state, paid, plan)?, cuts)
        }
        Purpose::Report if team => {
            let (said, cuts) = taken(state, call, reply::read_synthesis(text))?;
            (team::synthesised(state, paid, said)?, cuts)
        }
        Purpose::Document(kind) => document(state, paid, kind, text)?,
        Purpose::Review | Purpose::Verdict => {
            let (said, cuts) = taken(state, call, reply::read_in_part(text))?;
            let event = match call.purpose {
                Purpose::Review => review::reviewed(paid, said),
                _ => review::judged(state, paid, said)?,
            };
            (event, cuts)
        }
        Purpose::Report => {
            let (said, cuts) = taken(state, call, reply::read_report(text))?;
            let (words, notes) = normalize_report(state, said);
            // A recording may answer an older prompt, and a grammar may have no room for a whole
            // plan.
            let provider = &state.inputs.model_of(&call.member).provider;
            let may_lack = holds_the_form(provider) || provider == SCRIPTED;
            let why = report_put_back(&notes, words.plan.is_none() && may_lack);
            let may_ask = !state.calls.was_rejected(call) && has_room(state, call);
            if let Some(reason) = why.filter(|_| may_ask) {
                return Err(reason);
            }
            let event = Event::Report {
                receipt: Some(paid),
                words,
                notes,
            };
            (event, cuts)
        }
        _ => return contribution(state, paid, text),
    };
    truncation::tell(&mut event, &cuts);
    Ok(event)
}

/// Returns what an answer says, without the end marker, and what was cut from it.
fn taken<T: Serialize + DeserializeOwned>(
    state: &State,
    call: &CallId,
    read: Result<ParsedReply<T>, ReplyError>,
) -> Result<(T, Vec<Truncation>), String> {
    let read = read.map_err(|error| error.to_string())?;
    truncation::put_back(state, call, &read.cuts)?;
    let said = state.inputs.rules.ending.marker.without_marker(read.said)?;
    Ok((said, read.cuts))
}

/// Returns whether the budget leaves room for one more call. Without it, rejecting an answer would
/// lose it.
fn has_room(state: &State, call: &CallId) -> bool {
    let open = state.calls.open.get(call);
    open.is_none_or(|open| {
        let again = Reserve {
            tokens: open.reserve,
            usd: Some(open.reserve_usd),
            closing_tokens: 0,
            closing_usd: None,
        };
        budget::allows_closing(state, again)
    })
}

/// Reads a document from its writer, new or amended.
fn document(
    state: &State,
    receipt: Receipt,
    kind: DocumentKind,
    text: &str,
) -> Result<(Event, Vec<Truncation>), String> {
    let read = reply::read_document(kind, text).map_err(|e| e.to_string())?;
    truncation::put_back(state, &receipt.call, &read.cuts)?;
    let said = read.said;
    let written = said.document;
    let written = written.ok_or("the reply does not fit the schema: `document` is null")?;
    let written = state.inputs.rules.ending.marker.without_marker(written)?;
    let amends = receipt.call.amends();
    let before = carry_over::goes_on_from(state, kind).filter(|_| !amends);
    let base = match before {
        Some((before, _)) => {
            Some(carry_over::continued(before).map_err(|error| error.to_string())?)
        }
        None if amends => state
            .documents
            .written
            .get(&kind)
            .map(|one| one.content.clone()),
        None => None,
    };
    let written = match &base {
        Some(base) => {
            review::amended_by(base, &written, &said.accounts).map_err(|error| error.to_string())?
        }
        None => written,
    };
    let (mut content, mut notes) = normalize_document(state, written);
    // If nothing changed, keep the previous version byte for byte.
    let stays = before.filter(|_| base.as_ref() == Some(&content));
    if let Some((before, _)) = stays {
        content = before.clone();
    }
    if let Some(reason) = lacks_substance(state, &content, &notes) {
        return Err(reason);
    }
    let accounts = accounts::read(state, kind, said.accounts);
    // A recording may answer an older prompt, and the grammar of a document has no room for
    // accounts.
    let provider = &state.inputs.model_of(&receipt.call.member).provider;
    let is_unasked = holds_the_form(provider) || said.is_bare && provider == SCRIPTED;
    let silent = match amends || is_unasked {
        true => Vec::new(),
        false => accounts::missing(state, kind, &accounts),
    };
    let why = put_back(&notes, &silent);
    if let Some(reason) = why.filter(|_| !state.calls.was_rejected(&receipt.call)) {
        return Err(reason);
    }
    notes.extend(silent.into_iter().map(accounts::silence));
    let event = match amends {
        true => review::amended(state, receipt, (content, notes), said.findings)?,
        false => Event::Document {
            receipt: Some(receipt),
            kind,
            content,
            carried: stays.map(|(_, version)| version),
            evidence: said.evidence,
            accounts,
            notes,
        },
    };
    Ok((event, read.cuts))
}

/// Returns why a document is requested again: references without a target, and given items without
/// an account.
fn put_back(notes: &[Note], silent: &[String]) -> Option<String> {
    let told = |note: &Note| format!("at `{}`: {}", note.about, note.text);
    let lost: Vec<String> = notes
        .iter()
        .filter(|one| is_dangling(one))
        .map(told)
        .collect();
    let lost = (!lost.is_empty()).then(|| format!("references lead nowhere: {}", lost.join("; ")));
    let silent = silent.join(", ");
    let silent = (!silent.is_empty()).then(|| format!("`accounts` says nothing about {silent}"));
    let why: Vec<String> = [lost, silent].into_iter().flatten().collect();
    (!why.is_empty()).then(|| why.join("; "))
}

/// Reads an answer of the discussion, or a turn that gave nothing.
fn contribution(state: &State, receipt: Receipt, text: &str) -> Result<Event, String> {
    let (mut parsed, cuts) = match reply::read_in_part(text) {
        Ok(read) => {
            truncation::put_back(state, &receipt.call, &read.cuts)?;
            (Ok(read.said), read.cuts)
        }
        Err(error) => (Err(error), Vec::new()),
    };
    let proposes_end = match &mut parsed {
        Ok(answer) => take_marker(state, &receipt, text, answer)?,
        Err(_) => false,
    };
    let mut event = match &parsed {
        Ok(answer) => {
            let whole = proposes_end.then_some(text);
            Some(said(state, receipt.clone(), answer.clone(), whole))
        }
        Err(_) => None,
    };
    if let Some(Ok(event)) = &mut event {
        truncation::tell(event, &cuts);
    }
    let heard = event.as_ref().and_then(|event| event.as_ref().ok());
    if let Some(idle) = diligence::event(state, &receipt, text, &parsed, heard, proposes_end) {
        return Ok(idle);
    }
    match (event, parsed) {
        (Some(event), _) => event,
        (None, Err(error)) => Err(error.to_string()),
        (None, Ok(_)) => Err("the reply says nothing".to_owned()),
    }
}

/// Returns the event of an answer; `proposes_end` is the whole reply if it ends with the marker.
fn said(
    state: &State,
    paid: Receipt,
    answer: Contribution,
    proposes_end: Option<&str>,
) -> Result<Event, String> {
    let purpose = paid.call.purpose;
    usable(
        purpose,
        &answer,
        proposes_end.is_some(),
        state.team.is_some(),
    )?;
    let scope = paid.call.scope.clone();
    let mut event = match (purpose, scope) {
        (Purpose::Judgment, _) => decide::judgment(state, paid, answer),
        (Purpose::Summary, _) => summary(state, paid, answer),
        (Purpose::Relay, _) => decide::relay(state, paid, answer),
        (Purpose::FollowUp, Scope::Question(n)) => {
            decide::follow_up(state, QuestionId(n), paid, answer)
        }
        (Purpose::Vote, _) => vote::cast(paid, answer)?,
        (Purpose::Debate(part), _) => debate::event_of(state, part, paid, answer)?,
        (Purpose::Step, _) => team::step(state, paid, answer)?,
        _ => {
            let is_first_try = !state.calls.troubled.contains_key(&paid.call.first());
            let unclear = decide::unclear(state, &paid.call.member, &answer);
            if let Some(unclear) = unclear.filter(|_| is_first_try) {
                return Err(unclear);
            }
            decide::speech(state, paid, answer)
        }
    };
    if let Event::Speaking {
        proposes_end: mark,
        response_text,
        ..
    }
    | Event::ConsensusSummary {
        proposes_end: mark,
        response_text,
        ..
    } = &mut event
    {
        *mark = proposes_end.is_some();
        *response_text = proposes_end.map(str::to_owned);
    }
    Ok(event)
}

/// Removes the end marker from an answer, and returns whether it proposed the end.
fn take_marker(
    state: &State,
    receipt: &Receipt,
    text: &str,
    answer: &mut Contribution,
) -> Result<bool, String> {
    let rules = &state.inputs.rules.ending.marker;
    if !rules.enable_detection {
        return Ok(false);
    }
    let may = matches!(receipt.call.purpose, Purpose::Speech | Purpose::Summary);
    let proposes = may && proposal::proposes_end(&answer.analysis, text, &rules.end_marker);
    *answer = rules.without_marker(answer.clone())?;
    Ok(proposes)
}

/// Checks that an answer that fits the schema also contains what was requested.
fn usable(
    purpose: Purpose,
    answer: &Contribution,
    proposes_end: bool,
    is_team: bool,
) -> Result<(), String> {
    let speaks = !matches!(
        purpose,
        Purpose::Relay | Purpose::FollowUp | Purpose::Vote | Purpose::Debate(_)
    );
    // Notes or evidence alone are enough of a contribution.
    let brings =
        purpose == Purpose::Speech && !(answer.notes.is_empty() && answer.evidence.is_empty());
    if speaks && !proposes_end && !brings && answer.analysis.trim().is_empty() {
        return Err("`analysis` is empty: say what you think in a few sentences".to_owned());
    }
    if purpose == Purpose::Summary && answer.coach.is_none() && !is_team {
        return Err("`coach` is null: a summary gives every open issue a fate".to_owned());
    }
    Ok(())
}
