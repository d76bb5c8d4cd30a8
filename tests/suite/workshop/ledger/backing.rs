//! Support is of one text: who spoke before it was there, or for another, is not counted.

use aitc::machine::{FirstRound, IssueId, Purpose, Rule};
use aitc::reply::{Contribution, FateKind, Severity, Stance};

use super::super::coach::rules;
use super::{Taken, into, play, say};
use crate::support::meeting::*;

/// Supporters of every standing item, by name, in order of the draft.
fn supporters(meeting: &Meeting) -> Vec<Vec<&str>> {
    let items = meeting.state.draft.standing();
    let names = items.map(|item| item.supporters.iter().map(|s| s.member.as_str()).collect());
    names.collect()
}

const AGREES: [Taken<'_>; 3] = [
    ("PP", 1, "I-1", Stance::Agree, Some("as CSV"), false),
    ("SD", 1, "I-1", Stance::Agree, None, false),
    ("Dev", 1, "I-1", Stance::Refine, Some("as XLSX"), false),
];

#[test]
fn two_texts_on_one_issue_have_their_own_supporters() {
    let mut table = AGREES.to_vec();
    table.push(("TP", 1, "I-1", Stance::Agree, None, false));
    let both = coach(vec![settled("I-1", "PP"), settled("I-1", "Dev")]);
    let meeting = play(&table, &[both]);
    let of_csv = vec!["ProductPlanner", "SystemDesigner"];
    let of_xlsx = vec!["SeniorDeveloper", "TestPlanner"];
    assert_eq!(supporters(&meeting), [of_csv, of_xlsx]);
}

#[test]
fn a_text_is_not_supported_by_who_spoke_before_it_was_there() {
    let mut table = AGREES.to_vec();
    table.push(("TP", 1, "I-1", Stance::Abstain, Some("as PDF"), false));
    let cites = |who: &str| coach(vec![settled("I-1", who)]);
    let meeting = play(&table, &[cites("TP"), cites("TP")]);
    assert!(supporters(&meeting).is_empty());
    assert!(rules(&meeting).contains(&(Rule::NoSupport, "I-1".to_owned())));

    // Somebody takes it up in the next round.
    table.push(("RP", 2, "I-1", Stance::Agree, None, false));
    let meeting = play(&table, &[cites("TP"), cites("TP")]);
    assert_eq!(supporters(&meeting), [["RiskPlanner"]]);
}

#[test]
fn agreeing_again_without_words_keeps_ones_own_text_and_a_new_text_does_not() {
    let mut table = AGREES.to_vec();
    table.push(("PP", 2, "I-1", Stance::Agree, None, false));
    let rounds = [coach(vec![]), coach(vec![settled("I-1", "PP")])];
    // PP still offers its own, and now backs the latest, too.
    let meeting = play(&table, &rounds);
    assert_eq!(supporters(&meeting), [["ProductPlanner", "SystemDesigner"]]);
    let last = play(&table, &[coach(vec![]), coach(vec![settled("I-1", "Dev")])]);
    assert_eq!(supporters(&last), [["ProductPlanner", "SeniorDeveloper"]]);

    table[3].4 = Some("as CSV, with a header");
    let meeting = play(&table, &rounds);
    assert_eq!(supporters(&meeting), [["ProductPlanner"]]);
}

#[test]
fn the_same_words_from_another_are_support() {
    let mut table = AGREES.to_vec();
    table[2].4 = Some(" as CSV ");
    let meeting = play(&table, &[coach(vec![settled("I-1", "PP")])]);
    let all = ["ProductPlanner", "SeniorDeveloper", "SystemDesigner"];
    assert_eq!(supporters(&meeting), [all]);
}

#[test]
fn who_objected_since_does_not_offer_its_text_any_more() {
    let table = [
        ("PP", 1, "I-1", Stance::Agree, Some("as CSV"), false),
        ("SD", 1, "I-1", Stance::Agree, Some("as XLSX"), false),
        ("PP", 2, "I-1", Stance::Object, None, true),
        ("PP", 3, "I-1", Stance::Agree, None, true),
    ];
    let open = || coach(vec![]);
    let meeting = play(&table, &[open(), open(), coach(vec![settled("I-1", "PP")])]);
    assert!(supporters(&meeting).is_empty());
    let meeting = play(&table, &[open(), open(), coach(vec![settled("I-1", "SD")])]);
    let both = ["ProductPlanner", "SystemDesigner"];
    assert_eq!(supporters(&meeting), [both]);
}

#[test]
fn side_by_side_nobody_backs_what_it_has_not_heard() {
    let mut inputs = inputs();
    inputs.first_round = FirstRound::Blind;
    inputs.limits.max_rounds = 1;
    let mut meeting = Meeting::open("things", inputs);
    let mut basics = agreeable(1);
    meeting.run(&mut |state, call| match call.purpose {
        Purpose::Judgment => text(&Contribution {
            new_issues: vec![new_issue("a", "need", Severity::Blocking)],
            ..contribution("One need.")
        }),
        Purpose::Speech => say(&AGREES, state, call),
        Purpose::Summary => text(&coach(vec![settled("I-1", "PP")])),
        _ => basics(state, call),
    });
    assert_eq!(supporters(&meeting), [["ProductPlanner"]]);
}

#[test]
fn telling_one_issue_anew_takes_no_objection_back() {
    let table = [
        ("PP", 1, "I-1", Stance::Agree, Some("do it"), false),
        ("RP", 1, "I-1", Stance::Object, None, false),
        ("PP", 2, "I-4", Stance::Agree, Some("do it"), false),
    ];
    let anew = || Contribution {
        new_issues: vec![new_issue("x", "the same once more", Severity::Blocking)],
        ..coach(vec![into("I-1", FateKind::Refined, "x")])
    };
    let meeting = play(&table, &[anew(), coach(vec![settled("I-4", "PP")])]);
    assert!(supporters(&meeting).is_empty());
    let objectors = meeting.state.ledger.find(IssueId(4)).unwrap().objectors();
    assert_eq!(objectors, [&"RiskPlanner".into()]);

    // What is merged into it in the same summary goes along.
    let merged = Contribution {
        coach: coach(vec![
            into("I-1", FateKind::Merged, "I-2"),
            into("I-2", FateKind::Refined, "x"),
        ])
        .coach,
        ..anew()
    };
    let meeting = play(&table, &[merged, coach(vec![settled("I-4", "PP")])]);
    assert!(supporters(&meeting).is_empty());
}
