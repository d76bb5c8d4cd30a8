//! The machine: rounds, the counted consensus rule, the ledger, clarification, revision, and the
//! limits of the coach.

mod accounts;
mod asks;
mod caps;
mod clarification;
mod coach;
mod cuts;
mod diligence;
mod dropping;
mod ending;
mod hostile;
mod inquiry;
mod ledger;
mod leftovers;
mod legal;
mod looks;
mod reasons;
pub mod reviews;
mod revision;
mod trials;

use aitc::machine::*;
use aitc::reply::*;

use crate::support::meeting::*;
use coach::before_summary;

fn held(settle_in: u32) -> Meeting {
    let mut meeting = Meeting::open("two things", inputs());
    meeting.run(&mut agreeable(settle_in));
    meeting
}

#[test]
fn the_order_rotates_when_asked() {
    let mut meeting = opened(|inputs| inputs.order = SpeakingOrder::Rotate);
    meeting.run(&mut agreeable(2));
    let second: Vec<&str> = meeting
        .state
        .discussion
        .speeches_of(2)
        .map(|speech| speech.member.as_str())
        .collect();
    assert_eq!(second.first(), Some(&"SystemDesigner"));
    assert_eq!(second.last(), Some(&"ProductPlanner"));
}

#[test]
fn ids_of_a_blind_round_do_not_depend_on_who_answers_first() {
    let hold = |backwards: bool| {
        let mut meeting = opened(|inputs| inputs.first_round = FirstRound::Blind);
        meeting.until(Purpose::Speech, &mut agreeable(1));
        let mut calls: Vec<CallId> = calls_due(&meeting.state);
        assert_eq!(calls.len(), 5);
        if backwards {
            calls.reverse();
        }
        for call in calls {
            let speech = Contribution {
                new_issues: vec![new_issue(
                    "x",
                    &format!("raised by {}", call.member),
                    Severity::Minor,
                )],
                ..asking(&format!("What does {} need?", call.member))
            };
            meeting.reply(&call, &text(&speech));
        }
        meeting.state
    };
    let (forwards, backwards) = (hold(false), hold(true));
    assert_eq!(forwards.ledger, backwards.ledger);
    assert_eq!(forwards.questions, backwards.questions);
    assert_eq!(forwards.discussion.said, backwards.discussion.said);
    let third = forwards.ledger.find(IssueId(3)).unwrap();
    assert_eq!(third.title, "raised by ProductPlanner");
}

fn asking(question: &str) -> Contribution {
    Contribution {
        questions: vec![crate::support::meeting::question(question)],
        ..contribution("I need to know.")
    }
}

/// A meeting in which SD asks a question in round 1 and the coach relays it.
fn with_question(relay: Relay) -> Meeting {
    relayed("two things", asking("Is there a migration?"), relay)
}

fn relayed(requirement: &str, asked: Contribution, relay: Relay) -> Meeting {
    let mut inputs = inputs();
    inputs.questions = QuestionMode::Ask;
    let mut meeting = Meeting::open(requirement, inputs);
    let mut basics = agreeable(1);
    loop {
        let actions = next_actions(&meeting.state);
        let raised = !meeting.state.questions.asked.is_empty();
        let done =
            !matches!(actions.first(), Some(Action::Call(call)) if call.purpose == Purpose::Relay);
        if raised && done && !matches!(actions.first(), Some(Action::Record(_))) {
            return meeting;
        }
        let relay = relay.clone();
        meeting.step(&mut |state, call| match call.purpose {
            Purpose::Speech if call.turn == 2 => text(&asked),
            Purpose::Relay => text(&relaying(vec![relay.clone()])),
            _ => basics(state, call),
        });
    }
}

fn relaying(relays: Vec<Relay>) -> Contribution {
    Contribution {
        coach: Some(CoachPart {
            relays,
            ..CoachPart::default()
        }),
        ..contribution("")
    }
}

fn relay(answer: Option<&str>, cites: Option<&str>) -> Relay {
    Relay {
        of: None,
        question: "Q-1".to_owned(),
        answer: answer.map(str::to_owned),
        cites: cites.map(str::to_owned),
    }
}

#[test]
fn a_question_goes_through_coach_and_human_and_back_to_who_asked() {
    let mut meeting = with_question(relay(None, None));
    assert!(matches!(
        next_actions(&meeting.state)[..],
        [Action::AskHuman(_)]
    ));
    meeting.answers("yes", AnswerSource::Terminal);
    let call = call_due(&meeting.state);
    assert_eq!(
        (call.purpose, call.member.as_str()),
        (Purpose::FollowUp, "SystemDesigner")
    );
    meeting.reply(&call, &text(&asking("Of how many rows?")));
    assert!(meeting.step(&mut agreeable(1)));
    assert_eq!(
        meeting.state.questions.asked[0].current_text(),
        "Of how many rows?"
    );
    meeting.answers("a million", AnswerSource::Terminal);
    let call = call_due(&meeting.state);
    meeting.reply(&call, &text(&contribution("Enough.")));
    let QuestionStatus::Closed { answer, .. } = &meeting.state.questions.asked[0].status else {
        panic!()
    };
    assert_eq!(answer, "yes\na million");
    let Action::Call(next) = next_actions(&meeting.state).remove(0) else {
        panic!()
    };
    assert_eq!(
        (next.purpose, next.turn, next.round),
        (Purpose::Speech, 3, 1)
    );
    assert!(matches!(
        meeting.state.draft.lines(),
        [DraftLine::Answered { .. }]
    ));
}

#[test]
fn small_work_gets_one_round_or_two() {
    for (settle_in, rounds, reason) in [
        (1, 1, StopReason::Consensus),
        (2, 2, StopReason::Consensus),
        (3, 2, StopReason::RoundLimit),
    ] {
        let mut meeting = opened(|inputs| inputs.light = true);
        meeting.run(&mut agreeable(settle_in));
        let stop = meeting.state.ending.stop.unwrap();
        assert_eq!((stop.round, stop.reason), (rounds, reason));
    }
}

#[test]
fn an_unusable_reply_is_asked_once_more_then_one_member_is_passed_over() {
    let mut meeting = Meeting::open("two things", inputs());
    let mut basics = agreeable(1);
    meeting.run(&mut |state, call| {
        if call.purpose == Purpose::Speech && call.turn == 3 {
            return "no JSON at all".to_owned();
        }
        basics(state, call)
    });
    let state = &meeting.state;
    assert_eq!(state.stage, Stage::Published);
    assert_eq!(
        (
            state.discussion.passed_over.len(),
            state.discussion.speeches.len()
        ),
        (1, 4)
    );
    assert_eq!(state.calls.rejected, 2);

    let mut meeting = Meeting::open("two things", inputs());
    meeting.run(&mut |state, call| {
        if call.purpose == Purpose::Speech && call.turn >= 3 {
            return "no JSON at all".to_owned();
        }
        basics(state, call)
    });
    assert!(matches!(
        next_actions(&meeting.state)[..],
        [Action::GiveUp(_)]
    ));
}
