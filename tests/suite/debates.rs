//! Debates: their course, the effect of a ruling, what triggers and prevents them, and crash
//! safety.

mod caps;
mod commands;
mod crashes;
mod dissent;
mod failures;
mod path;
mod prompts;
mod triggers;
mod wanted;

use aitc::machine::debate::{Debate, DebateConfig, DebateStep, Motion, Plain, Trigger};
use aitc::machine::*;

use crate::support::divided::{held, open, usual};
use crate::support::meeting::*;

fn debate(meeting: &Meeting) -> &Debate {
    meeting
        .state
        .debates
        .held
        .first()
        .expect("a debate was held")
}

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
            let finish = aitc::chat::FinishReason::Stop;
            let event = aitc::machine::event_of(&meeting.state, receipt(call), &said, finish);
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
        trigger: Trigger::Review,
    }
}

#[test]
fn a_debate_may_be_left_out_or_have_no_participants() {
    let config: DebateConfig = serde_json::from_str(r#"{"topic": "which store?"}"#).unwrap();
    assert_eq!((config.rounds(), config.skip), (2, false));
    let of = |config| Debate::open(DebateId(1), motion(config), 0, String::new(), None);
    // Without participants, the coach rules at once.
    assert_eq!(of(config.clone()).next(), DebateStep::Rule);
    let skipped = DebateConfig {
        skip: true,
        ..config
    };
    assert_eq!(of(skipped).next(), DebateStep::Skip);
}

#[test]
fn what_does_not_follow_in_a_debate_is_refused() {
    let mut meeting = open(|_| {});
    let call = meeting.until(Purpose::Debate(DebatePart::Argument), &mut usual());
    let opened = meeting.entries.last().unwrap().event.clone();
    let round = Event::RoundStarted {
        issues: meeting.state.ledger.open().map(|issue| issue.id).collect(),
    };
    assert!(meeting.try_record(round).is_err(), "the debate goes on");
    assert!(meeting.try_record(opened).is_err(), "one debate at a time");
    let mut stranger = call.clone();
    stranger.member = "RiskPlanner".into();
    assert!(meeting.try_record(started(&stranger)).is_err());
    let mut later = call.clone();
    later.turn = 2;
    assert!(meeting.try_record(started(&later)).is_err());
    let ruled = CallId {
        purpose: Purpose::Debate(DebatePart::Ruling),
        member: "Coach".into(),
        ..call.clone()
    };
    assert!(
        meeting.try_record(started(&ruled)).is_err(),
        "nobody has argued"
    );
    meeting.reply(
        &call,
        &text(&in_debate(&meeting.state, &call, DebatePart::Argument)),
    );
    assert!(
        meeting.try_record(started(&call)).is_err(),
        "one argument a round"
    );
    let forged = |change: &dyn Fn(&mut aitc::machine::debate::DebateResolved)| {
        let mut meeting = held(|_| {});
        let place = meeting
            .entries
            .iter()
            .position(|entry| matches!(entry.event, Event::DebateResolved(_)));
        let place = place.unwrap();
        let Event::DebateResolved(mut resolved) = meeting.entries[place].event.clone() else {
            unreachable!();
        };
        let mut replay = open(|_| {});
        for entry in meeting.entries.drain(1..place) {
            replay.record(entry.event);
        }
        change(&mut resolved);
        replay.try_record(Event::DebateResolved(resolved))
    };
    assert_eq!(forged(&|_| {}), Ok(()));
    assert!(forged(&|r| r.dissent.clear()).is_err(), "dissent is kept");
    assert!(forged(&|r| r.plain = Some(Plain::NoReply)).is_err());
    assert!(forged(&|r| r.receipt = None).is_err(), "somebody must rule");
    assert!(forged(&|r| r.conclusion.clear()).is_err());
}
