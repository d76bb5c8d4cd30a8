//! From a model's text to the event it becomes, whatever it was asked for.

use super::adopt::adopt;
use super::call::{Purpose, Scope};
use super::decide;
use super::event::{Event, Receipt};
use super::ids::QuestionId;
use super::state::State;
use super::summary::summary;
use crate::chat::FinishReason;
use crate::reply::{self, Contribution};

/// What a reply is, as a fact: the event its call asked for, or a
/// [`Event::ReplyRejected`] with the reason.
pub fn event_of(state: &State, receipt: Receipt, text: &str, finish: FinishReason) -> Event {
    read(state, &receipt, text, finish).unwrap_or_else(|reason| Event::ReplyRejected {
        receipt,
        output: text.to_owned(),
        reason,
        finish,
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
    let paid = receipt.clone();
    match receipt.call.purpose {
        Purpose::Document(kind) => {
            let document = reply::read_document(kind, text).map_err(|e| e.to_string())?;
            let (content, notes) = adopt(state, document);
            Ok(Event::Document {
                receipt: Some(paid),
                kind,
                content,
                notes,
            })
        }
        Purpose::Report => {
            let words = reply::read_report(text).map_err(|e| e.to_string())?;
            Ok(Event::Report {
                receipt: Some(paid),
                words,
            })
        }
        discussion => {
            let answer = reply::read_contribution(text).map_err(|e| e.to_string())?;
            usable(discussion, &answer)?;
            Ok(match (discussion, &receipt.call.scope) {
                (Purpose::Judgment, _) => decide::judgment(state, paid, answer),
                (Purpose::Summary, _) => summary(state, paid, answer),
                (Purpose::Relay, _) => decide::relay(state, paid, answer),
                (Purpose::FollowUp, Scope::Question(n)) => {
                    decide::follow_up(QuestionId(*n), paid, answer)
                }
                _ => decide::speech(state, paid, answer),
            })
        }
    }
}

/// Does an answer that fits the schema also say what was asked for?
fn usable(purpose: Purpose, answer: &Contribution) -> Result<(), String> {
    let speaks = !matches!(purpose, Purpose::Relay | Purpose::FollowUp);
    if speaks && answer.analysis.trim().is_empty() {
        return Err("`analysis` is empty: say what you think in a few sentences".to_owned());
    }
    if purpose == Purpose::Summary && answer.coach.is_none() {
        return Err("`coach` is null: a summary gives every open issue a fate".to_owned());
    }
    Ok(())
}
