//! Questions: declined, followed up, asked before round 1, and concurrent.

use super::*;

#[test]
fn a_declined_question_is_an_assumption() {
    let mut meeting = with_question(relay(None, None));
    meeting.answers("ask later", AnswerSource::Declined);
    assert_eq!(meeting.state.questions.assumptions[0].text, "no");
    assert_eq!(meeting.state.questions.assumptions[0].why, "declined");
}

#[test]
fn follow_ups_come_to_an_end() {
    let mut meeting = with_question(relay(None, None));
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
fn a_judgment_asks_before_round_one_and_points_to_nothing_that_is_not_there() {
    let mut meeting = opened(|inputs| inputs.questions = QuestionMode::Ask);
    let call = meeting.until(Purpose::Judgment, &mut agreeable(1));
    let mut answer = asking("Who may see it?");
    answer.new_issues = vec![new_issue("a", "a need", Severity::Blocking)];
    answer.questions.extend(asking("And where?").questions);
    answer.questions[1].blocks = Some("I-7".to_owned());
    meeting.reply(&call, &text(&answer));
    let blocks: Vec<_> = meeting
        .state
        .questions
        .asked
        .iter()
        .map(|q| q.blocks)
        .collect();
    assert_eq!(blocks, [Some(IssueId(1)), None]);
    while !matches!(next_actions(&meeting.state)[..], [Action::AskHuman(_)]) {
        assert!(meeting.step(&mut agreeable(1)));
    }
    assert_eq!(meeting.state.round, 0);
    let Action::AskHuman(ids) = next_actions(&meeting.state).remove(0) else {
        panic!()
    };
    assert_eq!(ids.len(), 2, "both are put at once");
}

/// Concurrent members do not see each other's questions and issues.
#[test]
fn what_a_blind_round_says_twice_is_one_question_and_one_issue() {
    let mut meeting = opened(|inputs| inputs.first_round = FirstRound::Blind);
    let mut basics = agreeable(1);
    meeting.until(Purpose::Relay, &mut |state, call| {
        if call.purpose != Purpose::Speech {
            return basics(state, call);
        }
        let code = state.inputs.roles.code(&call.member).to_owned();
        let mut speech = asking("Which currency?");
        speech.questions[0].blocks = (code == "SD").then(|| "I-2".to_owned());
        let severity = if code == "TP" {
            Severity::Blocking
        } else {
            Severity::Minor
        };
        let mut raised = new_issue("n", "rounding", severity);
        raised.detail = format!("{code} says why");
        speech.new_issues.push(raised);
        text(&speech)
    });
    let state = &meeting.state;
    let asked: Vec<_> = state
        .questions
        .asked
        .iter()
        .map(|q| (q.asked_by.as_str(), q.blocks))
        .collect();
    assert_eq!(asked, [("ProductPlanner", Some(IssueId(2)))]);
    let raised: Vec<_> = state
        .ledger
        .iter()
        .filter(|issue| issue.title == "rounding")
        .collect();
    let [issue] = raised.as_slice() else {
        panic!("{raised:?}");
    };
    assert_eq!(issue.severity, Severity::Blocking);
    for code in ["PP", "SD", "Dev", "TP", "RP"] {
        assert!(
            issue.detail.contains(&format!("{code} says why")),
            "{code}: {issue:?}"
        );
    }
    assert!(state.discussion.speeches[0].notes.is_empty());
    for speech in &state.discussion.speeches[1..] {
        let told: Vec<_> = speech.notes.iter().map(|note| note.text.as_str()).collect();
        let wanted = [
            "raised in the same round; it is `I-3`",
            "asked in the same round; it is `Q-1`",
        ];
        assert_eq!(told, wanted);
        assert!(speech.questions.is_empty() && speech.issues.is_empty());
    }
}

#[test]
fn a_guard_in_a_blind_round_loses_no_speech() {
    let mut inputs = inputs();
    inputs.first_round = FirstRound::Blind;
    inputs.limits.max_tokens = Some(1_000_000);
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
