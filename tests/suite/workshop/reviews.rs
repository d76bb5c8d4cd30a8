//! Answers of a review, and how many calls one takes. Who finds what, and what becomes of it, is
//! played in `tests/played/reviews.md`.

use std::collections::BTreeMap;

use aitc::chat::FinishReason;
use aitc::machine::review::Finding;
use aitc::machine::*;
use aitc::reply::{
    Document, FindingAnswer, FindingKind, FindingVerdict, PlanAssumption, PlanFinding, ReportWords,
    Written,
};

use crate::support::fake::one_text;
use crate::support::meeting::*;

/// A finding about an item of the plan.
pub fn found(about: &str, blocking: bool) -> PlanFinding {
    PlanFinding {
        about: about.to_owned(),
        kind: FindingKind::Wrong,
        text: format!("{about} does not hold"),
        mend: format!("say of {about} what holds"),
        blocking,
    }
}

/// A review with these findings.
pub fn reviewing(findings: Vec<PlanFinding>) -> String {
    let mut said = contribution("I read it as if I had to build it.");
    said.findings = findings;
    text(&said)
}

/// The amendment of a document by its writer: the changed document, with an answer to each finding.
pub fn amendment(
    state: &State,
    call: &CallId,
    change: impl FnOnce(&mut Document),
    mended: impl Fn(&Finding) -> bool,
) -> String {
    let Purpose::Document(kind) = call.purpose else {
        panic!("{call} amends nothing");
    };
    let mut document = state.documents.written[&kind].content.clone();
    change(&mut document);
    let put = state.review.put_by(call);
    let findings = put.map(|one| FindingAnswer {
        finding: one.id.to_string(),
        mended: mended(one),
        because: format!("{} was looked at", one.id),
    });
    let before = serde_json::to_value(&state.documents.written[&kind].content).unwrap();
    let mut content = serde_json::to_value(&document).unwrap();
    let stays = keys(&content);
    let gone = keys(&before).into_iter().filter(|key| !stays.contains(key));
    let gone: Vec<_> = gone
        .map(
            |key| serde_json::json!({"id": key, "used_in": null, "left_out_because": "not needed"}),
        )
        .collect();
    content.as_object_mut().unwrap().remove("document");
    let mut written = serde_json::to_value(Written::new(content)).unwrap();
    written["findings"] = serde_json::to_value(findings.collect::<Vec<_>>()).unwrap();
    written["accounts"] = gone.into();
    written.to_string()
}

/// The ids and paths of a document's items.
fn keys(document: &serde_json::Value) -> Vec<String> {
    let lists = document.as_object().unwrap().values();
    let items = lists.filter_map(|list| list.as_array()).flatten();
    let keys = items.filter_map(|item| item.get("id").or(item.get("path"))?.as_str());
    keys.map(str::to_owned).collect()
}

/// A reviewer's verdicts on all findings that were declined.
pub fn verdicts(state: &State, call: &CallId, upholds: bool) -> String {
    let put = state.review.put_back_to(&call.member);
    let verdicts = put.map(|one| FindingVerdict {
        finding: one.id.to_string(),
        upholds,
        why: "that is how it is".to_owned(),
    });
    let mut said = contribution("I looked again.");
    said.verdicts = verdicts.collect();
    text(&said)
}

/// A change that works for every document.
pub fn reworded(document: &mut Document) {
    match document {
        Document::ProductPlan(plan) => plan.understanding.push_str(" Put right."),
        Document::SystemDesign(design) => design.architecture.push_str(" Put right."),
        Document::DevPlan(plan) => plan.feasibility.push_str(" Put right."),
        Document::TestPlan(plan) => plan.strategy.push_str(" Put right."),
        Document::RiskAssessment(risks) => risks.assumptions.push(PlanAssumption {
            text: "Put right.".to_owned(),
            from: None,
        }),
    }
}

fn reviewed() -> Inputs {
    let mut inputs = inputs();
    inputs.rules.review = true;
    inputs
}

/// The turns of the calls that wrote the report's opening.
fn words_written(meeting: &Meeting) -> Vec<u32> {
    let written = meeting.entries.iter();
    let written = written.filter_map(|entry| match &entry.event {
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
    let mut inputs = reviewed();
    inputs.templates = BTreeMap::from([(ONE_TEXT.to_owned(), String::new())]).into();
    let mut meeting = Meeting::open("two things", inputs);
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
        let mut inputs = reviewed();
        inputs.model.provider = "openai".to_owned();
        if one_text {
            inputs.templates = BTreeMap::from([(ONE_TEXT.to_owned(), String::new())]).into();
        }
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
        let mut meeting = Meeting::open("two things", inputs);
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
