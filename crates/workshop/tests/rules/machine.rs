//! The machine: rounds, the counted consensus rule, the ledger, clarification, revision, and the
//! limits of the coach.

mod cuts;
mod ending;
mod forged;
mod hostile;
mod inquiry;
mod ledger;
mod looks;
mod reviews;
mod revision;
mod trials;

use workshop::machine::*;
use workshop::reply::*;

use crate::support::meeting::*;

fn held(settle_in: u32) -> Meeting {
    let mut meeting = Meeting::open("two things", inputs());
    meeting.run(&mut agreeable(settle_in));
    meeting
}

#[test]
fn ids_of_a_blind_round_do_not_depend_on_who_answers_first() {
    let hold = |backwards: bool| {
        let mut meeting = opened(|inputs| inputs.rules.first_round = FirstRound::Blind);
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
                    IssueSeverity::Minor,
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
