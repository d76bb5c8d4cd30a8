//! Work items as a Markdown check list.

use super::inert::unreferenced;
use super::words::{AFTER, GIVEN, PLAN, TESTS, THEN, UNRESOLVED, WHEN};
use super::work::{ExportItem, ExportPlan};
use crate::artifact::one_line;
use crate::machine::Lang;
use crate::reply::Criterion;

/// The list, in the order in which the work is done.
pub(super) fn markdown(work: &ExportPlan) -> String {
    let plan = PLAN.of(work.lang);
    let mut text = format!("# {plan} {}: {}\n", work.version, unreferenced(&work.title));
    if !work.agreed {
        text.push_str(&format!("\n> **{}**\n", UNRESOLVED.of(work.lang)));
    }
    for item in &work.items {
        text.push_str(&task(item, work.lang));
    }
    text
}

fn task(item: &ExportItem, lang: Lang) -> String {
    let (id, title) = (&item.work.id, unreferenced(&item.work.title));
    let mut text = format!("\n- [ ] **{id}** {title} ({})\n", item.size());
    let mut line = |part: String| text.push_str(&format!("  {part}\n"));
    line(unreferenced(&item.work.detail));
    if !item.work.depends_on.is_empty() {
        let first = item.work.depends_on.join(", ");
        line(format!("- {}: {first}", AFTER.of(lang)));
    }
    for one in item.served(lang) {
        line(format!("- {}", unreferenced(&one)));
    }
    if !item.tests.is_empty() {
        let tests: Vec<&str> = item.tests.iter().map(|one| one.id.as_str()).collect();
        line(format!("- {}: {}", TESTS.of(lang), tests.join(", ")));
    }
    text
}

/// `AC-1: given … when … then …` on one line.
pub(super) fn criterion(one: &Criterion, lang: Lang) -> String {
    let part = |word: &str, text: &str| format!("{word} {}", one_line(text));
    format!(
        "{}: {}; {}; {}",
        one.id,
        part(GIVEN.of(lang), &one.given),
        part(WHEN.of(lang), &one.when),
        part(THEN.of(lang), &one.then),
    )
}
