//! Failures in a debate never stop the run.

use aitc::machine::debate::{Plain, Turn};
use aitc::machine::*;
use aitc::reply::{Decision, Stance};

use super::{debate, told};
use crate::support::divided::{divided, open, usual};
use crate::support::meeting::{call_due, contribution, position, text, typed};

const NOISE: &str = "I would rather talk about the weather.";

#[test]
fn a_participant_without_an_argument_is_missing_and_the_debate_goes_on() {
    let mut meeting = open(|_| {});
    meeting.run(&mut divided(|state, call, _| {
        (state.inputs.roles.code(&call.member) == "SD").then(|| NOISE.to_owned())
    }));
    assert_eq!(
        told(&meeting)[..4],
        [
            "D-1 started",
            "argument PP r1",
            "missing SD r1",
            "summary r1"
        ]
    );
    let Turn::Missing { reason } = &debate(&meeting).rounds[0].turns[&1] else {
        panic!("SD argued");
    };
    assert!(reason.contains("JSON"), "{reason}");
    assert!(meeting.state.ending.is_agreed());
}

/// A position on the debate's id counts as one on its issue; a position on any other issue is
/// removed, with a note.
#[test]
fn a_position_on_the_debate_is_one_on_its_issue() {
    taken_of_two(("D-1", "I-7"));
    // If both are given, the position on the issue is used.
    taken_of_two(("I-1", "D-1"));
}

fn taken_of_two((taken, beside): (&str, &str)) {
    let mut meeting = open(|_| {});
    meeting.run(&mut divided(|state, call, _| {
        let argues = call.purpose == Purpose::Debate(DebatePart::Argument);
        (argues && state.inputs.roles.code(&call.member) == "SD").then(|| {
            let mut argument = contribution("My text is the shorter one.");
            argument.positions = vec![
                position(taken, Stance::Object, Some("SD's own text")),
                position(beside, Stance::Object, Some("Beside the point")),
            ];
            text(&argument)
        })
    }));
    let Turn::Argued(argument) = &debate(&meeting).rounds[0].turns[&1] else {
        panic!("SD is missing");
    };
    let position = argument.position().unwrap();
    assert_eq!(position.issue, "I-1");
    assert_eq!(position.proposal.as_deref(), Some("SD's own text"));
    let notes: Vec<_> = argument
        .notes
        .iter()
        .map(|note| note.text.as_str())
        .collect();
    assert_eq!(notes, ["the debate is about I-1; the position is left out"]);
}

#[test]
fn without_the_coach_the_question_is_shelved_and_the_ruling_says_so() {
    let mut meeting = open(|inputs| inputs.limits.max_rounds = 2);
    meeting.run(&mut divided(|_, call, _| {
        call.member.is_coach().then(|| NOISE.to_owned())
    }));
    let held = debate(&meeting);
    assert!(
        held.opening.contains("No opening could be had"),
        "{}",
        held.opening
    );
    let summary = held.rounds[0].summary.as_ref().unwrap();
    assert!(summary.contains("No summary"), "{summary}");
    let resolution = held.resolution.as_ref().unwrap();
    assert_eq!(resolution.plain, Some(Plain::NoReply));
    assert_eq!(resolution.ruling.decision, Decision::Shelve);
    assert!(resolution.ruling.rationale.contains("No usable ruling"));
    assert!(resolution.ruling.conclusion.contains("stays open"));
    assert_eq!(meeting.state.stage, Stage::Published);
}

#[test]
fn a_guard_that_fires_in_a_debate_ends_it_with_a_ruling_then_the_run() {
    for part in [
        DebatePart::Argument,
        DebatePart::Summary,
        DebatePart::Ruling,
    ] {
        let mut meeting = open(|_| {});
        meeting.until(Purpose::Debate(part), &mut usual());
        meeting.record(typed(Intent::Stop, "/stop"));
        let call = call_due(&meeting.state);
        assert_eq!(call.purpose, Purpose::Debate(DebatePart::Ruling));
        meeting.run(&mut usual());
        let stop = meeting.stop();
        assert_eq!(stop.reason, StopReason::User);
        assert!(debate(&meeting).resolution.is_some());
        assert_eq!(meeting.state.stage, Stage::Published);
        assert_eq!(meeting.state.documents.written.len(), 5);
        assert!(!meeting.state.ending.is_agreed());
    }
}

#[test]
fn when_time_is_up_the_ruling_is_next_and_what_was_argued_counts() {
    let mut meeting = open(|_| {});
    let call = meeting.until(Purpose::Debate(DebatePart::Argument), &mut usual());
    meeting.step_ms = 31 * 60_000;
    meeting.reply(&call, &usual()(&meeting.state, &call));
    let call = call_due(&meeting.state);
    assert_eq!(call.purpose, Purpose::Debate(DebatePart::Ruling));
    meeting.run(&mut usual());
    assert_eq!(debate(&meeting).rounds.len(), 1);
    let issue = meeting.issue(1);
    let argued = |p: &&aitc::machine::PositionRecord| {
        p.proposal
            .as_deref()
            .is_some_and(|text| text.contains("argues so"))
    };
    assert_eq!(issue.positions.iter().filter(argued).count(), 1);
    let stop = meeting.stop();
    assert_eq!(stop.reason, StopReason::TimeLimit);
}
