//! How a discussion ends: every guard in every mode and at its limit, and the effects of the user,
//! a proposal or a vote.

mod proposals;
mod stops;

use std::collections::BTreeSet;

use aitc::machine::*;
use aitc::reply::Contribution;

use crate::support::meeting::*;

const MINUTE: u64 = 60_000;

/// The result of a run.
#[derive(Debug, PartialEq, Eq)]
struct Course {
    asked: BTreeSet<StopReason>,
    warned: BTreeSet<StopReason>,
    stop: StopReason,
}

impl Course {
    fn of(meeting: &mut Meeting, script: &mut dyn FnMut(&State, &CallId) -> String) -> Self {
        let mut asked = BTreeSet::new();
        loop {
            if let Some(Action::AskEnd(guard)) = next_actions(&meeting.state).first() {
                asked.insert(*guard);
            }
            if !meeting.step(script) {
                break;
            }
        }
        let state = &meeting.state;
        assert_eq!(state.stage, Stage::Published);
        assert_eq!(
            state.documents.written.len(),
            5,
            "every ending leaves all documents"
        );
        Self {
            asked,
            warned: state.ending.warned.clone(),
            stop: state.ending.stop.as_ref().unwrap().reason,
        }
    }

    /// The effect of one guard.
    fn fate(&self, guard: StopReason) -> &'static str {
        if self.asked.contains(&guard) {
            "asks"
        } else if self.stop == guard {
            "ends"
        } else if self.warned.contains(&guard) {
            "warns"
        } else {
            "nothing"
        }
    }
}

fn mode(attended: bool, auto: bool) -> Inputs {
    let mut inputs = inputs();
    if attended {
        inputs.questions = QuestionMode::Ask;
    }
    inputs.rules.ending.auto_exit_enabled = auto;
    inputs
}

/// The four columns of the table in `docs/design/ending.md`.
const MODES: [(bool, bool); 4] = [(true, false), (true, true), (false, false), (false, true)];

/// The effect of `guard` in each of the four modes.
fn row(
    guard: StopReason,
    prepare: impl Fn(&mut Inputs),
    mut script: impl FnMut(&State, &CallId) -> String,
    step_ms: u64,
) -> [&'static str; 4] {
    MODES.map(|(attended, auto)| {
        let mut inputs = mode(attended, auto);
        prepare(&mut inputs);
        let mut meeting = Meeting::open("two things", inputs);
        meeting.step_ms = step_ms;
        Course::of(&mut meeting, &mut script).fate(guard)
    })
}

/// Every member repeats its speech in every round.
fn repeating(state: &State, call: &CallId) -> String {
    match call.purpose {
        Purpose::Speech => {
            let who = state.inputs.roles.code(&call.member);
            let said = format!(
                "{who} thinks that the file should be written line by line, with a header, \
                 and that the whole list must never be held in memory at once."
            );
            let mut speech = spoken(&agreeable(99)(state, call));
            speech.analysis = said;
            for position in &mut speech.positions {
                position.proposal = None;
                position.why = "as I said".to_owned();
            }
            text(&speech)
        }
        _ => agreeable(99)(state, call),
    }
}

/// Every member says what its neighbour said in the previous round: no member repeats itself, but
/// nothing is new.
fn echoing(state: &State, call: &CallId) -> String {
    let answer = repeating(state, call);
    if call.purpose != Purpose::Speech {
        return answer;
    }
    let thoughts = [
        "The file is to be written line by line, never held in memory at once.",
        "Modules that know nothing of each other are cheaper to keep.",
        "Two days of work, if nobody wants a progress bar.",
        "A header row without data is the first case that I would try.",
        "Names of customers must not reach the log of the server.",
    ];
    let mut speech = spoken(&answer);
    speech.analysis = thoughts[(call.turn + call.round) as usize % 5].to_owned();
    text(&speech)
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

#[test]
fn every_guard_in_every_mode() {
    use StopReason::{Consensus, Proposal, RoundLimit, Silence, Similarity, TimeLimit};
    let two_rounds = |inputs: &mut Inputs| inputs.rules.limits.max_rounds = 2;
    let by_flag = |guard| {
        move |inputs: &mut Inputs| {
            inputs.rules.limits.max_rounds = 2;
            inputs.rules.ending.firm.insert(guard);
        }
    };
    let six_rounds = |inputs: &mut Inputs| inputs.rules.limits.max_rounds = 6;
    let marker = |confirm, auto_end| {
        move |inputs: &mut Inputs| {
            inputs.rules.limits.max_rounds = 3;
            inputs.rules.ending.marker.require_confirmation = confirm;
            inputs.rules.ending.marker.auto_end = auto_end;
        }
    };
    let light = |inputs: &mut Inputs| inputs.light = true;
    let ends = ["ends"; 4];
    let asks_or_ends = ["asks", "ends", "ends", "ends"];
    assert_eq!(row(Consensus, |_| {}, agreeable(2), 10), ends);
    assert_eq!(row(RoundLimit, two_rounds, agreeable(99), 10), asks_or_ends);
    assert_eq!(
        row(RoundLimit, by_flag(RoundLimit), agreeable(99), 10),
        ends
    );
    assert_eq!(row(RoundLimit, light, agreeable(99), 10), ends);
    let hour = |inputs: &mut Inputs| inputs.rules.limits.max_rounds = 90;
    assert_eq!(
        row(TimeLimit, hour, agreeable(99), 2 * MINUTE),
        asks_or_ends
    );
    let firm = |inputs: &mut Inputs| {
        inputs.rules.ending.firm.insert(TimeLimit);
    };
    assert_eq!(row(TimeLimit, firm, agreeable(99), 2 * MINUTE), ends);
    let detector = ["warns", "ends", "warns", "ends"];
    assert_eq!(row(Similarity, six_rounds, repeating, 10), detector);
    let silence_alone = |inputs: &mut Inputs| {
        inputs.rules.limits.max_rounds = 6;
        inputs.rules.ending.consensus_enabled = false;
    };
    assert_eq!(row(Silence, silence_alone, repeating, 10), detector);
    assert_eq!(row(Silence, six_rounds, echoing, 10), detector);
    let off = |inputs: &mut Inputs| {
        inputs.rules.limits.max_rounds = 6;
        inputs.rules.ending.consensus_enabled = false;
        inputs.rules.ending.silence_enabled = false;
    };
    assert_eq!(row(Similarity, off, repeating, 10), ["nothing"; 4]);
    assert_eq!(row(Silence, off, repeating, 10), ["nothing"; 4]);
    // Blocking issues are open when PP proposes the end.
    let confirmed = row(Proposal, marker(true, true), proposing(99), 10);
    assert_eq!(confirmed, ["asks", "asks", "nothing", "nothing"]);
    assert_eq!(row(Proposal, marker(false, true), proposing(99), 10), ends);
    assert_eq!(
        row(Proposal, marker(false, false), proposing(99), 10),
        ["nothing"; 4]
    );
    let blind = |inputs: &mut Inputs| {
        inputs.rules.limits.max_rounds = 2;
        inputs.rules.ending.marker.enable_detection = false;
    };
    assert_eq!(row(Proposal, blind, proposing(99), 10), ["nothing"; 4]);
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
