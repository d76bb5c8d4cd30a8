//! Questions: declined, followed up, asked before round 1, and concurrent.

use super::*;

#[test]
fn follow_ups_come_to_an_end() {
    let mut meeting = with_question();
    let mut asked = 0;
    loop {
        match next_actions(&meeting.state).remove(0) {
            Action::AskHuman(_) => {
                meeting.answers(&format!("answer {asked}"), AnswerSource::Terminal);
            }
            Action::Call(call) if call.purpose == Purpose::FollowUp => {
                asked += 1;
                meeting.reply(&call, &text(&asking(&format!("And then, {asked}?"))));
            }
            Action::Record(event) => meeting.record(*event),
            _ => break,
        }
    }
    // The maximum number of follow-ups.
    assert_eq!(asked, 20);
    let QuestionStatus::Closed { answer, .. } = &meeting.state.questions.asked[0].status else {
        panic!()
    };
    assert!(answer.starts_with("answer 0\nanswer 1") && answer.ends_with("answer 20"));
}

#[test]
fn a_guard_in_a_blind_round_loses_no_speech() {
    let mut inputs = inputs();
    inputs.rules.first_round = FirstRound::Blind;
    inputs.rules.limits.max_tokens = Some(1_000_000);
    let mut meeting = Meeting::open("two things", inputs);
    let mut basics = agreeable(1);
    meeting.until(Purpose::Speech, &mut basics);
    for action in next_actions(&meeting.state).into_iter().take(2) {
        let Action::Call(call) = action else { panic!() };
        let words = basics(&meeting.state, &call);
        meeting.reply(&call, &words);
    }
    assert!(meeting.state.discussion.speeches.is_empty());
    meeting.record(budget_fires(&meeting.state));
    assert_eq!(meeting.state.discussion.speeches.len(), 2);
    assert_eq!(meeting.state.stage, Stage::Closing);
}

#[test]
fn time_in_a_round_sums_up_what_was_said_after_the_question_is_closed() {
    let mut meeting = Meeting::open("two things", inputs());
    let mut basics = agreeable(1);
    let mut purposes = Vec::new();
    meeting.run(&mut |state, call| {
        purposes.push((call.purpose, state.run.active_ms));
        if call.purpose == Purpose::Speech && call.turn == 2 {
            return text(&asking("Is there a migration?"));
        }
        basics(state, call)
    });
    assert!(purposes.iter().any(|(p, _)| *p == Purpose::Relay));
    let whole = meeting.entries.len();
    // The same run, with the time limit reached while the question is relayed.
    let mut late = Meeting::open("two things", inputs());
    let mut basics = agreeable(1);
    late.until(Purpose::Relay, &mut |state, call| {
        if call.purpose == Purpose::Speech && call.turn == 2 {
            return text(&asking("Is there a migration?"));
        }
        basics(state, call)
    });
    late.step_ms = 1_000_000;
    late.run(&mut basics);
    let state = &late.state;
    assert!(late.entries.len() < whole);
    assert_eq!(state.discussion.speeches.len(), 2);
    assert!(matches!(
        state.questions.asked[0].status,
        QuestionStatus::Closed { .. }
    ));
    assert_eq!(state.discussion.summaries.len(), 1);
    // Everything is settled, but three members have not spoken, so there is no agreement.
    assert_eq!(
        state.ending.stop.as_ref().unwrap().reason,
        StopReason::TimeLimit
    );
}
