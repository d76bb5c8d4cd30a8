//! A party: the coach selects two or three members to answer, and the next message continues the
//! talk.

use aitc::machine::party::Invitation;
use aitc::machine::*;
use aitc::reply::*;

use crate::support::divided::{open, usual};
use crate::support::meeting::*;

/// A party whose coach selects these members.
fn naming(names: &[&str]) -> Meeting {
    let mut meeting = open(|inputs| inputs.format = Format::Party);
    let reminders = names.iter().map(|name| Reminder {
        member: (*name).to_owned(),
        // Longer than a title may be.
        text: format!("What does {name} say{}?", " of this".repeat(20)),
    });
    let judgment = text(&Contribution {
        coach: Some(CoachPart {
            reminders: reminders.collect(),
            ..CoachPart::default()
        }),
        ..contribution("One question.")
    });
    let mut rest = usual();
    meeting.until(Purpose::Speech, &mut |state, call| match call.purpose {
        Purpose::Judgment => judgment.clone(),
        _ => rest(state, call),
    });
    meeting
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
