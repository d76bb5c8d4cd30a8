//! The data that every list of tasks is made from.

use unicode_segmentation::UnicodeSegmentation as _;

use super::tasks::criterion;
use crate::artifact::{Plan, PlanStatus, one_line};
use crate::fault::Fault;
use crate::machine::{Lang, shown};
use crate::reply::{Criterion, Size, TestCase, WorkItem};

/// The work of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct ExportPlan {
    /// Title of the plan, one line.
    pub title: String,
    /// The plan in a few sentences.
    pub summary: String,
    /// Language of the plan.
    pub lang: Lang,
    /// `vN`.
    pub version: String,
    /// Whether the members agreed on the plan.
    pub agreed: bool,
    /// Work items; each comes after those it depends on.
    pub items: Vec<ExportItem>,
}

/// One work item with the criteria it serves and their tests.
#[derive(Debug, Clone, PartialEq)]
pub struct ExportItem {
    /// Work item of the development plan.
    pub work: WorkItem,
    /// The criteria that it serves.
    pub criteria: Vec<Criterion>,
    /// Tests of those criteria.
    pub tests: Vec<TestCase>,
    /// Whether it is on the longest dependency chain.
    pub critical: bool,
}

impl ExportPlan {
    /// Collects the work of a plan.
    ///
    /// # Errors
    /// The plan has no `dev_plan`, because no role wrote one.
    pub fn of(plan: &Plan) -> Result<Self, Fault> {
        let documents = &plan.documents;
        let dev = documents
            .dev_plan
            .as_ref()
            .ok_or_else(|| super::no_document("dev_plan"))?;
        let product = documents.product_plan.as_ref();
        let tests = documents.test_plan.as_ref();
        let criteria = product.map_or(&[][..], |one| &one.content.criteria);
        let cases = tests.map_or(&[][..], |one| &one.content.cases);
        let items = documents
            .work_in_order()
            .into_iter()
            .map(|work| ExportItem {
                criteria: criteria
                    .iter()
                    .filter(|one| work.covers.contains(&one.id))
                    .cloned()
                    .collect(),
                tests: cases
                    .iter()
                    .filter(|case| case.covers.iter().any(|id| work.covers.contains(id)))
                    .cloned()
                    .collect(),
                critical: dev.content.critical_path.contains(&work.id),
                work: work.clone(),
            });
        let words = plan.report.as_ref();
        let subject = shown(&plan.requirement);
        let first = subject.lines().next().unwrap_or_default();
        Ok(Self {
            title: words.map_or(first, |words| &words.title).trim().to_owned(),
            summary: words.map_or_else(String::new, |words| words.in_short.trim().to_owned()),
            lang: plan.language,
            version: format!("v{}", plan.version),
            agreed: plan.status == PlanStatus::Agreed,
            items: items.collect(),
        })
    }

    /// The number of an item, from 1, taken from its id (`W-3` is 3).
    pub(super) fn number(id: &str) -> Option<u64> {
        id.rsplit('-').next()?.parse().ok()
    }
}

impl ExportItem {
    /// `W-3 Title`, on one line.
    pub(super) fn heading(&self) -> String {
        format!("{} {}", self.work.id, one_line(&self.work.title))
    }

    /// `AC-1: given …` for each criterion it serves.
    pub(super) fn served(&self, lang: Lang) -> Vec<String> {
        let criteria = self.criteria.iter();
        criteria.map(|one| criterion(one, lang)).collect()
    }

    /// `T-1 Title` for each of its tests.
    pub(super) fn proofs(&self) -> Vec<String> {
        let tests = self.tests.iter();
        tests
            .map(|one| format!("{} {}", one.id, one_line(&one.title)))
            .collect()
    }

    /// `S`, `M`, `L` or `XL`.
    pub(super) fn size(&self) -> &'static str {
        match self.work.size {
            Size::S => "S",
            Size::M => "M",
            Size::L => "L",
            Size::XL => "XL",
        }
    }
}

/// Shortens a title to `limit` UTF-16 code units, which is how trackers count. Returns the full
/// title too if it was shortened.
pub(super) fn title(text: &str, limit: usize) -> (String, Option<String>) {
    let length = |text: &str| text.encode_utf16().count();
    if length(text) <= limit {
        return (text.to_owned(), None);
    }
    let mut room = limit.saturating_sub(1);
    let mut head = String::new();
    for part in text.graphemes(true) {
        let Some(left) = room.checked_sub(length(part)) else {
            break;
        };
        room = left;
        head.push_str(part);
    }
    // A truncated code span is not a code span: cut before its opening backtick.
    if head.matches('`').count() % 2 == 1 {
        head.truncate(head.rfind('`').unwrap_or(0));
    }
    (format!("{}…", head.trim_end()), Some(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::title;

    #[test]
    fn a_title_is_as_long_as_a_tracker_takes_it() {
        for (text, limit, cut) in [
            ("short", 5, None),
            ("shorter", 5, Some("shor…")),
            ("on two", 5, Some("on t…")),
            ("ab cd", 4, Some("ab…")),
            ("\u{1f600}\u{1f600}", 4, None),
            ("\u{1f600}\u{1f600}x", 4, Some("\u{1f600}…")),
            ("导出客户列表", 4, Some("导出客…")),
            ("add `@types/node` now", 12, Some("add…")),
        ] {
            let whole = cut.map(|_| text.to_owned());
            assert_eq!(title(text, limit), (cut.unwrap_or(text).to_owned(), whole));
        }
    }
}
