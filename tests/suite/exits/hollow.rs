//! A document without content is rejected and requested once more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use aitc::reply::DocumentKind;
use serde_json::{Value, json};

use super::{WISH, asked_once_but, faulty, published};
use crate::support::binary::Place;
use crate::support::fake::{Reply, Seen};

/// A document that matches the schema but has no content.
fn hollow(kind: DocumentKind) -> Value {
    match kind {
        DocumentKind::ProductPlan => {
            json!({"understanding": "Fine.", "scope": [], "non_goals": [], "criteria": []})
        }
        DocumentKind::SystemDesign => json!({
            "architecture": "Fine.", "modules": [], "decisions": [], "file_impacts": [],
            "diagram": null,
        }),
        DocumentKind::DevPlan => json!({
            "feasibility": "Fine.", "work": [], "technical_debt": [], "order": [],
            "critical_path": [],
        }),
        DocumentKind::TestPlan => json!({
            "strategy": "Fine.", "cases": [], "coverage_targets": [], "data": [],
            "environments": [],
        }),
        DocumentKind::RiskAssessment => {
            json!({"risks": [], "dependencies": [], "assumptions": []})
        }
    }
}

fn is_document(seen: &Seen, kind: DocumentKind) -> bool {
    seen.key.starts_with(&format!("{kind}/"))
}

#[test]
fn a_document_with_nothing_in_it_is_asked_for_once_more() {
    for (kind, list) in [
        (DocumentKind::ProductPlan, "criteria"),
        (DocumentKind::SystemDesign, "modules"),
        (DocumentKind::DevPlan, "work"),
        (DocumentKind::TestPlan, "cases"),
    ] {
        let fake = faulty(move |seen| {
            let first = is_document(seen, kind) && seen.times == 1;
            first.then(|| Reply::Text(hollow(kind).to_string()))
        });
        let place = Place::new();
        let ran = place.run_with(&fake, &["plan", WISH]).ends(0);
        published(&place, &ran);
        let rejected = place.events("v1", "reply_rejected");
        assert_eq!(rejected.len(), 1, "{kind}: {rejected:#?}");
        let why = rejected[0]["reason"].as_str().unwrap();
        assert!(why.starts_with(&format!("`{list}` is empty")), "{why}");
        let written = place.events("v1", "document");
        assert_eq!(written.len(), 5, "{kind}");
        place.run(&["check", "--strict"]).ends(0);
        let asked = fake.seen();
        let again = asked.iter().filter(|seen| is_document(seen, kind));
        let again: Vec<_> = again.collect();
        assert_eq!(again.len(), 2, "{kind}");
        assert!(again[1].text().contains(why), "{kind}: the finding is told");
        asked_once_but(&fake, &[&again[0].key]);
    }
}

#[test]
fn entries_that_say_nothing_are_nothing_too() {
    for title in ["-", "TBD", "n/a.", "TODO", "To be determined …", "待定。"] {
        let case = json!({
            "id": "t1", "same_as": null, "title": title, "level": "unit", "covers": [],
            "steps": "", "expected": "",
        });
        let fake = faulty(move |seen| {
            let first = is_document(seen, DocumentKind::TestPlan) && seen.times == 1;
            let mut plan = hollow(DocumentKind::TestPlan);
            plan["cases"] = json!([case]);
            first.then(|| Reply::Text(plan.to_string()))
        });
        let place = Place::new();
        place.run_with(&fake, &["plan", WISH]).ends(0);
        let rejected = place.events("v1", "reply_rejected");
        let why = rejected[0]["reason"].as_str().unwrap();
        assert_eq!(
            why, "nothing in `cases` can be used: at `cases 1`: `title` says nothing; left out",
            "{title}"
        );
    }
}

#[test]
fn a_plan_without_substance_is_never_published_as_agreed() {
    let mended = Arc::new(AtomicBool::new(false));
    let well = Arc::clone(&mended);
    let fake = faulty(move |seen| {
        let kind = DocumentKind::ALL.into_iter();
        let kind = kind.filter(|kind| *kind != DocumentKind::RiskAssessment);
        let mut kind = kind.filter(|kind| is_document(seen, *kind));
        let kind = kind.next().filter(|_| !well.load(Ordering::SeqCst))?;
        Some(Reply::Text(hollow(kind).to_string()))
    });
    let place = Place::new();
    let ran = place.run_with(&fake, &["plan", WISH]);
    ran.fails(
        6,
        &[
            "E-reply-unusable",
            "`criteria` is empty",
            "aitc resume --model NAME",
        ],
    );
    assert_eq!(place.versions(), ["v1.draft"]);
    assert_eq!(place.events("v1.draft", "reply_rejected").len(), 2);
    mended.store(true, Ordering::SeqCst);
    let ran = place.run_with(&fake, &["resume"]).ends(0);
    published(&place, &ran);
}

/// A member may say that there are no risks.
#[test]
fn a_risk_assessment_may_be_empty() {
    let fake = faulty(|seen| {
        let kind = DocumentKind::RiskAssessment;
        is_document(seen, kind).then(|| Reply::Text(hollow(kind).to_string()))
    });
    let place = Place::new();
    let ran = place.run_with(&fake, &["plan", WISH]).ends(0);
    published(&place, &ran);
    assert_eq!(place.events("v1", "reply_rejected").len(), 0);
}
