//! Failures that a team tolerates: the lead's check for disputes, an answer that cannot be parsed,
//! a phase without result.

use std::path::Path;

use super::*;
use crate::support::meeting::calls_due;

/// The same after a review of the plan, and the lead cannot tell what is in dispute.
pub fn a_hard_day() -> Meeting {
    let mut meeting = opened(|inputs| inputs.rules.limits.debates.review = true);
    meeting.run(&mut team(|_, call| {
        let fails = call.scope == Scope::Phase(3) || call.purpose == Purpose::Summary;
        fails.then(|| "no object".to_owned())
    }));
    meeting
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
