//! Lists and texts that are too long: sent back once, then cut with a note, for every author.

use aitc::reply::{Criterion, Document, NewIssue, ProductPlan, ReportWords, ToDecide};

use super::*;

/// Seventy items, of which 64 are kept.
fn seventy<T>(one: impl Fn(usize) -> T) -> Vec<T> {
    (0..70).map(one).collect()
}

fn issues() -> Vec<NewIssue> {
    seventy(|n| new_issue(&format!("k{n}"), &format!("need {n}"), Severity::Minor))
}

/// A text of 9,000 characters is sent back. A shorter one is then accepted; the same one is cut,
/// with a note.
#[test]
fn a_text_beyond_its_length_is_put_back_once() {
    let long = "y".repeat(9_000);
    for (again, kept) in [
        ("short", "short".to_owned()),
        (&*long, format!("{}…", "y".repeat(8_000))),
    ] {
        let mut meeting = Meeting::open("two things", inputs());
        let mut basics = agreeable(1);
        meeting.run(&mut |state, call| match call.purpose {
            Purpose::Speech if (call.round, call.turn) == (1, 1) => {
                let words = if call.attempt == 1 { &long } else { again };
                text(&Contribution {
                    positions: vec![position("I-1", Stance::Refine, Some(words))],
                    ..contribution("Mine.")
                })
            }
            _ => basics(state, call),
        });
        let reason = "`proposal` has 9000 characters, and at most 8000 are read";
        assert_eq!(meeting.rejections(), [reason]);
        let issue = meeting.issue(1);
        assert_eq!(issue.texts[0].text, kept);
        let speech = meeting.state.discussion.speeches_of(1).next().unwrap();
        let told = speech.notes.iter().any(|note| {
            note.about == "proposal" && note.text == "9000 characters; the last 1000 are left out"
        });
        assert_eq!(told, again == long, "{:?}", speech.notes);
    }
}

#[test]
fn entries_beyond_a_lists_length_are_told_of() {
    let mut meeting = Meeting::open("two things", inputs());
    let mut basics = agreeable(1);
    meeting.run(&mut |state, call| match call.purpose {
        Purpose::Judgment | Purpose::Speech => text(&Contribution {
            new_issues: issues(),
            ..serde_json::from_str(&basics(state, call)).unwrap()
        }),
        Purpose::Document(DocumentKind::ProductPlan) => text(&ProductPlan {
            understanding: "Understood.".to_owned(),
            criteria: seventy(|n| Criterion {
                id: format!("k{n}"),
                same_as: None,
                given: "an order".to_owned(),
                when: "it is exported".to_owned(),
                then: format!("line {n} is there"),
                from: vec!["C-1".to_owned()],
            }),
            ..ProductPlan::default()
        }),
        Purpose::Report => text(&ReportWords {
            title: "A plan".to_owned(),
            in_short: "In short.".to_owned(),
            decide: seventy(|n| ToDecide {
                what: format!("Whether {n}"),
                recommended: "Yes".to_owned(),
                otherwise: "No".to_owned(),
                about: Vec::new(),
            }),
            plan: None,
        }),
        _ => basics(state, call),
    });
    let told = |about: &str, text: &str, list: &str| {
        about == list && text == "70 entries; the last 6 are left out"
    };
    let mut kinds = Vec::new();
    for entry in &meeting.entries {
        let (kind, found) = match &entry.event {
            Event::CoachInitialJudgment { refused, .. } => {
                let mut refused = refused.iter();
                let found = refused
                    .any(|r| r.rule == Rule::TooLong && told(&r.about, &r.detail, "new_issues"));
                ("judgment", found)
            }
            Event::Speaking { notes, .. } => {
                let found = notes.iter().any(|n| told(&n.about, &n.text, "new_issues"));
                ("speech", found)
            }
            Event::Document {
                content: Document::ProductPlan(plan),
                notes,
                ..
            } => {
                assert_eq!(plan.criteria.len(), 64);
                let found = notes.iter().any(|n| told(&n.about, &n.text, "criteria"));
                ("document", found)
            }
            Event::Report { notes, .. } => {
                let found = notes.iter().any(|n| told(&n.about, &n.text, "decide"));
                ("report", found)
            }
            _ => continue,
        };
        assert!(found, "{kind}: {:?}", entry.event);
        kinds.push(kind);
    }
    kinds.dedup();
    assert_eq!(kinds, ["judgment", "speech", "document", "report"]);
    let put_back = meeting.rejections();
    let lists = ["new_issues", "criteria", "decide"].map(|list| {
        let is_it = |reason: &&&str| {
            **reason == format!("`{list}` has 70 entries, and at most 64 are read")
        };
        put_back.iter().filter(is_it).count()
    });
    assert_eq!(lists, [6, 1, 1], "{put_back:?}");
}
