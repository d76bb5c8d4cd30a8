//! A run that crashes during a debate, or between its ruling and the round that uses it, produces
//! the same result when resumed.

use std::sync::Arc;

use aitc::machine::Event;

use crate::support::divided::{held, usual};
use crate::support::meeting::*;
use crate::support::team::Team;

#[test]
fn after_any_line_the_same_is_due_and_the_same_comes_of_it() {
    let whole = held(|inputs| inputs.rules.limits.debates.review = true);
    let debated = whole
        .entries
        .iter()
        .position(|e| matches!(e.event, Event::DebateStarted(_)));
    let last = whole
        .entries
        .iter()
        .rposition(|e| matches!(e.event, Event::RoundStarted { .. }));
    let (from, to) = (debated.unwrap() - 1, last.unwrap() + 2);
    cut_off_anywhere(&whole, from..to, usual, |state, cut| {
        assert_eq!(state.debates, whole.state.debates, "after line {cut}");
        assert_eq!(state.ledger, whole.state.ledger, "after line {cut}");
        assert_eq!(state.draft, whole.state.draft, "after line {cut}");
    });
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
