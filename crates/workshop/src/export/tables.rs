//! Tables for spreadsheets, for Jira's importer and for Linear's.

use super::csv;
use super::inert::unlinked;
use super::words::{AFTER, CRITERIA, SIZE, TESTS, UNRESOLVED};
use super::work::{self, ExportItem, ExportPlan};
use crate::artifact::one_line;
use crate::reply::Size;

/// Longest summary that Jira accepts, and longest title that Linear accepts.
const TITLE: usize = 255;

/// Splits column names at commas.
fn head(columns: &str) -> Vec<String> {
    columns.split(',').map(str::to_owned).collect()
}

/// One row per work item, with all its data.
pub(super) fn plain(work: &ExportPlan) -> String {
    let columns = "id,title,detail,size,critical,depends_on,covers,criteria,tests";
    let mut rows = vec![head(columns)];
    for item in &work.items {
        rows.push(vec![
            item.work.id.clone(),
            one_line(&item.work.title),
            item.work.detail.clone(),
            item.size().to_owned(),
            if item.critical { "yes" } else { "no" }.to_owned(),
            item.work.depends_on.join(" "),
            item.work.covers.join(" "),
            item.served(work.lang).join("\n"),
            item.proofs().join("\n"),
        ]);
    }
    csv::rows(&rows)
}

/// For Jira: an epic for the plan and a task for each work item. Ids link the rows within the file.
/// The column `Inward issue link (Blocks)` occurs once for each prerequisite, because the importer
/// expects several values as several columns.
pub(super) fn jira(work: &ExportPlan) -> String {
    let most = work.items.iter().map(|item| item.work.depends_on.len());
    let links = most.max().unwrap_or(0);
    let columns = "Issue ID,Parent ID,Issue Type,Summary,Description,Priority,Labels,Labels";
    let blocks = ",Inward issue link (Blocks)".repeat(links);
    let (title, whole) = work::title(&unlinked(&one_line(&work.title)), TITLE);
    let intro = intro(whole, work);
    let epic = ["1", "", "Epic", &title, &intro, "Medium", "aitc", ""];
    let mut epic = epic.map(str::to_owned).to_vec();
    epic.resize(8 + links, String::new());
    let mut rows = vec![head(&format!("{columns}{blocks}")), epic];
    for item in &work.items {
        let (title, whole) = work::title(&unlinked(&item.heading()), TITLE);
        let mut row = vec![
            row_number(&item.work.id),
            "1".to_owned(),
            "Task".to_owned(),
            title,
            body(item, whole, work),
            priority(item).to_owned(),
            "aitc".to_owned(),
            format!("size-{}", item.size()),
        ];
        let first = item.work.depends_on.iter().map(|id| row_number(id));
        row.extend(first);
        row.resize(8 + links, String::new());
        rows.push(row);
    }
    csv::rows(&rows)
}

/// For Linear: the columns that its importer reads. Sizes use its T-shirt scale (S 2, M 3, L 5, XL
/// 8).
pub(super) fn linear(work: &ExportPlan) -> String {
    let columns = "Title,Description,Priority,Status,Assignee,Created,Completed,Labels,Estimate";
    let mut rows = vec![head(columns)];
    for item in &work.items {
        let estimate = match item.work.size {
            Size::S => "2",
            Size::M => "3",
            Size::L => "5",
            Size::XL => "8",
        };
        let (title, whole) = work::title(&unlinked(&item.heading()), TITLE);
        rows.push(vec![
            title,
            body(item, whole, work),
            priority(item).to_owned(),
            "Backlog".to_owned(),
            String::new(),
            String::new(),
            String::new(),
            "aitc".to_owned(),
            estimate.to_owned(),
        ]);
    }
    csv::rows(&rows)
}

/// The row of an item; row 1 is the epic.
fn row_number(id: &str) -> String {
    ExportPlan::number(id).map_or_else(String::new, |n| (n + 1).to_string())
}

fn priority(item: &ExportItem) -> &'static str {
    if item.critical { "High" } else { "Medium" }
}

fn intro(whole_title: Option<String>, work: &ExportPlan) -> String {
    let title = whole_title.map_or_else(String::new, |title| format!("{title}\n\n"));
    let mut text = format!("{title}{} {}", work.version, work.summary);
    if !work.agreed {
        text = format!("{}\n\n{text}", UNRESOLVED.of(work.lang));
    }
    unlinked(text.trim())
}

/// A description in plain text, because these importers share no markup.
fn body(item: &ExportItem, whole_title: Option<String>, work: &ExportPlan) -> String {
    let lang = work.lang;
    let mut parts: Vec<String> = whole_title.into_iter().collect();
    parts.push(item.work.detail.trim().to_owned());
    if !work.agreed {
        parts.insert(0, UNRESOLVED.of(lang).to_owned());
    }
    let mut list = |title: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            let lines: Vec<_> = lines.into_iter().map(|line| format!("* {line}")).collect();
            parts.push(format!("{title}:\n{}", lines.join("\n")));
        }
    };
    list(CRITERIA.of(lang), item.served(lang));
    list(TESTS.of(lang), item.proofs());
    if !item.work.depends_on.is_empty() {
        let first = item.work.depends_on.join(", ");
        parts.push(format!("{}: {first}", AFTER.of(lang)));
    }
    parts.push(format!("{}: {}", SIZE.of(lang), item.size()));
    unlinked(&parts.join("\n\n"))
}
