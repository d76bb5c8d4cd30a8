//! Lists that are too long: what was left out is told of, whoever wrote them.

use aitc::reply::{Criterion, Document, NewIssue, ProductPlan, ReportWords, ToDecide};

use super::*;

/// Seventy of something, of which 64 are kept.
fn seventy<T>(one: impl Fn(usize) -> T) -> Vec<T> {
    (0..70).map(one).collect()
}

fn issues() -> Vec<NewIssue> {
    seventy(|n| new_issue(&format!("k{n}"), &format!("need {n}"), Severity::Minor))
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
                    .any(|r| r.rule == Rule::ListGrew && told(&r.about, &r.detail, "new_issues"));
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
}
