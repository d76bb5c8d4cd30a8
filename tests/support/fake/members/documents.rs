//! The documents of these members, based on the agreed items.

use aitc::reply::*;

use super::super::documents::{one_text, same_as, standing};
use super::super::turn::ids;
use super::{Room, fenced};

impl Room<'_> {
    /// The item of the previous version at the same position, if the prompt shows one.
    fn same_as(&self, prefix: &str, index: usize) -> Option<String> {
        same_as(self.prompt, prefix, index)
    }

    /// Criteria of the current plan, with the first part of their text.
    fn criteria(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for block in self.prompt.split("json\n{").skip(1) {
            let end = block.find("\n```").unwrap_or(block.len());
            let json = serde_json::from_str(&format!("{{{}", &block[..end]));
            let json: serde_json::Value = json.unwrap_or_default();
            if let Some(criteria) = json["criteria"].as_array() {
                let one = |it: &serde_json::Value| {
                    let then = it["then"].as_str()?;
                    let end = then.find([',', ';', ':', '，', '；', '：', '.', '。']);
                    let short = then[..end.unwrap_or(then.len())].to_owned();
                    Some((it["id"].as_str()?.to_owned(), short))
                };
                found = criteria.iter().filter_map(one).collect();
            }
        }
        found
    }

    pub(super) fn product_plan(&self) -> ProductPlan {
        let criterion = |(n, (id, text)): (usize, &(String, String))| Criterion {
            id: format!("ac{}", n + 1),
            same_as: self.same_as("AC", n),
            given: self.words("somebody who is signed in"),
            when: self.say(format!("they use it ({id})"), format!("使用该功能（{id}）")),
            then: text.clone(),
            from: vec![id.clone()],
        };
        let mut scope: Vec<ScopeItem> = self
            .agreed
            .iter()
            .map(|(id, text)| ScopeItem {
                text: text.clone(),
                from: vec![id.clone()],
            })
            .collect();
        scope.extend(
            self.settled_by_people()
                .into_iter()
                .map(|(id, text)| ScopeItem {
                    text,
                    from: vec![id],
                }),
        );
        ProductPlan {
            understanding: self.needs().join(self.words("; ").as_str()),
            scope,
            non_goals: vec![NonGoal {
                text: self.words("No second user interface."),
                why: self.words("Nobody asked for one."),
            }],
            criteria: self.agreed.iter().enumerate().map(criterion).collect(),
        }
    }

    /// Answers and assumptions in the draft.
    fn settled_by_people(&self) -> Vec<(String, String)> {
        let lines = fenced(self.prompt, "draft").unwrap_or_default().lines();
        let mut found: Vec<(String, String)> = Vec::new();
        for line in lines {
            let id = line.split([' ', '（']).next().unwrap_or_default();
            let marks = [
                "-> answer: ",
                "-> 答复：",
                "confirmed it: ",
                "没有人确认过：",
            ];
            let text = marks.iter().find_map(|mark| Some(line.split_once(mark)?.1));
            if let Some(text) = text {
                found.retain(|(one, _)| one != id);
                let text = self.say(
                    format!("As was answered: {text}"),
                    format!("按照答复：{text}"),
                );
                found.push((id.to_owned(), text));
            }
        }
        found
    }

    pub(super) fn system_design(&self) -> SystemDesign {
        let decision = |(n, (id, text)): (usize, &(String, String))| DesignDecision {
            id: format!("d{}", n + 1),
            same_as: self.same_as("DEC", n),
            title: self.say(format!("How {id} is met"), format!("如何满足 {id}")),
            choice: text.clone(),
            why: self.words("It is the least that works."),
            rejected: vec![Rejected {
                option: self.words("A service of its own"),
                why: self.words("One more thing to run."),
            }],
            from: vec![id.clone()],
        };
        SystemDesign {
            architecture: self.words(
                "One module behind one interface; a step that fails leaves the data as it was.",
            ),
            modules: vec![Module {
                id: "m1".to_owned(),
                same_as: self.same_as("M", 0),
                name: self.words("Core"),
                purpose: self.words("Does what was agreed."),
                covers: self.criteria().into_iter().map(|(id, _)| id).collect(),
            }],
            decisions: self.agreed.iter().enumerate().map(decision).collect(),
            file_impacts: vec![FileImpact {
                symbols: Vec::new(),
                path: "src/core_of_the_plan.rs".to_owned(),
                change: Change::Create,
                to: None,
                what: self.words("Holds the module."),
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

    pub(super) fn dev_plan(&self) -> DevPlan {
        let work = |(n, (criterion, says)): (usize, &(String, String))| WorkItem {
            id: format!("w{}", n + 1),
            same_as: self.same_as("W", n),
            title: self.say(format!("Build: {says}"), format!("实现：{says}")),
            detail: self.say(
                format!("Done when {criterion} holds."),
                format!("{criterion} 成立即完成。"),
            ),
            size: if n == 0 { Size::M } else { Size::S },
            covers: vec![criterion.clone()],
            depends_on: (n > 0).then(|| format!("w{n}")).into_iter().collect(),
        };
        DevPlan {
            feasibility: self.words("It can be done with what is there."),
            work: self.criteria().iter().enumerate().map(work).collect(),
            technical_debt: vec![Debt {
                text: self.words("No cache."),
                repayment: self.words("When a second is not kept."),
            }],
            order: Vec::new(),
            critical_path: Vec::new(),
        }
    }

    pub(super) fn test_plan(&self) -> TestPlan {
        let case = |(n, (criterion, says)): (usize, &(String, String))| TestCase {
            id: format!("t{}", n + 1),
            same_as: self.same_as("T", n),
            title: self.say(format!("Shows: {says}"), format!("验证：{says}")),
            level: TestLevel::EndToEnd,
            covers: vec![criterion.clone()],
            steps: self.words("Do it as a user would."),
            expected: self.say(
                format!("What {criterion} says."),
                format!("符合 {criterion}。"),
            ),
        };
        TestPlan {
            strategy: self.words("End to end first."),
            cases: self.criteria().iter().enumerate().map(case).collect(),
            coverage_targets: vec![CoverageTarget {
                area: self.words("core"),
                target: self.words("every criterion"),
            }],
            data: vec![self.words("Ten thousand records")],
            environments: vec![self.words("Continuous integration")],
        }
    }

    pub(super) fn risks(&self) -> RiskAssessment {
        let risk = |(n, (criterion, says)): (usize, &(String, String))| Risk {
            id: format!("r{}", n + 1),
            same_as: self.same_as("R", n),
            title: self.say(
                format!("Harder than thought: {says}"),
                format!("比预想的难：{says}"),
            ),
            chance: Level::Low,
            impact: Level::Medium,
            mitigation: self.words("Build it first."),
            early_sign: self.words("The first item takes longer."),
            affects: vec![criterion.clone()],
        };
        let assumption = |id: String| PlanAssumption {
            text: self.say(
                format!("What {id} assumes holds."),
                format!("{id} 的假设成立。"),
            ),
            from: Some(id),
        };
        RiskAssessment {
            risks: self.criteria().iter().enumerate().map(risk).collect(),
            dependencies: vec![ExternalDependency {
                name: self.words("The database"),
                if_missing: self.words("Nothing is read or written."),
            }],
            assumptions: ids(self.prompt, "A").into_iter().map(assumption).collect(),
        }
    }

    pub(super) fn report(&self) -> ReportWords {
        let agreed: Vec<String> = self.agreed.iter().map(|(id, _)| id.clone()).collect();
        let about = agreed.iter().take(1).cloned().collect();
        let title = self.needs().into_iter().next();
        ReportWords {
            title: title.unwrap_or_else(|| self.words("A small plan")),
            in_short: self.words("One module does what was asked for, step by step."),
            decide: vec![ToDecide {
                what: self.words("Whether to begin"),
                recommended: self.words("Begin."),
                otherwise: self.words("Nothing is built."),
                about,
            }],
            plan: Some(one_text(&standing(self.prompt))),
        }
    }
}
