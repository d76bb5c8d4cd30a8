//! How many calls a review takes. Who finds what, and what becomes of it, is
//! played in `tests/played/reviews.md`.

use std::collections::BTreeMap;

use workshop::chat::FinishReason;
use workshop::machine::*;
use workshop::reply::ReportWords;

use crate::support::amending::{amendment, found, reviewing, reworded};
use crate::support::meeting::*;

/// A meeting whose plan is reviewed, and is one text if the project has a template for that.
fn reviewed(one_text: bool) -> Meeting {
    opened(|inputs| {
        inputs.rules.review = true;
        inputs.model.provider = "openai".to_owned();
        let template = one_text.then(|| (ONE_TEXT.to_owned(), String::new()));
        inputs.templates = BTreeMap::from_iter(template).into();
    })
}

/// The turns of the calls that wrote the report's opening.
fn words_written(meeting: &Meeting) -> Vec<u32> {
    let written = meeting.events().filter_map(|event| match event {
        Event::Report { receipt, .. } => Some(receipt.as_ref().unwrap().call.turn),
        _ => None,
    });
    written.collect()
}

fn code<'a>(state: &'a State, call: &'a CallId) -> &'a str {
    state.inputs.roles.code(&call.member)
}

/// A plan as one text with omissions is sent back only if the limit has room for another answer;
/// otherwise this one would be lost.
#[test]
fn a_plan_as_one_text_goes_back_where_there_is_room_for_another() {
    let mut meeting = reviewed(true);
    let call = meeting.until(Purpose::Report, &mut agreeable(1));
    meeting.record(started(&call));
    let words = text(&ReportWords {
        title: "A plan".to_owned(),
        in_short: "It is done.".to_owned(),
        decide: Vec::new(),
        plan: Some(one_text(&[])),
    });
    let mut state = meeting.state;
    let room = state.calls.committed() + 100;
    for (cap, goes_back) in [(None, true), (Some(room), true), (Some(room - 1), false)] {
        state.inputs.rules.limits.max_tokens = cap;
        let event = event_of(&state, receipt(&call), &words, FinishReason::Stop);
        let rejected = matches!(event, Event::ReplyRejected { .. });
        assert_eq!(rejected, goes_back, "{cap:?}: {event:?}");
    }
}

/// Two rounds, documents, review and an amendment of every document: the number of consecutive
/// calls, and its estimate. The report comes last.
#[test]
fn a_usual_plan_is_a_chain_of_twenty_calls_and_the_report() {
    for one_text in [false, true] {
        let mut basics = agreeable(2);
        let mut script = |state: &State, call: &CallId| match call.purpose {
            Purpose::Review if code(state, call) == "TP" => reviewing(
                ["AC-1", "M-1", "W-1", "T-1", "R-1"]
                    .map(|about| found(about, true))
                    .to_vec(),
            ),
            Purpose::Document(_) if call.amends() => amendment(state, call, reworded, |_| true),
            _ => basics(state, call),
        };
        let mut meeting = reviewed(one_text);
        let forecast = Forecast::of(&meeting.state, 1_000).unwrap();
        let mut chain = 0;
        loop {
            chain += u64::from(!calls_due(&meeting.state).is_empty());
            if !meeting.step(&mut script) {
                break;
            }
        }
        let state = &meeting.state;
        assert_eq!((state.stage, state.round), (Stage::Published, 2));
        assert_eq!(state.review.amended.len(), 5, "{:?}", state.review);
        assert_eq!((chain, forecast.chain), (21, 21));
        // The report is written from the published documents.
        let text = state.documents.report.as_ref().unwrap().plan.is_some();
        assert_eq!((text, words_written(&meeting)), (one_text, vec![1]));
    }
}
