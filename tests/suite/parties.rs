//! A party: the coach selects two or three members to answer, and the next message continues the
//! talk.

use aitc::machine::party::Invitation;
use aitc::machine::*;
use aitc::reply::*;

use crate::support::divided::{open, usual};
use crate::support::meeting::*;

/// A party whose coach selects these members.
fn naming(names: &[&str]) -> Meeting {
    about(&[], names)
}

/// As [`naming`], with these issues.
fn about(issues: &[&str], names: &[&str]) -> Meeting {
    let mut meeting = open(|inputs| inputs.format = Format::Party);
    let mut rest = usual();
    let judgment = text(&Contribution {
        analysis: "One question.".to_owned(),
        coach: Some(CoachPart {
            reminders: names.iter().map(|name| reminder(name)).collect(),
            ..CoachPart::default()
        }),
        new_issues: issues
            .iter()
            .map(|title| new_issue(title, title, Severity::Blocking))
            .collect(),
        ..Contribution::default()
    });
    meeting.until(Purpose::Speech, &mut |state, call| match call.purpose {
        Purpose::Judgment => judgment.clone(),
        _ => rest(state, call),
    });
    meeting
}

fn reminder(name: &str) -> Reminder {
    Reminder {
        member: name.to_owned(),
        text: asked_of(name),
    }
}

/// Longer than a title may be.
fn asked_of(name: &str) -> String {
    format!("What does {name} say{}?", " of this".repeat(20))
}

/// A complete party of two members.
pub fn held() -> Meeting {
    let mut meeting = naming(&["RP", "PP"]);
    meeting.run(&mut agreeable(1));
    meeting
}

#[test]
fn nobody_is_invited_against_the_rules() {
    let meeting = naming(&["RP", "SD"]);
    let judged = meeting.events().find_map(|event| match event {
        event @ Event::CoachInitialJudgment { .. } => Some(event.clone()),
        _ => None,
    });
    let of = |names: &[&str]| {
        let mut event = judged.clone().unwrap();
        if let Event::CoachInitialJudgment { invited, .. } = &mut event {
            *invited = names
                .iter()
                .map(|name| Invitation {
                    member: (*name).into(),
                    asked: String::new(),
                })
                .collect();
        }
        event
    };
    for (format, names, is_legal) in [
        (Format::Party, &["RiskPlanner", "TestPlanner"][..], true),
        (Format::Party, &["RiskPlanner"], false),
        (Format::Party, &["RiskPlanner", "RiskPlanner"], false),
        (Format::Party, &["RiskPlanner", "Nobody"], false),
        (Format::Party, &["Coach", "RiskPlanner"], false),
        (
            Format::Party,
            &[
                "RiskPlanner",
                "TestPlanner",
                "SystemDesigner",
                "ProductPlanner",
            ],
            false,
        ),
        (Format::Workshop, &["RiskPlanner", "TestPlanner"], false),
        (Format::Workshop, &[], true),
    ] {
        let mut meeting = open(|inputs| inputs.format = format);
        let call = meeting.until(Purpose::Judgment, &mut usual());
        meeting.record(started(&call));
        let taken = meeting.try_record(of(names));
        assert_eq!(taken.is_ok(), is_legal, "{format:?} {names:?}: {taken:?}");
    }
}

#[test]
fn only_those_who_speak_are_sides_of_a_debate() {
    for (sides, found) in [(["SD", "RP"], true), (["SD", "Dev"], false)] {
        // Three issues, because small work is not debated.
        let mut meeting = about(&["rows", "columns", "format"], &["RP", "SD"]);
        let divergence = divergence("I-1", &asked_of("nobody"), &sides);
        let open = meeting.state.ledger.open();
        let fates = open.map(|issue| fate(&issue.id.to_string(), FateKind::Open));
        let mut summary = coach(fates.collect());
        if let Some(part) = &mut summary.coach {
            part.divergence = Some(divergence);
        }
        let mut rest = usual();
        while meeting.state.discussion.summaries.is_empty() {
            assert!(meeting.step(&mut |state, call| match call.purpose {
                Purpose::Summary => text(&summary),
                Purpose::Speech => text(&contribution("It depends.")),
                _ => rest(state, call),
            }));
        }
        let topics = meeting.state.debates.found.iter().map(|one| &one.question);
        let wanted = found.then(|| asked_of("nobody"));
        assert!(topics.eq(&wanted), "{sides:?}");
    }
}
