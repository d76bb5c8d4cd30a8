//! The user ends the discussion, sends a message, or requests a vote.

use aitc::prompt::Prompter;

use aitc::machine::{ConsensusId, IssueStatus, Origin, Reopened};

use aitc::machine::debate::Unheld;

use super::*;
use crate::support::meeting::{position, settled};
use crate::support::run;

#[test]
fn the_human_ends_it_wherever_it_stands() {
    let stop = |meeting: &mut Meeting| {
        meeting.record(typed(Intent::Stop, "quit"));
    };
    for purpose in [Purpose::Judgment, Purpose::Speech, Purpose::Summary] {
        let mut meeting = Meeting::open("two things", inputs());
        meeting.until(purpose, &mut agreeable(99));
        stop(&mut meeting);
        meeting.run(&mut agreeable(99));
        let end = meeting.stop();
        assert_eq!(end.reason, StopReason::User, "{purpose:?}");
        assert_eq!(meeting.state.documents.written.len(), 5, "{purpose:?}");
        let late = typed(Intent::Say, "too late");
        assert!(meeting.try_record(late).is_err());
    }
    // If everything is agreed, the result is agreement, even though the user stopped.
    let mut meeting = Meeting::open("two things", inputs());
    meeting.until(Purpose::Summary, &mut agreeable(1));
    stop(&mut meeting);
    meeting.run(&mut agreeable(1));
    assert!(meeting.state.ending.is_agreed());
}

#[test]
fn words_between_two_rounds_are_heard_in_the_next_one() {
    let mut meeting = Meeting::open("two things", inputs());
    while meeting.state.stage != Stage::Between || meeting.state.round == 0 {
        assert!(meeting.step(&mut agreeable(1)));
    }
    assert!(meeting.state.ledger.blocking().next().is_none());
    meeting.record(typed(Intent::Say, "And who pays for it?"));
    // The message has not been considered yet, so there is no agreement.
    let mut basics = agreeable(1);
    let mut raised = false;
    meeting.run(&mut |state, call| {
        if call.purpose == Purpose::Speech && call.round == 2 {
            assert_eq!(state.discussion.said[0], Said::Human(0));
            if !raised {
                raised = true;
                return text(&Contribution {
                    new_issues: vec![new_issue("p", "who pays", Severity::Blocking)],
                    ..contribution("It has to be paid for.")
                });
            }
        }
        basics(state, call)
    });
    assert_eq!(meeting.state.round, 3);
    assert!(meeting.state.ending.is_agreed());
    assert_eq!(meeting.state.ledger.iter().count(), 3);
}

pub fn voted(ends: usize) -> Meeting {
    let mut meeting = Meeting::open("two things", inputs());
    meeting.state.inputs.limits.max_rounds = 2;
    meeting.until(Purpose::Speech, &mut agreeable(99));
    meeting.record(typed(Intent::VoteToEnd, "/vote"));
    let actions = next_actions(&meeting.state);
    assert_eq!(actions.len(), 5, "everybody is asked side by side");
    let mut basics = agreeable(99);
    let mut cast = 0;
    meeting.run(&mut |state, call| {
        if call.purpose != Purpose::Vote {
            return basics(state, call);
        }
        if call.member.as_str() == "RiskPlanner" {
            return "I would rather not say.".to_owned();
        }
        cast += 1;
        vote(if cast <= ends {
            Stance::Agree
        } else {
            Stance::Object
        })
    });
    meeting
}

/// A summary that leaves all issues open and calls for a vote.
fn calling(state: &State) -> String {
    let left = |issue: &aitc::machine::IssueRecord| fate(&issue.id.to_string(), FateKind::Open);
    text(&Contribution {
        positions: vec![position("end", Stance::Agree, None)],
        ..coach(state.ledger.open().map(left).collect())
    })
}

#[test]
fn what_the_coach_has_voted_on_is_put_to_whoever_watches() {
    let until_asked = || {
        let mut meeting = Meeting::open("two things", mode(true, false));
        let mut basics = agreeable(99);
        let mut script = |state: &State, call: &CallId| match call.purpose {
            Purpose::Summary if call.round == 2 => calling(state),
            Purpose::Vote => vote(Stance::Agree),
            _ => basics(state, call),
        };
        while !matches!(next_actions(&meeting.state)[..], [Action::AskEnd(_)]) {
            assert!(meeting.step(&mut script), "nobody is asked");
        }
        assert_eq!(
            next_actions(&meeting.state),
            [Action::AskEnd(StopReason::Proposal)]
        );
        meeting
    };
    for confirmed in [true, false] {
        let mut meeting = until_asked();
        let by = DecidedBy::Terminal;
        meeting.record(decision(StopReason::Proposal, confirmed, by, 0));
        assert_eq!(
            meeting.state.ending.proposals,
            (1, u32::from(confirmed)),
            "it counts as a proposal"
        );
        meeting.run(&mut agreeable(3));
        let stop = meeting.stop();
        let (reason, round) = match confirmed {
            true => (StopReason::Proposal, 2),
            false => (StopReason::Consensus, 3),
        };
        assert_eq!((stop.reason, stop.round), (reason, round));
    }
}

#[test]
fn automatic_ending_can_be_switched_while_it_runs() {
    let mut meeting = Meeting::open("two things", mode(true, false));
    meeting.state.inputs.limits.max_rounds = 2;
    meeting.until(Purpose::Summary, &mut agreeable(99));
    meeting.record(typed(Intent::AutoExitOn, "/auto-exit on"));
    let course = Course::of(&mut meeting, &mut agreeable(99));
    assert_eq!(course.asked, BTreeSet::new());
    assert_eq!(course.stop, StopReason::RoundLimit);
}

/// Of two issues the first is settled in round 1, the second in round 2.
fn one_by_one() -> impl FnMut(&State, &CallId) -> String {
    let mut basics = agreeable(2);
    move |state, call| {
        if call.purpose == Purpose::Summary && call.round == 1 {
            let left = fate("I-2", FateKind::Open);
            return text(&coach(vec![settled("I-1", "PP"), left]));
        }
        basics(state, call)
    }
}

/// Round 2 is about to start; one item is agreed.
fn half_agreed() -> (Meeting, ConsensusId) {
    let nowhere = std::path::Path::new("no-such-workspace");
    let mut meeting = Meeting::open("two things", run::inputs(nowhere));
    let mut script = one_by_one();
    while meeting.state.round < 2 || meeting.state.stage != Stage::Speaking {
        assert!(meeting.step(&mut script));
    }
    let item = meeting.state.draft.standing().next().unwrap().id;
    (meeting, item)
}

#[test]
fn the_human_alone_puts_what_is_agreed_in_question_again() {
    let (mut meeting, item) = half_agreed();
    let mut basics = one_by_one();
    let prompts = Prompter::new(&meeting.state.inputs).unwrap();
    let shown = |prompts: &Prompter, state: &State| {
        let request = prompts.request(state, &call_due(state)).unwrap();
        let texts = request.messages.iter().map(|m| m.content.to_string());
        texts.collect::<Vec<_>>()
    };
    let before = shown(&prompts, &meeting.state);

    for text in ["/reopen C-99 no such thing", "/reopen C-98"] {
        let refused = meeting.try_record(sent(&meeting.state, text)).unwrap_err();
        assert!(refused.contains("is not in the draft"), "{refused}");
    }
    meeting.says(&format!("/reopen {item} It forgets XLSX."));

    assert!(meeting.state.draft.is_withdrawn(item));
    let issue = meeting.state.ledger.iter().last().unwrap();
    assert_eq!(issue.origin, Origin::Reopened { item });
    assert!(issue.is_blocking());
    assert!(issue.detail.contains("It forgets XLSX."));
    let issue = issue.id;
    // Within the round, the prompt before the message does not change, not even in a new process.
    let after = shown(&prompts, &meeting.state);
    let anew = Prompter::new(&meeting.state.inputs).unwrap();
    assert_eq!(after, shown(&anew, &meeting.state));
    let same = before
        .iter()
        .zip(&after)
        .take_while(|(a, b)| a == b)
        .count();
    assert_eq!(
        same,
        before.len() - 1,
        "all but the line that says who speaks"
    );
    assert!(after[same].contains("It forgets XLSX."), "{}", after[same]);
    assert!(after[same].contains(&item.to_string()));
    assert!(after[same].contains(&issue.to_string()));
    // The second request has no effect.
    let twice = sent(&meeting.state, &format!("/reopen {item}"));
    assert!(meeting.try_record(twice).is_err());

    meeting.run(&mut basics);
    assert!(meeting.state.ending.is_agreed());
    let settled = meeting.state.ledger.find(issue).unwrap();
    assert!(matches!(settled.status, IssueStatus::Settled { .. }));
    assert!(
        meeting.state.draft.is_withdrawn(item),
        "it is not taken back"
    );
    let late = sent(&meeting.state, &format!("/reopen {item}"));
    assert!(meeting.try_record(late).is_err());
}

#[test]
fn a_reopening_is_exactly_what_its_words_say() {
    let (mut meeting, item) = half_agreed();
    let honest = sent(&meeting.state, &format!("/reopen {item} why"));
    let forged = |change: &dyn Fn(&mut Intent, &mut Option<Reopened>)| {
        let mut event = honest.clone();
        let Event::UserIntervention {
            intent, reopens, ..
        } = &mut event
        else {
            panic!("no intervention");
        };
        change(intent, reopens);
        event
    };
    for event in [
        forged(&|_, reopens| *reopens = None),
        forged(&|intent, _| *intent = Intent::Say),
        forged(&|_, reopens| reopens.as_mut().unwrap().issue.severity = Severity::Minor),
        forged(&|_, reopens| reopens.as_mut().unwrap().issue.id.0 += 1),
        forged(&|_, reopens| reopens.as_mut().unwrap().issue.title = "another".to_owned()),
    ] {
        assert!(meeting.try_record(event.clone()).is_err(), "{event:?}");
    }
    meeting.record(honest);
}

#[test]
fn a_second_vote_while_the_first_goes_on_is_refused_on_record() {
    let mut meeting = Meeting::open("two things", mode(true, false));
    meeting.until(Purpose::Speech, &mut agreeable(99));
    let vote = |state: &State, id: &str| {
        let message = Some(format!("0190c0de-0000-7000-8000-0000000000{id}"));
        intervention::when_asked(
            state,
            Intent::VoteToEnd,
            "/vote".to_owned(),
            Channel::Message,
            message,
        )
    };
    let refusal = |event: &Event| match event {
        Event::UserIntervention { refused, .. } => *refused,
        _ => panic!("no intervention"),
    };
    let first = vote(&meeting.state, "0a");
    assert_eq!(refusal(&first), None);
    meeting.record(first.clone());
    let second = vote(&meeting.state, "0b");
    assert_eq!(refusal(&second), Some(Unheld::Voting));
    // A refused vote must not be recorded as accepted.
    let mut unsaid = second.clone();
    if let Event::UserIntervention { refused, .. } = &mut unsaid {
        *refused = None;
    }
    assert!(may_follow(&meeting.state, &unsaid).is_err());
    meeting.record(second);
    assert_eq!(meeting.state.ending.votes.0, 1);
    assert_eq!(meeting.state.ending.interventions, 2);
}

/// A run that the user ends while the coach's summary is always `answer`.
fn ended_without_summary(mut inputs: Inputs, answer: &str) -> (Meeting, usize) {
    inputs.limits.max_rounds = 3;
    let mut meeting = Meeting::open("two things", inputs);
    let mut basics = agreeable(99);
    meeting.until(Purpose::Summary, &mut basics);
    meeting.record(sent(&meeting.state, "/stop"));
    let mut asked = 0;
    meeting.run(&mut |state, call| {
        if call.purpose == Purpose::Summary {
            asked += 1;
            return answer.to_owned();
        }
        basics(state, call)
    });
    (meeting, asked)
}

#[test]
fn an_end_that_is_decided_needs_no_summary() {
    let (meeting, asked) = ended_without_summary(inputs(), "I would rather tell a story.");
    let stop = meeting.stop();
    assert_eq!(stop.reason, StopReason::User);
    assert_eq!(meeting.state.stage, Stage::Published);
    assert_eq!(meeting.state.documents.written.len(), 5);
    assert!(meeting.state.discussion.summaries.is_empty());
    assert!(asked > 1, "it is asked as often as anybody");
}
