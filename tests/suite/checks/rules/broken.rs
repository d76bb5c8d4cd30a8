//! Ways to break each rule.

use super::*;

fn product(state: &mut State, edit: impl FnOnce(&mut ProductPlan)) {
    let record = state.documents.get_mut(&DocumentKind::ProductPlan).unwrap();
    match &mut record.content {
        Document::ProductPlan(plan) => edit(plan),
        _ => panic!("another kind"),
    }
}

fn design(state: &mut State, edit: impl FnOnce(&mut SystemDesign)) {
    let record = state
        .documents
        .get_mut(&DocumentKind::SystemDesign)
        .unwrap();
    match &mut record.content {
        Document::SystemDesign(plan) => edit(plan),
        _ => panic!("another kind"),
    }
}

fn dev(state: &mut State, edit: impl FnOnce(&mut DevPlan)) {
    let record = state.documents.get_mut(&DocumentKind::DevPlan).unwrap();
    match &mut record.content {
        Document::DevPlan(plan) => edit(plan),
        _ => panic!("another kind"),
    }
}

pub(super) fn tests(state: &mut State, edit: impl FnOnce(&mut TestPlan)) {
    let record = state.documents.get_mut(&DocumentKind::TestPlan).unwrap();
    match &mut record.content {
        Document::TestPlan(plan) => edit(plan),
        _ => panic!("another kind"),
    }
}

fn risk(state: &mut State, edit: impl FnOnce(&mut Risk)) {
    let record = state
        .documents
        .get_mut(&DocumentKind::RiskAssessment)
        .unwrap();
    match &mut record.content {
        Document::RiskAssessment(plan) => edit(&mut plan.risks[0]),
        _ => panic!("another kind"),
    }
}

type Break = fn(&mut State);

/// A way to break each rule, and what is then found.
pub(super) const BROKEN: &[(Break, &[&str])] = &[
    (
        |s| drop(s.documents.remove(&DocumentKind::RiskAssessment)),
        &["Error document-missing risk_assessment"],
    ),
    (
        |s| {
            s.stage = Stage::Closing;
            s.report = None;
            s.documents
                .retain(|kind, _| *kind == DocumentKind::ProductPlan);
            product(s, |plan| plan.criteria.clear());
        },
        &["Error criteria-missing product_plan"],
    ),
    (
        |s| tests(s, |plan| drop(plan.cases.pop())),
        &["Error criterion-without-test AC-2"],
    ),
    (
        |s| dev(s, |plan| plan.work[1].covers = list(&["AC-1"])),
        &["Error criterion-without-work AC-2"],
    ),
    (
        |s| {
            dev(s, |plan| {
                plan.work.push(WorkItem {
                    id: "W-3".to_owned(),
                    ..work("", Size::S, &[], &[])
                })
            })
        },
        &["Error work-without-criterion W-3"],
    ),
    (
        |s| risk(s, |r| r.mitigation.clear()),
        &["Error risk-without-mitigation R-1"],
    ),
    (
        |s| risk(s, |r| r.mitigation = "N/A.".to_owned()),
        &["Error risk-without-mitigation R-1"],
    ),
    (
        |s| risk(s, |r| r.mitigation = "无。".to_owned()),
        &["Error risk-without-mitigation R-1"],
    ),
    (
        |s| design(s, |d| d.file_impacts[0].path = "src/gone.rs".to_owned()),
        &["Error file-missing src/gone.rs"],
    ),
    (
        |s| design(s, |d| d.file_impacts[1].path = "src/orders.rs".to_owned()),
        &["Warning file-exists src/orders.rs"],
    ),
    (
        |s| risk(s, |r| r.affects = list(&["M-9"])),
        &["Error dangling-id R-1"],
    ),
    (
        |s| s.report.as_mut().unwrap().decide[0].about = list(&["the money", "DEC-8"]),
        &["Error dangling-id report"],
    ),
    (
        |s| tests(s, |plan| plan.cases[1].id = "T-1".to_owned()),
        &["Error reused-id T-1"],
    ),
    (
        |s| tests(s, |plan| plan.cases[1].same_as = Some("T-1".to_owned())),
        &["Error reused-id T-2"],
    ),
    (
        |s| tests(s, |plan| plan.cases[1].same_as = Some("T-2".to_owned())),
        &["Error reused-id T-2"],
    ),
    (
        |s| {
            s.draft = draft(&[
                agreed("C-1", "I-1", "x"),
                agreed("C-1", "I-1", "y"),
                agreed("C-2", "I-2", "z"),
            ])
        },
        &["Error reused-id C-1"],
    ),
    (
        |s| s.report.as_mut().unwrap().in_short = "word ".repeat(151),
        &["Error summary-too-long report"],
    ),
    (
        |s| {
            let objects = json!({"member": "TestPlanner", "round": 2, "stance": "object",
                "proposal": null, "why": "no", "changed_because": null});
            let second = serde_json::to_value(s.ledger.find(IssueId(2)).unwrap()).unwrap();
            let settled = json!({"is": "settled", "by": ["C-1"]});
            let origin = json!({"is": "requirement"});
            s.ledger = ledger(&[
                issue("I-1", "Which format", origin, settled, vec![objects]),
                second,
            ]);
        },
        &["Error agreement-over-objection C-1"],
    ),
    (
        |s| {
            let origin = json!({"is": "requirement"});
            let open = issue("I-9", "Open", origin, json!({"is": "open"}), vec![]);
            let all: Vec<_> = s
                .ledger
                .iter()
                .map(|i| serde_json::to_value(i).unwrap())
                .collect();
            s.ledger = ledger(&[all, vec![open]].concat());
        },
        &["Error agreed-with-open-issues status"],
    ),
    (
        |s| {
            let objects = json!({"member": "TestPlanner", "round": 2, "stance": "object",
                "proposal": null, "why": "no", "changed_because": null});
            let origin = json!({"is": "requirement"});
            let gone = json!({"is": "dropped"});
            let gone = issue("I-9", "Who may", origin, gone, vec![objects]);
            let all = s.ledger.iter().map(|i| serde_json::to_value(i).unwrap());
            s.ledger = ledger(&all.chain([gone]).collect::<Vec<_>>());
        },
        &["Error dropped-over-objection I-9"],
    ),
    (
        |s| s.stop.as_mut().unwrap().reason = StopReason::RoundLimit,
        &["Warning unresolved status"],
    ),
    (
        |s| design(s, |d| d.modules[0].covers.clear()),
        &["Warning module-without-criterion M-1"],
    ),
    (
        |s| design(s, |d| d.decisions[0].rejected.clear()),
        &["Warning decision-without-rejected DEC-1"],
    ),
    (
        |s| dev(s, |plan| plan.work[0].size = Size::XL),
        &["Warning work-too-large W-1"],
    ),
    (
        |s| dev(s, |plan| plan.work[0].depends_on = list(&["W-7"])),
        &["Warning unknown-dependency W-1"],
    ),
    (
        |s| product(s, |plan| plan.criteria[0].then = " ".to_owned()),
        &["Warning criterion-not-measurable AC-1"],
    ),
    (
        |s| product(s, |plan| plan.scope[0].from.clear()),
        &["Warning scope-without-source scope 1"],
    ),
    (
        |s| {
            product(s, |plan| {
                plan.understanding = " ".to_owned();
                plan.criteria[0].given.clear();
                plan.criteria[1].when.clear();
            })
        },
        &[
            "Warning part-empty product_plan",
            "Warning part-empty AC-1",
            "Warning part-empty AC-2",
        ],
    ),
    (
        |s| {
            design(s, |d| d.architecture.clear());
            dev(s, |plan| plan.feasibility.clear());
            tests(s, |plan| plan.strategy.clear());
        },
        &[
            "Warning part-empty system_design",
            "Warning part-empty dev_plan",
            "Warning part-empty test_plan",
        ],
    ),
    (
        |s| {
            product(s, |plan| plan.scope.clear());
            design(s, |d| d.decisions[0].from.clear());
            product(s, |plan| {
                plan.criteria.iter_mut().for_each(|c| c.from.clear())
            });
        },
        &[
            "Warning agreed-not-taken-up C-1",
            "Warning agreed-not-taken-up C-2",
        ],
    ),
    (
        |s| {
            s.report.as_mut().unwrap().in_short = "See AC-55，C-99; UTF-8, AC-1, Z-4.".to_owned();
            dev(s, |plan| plan.work[0].detail = "As W-33 says".to_owned());
        },
        &[
            "Warning unknown-id-in-text dev_plan",
            "Warning unknown-id-in-text report",
            "Warning unknown-id-in-text report",
        ],
    ),
    (
        |s| s.speeches[0].speech.analysis = format!("use {AWS} for now"),
        &["Error secret-found PP r1"],
    ),
    (
        |s| risk(s, |r| r.early_sign = format!("log shows {AWS}")),
        &["Error secret-found R-1"],
    ),
];
