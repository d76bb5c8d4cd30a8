//! One of each document.

use super::*;

pub(super) fn product_plan() -> Document {
    Document::ProductPlan(ProductPlan {
        understanding: s("u"),
        scope: vec![ScopeItem {
            text: s("t"),
            from: vec![s("C-1")],
        }],
        non_goals: vec![NonGoal {
            text: s("t"),
            why: s("w"),
        }],
        criteria: vec![Criterion {
            id: s("AC-1"),
            same_as: None,
            given: s("g"),
            when: s("w"),
            then: s("t"),
            from: vec![s("C-1")],
        }],
    })
}

pub(super) fn documents() -> [Document; 5] {
    [
        product_plan(),
        Document::SystemDesign(SystemDesign {
            architecture: s("one"),
            modules: vec![Module {
                id: s("M-1"),
                same_as: Some(s("M-1")),
                name: s("n"),
                purpose: s("p"),
                covers: vec![s("AC-1")],
            }],
            decisions: vec![DesignDecision {
                id: s("DEC-1"),
                same_as: None,
                title: s("t"),
                choice: s("c"),
                why: s("w"),
                rejected: vec![Rejected {
                    option: s("o"),
                    why: s("w"),
                }],
                from: Vec::new(),
            }],
            file_impacts: vec![FileImpact {
                path: s("a.rs"),
                change: Change::Modify,
                what: s("w"),
                modules: vec![s("M-1")],
            }],
            diagram: s("graph LR\n  a --> b"),
        }),
        Document::DevPlan(DevPlan {
            feasibility: s("yes"),
            work: vec![WorkItem {
                id: s("W-1"),
                same_as: None,
                title: s("t"),
                detail: s("d"),
                size: Size::S,
                covers: vec![s("AC-1")],
                depends_on: Vec::new(),
            }],
            technical_debt: vec![Debt {
                text: s("t"),
                repayment: s("r"),
            }],
            order: vec![s("W-1")],
            critical_path: vec![s("W-1")],
        }),
        Document::TestPlan(TestPlan {
            strategy: s("s"),
            cases: vec![TestCase {
                id: s("T-1"),
                same_as: None,
                title: s("t"),
                level: TestLevel::EndToEnd,
                covers: vec![s("AC-1")],
                steps: s("s"),
                expected: s("e"),
            }],
            coverage_targets: vec![CoverageTarget {
                area: s("a"),
                target: s("t"),
            }],
            data: vec![s("d")],
            environments: vec![s("e")],
        }),
        Document::RiskAssessment(RiskAssessment {
            risks: vec![Risk {
                id: s("R-1"),
                same_as: None,
                title: s("t"),
                chance: Level::Low,
                impact: Level::High,
                mitigation: s("m"),
                early_sign: s("e"),
                affects: vec![s("M-1")],
            }],
            dependencies: vec![ExternalDependency {
                name: s("n"),
                if_missing: s("i"),
            }],
            assumptions: vec![PlanAssumption {
                text: s("t"),
                from: Some(s("A-1")),
            }],
        }),
    ]
}
