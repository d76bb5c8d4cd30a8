//! Nudges in a resumed run and in the prompt. Who is nudged is played in `tests/played/nudges.md`.

use aitc::machine::*;
use aitc::reply::Stance;

use crate::support::meeting::{Meeting, agreeable, contribution, inputs, position, resumed, text};

/// Inputs with a nudge text.
fn pushing() -> Inputs {
    let mut inputs = inputs();
    let nudge = "Go on: take a position.".to_owned();
    inputs.templates.insert(diligence::TEXT.to_owned(), nudge);
    inputs
}

/// A team in which PP gives this answer in the first `times` attempts of its speech.
fn idle(reply: &'static str, times: usize) -> impl FnMut(&State, &CallId) -> String {
    let mut basics = agreeable(1);
    let mut asked = 0;
    move |state, call| {
        if call.purpose == Purpose::Speech && call.turn == 1 {
            asked += 1;
            if asked <= times {
                return reply.to_owned();
            }
        }
        basics(state, call)
    }
}

fn pushes(meeting: &Meeting) -> Vec<(Idle, u32)> {
    let of = |event: &Event| match event {
        Event::DiligencePush { why, left, .. } => Some((*why, *left)),
        _ => None,
    };
    meeting
        .entries
        .iter()
        .filter_map(|e| of(&e.event))
        .collect()
}

fn held(inputs: Inputs, script: &mut dyn FnMut(&State, &CallId) -> String) -> Meeting {
    let mut meeting = Meeting::open("two things", inputs);
    meeting.run(script);
    meeting
}

#[test]
fn a_run_that_is_taken_up_again_keeps_the_nudge_in_the_prompt() {
    let mut meeting = Meeting::open("two things", pushing());
    let mut script = idle("", 1);
    while pushes(&meeting).is_empty() {
        assert!(meeting.step(&mut script));
    }
    let nudged = |meeting: &Meeting| {
        let histories = meeting.state.calls.troubled.values();
        histories
            .filter_map(|history| history.last_nudged.clone())
            .next()
    };
    let before = nudged(&meeting);
    assert!(before.is_some());
    meeting.record(resumed());
    assert_eq!(nudged(&meeting), before);
    meeting.run(&mut agreeable(1));
    assert_eq!(pushes(&meeting).len(), 1);
}

/// Without the reason, a member would repeat what was left out.
#[test]
fn a_nudge_tells_what_was_left_out_and_why() {
    let mut basics = agreeable(2);
    let mut told = None;
    let mut asked = 0;
    let meeting = held(pushing(), &mut |state, call| {
        if call.purpose != Purpose::Speech || call.turn != 1 {
            return basics(state, call);
        }
        asked += 1;
        if asked == 2 {
            let tries = state.calls.troubled.get(&call.first()).cloned();
            told = tries.and_then(|history| history.last_nudged);
            return basics(state, call);
        }
        if asked > 1 {
            return basics(state, call);
        }
        let mut speech = contribution("I speak of what is not there.");
        speech.positions = vec![position("I-44", Stance::Agree, Some("so"))];
        text(&speech)
    });
    assert_eq!(pushes(&meeting), [(Idle::NoOpenIssue, 2)]);
    let (nudge, _) = told.expect("the nudge is put");
    assert!(nudge.starts_with("Go on: take a position."), "{nudge}");
    let reason = "- I-44: no open issue has this id; the position is left out";
    assert!(nudge.ends_with(reason), "{nudge}");
    let notes = meeting.events().find_map(|event| match event {
        Event::DiligencePush { notes, .. } => Some(notes.clone()),
        _ => None,
    });
    assert!(notes.unwrap()[0].said.as_deref().unwrap().contains("so"));
}
