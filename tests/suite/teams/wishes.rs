//! Debates of a team that the user requests, about the whole work or the result of a phase.

use aitc::machine::debate::{Unheld, WantedDebate};

use super::*;
use crate::support::meeting::refused;
use crate::support::states::templates;

#[test]
fn a_debate_the_human_asks_for_is_held_between_layers() {
    let mut meeting = open();
    let mut script = team(|_, _| None);
    meeting.until(Purpose::Step, &mut script);
    meeting.says("/debate Which?");
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
            .held
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
    assert_eq!(meeting.state.debates.held[0].after_round, 1);
    assert_eq!(meeting.state.stage, Stage::Published);
    assert_eq!(results(&meeting.state).len(), 5);
    // The debate is a phase, after the completed ones and before all others.
    assert_eq!(edges(&meeting.state, "debate"), ["P-1"]);
    assert_eq!(edges(&meeting.state, "P-2"), ["debate"]);
    assert_eq!(edges(&meeting.state, "P-3"), ["debate"]);
    assert_eq!(edges(&meeting.state, "P-4"), ["P-2", "P-3"]);
    let shown = told(&meeting);
    holds(
        &shown,
        &[
            "phase debate, after P-1 · P-2, P-3 will wait for it",
            "Layer 2",
            "Every phase is done",
        ],
    );
    assert!(!shown.contains("issue"), "a team has none: {shown}");
}

/// Requests a debate, which is recorded even if it is refused.
fn asked_for(meeting: &mut Meeting, text: &str) -> Option<Unheld> {
    let event = sent(&meeting.state, text);
    meeting.record(event.clone());
    refused(&event)
}

#[test]
fn a_debate_about_a_phase_that_brings_nothing_falls_away_on_record() {
    let mut meeting = open();
    let mut script =
        team(|_, call| (call.scope == Scope::Phase(3)).then(|| "no object".to_owned()));
    while meeting.state.round < 2 {
        assert!(meeting.step(&mut script));
    }
    meeting.until(Purpose::Step, &mut script);
    assert_eq!(asked_for(&mut meeting, "/debate P-3"), None);
    let early = Event::DebateVoided(WantedDebate {
        topic: "P-3".to_owned(),
        about: None,
        phase_id: Some("P-3".into()),
    });
    assert!(
        meeting.try_record(early.clone()).is_err(),
        "it is worked on"
    );
    meeting.run(&mut script);
    assert!(meeting.entries.iter().any(|entry| entry.event == early));
    assert!(meeting.state.debates.held.is_empty());
    assert!(told(&meeting).contains("no debate on P-3, which has no result"));
    meeting.state.inputs.templates = templates(Lang::En).into();
    let report = file(&meeting.state, "team_report.md");
    let row = "- **Not debated**: P-3 You asked for it; the phase has no result.";
    assert!(report.contains(row), "{report}");
}
