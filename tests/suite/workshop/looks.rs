//! Questions to a member's own model, and evidence of an earlier version. Looks are played in
//! `tests/played/looks.md`.

use aitc::machine::*;
use aitc::reply::{LookKind, Severity};

use crate::support::meeting::*;
use crate::support::search::{claiming, reading, survey};

fn meeting(first_round: FirstRound) -> Meeting {
    let mut meeting = opened(|inputs| inputs.rules.first_round = first_round);
    meeting.survey = survey();
    meeting
}

/// A question to a member's own model is recorded before it is asked; if its answer is lost by a
/// crash or an error, it counts at full cost, like any call.
#[test]
fn a_question_that_is_lost_counts_against_the_caps() {
    let mut meeting = meeting(FirstRound::Sequential);
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
    let seen = Seen::of(question);
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

/// SD makes a claim about the path `first`, and in the second attempt about `then`.
fn claims(first: &'static str, then: &'static str) -> impl FnMut(&State, &CallId) -> String {
    let mut basics = agreeable(1);
    move |state, call| {
        let answer = basics(state, call);
        if call.purpose != Purpose::Speech || (call.round, call.turn) != (1, 2) {
            return answer;
        }
        let mut answer = spoken(&answer);
        let path = if call.attempt == 1 { first } else { then };
        answer.evidence = vec![claiming("Seven is there.", path)];
        text(&answer)
    }
}

fn told(state: &State) -> Vec<(String, Standing, Option<String>)> {
    let told = state.grounding.evidence.iter().map(|one| {
        let place = one.ground.as_ref().map(Ground::place);
        (one.id.to_string(), one.standing, place)
    });
    told.collect()
}

/// Evidence of an earlier version is checked again once.
#[test]
fn a_revision_looks_again_at_what_it_takes_over() {
    let mut first = meeting(FirstRound::Sequential);
    let mut claim = claims("a.rs", "a.rs");
    first.run(&mut |state: &State, call: &CallId| match call.purpose {
        // Agreed items cite the evidence.
        Purpose::Speech => {
            claim(state, call).replace("\"proposal\":\"", "\"proposal\":\"As E-1 has it: ")
        }
        _ => claim(state, call),
    });
    let verified = (
        "E-1".to_owned(),
        Standing::Verified,
        Some("a.rs:7".to_owned()),
    );
    assert_eq!(told(&first.state), [verified]);
    for (path, depth, holds, is_looked_at) in [
        ("a.rs", Depth::Looks, true, true),
        ("gone.rs", Depth::Map, false, true),
        // Without looks, or for a path outside the workspace, it keeps its standing.
        ("gone.rs", Depth::Off, true, false),
        ("../notes/gone.rs", Depth::Looks, true, false),
    ] {
        let mut inputs = first.state.inputs.clone();
        inputs.rules.grounding.depth = depth;
        let mut second = going_on(&first.state, inputs, |previous| {
            previous.evidence[0].ground.as_mut().unwrap().path = path.to_owned();
        });
        second.run(&mut claims("b.rs", "b.rs"));
        let looked = |entry: &&Entry| match &entry.event {
            Event::Evidence { evidence } => evidence.iter().any(|one| one.id.0 == 1),
            _ => false,
        };
        let times = second.entries.iter().filter(looked).count();
        assert_eq!(times, usize::from(is_looked_at), "{path}");
        let told = told(&second.state);
        let standing = if holds {
            Standing::Verified
        } else {
            Standing::Unverified
        };
        assert_eq!((told[0].0.as_str(), told[0].1), ("E-1", standing), "{path}");
        assert_eq!(told.last().unwrap().0, "E-2", "{path}: ids go on");
        let ledger = second.state.ledger.iter();
        let raised: Vec<_> = ledger.filter(|one| one.title.starts_with("E-1 ")).collect();
        assert_eq!(raised.len(), usize::from(!holds), "{path}");
        for issue in raised {
            assert_eq!(issue.severity, Severity::Blocking);
            assert_eq!(issue.title, "E-1 does not hold any more: Seven is there.");
            assert!(
                issue.detail.starts_with("`gone.rs`: there is no such file"),
                "{}",
                issue.detail
            );
            assert!(
                issue.detail.ends_with("What rests on it: C-1, C-2"),
                "{}",
                issue.detail
            );
        }
        // A resumed run does not check again.
        let again = second.replayed(second.entries.len());
        assert_eq!(again.grounding.evidence, second.state.grounding.evidence);
        assert!(evidence::due(&again).is_empty());
        let evidence = again.grounding.evidence.clone();
        assert!(may_follow(&again, &Event::Evidence { evidence }).is_err());
    }
}
