//! Failed calls of a clarification: which may be skipped. What becomes of the question is played in
//! `tests/played/questions.md`.

use aitc::machine::*;
use serde_json::json;

use super::asking;
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

/// The follow-up "Blue or green?" has other options and another recommendation than "Is there a
/// migration?".
#[test]
fn a_follow_up_is_shown_with_its_own_options() {
    let mut meeting = answered();
    meeting.step(&mut |_, _| {
        let question = json!({"question": "Blue or green?", "why": "it is painted",
            "blocks": null, "options": ["blue", "green"], "recommended": "blue"});
        text(&json!({"analysis": "I read it.", "questions": [question]}))
    });
    if let [Action::Record(asks)] = next_actions(&meeting.state).as_slice() {
        meeting.record((**asks).clone());
    }
    let question = &meeting.state.questions.asked[0];
    assert!(question.is_followed_up());
    assert_eq!(question.current_options(), ["blue", "green"]);
    assert_eq!(question.current_recommended(), "blue");
    assert_eq!(question.current_why(), "it is painted");
    let picked = aitc::ui::human::understood(question, "2", AnswerSource::Command);
    assert_eq!(picked.unwrap().text, "green");
}
