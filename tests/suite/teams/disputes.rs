//! Results that the lead finds contradictory, and the review of the plan.

use super::*;
use crate::support::states;

pub(super) fn disputed(phase: &str) -> String {
    let divergence = divergence(phase, "Photo or text?", &["SD", "RP"]);
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
    assert_eq!(state.debates.held.len(), 1);
    let team = state.team.as_ref().unwrap();
    let debate = team.plan.find(&PhaseId::from("P-2-debate")).unwrap();
    assert_eq!(debate.phase_type, PhaseKind::Debate);
    let after = team.plan.find(&PhaseId::from("P-4")).unwrap();
    assert!(after.depends_on.contains(&debate.id), "{after:?}");
    let concluded = &state.debates.held[0].resolution.as_ref().unwrap().ruling;
    assert_eq!(results(state)["P-2-debate"], concluded.conclusion);
    assert_eq!(state.stage, Stage::Published);
    // A phase that does not exist or was already debated is refused.
    for phase in ["P-9", "I-1"] {
        let meeting = held(|_, call| (call.purpose == Purpose::Summary).then(|| disputed(phase)));
        assert!(meeting.state.debates.held.is_empty(), "{phase}");
        assert!(!meeting.state.discussion.summaries[0].refused.is_empty());
    }
}

#[test]
fn several_disputes_of_a_layer_are_debated_one_after_the_other() {
    let both = |state: &State, call: &CallId| {
        (call.purpose == Purpose::Summary && state.round == 2).then(|| {
            let mut said = spoken(&disputed("P-2"));
            let other: Contribution = serde_json::from_str(&disputed("P-3")).unwrap();
            let part = said.coach.as_mut().unwrap();
            part.more_divergences
                .extend(other.coach.unwrap().divergence);
            text(&said)
        })
    };
    for (max, held) in [(3, 2), (1, 1)] {
        let mut meeting = opened(|inputs| inputs.limits.debates.max = max);
        meeting.run(&mut team(both));
        let state = &meeting.state;
        assert_eq!(state.debates.held.len(), held);
        assert_eq!(edges(state, "P-4")[0], "P-2-debate");
        let last = edges(state, "P-4")[1].clone();
        assert_eq!(last, if held == 2 { "P-3-debate" } else { "P-3" });
        // The dispute beyond the limit is recorded.
        let found = meeting.events().find_map(|event| match event {
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
fn the_plan_is_reviewed_when_asked_for_and_not_for_small_work() {
    for (phases, debates) in [(4, 1), (2, 0)] {
        let mut meeting = opened(|inputs| inputs.limits.debates.review = true);
        meeting.run(&mut team(|_, call| {
            let mut plan = four();
            plan.phases.truncate(phases);
            (call.purpose == Purpose::Judgment).then(|| text(&plan))
        }));
        let held = &meeting.state.debates.held;
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
fn what_the_last_layer_brought_is_debated_before_the_synthesis() {
    // With the limit 3 the last layer is also the last allowed round.
    for limit in [3, 8] {
        let mut meeting = opened(|inputs| inputs.limits.max_rounds = limit);
        let mut concluded_before = None;
        meeting.run(&mut team(|state, call| {
            if call.purpose == Purpose::Report {
                concluded_before = Some(results(state).contains_key("P-4-debate"));
            }
            (call.purpose == Purpose::Summary && state.round == 3).then(|| disputed("P-4"))
        }));
        let state = &meeting.state;
        assert_eq!(state.debates.held.len(), 1, "limit {limit}");
        assert_eq!(concluded_before, Some(true), "limit {limit}");
        assert_eq!(edges(state, "P-4-debate"), ["P-4"]);
        assert_eq!(
            state.ending.stop.as_ref().unwrap().reason,
            StopReason::Consensus
        );
        assert_eq!(state.stage, Stage::Published);
    }
}

#[test]
fn where_there_is_no_room_or_no_time_the_last_layer_ends_the_work() {
    for (max, minutes) in [(0, 30), (3, 0)] {
        let mut inputs = states::inputs(Lang::En);
        inputs.format = Format::Team;
        inputs.limits.debates.max = max;
        inputs.limits.max_duration_minutes = minutes.max(1);
        let mut meeting = Meeting::open(TASK, inputs);
        let mut script = team(|state, call| {
            (call.purpose == Purpose::Summary && state.round == 3).then(|| disputed("P-4"))
        });
        while meeting.state.stage != Stage::Published {
            if minutes == 0 && meeting.state.round == 3 {
                meeting.step_ms = 60_000;
            }
            assert!(meeting.step(&mut script));
        }
        assert!(meeting.state.debates.held.is_empty());
        let stop = meeting.stop();
        assert_eq!(stop.reason, StopReason::Consensus);
        let report = file(&meeting.state, "team_report.md");
        assert!(report.contains(" · 3 layers · "), "{report}");
    }
}

#[test]
fn a_debate_that_became_a_phase_makes_small_work_no_larger() {
    let mut meeting = open();
    let mut asked = 0;
    let mut script = team(|_, call| {
        let mut plan = four();
        plan.phases.truncate(2);
        asked += usize::from(call.purpose == Purpose::Summary);
        (call.purpose == Purpose::Judgment).then(|| text(&plan))
    });
    meeting.until(Purpose::Step, &mut script);
    meeting.says("/debate Which?");
    meeting.run(&mut script);
    drop(script);
    assert_eq!(meeting.state.debates.held.len(), 1);
    assert_eq!(results(&meeting.state).len(), 3);
    assert_eq!(asked, 0, "nobody looks for disputes in small work");
}
