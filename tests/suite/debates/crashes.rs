//! Cut off anywhere in a debate, or between its ruling and the round that takes
//! it up, a run goes on as if it had not been.

use std::sync::Arc;

use aitc::machine::{Action, Event, next_actions};

use crate::support::divided::{divided, held, open, usual};
use crate::support::meeting::resumed;
use crate::support::team::Team;

#[test]
fn after_any_line_the_same_is_due_and_the_same_comes_of_it() {
    let whole = held(|inputs| inputs.limits.debates.review = true);
    let debated = whole
        .entries
        .iter()
        .position(|e| matches!(e.event, Event::DebateStarted(_)));
    let last = whole
        .entries
        .iter()
        .rposition(|e| matches!(e.event, Event::RoundStarted { .. }));
    let (from, to) = (debated.unwrap() - 1, last.unwrap() + 2);
    for cut in from..to {
        let mut meeting = open(|inputs| inputs.limits.debates.review = true);
        for entry in &whole.entries[1..cut] {
            meeting.record(entry.event.clone());
        }
        let due = next_actions(&meeting.state);
        meeting.record(resumed());
        assert_eq!(next_actions(&meeting.state), due, "after line {cut}");
        meeting.run(&mut usual());
        assert_eq!(
            meeting.state.debates.held, whole.state.debates.held,
            "after line {cut}"
        );
        assert_eq!(meeting.state.ledger, whole.state.ledger, "after line {cut}");
        assert_eq!(meeting.state.draft, whole.state.draft, "after line {cut}");
    }
}

#[test]
fn what_was_argued_is_never_asked_for_again() {
    let whole = held(|_| {});
    let place = whole
        .entries
        .iter()
        .position(|e| matches!(e.event, Event::ExpertArgument(_)));
    let mut meeting = open(|_| {});
    for entry in &whole.entries[1..=place.unwrap()] {
        meeting.record(entry.event.clone());
    }
    let due = next_actions(&meeting.state);
    assert!(matches!(&due[..], [Action::Call(call)] if call.member.as_str() == "SystemDesigner"));
    let mut asked = Vec::new();
    meeting.run(&mut divided(|_, call, _| {
        asked.push(call.to_string());
        None
    }));
    assert!(
        !asked
            .iter()
            .any(|call| call == "D-1/argument/ProductPlanner/r1/t1/a1"),
        "{asked:?}"
    );
}

#[test]
fn a_crash_at_any_of_some_operations_of_a_debating_run_changes_nothing() {
    crate::crash::reference(divided_team).cut_at(19);
}

#[test]
#[ignore = "slow: run with `cargo test --test suite -- --ignored`"]
fn slow_a_crash_at_every_operation_of_a_debating_run_changes_nothing() {
    crate::crash::reference(divided_team).cut_everywhere();
}

fn divided_team() -> Arc<Team> {
    Arc::new(Team::divided())
}
