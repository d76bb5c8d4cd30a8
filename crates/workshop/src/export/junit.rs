//! JUnit XML, for test management tools and CI pages.

use std::fmt::Write as _;

use super::Exported;
use super::words::{EXPECTED, PLANNED};
use crate::artifact::{Plan, one_line};
use crate::clean::for_xml;
use crate::fault::Fault;
use crate::lang::Lang;
use crate::reply::{TestCase, TestLevel};

const LEVELS: [(TestLevel, &str); 4] = [
    (TestLevel::Unit, "unit"),
    (TestLevel::Integration, "integration"),
    (TestLevel::EndToEnd, "end_to_end"),
    (TestLevel::Manual, "manual"),
];

/// A test case of a report.
#[derive(Default)]
pub(crate) struct JunitCase {
    /// What it is about.
    pub about: String,
    /// Why it failed.
    pub failed: Option<&'static str>,
    /// Why it was not run.
    pub skipped: Option<&'static str>,
    /// The criteria that it covers.
    pub covers: Option<String>,
    /// Its output.
    pub output: Option<String>,
}

/// One suite per level of the test pyramid. Every case is skipped, because a plan runs nothing.
pub(super) fn export(plan: &Plan) -> Result<Exported, Fault> {
    let tests = plan.documents.test_plan.as_ref();
    let cases = &tests
        .ok_or_else(|| super::no_document("test_plan"))?
        .content
        .cases;
    let suites = LEVELS.map(|(level, name)| {
        let held = cases.iter().filter(|case| case.level == level);
        (
            name,
            held.map(|case| planned(case, plan.language)).collect(),
        )
    });
    Ok(Exported {
        text: written(&format!("aitc v{}", plan.version), &suites),
        items: cases.len(),
    })
}

fn planned(case: &TestCase, lang: Lang) -> JunitCase {
    let (steps, expected) = (case.steps.trim(), case.expected.trim());
    JunitCase {
        about: format!("{} {}", case.id, one_line(&case.title)),
        skipped: Some(PLANNED.of(lang)),
        covers: Some(case.covers.join(" ")),
        output: Some(format!("{steps}\n{}: {expected}", EXPECTED.of(lang))),
        ..JunitCase::default()
    }
}

/// A report as XML. A suite without cases is left out.
pub(crate) fn written(title: &str, suites: &[(&str, Vec<JunitCase>)]) -> String {
    let all = suites.iter().flat_map(|(_, cases)| cases);
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(text, "<testsuites name=\"{title}\" {}>", count(all));
    for (name, cases) in suites.iter().filter(|(_, cases)| !cases.is_empty()) {
        let _ = writeln!(text, "  <testsuite name=\"{name}\" {}>", count(cases));
        for case in cases {
            push(&mut text, name, case);
        }
        text.push_str("  </testsuite>\n");
    }
    text + "</testsuites>\n"
}

fn count<'c>(cases: impl IntoIterator<Item = &'c JunitCase>) -> String {
    let (mut all, mut failed, mut skipped) = (0, 0, 0);
    for case in cases {
        all += 1;
        failed += u32::from(case.failed.is_some());
        skipped += u32::from(case.skipped.is_some());
    }
    format!("tests=\"{all}\" failures=\"{failed}\" errors=\"0\" skipped=\"{skipped}\"")
}

fn push(text: &mut String, suite: &str, case: &JunitCase) {
    let about = for_xml(&case.about);
    let _ = write!(
        text,
        "    <testcase classname=\"{suite}\" name=\"{about}\">"
    );
    if let Some(covers) = &case.covers {
        let covers = for_xml(covers);
        let property = format!("<property name=\"covers\" value=\"{covers}\"/>");
        let _ = write!(text, "<properties>{property}</properties>");
    }
    for (what, why) in [("failure", case.failed), ("skipped", case.skipped)] {
        if let Some(why) = why {
            let _ = write!(text, "<{what} message=\"{why}\"/>");
        }
    }
    if let Some(output) = &case.output {
        let _ = write!(text, "<system-out>{}</system-out>", for_xml(output));
    }
    text.push_str("</testcase>\n");
}
