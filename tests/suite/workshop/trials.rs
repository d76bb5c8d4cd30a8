//! A requested trial runs once, is reported if it is lost, and is cited by its id. What members are
//! told of trials is played in `tests/played/trials.md`.

use aitc::machine::trial::{self, Due};
use aitc::machine::*;
use aitc::reply::{Contribution, Look, LookKind, TrialEdit, TrialFile};

use crate::support::meeting::*;
use crate::support::search::{reading, survey};
use crate::support::trial::{ran, ran_by, trying};

const TREE: &str = "a tree";

fn with_file(command: &[&str], path: &str) -> Look {
    let file = TrialFile {
        path: path.to_owned(),
        text: Some("x".to_owned()),
        ..TrialFile::default()
    };
    Look {
        files: vec![file],
        ..trying(command)
    }
}

/// A meeting with a started call to the first speaker, and the call.
fn asked() -> (Meeting, CallId) {
    let mut inputs = inputs();
    inputs.rules.first_round = FirstRound::Sequential;
    inputs.trials = true;
    let mut meeting = Meeting::open("two things", inputs);
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
    let stop = aitc::chat::FinishReason::Stop;
    event_of(&meeting.state, receipt(call), &text(&answer), stop)
}

/// The results of a look.
fn seen_in(look: &Event) -> &[Seen] {
    match look {
        Event::Look { seen, .. } => seen,
        other => panic!("{other:?}"),
    }
}

fn next(meeting: &Meeting, wish: &mut Event, tree: &str) -> Option<Due> {
    trial::next(&meeting.state, wish, &Ok(tree.to_owned()))
}

/// Runs the trials that an answer requests and records them; returns the ids of those that ran.
fn tried(meeting: &mut Meeting, call: &CallId, looks: Vec<Look>, tree: &str) -> Vec<TrialId> {
    let mut wish = wish(meeting, call, looks);
    let mut ids = Vec::new();
    while let Some(due) = next(meeting, &mut wish, tree) {
        meeting.record(due.started.clone());
        ids.push(due.id);
        wish = trial::with_ran(&meeting.state, wish, (due.id, due.index), ran(&due.job));
    }
    meeting.record(wish);
    ids
}

fn remarks(meeting: &Meeting) -> Vec<String> {
    let last = meeting.state.grounding.looks.all.last().unwrap();
    let seen = last
        .seen
        .iter()
        .filter(|one| one.look.kind == LookKind::Try);
    seen.map(|one| one.remark.clone().unwrap_or_default())
        .collect()
}

/// The next call of the same turn, after a look.
fn again(meeting: &mut Meeting, call: &CallId) -> CallId {
    let call = CallId {
        look: call.look + 1,
        ..call.clone()
    };
    meeting.record(started(&call));
    call
}

#[test]
fn what_is_tried_is_numbered_recorded_and_run_once() {
    let (mut meeting, call) = asked();
    let both = vec![trying(&["echo", "hi"]), with_file(&["sh", "a.sh"], "a.sh")];
    assert_eq!(
        tried(&mut meeting, &call, both.clone(), TREE),
        [TrialId(1), TrialId(2)]
    );
    let seen = &meeting.state.grounding.looks.all.last().unwrap().seen;
    assert_eq!(seen[0].found[0].place(), "RUN-1:1");
    assert_eq!(seen[1].found[0].text, "ran sh a.sh\nwith a.sh\n");
    assert_eq!(remarks(&meeting)[0], "RUN-1: exit 0 after 1.5 s");
    // A repeated request shows the earlier result if the tree is unchanged; otherwise it runs
    // again.
    let call = again(&mut meeting, &call);
    assert_eq!(tried(&mut meeting, &call, both.clone(), TREE), []);
    let same = &meeting.state.grounding.looks.all.last().unwrap().seen[0];
    assert_eq!(same.found[0].place(), "RUN-1:1");
    assert!(remarks(&meeting)[0].contains("the same as RUN-1"));
    let call = again(&mut meeting, &call);
    let other = tried(&mut meeting, &call, both, "another tree");
    assert_eq!(other, [TrialId(3), TrialId(4)]);
    // A replay of the transcript gives the same state.
    assert_eq!(meeting.replayed(meeting.entries.len()), meeting.state);
}

fn edited(path: &str, text: Option<&str>, edits: &[(&str, &str)]) -> TrialFile {
    let edit = |(old, new): &(&str, &str)| TrialEdit {
        old: (*old).to_owned(),
        new: (*new).to_owned(),
    };
    TrialFile {
        path: path.to_owned(),
        text: text.map(str::to_owned),
        edits: edits.iter().map(edit).collect(),
    }
}

/// Edits are made after those of the base; a whole text replaces both. A text that is empty beside
/// edits is none, and so is an edit without texts.
#[test]
fn edits_of_a_file_go_on_from_those_of_the_base() {
    let (mut meeting, call) = asked();
    let look = |command: &str, base: Option<&str>, files: Vec<TrialFile>| Look {
        base: base.map(str::to_owned),
        files,
        ..trying(&[command])
    };
    let (one, two) = (("a", "b"), ("b", "c"));
    let looks = vec![
        look("one", None, vec![edited("a.py", None, &[one])]),
        look("two", Some("RUN-1"), vec![edited("a.py", Some(""), &[two])]),
        look(
            "three",
            Some("RUN-2"),
            vec![edited("a.py", Some("whole"), &[("", "")])],
        ),
        look("four", None, vec![edited("a.py", None, &[])]),
        look("five", None, vec![edited("a.py", None, &[("", "b")])]),
    ];
    let mut wish = wish(&meeting, &call, looks);
    let mut jobs = Vec::new();
    while let Some(due) = next(&meeting, &mut wish, TREE) {
        meeting.record(due.started);
        wish = trial::with_ran(&meeting.state, wish, (due.id, due.index), ran(&due.job));
        jobs.push(due.job.files);
    }
    meeting.record(wish);
    assert_eq!(
        jobs,
        [
            vec![edited("a.py", None, &[one])],
            vec![edited("a.py", None, &[one, two])],
            vec![edited("a.py", Some("whole"), &[])],
        ]
    );
    // What is recorded is what was run.
    let seen = &meeting.state.grounding.looks.all.last().unwrap().seen;
    assert_eq!(seen[1].look.files, [edited("a.py", None, &[two])]);
    assert_eq!(seen[2].look.files, [edited("a.py", Some("whole"), &[])]);
    for told in &remarks(&meeting)[3..] {
        assert!(
            told.contains("`a.py` has neither a text nor an edit"),
            "{told}"
        );
    }
    assert_eq!(meeting.replayed(meeting.entries.len()), meeting.state);
}

/// Where only the program is missing, the files were laid.
#[test]
fn the_files_of_a_trial_that_could_not_be_begun_are_not_laid_again() {
    let (first, bad, good) = (("a", "b"), ("x", "c"), ("b", "c"));
    let beside = "; a trial that names it as `base` starts without its files";
    for (missing, edits, told) in [
        (None, &[first, good][..], beside),
        (Some("it"), &[first, bad, good], "stays inferred"),
    ] {
        let (mut meeting, call) = asked();
        let look = |base: Option<&str>, edit| Look {
            base: base.map(str::to_owned),
            files: vec![edited("a.py", None, &[edit])],
            ..trying(&["it"])
        };
        let looks = vec![
            look(None, first),
            look(Some("RUN-1"), bad),
            look(Some("RUN-2"), good),
        ];
        let mut wish = wish(&meeting, &call, looks);
        let mut last = Vec::new();
        while let Some(due) = next(&meeting, &mut wish, TREE) {
            meeting.record(due.started);
            let failed = TrialEnd::Failed {
                why: "an edit does not fit".to_owned(),
                missing: missing.map(str::to_owned),
            };
            let was_run = ran(&due.job);
            let end = match due.index {
                1 => failed,
                _ => was_run.end.clone(),
            };
            let was_run = Ran { end, ..was_run };
            wish = trial::with_ran(&meeting.state, wish, (due.id, due.index), was_run);
            if let Some(ended) = trial::kept_before(&wish, due.index) {
                meeting.record(ended);
            }
            last = due.job.files;
        }
        assert_eq!(last, [edited("a.py", None, edits)]);
        let remark = seen_in(&wish)[1].remark.as_deref().unwrap();
        assert!(remark.ends_with(told), "{remark}");
    }
}

/// What the program says of a trial it could not begin is in the language of the documents.
#[test]
fn why_a_trial_could_not_be_begun_is_told_in_chinese_too() {
    let end = TrialEnd::Failed {
        why: "an edit of `a.py` does not fit: the copy has no such file of at most 4 MiB"
            .to_owned(),
        missing: None,
    };
    let trial = Trial {
        id: TrialId(1),
        end,
        duration_ms: 1,
        left_out: 0,
    };
    assert_eq!(
        trial::ended(&trial, Lang::Zh),
        "无法运行：`a.py` 的修改不适用：副本中没有这样一个不超过 4 兆字节的文件"
    );
}

#[test]
fn a_trial_that_printed_nothing_until_it_was_ended_says_so() {
    let (mut meeting, call) = asked();
    let mut wish = wish(&meeting, &call, vec![trying(&["sleep", "200"])]);
    let due = next(&meeting, &mut wish, TREE).unwrap();
    meeting.record(due.started.clone());
    for (head, told) in [
        (
            "",
            "RUN-1: ended after 1.5 s: out of time; it had printed nothing until then",
        ),
        ("so far", "RUN-1: ended after 1.5 s: out of time"),
    ] {
        let late = Ran {
            end: TrialEnd::Bounded {
                by: TrialBound::Time,
            },
            head: head.to_owned(),
            ..ran(&due.job)
        };
        let event = trial::with_ran(&meeting.state, wish.clone(), (due.id, due.index), late);
        assert_eq!(seen_in(&event)[0].remark.as_deref(), Some(told));
    }
    // So it does when it is shown after a crash, or asked for once more.
    let asked_for = wish.clone();
    let late = Ran {
        end: TrialEnd::Signalled { signal: 9 },
        head: String::new(),
        ..ran(&due.job)
    };
    let ended = trial::with_ran(&meeting.state, wish, (due.id, due.index), late);
    let Event::Look { seen, .. } = &ended else {
        panic!("no look");
    };
    meeting.record(Event::TrialEnded {
        call: call.clone(),
        trial: seen[0].trial.clone().unwrap(),
        found: Vec::new(),
    });
    let told = "RUN-1: ended by signal 9 after 1.5 s; it had printed nothing until then";
    let mut read_again = asked_for.clone();
    assert_eq!(next(&meeting, &mut read_again, TREE), None);
    assert_eq!(seen_in(&read_again)[0].remark.as_deref(), Some(told));
    meeting.record(read_again);
    let call = again(&mut meeting, &call);
    tried(&mut meeting, &call, vec![trying(&["sleep", "200"])], TREE);
    assert_eq!(
        remarks(&meeting),
        [
            "the same as RUN-1, which is not run again; ended by signal 9 after 1.5 s; it had printed \
          nothing until then"
        ]
    );
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

#[test]
fn a_trial_out_of_place_is_refused() {
    let (mut meeting, call) = asked();
    let refused =
        |meeting: &Meeting, event: &Event| may_follow(&meeting.state, event).unwrap_err().0;
    let begin = |id, look: Look| Event::TrialStarted {
        call: call.clone(),
        id: TrialId(id),
        look,
        tree: TREE.to_owned(),
    };
    let look = trying(&["true"]);
    assert!(refused(&meeting, &begin(2, look.clone())).contains("should be `RUN-1`"));
    assert!(refused(&meeting, &begin(1, reading("a.rs", 1))).contains("may try nothing"));
    let Event::Look { .. } = wish(&meeting, &call, vec![look.clone()]) else {
        panic!("no wish")
    };
    let forged = |look: &Look, id| {
        let mut seen = Seen::of(look.clone());
        seen.trial = Some(Trial {
            id: TrialId(id),
            end: TrialEnd::Exited { code: 0 },
            duration_ms: 1,
            left_out: 0,
        });
        Event::Look {
            receipt: receipt(&call),
            seen: vec![seen],
            asked: Vec::new(),
            notes: Vec::new(),
        }
    };
    assert!(refused(&meeting, &forged(&look, 1)).contains("is no trial of call"));
    meeting.record(begin(1, look.clone()));
    assert!(refused(&meeting, &forged(&trying(&["false"]), 1)).contains("is no trial of call"));
    meeting.record(forged(&look, 1));
    // The result is recorded and cannot be recorded twice.
    let call = again(&mut meeting, &call);
    let mut twice = forged(&look, 1);
    if let Event::Look { receipt: paid, .. } = &mut twice {
        *paid = receipt(&call);
    }
    assert!(refused(&meeting, &twice).contains("is no trial of call"));
}

#[test]
fn evidence_names_the_trial_that_was_cited() {
    let (mut meeting, call) = asked();
    tried(&mut meeting, &call, vec![trying(&["echo", "hi"])], TREE);
    let call = again(&mut meeting, &call);
    let mut speech = spoken(&agreeable(1)(&meeting.state, &call));
    speech.evidence = vec![ran_by("RUN-1", "ran echo hi")];
    let stop = aitc::chat::FinishReason::Stop;
    meeting.record(event_of(
        &meeting.state,
        receipt(&call),
        &text(&speech),
        stop,
    ));
    let checked = evidence::checked(&meeting.state, vec![Err("no file".to_owned())]);
    let mut forged = checked.clone();
    if let Event::Evidence { evidence } = &mut forged {
        evidence[0].run = Some(TrialId(2));
    }
    assert!(may_follow(&meeting.state, &forged).is_err());
    meeting.record(checked);
    let found = &meeting.state.grounding.evidence[0];
    assert_eq!(
        (found.source(), found.standing),
        (Source::Ran, Standing::Verified)
    );
    assert_eq!(found.place().as_deref(), Some("RUN-1"));
}

#[test]
fn of_a_long_output_beginning_and_end_are_kept() {
    let (mut meeting, call) = asked();
    let mut wish = wish(&meeting, &call, vec![trying(&["yes"])]);
    let due = next(&meeting, &mut wish, TREE).unwrap();
    meeting.record(due.started.clone());
    let line = "0123456789\n";
    for (left_out, tail) in [(0, ""), (1_000_000, line)] {
        let long = Ran {
            head: line.repeat(2_000),
            tail: tail.repeat(2_000),
            left_out,
            ..ran(&due.job)
        };
        let all = long.head.len() + long.tail.len() + left_out as usize;
        let event = trial::with_ran(&meeting.state, wish.clone(), (due.id, due.index), long);
        let seen = seen_in(&event);
        let cut = seen[0].trial.as_ref().unwrap().left_out as usize;
        let shown = &seen[0].found[0].text;
        assert_eq!(cut, all - 12_000);
        assert!(shown.starts_with(line) && shown.ends_with(line));
        assert!(
            shown.contains(&format!("{cut} bytes are left out")),
            "{shown}"
        );
        may_follow(&meeting.state, &event).unwrap();
    }
}
