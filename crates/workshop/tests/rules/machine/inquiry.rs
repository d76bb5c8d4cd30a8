//! An inquiry: a member's question is searched for before the coach is asked to relay it. What comes
//! of it is played in `tests/played/questions.md`.

use workshop::machine::*;

use crate::support::meeting::*;
use crate::support::played::{moments, play};
use crate::support::search::next_inquiry;

/// SD asks one question and TP two in round 1; the coach passes them on.
const ASKING: [&str; 4] = [
    "set first_round = sequential",
    "survey",
    "SD r1: asks Is there a migration?",
    "TP r1: asks Which limit holds?; asks Who may migrate?",
];

/// An older transcript without inquiries, in which the coach is asked at once, is still valid.
#[test]
fn a_transcript_without_inquiries_is_read_as_before() {
    let mut old = play(ASKING);
    let all = old.entries.len();
    old.entries
        .retain(|entry| !matches!(entry.event, Event::Inquiry { .. }));
    assert!(old.entries.len() < all);
    let state = old.replayed(old.entries.len());
    assert_eq!(state.stage, Stage::Published);
    assert!(state.grounding.looked.is_empty());
    let is_relayed = |event: &Event| matches!(event, Event::ClarificationRelayed { .. });
    let relayed = old.events().position(is_relayed).unwrap();
    let taken_up = old.replayed(relayed + 1);
    assert_eq!(inquiry::due(&taken_up).count(), 0, "what is past is past");
}

#[test]
fn nobody_looks_while_the_coach_is_asked_or_twice() {
    let mut meeting = moments::at(&play(ASKING), "inquiry 2");
    let event = next_inquiry(&meeting.state);
    // An older program asks the coach at once.
    let relay = "Q-2/relay/Coach/r1/t1/a1".parse().unwrap();
    meeting.record(started(&relay));
    assert!(meeting.try_record(event.clone()).is_err());
    meeting.record(resumed());
    meeting.record(event.clone());
    assert!(meeting.try_record(event).is_err());
}
