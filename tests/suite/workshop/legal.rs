//! Which event may follow which: a manually edited transcript is refused.

use aitc::machine::*;
use aitc::reply::{Contribution, FateKind, Severity, Stance};

use super::{asking, held, revision::revise};
use crate::support::changes::{Change, changed};
use crate::support::meeting::*;
use crate::support::search::survey;

/// A revision with many kinds of events: feedback, a withdrawal, a question that is relayed and
/// answered, a member passed over, every fate of an issue, two rounds.
fn eventful() -> Meeting {
    let first = held(1).state;
    let mut meeting = revise(&first, "- use tabs\n- add a header\n- sort it\n- be quick");
    meeting.survey = survey();
    let mut basics = agreeable(2);
    meeting.run(&mut |state, call| match (call.purpose, call.round) {
        (Purpose::Judgment, _) => {
            let mut answer = coach(vec![]);
            answer.coach.as_mut().unwrap().withdraw = vec![aitc::reply::Withdrawal {
                item: "C-1".to_owned(),
                feedback: "F-1".to_owned(),
                reason: "tabs".to_owned(),
            }];
            text(&answer)
        }
        (Purpose::Speech, 1) if call.turn == 4 => "no answer at all".to_owned(),
        (Purpose::Speech, 1) if call.turn == 5 => {
            let mut own = basics(state, call);
            if let Ok(mut said) = serde_json::from_str::<Contribution>(&own) {
                said.positions[2].stance = Stance::Object;
                said.new_issues = vec![new_issue("m", "a minor thing", Severity::Minor)];
                said.questions = asking("Is there a migration?").questions;
                own = text(&said);
            }
            own
        }
        (Purpose::Summary, 1) => {
            let mut merged = fate("I-4", FateKind::Merged);
            merged.into = vec!["I-5".to_owned()];
            let mut refined = fate("I-6", FateKind::Refined);
            refined.into = vec!["p".to_owned()];
            let mut later = fate("I-7", FateKind::Deferred);
            later.reason = Some("later".to_owned());
            let mut answer = coach(vec![settled("I-3", "PP"), merged, refined, later]);
            answer.new_issues = vec![new_issue("p", "how quick", Severity::Blocking)];
            text(&answer)
        }
        (Purpose::Speech, _) if call.turn == 5 => {
            let mut own = position("I-5", Stance::Agree, None);
            own.changed_because = Some("sorting is cheap".to_owned());
            text(&Contribution {
                positions: vec![own],
                ..contribution("mine")
            })
        }
        _ => basics(state, call),
    });
    assert_eq!(meeting.state.stage, Stage::Published);
    assert!(meeting.state.ending.is_agreed());
    meeting
}

/// All entries with the states before them.
fn history(meeting: &Meeting) -> Vec<(State, Entry)> {
    let mut state = State::open(&meeting.entries[0]).unwrap();
    let mut all = Vec::new();
    for entry in &meeting.entries[1..] {
        all.push((state.clone(), entry.clone()));
        state.apply(entry).unwrap();
    }
    all.push((state, meeting.entries[0].clone()));
    all
}

/// Whether the event is accepted; a refused one must not change the state.
fn is_taken(state: &State, event: &Event) -> bool {
    let mut tried = state.clone();
    let taken = tried.apply(&Entry {
        v: FORMAT,
        seq: state.run.seq + 1,
        ts: state.run.last_activity_at.clone(),
        active_ms: state.run.active_ms,
        round: state.round.max(1),
        actor: "engine".to_owned(),
        event: event.clone(),
    });
    let is_as_it_was = tried == *state;
    assert!(
        taken.is_ok() || is_as_it_was,
        "refused, and taken in part: {event:?}"
    );
    taken.is_ok()
}

#[test]
fn no_event_is_taken_anywhere_but_in_its_place() {
    let meeting = eventful();
    let history = history(&meeting);
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
            if state.stage == Stage::Closing && of_layer.is_some_and(is_ready) {
                continue;
            }
            // So may any other concurrent calls.
            if matches!(&other.event, Event::CallStarted { call, .. }
                if next_actions(state).contains(&Action::Call(call.clone())))
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
            let taken = is_taken(state, &other.event);
            assert!(!taken, "{here} takes {there}: {:?}", other.event);
        }
        let own = may_follow(state, &due.event).is_ok();
        assert_eq!(own, state.stage != Stage::Published);
    }
    assert!(pairs > 2_000, "{pairs}");
}

/// The state before the `nth` event of this phase, and the event.
fn before(meeting: &Meeting, phase: &str, nth: usize) -> (State, Event) {
    let name = |entry: &Entry| serde_json::to_value(entry).unwrap()["phase"] == phase;
    let (state, entry) = history(meeting)
        .into_iter()
        .filter(|(_, entry)| name(entry))
        .nth(nth)
        .unwrap_or_else(|| panic!("no {phase}"));
    assert!(may_follow(&state, &entry.event).is_ok());
    (state, entry.event)
}

/// Each line has the phase of an event, a name for the forgery, and the changes.
#[test]
fn a_forged_event_is_refused() {
    let meeting = eventful();
    for line in include_str!("legal/forgeries.jsonl").lines() {
        let (phase, what, changes): (String, String, Vec<Change>) =
            serde_json::from_str(line).unwrap();
        let (state, event) = before(&meeting, &phase, 0);
        let forged = changed(&event, changes);
        assert_ne!(forged, event, "{phase}: {what} changes nothing");
        assert!(!is_taken(&state, &forged), "{phase}: {what} is taken");
    }
}

/// A member's question is never asked before the coach has seen it.
#[test]
fn no_question_of_a_member_is_put_before_the_coach_saw_it() {
    let (state, _) = before(&eventful(), "clarification_relayed", 0);
    let question = state.questions.asked.last().unwrap();
    let needed = Event::UserClarificationNeeded {
        id: question.id,
        asked: question.text.clone(),
        issue: None,
    };
    assert!(may_follow(&state, &needed).is_err());
}

#[test]
fn a_stance_is_not_turned_round_without_a_reason() {
    let meeting = eventful();
    let turned = history(&meeting).into_iter().find(|(state, entry)| {
        state.round == 2 && matches!(&entry.event, Event::Speaking { turn: 5, .. })
    });
    let (state, mut entry) = turned.unwrap();
    let Event::Speaking { speech, .. } = &mut entry.event else {
        panic!()
    };
    speech.positions[0].changed_because = None;
    assert!(may_follow(&state, &entry.event).is_err());
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
fn a_guard_fires_only_when_it_is_due_and_agreement_is_never_claimed_falsely() {
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
                    Event::DiscussionEnded { unit, .. } => *unit,
                    _ => None,
                };
                let event = Event::DiscussionEnded {
                    guard,
                    value,
                    limit,
                    unit,
                    sign: None,
                };
                let due = event == entry.event;
                assert_eq!(
                    may_follow(&state, &event).is_ok(),
                    due,
                    "{guard:?} at {}",
                    state.run.seq
                );
            }
            let warned = Event::GuardWarned {
                guard,
                value: 8,
                limit: 10,
                unit: None,
                sign: None,
            };
            assert!(may_follow(&state, &warned).is_err());
        }
    }
    // There is no agreement in a round that was cut short by the time limit.
    let mut late = Meeting::open("two things", crate::support::meeting::inputs());
    late.step_ms = 220_000;
    late.until(
        Purpose::Document(aitc::reply::DocumentKind::ProductPlan),
        &mut agreeable(1),
    );
    let (state, _) = before(&late, "guard_fired", 0);
    assert!(state.ledger.blocking().next().is_none());
    let agreed = Event::DiscussionEnded {
        guard: StopReason::Consensus,
        value: 0,
        limit: 0,
        unit: None,
        sign: None,
    };
    assert!(may_follow(&state, &agreed).is_err());
}

/// Older formats: figures of guards had no `unit`, `speaking` had no `input_context`, and the id of
/// a question was named `question`.
#[test]
fn lines_of_an_earlier_program_follow_as_well() {
    let renamed = ["user_clarification_needed", "clarification_followed_up"];
    let mut told = 0;
    let mut history = history(&eventful());
    history.pop();
    for (state, entry) in history {
        let mut line = serde_json::to_value(&entry.event).unwrap();
        let before = line.clone();
        let line = line.as_object_mut().unwrap();
        line.remove("unit");
        if before["phase"] == "speaking" {
            line.remove("input_context").unwrap();
        }
        if renamed.contains(&before["phase"].as_str().unwrap()) {
            let id = line.remove("id").unwrap();
            line.insert("question".to_owned(), id);
        }
        for decision in line
            .get_mut("decisions")
            .into_iter()
            .flat_map(|all| all.as_array_mut().unwrap())
        {
            let decision = decision.as_object_mut().unwrap();
            let id = decision.remove("id").unwrap();
            decision.insert("question".to_owned(), id);
        }
        let line = serde_json::Value::Object(line.clone());
        told += usize::from(line != before);
        let event: Event = serde_json::from_value(line).unwrap();
        may_follow(&state, &event).unwrap();
    }
    assert!(told > 10, "{told}");
}

#[test]
fn figures_and_input_are_what_they_are_said_to_be() {
    for (state, entry) in history(&eventful()) {
        let mut event = entry.event.clone();
        match &mut event {
            Event::Speaking { input_context, .. } => {
                input_context.as_mut().unwrap().prompt = "0".repeat(64);
            }
            Event::GuardWarned { unit, .. } | Event::DiscussionEnded { unit, .. } => {
                *unit = Some(Unit::Nudges);
            }
            _ => continue,
        }
        assert!(may_follow(&state, &event).is_err(), "{event:?}");
    }
}

#[test]
fn no_round_begins_after_the_end() {
    let mut inputs = crate::support::meeting::inputs();
    inputs.rules.limits.max_rounds = 1;
    let mut meeting = Meeting::open("two things", inputs);
    meeting.run(&mut agreeable(9));
    let (state, _) = before(&meeting, "guard_fired", 0);
    let issues = state.ledger.open().map(|issue| issue.id).collect();
    assert!(may_follow(&state, &Event::RoundStarted { issues }).is_err());
    let (state, event) = before(&meeting, "round_started", 0);
    let Event::RoundStarted { mut issues } = event else {
        panic!()
    };
    issues.pop();
    assert!(may_follow(&state, &Event::RoundStarted { issues }).is_err());
}

#[test]
fn a_call_is_answered_once() {
    let meeting = eventful();
    for (state, entry) in history(&meeting) {
        if let Event::CallStarted { call, .. } = &entry.event {
            let mut after = state.clone();
            after.apply(&entry).unwrap();
            let failed = |call: &CallId| failed(call, aitc::machine::FailureKind::Timeout, true);
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
                finish: aitc::chat::FinishReason::Stop,
            };
            assert!(may_follow(&after, &rejected).is_err());
        }
    }
}
