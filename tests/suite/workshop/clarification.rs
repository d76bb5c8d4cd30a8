//! Calls of a clarification that bring nothing: the dialogue goes on without them.

use aitc::workshop::{
    Action, AnswerSource, CallId, Event, FailureKind, GiveUp, Purpose, QuestionMode,
    QuestionStatus, Stage, check, next_actions,
};

use super::asking;
use crate::support::meeting::{Meeting, agreeable, inputs, started, text};

/// A meeting in which SD asks in round 1, up to the coach's look at the question.
fn asked(mode: QuestionMode) -> (Meeting, CallId) {
    let mut inputs = inputs();
    inputs.questions = mode;
    let mut meeting = Meeting::open("two things", inputs);
    let mut basics = agreeable(1);
    let relay = meeting.until(Purpose::Relay, &mut |state, call| match call.purpose {
        Purpose::Speech if call.turn == 2 => text(&asking("Is there a migration?")),
        _ => basics(state, call),
    });
    (meeting, relay)
}

fn failed(call: &CallId, kind: FailureKind) -> Event {
    Event::CallFailed {
        call: call.clone(),
        kind,
        detail: "the prompt does not fit".to_owned(),
        retryable: false,
        retry_after_ms: None,
        latency_ms: 5,
    }
}

/// Fails a call as often as it is asked for, at most four times.
fn fail(meeting: &mut Meeting, kind: FailureKind) {
    for _ in 0..4 {
        let Action::Call(call) = next_actions(&meeting.state).remove(0) else {
            return;
        };
        meeting.record(started(&call));
        meeting.record(failed(&call, kind));
    }
}

#[test]
fn a_question_the_coach_cannot_look_at_is_passed_on() {
    for refused in [false, true] {
        let (mut meeting, relay) = asked(QuestionMode::Ask);
        if refused {
            fail(&mut meeting, FailureKind::Refused);
        } else {
            meeting.reply(&relay, "I would rather not.");
            meeting.reply(&relay.with_attempt(2), "No.");
        }
        let due = next_actions(&meeting.state).remove(0);
        let Action::Record(event) = due else {
            panic!("{due:?}")
        };
        let Event::ClarificationSkipped { call, reason } = &*event else {
            panic!("{event:?}")
        };
        assert_eq!(*call, relay);
        assert_eq!(reason.contains("does not fit"), refused, "{reason}");
        assert_eq!(event.actor(&meeting.state), "Coach");
        meeting.record(*event);
        meeting.step(&mut agreeable(1));
        let status = &meeting.state.questions[0].status;
        assert!(matches!(
            status,
            QuestionStatus::Waiting { follow_up: None }
        ));
        assert!(matches!(
            next_actions(&meeting.state)[..],
            [Action::AskHuman(_)]
        ));
    }
}

#[test]
fn what_is_passed_on_and_asked_of_nobody_is_an_assumption() {
    let (mut meeting, _) = asked(QuestionMode::Assume);
    fail(&mut meeting, FailureKind::TooLarge);
    meeting.run(&mut agreeable(1));
    assert_eq!(meeting.state.stage, Stage::Published);
    assert_eq!(meeting.state.assumptions.len(), 1);
}

#[test]
fn a_reply_stands_when_who_asked_has_nothing_usable_to_say() {
    let (mut meeting, _) = asked(QuestionMode::Ask);
    fail(&mut meeting, FailureKind::Refused);
    let mut basics = agreeable(1);
    while !matches!(next_actions(&meeting.state)[..], [Action::AskHuman(_)]) {
        meeting.step(&mut basics);
    }
    meeting.record(Event::UserClarificationDialogue {
        id: meeting.state.questions[0].id,
        question: "Is there a migration?".to_owned(),
        user_reply: "yes, one".to_owned(),
        source: AnswerSource::Terminal,
        message: None,
    });
    fail(&mut meeting, FailureKind::Refused);
    meeting.step(&mut basics);
    let QuestionStatus::Closed { answer, source } = &meeting.state.questions[0].status else {
        panic!("{:?}", meeting.state.questions[0])
    };
    assert_eq!(
        (answer.as_str(), *source),
        ("yes, one", AnswerSource::Terminal)
    );
    meeting.run(&mut basics);
    assert_eq!(meeting.state.stage, Stage::Published);
}

/// Nothing is decided without the coach because a line was down or a key refused.
#[test]
fn a_provider_that_cannot_be_had_skips_nothing() {
    for kind in [FailureKind::Credentials, FailureKind::Network] {
        let (mut meeting, relay) = asked(QuestionMode::Assume);
        fail(&mut meeting, kind);
        let due = next_actions(&meeting.state).remove(0);
        assert!(
            matches!(due, Action::GiveUp(GiveUp::ProviderUnavailable { .. })),
            "{due:?}"
        );
        let skipped = Event::ClarificationSkipped {
            call: relay,
            reason: "forged".to_owned(),
        };
        assert!(check(&meeting.state, &skipped).is_err());
    }
}

#[test]
fn only_a_hopeless_call_of_a_clarification_is_skipped() {
    let (mut meeting, relay) = asked(QuestionMode::Assume);
    let skipped = |call: &CallId| Event::ClarificationSkipped {
        call: call.clone(),
        reason: "forged".to_owned(),
    };
    assert!(
        check(&meeting.state, &skipped(&relay)).is_err(),
        "not asked"
    );
    meeting.reply(&relay, "No.");
    assert!(
        check(&meeting.state, &skipped(&relay)).is_err(),
        "asked once"
    );
    let second = relay.with_attempt(2);
    meeting.record(started(&second));
    assert!(
        check(&meeting.state, &skipped(&relay)).is_err(),
        "in flight"
    );
    meeting.record(failed(&second, FailureKind::Refused));
    meeting.reply(&relay.with_attempt(3), "No.");
    assert!(check(&meeting.state, &skipped(&relay)).is_ok());
    assert!(
        check(&meeting.state, &skipped(&second)).is_err(),
        "no first attempt"
    );
    let mut speech = relay.clone();
    speech.purpose = Purpose::Speech;
    assert!(
        check(&meeting.state, &skipped(&speech)).is_err(),
        "a speech"
    );
}
