//! Answers of a review: findings, amendments and verdicts.

use workshop::machine::review::ReviewFinding;
use workshop::machine::*;
use workshop::reply::*;

use super::meeting::*;

/// A finding about an item of the plan.
pub fn found(about: &str, blocking: bool) -> PlanFinding {
    PlanFinding {
        about: about.to_owned(),
        kind: FindingKind::Wrong,
        text: format!("{about} does not hold"),
        mend: format!("say of {about} what holds"),
        blocking,
    }
}

/// A review with these findings.
pub fn reviewing(findings: Vec<PlanFinding>) -> String {
    let mut said = contribution("I read it as if I had to build it.");
    said.findings = findings;
    text(&said)
}

/// The amendment of a document by its writer: the changed document, with an answer to each finding.
pub fn amendment(
    state: &State,
    call: &CallId,
    change: impl FnOnce(&mut Document),
    mended: impl Fn(&ReviewFinding) -> bool,
) -> String {
    let Purpose::Document(kind) = call.purpose else {
        panic!("{call} amends nothing");
    };
    let mut document = state.documents.written[&kind].content.clone();
    change(&mut document);
    let put = state.review.put_by(call);
    let findings = put.map(|one| FindingAnswer {
        finding: one.id.to_string(),
        mended: mended(one),
        because: format!("{} was looked at", one.id),
    });
    let before = serde_json::to_value(&state.documents.written[&kind].content).unwrap();
    let mut content = serde_json::to_value(&document).unwrap();
    let stays = keys(&content);
    let gone = keys(&before).into_iter().filter(|key| !stays.contains(key));
    let gone: Vec<_> = gone
        .map(
            |key| serde_json::json!({"id": key, "used_in": null, "left_out_because": "not needed"}),
        )
        .collect();
    content.as_object_mut().unwrap().remove("document");
    let mut written = serde_json::to_value(DocumentReply::new(content)).unwrap();
    written["findings"] = serde_json::to_value(findings.collect::<Vec<_>>()).unwrap();
    written["accounts"] = gone.into();
    written.to_string()
}

/// The ids and paths of a document's items.
fn keys(document: &serde_json::Value) -> Vec<String> {
    let lists = document.as_object().unwrap().values();
    let items = lists.filter_map(|list| list.as_array()).flatten();
    let keys = items.filter_map(|item| item.get("id").or(item.get("path"))?.as_str());
    keys.map(str::to_owned).collect()
}

/// A reviewer's verdicts on all findings that were declined.
pub fn verdicts(state: &State, call: &CallId, upholds: bool) -> String {
    let put = state.review.put_back_to(&call.member);
    let verdicts = put.map(|one| FindingVerdict {
        finding: one.id.to_string(),
        upholds,
        why: "that is how it is".to_owned(),
    });
    let mut said = contribution("I looked again.");
    said.verdicts = verdicts.collect();
    text(&said)
}

/// A change that works for every document.
pub fn reworded(document: &mut Document) {
    match document {
        Document::ProductPlan(plan) => plan.understanding.push_str(" Put right."),
        Document::SystemDesign(design) => design.architecture.push_str(" Put right."),
        Document::DevPlan(plan) => plan.feasibility.push_str(" Put right."),
        Document::TestPlan(plan) => plan.strategy.push_str(" Put right."),
        Document::RiskAssessment(risks) => risks.assumptions.push(PlanAssumption {
            text: "Put right.".to_owned(),
            from: None,
        }),
    }
}
