//! A run that crashes during a debate, or between its ruling and the round that uses it, produces
//! the same result when resumed.

use std::sync::Arc;

use crate::support::team::Team;

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
