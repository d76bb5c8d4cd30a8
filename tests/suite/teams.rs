//! `aitc team`: a task in phases, members at work layer by layer, a synthesis.

mod endpoint;

use std::collections::BTreeMap;
use std::sync::Arc;

use aitc::prompt::Prompter;
use aitc::reply::{
    CoachPart, Contribution, DivergenceKind, FoundDivergence, FoundSide, PlannedPhase, Synthesis,
    TeamPlan,
};
use aitc::workshop::phase::{PhaseId, PhaseKind};
use aitc::workshop::{
    Action, CallId, Channel, Event, Format, Inputs, Intent, Lang, Purpose, Scope, Stage, State,
    StopReason, intervention, next_actions,
};
use serde_json::Value;

use crate::support::binary::Place;
use crate::support::meeting::{Meeting, contribution, in_debate, inputs, text};
use crate::support::run::Team;

const TASK: &str = "Compare ways to store receipts; personal data must be erasable";

fn planned(key: &str, members: &[&str], depends_on: &[&str]) -> PlannedPhase {
    let owned = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect();
    PlannedPhase {
        key: key.to_owned(),
        task: format!("do {key}"),
        members: owned(members),
        depends_on: owned(depends_on),
    }
}

/// One phase, two side by side after it, one at the end.
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

/// A team that does what it is asked for; `change` may answer otherwise.
fn team(
    mut change: impl FnMut(&State, &CallId) -> Option<String>,
) -> impl FnMut(&State, &CallId) -> String {
    move |state, call| {
        change(state, call).unwrap_or_else(|| match call.purpose {
            Purpose::Judgment => text(&four()),
            Purpose::Step => text(&contribution(&format!(
                "{} did {} at {}",
                state.inputs.roles.code(&call.member),
                call.scope_name(),
                call.turn
            ))),
            Purpose::Report => text(&synthesis()),
            Purpose::Debate(part) => text(&in_debate(state, call, part)),
            _ => text(&contribution("Nothing contradicts.")),
        })
    }
}

trait ScopeName {
    fn scope_name(&self) -> String;
}

impl ScopeName for CallId {
    fn scope_name(&self) -> String {
        self.to_string().split('/').next().unwrap().to_owned()
    }
}

fn open() -> Meeting {
    let mut inputs = inputs();
    inputs.format = Format::Team;
    Meeting::open(TASK, inputs)
}

fn held(change: impl FnMut(&State, &CallId) -> Option<String>) -> Meeting {
    let mut meeting = open();
    meeting.run(&mut team(change));
    meeting
}

/// A whole meeting in which one member brings nothing.
pub fn one_silent() -> Meeting {
    held(|_, call| (call.scope == Scope::Phase(3)).then(|| "no object".to_owned()))
}

fn results(state: &State) -> BTreeMap<String, String> {
    let team = state.team.as_ref().expect("a team");
    let results = team.results();
    results
        .map(|(phase, result)| (phase.id.to_string(), result.output.clone()))
        .collect()
}

/// What a phase depends on.
fn edges(state: &State, id: &str) -> Vec<String> {
    let phase = state.team.as_ref().unwrap().plan.find(&id.into()).unwrap();
    phase.depends_on.iter().map(ToString::to_string).collect()
}

/// Everything a terminal was shown.
fn told(meeting: &Meeting) -> String {
    let style = aitc::view::Style {
        width: 100,
        color: false,
        plain: false,
        lang: Lang::En,
        verbose: 0,
    };
    let entries = meeting.entries.iter();
    let lines = entries.filter_map(|entry| aitc::view::line(&meeting.state, entry, &style));
    lines.collect::<Vec<_>>().join("\n")
}

/// Calls due now, such as `P-2/SeniorDeveloper/t2`.
fn due(state: &State) -> Vec<String> {
    let actions = next_actions(state).into_iter();
    let calls = actions.filter_map(|action| match action {
        Action::Call(call) => Some(call),
        _ => None,
    });
    calls
        .map(|call| format!("{}/{}/t{}", call.scope_name(), call.member, call.turn))
        .collect()
}

#[test]
fn layers_run_one_after_the_other_and_their_phases_side_by_side() {
    let mut meeting = open();
    let mut script = team(|_, _| None);
    let mut layers = Vec::new();
    while meeting.state.stage != Stage::Published {
        let now = due(&meeting.state);
        if now.iter().any(|call| call.starts_with("P-")) {
            layers.push(now.join(" "));
        }
        assert!(meeting.step(&mut script));
    }
    assert_eq!(
        layers,
        [
            "P-1/ProductPlanner/t1",
            "P-2/SystemDesigner/t1 P-3/RiskPlanner/t1",
            "P-2/SeniorDeveloper/t2",
            "P-4/TestPlanner/t1",
        ]
    );
    let state = &meeting.state;
    assert_eq!(state.round, 3, "a layer is a round");
    assert_eq!(state.stop.as_ref().unwrap().reason, StopReason::Consensus);
    assert!(state.documents.is_empty());
    let results = results(state);
    assert_eq!(results["P-2"], "Dev did P-2 at 2");
    assert_eq!(results.len(), 4);
    let made = state.team.as_ref().unwrap();
    assert_eq!(made.synthesis.as_deref(), Some("Store them as text (P-2)."));
    let kinds: Vec<&str> = meeting
        .entries
        .iter()
        .filter_map(|entry| match &entry.event {
            Event::TeamFormed(_) => Some("formed"),
            Event::PhaseStarted(_) => Some("started"),
            Event::ExpertStep(_) => Some("step"),
            Event::ExpertResult(_) => Some("result"),
            Event::TeamSynthesis(_) => Some("synthesis"),
            _ => None,
        })
        .collect();
    assert_eq!(
        kinds,
        [
            "formed",
            "started",
            "result",
            "started",
            "started",
            "step",
            "result",
            "result",
            "started",
            "result",
            "synthesis"
        ]
    );
}

#[test]
fn a_plan_that_cannot_be_worked_on_is_mended_once_then_the_task_is_one_phase() {
    let circle = TeamPlan {
        phases: vec![planned("a", &["PP"], &["b"]), planned("b", &["SD"], &["a"])],
        ..TeamPlan::default()
    };
    let nobody = TeamPlan {
        phases: vec![planned("a", &["XX"], &[])],
        ..TeamPlan::default()
    };
    for (bad, what) in [(circle, "circle"), (nobody, "who is no member")] {
        let mut asked = 0;
        let mended = held(|_, call| {
            let first = call.purpose == Purpose::Judgment && call.attempt == 1;
            first.then(|| text(&bad))
        });
        assert_eq!(
            results(&mended.state).len(),
            4,
            "{what}: the repair is taken"
        );
        let meeting = held(|_, call| {
            let plans = call.purpose == Purpose::Judgment;
            asked += u32::from(plans);
            plans.then(|| text(&bad))
        });
        assert_eq!(asked, 2);
        let team = meeting.state.team.as_ref().unwrap();
        assert!(team.fallback.as_ref().unwrap().contains(what), "{team:?}");
        assert_eq!(team.plan.phases().len(), 1);
        assert_eq!(team.plan.phases()[0].task, TASK);
        assert_eq!(meeting.state.stage, Stage::Published);
    }
}

#[test]
fn who_brings_nothing_is_named_and_the_work_goes_on() {
    for (silent, left) in [("SeniorDeveloper", "SD did P-2 at 1"), ("RiskPlanner", "")] {
        let meeting = held(|_, call| {
            let steps = call.purpose == Purpose::Step;
            (steps && call.member.as_str() == silent).then(|| "no object".to_owned())
        });
        let state = &meeting.state;
        assert_eq!(state.stage, Stage::Published);
        let team = state.team.as_ref().unwrap();
        let missing = team.results().find(|(_, result)| result.missing.is_some());
        let (_, result) = missing.unwrap();
        assert_eq!(result.output, left);
        assert_eq!(result.missing.as_ref().unwrap().about, silent);
        assert_eq!(state.passed_over.len(), 1, "told like any absence");
        assert!(team.done.contains_key(&PhaseId::from("P-4")));
    }
}

fn disputed(phase: &str) -> String {
    let divergence = FoundDivergence {
        issue: phase.to_owned(),
        criterion: DivergenceKind::Contradiction,
        question: "Photo or text?".to_owned(),
        sides: ["SD", "RP"]
            .map(|code| FoundSide {
                member: code.to_owned(),
                stands_for: "mine".to_owned(),
            })
            .to_vec(),
    };
    text(&Contribution {
        coach: Some(CoachPart {
            divergence: Some(divergence),
            ..CoachPart::default()
        }),
        ..contribution("Two results contradict.")
    })
}

#[test]
fn a_disputed_result_is_debated_before_others_build_on_it() {
    let meeting = held(|state, call| {
        (call.purpose == Purpose::Summary && state.round == 2).then(|| disputed("p-2"))
    });
    let state = &meeting.state;
    assert_eq!(state.debates.len(), 1);
    let team = state.team.as_ref().unwrap();
    let debate = team.plan.find(&PhaseId::from("P-2-debate")).unwrap();
    assert_eq!(debate.phase_type, PhaseKind::Debate);
    let after = team.plan.find(&PhaseId::from("P-4")).unwrap();
    assert!(after.depends_on.contains(&debate.id), "{after:?}");
    let concluded = &state.debates[0].resolution.as_ref().unwrap().ruling;
    assert_eq!(results(state)["P-2-debate"], concluded.conclusion);
    assert_eq!(state.stage, Stage::Published);
    // What is not there, or was debated, is refused.
    for phase in ["P-9", "I-1"] {
        let meeting = held(|_, call| (call.purpose == Purpose::Summary).then(|| disputed(phase)));
        assert!(meeting.state.debates.is_empty(), "{phase}");
        assert!(!meeting.state.summaries[0].refused.is_empty());
    }
}

#[test]
fn several_disputes_of_a_layer_are_debated_one_after_the_other() {
    let both = |state: &State, call: &CallId| {
        (call.purpose == Purpose::Summary && state.round == 2).then(|| {
            let mut said: Contribution = serde_json::from_str(&disputed("P-2")).unwrap();
            let other: Contribution = serde_json::from_str(&disputed("P-3")).unwrap();
            let part = said.coach.as_mut().unwrap();
            part.more_divergences
                .extend(other.coach.unwrap().divergence);
            text(&said)
        })
    };
    for (max, held) in [(3, 2), (1, 1)] {
        let mut inputs = inputs();
        inputs.format = Format::Team;
        inputs.limits.debates.max = max;
        let mut meeting = Meeting::open(TASK, inputs);
        meeting.run(&mut team(both));
        let state = &meeting.state;
        assert_eq!(state.debates.len(), held);
        assert_eq!(edges(state, "P-4")[0], "P-2-debate");
        let last = edges(state, "P-4")[1].clone();
        assert_eq!(last, if held == 2 { "P-3-debate" } else { "P-3" });
        // The one there was no room for stays on record.
        let found = meeting.entries.iter().find_map(|entry| match &entry.event {
            Event::ConsensusSummary {
                more_divergences, ..
            } if !more_divergences.is_empty() => Some(more_divergences.len()),
            _ => None,
        });
        assert_eq!(found, Some(1));
        assert_eq!(state.stage, Stage::Published);
    }
}

#[test]
fn the_human_may_dispute_the_result_of_a_phase() {
    let mut meeting = open();
    let mut script = team(|_, _| None);
    meeting.until(Purpose::Step, &mut script);
    let wish = |state: &State, text: &str| {
        intervention::event(
            state,
            Intent::Debate,
            text.to_owned(),
            Channel::Message,
            None,
        )
    };
    meeting.record(wish(&meeting.state, "/debate p-1"));
    let nothing = wish(&meeting.state, "/debate I-1");
    meeting.record(nothing.clone());
    meeting.run(&mut script);
    assert_eq!(edges(&meeting.state, "P-1-debate"), ["P-1"]);
    assert_eq!(edges(&meeting.state, "P-2"), ["P-1-debate"]);
    let topic = &meeting.state.debates[0].motion.debate_config.topic;
    assert!(topic.contains("do a"), "{topic}");
    assert_eq!(meeting.state.debates.len(), 1, "a team has no issue");
    let Event::UserIntervention { refused, .. } = nothing else {
        panic!("{nothing:?}");
    };
    assert_eq!(refused, Some(aitc::workshop::debate::Unheld::NotOpen));
}

#[test]
fn the_plan_is_reviewed_when_asked_for_and_not_for_small_work() {
    for (phases, debates) in [(4, 1), (2, 0)] {
        let mut inputs = inputs();
        inputs.format = Format::Team;
        inputs.limits.debates.review = true;
        let mut meeting = Meeting::open(TASK, inputs);
        meeting.run(&mut team(|_, call| {
            let mut plan = four();
            plan.phases.truncate(phases);
            (call.purpose == Purpose::Judgment).then(|| text(&plan))
        }));
        let held = &meeting.state.debates;
        assert_eq!(held.len(), debates, "{phases} phases");
        assert!(held.iter().all(|debate| debate.after_round == 0));
        let first = edges(&meeting.state, "P-1");
        match debates {
            1 => assert_eq!(first, ["debate"], "the work waits for it"),
            _ => assert!(first.is_empty()),
        }
        assert_eq!(meeting.state.stage, Stage::Published);
    }
}

#[test]
fn a_debate_the_human_asks_for_is_held_between_layers() {
    let mut meeting = open();
    let mut script = team(|_, _| None);
    meeting.until(Purpose::Step, &mut script);
    let event = intervention::event(
        &meeting.state,
        Intent::Debate,
        "/debate Which?".to_owned(),
        Channel::Message,
        None,
    );
    meeting.record(event);
    let nowhere = std::path::Path::new("no/such/workspace");
    let assets = aitc::edge::assets::load(nowhere, Lang::En, None).unwrap();
    let with_templates = Inputs {
        templates: assets.templates,
        ..meeting.state.inputs.clone()
    };
    let prompter = Prompter::new(&with_templates).unwrap();
    let (mut later, mut heard) = (0, 0);
    meeting.run(&mut |state, call| {
        let debated = state
            .debates
            .first()
            .is_some_and(|d| d.resolution.is_some());
        if debated && matches!(call.purpose, Purpose::Step | Purpose::Report) {
            let request = prompter.request(state, call).unwrap();
            later += 1;
            let hears = |message: &aitc::chat::Message| {
                message
                    .content
                    .contains("Result of debate (the conclusion of D-1)")
            };
            heard += usize::from(request.messages.iter().any(hears));
        }
        script(state, call)
    });
    assert!(later > 1 && heard == later, "{heard} of {later} prompts");
    assert_eq!(meeting.state.debates[0].after_round, 1);
    assert_eq!(meeting.state.stage, Stage::Published);
    assert_eq!(results(&meeting.state).len(), 5);
    // It is a phase: after what was done, before everything else.
    assert_eq!(edges(&meeting.state, "debate"), ["P-1"]);
    assert_eq!(edges(&meeting.state, "P-2"), ["debate"]);
    assert_eq!(edges(&meeting.state, "P-3"), ["debate"]);
    assert_eq!(edges(&meeting.state, "P-4"), ["P-2", "P-3"]);
    let shown = told(&meeting);
    for part in [
        "phase debate, after P-1 · now before P-2, P-3",
        "Layer 2",
        "Every phase is done",
    ] {
        assert!(shown.contains(part), "no `{part}` in {shown}");
    }
    assert!(!shown.contains("issue"), "a team has none: {shown}");
}

#[test]
fn a_stop_gives_a_synthesis_of_what_is_there() {
    let mut meeting = open();
    let mut script = team(|_, _| None);
    while meeting.state.round < 2 {
        assert!(meeting.step(&mut script));
    }
    meeting.until(Purpose::Step, &mut script);
    let event = intervention::event(
        &meeting.state,
        Intent::Stop,
        "/stop".to_owned(),
        Channel::Message,
        None,
    );
    meeting.record(event);
    let mut undone = Vec::new();
    meeting.run(&mut |state, call| {
        assert_ne!(call.purpose, Purpose::Step, "nobody is asked any more");
        let team = state.team.as_ref().unwrap();
        let phases = team.plan.phases().iter();
        undone = phases
            .filter(|phase| !team.done.contains_key(&phase.id))
            .map(|phase| phase.id.to_string())
            .collect();
        text(&synthesis())
    });
    assert_eq!(undone, ["P-2", "P-3", "P-4"]);
    let state = &meeting.state;
    assert_eq!(state.stop.as_ref().unwrap().reason, StopReason::User);
    assert_eq!(results(state).len(), 1);
    assert!(state.team.as_ref().unwrap().synthesis.is_some());
}

#[test]
fn cut_off_anywhere_the_same_is_due_and_the_same_comes_of_it() {
    let change = |state: &State, call: &CallId| {
        let disputes = call.purpose == Purpose::Summary && state.round == 2;
        let silent = call.scope == Scope::Phase(3) && call.purpose == Purpose::Step;
        match (disputes, silent) {
            (true, _) => Some(disputed("P-2")),
            (_, true) => Some("no object".to_owned()),
            _ => None,
        }
    };
    let whole = held(change);
    for cut in 2..whole.entries.len() - 1 {
        let mut meeting = open();
        for entry in &whole.entries[1..cut] {
            meeting.record(entry.event.clone());
        }
        let started = meeting.state.calls.open.len();
        let before = next_actions(&meeting.state);
        meeting.record(Event::Resumed {
            tool: "0.1.0".to_owned(),
            accepted_drift: Vec::new(),
            watched: false,
        });
        if started == 0 && meeting.state.calls.troubled.is_empty() {
            assert_eq!(next_actions(&meeting.state), before, "after line {cut}");
        }
        meeting.run(&mut team(change));
        assert_eq!(meeting.state.team, whole.state.team, "after line {cut}");
        assert_eq!(meeting.state.debates, whole.state.debates, "line {cut}");
    }
}

fn working_team() -> Arc<Team> {
    Arc::new(Team::working())
}

#[test]
fn a_crash_at_any_of_some_operations_of_a_working_team_changes_nothing() {
    let operations = crate::crash::operations(working_team);
    crate::crash::cut_at(working_team, (0..operations).step_by(17));
}

#[test]
#[ignore = "slow: run with `cargo test --test suite -- --ignored`"]
fn slow_a_crash_at_every_operation_of_a_working_team_changes_nothing() {
    crate::crash::cut_everywhere(working_team);
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
    let mut forged = formed.event.clone();
    if let Event::TeamFormed(formed) = &mut forged {
        formed.receipt = None;
        formed.fallback = Some("no reason".to_owned());
    }
    assert!(workshop.try_record(forged.clone()).is_err());
    let mut meeting = open();
    meeting.until(Purpose::Judgment, &mut team(|_, _| None));
    assert!(meeting.try_record(forged).is_err(), "nobody was asked");
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

#[test]
fn offline_members_work_as_a_team() {
    let place = Place::new();
    let flags = ["--provider", "offline", "--questions", "assume"];
    let ran = place.run(&[&["team", TASK][..], &flags].concat()).ends(0);
    assert_eq!(ran.out, ".ai-tools-chain/team_outputs/v1\n");
    let ran = ran.says(&["Layer 1", "P-1 begins", "synthesis: "]);
    drop(ran);
    let version = place.work().join(".ai-tools-chain/team_outputs/v1");
    let read = |name: &str| std::fs::read_to_string(version.join(name)).unwrap();
    let report = read("team_report.md");
    for part in [
        "**Status: complete**",
        "## 2 Result",
        "phase/P-1/output.txt",
        "checklists and repository search",
    ] {
        assert!(report.contains(part), "no `{part}` in\n{report}");
    }
    assert!(!report.contains("revise"), "{report}");
    assert!(!read("phase/P-1/output.txt").trim().is_empty());
    let structured: Value = serde_json::from_str(&read("team.ai.json")).unwrap();
    assert_eq!(structured["format"], "team");
    assert_eq!(structured["team"]["phases"].as_array().unwrap().len(), 5);
    assert!(read("state.md").contains("workflowType: team"));
    for command in [
        &["list"][..],
        &["status", "v1"],
        &["show", "v1"],
        &["verify", "v1"],
        &["render", "v1"],
    ] {
        place.run(command).ends(0);
    }
    place
        .run(&["check", "v1"])
        .fails(2, &["v1 is a team, not a plan"]);
    // Chinese, chosen members, addressed in a plan.
    place
        .run(&[&["plan", "@team[SD,RP] 比较收据的存储方式"][..], &flags].concat())
        .ends(0);
    let page = place
        .work()
        .join(".ai-tools-chain/team_outputs/v2/team_report.md");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("## 4 各个阶段"), "{page}");
    place.run(&[&["plan", "@team"][..], &flags].concat()).fails(
        2,
        &[
            "`@team` says nothing about what",
            "what the meeting is about",
        ],
    );
    place
        .run(&[&["team", TASK, "--members", "Devv"][..], &flags].concat())
        .fails(3, &["there is no role `Devv`", "Dev"]);
}
