//! Guards that the table does not cover: a budget, the user, and several at once.

use aitc::machine::budget::{self, Reserve};

use super::*;

/// A token limit that is reached during the discussion.
const TOKENS: u64 = 1_500;

/// The effect of `guard` if `stops` returns an event to be recorded before a call.
fn stopped(
    guard: StopReason,
    max_tokens: Option<u64>,
    mut stops: impl FnMut(&State, &CallId) -> Option<Event>,
) -> [&'static str; 4] {
    MODES.map(|(attended, auto)| {
        let mut inputs = mode(attended, auto);
        inputs.rules.limits.max_tokens = max_tokens;
        inputs.rules.limits.max_rounds = 3;
        let mut meeting = Meeting::open("two things", inputs);
        let mut script = agreeable(99);
        loop {
            let next = next_actions(&meeting.state);
            if let Some(Action::Call(call)) = next.first()
                && let Some(event) = stops(&meeting.state, call)
            {
                meeting.record(event);
                continue;
            }
            if !meeting.step(&mut script) {
                break;
            }
        }
        assert_eq!(meeting.state.documents.written.len(), 5);
        let stop = meeting.stop();
        if stop.reason == guard {
            "ends"
        } else {
            "nothing"
        }
    })
}

#[test]
fn a_budget_and_the_human_end_it_in_every_mode() {
    const CALL: Reserve = Reserve {
        tokens: 100,
        usd: None,
        closing_tokens: 600,
        closing_usd: None,
    };
    // A limit above the round limit, and one reached in the middle.
    for (limit, fate) in [(1_000_000, "nothing"), (TOKENS, "ends")] {
        let row = stopped(StopReason::Budget, Some(limit), |state, call| {
            let is_over = !call.purpose.is_closing() && !budget::allows_discussion(state, CALL);
            is_over.then(|| budget_fires(state))
        });
        assert_eq!(row, [fate; 4]);
    }
    let user = stopped(StopReason::User, None, |state, call| {
        let speaks = call.purpose == Purpose::Speech && call.turn == 2;
        (speaks && state.ending.decided.is_none()).then(|| {
            let stop = "/stop".to_owned();
            intervention::when_asked(state, Intent::Stop, stop, Channel::Message, None)
        })
    });
    assert_eq!(user, ["ends"; 4]);
}

/// Reason and round of the end of a run whose time limit is reached with the summary of round
/// `late`.
fn ended(
    max_rounds: u32,
    late: u32,
    script: &mut dyn FnMut(&State, &CallId) -> String,
) -> (StopReason, u32) {
    let mut inputs = mode(false, true);
    inputs.rules.limits.max_rounds = max_rounds;
    let mut meeting = Meeting::open("two things", inputs);
    while meeting.step(script) {
        let sums_up = meeting.state.stage == Stage::Summarising;
        if sums_up && meeting.state.round == late {
            meeting.step_ms = 30 * MINUTE;
        }
    }
    let fired =
        |entry: &&aitc::machine::Entry| matches!(entry.event, Event::DiscussionEnded { .. });
    assert_eq!(meeting.entries.iter().filter(fired).count(), 1);
    let stop = meeting.state.ending.stop.unwrap();
    (stop.reason, stop.round)
}

#[test]
fn of_guards_that_are_due_together_one_fires_and_agreement_before_all() {
    const NEVER: u32 = 99;
    // A detector fires by itself; then the time limit, or the round limit, is reached at the same
    // time.
    let (found, round) = ended(9, NEVER, &mut repeating);
    assert_eq!(found, StopReason::Similarity);
    let by_time = ended(9, round, &mut repeating);
    assert_eq!(by_time, (StopReason::TimeLimit, round));
    let by_rounds = ended(round, round, &mut repeating);
    assert_eq!(by_rounds, (StopReason::RoundLimit, round));
    // The members agree in the last round, when the time limit is reached too.
    let agreed = ended(2, 2, &mut agreeable(2));
    assert_eq!(agreed, (StopReason::Consensus, 2));
}
