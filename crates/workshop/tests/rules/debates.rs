//! Debates: their order, their limits, and the prefix of their prompts.

mod caps;
mod prompts;

use workshop::machine::debate::{Debate, DebateConfig, DebateStep, DebateTrigger, Motion};
use workshop::machine::*;

use crate::support::divided::{open, usual};
use crate::support::meeting::*;

#[test]
fn the_order_of_arrival_changes_nothing() {
    let hold = |backwards: bool| {
        let mut meeting = open(|_| {});
        meeting.until(Purpose::Debate(DebatePart::Argument), &mut usual());
        let mut calls: Vec<CallId> = calls_due(&meeting.state);
        assert_eq!(calls.len(), 2, "arguments are made side by side");
        if backwards {
            calls.reverse();
        }
        for call in &calls {
            meeting.record(started(call));
        }
        for call in &calls {
            let said = text(&in_debate(&meeting.state, call, DebatePart::Argument));
            let finish = workshop::chat::FinishReason::Stop;
            let event = workshop::machine::event_of(&meeting.state, receipt(call), &said, finish);
            meeting.record(event);
        }
        meeting.run(&mut usual());
        meeting.state
    };
    let (forwards, backwards) = (hold(false), hold(true));
    assert_eq!(forwards.ledger, backwards.ledger);
    assert_eq!(forwards.debates.held, backwards.debates.held);
    assert_eq!(forwards.draft, backwards.draft);
}

fn motion(config: DebateConfig) -> Motion {
    Motion {
        debate_config: config,
        about: None,
        sides: Vec::new(),
        trigger: DebateTrigger::Review,
    }
}

#[test]
fn a_debate_may_be_left_out_or_have_no_participants() {
    let config: DebateConfig = serde_json::from_str(r#"{"topic": "which store?"}"#).unwrap();
    assert_eq!((config.rounds(), config.skip), (2, false));
    let of = |config| Debate {
        id: DebateId(1),
        motion: motion(config),
        after_round: 0,
        opening: String::new(),
        rounds: Vec::new(),
        early: None,
        resolution: None,
    };
    // Without participants, the coach rules at once.
    assert_eq!(of(config.clone()).next(), DebateStep::Rule);
    let skipped = DebateConfig {
        skip: true,
        ..config
    };
    assert_eq!(of(skipped).next(), DebateStep::Skip);
}
