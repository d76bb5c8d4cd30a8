//! The documents of these members, based on the agreed items.

use aitc::reply::DocumentKind;
use serde_json::{Value, json};

use super::super::super::meeting::one_text;
use super::super::turn::{Turn, ids};
use super::super::workshop::{text, written};
use super::{Room, fenced};

/// The text of a document.
pub fn document(turn: &Turn, prompt: &str, kind: DocumentKind) -> String {
    let room = Room::of(turn, prompt);
    match kind {
        DocumentKind::ProductPlan => written(prompt, &room.product_plan()),
        DocumentKind::SystemDesign => written(prompt, &room.system_design()),
        DocumentKind::DevPlan => written(prompt, &room.dev_plan()),
        DocumentKind::TestPlan => written(prompt, &room.test_plan()),
        DocumentKind::RiskAssessment => written(prompt, &room.risks()),
    }
}

/// The words that open the report.
pub fn report(turn: &Turn, prompt: &str) -> String {
    text(&Room::of(turn, prompt).report())
}

impl Room<'_> {
    /// The item of the previous version at the same position, if the prompt shows one.
    fn same_as(&self, prefix: &str, index: usize) -> Option<String> {
        let heads = ["which this one continues:", "本次的文档在它的基础上继续"];
        let at = heads
            .iter()
            .filter_map(|head| self.prompt.rfind(head))
            .max()?;
        let shown = self.prompt[at..].split("```").nth(1)?;
        ids(shown, prefix).into_iter().nth(index)
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

    fn product_plan(&self) -> Value {
        let scope = self.agreed.iter().cloned().chain(self.settled_by_people());
        let scope = scope.map(|(id, text)| json!({"text": text, "from": [id]}));
        let criterion = |(n, (id, text)): (usize, &(String, String))| {
            json!({
                "id": format!("ac{}", n + 1), "same_as": self.same_as("AC", n),
                "given": self.words("somebody who is signed in"),
                "when": self.say(format!("they use it ({id})"), format!("使用该功能（{id}）")),
                "then": text, "from": [id],
            })
        };
        let criteria = self.agreed.iter().enumerate().map(criterion);
        json!({
            "understanding": self.needs().join(&self.words("; ")),
            "scope": scope.collect::<Vec<_>>(),
            "non_goals": [{
                "text": self.words("No second user interface."),
                "why": self.words("Nobody asked for one."),
            }],
            "criteria": criteria.collect::<Vec<_>>(),
        })
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

    fn system_design(&self) -> Value {
        let decision = |(n, (id, text)): (usize, &(String, String))| {
            json!({
                "id": format!("d{}", n + 1), "same_as": self.same_as("DEC", n),
                "title": self.say(format!("How {id} is met"), format!("如何满足 {id}")),
                "choice": text, "why": self.words("It is the least that works."),
                "rejected": [{
                    "option": self.words("A service of its own"),
                    "why": self.words("One more thing to run."),
                }],
                "from": [id],
            })
        };
        let decisions = self.agreed.iter().enumerate().map(decision);
        let covers = self.criteria().into_iter().map(|(id, _)| id);
        json!({
            "architecture": self.words(
                "One module behind one interface; a step that fails leaves the data as it was.",
            ),
            "modules": [{
                "id": "m1", "same_as": self.same_as("M", 0), "name": self.words("Core"),
                "purpose": self.words("Does what was agreed."),
                "covers": covers.collect::<Vec<_>>(),
            }],
            "decisions": decisions.collect::<Vec<_>>(),
            "file_impacts": [{
                "path": "src/core_of_the_plan.rs", "change": "create", "to": null,
                "what": self.words("Holds the module."), "symbols": [], "modules": ["m1"],
            }],
            "diagram": {
                "kind": "flow",
                "arrows": [{"source": "User", "target": "Core", "label": ""}],
            },
        })
    }

    /// An entry for each criterion.
    fn of_criteria(&self, entry: impl Fn(usize, &str, &str) -> Value) -> Vec<Value> {
        let criteria = self.criteria().into_iter().enumerate();
        criteria
            .map(|(n, (id, says))| entry(n, &id, &says))
            .collect()
    }

    fn dev_plan(&self) -> Value {
        let work = self.of_criteria(|n, criterion, says| {
            json!({
                "id": format!("w{}", n + 1), "same_as": self.same_as("W", n),
                "title": self.say(format!("Build: {says}"), format!("实现：{says}")),
                "detail": self.say(
                    format!("Done when {criterion} holds."),
                    format!("{criterion} 成立即完成。"),
                ),
                "size": if n == 0 { "M" } else { "S" }, "covers": [criterion],
                "depends_on": (n > 0).then(|| format!("w{n}")).into_iter().collect::<Vec<_>>(),
            })
        });
        json!({
            "feasibility": self.words("It can be done with what is there."),
            "work": work,
            "technical_debt": [{
                "text": self.words("No cache."),
                "repayment": self.words("When a second is not kept."),
            }],
            "order": [], "critical_path": [],
        })
    }

    fn test_plan(&self) -> Value {
        let cases = self.of_criteria(|n, criterion, says| {
            json!({
                "id": format!("t{}", n + 1), "same_as": self.same_as("T", n),
                "title": self.say(format!("Shows: {says}"), format!("验证：{says}")),
                "level": "end_to_end", "covers": [criterion],
                "steps": self.words("Do it as a user would."),
                "expected": self.say(
                    format!("What {criterion} says."),
                    format!("符合 {criterion}。"),
                ),
            })
        });
        json!({
            "strategy": self.words("End to end first."),
            "cases": cases,
            "coverage_targets": [{
                "area": self.words("core"), "target": self.words("every criterion"),
            }],
            "data": [self.words("Ten thousand records")],
            "environments": [self.words("Continuous integration")],
        })
    }

    fn risks(&self) -> Value {
        let risks = self.of_criteria(|n, criterion, says| {
            json!({
                "id": format!("r{}", n + 1), "same_as": self.same_as("R", n),
                "title": self.say(
                    format!("Harder than thought: {says}"),
                    format!("比预想的难：{says}"),
                ),
                "chance": "low", "impact": "medium",
                "mitigation": self.words("Build it first."),
                "early_sign": self.words("The first item takes longer."),
                "affects": [criterion],
            })
        });
        let assumption = |id: String| {
            let text = self.say(
                format!("What {id} assumes holds."),
                format!("{id} 的假设成立。"),
            );
            json!({"text": text, "from": id})
        };
        let assumptions = ids(self.prompt, "A").into_iter().map(assumption);
        json!({
            "risks": risks,
            "dependencies": [{
                "name": self.words("The database"),
                "if_missing": self.words("Nothing is read or written."),
            }],
            "assumptions": assumptions.collect::<Vec<_>>(),
        })
    }

    fn report(&self) -> Value {
        let about: Vec<&String> = self.agreed.iter().map(|(id, _)| id).take(1).collect();
        let title = self.needs().into_iter().next();
        json!({
            "title": title.unwrap_or_else(|| self.words("A small plan")),
            "in_short": self.words("One module does what was asked for, step by step."),
            "decide": [{
                "what": self.words("Whether to begin"),
                "recommended": self.words("Begin."),
                "otherwise": self.words("Nothing is built."),
                "about": about,
            }],
            "plan": one_text(&standing(self.prompt)),
        })
    }
}

fn draft(prompt: &str) -> &str {
    let heads = ["# Consensus draft", "# 共识草案"];
    let at = heads.iter().filter_map(|head| prompt.rfind(head)).max();
    let draft = at.and_then(|at| prompt[at..].split("```").nth(1));
    draft.unwrap_or(prompt)
}

/// The ids of agreed items that were not withdrawn; ids outside the draft are examples or reasons.
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
