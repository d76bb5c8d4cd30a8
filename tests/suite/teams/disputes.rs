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
fn where_there_is_no_time_the_last_layer_ends_the_work() {
    let mut inputs = states::inputs(Lang::En);
    inputs.format = Format::Team;
    inputs.rules.limits.debates.max = 3;
    inputs.rules.limits.max_duration_minutes = 1;
    let mut meeting = Meeting::open(TASK, inputs);
    let mut script = team(|state, call| {
        (call.purpose == Purpose::Summary && state.round == 3).then(|| disputed("P-4"))
    });
    while meeting.state.stage != Stage::Published {
        if meeting.state.round == 3 {
            meeting.step_ms = 60_000;
        }
        assert!(meeting.step(&mut script));
    }
    assert!(meeting.state.debates.held.is_empty());
    assert_eq!(meeting.stop().reason, StopReason::Consensus);
    let report = file(&meeting.state, "team_report.md");
    assert!(report.contains(" · 3 layers · "), "{report}");
}
