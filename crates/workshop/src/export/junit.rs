//! Test cases as JUnit XML, for test management tools and CI pages.

use std::fmt::Write as _;

use super::Exported;
use super::words::{EXPECTED, PLANNED};
use crate::artifact::{Plan, one_line};
use crate::clean::for_xml;
use crate::fault::Fault;
use crate::reply::{TestCase, TestLevel};

const LEVELS: [(TestLevel, &str); 4] = [
    (TestLevel::Unit, "unit"),
    (TestLevel::Integration, "integration"),
    (TestLevel::EndToEnd, "end_to_end"),
    (TestLevel::Manual, "manual"),
];

/// One suite per level of the test pyramid. Every case is skipped, because a plan runs nothing.
pub(super) fn export(plan: &Plan) -> Result<Exported, Fault> {
    let tests = plan.documents.test_plan.as_ref();
    let cases = &tests
        .ok_or_else(|| super::no_document("test_plan"))?
        .content
        .cases;
    let all = cases.len();
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(
        text,
        "<testsuites name=\"aitc v{}\" tests=\"{all}\" failures=\"0\" errors=\"0\" skipped=\"{all}\">",
        plan.version
    );
    for (level, name) in LEVELS {
        let held: Vec<&TestCase> = cases.iter().filter(|case| case.level == level).collect();
        if held.is_empty() {
            continue;
        }
        let n = held.len();
        let _ = writeln!(
            text,
            "  <testsuite name=\"{name}\" tests=\"{n}\" failures=\"0\" errors=\"0\" skipped=\"{n}\">"
        );
        for case in held {
            push(&mut text, case, name, plan);
        }
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    Ok(Exported { text, items: all })
}

fn push(text: &mut String, case: &TestCase, level: &str, plan: &Plan) {
    let name = for_xml(&format!("{} {}", case.id, one_line(&case.title)));
    let steps = format!(
        "{}\n{}: {}",
        case.steps.trim(),
        EXPECTED.of(plan.language),
        case.expected.trim()
    );
    let _ = writeln!(text, "    <testcase classname=\"{level}\" name=\"{name}\">");
    let _ = writeln!(
        text,
        "      <properties><property name=\"covers\" value=\"{}\"/></properties>",
        for_xml(&case.covers.join(" "))
    );
    let _ = writeln!(
        text,
        "      <skipped message=\"{}\"/>",
        PLANNED.of(plan.language)
    );
    let _ = writeln!(
        text,
        "      <system-out>{}</system-out>\n    </testcase>",
        for_xml(&steps)
    );
}
