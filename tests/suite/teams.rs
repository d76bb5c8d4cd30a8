//! `aitc team`: a task in phases, members who work on it layer by layer, and a synthesis.

mod disputes;
mod endpoint;
pub mod failures;
mod review;
pub mod synthesis;
mod wishes;

use std::collections::BTreeMap;
use std::sync::Arc;

use aitc::edge::fs::RealFs;
use aitc::machine::*;
use aitc::prompt::Prompter;
use aitc::reply::*;
use aitc::ui::view::Style;
use serde_json::Value;

use crate::support::binary::Place;
use crate::support::meeting::*;
use crate::support::run;
use crate::support::team::Team;

const TASK: &str = "Compare ways to store receipts; personal data must be erasable";

fn planned(key: &str, members: &[&str], depends_on: &[&str]) -> PlannedPhase {
    let owned = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect();
    PlannedPhase {
        key: key.to_owned(),
        task: format!("do {key}{}", " and report".repeat(12)),
        members: owned(members),
        depends_on: owned(depends_on),
    }
}

/// One phase, then two concurrent ones, then a last one.
fn four() -> TeamPlan {
    TeamPlan {
        analysis: "Four parts.".to_owned(),
        phases: vec![
            planned("a", &["PP"], &[]),
            planned("b", &["SD", "Dev"], &["a"]),
            planned("c", &["RP"], &["a"]),
            planned("d", &["TP"], &["b", "c"]),
        ],
    }
}

fn synthesis() -> Synthesis {
    Synthesis {
        title: "Receipts".to_owned(),
        in_short: "As text.".to_owned(),
        result: "Store them as text (P-2).".to_owned(),
        decide: Vec::new(),
    }
}

/// A team that does its task; `change` may replace an answer.
fn team(
    mut change: impl FnMut(&State, &CallId) -> Option<String>,
) -> impl FnMut(&State, &CallId) -> String {
    move |state, call| {
        change(state, call).unwrap_or_else(|| match call.purpose {
            Purpose::Judgment => text(&four()),
            Purpose::Step => text(&contribution(&format!(
                "{} did {} at {}",
                state.inputs.roles.code(&call.member),
                scope_name(call),
                call.turn
            ))),
            Purpose::Report => text(&synthesis()),
            Purpose::Debate(part) => text(&in_debate(state, call, part)),
            _ => text(&contribution("Nothing contradicts.")),
        })
    }
}

/// The answers of a team that agrees.
pub fn answer(state: &State, call: &CallId) -> String {
    team(|_, _| None)(state, call)
}

/// The first part of a call's id, such as `P-2`.
fn scope_name(call: &CallId) -> String {
    call.to_string().split('/').next().unwrap().to_owned()
}

fn open() -> Meeting {
    opened(|_| ())
}

/// A team with other inputs.
fn opened(change: impl FnOnce(&mut Inputs)) -> Meeting {
    let mut inputs = inputs();
    inputs.format = Format::Team;
    change(&mut inputs);
    Meeting::open(TASK, inputs)
}

fn held(change: impl FnMut(&State, &CallId) -> Option<String>) -> Meeting {
    let mut meeting = open();
    meeting.run(&mut team(change));
    meeting
}

fn results(state: &State) -> BTreeMap<String, String> {
    let team = state.team.as_ref().expect("a team");
    let results = team.results();
    results
        .map(|(phase, result)| (phase.id.to_string(), result.output.clone()))
        .collect()
}

/// The dependencies of a phase.
fn edges(state: &State, id: &str) -> Vec<String> {
    let phase = state.team.as_ref().unwrap().plan.find(&id.into()).unwrap();
    phase.depends_on.iter().map(ToString::to_string).collect()
}

/// All lines that a terminal would show.
fn told(meeting: &Meeting) -> String {
    let style = Style {
        plain: false,
        ..style(100)
    };
    let entries = meeting.entries.iter();
    let lines = entries.filter_map(|entry| aitc::ui::view::line(&meeting.state, entry, &style));
    lines.collect::<Vec<_>>().join("\n")
}

/// Calls due now, such as `P-2/SeniorDeveloper/t2`.
fn due(state: &State) -> Vec<String> {
    let calls = calls_due(state).into_iter();
    calls
        .map(|call| format!("{}/{}/t{}", scope_name(&call), call.member, call.turn))
        .collect()
}

#[test]
fn cut_off_anywhere_the_same_is_due_and_the_same_comes_of_it() {
    let change = |state: &State, call: &CallId| {
        let disputes = call.purpose == Purpose::Summary && state.round == 2;
        let silent = call.scope == Scope::Phase(3) && call.purpose == Purpose::Step;
        match (disputes, silent) {
            (true, _) => Some(disputes::disputed("P-2")),
            (_, true) => Some("no object".to_owned()),
            _ => None,
        }
    };
    let whole = held(change);
    cut_off_anywhere(
        &whole,
        2..whole.entries.len() - 1,
        || team(change),
        |state, cut| {
            assert_eq!(state.team, whole.state.team, "after line {cut}");
            assert_eq!(state.debates, whole.state.debates, "line {cut}");
        },
    );
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

#[test]
fn nothing_forged_is_taken() {
    let whole = held(|_, _| None);
    let formed = whole
        .entries
        .iter()
        .find(|entry| matches!(entry.event, Event::TeamFormed(_)))
        .unwrap();
    let mut workshop = Meeting::open(TASK, inputs());
    workshop.until(Purpose::Judgment, &mut team(|_, _| None));
    let forged = formed.event.clone();
    assert!(workshop.try_record(forged.clone()).is_err());
    let mut meeting = open();
    let call = meeting.until(Purpose::Judgment, &mut team(|_, _| None));
    assert!(meeting.try_record(forged).is_err(), "nobody was asked");
    let given_up = Event::CallGivenUp {
        call,
        reason: "no reason".to_owned(),
    };
    assert!(meeting.try_record(given_up).is_err(), "nobody was asked");
    let mut judging = open();
    let call = judging.until(Purpose::Summary, &mut team(|_, _| None));
    let given_up = Event::CallGivenUp {
        call,
        reason: String::new(),
    };
    assert!(judging.try_record(given_up).is_err(), "nor the lead");
    for entry in &whole.entries {
        if matches!(
            entry.event,
            Event::ExpertResult(_)
                | Event::ExpertStep(_)
                | Event::PhaseStarted(_)
                | Event::TeamSynthesis(_)
        ) {
            assert!(meeting.try_record(entry.event.clone()).is_err());
        }
    }
}

/// The names of result files come from the run's frozen report template, so they stay the same when
/// the run is resumed.
#[test]
fn results_lie_where_the_frozen_report_says() {
    for (said, there, not_there) in [
        ("/output`", "output", "output.txt"),
        ("/output.txt`", "output.txt", "output"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let fs = Arc::new(RealFs);
        let mut inputs = run::inputs(folder.path());
        inputs.format = Format::Team;
        let report = inputs.templates.get_mut("report/team.j2").unwrap();
        assert!(report.contains("/output`"), "{report}");
        *report = report.replace("/output`", said);
        run::hold(fs, folder.path(), &inputs, &Arc::new(Team::working())).unwrap();
        // These test runs are always stored in the folder of plans.
        let version = folder.path().join(".ai-tools-chain/planning_outputs/v1");
        let report = std::fs::read_to_string(version.join("team_report.md")).unwrap();
        assert!(report.contains(&format!("phase/P-1/{there}`")), "{report}");
        assert!(version.join("phase/P-1").join(there).is_file());
        assert!(!version.join("phase/P-1").join(not_there).exists());
    }
}
