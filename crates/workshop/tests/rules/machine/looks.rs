//! Questions to a member's own model, and evidence of an earlier version. Looks are played in
//! `tests/played/looks.md`.

use workshop::machine::*;
use workshop::reply::LookKind;

use crate::support::meeting::*;
use crate::support::search::{reading, survey};

/// A question to a member's own model is recorded before it is asked; if its answer is lost by a
/// crash or an error, it counts at full cost, like any call.
#[test]
fn a_question_that_is_lost_counts_against_the_caps() {
    let sequential = FirstRound::Sequential;
    let mut meeting = opened(|inputs| inputs.rules.first_round = sequential);
    meeting.survey = survey();
    let call = meeting.until(Purpose::Speech, &mut agreeable(1));
    let asking = |ask| CallId {
        ask,
        ..call.clone()
    };
    let refused = |meeting: &Meeting, event| may_follow(&meeting.state, &event).unwrap_err().0;
    let no_question = "is no question of a call";
    assert!(refused(&meeting, started(&asking(1))).contains("was not started"));
    meeting.record(started(&call));
    assert!(refused(&meeting, started(&asking(3))).contains(no_question));
    meeting.record(started(&asking(1)));
    assert!(refused(&meeting, started(&asking(1))).contains(no_question));
    meeting.record(started(&asking(2)));
    let lost = meeting.state.calls.lost;
    assert_eq!(meeting.state.calls.open.len(), 3);
    let mut crashed = meeting.state.clone();
    let entry = Entry {
        seq: crashed.run.seq + 1,
        event: resumed(),
        ..meeting.entries.last().unwrap().clone()
    };
    crashed.apply(&entry).unwrap();
    assert_eq!(crashed.calls.lost, lost + 300);
    // One question is answered, the other is not.
    let mut question = reading("Does CSV need a byte order mark?", 1);
    question.kind = LookKind::Ask;
    let seen = LookResult::of(question);
    let answered = meeting.state.calls.answered;
    meeting.record(Event::Look {
        receipt: receipt(&call),
        seen: vec![seen.clone(), seen],
        asked: vec![receipt(&asking(2))],
        notes: Vec::new(),
    });
    assert_eq!(meeting.state.calls.lost, lost + 100);
    assert_eq!(meeting.state.calls.answered, answered + 2);
    assert!(meeting.state.calls.open.is_empty());
    // A new process repeats the call that was cut off after the look, and not the look.
    meeting.record(started(&CallId { look: 1, ..call }));
    meeting.record(resumed());
    let due = meeting.until(Purpose::Speech, &mut agreeable(1));
    assert_eq!((due.look, due.attempt), (1, 1));
}
