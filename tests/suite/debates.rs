//! Debates: their course, the effect of a ruling, what triggers and prevents them, and crash
//! safety.

mod caps;
mod commands;
mod crashes;
mod dissent;
mod failures;
mod path;
mod prompts;
mod skips;
mod triggers;
mod wanted;

use aitc::machine::debate::{Debate, DebateConfig, DebateStep, Motion, Plain, Trigger};
use aitc::machine::*;
use aitc::reply::{Decision, DivergenceKind, Stance};

use crate::support::divided::{divided, held, open, usual};
use crate::support::meeting::*;

/// What happened in debates, in order, such as `argument PP r1`.
fn told(meeting: &Meeting) -> Vec<String> {
    let code = |member| meeting.state.inputs.roles.code(member).to_owned();
    let told = meeting.events().filter_map(|event| match event {
        Event::DebateStarted(e) => Some(format!("{} started", e.debate)),
        Event::ExpertArgument(e) => Some(format!(
            "argument {} r{}",
            code(&e.receipt.call.member),
            e.debate_round
        )),
        Event::CallGivenUp { call, .. } => {
            Some(format!("missing {} r{}", code(&call.member), call.turn))
        }
        Event::DebateRoundSummary(e) => Some(format!("summary r{}", e.debate_round)),
        Event::DebateResolved(e) => Some(format!("{} {}", e.debate, e.decision.name())),
        _ => None,
    });
    told.collect()
}

fn debate(meeting: &Meeting) -> &Debate {
    meeting
        .state
        .debates
        .held
        .first()
        .expect("a debate was held")
}

#[test]
fn two_who_object_to_each_other_argue_two_rounds_and_the_coach_rules() {
    let meeting = held(|_| {});
    assert_eq!(
        told(&meeting),
        [
            "D-1 started",
            "argument PP r1",
            "argument SD r1",
            "summary r1",
            "argument PP r2",
            "argument SD r2",
            "summary r2",
            "D-1 compromise",
        ]
    );
    let state = &meeting.state;
    assert_eq!(state.stage, Stage::Published);
    assert!(state.ending.is_agreed());
    assert_eq!(state.round, 2, "a debate costs no round");
    let criterion = DivergenceKind::Contradiction;
    assert_eq!(
        debate(&meeting).motion.trigger,
        Trigger::Coach { criterion }
    );
    assert_eq!(debate(&meeting).motion.about, Some(IssueId(1)));
}

#[test]
fn a_conclusion_joins_the_draft_by_the_counted_rule_only() {
    let meeting = held(|_| {});
    let item = meeting
        .state
        .draft
        .standing()
        .find(|item| item.issue == IssueId(1));
    let item = item.expect("the conclusion is in the draft");
    assert_eq!(item.text_id.debate(), Some(DebateId(1)));
    assert_eq!(item.text, "Admins export, with a log.");
    assert!(item.proposed_by.is_coach());
    assert!(item.supporters.iter().all(|supporter| supporter.round == 2));
}

/// The summary of round 2, in which members take these stances on the conclusion.
fn after_ruling(stance: impl Fn(&str) -> Option<Stance>) -> Event {
    let mut meeting = open(|_| {});
    let mut script = divided(|_, _, _| None);
    let call = meeting.until(Purpose::Summary, &mut script);
    meeting.reply(&call, &script(&meeting.state, &call));
    let call = meeting.until(Purpose::Summary, &mut |state, call| {
        if call.purpose != Purpose::Speech {
            return script(state, call);
        }
        let mut said = contribution("Mine.");
        said.positions
            .extend(stance(state.inputs.roles.code(&call.member)).map(|stance| {
                let mut position = position("I-1", stance, None);
                position.changed_because = Some("the ruling".to_owned());
                position
            }));
        text(&said)
    });
    let mut summary =
        crate::support::meeting::coach(vec![crate::support::meeting::settled("I-1", "d1")]);
    summary.analysis = "Settled.".to_owned();
    meeting.reply(&call, &text(&summary));
    meeting.entries.pop().unwrap().event
}

fn refused(event: &Event) -> Vec<Rule> {
    match event {
        Event::ConsensusSummary {
            refused, consensus, ..
        } => {
            assert!(consensus.is_empty(), "{consensus:?}");
            refused.iter().map(|refusal| refusal.rule).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_conclusion_nobody_supports_since_the_ruling_is_refused() {
    // Dev, TP and RP agreed in round 1, before the ruling.
    let event = after_ruling(|code| matches!(code, "PP" | "SD").then_some(Stance::Abstain));
    assert_eq!(refused(&event), [Rule::NoSupport]);
}

#[test]
fn a_conclusion_somebody_objects_to_is_refused() {
    let event = after_ruling(|code| {
        Some(if code == "SD" {
            Stance::Object
        } else {
            Stance::Agree
        })
    });
    assert_eq!(refused(&event), [Rule::ObjectionStands]);
}

#[test]
fn rounds_are_as_configured_and_never_more_than_four() {
    for (wanted, rounds) in [(1, 1), (3, 3), (9, 4)] {
        let meeting = held(|inputs| inputs.limits.debates.rounds = wanted);
        assert_eq!(debate(&meeting).rounds.len(), rounds);
    }
}

#[test]
fn a_debate_stops_early_when_nobody_objects_and_one_text_is_left() {
    let mut meeting = open(|inputs| inputs.limits.debates.rounds = 4);
    meeting.run(&mut divided(|state, _, part| {
        (part == DebatePart::Argument).then(|| {
            let subject = state.open_debate().unwrap().subject();
            let mut said = contribution("That serves both.");
            said.positions = vec![position(&subject, Stance::Refine, Some("One text."))];
            said.positions[0].changed_because = Some("the case of the auditor".to_owned());
            text(&said)
        })
    }));
    assert_eq!(debate(&meeting).rounds.len(), 1);
}

#[test]
fn the_coach_may_rule_in_its_opening_or_in_a_summary() {
    let early = |at: DebatePart| {
        let mut meeting = open(|_| {});
        meeting.run(&mut divided(move |_, _, part| {
            (part == at).then(|| text(&ruling(Decision::Adopt, "PP's text.")))
        }));
        meeting
    };
    let none = early(DebatePart::Opening);
    assert_eq!(told(&none), ["D-1 started", "D-1 adopt"]);
    let one = early(DebatePart::Summary);
    assert_eq!(told(&one)[3..], ["summary r1", "D-1 adopt"]);
    assert!(one.state.ending.is_agreed() && none.state.ending.is_agreed());
}

#[test]
fn an_argument_is_about_the_question_and_turns_round_with_a_reason_only() {
    let mut meeting = open(|_| {});
    meeting.run(&mut divided(|state, call, part| {
        (part == DebatePart::Argument && call.turn == 1).then(|| {
            let mut said = in_debate(state, call, part);
            said.positions = vec![
                position("I-2", Stance::Object, None),
                position("I-1", Stance::Agree, None),
            ];
            said.positions[1].backs = Some("X-1".to_owned());
            text(&said)
        })
    }));
    let notes: Vec<&str> = meeting
        .events()
        .filter_map(|event| match event {
            Event::ExpertArgument(e) if e.debate_round == 1 => Some(&e.notes),
            _ => None,
        })
        .flatten()
        .map(|note| note.text.as_str())
        .collect();
    // PP supported `X-1` when it objected, so this is not a change of mind.
    assert_eq!(notes.len(), 3, "{notes:?}");
    assert!(notes[0].contains("I-1") && notes[2].contains("without a reason"));
    let issue = meeting.issue(2);
    assert!(issue.positions.iter().all(|p| p.stance != Stance::Object));
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
