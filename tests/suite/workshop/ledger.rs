//! Stances, merges, refinements, clarifications and revisions, and how they interact.

mod questions;
mod texts;

use aitc::machine::*;
use aitc::reply::{Contribution, FateKind, Severity, Stance};

use super::coach::{before_summary, rules};
use super::revision::revise;
use super::{asking, held, relay, with_question};
use crate::support::meeting::*;

type Taken<'a> = (&'a str, u32, &'a str, Stance, Option<&'a str>, bool);

/// A speech according to a table of `(code, round, issue, stance, proposal, reason)`.
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

/// Plays a run with the speeches of a table and one summary per round.
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

/// Parses the coach's decisions in a summary: `I-1 merged I-2; I-3 settled PP`, or one issue split
/// into several, as `I-1 refined I-2,I-3`.
fn doing(line: &str) -> Contribution {
    let fates = line.split("; ").filter(|one| !one.is_empty()).map(|one| {
        let parts: Vec<&str> = one.split(' ').collect();
        let [issue, kind, target] = parts[..] else {
            panic!("{one}");
        };
        let into = target.split(',').map(str::to_owned).collect();
        match kind {
            "settled" => settled(issue, target),
            "merged" => aitc::reply::Fate {
                into,
                ..fate(issue, FateKind::Merged)
            },
            "refined" => aitc::reply::Fate {
                into,
                ..fate(issue, FateKind::Refined)
            },
            other => panic!("no fate `{other}`"),
        }
    });
    coach(fates.collect())
}

/// Merged or refined issues: the positions on them, the coach's decisions in each round, and the
/// issues that are then open or closed.
struct Merge {
    name: &'static str,
    said: &'static [Taken<'static>],
    coach: &'static [&'static str],
    open: &'static [(u32, Rule)],
    closed: &'static [u32],
}

/// RP objects to I-1 and abstains on I-2, for which a text was proposed.
const ABSTAINS: &[Taken<'_>] = &[
    ("PP", 1, "I-2", Stance::Agree, Some("so"), false),
    ("RP", 1, "I-1", Stance::Object, None, false),
    ("RP", 1, "I-2", Stance::Abstain, None, false),
];

/// RP objects to I-1 and agrees to the text of I-2, in one speech.
const AGREES: &[Taken<'_>] = &[
    ("PP", 1, "I-2", Stance::Agree, Some("so"), false),
    ("RP", 1, "I-1", Stance::Object, None, false),
    ("RP", 1, "I-2", Stance::Agree, None, false),
];

/// TP objects to I-1; texts were proposed for I-2 and I-3.
const TWO_TEXTS: &[Taken<'_>] = &[
    ("PP", 1, "I-2", Stance::Agree, Some("so"), false),
    ("PP", 1, "I-3", Stance::Agree, Some("and so"), false),
    ("TP", 1, "I-1", Stance::Object, None, false),
];

const MERGES: &[Merge] = &[
    Merge {
        name: "an objection is carried along a chain of merges",
        said: &[
            ("RP", 1, "I-1", Stance::Object, None, false),
            ("PP", 1, "I-3", Stance::Agree, Some("so"), false),
        ],
        coach: &["I-1 merged I-2", "I-2 merged I-3", "I-3 settled PP"],
        open: &[(3, Rule::ObjectionStands)],
        closed: &[1, 2],
    },
    Merge {
        name: "abstaining on the target washes no objection away",
        said: ABSTAINS,
        coach: &["I-1 merged I-2; I-2 settled PP"],
        open: &[(2, Rule::ObjectionStands)],
        closed: &[1],
    },
    Merge {
        name: "nor does it if the target is settled a round later",
        said: ABSTAINS,
        coach: &["I-1 merged I-2", "I-2 settled PP"],
        open: &[(2, Rule::ObjectionStands)],
        closed: &[1],
    },
    Merge {
        name: "agreeing to one issue takes nothing back that the same speech says on another",
        said: AGREES,
        coach: &["I-1 merged I-2; I-2 settled PP"],
        open: &[(2, Rule::ObjectionStands)],
        closed: &[1],
    },
    Merge {
        name: "nor does it if the target is settled a round later than it was agreed to",
        said: AGREES,
        coach: &["I-1 merged I-2", "I-2 settled PP"],
        open: &[(2, Rule::ObjectionStands)],
        closed: &[1],
    },
    Merge {
        name: "agreeing to the target in a later round does",
        said: &[
            ("PP", 1, "I-2", Stance::Agree, Some("so"), false),
            ("RP", 1, "I-1", Stance::Object, None, false),
            ("RP", 2, "I-2", Stance::Agree, None, false),
        ],
        coach: &["", "I-1 merged I-2; I-2 settled PP"],
        open: &[],
        closed: &[1, 2],
    },
    Merge {
        name: "of two merged issues the objection weighs more",
        said: &[
            ("PP", 1, "I-3", Stance::Agree, Some("so"), false),
            ("RP", 1, "I-1", Stance::Object, None, false),
            ("RP", 1, "I-2", Stance::Agree, None, false),
        ],
        coach: &["I-1 merged I-3; I-2 merged I-3", "I-3 settled PP"],
        open: &[(3, Rule::ObjectionStands)],
        closed: &[1, 2],
    },
    Merge {
        name: "refining into one issue that is there is a merge",
        said: TWO_TEXTS,
        coach: &["I-1 refined I-2", "I-2 settled PP"],
        open: &[(2, Rule::ObjectionStands)],
        closed: &[1],
    },
    Merge {
        name: "an issue that goes on in several takes its objection along to each",
        said: TWO_TEXTS,
        coach: &["I-1 refined I-2,I-3", "I-2 settled PP; I-3 settled PP"],
        open: &[(2, Rule::ObjectionStands), (3, Rule::ObjectionStands)],
        closed: &[1],
    },
    Merge {
        name: "what is closed in the same summary is no place to go on in",
        said: TWO_TEXTS,
        coach: &["I-1 refined I-2,I-3; I-2 settled PP; I-3 settled PP"],
        open: &[(1, Rule::BadTarget)],
        closed: &[2, 3],
    },
];

#[test]
fn no_objection_is_lost_where_an_issue_goes_on_in_others() {
    for case in MERGES {
        let summaries: Vec<_> = case.coach.iter().map(|line| doing(line)).collect();
        let meeting = play(case.said, &summaries);
        let refused = rules(&meeting);
        for (id, rule) in case.open {
            assert!(meeting.issue(*id).is_open(), "{}: I-{id}", case.name);
            let told = (*rule, format!("I-{id}"));
            assert!(refused.contains(&told), "{}: {refused:?}", case.name);
        }
        for id in case.closed {
            assert!(!meeting.issue(*id).is_open(), "{}: I-{id}", case.name);
        }
    }
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
    // The new documents do not reuse numbers of earlier versions.
    let number = |state: &State| state.run.counters.documents["AC"];
    assert!(number(&first) < number(&second.state) && number(&second.state) < number(state));
}

#[test]
fn counters_never_stay_below_the_ids_taken_over() {
    let first = held(1).state;
    let mut meeting = going_on(&first, inputs(), |previous| {
        previous.counters = Default::default();
        previous.requirement = "less".to_owned();
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
