//! The user stops in a blind round. A stop while a question is in progress is played in
//! `tests/played/endings.md`.

use aitc::machine::{AnswerSource, FirstRound, QuestionStatus};

use super::super::asking;
use super::*;

/// Whether a question has reached a certain state.
type Far = fn(&QuestionStatus) -> bool;

/// A run in which the speaker at `turn` of round 1 asks a question, up to the state of the question
/// described by `far`.
fn asked(turn: u32, far: Far) -> Meeting {
    let mut meeting = opened(|inputs| inputs.questions = QuestionMode::Ask);
    let mut basics = agreeable(1);
    while !meeting
        .state
        .questions
        .asked
        .first()
        .is_some_and(|q| far(&q.status))
    {
        let script = &mut |state: &State, call: &CallId| match call.purpose {
            Purpose::Speech if call.turn == turn => text(&asking("Is there a migration?")),
            Purpose::FollowUp => text(&asking("Of how many rows?")),
            _ => basics(state, call),
        };
        match next_actions(&meeting.state).first() {
            Some(Action::AskHuman(_)) => meeting.answers("yes", AnswerSource::Terminal),
            _ => assert!(meeting.step(script), "the question never gets so far"),
        }
    }
    meeting
}

fn is_closed(status: &QuestionStatus) -> bool {
    matches!(status, QuestionStatus::Closed { .. })
}

/// A replay of the transcript gives the same state.
fn replays(meeting: &Meeting) {
    assert_eq!(meeting.replayed(meeting.entries.len()), meeting.state);
}

/// Questions of a blind round get their ids when the round is cut short.
#[test]
fn a_stop_in_a_blind_round_sums_up_who_has_asked_meanwhile() {
    let mut inputs = inputs();
    inputs.questions = QuestionMode::Ask;
    inputs.rules.first_round = FirstRound::Blind;
    let mut meeting = Meeting::open("two things", inputs);
    let mut basics = agreeable(1);
    meeting.until(Purpose::Speech, &mut basics);
    let call = call_due(&meeting.state);
    meeting.reply(&call, &text(&asking("Is there a migration?")));
    meeting.says("/stop");
    assert_eq!(meeting.state.questions.asked.len(), 1, "heard out");
    assert_eq!(call_due(&meeting.state).purpose, Purpose::Summary);
    meeting.run(&mut basics);
    assert_eq!(meeting.state.discussion.speeches.len(), 1);
    assert_eq!(
        meeting.state.questions.asked[0].status,
        QuestionStatus::Raised,
        "nobody has looked at it"
    );
    replays(&meeting);
}

/// Transcripts of an earlier version that ended in this way can still be read.
#[test]
fn an_end_at_once_beside_a_question_is_still_read() {
    let fired = Event::DiscussionEnded {
        guard: StopReason::User,
        value: 0,
        limit: 0,
        unit: None,
        sign: None,
    };
    let mut meeting = asked(2, |s| matches!(s, QuestionStatus::Waiting { .. }));
    assert!(
        meeting.try_record(fired.clone()).is_err(),
        "nobody ended it"
    );
    meeting.says("/stop");
    meeting.record(fired.clone());
    assert_eq!(meeting.state.stage, Stage::Closing);
    // If no question is waiting, this ending was never used.
    let mut meeting = asked(2, is_closed);
    meeting.says("/stop");
    assert!(meeting.try_record(fired).is_err());
}
