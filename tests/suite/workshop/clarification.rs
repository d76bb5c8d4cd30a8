//! Failed calls of a clarification: the discussion continues without them.

use aitc::machine::*;
use serde_json::json;

use super::{asking, relay, relayed};
use crate::support::meeting::*;

/// A meeting in which SD asks in round 1, up to the coach's relay call.
fn asked(mode: QuestionMode) -> (Meeting, CallId) {
    let mut meeting = opened(|inputs| inputs.questions = mode);
    let mut basics = agreeable(1);
    let relay = meeting.until(Purpose::Relay, &mut |state, call| match call.purpose {
        Purpose::Speech if call.turn == 2 => text(&asking("Is there a migration?")),
        _ => basics(state, call),
    });
    (meeting, relay)
}

/// Lets a call fail in every attempt, at most four times.
fn fail(meeting: &mut Meeting, kind: FailureKind) {
    for _ in 0..4 {
        let Action::Call(call) = next_actions(&meeting.state).remove(0) else {
            return;
        };
        meeting.record(started(&call));
        meeting.record(failed(&call, kind, false));
    }
}

/// A meeting whose question was relayed and answered, up to the asker's follow-up.
fn answered() -> Meeting {
    let (mut meeting, _) = asked(QuestionMode::Ask);
    fail(&mut meeting, FailureKind::Refused);
    let mut basics = agreeable(1);
    while !matches!(next_actions(&meeting.state)[..], [Action::AskHuman(_)]) {
        meeting.step(&mut basics);
    }
    meeting.answers("yes, one", AnswerSource::Terminal);
    meeting
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
        let Event::CallGivenUp { call, reason } = &*event else {
            panic!("{event:?}")
        };
        assert_eq!(*call, relay);
        assert_eq!(reason.contains("HTTP 503"), refused, "{reason}");
        assert_eq!(event.actor(&meeting.state), "Coach");
        meeting.record(*event);
        meeting.step(&mut agreeable(1));
        let status = &meeting.state.questions.asked[0].status;
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
    assert_eq!(meeting.state.questions.assumptions.len(), 1);
}

#[test]
fn a_reply_stands_when_who_asked_has_nothing_usable_to_say() {
    let mut meeting = answered();
    let mut basics = agreeable(1);
    fail(&mut meeting, FailureKind::Refused);
    meeting.step(&mut basics);
    let QuestionStatus::Closed { answer, source } = &meeting.state.questions.asked[0].status else {
        panic!("{:?}", meeting.state.questions.asked[0])
    };
    assert_eq!(
        (answer.as_str(), *source),
        ("yes, one", AnswerSource::Terminal)
    );
    meeting.run(&mut basics);
    assert_eq!(meeting.state.stage, Stage::Published);
}

/// The follow-up "Blue or green?" has other options and another recommendation than "Is there a
/// migration?".
#[test]
fn a_follow_up_is_answered_by_what_it_recommends_itself() {
    for (source, reply, closed, assumed) in [
        (AnswerSource::Recommended, "blue", "yes, one\nblue", &[][..]),
        (AnswerSource::Assumed, "blue", "yes, one", &["blue"]),
        (AnswerSource::Declined, "", "yes, one", &[]),
        (AnswerSource::Terminal, "green", "yes, one\ngreen", &[]),
    ] {
        let mut meeting = answered();
        meeting.step(&mut |_, _| {
            let question = json!({"question": "Blue or green?", "why": "it is painted",
                "blocks": null, "options": ["blue", "green"], "recommended": "blue"});
            text(&json!({"analysis": "I read it.", "questions": [question]}))
        });
        let due = next_actions(&meeting.state);
        if let [Action::Record(asks)] = due.as_slice() {
            meeting.record((**asks).clone());
        }
        let question = &meeting.state.questions.asked[0];
        assert!(question.is_followed_up(), "{due:?}");
        assert_eq!(question.current_options(), ["blue", "green"]);
        assert_eq!(question.current_recommended(), "blue");
        assert_eq!(question.current_why(), "it is painted");
        let picked = aitc::ui::human::understood(question, "2", AnswerSource::Command);
        assert_eq!(picked.unwrap().text, "green");

        meeting.answers(reply, source);
        if source == AnswerSource::Terminal {
            meeting.step(&mut |_, _| text(&json!({"analysis": "That will do."})));
        }
        let question = &meeting.state.questions.asked[0];
        let QuestionStatus::Closed { answer, .. } = &question.status else {
            panic!("{source:?}: {:?}", question.status);
        };
        assert_eq!(answer, closed, "{source:?}");
        assert_eq!(question.further, None);
        let taken: Vec<&str> = meeting
            .state
            .questions
            .assumptions
            .iter()
            .map(|a| &*a.text)
            .collect();
        assert_eq!(taken, assumed, "{source:?}");
    }
}

/// If the provider is unavailable or refuses the key, the clarification is not skipped.
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
        let skipped = Event::CallGivenUp {
            call: relay,
            reason: "forged".to_owned(),
        };
        assert!(may_follow(&meeting.state, &skipped).is_err());
    }
}

#[test]
fn only_a_hopeless_call_of_a_clarification_is_skipped() {
    let (mut meeting, relay) = asked(QuestionMode::Assume);
    let skipped = |call: &CallId| Event::CallGivenUp {
        call: call.clone(),
        reason: "forged".to_owned(),
    };
    assert!(
        may_follow(&meeting.state, &skipped(&relay)).is_err(),
        "not asked"
    );
    meeting.reply(&relay, "No.");
    assert!(
        may_follow(&meeting.state, &skipped(&relay)).is_err(),
        "asked once"
    );
    let second = relay.with_attempt(2);
    meeting.record(started(&second));
    assert!(
        may_follow(&meeting.state, &skipped(&relay)).is_err(),
        "in flight"
    );
    meeting.record(failed(&second, FailureKind::Refused, false));
    meeting.reply(&relay.with_attempt(3), "No.");
    assert!(may_follow(&meeting.state, &skipped(&relay)).is_ok());
    assert!(
        may_follow(&meeting.state, &skipped(&second)).is_err(),
        "no first attempt"
    );
    let mut speech = relay.clone();
    speech.purpose = Purpose::Speech;
    assert!(
        may_follow(&meeting.state, &skipped(&speech)).is_err(),
        "a speech"
    );
}

/// As in a run with `qwen2.5-coder-1.5b`: the recommendation in other words, attributed to the
/// requirement.
#[test]
fn a_reworded_recommendation_is_no_answer_either() {
    let mut asked = asking("May both parents report the same child?");
    asked.questions[0].recommended = "Both, unless the school has noted otherwise".to_owned();
    let mut chinese = asking("父母双方都可以为同一个孩子请假吗？");
    chinese.questions[0].recommended = "都可以，除非学校另有记录".to_owned();
    for (requirement, asked, answer, is_taken) in [
        (
            "Parents report a sick child to the school by phone.",
            &asked,
            "Both parents must report the same child, unless the school has noted otherwise",
            false,
        ),
        (
            "Parents report a sick child by phone. Both of them may, unless the school says no.",
            &asked,
            "Both of them may, unless the school says no",
            true,
        ),
        (
            "家长用手机为生病的孩子请假。",
            &chinese,
            "父母都可以，除非学校另有记录。",
            false,
        ),
        (
            "家长用手机为生病的孩子请假，每个孩子只登记一位家长。",
            &chinese,
            "每个孩子只登记一位家长，所以只有这一位。",
            true,
        ),
    ] {
        let said = relay(Some(answer), Some("requirement"));
        let heard = relayed(requirement, asked.clone(), said);
        let status = &heard.state.questions.asked[0].status;
        let closed = matches!(status, QuestionStatus::Closed { .. });
        assert_eq!(closed, is_taken, "{answer}: {status:?}");
    }
}
