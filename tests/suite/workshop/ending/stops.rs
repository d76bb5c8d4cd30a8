//! The user stops in a blind round, or a vote ends it. A stop while a question is in progress is
//! played in `tests/played/endings.md`.

use aitc::machine::{AnswerSource, FirstRound, Lang, QuestionStatus};

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
    inputs.first_round = FirstRound::Blind;
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
    let fired = Event::GuardFired {
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

/// An end by a vote is reported as the members' decision, not as the user's.
#[test]
fn the_end_by_a_vote_is_told_as_the_members_and_that_by_a_word_as_yours() {
    for (lang, report, line, closing) in [
        (
            Lang::En,
            "The members ended the discussion after round 1, in a vote you asked for: 3 of 5 wanted to end.",
            "3 of 5 members voted to end, as you asked",
            "vote of the members",
        ),
        (
            Lang::Zh,
            "应您的要求表决，成员在第 1 轮之后结束了讨论：5 人中 3 人赞成结束。",
            "应您的要求表决，5 人中 3 人赞成结束",
            "因成员表决结束",
        ),
    ] {
        let mut meeting = crate::played::play([
            "agrees 99",
            "set limits.max_rounds = 2",
            "before PP r1: /vote",
            "PP vote: END agree",
            "SD vote: END agree",
            "Dev vote: END agree",
        ]);
        meeting.state.inputs.doc_lang = lang;
        meeting.state.inputs.templates = crate::support::states::templates(lang).into();
        let text = file(&meeting.state, "planning_report.md");
        assert!(text.contains(report), "{text}");
        let style = aitc::ui::view::Style { lang, ..style(200) };
        let shown = |state: &State| {
            let lines = meeting.entries.iter();
            let lines: Vec<_> = lines
                .filter_map(|e| aitc::ui::view::line(state, e, &style))
                .collect();
            lines.join("\n")
                + &aitc::ui::view::closing(state, "v1", aitc::ui::view::Next::Review, &style)
        };
        let text = shown(&meeting.state);
        assert!(text.contains(line) && text.contains(closing), "{text}");
        // The same end by the user's stop.
        let mut own = meeting.state.clone();
        own.ending.ended_by_vote = None;
        assert!(!file(&own, "planning_report.md").contains(report));
        let text = shown(&own);
        assert!(!text.contains(line) && !text.contains(closing), "{text}");
    }
}
