//! `aitc team`: a task in phases, members who work on it layer by layer, and a synthesis.

mod endpoint;
mod synthesis;

use std::sync::Arc;

use crate::support::team::Team;

const TASK: &str = "Compare ways to store receipts; personal data must be erasable";

fn working_team() -> Arc<Team> {
    Arc::new(Team::working())
}

#[test]
fn a_crash_at_any_of_some_operations_of_a_working_team_changes_nothing() {
    crate::crash::reference(working_team).cut_at(17);
}

#[test]
#[ignore = "slow: run with `cargo test --test suite -- --ignored`"]
fn slow_a_crash_at_every_operation_of_a_working_team_changes_nothing() {
    crate::crash::reference(working_team).cut_everywhere();
}
