//! What a team does without: the lead's look at disputes, a form that cannot be read, a
//! phase that brings nothing.

use aitc::workshop::debate::DivergenceUnjudged;
use aitc::workshop::{FailureKind, GiveUp, Rule};

use super::*;
use crate::support::meeting::started;

/// A whole meeting in which one member brings nothing.
fn one_silent() -> Meeting {
    held(|_, call| (call.scope == Scope::Phase(3)).then(|| "no object".to_owned()))
}

/// The same after a review of the plan, and the lead cannot say what is in dispute.
pub fn a_hard_day() -> Meeting {
    let mut inputs = inputs();
    inputs.format = Format::Team;
    inputs.limits.debates.review = true;
    let mut meeting = Meeting::open(TASK, inputs);
    meeting.run(&mut team(|_, call| {
        let fails = call.scope == Scope::Phase(3) || call.purpose == Purpose::Summary;
        fails.then(|| "no object".to_owned())
    }));
    meeting
}

fn unjudged(meeting: &Meeting) -> Vec<&DivergenceUnjudged> {
    let events = meeting.entries.iter().map(|entry| &entry.event);
    let found = events.filter_map(|event| match event {
        Event::DivergenceUnjudged(unjudged) => Some(unjudged),
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
    assert_eq!(state.stop.as_ref().unwrap().reason, StopReason::Consensus);
    assert_eq!(asked, 6, "twice for each of three layers");
    assert_eq!(unjudged(&meeting).len(), 3);
    assert!(unjudged(&meeting)[0].reason.contains("no JSON object"));
    assert!(told(&meeting).contains("the coach could not say whether results are in dispute"));
}

/// Lets every try of the call that is due fail at the provider.
fn fails(meeting: &mut Meeting) -> CallId {
    let due = |meeting: &Meeting| match next_actions(&meeting.state).first() {
        Some(Action::Call(call)) => Some(call.clone()),
        _ => None,
    };
    let first = due(meeting).unwrap();
    while let Some(call) = due(meeting).filter(|call| call.first() == first) {
        meeting.record(started(&call));
        meeting.record(Event::CallFailed {
            call,
            kind: FailureKind::Server,
            detail: "HTTP 503".to_owned(),
            retryable: true,
            retry_after_ms: None,
            latency_ms: 1,
        });
    }
    first
}

#[test]
fn a_provider_that_is_away_while_disputes_are_looked_for_ends_no_run() {
    let mut meeting = open();
    let mut script = team(|_, _| None);
    let call = meeting.until(Purpose::Summary, &mut script);
    let early = Event::DivergenceUnjudged(DivergenceUnjudged {
        call: call.clone(),
        reason: String::new(),
    });
    assert!(meeting.try_record(early).is_err(), "nobody was asked yet");
    assert_eq!(fails(&mut meeting), call);
    meeting.run(&mut script);
    assert_eq!(meeting.state.stage, Stage::Published);
    assert_eq!(unjudged(&meeting).len(), 1);
    assert_eq!(unjudged(&meeting)[0].reason, "HTTP 503");
    assert_eq!(results(&meeting.state).len(), 4);
}

/// Whoever cannot be had for want of a provider has not brought nothing.
#[test]
fn a_provider_that_is_away_in_a_layer_is_no_missing_result() {
    let mut meeting = open();
    let mut script = team(|_, _| None);
    while meeting.state.round < 2 {
        assert!(meeting.step(&mut script));
    }
    meeting.until(Purpose::Step, &mut script);
    let call = fails(&mut meeting);
    // The others of the layer are heard out.
    while let Some(Action::Call(_)) = next_actions(&meeting.state).first() {
        meeting.step(&mut script);
    }
    let due = next_actions(&meeting.state);
    let [Action::GiveUp(GiveUp::ProviderUnavailable { call: again })] = &due[..] else {
        panic!("{due:?}");
    };
    assert_eq!(again.first(), call);
    let team = meeting.state.team.as_ref().unwrap();
    assert!(
        team.is_working() && team.done.len() == 1,
        "the layer goes on"
    );
    meeting.record(Event::Resumed {
        tool: "aitc".to_owned(),
        accepted_drift: Vec::new(),
        watched: false,
    });
    meeting.run(&mut script);
    assert_eq!(
        meeting.state.stop.as_ref().unwrap().reason,
        StopReason::Consensus
    );
    assert_eq!(results(&meeting.state).len(), 4);
}

#[test]
fn a_dispute_in_a_form_that_cannot_be_read_is_left_out_and_told() {
    let sides = disputes::disputed("P-2").replace(r#","stands_for":"mine""#, "");
    let taste = disputes::disputed("P-2").replace("contradiction", "taste");
    for (bad, why) in [(sides, "stands_for"), (taste, "taste")] {
        let mut asked = 0;
        let meeting = held(|state, call| {
            let looks = call.purpose == Purpose::Summary && state.round == 2;
            asked += u32::from(looks);
            looks.then(|| bad.clone())
        });
        assert_eq!(asked, 1, "the rest of the answer stands");
        assert!(meeting.state.debates.is_empty());
        let refused = meeting.state.summaries.iter().flat_map(|s| &s.refused);
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
    let stop = meeting.state.stop.as_ref().unwrap();
    assert_eq!(stop.reason, StopReason::Incomplete);
    assert_eq!((stop.value, stop.limit), (1, 4));
    assert!(!meeting.state.is_agreed());
    assert_eq!(meeting.state.team.as_ref().unwrap().progress(), (3, 4));
    let shown = told(&meeting);
    assert!(
        shown.contains("1 of 4 brought nothing: the work is not complete"),
        "{shown}"
    );
    // Where an earlier member of the phase left something, that is its result.
    let meeting = held(|_, call| {
        let silent = call.purpose == Purpose::Step && call.member.as_str() == "SeniorDeveloper";
        silent.then(|| "no object".to_owned())
    });
    let stop = meeting.state.stop.as_ref().unwrap();
    assert_eq!(stop.reason, StopReason::Consensus);
}
