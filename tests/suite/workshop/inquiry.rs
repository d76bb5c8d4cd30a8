//! An inquiry: a member's question is searched for before the coach is asked to relay it.

use aitc::machine::*;

use super::{asking, relay, relaying};
use crate::support::meeting::*;
use crate::support::search::{next_inquiry, survey};

/// SD asks one question and TP two in round 1; the coach passes them on.
fn script() -> impl FnMut(&State, &CallId) -> String {
    let mut basics = agreeable(1);
    move |state, call| match (call.purpose, call.turn) {
        (Purpose::Speech, 2) => text(&asking("Is there a migration?")),
        (Purpose::Speech, 4) => {
            let mut asked = asking("Which limit holds?");
            let more = asking("Who may migrate?").questions;
            asked.questions.extend(more);
            text(&asked)
        }
        (Purpose::Relay, _) => {
            let raised = state.questions.asked.iter();
            let raised = raised.filter(|q| q.status == QuestionStatus::Raised);
            let relays = raised.map(|question| aitc::reply::Relay {
                of: None,
                question: question.id.to_string(),
                ..relay()
            });
            text(&relaying(relays.collect()))
        }
        _ => basics(state, call),
    }
}

fn meeting(first_round: FirstRound, found: Survey) -> Meeting {
    let mut inputs = inputs();
    inputs.questions = QuestionMode::Assume;
    inputs.rules.first_round = first_round;
    let mut meeting = Meeting::open("two things", inputs);
    meeting.survey = found;
    meeting
}

fn held(first_round: FirstRound, found: Survey) -> Meeting {
    let mut meeting = meeting(first_round, found);
    meeting.run(&mut script());
    assert_eq!(meeting.state.stage, Stage::Published);
    meeting
}

fn question(n: u32) -> Topic {
    Topic::Question(QuestionId(n))
}

fn replayed(entries: &[Entry]) -> State {
    let mut state = State::open(&entries[0]).unwrap();
    for entry in &entries[1..] {
        state
            .apply(entry)
            .unwrap_or_else(|why| panic!("{why}: {entry:?}"));
    }
    state
}

/// Wherever the run stops, the next action equals the recorded event.
#[test]
fn a_run_that_is_cut_off_looks_for_what_nobody_has_looked_for() {
    let meeting = held(FirstRound::Blind, survey());
    let entries = &meeting.entries;
    let is_inquiry = |entry: &Entry| matches!(entry.event, Event::Inquiry { .. });
    let first = entries.iter().position(is_inquiry).unwrap();
    let ids = |wanted: &[u32]| Action::Inquire(wanted.iter().map(|n| question(*n)).collect());
    assert_eq!(
        next_actions(&replayed(&entries[..first])),
        [ids(&[1, 2, 3])]
    );
    let between = replayed(&entries[..=first]);
    assert_eq!(next_actions(&between), [ids(&[2, 3])]);
    assert_eq!(next_inquiry(&between), entries[first + 1].event);
    let after = replayed(&entries[..first + 2]);
    let due = next_actions(&after);
    assert!(matches!(&due[..], [Action::Call(call)] if call.purpose == Purpose::Relay));
    assert_eq!(replayed(entries), meeting.state);
}

/// An older transcript without inquiries, in which the coach is asked at once, is still valid.
#[test]
fn a_transcript_without_inquiries_is_read_as_before() {
    let meeting = held(FirstRound::Sequential, survey());
    let mut old = meeting.entries.clone();
    old.retain(|entry| !matches!(entry.event, Event::Inquiry { .. }));
    assert!(old.len() < meeting.entries.len());
    let state = replayed(&old);
    assert_eq!(state.stage, Stage::Published);
    assert!(state.grounding.looked.is_empty());
    let is_relayed = |entry: &Entry| matches!(entry.event, Event::ClarificationRelayed { .. });
    let relayed = old.iter().position(is_relayed).unwrap();
    let taken_up = replayed(&old[..=relayed]);
    assert_eq!(inquiry::due(&taken_up).count(), 0, "what is past is past");
}

/// The state before TP's inquiry, and the event.
fn before_the_second() -> (State, Event) {
    let mut meeting = meeting(FirstRound::Sequential, survey());
    meeting.until(Purpose::Relay, &mut script());
    while inquiry::due(&meeting.state).next().is_none() {
        assert!(meeting.step(&mut script()));
    }
    let event = next_inquiry(&meeting.state);
    assert!(may_follow(&meeting.state, &event).is_ok());
    (meeting.state, event)
}

#[test]
fn nobody_looks_while_the_coach_is_asked_or_twice() {
    let (state, event) = before_the_second();
    let Event::Inquiry { looked, .. } = &event else {
        unreachable!()
    };
    let mut meeting = meeting(FirstRound::Sequential, survey());
    meeting.state = state;
    assert_eq!(looked[0].id, question(2));
    // An older program asks the coach at once.
    let relay = CallId::new(
        aitc::machine::Scope::Question(2),
        Purpose::Relay,
        aitc::role::RoleId::coach(),
        1,
        1,
    );
    meeting.record(started(&relay));
    assert!(meeting.try_record(event.clone()).is_err());
    meeting.record(resumed());
    meeting.record(event.clone());
    assert!(meeting.try_record(event).is_err());
}
