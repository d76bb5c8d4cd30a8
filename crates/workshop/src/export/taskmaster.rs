//! `tasks.json` of Task Master: lists grouped by tag, with numeric ids.

use serde_json::{Value, json};

use super::words::{EXPECTED, UNRESOLVED};
use super::work::{ExportItem, ExportPlan};
use crate::artifact::one_line;
use crate::fault::Fault;

/// The list under the default tag `master`.
pub(super) fn json(work: &ExportPlan) -> Result<String, Fault> {
    let tasks: Vec<Value> = work.items.iter().map(|item| task(item, work)).collect();
    let about = format!("{} {}", work.version, one_line(&work.title));
    let list = json!({"master": {"tasks": tasks, "metadata": {"description": about}}});
    serde_json::to_string_pretty(&list)
        .map(|text| text + "\n")
        .map_err(|error| super::no_json(&error))
}

fn task(item: &ExportItem, work: &ExportPlan) -> Value {
    let mut details: Vec<String> = vec![item.work.detail.trim().to_owned()];
    if !work.agreed {
        details.insert(0, UNRESOLVED.of(work.lang).to_owned());
    }
    let criteria = item.served(work.lang).into_iter();
    details.extend(criteria.map(|line| format!("- {line}")));
    let strategy = item.tests.iter().map(|test| {
        let [title, steps, seen] = [&test.title, &test.steps, &test.expected].map(|s| one_line(s));
        let expected = EXPECTED.of(work.lang);
        format!("{} {title}: {steps}; {expected}: {seen}", test.id)
    });
    let first = item.work.depends_on.iter();
    let first = first.filter_map(|id| ExportPlan::number(id));
    json!({
        "id": ExportPlan::number(&item.work.id),
        "title": item.heading(),
        "description": one_line(&item.work.title),
        "status": "pending",
        "dependencies": first.collect::<Vec<_>>(),
        "priority": if item.critical { "high" } else { "medium" },
        "details": details.join("\n"),
        "testStrategy": strategy.collect::<Vec<_>>().join("\n"),
        "subtasks": [],
    })
}
