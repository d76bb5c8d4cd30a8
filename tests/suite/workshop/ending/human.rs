//! The user reopens what was agreed, or requests a vote. How the user ends a discussion is played
//! in `tests/played/endings.md`.

use aitc::prompt::Prompter;

use aitc::machine::{ConsensusId, IssueStatus, Origin, Reopened};

use aitc::machine::debate::Unheld;

use super::*;
use crate::support::meeting::settled;
use crate::support::run;

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
    for late in [&*format!("/reopen {item}"), "Too late."] {
        let late = sent(&meeting.state, late);
        assert!(meeting.try_record(late).is_err());
    }
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
