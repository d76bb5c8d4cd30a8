//! Prompts, limits and interruptions of a review. Who finds what, and what becomes of it, is played
//! in `tests/played/reviews.md`.

use std::collections::BTreeMap;

use aitc::chat::FinishReason;
use aitc::machine::review::{Finding, ReviewClosed, Unreviewed};
use aitc::machine::*;
use aitc::reply::{
    Document, DocumentKind, FindingAnswer, FindingKind, FindingVerdict, PlanAssumption,
    PlanFinding, ReportWords, Written,
};

use crate::support::fake::one_text;
use crate::support::meeting::*;

use crate::teams::synthesis;

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

fn held(script: Script<'_>) -> Meeting {
    held_with(reviewed(), script)
}

fn held_with(inputs: Inputs, script: Script<'_>) -> Meeting {
    let mut meeting = Meeting::open("two things", inputs);
    meeting.run(script);
    assert_eq!(meeting.state.stage, Stage::Published, "it gave up");
    meeting
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

/// Answers of a run in which `finder` has one finding, the writer fixes or declines it, and the
/// finder upholds or withdraws it.
fn one_finding(
    finder: &'static str,
    finding: PlanFinding,
    mended: bool,
    upholds: bool,
) -> impl FnMut(&State, &CallId) -> String {
    let mut basics = agreeable(1);
    move |state, call| match call.purpose {
        Purpose::Review if code(state, call) == finder => reviewing(vec![finding.clone()]),
        Purpose::Document(_) if call.amends() => {
            let change = |document: &mut Document| {
                if mended {
                    reworded(document);
                }
            };
            amendment(state, call, change, |_| mended)
        }
        Purpose::Verdict => verdicts(state, call, upholds),
        _ => basics(state, call),
    }
}

/// A run whose only finding is declined and withdrawn.
pub fn withdrawn() -> Meeting {
    held(&mut one_finding("TP", found("W-1", true), false, false))
}

/// A format whose result is reviewed.
#[derive(Debug, Clone, Copy)]
struct Reviewed {
    format: Format,
    /// The subject of TP's finding.
    about: &'static str,
    /// The purpose of the amending call.
    amends: Purpose,
}

const REVIEWED: [Reviewed; 2] = [
    Reviewed {
        format: Format::Workshop,
        about: "W-1",
        amends: Purpose::Document(DocumentKind::DevPlan),
    },
    Reviewed {
        format: Format::Team,
        about: "P-4",
        amends: Purpose::Report,
    },
];

/// Answers every call of a review.
type Course = Box<dyn FnMut(&State, &CallId) -> String>;

impl Reviewed {
    fn inputs(self) -> Inputs {
        Inputs {
            format: self.format,
            ..reviewed()
        }
    }

    /// TP has a blocking finding, the writer fixes or declines it, and TP upholds or withdraws it.
    fn course(self, mended: bool, upholds: bool) -> Course {
        match self.format {
            Format::Team => Box::new(synthesis::one_finding(mended, upholds)),
            _ => Box::new(one_finding("TP", found(self.about, true), mended, upholds)),
        }
    }
}

/// The budget has no room for the rest of the review: findings that were not fixed remain.
#[test]
fn a_review_may_be_cut_by_a_budget_alone() {
    for kind in REVIEWED {
        for (purpose, unheld, agreed) in [
            (Purpose::Review, Some(Unreviewed::Budget), true),
            (kind.amends, None, false),
        ] {
            let mut inputs = kind.inputs();
            inputs.rules.limits.max_tokens = Some(1_000_000);
            let mut script = kind.course(true, true);
            let mut meeting = Meeting::open("two things", inputs);
            let is_due = |state: &State| {
                let mut due = calls_due(state).into_iter();
                state.stage == Stage::Reviewing && due.any(|call| call.purpose == purpose)
            };
            while !is_due(&meeting.state) {
                assert!(meeting.step(&mut script), "{purpose:?} is never due");
            }
            let closed = ReviewClosed::of(&meeting.state, Some(Unreviewed::Budget));
            let cut = Event::ReviewClosed(closed);
            meeting.state.inputs.rules.limits.max_tokens = None;
            assert!(meeting.try_record(cut.clone()).is_err(), "no budget");
            meeting.state.inputs.rules.limits.max_tokens = Some(1_000_000);
            meeting.record(cut);
            assert_eq!(meeting.state.review.unheld, unheld);
            assert_eq!(meeting.state.ending.is_agreed(), agreed);
            // The report's opening is written from the current documents.
            let next = next_actions(&meeting.state);
            let is_written = matches!(&next[..], [Action::Call(call)]
                if call.purpose == Purpose::Report);
            let ends = match kind.format {
                Format::Team => next == [Action::Close],
                _ => is_written,
            };
            assert!(ends, "{next:?}");
        }
    }
}

/// If the limit leaves no room for writing it again, the first opening is kept.
#[test]
fn words_that_cannot_be_written_anew_stay_as_they_are() {
    let mut inputs = reviewed();
    inputs.rules.limits.max_tokens = Some(1_000_000_000);
    let mut meeting = Meeting::open("two things", inputs);
    let mut script = one_finding("TP", found("W-1", false), false, false);
    while meeting.state.stage != Stage::Reporting {
        assert!(meeting.step(&mut script));
    }
    let before = meeting.state.documents.report.clone();
    assert!(before.is_some());
    meeting.record(Event::Report {
        receipt: None,
        words: Default::default(),
        notes: Vec::new(),
    });
    let state = &meeting.state;
    assert_eq!(state.documents.report, before);
    assert!(!state.documents.report_without_model);
    assert_eq!(state.stage, Stage::Complete);
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
/// calls, and its estimate. The plan as one text comes last.
#[test]
fn a_usual_plan_is_a_chain_of_twenty_calls_and_the_text_itself() {
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
        let most = 20 + u64::from(one_text);
        assert_eq!((chain, forecast.chain), (most, most));
        // The text is written from the published documents.
        let text = state.documents.report.as_ref().unwrap().plan.is_some();
        assert_eq!((text, words_written(&meeting)), (one_text, vec![1]));
    }
}

/// Wherever a review is interrupted, the resumed run gives the same result.
#[test]
fn a_review_that_is_taken_up_again_goes_on_where_it_was() {
    for kind in REVIEWED {
        let whole = held_with(kind.inputs(), &mut kind.course(false, true));
        let is_written =
            |event: &Event| matches!(event, Event::PlanChecked(_) | Event::TeamSynthesis(_));
        let from = whole.events().position(is_written).unwrap();
        let script = || kind.course(false, true);
        cut_off_anywhere(
            &whole,
            from..whole.entries.len() - 1,
            script,
            |state, cut| {
                let then = &whole.state;
                assert_eq!(state.review, then.review, "after line {cut}");
                assert_eq!(state.ending.stop, then.ending.stop, "after line {cut}");
                assert_eq!(state.documents, then.documents, "after line {cut}");
                assert_eq!(state.synthesis(), then.synthesis(), "after line {cut}");
            },
        );
    }
}
