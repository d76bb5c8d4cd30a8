//! What becomes of a trial that a crash cuts off. What members are told of trials is played in
//! `tests/played/trials.md`.

use workshop::machine::trial::{self, TrialDue};
use workshop::machine::*;
use workshop::reply::{Contribution, Look};

use crate::support::meeting::*;
use crate::support::search::survey;
use crate::support::trial::{ran, trying};

const TREE: &str = "a tree";

/// A meeting with a started call to the first speaker, and the call.
fn asked() -> (Meeting, CallId) {
    let mut meeting = opened(|inputs| {
        inputs.rules.first_round = FirstRound::Sequential;
        inputs.trials = true;
    });
    meeting.survey = survey();
    let call = meeting.until(Purpose::Speech, &mut agreeable(1));
    meeting.record(started(&call));
    (meeting, call)
}

/// An answer that requests these looks.
fn wish(meeting: &Meeting, call: &CallId, looks: Vec<Look>) -> Event {
    let answer = Contribution {
        looks,
        ..contribution("Not heeded.")
    };
    let stop = workshop::chat::FinishReason::Stop;
    event_of(&meeting.state, receipt(call), &text(&answer), stop)
}

/// The results of a look.
fn seen_in(look: &Event) -> &[LookResult] {
    match look {
        Event::Look { seen, .. } => seen,
        other => panic!("{other:?}"),
    }
}

fn next(meeting: &Meeting, wish: &mut Event, tree: &str) -> Option<TrialDue> {
    trial::next(&meeting.state, wish, &Ok(tree.to_owned()))
}

/// A reply by hand is read again after a crash, but its trial does not run again without a new
/// request.
#[test]
fn what_a_crash_cut_off_is_told_and_run_when_it_is_asked_for_again() {
    let (mut meeting, call) = asked();
    let look = trying(&["sleep", "1"]);
    let mut begun = wish(&meeting, &call, vec![look.clone()]);
    let due = next(&meeting, &mut begun, TREE).unwrap();
    meeting.record(due.started.clone());
    let before = meeting.state.clone();
    meeting.record(resumed());
    // A model is called again, and its prompt mentions the lost trial.
    let mut by_model = meeting.state.clone();
    let at = meeting.entries.last().unwrap().clone();
    let entry = Entry {
        event: started(&call),
        ..at
    };
    by_model.apply(&entry).unwrap();
    let mut asked_again = begun.clone();
    assert!(by_model.grounding.trials.cut_off(&call).next().is_some());
    let due = trial::next(&by_model, &mut asked_again, &Ok(TREE.to_owned()));
    assert!(matches!(
        due.unwrap().started,
        Event::TrialStarted { id: TrialId(2), .. }
    ));
    // A reply by hand is read again: its trial is reported as lost.
    let mut by_hand = meeting.state.clone();
    by_hand.calls.open = before.calls.open;
    let mut lost = begun;
    assert_eq!(trial::next(&by_hand, &mut lost, &Ok(TREE.to_owned())), None);
    may_follow(&by_hand, &lost).unwrap();
    let seen = seen_in(&lost);
    assert_eq!(seen[0].trial.as_ref().unwrap().end, TrialEnd::Lost);
    assert!(
        seen[0]
            .remark
            .as_ref()
            .unwrap()
            .contains("ask for it once more")
    );
}

#[test]
fn what_had_ended_before_a_crash_is_kept_and_shown_to_whoever_asked() {
    let (mut meeting, call) = asked();
    let (first, second) = (trying(&["one"]), trying(&["two"]));
    let mut begun = wish(&meeting, &call, vec![first, second]);
    let asked_for = begun.clone();
    let due = next(&meeting, &mut begun, TREE).unwrap();
    meeting.record(due.started);
    let mut begun = trial::with_ran(&meeting.state, begun, (due.id, 0), ran(&due.job));
    let ended = trial::kept_before(&begun, 0).unwrap();
    meeting.record(ended.clone());
    assert!(may_follow(&meeting.state, &ended).is_err(), "it ends once");
    let due = next(&meeting, &mut begun, TREE).unwrap();
    meeting.record(due.started);
    let at_hand = meeting.state.calls.open.clone();
    let whole = trial::with_ran(&meeting.state, begun, (due.id, 1), ran(&due.job));
    assert_eq!(
        trial::kept_before(&whole, 1),
        None,
        "its look follows at once"
    );
    meeting.record(resumed());
    // A reply by hand is read again: nothing runs, even if the tree has changed.
    let mut by_hand = meeting.state.clone();
    by_hand.calls.open = at_hand;
    let mut read_again = asked_for.clone();
    let other = Ok("another tree".to_owned());
    assert_eq!(trial::next(&by_hand, &mut read_again, &other), None);
    may_follow(&by_hand, &read_again).unwrap();
    let seen = seen_in(&read_again);
    assert_eq!(seen[0].found[0].text, "ran one\n");
    assert_eq!(seen[0].remark.as_deref(), Some("RUN-1: exit 0 after 1.5 s"));
    assert_eq!(seen[1].trial.as_ref().unwrap().end, TrialEnd::Lost);
    // If a model requests both again, only the lost one runs.
    meeting.record(started(&call));
    let mut again = asked_for;
    let due = next(&meeting, &mut again, TREE).unwrap();
    assert_eq!((due.id, due.index), (TrialId(3), 1));
    meeting.record(due.started);
    let whole = trial::with_ran(&meeting.state, again, (due.id, 1), ran(&due.job));
    meeting.record(whole);
    let last = |meeting: &Meeting| meeting.state.grounding.trials.all.last().unwrap().clone();
    assert_eq!(last(&meeting).end(), Some(&TrialEnd::Exited { code: 0 }));
}

/// A call in the previous version had the same id.
#[test]
fn what_an_earlier_version_lost_is_nobodys_here() {
    let (mut first, call) = asked();
    let mut begun = wish(&first, &call, vec![trying(&["one"])]);
    let due = next(&first, &mut begun, TREE).unwrap();
    first.record(due.started);
    first.record(resumed());
    assert!(first.state.grounding.trials.cut_off(&call).next().is_some());
    let inputs = first.state.inputs.clone();
    let mut second = going_on(&first.state, inputs, |previous| {
        previous
            .trials
            .clone_from(&first.state.grounding.trials.all);
    });
    second.survey = survey();
    second.record(resumed());
    assert_eq!(second.state.grounding.trials.all.len(), 1);
    assert!(
        second
            .state
            .grounding
            .trials
            .cut_off(&call)
            .next()
            .is_none()
    );
}
