//! The similarity figures that end a discussion, over rounds of a real meeting.

use workshop::machine::similarity::{
    Keywords, Lexical, Measurement, alike_rounds, convergence, measure, possible_merges, steadiness,
};
use workshop::machine::{Event, Purpose, may_follow};

use crate::support::meeting::*;

/// A meeting of `rounds` rounds; `says` gives the text of each member in each round.
fn meeting(rounds: u32, says: impl Fn(&str, u32) -> String) -> Meeting {
    let mut meeting = opened(|inputs| inputs.rules.limits.max_rounds = rounds + 1);
    let mut script = |state: &workshop::machine::State, call: &workshop::machine::CallId| {
        let code = state.inputs.roles.code(&call.member).to_owned();
        match call.purpose {
            Purpose::Speech => text(&contribution(&says(&code, call.round))),
            Purpose::Summary => {
                let open = state.ledger.open();
                text(&coach(
                    open.map(|issue| fate(&issue.id.to_string(), workshop::reply::FateKind::Open))
                        .collect(),
                ))
            }
            _ => agreeable(9)(state, call),
        }
    };
    while meeting.state.discussion.measurements.len() < rounds.saturating_sub(1) as usize {
        assert!(meeting.step(&mut script));
    }
    meeting
}

fn fixed(code: &str) -> String {
    match code {
        "PP" => "Only administrators may invite new members.",
        "SD" => "Keep every notification in one table with a channel.",
        "Dev" => "The export runs as a background job behind a flag.",
        "TP" => "Every criterion gets one automatic test.",
        _ => "Hashes are replaced when a user signs in next.",
    }
    .to_owned()
}

#[test]
fn members_that_repeat_themselves_are_steady_and_silent() {
    let meeting = meeting(3, |code, _| fixed(code));
    let state = &meeting.state;
    let steady = steadiness(state, 3).unwrap();
    assert!(steady.is_reached(), "{steady:?}");
    assert_eq!(steady.min.thousandths(), 1000);
    assert_eq!(alike_rounds(state), 3);
    assert!(steadiness(state, 4).is_none(), "there were three rounds");
}

#[test]
fn one_new_argument_is_a_discussion_that_goes_on() {
    let meeting = meeting(3, |code, round| match (code, round) {
        ("TP", 3) => "The payment sandbox is down on Mondays; record a double.".to_owned(),
        _ => fixed(code),
    });
    let state = &meeting.state;
    let steady = steadiness(state, 3).unwrap();
    assert!(!steady.is_reached(), "{steady:?}");
    assert_eq!(alike_rounds(state), 1);
}

#[test]
fn what_another_member_said_is_an_echo_but_not_steadiness() {
    let all = ["PP", "SD", "Dev", "TP", "RP"];
    let meeting = meeting(2, |code, round| {
        let at = all.iter().position(|one| *one == code).unwrap_or(0);
        fixed(all[(at + round as usize) % all.len()])
    });
    let state = &meeting.state;
    assert_eq!(alike_rounds(state), 2);
    assert!(!steadiness(state, 2).unwrap().is_reached());
}

#[test]
fn disagreement_that_vanishes_converges() {
    let meeting = meeting(2, |_, round| match round {
        1 => "I object to the second factor. 我不同意。".to_owned(),
        _ => "Agreed, no objection is left.".to_owned(),
    });
    let keywords = Keywords::of(&meeting.state.inputs).unwrap();
    let seen = convergence(&meeting.state, &keywords, 2).unwrap();
    assert!(seen.is_reached(), "{seen:?}");
    assert_eq!((seen.before, seen.now.agreement), (10, 5));
    assert!(convergence(&meeting.state, &keywords, 3).is_none());
}

#[test]
fn a_measurement_is_about_what_was_said() {
    let mut meeting = meeting(1, |code, _| fixed(code));
    let mut script = agreeable(9);
    while !workshop::machine::similarity::is_due(&meeting.state) || meeting.state.round < 2 {
        assert!(meeting.step(&mut script));
    }
    let right = measure(&meeting.state, &Lexical::default());
    let taken =
        |measurement| may_follow(&meeting.state, &Event::SimilarityMeasured { measurement });
    assert!(taken(right.clone()).is_ok());
    let changes: [fn(&mut Measurement); 5] = [
        |m| m.members.truncate(2),
        |m| m.members[1] = m.members[0].clone(),
        |m| m.members[0].own[0].round = 2,
        |m| m.members[0].own.extend_from_within(..),
        |m| m.members[0].member = "Nobody".into(),
    ];
    for change in changes {
        let mut wrong = right.clone();
        change(&mut wrong);
        assert!(taken(wrong.clone()).is_err(), "{wrong:?}");
    }
    assert_eq!(possible_merges(&meeting.state).count(), 0);
}

/// Number of possible merges after one round with issues of these titles and details.
fn offered(issues: &[(&str, &str)]) -> usize {
    let mut meeting = Meeting::open("two things", inputs());
    let mut script = |state: &workshop::machine::State, call: &workshop::machine::CallId| {
        let mut speech = contribution("I raise what I see.");
        if call.purpose == Purpose::Speech && call.turn == 1 && call.round == 1 {
            let raised = issues.iter().enumerate().map(|(n, (title, detail))| {
                let mut raised = new_issue(
                    &format!("k{n}"),
                    title,
                    workshop::reply::IssueSeverity::Minor,
                );
                (*detail).clone_into(&mut raised.detail);
                raised
            });
            speech.new_issues = raised.collect();
        }
        match call.purpose {
            Purpose::Speech => text(&speech),
            _ => agreeable(9)(state, call),
        }
    };
    meeting.until(Purpose::Summary, &mut script);
    possible_merges(&meeting.state).count()
}

#[test]
fn a_phrase_that_stands_in_every_issue_makes_no_pair() {
    let frame = "To be decided in the words of the requirement and with the files it names: ";
    let (rows, mails) = (format!("{frame}rows."), format!("{frame}mails."));
    assert_eq!(
        offered(&[("Limit the rows", &rows), ("Send mails", &mails)]),
        0
    );
    let again = format!("{frame}the rows.");
    assert_eq!(
        offered(&[("Limit the rows", &rows), ("Limit rows", &again)]),
        1
    );
}
