//! `aitc team`: a task in phases, members who work on it layer by layer, and a synthesis.

mod endpoint;
pub mod synthesis;

use std::sync::Arc;

use aitc::machine::*;
use aitc::reply::*;
use serde_json::{Value, json};

use crate::support::meeting::*;
use crate::support::team::Team;

const TASK: &str = "Compare ways to store receipts; personal data must be erasable";

/// The answers of a team that agrees: one phase, then two concurrent ones, then a last one.
pub fn answer(state: &State, call: &CallId) -> String {
    match call.purpose {
        Purpose::Judgment => {
            let phase = |key: &str, members: &[&str], depends_on: &[&str]| {
                let task = format!("do {key}{}", " and report".repeat(12));
                json!({"key": key, "task": task, "members": members, "depends_on": depends_on})
            };
            let phases = [
                phase("a", &["PP"], &[]),
                phase("b", &["SD", "Dev"], &["a"]),
                phase("c", &["RP"], &["a"]),
                phase("d", &["TP"], &["b", "c"]),
            ];
            json!({"analysis": "Four parts.", "phases": phases}).to_string()
        }
        Purpose::Step => {
            let code = state.inputs.roles.code(&call.member);
            let name = call.to_string();
            let (phase, _) = name.split_once('/').unwrap();
            text(&contribution(&format!(
                "{code} did {phase} at {}",
                call.turn
            )))
        }
        Purpose::Report => text(&Synthesis {
            title: "Receipts".to_owned(),
            in_short: "As text.".to_owned(),
            result: "Store them as text (P-2).".to_owned(),
            decide: Vec::new(),
        }),
        Purpose::Debate(part) => text(&in_debate(state, call, part)),
        _ => text(&contribution("Nothing contradicts.")),
    }
}

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
