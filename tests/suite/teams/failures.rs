//! Failures that a team tolerates: the lead's check for disputes, an answer that cannot be parsed,
//! a phase without result.

use std::path::Path;

use aitc::machine::{FailureKind, Rule};

use super::*;
use crate::support::meeting::{call_due, calls_due, failed, started};

/// A complete meeting in which one member gives no usable result.
fn one_silent() -> Meeting {
    held(|_, call| (call.scope == Scope::Phase(3)).then(|| "no object".to_owned()))
}

/// The same after a review of the plan, and the lead cannot tell what is in dispute.
pub fn a_hard_day() -> Meeting {
    let mut meeting = opened(|inputs| inputs.limits.debates.review = true);
    meeting.run(&mut team(|_, call| {
        let fails = call.scope == Scope::Phase(3) || call.purpose == Purpose::Summary;
        fails.then(|| "no object".to_owned())
    }));
    meeting
}

/// Why the lead could not be had to say what is in dispute, each time.
fn unjudged(meeting: &Meeting) -> Vec<&str> {
    let events = meeting.events();
    let found = events.filter_map(|event| match event {
        Event::CallGivenUp { call, reason } if call.purpose == Purpose::Summary => {
            Some(reason.as_str())
        }
        _ => None,
    });
    found.collect()
}

#[test]
fn a_lead_that_cannot_be_understood_finds_nothing_in_dispute() {
    let mut asked = 0;
    let meeting = held(|_, call| {
        let looks = call.purpose == Purpose::Summary;
        asked += u32::from(looks);
        looks.then(|| "Let us see.".to_owned())
    });
    let state = &meeting.state;
    assert_eq!(state.stage, Stage::Published);
    assert_eq!(
        state.ending.stop.as_ref().unwrap().reason,
        StopReason::Consensus
    );
    assert_eq!(asked, 6, "twice for each of three layers");
    assert_eq!(unjudged(&meeting).len(), 3);
    assert!(unjudged(&meeting)[0].contains("no JSON object"));
    assert!(
        told(&meeting).contains("the coach could not tell whether results contradict each other")
    );
}

/// Lets every attempt of the next call fail at the provider.
fn fails(meeting: &mut Meeting) -> CallId {
    let first = call_due(&meeting.state);
    let due = |meeting: &Meeting| calls_due(&meeting.state).into_iter().next();
    while let Some(call) = due(meeting).filter(|call| call.first() == first) {
        meeting.record(started(&call));
        meeting.record(failed(&call, FailureKind::Server, true));
    }
    first
}

#[test]
fn a_provider_that_is_away_while_disputes_are_looked_for_ends_no_run() {
    let mut meeting = open();
    let mut script = team(|_, _| None);
    let call = meeting.until(Purpose::Summary, &mut script);
    let early = Event::CallGivenUp {
        call: call.clone(),
        reason: String::new(),
    };
    assert!(meeting.try_record(early).is_err(), "nobody was asked yet");
    assert_eq!(fails(&mut meeting), call);
    meeting.run(&mut script);
    assert_eq!(meeting.state.stage, Stage::Published);
    assert_eq!(unjudged(&meeting).len(), 1);
    assert_eq!(unjudged(&meeting)[0], "HTTP 503");
    assert_eq!(results(&meeting.state).len(), 4);
}

#[test]
fn a_dispute_in_a_form_that_cannot_be_read_is_left_out_and_told() {
    let sides = disputes::disputed("P-2").replace(r#","stands_for":"the way of SD""#, "");
    let taste = disputes::disputed("P-2").replace("contradiction", "taste");
    for (bad, why) in [(sides, "stands_for"), (taste, "taste")] {
        let mut asked = 0;
        let meeting = held(|state, call| {
            let looks = call.purpose == Purpose::Summary && state.round == 2;
            asked += u32::from(looks);
            looks.then(|| bad.clone())
        });
        assert_eq!(asked, 1, "the rest of the answer stands");
        assert!(meeting.state.debates.held.is_empty());
        let refused = meeting
            .state
            .discussion
            .summaries
            .iter()
            .flat_map(|s| &s.refused);
        let refused: Vec<_> = refused.collect();
        assert_eq!(refused.len(), 1, "{refused:?}");
        assert_eq!(refused[0].rule, Rule::NoDivergence);
        assert_eq!(refused[0].about, "P-2: Photo or text?");
        assert!(refused[0].detail.contains(why), "{refused:?}");
        assert_eq!(meeting.state.stage, Stage::Published);
    }
}

#[test]
fn work_of_which_a_phase_brought_nothing_is_not_complete() {
    let meeting = one_silent();
    let stop = meeting.stop();
    assert_eq!(stop.reason, StopReason::Incomplete);
    assert_eq!((stop.value, stop.limit), (1, 4));
    assert!(!meeting.state.ending.is_agreed());
    assert_eq!(meeting.state.team.as_ref().unwrap().progress(), (3, 4));
    let shown = told(&meeting);
    assert!(
        shown.contains("1 of 4 have no result: the work is not complete"),
        "{shown}"
    );
    // If an earlier member of the phase has a result, that is the result of the phase.
    let meeting = held(|_, call| {
        let silent = call.purpose == Purpose::Step && call.member.as_str() == "SeniorDeveloper";
        silent.then(|| "no object".to_owned())
    });
    let stop = meeting.stop();
    assert_eq!(stop.reason, StopReason::Consensus);
}

/// A complete meeting in which these members give no usable result.
fn without(silent: &[&str]) -> Meeting {
    let mut inputs = run::inputs(Path::new("/none"));
    inputs.format = Format::Team;
    let mut meeting = Meeting::open(TASK, inputs);
    meeting.run(&mut team(|_, call| {
        let fails = call.purpose == Purpose::Step && silent.contains(&call.member.as_str());
        fails.then(|| "no object".to_owned())
    }));
    meeting
}

#[test]
fn who_brings_nothing_is_named_and_the_others_go_on() {
    for (silent, left) in [
        (&["SeniorDeveloper"][..], "SD did P-2 at 1"),
        (&["SystemDesigner"], "Dev did P-2 at 2"),
        (&["SystemDesigner", "SeniorDeveloper"], ""),
        (&["RiskPlanner"], ""),
    ] {
        let meeting = without(silent);
        let state = &meeting.state;
        assert_eq!(state.stage, Stage::Published);
        let team = state.team.as_ref().unwrap();
        let missing = team
            .results()
            .find(|(_, result)| !result.missing.is_empty());
        let (_, result) = missing.unwrap();
        assert_eq!(result.output, left);
        let named: Vec<&str> = result.missing.iter().map(|note| &*note.about).collect();
        assert_eq!(named, silent);
        let told: Vec<&str> = state
            .discussion
            .passed_over
            .iter()
            .map(|p| p.member.as_str())
            .collect();
        assert_eq!(told, silent, "told like any absence");
        assert!(team.done.contains_key(&PhaseId::from("P-4")));
    }
}

/// A member whose predecessor has no result is not told to continue it.
#[test]
fn members_of_a_phase_take_up_what_there_is() {
    let prompt_of = |silent: &[&str]| {
        let mut inputs = run::inputs(Path::new("/none"));
        inputs.format = Format::Team;
        let mut meeting = Meeting::open(TASK, inputs);
        let mut script = team(|_, call| {
            let fails = call.purpose == Purpose::Step && silent.contains(&call.member.as_str());
            fails.then(|| "no object".to_owned())
        });
        let second = loop {
            let mut calls = calls_due(&meeting.state).into_iter();
            let is_second = |call: &CallId| call.turn == 2 && call.purpose == Purpose::Step;
            if let Some(call) = calls.find(is_second) {
                break call;
            }
            assert!(meeting.step(&mut script), "the second is asked");
        };
        let prompter = Prompter::new(&meeting.state.inputs).unwrap();
        let request = prompter.request(&meeting.state, &second).unwrap();
        messages(&request)
    };
    let takes_up = "Continue from the result above";
    assert!(prompt_of(&[]).contains(takes_up));
    let alone = prompt_of(&["SystemDesigner"]);
    assert!(
        alone.contains("as the 2. of 2") && !alone.contains(takes_up),
        "{alone}"
    );
}

#[test]
fn a_member_of_a_phase_is_passed_over_only_when_it_was_asked_in_vain() {
    let mut meeting = open();
    let mut script = team(|_, _| None);
    while !due(&meeting.state).contains(&"P-2/SystemDesigner/t1".to_owned()) {
        assert!(meeting.step(&mut script));
    }
    let passed = |member: &str, turn| Event::CallGivenUp {
        call: CallId::new(Scope::Phase(2), Purpose::Step, member.into(), 1, turn),
        reason: "gone".to_owned(),
    };
    assert!(meeting.try_record(passed("SystemDesigner", 1)).is_err());
    assert!(meeting.try_record(passed("SeniorDeveloper", 2)).is_err());
}

/// The files name each member without a result and the reason.
#[test]
fn report_and_structured_file_name_everybody_who_brought_nothing() {
    let meeting = without(&["SystemDesigner", "SeniorDeveloper"]);
    let file = |name: &str| file(&meeting.state, name);
    let report = file("team_report.md");
    assert!(
        report.contains("Missing: SD: the reply holds no JSON object"),
        "{report}"
    );
    assert!(
        report.contains("; Dev: the reply holds no JSON object"),
        "{report}"
    );
    let plan: Value = serde_json::from_str(&file("team.ai.json")).unwrap();
    let phase = &plan["team"]["phases"][1];
    assert_eq!(phase["outcome"], "no_result");
    assert_eq!(phase["missing"]["about"], "SystemDesigner");
    assert_eq!(phase["more_missing"][0]["about"], "SeniorDeveloper");
    let shown = told(&meeting);
    assert!(shown.contains("P-2: no usable result from SD"), "{shown}");
    let one = without(&["SystemDesigner"]);
    let plan = aitc::artifact::structured(&one.state);
    let plan = serde_json::to_value(plan).unwrap();
    assert_eq!(plan["team"]["phases"][1]["outcome"], "partial");
}
