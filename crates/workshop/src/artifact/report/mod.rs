//! `planning_report.md`, or a board's minutes: a version for a reviewer with ten minutes.
//!
//! The view is computed here, the words are the template's. The report keeps
//! to [`WORD_BUDGET`]: while it is longer, the longest tables and texts are
//! cut, each with a pointer to the file that holds the rest.

mod beside;
mod changes;
mod closing;
mod documents;
mod view;

pub(super) use closing::StopView;

use serde::Serialize;
use serde_json::{Value, json};

use super::page::Pages;
use super::plan::Plan;
use super::{Artifact, ArtifactError, markup};
use crate::machine::{FeedbackItem, Format, State};

/// Words the report holds at most, as [`count_words`](super::count_words) counts them.
pub const WORD_BUDGET: usize = 3000;

/// Words the report of small work holds at most: a page.
pub const LIGHT_WORD_BUDGET: usize = 900;

/// What the two report templates share.
pub(super) const PARTS: &str = "report/parts.j2";

/// The template of `feedback.md`.
pub(super) const FEEDBACK_PAGE: &str = "report/feedback.j2";

/// Rows a table and characters a text may have, from generous to bare; the
/// first that keeps the report within its budget is taken. The last leaves
/// headings, counts and pointers.
const CUTS: [(usize, usize); 16] = [
    (usize::MAX, usize::MAX),
    (60, 1200),
    (45, 900),
    (35, 700),
    (28, 600),
    (22, 500),
    (16, 450),
    (12, 400),
    (10, 350),
    (8, 300),
    (6, 240),
    (5, 180),
    (4, 120),
    (2, 50),
    (1, 30),
    (0, 24),
];

/// What is never cut: a reader in a hurry reads nothing else.
const WHOLE: [&str; 3] = ["title", "asked", "in_short"];

/// The template of the report: one page for small work, minutes for a board or a party,
/// a page of its own for a team.
pub(super) fn page(format: Format, light: bool) -> &'static str {
    match (format, light) {
        (Format::Board | Format::Party, _) => "report/minutes.j2",
        (Format::Team, _) => "report/team.j2",
        (Format::Workshop, true) => "report/light.j2",
        (Format::Workshop, false) => "report/report.j2",
    }
}

/// The report within its budget.
pub(super) fn render(state: &State, plan: &Plan, pages: &Pages) -> Result<Artifact, ArtifactError> {
    let path = plan.format.report().to_owned();
    let whole =
        serde_json::to_value(view::report(state, plan)?).map_err(|e| ArtifactError::Json {
            path: path.clone(),
            what: e.to_string(),
        })?;
    let budget = if plan.light {
        LIGHT_WORD_BUDGET
    } else {
        WORD_BUDGET
    };
    let fits = |text: &str| markup::count_words(text) <= budget;
    let cut = |(rows, chars)| {
        let mut view = whole.clone();
        squeeze(&mut view, rows, chars);
        for key in WHOLE {
            view[key] = whole[key].clone();
        }
        pages.render(page(plan.format, plan.light), &json!({ "r": view }))
    };
    let mut text = cut(CUTS[0])?;
    // The mildest cut that fits, by bisection; the barest always does.
    let (mut mild, mut bare) = (1, CUTS.len() - 1);
    let is_long = !fits(&text);
    while is_long && mild < bare {
        let middle = (mild + bare) / 2;
        if fits(&cut(CUTS[middle])?) {
            bare = middle;
        } else {
            mild = middle + 1;
        }
    }
    if is_long {
        text = cut(CUTS[bare])?;
    }
    Ok(super::text(path, text))
}

/// A table that may be cut: `cut` says how many rows are left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Rows<T> {
    /// Rows shown.
    pub rows: Vec<T>,
    /// Rows left out.
    pub cut: usize,
}

impl<T> FromIterator<T> for Rows<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self {
            rows: items.into_iter().collect(),
            cut: 0,
        }
    }
}

/// A table that is never cut: of a fixed, small number of rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct Whole<T> {
    /// Its rows.
    pub rows: Vec<T>,
    /// Tells it from a table that may be cut.
    whole: bool,
}

impl<T> FromIterator<T> for Whole<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self {
            rows: items.into_iter().collect(),
            whole: true,
        }
    }
}

/// Cuts every table that may be cut to `rows` rows and every text to `chars` characters; a
/// diagram is shown whole or not at all.
fn squeeze(value: &mut Value, rows: usize, chars: usize) {
    match value {
        Value::String(text) if text.len() > chars => *text = markup::clip(text, chars),
        Value::Array(items) => items.iter_mut().for_each(|v| squeeze(v, rows, chars)),
        Value::Object(map) => {
            let mut cut = None;
            let is_whole = map.get("whole") == Some(&Value::Bool(true));
            if let Some(Value::Array(items)) = map.get_mut("rows")
                && items.len() > rows
                && !is_whole
            {
                cut = Some(items.len() - rows);
                items.truncate(rows);
            }
            if let Some(cut) = cut {
                map.insert("cut".to_owned(), cut.into());
            }
            for (key, value) in map.iter_mut() {
                if key != "diagram" {
                    squeeze(value, rows, chars);
                } else if value
                    .as_str()
                    .is_some_and(|d| d.len() > chars.saturating_mul(8))
                {
                    *value = Value::Null;
                }
            }
        }
        _ => {}
    }
}

/// `feedback.md`: the feedback word for word, with ids.
pub(super) fn feedback(state: &State, pages: &Pages) -> Result<Artifact, ArtifactError> {
    #[derive(Serialize)]
    struct View<'a> {
        version: u32,
        feedback: &'a [FeedbackItem],
    }
    let view = View {
        version: state.inputs.version,
        feedback: &state.feedback,
    };
    let text = pages.render(FEEDBACK_PAGE, &view)?;
    Ok(super::text("feedback.md", text))
}

/// Ids in one cell, separated by commas.
fn join<T: ToString>(ids: impl IntoIterator<Item = T>) -> String {
    let ids: Vec<String> = ids.into_iter().map(|id| id.to_string()).collect();
    ids.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_cut_and_says_so_or_is_whole() {
        let table: Rows<u8> = (0..6).collect();
        let whole: Whole<u8> = (0..6).collect();
        let mut page = serde_json::json!({ "table": table, "whole": whole });
        squeeze(&mut page, 2, 100);
        assert_eq!(
            page["table"],
            serde_json::json!({ "rows": [0, 1], "cut": 4 })
        );
        assert_eq!(page["whole"]["rows"].as_array().map(Vec::len), Some(6));
    }
}
