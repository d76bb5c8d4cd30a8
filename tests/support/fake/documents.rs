//! The documents of a scripted workshop, based on the text of the prompt.

use aitc::reply::*;

use super::turn::ids;

/// The item of the previous version at the same position, if the prompt shows one.
pub(super) fn same_as(prompt: &str, prefix: &str, index: usize) -> Option<String> {
    let heads = ["which this one continues:", "本次的文档在它的基础上继续"];
    let at = heads.iter().filter_map(|head| prompt.rfind(head)).max()?;
    let shown = prompt[at..].split("```").nth(1)?;
    ids(shown, prefix).into_iter().nth(index)
}

/// Agreed items in the draft of the last prompt; ids elsewhere are examples or reasons.
fn agreed(prompt: &str) -> Vec<String> {
    ids(draft(prompt), "C")
}

fn draft(prompt: &str) -> &str {
    let heads = ["# Consensus draft", "# 共识草案"];
    let at = heads.iter().filter_map(|head| prompt.rfind(head)).max();
    let draft = at.and_then(|at| prompt[at..].split("```").nth(1));
    draft.unwrap_or(prompt)
}

/// The ids of agreed items that were not withdrawn.
pub fn standing(prompt: &str) -> Vec<String> {
    let draft = draft(prompt);
    let mut all = ids(draft, "C");
    all.retain(|id| {
        !WITHDRAWN
            .iter()
            .any(|word| draft.contains(&format!("{id}{word}")))
    });
    all
}

/// The text after the id of a withdrawn item.
const WITHDRAWN: [&str; 2] = [" withdrawn", " 撤回"];

pub(super) fn product_plan(prompt: &str) -> ProductPlan {
    let agreed = agreed(prompt);
    let criterion = |(i, from): (usize, &String)| Criterion {
        id: format!("ac{}", i + 1),
        same_as: same_as(prompt, "AC", i),
        given: format!("what {from} describes"),
        when: format!("a user does what {from} is about"),
        then: "it is done within one second".to_owned(),
        from: vec![from.clone()],
    };
    ProductPlan {
        understanding: "A small thing that does what was asked for.".to_owned(),
        scope: agreed
            .iter()
            .map(|from| ScopeItem {
                text: format!("What {from} says."),
                from: vec![from.clone()],
            })
            .collect(),
        non_goals: vec![NonGoal {
            text: "No second user interface.".to_owned(),
            why: "Nobody asked for one.".to_owned(),
        }],
        criteria: agreed.iter().enumerate().map(criterion).collect(),
    }
}

pub(super) fn system_design(prompt: &str) -> SystemDesign {
    let agreed = agreed(prompt);
    SystemDesign {
        architecture: "One module behind one interface.".to_owned(),
        modules: vec![Module {
            id: "m1".to_owned(),
            same_as: same_as(prompt, "M", 0),
            name: "Core".to_owned(),
            purpose: "Does what was agreed.".to_owned(),
            covers: ids(prompt, "AC"),
        }],
        decisions: agreed
            .iter()
            .enumerate()
            .map(|(i, from)| DesignDecision {
                id: format!("d{}", i + 1),
                same_as: same_as(prompt, "DEC", i),
                title: format!("How {from} is built"),
                choice: "The plain way.".to_owned(),
                why: "It is the cheapest that works.".to_owned(),
                rejected: vec![Rejected {
                    option: "A framework".to_owned(),
                    why: "Too large for this.".to_owned(),
                }],
                from: vec![from.clone()],
            })
            .collect(),
        file_impacts: vec![FileImpact {
            symbols: Vec::new(),
            path: "src/core_of_the_plan.rs".to_owned(),
            change: Change::Create,
            to: None,
            what: "Holds the module.".to_owned(),
            modules: vec!["m1".to_owned()],
        }],
        diagram: Some(Diagram {
            kind: DiagramKind::Flow,
            arrows: vec![Arrow {
                source: "User".to_owned(),
                target: "Core".to_owned(),
                label: String::new(),
            }],
        }),
    }
}

pub(super) fn dev_plan(prompt: &str) -> DevPlan {
    let work = |(i, criterion): (usize, &String)| WorkItem {
        id: format!("w{}", i + 1),
        same_as: same_as(prompt, "W", i),
        title: format!("Build what {criterion} asks for"),
        detail: format!("Done when {criterion} holds."),
        size: Size::M,
        covers: vec![criterion.clone()],
        depends_on: (i > 0).then(|| format!("w{i}")).into_iter().collect(),
    };
    DevPlan {
        feasibility: "It can be done with what is there.".to_owned(),
        work: ids(prompt, "AC").iter().enumerate().map(work).collect(),
        technical_debt: vec![Debt {
            text: "No cache.".to_owned(),
            repayment: "When it is slow.".to_owned(),
        }],
        order: Vec::new(),
        critical_path: Vec::new(),
    }
}

pub(super) fn test_plan(prompt: &str) -> TestPlan {
    let case = |(i, criterion): (usize, &String)| TestCase {
        id: format!("t{}", i + 1),
        same_as: same_as(prompt, "T", i),
        title: format!("Shows that {criterion} holds"),
        level: TestLevel::EndToEnd,
        covers: vec![criterion.clone()],
        steps: "Do it as a user would.".to_owned(),
        expected: format!("What {criterion} says."),
    };
    TestPlan {
        strategy: "End to end first.".to_owned(),
        cases: ids(prompt, "AC").iter().enumerate().map(case).collect(),
        coverage_targets: vec![CoverageTarget {
            area: "core".to_owned(),
            target: "every criterion".to_owned(),
        }],
        data: vec!["A small sample".to_owned()],
        environments: vec!["Continuous integration".to_owned()],
    }
}

pub(super) fn risks(prompt: &str) -> RiskAssessment {
    let risk = |(i, criterion): (usize, &String)| Risk {
        id: format!("r{}", i + 1),
        same_as: same_as(prompt, "R", i),
        title: format!("{criterion} turns out harder than thought"),
        chance: Level::Low,
        impact: Level::Medium,
        mitigation: "Build it first.".to_owned(),
        early_sign: "The first work item takes longer.".to_owned(),
        affects: vec![criterion.clone()],
    };
    RiskAssessment {
        risks: ids(prompt, "AC").iter().enumerate().map(risk).collect(),
        dependencies: vec![ExternalDependency {
            name: "The compiler".to_owned(),
            if_missing: "Nothing is built.".to_owned(),
        }],
        assumptions: ids(prompt, "A")
            .into_iter()
            .map(|id| PlanAssumption {
                text: format!("What {id} assumes holds."),
                from: Some(id),
            })
            .collect(),
    }
}

pub(super) fn report(prompt: &str) -> ReportWords {
    ReportWords {
        title: "A small plan".to_owned(),
        in_short: "What was asked for is built in the plain way, step by step.".to_owned(),
        decide: vec![ToDecide {
            what: "Whether to begin".to_owned(),
            recommended: "Begin.".to_owned(),
            otherwise: "Nothing is built.".to_owned(),
            about: agreed(prompt).into_iter().take(1).collect(),
        }],
        plan: Some(one_text(&standing(prompt))),
    }
}

/// A plan as one text that cites these agreed items.
pub fn one_text(agreed: &[String]) -> PlanText {
    let rules = agreed
        .iter()
        .map(|id| format!("- It works as was agreed. [{id}]\n"));
    PlanText {
        behaviour: rules
            .chain(["- Nothing else is in scope.".to_owned()])
            .collect(),
        ground: "- One module holds it.".to_owned(),
        changes: "### `src/lib.rs`\n\nOne function, `plain`.".to_owned(),
        order: "1. Build it (S): its tests pass.".to_owned(),
        criteria:
            "| Given | When | Then |\n| --- | --- | --- |\n| an input | it runs | it is done |"
                .to_owned(),
        tests: "1. It is run, and what was asked for is there.".to_owned(),
        risks: "- It takes longer: the first step shows it.".to_owned(),
        corners: "- **Twice.** A second run finds it done.".to_owned(),
    }
}
