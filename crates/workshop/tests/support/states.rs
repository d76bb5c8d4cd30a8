//! States at the end of the meetings of `crates/workshop/tests/played/reports.md`, and the inputs of such runs.

use std::collections::BTreeMap;

use serde_json::json;
use workshop::machine::*;

use super::meeting::{self, Meeting};
use super::{played, project};

/// The meeting of a case of the page, which has each in both languages.
#[track_caller]
pub fn meeting(name: &str, lang: Lang) -> Meeting {
    match lang {
        Lang::En => played::case("reports", name),
        Lang::Zh => played::case("reports", &format!("{name}, in Chinese")),
    }
}

/// The state at its end.
#[track_caller]
pub fn of(name: &str, lang: Lang) -> State {
    meeting(name, lang).state
}

/// The project's own templates of one language, by key.
pub fn templates(lang: Lang) -> BTreeMap<String, String> {
    let root = project("templates").join(lang.code());
    let files = walkdir::WalkDir::new(&root).into_iter().map(Result::unwrap);
    let files = files.filter(|entry| entry.file_type().is_file());
    let texts = files.map(|entry| {
        let key = entry.path().strip_prefix(&root).unwrap();
        let text = std::fs::read_to_string(entry.path()).unwrap();
        (key.to_str().unwrap().to_owned(), text)
    });
    texts.collect()
}

/// Inputs with the project's own templates and `scripted/sample` as every member's model.
pub fn inputs(lang: Lang) -> Inputs {
    let mut inputs = meeting::inputs();
    inputs.tool = "0.1.0".to_owned();
    inputs.doc_lang = lang;
    inputs.templates = templates(lang).into();
    inputs.questions = QuestionMode::Pause;
    inputs.model.provider = "scripted".to_owned();
    inputs.model.model = "sample".to_owned();
    inputs
}

/// A ledger with these issues.
pub fn ledger(issues: impl IntoIterator<Item = IssueRecord>) -> IssueLedger {
    let issues: BTreeMap<String, IssueRecord> = issues
        .into_iter()
        .map(|issue| (issue.id.to_string(), issue))
        .collect();
    serde_json::from_value(json!({ "issues": issues })).unwrap()
}
