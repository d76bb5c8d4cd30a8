//! Stances, merges, refinements, clarifications and revisions, where one thing
//! could hide another.

mod questions;
mod texts;

use aitc::machine::*;
use aitc::reply::{Contribution, FateKind, Severity, Stance};

use super::coach::{before_summary, rules};
use super::revision::revise;
use super::{asking, held, relay, with_question};
use crate::support::meeting::*;

type Taken<'a> = (&'a str, u32, &'a str, Stance, Option<&'a str>, bool);

/// A speech out of a table of `(code, round, issue, stance, proposal, reason)`.
fn say(table: &[Taken<'_>], state: &State, call: &CallId) -> String {
    let code = state.inputs.roles.code(&call.member);
    let positions = table
        .iter()
        .filter(|(who, round, ..)| *who == code && *round == call.round)
        .map(|(_, _, issue, stance, words, reason)| {
            let mut own = position(issue, *stance, *words);
            own.changed_because = reason.then(|| "a better argument".to_owned());
            own
        })
        .collect();
    text(&Contribution {
        positions,
        ..contribution("mine")
    })
}

/// Holds a run with speeches out of a table and a summary for each round.
fn play(table: &[Taken<'_>], summaries: &[Contribution]) -> Meeting {
    let mut inputs = inputs();
    inputs.limits.max_rounds = summaries.len() as u32;
    inputs.limits.debates.max = 0;
    let mut meeting = Meeting::open("things", inputs);
    let mut basics = agreeable(1);
    meeting.run(&mut |state, call| match call.purpose {
        Purpose::Judgment => text(&Contribution {
            new_issues: ["a", "b", "c"]
                .map(|key| new_issue(key, &format!("need {key}"), Severity::Blocking))
                .to_vec(),
            ..contribution("Three needs.")
        }),
        Purpose::Speech => say(table, state, call),
        Purpose::Summary => text(&summaries[call.round as usize - 1]),
        _ => basics(state, call),
    });
    meeting
}

fn into(issue: &str, kind: FateKind, target: &str) -> aitc::reply::Fate {
    aitc::reply::Fate {
        into: vec![target.to_owned()],
        ..fate(issue, kind)
    }
}

fn is_open(meeting: &Meeting, id: u32) -> bool {
    meeting.state.ledger.find(IssueId(id)).unwrap().is_open()
}

#[test]
fn an_objection_is_not_dropped_by_abstaining_without_a_word() {
    for (reason, settles) in [(false, false), (true, true)] {
        let meeting = play(
            &[
                ("PP", 1, "I-1", Stance::Agree, Some("do it"), false),
                ("RP", 1, "I-1", Stance::Object, None, false),
                ("RP", 2, "I-1", Stance::Abstain, None, reason),
            ],
            &[coach(vec![]), coach(vec![settled("I-1", "PP")])],
        );
        assert_eq!(!is_open(&meeting, 1), settles);
    }
}

#[test]
fn who_objected_and_then_abstained_is_no_supporter() {
    let meeting = play(
        &[
            ("PP", 1, "I-1", Stance::Agree, Some("do it"), false),
            ("SD", 1, "I-1", Stance::Agree, None, false),
            ("SD", 2, "I-1", Stance::Abstain, None, false),
            ("RP", 1, "I-1", Stance::Object, None, false),
            ("RP", 2, "I-1", Stance::Abstain, None, true),
        ],
        &[coach(vec![]), coach(vec![settled("I-1", "pp (round 1)")])],
    );
    let item = meeting.state.draft.standing().next().unwrap();
    let names: Vec<&str> = item.supporters.iter().map(|s| s.member.as_str()).collect();
    assert_eq!(names, ["ProductPlanner", "SystemDesigner"]);
}

#[test]
fn support_that_was_turned_into_an_objection_supports_no_more() {
    let meeting = play(
        &[
            ("PP", 1, "I-1", Stance::Agree, Some("do it"), false),
            ("PP", 2, "I-1", Stance::Object, None, true),
            ("PP", 3, "I-1", Stance::Abstain, None, true),
        ],
        &[
            coach(vec![]),
            coach(vec![]),
            coach(vec![settled("I-1", "PP")]),
        ],
    );
    assert!(is_open(&meeting, 1));
    assert!(rules(&meeting).contains(&(Rule::NoSupport, "I-1".to_owned())));
}

#[test]
fn an_abstention_in_between_hides_no_turn() {
    let meeting = play(
        &[
            ("RP", 1, "I-1", Stance::Agree, Some("do it"), false),
            ("RP", 2, "I-1", Stance::Abstain, None, false),
            ("RP", 3, "I-1", Stance::Object, None, false),
        ],
        &[coach(vec![]), coach(vec![]), coach(vec![])],
    );
    let last = meeting.state.discussion.speeches_of(3).last().unwrap();
    assert!(last.speech.positions.is_empty());
    assert_eq!(last.notes[0].about, "I-1");
}

#[test]
fn objections_are_carried_along_a_chain_of_merges() {
    let meeting = play(
        &[
            ("RP", 1, "I-1", Stance::Object, None, false),
            ("PP", 1, "I-3", Stance::Agree, Some("so"), false),
        ],
        &[
            coach(vec![into("I-1", FateKind::Merged, "I-2")]),
            coach(vec![into("I-2", FateKind::Merged, "I-3")]),
            coach(vec![settled("I-3", "PP")]),
        ],
    );
    assert_eq!(rules(&meeting), [(Rule::ObjectionStands, "I-3".to_owned())]);
}

#[test]
fn abstaining_on_the_target_does_not_wash_an_objection_away() {
    for settle_now in [true, false] {
        let merge = into("I-1", FateKind::Merged, "I-2");
        let settle = settled("I-2", "PP");
        let summaries = if settle_now {
            vec![coach(vec![merge, settle])]
        } else {
            vec![coach(vec![merge]), coach(vec![settle])]
        };
        let meeting = play(
            &[
                ("PP", 1, "I-2", Stance::Agree, Some("so"), false),
                ("RP", 1, "I-1", Stance::Object, None, false),
                ("RP", 1, "I-2", Stance::Abstain, None, false),
            ],
            &summaries,
        );
        assert!(is_open(&meeting, 2), "settled at once: {settle_now}");
    }
}

/// Agreeing to one issue in the speech that objects to another takes nothing back; what is
/// said in a later round does.
#[test]
fn agreeing_on_the_target_does_not_wash_an_objection_away() {
    for (later, settle_now) in [(false, true), (false, false), (true, false)] {
        let merge = into("I-1", FateKind::Merged, "I-2");
        let settle = settled("I-2", "PP");
        let summaries = match (later, settle_now) {
            (_, true) => vec![coach(vec![merge, settle])],
            (false, false) => vec![coach(vec![merge]), coach(vec![settle])],
            (true, false) => vec![coach(vec![]), coach(vec![merge, settle])],
        };
        let mut said = vec![
            ("PP", 1, "I-2", Stance::Agree, Some("so"), false),
            ("RP", 1, "I-1", Stance::Object, None, false),
            ("RP", 1, "I-2", Stance::Agree, None, false),
        ];
        if later {
            said.push(("RP", 2, "I-2", Stance::Agree, None, false));
        }
        let meeting = play(&said, &summaries);
        assert_eq!(
            is_open(&meeting, 2),
            !later,
            "later {later}, at once {settle_now}"
        );
    }
}

#[test]
fn of_two_merged_issues_the_objection_weighs_more() {
    let meeting = play(
        &[
            ("PP", 1, "I-3", Stance::Agree, Some("so"), false),
            ("RP", 1, "I-1", Stance::Object, None, false),
            ("RP", 1, "I-2", Stance::Agree, None, false),
        ],
        &[
            coach(vec![
                into("I-1", FateKind::Merged, "I-3"),
                into("I-2", FateKind::Merged, "I-3"),
            ]),
            coach(vec![settled("I-3", "PP")]),
        ],
    );
    assert_eq!(rules(&meeting), [(Rule::ObjectionStands, "I-3".to_owned())]);
}

#[test]
fn refining_into_one_issue_that_is_there_is_a_merge() {
    let meeting = play(
        &[
            ("RP", 1, "I-1", Stance::Object, None, false),
            ("PP", 1, "I-2", Stance::Agree, Some("so"), false),
        ],
        &[
            coach(vec![into("I-1", FateKind::Refined, "I-2")]),
            coach(vec![settled("I-2", "PP")]),
        ],
    );
    let status = &meeting.state.ledger.find(IssueId(1)).unwrap().status;
    assert_eq!(*status, IssueStatus::Merged { into: IssueId(2) });
    assert!(is_open(&meeting, 2));
}

/// Nor is an objection washed away where the issue goes on in several that have support.
#[test]
fn refining_into_several_issues_that_are_there_takes_objections_along() {
    let two = |settle_now: bool| {
        let mut refined = into("I-1", FateKind::Refined, "I-2");
        refined.into.push("I-3".to_owned());
        let settle = vec![settled("I-2", "PP"), settled("I-3", "PP")];
        if settle_now {
            let mut all = vec![refined];
            all.extend(settle);
            return vec![coach(all)];
        }
        vec![coach(vec![refined]), coach(settle)]
    };
    let said = [
        ("PP", 1, "I-2", Stance::Agree, Some("so"), false),
        ("PP", 1, "I-3", Stance::Agree, Some("and so"), false),
        ("TP", 1, "I-1", Stance::Object, None, false),
    ];
    let meeting = play(&said, &two(false));
    for id in [2, 3] {
        assert!(is_open(&meeting, id), "I-{id}");
        let objectors = meeting.state.ledger.find(IssueId(id)).unwrap().objectors();
        assert_eq!(objectors, [&"TestPlanner".into()]);
    }
    // What is closed in the same summary is no place to go on in.
    let meeting = play(&said, &two(true));
    assert!(is_open(&meeting, 1));
}

#[test]
fn ids_are_read_as_models_spell_them_and_never_beyond_their_range() {
    let (meeting, _) = before_summary(&[
        ("PP", "I-1: first need", Stance::Agree, Some("x")),
        ("SD", "**i 1**", Stance::Agree, Some("x")),
        ("Dev", "I-4294967297", Stance::Agree, Some("x")),
        ("TP", "I-0", Stance::Agree, Some("x")),
        ("RP", "Ｉ－１", Stance::Agree, Some("x")),
    ]);
    let taken: Vec<usize> = meeting
        .state
        .discussion
        .speeches_of(1)
        .map(|speech| speech.speech.positions.len())
        .collect();
    assert_eq!(taken, [1, 1, 0, 0, 0]);
}

#[test]
fn small_teams_hold_a_whole_run() {
    for count in [1usize, 2] {
        for silent in [false, true] {
            let mut inputs = inputs();
            inputs.order = aitc::machine::SpeakingOrder::Rotate;
            inputs.roles.members.truncate(count);
            let mut meeting = Meeting::open("two things", inputs);
            let mut basics = agreeable(2);
            meeting.run(&mut |state, call| {
                if silent && call.purpose == Purpose::Speech && call.turn == 1 && call.round == 1 {
                    return "nothing".to_owned();
                }
                basics(state, call)
            });
            let state = &meeting.state;
            if silent && count == 1 {
                assert!(matches!(next_actions(state)[..], [Action::GiveUp(_)]));
            } else {
                assert_eq!(state.stage, Stage::Published);
                assert_eq!(state.documents.written.len(), count);
            }
        }
    }
}

#[test]
fn roles_without_documents_close_with_the_report_alone() {
    let mut inputs = inputs();
    for role in &mut inputs.roles.members {
        role.document = None;
    }
    let mut meeting = Meeting::open("two things", inputs);
    meeting.run(&mut agreeable(1));
    assert_eq!(meeting.state.stage, Stage::Published);
    assert!(meeting.state.documents.written.is_empty() && meeting.state.documents.report.is_some());
}

#[test]
fn ids_go_on_over_three_versions() {
    let first = held(1).state;
    let mut second = revise(&first, "- tabs, please\n- a header");
    second.run(&mut agreeable(1));
    let mut third = revise(&second.state, "- shorter");
    third.run(&mut agreeable(1));
    let state = &third.state;
    assert_eq!(state.stage, Stage::Published);
    let issues: Vec<u32> = state.ledger.iter().map(|i| i.id.0).collect();
    assert_eq!(issues, (1..=5).collect::<Vec<_>>());
    let items: Vec<u32> = state.draft.standing().map(|i| i.id.0).collect();
    assert_eq!(items, (1..=5).collect::<Vec<_>>());
    assert_eq!(state.task.feedback[0].id.to_string(), "F-3");
    let versions: Vec<u32> = state.draft.standing().map(|i| i.version).collect();
    assert_eq!(versions, [1, 1, 2, 2, 2]);
    // None of the new documents uses a number an ancestor used for something else.
    let number = |state: &State| state.run.counters.documents["AC"];
    assert!(number(&first) < number(&second.state) && number(&second.state) < number(state));
}

#[test]
fn counters_never_stay_below_the_ids_taken_over() {
    let first = held(1).state;
    let mut previous = aitc::machine::Previous::of(&first, "head");
    previous.counters = Default::default();
    let mut meeting = Meeting::open_with(Event::UserInput {
        content: "more".to_owned(),
        run_id: "2".to_owned(),
        inputs: Box::new(inputs()),
        from: Some(Box::new(previous)),
        feedback: Vec::new(),
    });
    meeting.run(&mut agreeable(1));
    assert_eq!(meeting.state.ledger.iter().count(), 4);
    assert_eq!(meeting.state.draft.standing().count(), 4);
}

#[test]
fn a_member_is_cited_by_code_or_name_in_any_dress() {
    let settled_by = |cites| {
        let text = ("PP", 1, "I-1", Stance::Agree, Some("do it"), false);
        let meeting = play(&[text], &[coach(vec![settled("I-1", cites)])]);
        meeting.state.draft.standing().count()
    };
    for cites in ["PP", "pp", "ProductPlanner", "PP (round 1)", "C-PP"] {
        assert_eq!(settled_by(cites), 1, "{cites}");
    }
    for cites in ["C-1", "SD", "PP and SD", "C-SD", ""] {
        assert_eq!(settled_by(cites), 0, "{cites}");
    }
}
