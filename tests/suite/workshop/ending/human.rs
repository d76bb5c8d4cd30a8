//! The human ends it, says something, or has it voted on.

use super::*;

#[test]
fn the_human_ends_it_wherever_it_stands() {
    let stop = |meeting: &mut Meeting| {
        meeting.record(Event::UserIntervention {
            intent: Intent::Stop,
            content: "quit".to_owned(),
            channel: Channel::Terminal,
            message: None,
            refused: None,
        });
    };
    for purpose in [Purpose::Judgment, Purpose::Speech, Purpose::Summary] {
        let mut meeting = Meeting::open("two things", inputs());
        meeting.until(purpose, &mut agreeable(99));
        stop(&mut meeting);
        meeting.run(&mut agreeable(99));
        let end = meeting.state.stop.as_ref().unwrap();
        assert_eq!(end.reason, StopReason::User, "{purpose:?}");
        assert_eq!(meeting.state.documents.len(), 5, "{purpose:?}");
        let late = Event::UserIntervention {
            intent: Intent::Say,
            content: "too late".to_owned(),
            channel: Channel::Terminal,
            message: None,
            refused: None,
        };
        assert!(meeting.try_record(late).is_err());
    }
    // What is agreed is agreed, whoever wanted to go.
    let mut meeting = Meeting::open("two things", inputs());
    meeting.until(Purpose::Summary, &mut agreeable(1));
    stop(&mut meeting);
    meeting.run(&mut agreeable(1));
    assert!(meeting.state.is_agreed());
}

#[test]
fn words_between_two_rounds_are_heard_in_the_next_one() {
    let mut meeting = Meeting::open("two things", inputs());
    while meeting.state.stage != Stage::Between || meeting.state.round == 0 {
        assert!(meeting.step(&mut agreeable(1)));
    }
    assert!(meeting.state.ledger.blocking().next().is_none());
    meeting.record(Event::UserIntervention {
        intent: Intent::Say,
        content: "And who pays for it?".to_owned(),
        channel: Channel::Terminal,
        message: None,
        refused: None,
    });
    // Nobody has heard it: that is no agreement yet.
    let mut basics = agreeable(1);
    let mut raised = false;
    meeting.run(&mut |state, call| {
        if call.purpose == Purpose::Speech && call.round == 2 {
            assert_eq!(state.said[0], Said::Human(0));
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
    assert!(meeting.state.is_agreed());
    assert_eq!(meeting.state.ledger.iter().count(), 3);
}

fn voted(ends: usize) -> Meeting {
    let mut meeting = Meeting::open("two things", inputs());
    meeting.state.inputs.limits.max_rounds = 2;
    meeting.until(Purpose::Speech, &mut agreeable(99));
    meeting.record(Event::UserIntervention {
        intent: Intent::VoteToEnd,
        content: "/vote".to_owned(),
        channel: Channel::Terminal,
        message: None,
        refused: None,
    });
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

#[test]
fn a_vote_needs_more_than_half_of_those_asked() {
    for (ends, reason) in [(2, StopReason::RoundLimit), (3, StopReason::User)] {
        let meeting = voted(ends);
        assert_eq!(meeting.state.stop.as_ref().unwrap().reason, reason);
        assert_eq!(meeting.state.ending.votes, (1, u32::from(ends == 3)));
        let ballots = phases(&meeting);
        assert_eq!(ballots.iter().filter(|name| **name == "ballot").count(), 5);
    }
}

#[test]
fn automatic_ending_can_be_switched_while_it_runs() {
    let mut meeting = Meeting::open("two things", mode(true, false));
    meeting.state.inputs.limits.max_rounds = 2;
    meeting.until(Purpose::Summary, &mut agreeable(99));
    meeting.record(Event::UserIntervention {
        intent: Intent::AutoExitOn,
        content: "/auto-exit on".to_owned(),
        channel: Channel::Terminal,
        message: None,
        refused: None,
    });
    let course = Course::of(&mut meeting, &mut agreeable(99));
    assert_eq!(course.asked, BTreeSet::new());
    assert_eq!(course.stop, StopReason::RoundLimit);
}
