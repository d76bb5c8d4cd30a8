//! How a discussion ends at the figures of its limits, and what becomes of a proposal. Every guard in
//! every mode is played in `tests/played/guards.md`.

mod proposals;
mod stops;

use aitc::machine::*;
use aitc::reply::Contribution;

use crate::support::meeting::*;

const MINUTE: u64 = 60_000;

fn mode(attended: bool, auto: bool) -> Inputs {
    let mut inputs = inputs();
    if attended {
        inputs.questions = QuestionMode::Ask;
    }
    inputs.rules.ending.auto_exit_enabled = auto;
    inputs
}

/// PP ends each of its speeches with the marker.
fn proposing(settle_in: u32) -> impl FnMut(&State, &CallId) -> String {
    let mut basics = agreeable(settle_in);
    move |state, call| {
        let answer = basics(state, call);
        if call.purpose == Purpose::Speech && call.turn == 1 {
            return marked(&answer);
        }
        answer
    }
}

fn marked(answer: &str) -> String {
    let mut speech: Contribution = serde_json::from_str(answer).unwrap();
    speech.analysis += "\n<!-- END -->";
    text(&speech)
}

/// A meeting after the first round, with open issues.
fn between(inputs: Inputs) -> Meeting {
    let mut meeting = Meeting::open("two things", inputs);
    while meeting.state.stage != Stage::Between || meeting.state.round == 0 {
        assert!(meeting.step(&mut agreeable(99)));
    }
    meeting
}

#[test]
fn limits_fire_at_their_figure_and_not_before() {
    let mut meeting = between(inputs());
    let state = &mut meeting.state;
    let fired = |state: &State| match ending::due(state) {
        Some(Event::DiscussionEnded {
            guard,
            value,
            limit,
            ..
        }) => Some((guard, value, limit)),
        _ => None,
    };
    let warned = |state: &State| match ending::due(state) {
        Some(Event::GuardWarned {
            guard,
            value,
            limit,
            ..
        }) => Some((guard, value, limit)),
        _ => None,
    };
    for (ms, warns) in [(25 * MINUTE - 1, false), (25 * MINUTE, true)] {
        state.run.active_ms = ms;
        let expected = warns.then_some((StopReason::TimeLimit, 25, 30));
        assert_eq!((warned(state), fired(state)), (expected, None));
    }
    state.run.active_ms = 30 * MINUTE - 1;
    assert_eq!(fired(state), None);
    assert!(!ending::cuts_round_short(state));
    state.run.active_ms = 30 * MINUTE;
    assert_eq!(fired(state), Some((StopReason::TimeLimit, 30, 30)));
    // The wall clock has no effect.
    state.run.last_activity_at = "1970-01-01T00:00:00.000Z".to_owned();
    assert_eq!(fired(state), Some((StopReason::TimeLimit, 30, 30)));
    // If both limits are reached, the round limit comes first.
    state.round = 10;
    assert_eq!(fired(state), Some((StopReason::RoundLimit, 10, 10)));
    state.run.active_ms = 0;
    state.round = 9;
    assert_eq!(fired(state), None);
    assert_eq!(warned(state), Some((StopReason::RoundLimit, 9, 10)));
    state.ending.warned.insert(StopReason::RoundLimit);
    assert_eq!(warned(state), None, "a warning comes once");
}

#[test]
fn a_limit_below_its_warning_and_one_that_was_granted_are_warned_of_too() {
    let warned = |state: &State| match ending::due(state) {
        Some(Event::GuardWarned { value, limit, .. }) => Some((value, limit)),
        _ => None,
    };
    for (limit, warns_at) in [(8, Some(7)), (5, Some(4)), (3, Some(2)), (2, None)] {
        let mut meeting = between(inputs());
        let state = &mut meeting.state;
        state.inputs.rules.limits.max_rounds = limit;
        let warnings: Vec<u32> = (1..limit)
            .filter(|round| {
                state.round = *round;
                warned(state) == Some((u64::from(*round), u64::from(limit)))
            })
            .collect();
        let expected: Vec<u32> = warns_at.map_or_else(Vec::new, |at| (at..limit).collect());
        assert_eq!(warnings, expected, "limit {limit}");
    }
    let mut meeting = between(mode(true, false));
    meeting.state.inputs.rules.limits.max_duration_minutes = 20;
    meeting.state.run.active_ms = 16 * MINUTE;
    assert_eq!(warned(&meeting.state), Some((16, 20)), "four fifths");

    let mut meeting = between(mode(true, false));
    meeting.state.ending.warned.insert(StopReason::RoundLimit);
    meeting.state.round = 10;
    meeting.record(decision(
        StopReason::RoundLimit,
        false,
        DecidedBy::Terminal,
        2,
    ));
    assert_eq!(warned(&meeting.state), None, "it was granted a moment ago");
    meeting.state.round = 11;
    assert_eq!(warned(&meeting.state), Some((11, 12)));
}

#[test]
fn nothing_begins_beyond_a_limit() {
    let mut meeting = between(inputs());
    meeting.state.round = 10;
    let issues = meeting.state.ledger.open().map(|issue| issue.id).collect();
    let begins = Event::RoundStarted { issues };
    assert!(may_follow(&meeting.state, &begins).is_err());
    // Nor while a user is present and has not decided.
    meeting.state.ending.attended = true;
    assert!(may_follow(&meeting.state, &begins).is_err());
    for granted in [0, 1, 3] {
        let more = decision(StopReason::RoundLimit, false, DecidedBy::Terminal, granted);
        assert!(may_follow(&meeting.state, &more).is_err(), "{granted}");
    }
    let nobody = decision(StopReason::RoundLimit, false, DecidedBy::Unattended, 2);
    assert!(
        may_follow(&meeting.state, &nobody).is_err(),
        "nobody grants nothing"
    );
    meeting.record(decision(
        StopReason::RoundLimit,
        false,
        DecidedBy::Terminal,
        2,
    ));
    assert!(may_follow(&meeting.state, &begins).is_ok());
    meeting.state.round = 12;
    assert_eq!(
        next_actions(&meeting.state),
        [Action::AskEnd(StopReason::RoundLimit)]
    );
    meeting.record(decision(
        StopReason::RoundLimit,
        true,
        DecidedBy::Terminal,
        0,
    ));
    let expected = Event::DiscussionEnded {
        guard: StopReason::RoundLimit,
        value: 12,
        limit: 12,
        unit: Some(Unit::Rounds),
        sign: None,
    };
    assert_eq!(
        next_actions(&meeting.state),
        [Action::Record(Box::new(expected))]
    );
}
