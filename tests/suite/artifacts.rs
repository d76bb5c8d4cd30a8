//! Files of a version: the report, the plan, documents, speeches, questions.

use std::path::Path;

use aitc::artifact::{self, Answer, Artifact, WORD_BUDGET, count_words, read_questions};
use aitc::reply::{Document, DocumentKind};
use aitc::workshop::{Lang, QuestionId, State};
use serde_json::Value;

use crate::support::states;

fn text(files: &[Artifact], path: &str) -> String {
    let file = files.iter().find(|file| file.path == path);
    let file = file.unwrap_or_else(|| panic!("no `{path}`"));
    String::from_utf8(file.bytes.clone()).unwrap()
}

fn report(state: &State) -> String {
    text(&artifact::render(state).unwrap(), "planning_report.md")
}

#[test]
fn report_snapshots() {
    for lang in [Lang::En, Lang::Zh] {
        for (name, state) in [
            ("agreed", states::agreed(lang)),
            ("unresolved", states::unresolved(lang)),
            ("revised", states::revised(lang)),
        ] {
            insta::assert_snapshot!(format!("report_{name}_{}", lang.code()), report(&state));
        }
    }
}
