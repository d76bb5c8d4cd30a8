//! Which event may follow which: a manually edited transcript is refused.

use workshop::machine::*;

use crate::support::meeting::*;
use crate::support::played::moments::{answer_to, moments};
use crate::support::played::play;

/// A revision with many kinds of events: feedback, a withdrawal, a question that is relayed and
/// answered, a member passed over, every fate of an issue, two rounds. Events of it that were
/// changed by hand are on the page `tests/played/forgeries.md`.
fn eventful() -> Meeting {
    let meeting = play([
        "revise - use tabs\\n- add a header\\n- sort it\\n- be quick",
        "survey",
        "agrees 2",
        "judgment: with {\"new_issues\": []}; withdraws C-1 F-1",
        "TP r1: \"no answer at all\"",
        "RP r1: I-5 object; raises minor a minor thing; asks Is there a migration?",
        "summary r1: I-3 settled PP; I-4 merged I-5; I-6 refined p; I-7 deferred because later; \
         raises blocking p",
        "RP r2: none; I-5 agree",
    ]);
    assert!(meeting.state.ending.is_agreed());
    meeting
}

/// All entries with the states before them; the first one comes last.
fn history(meeting: &Meeting) -> Vec<(State, &Entry)> {
    let end = (meeting.state.clone(), &meeting.entries[0]);
    moments(meeting).chain([end]).collect()
}

#[test]
fn no_event_is_taken_anywhere_but_in_its_place() {
    for (meeting, least) in [(eventful(), 2_000), (play(["team"]), 500)] {
        let pairs = refused_pairs(&history(&meeting));
        assert!(pairs > least, "{pairs}");
    }
}

/// The number of events that are refused in another's place.
fn refused_pairs(history: &[(State, &Entry)]) -> usize {
    let mut pairs = 0;
    for (here, (state, due)) in history.iter().enumerate() {
        for (there, (_, other)) in history.iter().enumerate() {
            if here == there || other.event == due.event {
                continue;
            }
            // Documents of one layer may be started, or carried over, in any order.
            let of_layer = match &other.event {
                Event::CallStarted { call, .. } => match call.purpose {
                    Purpose::Document(kind) if call.turn == 1 => Some(kind),
                    _ => None,
                },
                Event::Document { kind, carried, .. } => carried.map(|_| *kind),
                _ => None,
            };
            let is_ready = |kind| state.next_documents().contains(&kind);
            if state.stage == Stage::Writing && of_layer.is_some_and(is_ready) {
                continue;
            }
            // So may any other concurrent calls.
            if matches!(&other.event, Event::CallStarted { call, .. }
                if next_actions(state).contains(&Action::Call(call.clone())))
            {
                continue;
            }
            // A phase of a layer may be worked on before the others begin.
            if matches!(due.event, Event::PhaseStarted(_))
                && matches!(&other.event, Event::CallStarted { call, .. }
                    if call.purpose == Purpose::Step)
            {
                continue;
            }
            // An older program did not measure similarity.
            if matches!(due.event, Event::SimilarityMeasured { .. })
                && matches!(&other.event, Event::CallStarted { call, .. }
                    if call.purpose == Purpose::Summary && call.round == due.round)
            {
                continue;
            }
            // An older program requested every document instead of carrying it over.
            if matches!(due.event, Event::Document { .. })
                && matches!(&other.event, Event::CallStarted { call, .. }
                    if matches!(call.purpose, Purpose::Document(_)))
            {
                continue;
            }
            // An older program had no inquiries.
            if matches!(due.event, Event::Inquiry { .. })
                && matches!(&other.event, Event::CallStarted { call, .. }
                    if call.purpose == Purpose::Relay)
            {
                continue;
            }
            pairs += 1;
            let taken = answer_to(state, &other.event);
            assert_ne!(taken, "taken", "{here} takes {there}: {:?}", other.event);
        }
        let own = may_follow(state, &due.event).is_ok();
        assert_eq!(own, state.stage != Stage::Published);
    }
    pairs
}

#[test]
fn nobody_is_passed_over_who_was_not_asked() {
    let meeting = eventful();
    for (state, entry) in history(&meeting) {
        for (turn, member) in state.next_speakers() {
            let round = state.round;
            let event = Event::CallGivenUp {
                call: CallId::new(Scope::Root, Purpose::Speech, member, round, turn),
                reason: "gone".to_owned(),
            };
            let due = is_given_up(&entry.event, turn);
            assert_eq!(
                may_follow(&state, &event).is_ok(),
                due,
                "seq {}",
                state.run.seq
            );
        }
    }
}

fn is_given_up(event: &Event, at: u32) -> bool {
    matches!(event, Event::CallGivenUp { call, .. }
        if call.purpose == Purpose::Speech && call.turn == at)
}

#[test]
fn a_guard_fires_only_when_it_is_due() {
    let meeting = eventful();
    let reasons = [
        StopReason::Consensus,
        StopReason::RoundLimit,
        StopReason::TimeLimit,
        StopReason::Budget,
    ];
    for (state, entry) in history(&meeting) {
        for guard in reasons {
            for (value, limit) in [(0, 0), (1, 1), (10, 10), (30, 30)] {
                let unit = match &entry.event {
                    Event::DiscussionEnded(end) => end.unit,
                    _ => None,
                };
                let event = Event::DiscussionEnded(EndCause {
                    reason: guard,
                    value,
                    limit,
                    unit,
                    sign: None,
                });
                let due = event == entry.event;
                assert_eq!(
                    may_follow(&state, &event).is_ok(),
                    due,
                    "{guard:?} at {}",
                    state.run.seq
                );
            }
            let warned = Event::GuardWarned(EndCause {
                reason: guard,
                value: 8,
                limit: 10,
                unit: None,
                sign: None,
            });
            assert!(may_follow(&state, &warned).is_err());
        }
    }
}

#[test]
fn a_call_is_answered_once() {
    let meeting = eventful();
    for (state, entry) in history(&meeting) {
        if let Event::CallStarted { call, .. } = &entry.event {
            let mut after = state.clone();
            after.apply(entry).unwrap();
            let failed =
                |call: &CallId| failed(call, workshop::machine::FailureKind::Timeout, true);
            assert!(
                may_follow(&state, &failed(call)).is_err(),
                "not started yet"
            );
            assert!(may_follow(&after, &failed(call)).is_ok());
            assert!(may_follow(&after, &failed(&call.with_attempt(7))).is_err());
            let rejected = Event::ReplyRejected {
                put_back: false,
                receipt: receipt(&call.with_attempt(3)),
                output: String::new(),
                reason: String::new(),
                finish: workshop::chat::FinishReason::Stop,
            };
            assert!(may_follow(&after, &rejected).is_err());
        }
    }
}
