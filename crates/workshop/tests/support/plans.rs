//! The good plan of `crates/workshop/tests/played/traces.md`, and parts of documents.

use std::sync::LazyLock;

use workshop::machine::*;
use workshop::reply::*;

use super::played::{self, moments};

/// Strings from literals.
pub fn list(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// Records a reply as the machine does.
pub fn record(state: &mut State, reply: Document) {
    let (content, _) = normalize_document(state, reply);
    check_document(state, &content).unwrap();
    advance_counters(&mut state.run.counters, &content);
    let kind = content.kind();
    let record = DocumentRecord {
        evidence: Vec::new(),
        content,
        without_model: false,
        carried: None,
        accounts: Vec::new(),
        notes: Vec::new(),
    };
    state.documents.written.insert(kind, record);
}

/// A test case in the form of a reply.
pub fn case(key: &str, covers: &[&str]) -> TestCase {
    TestCase {
        id: key.to_owned(),
        same_as: None,
        title: format!("Case {key}"),
        level: TestLevel::Integration,
        covers: list(covers),
        steps: "export ten orders".to_owned(),
        expected: "eleven lines".to_owned(),
    }
}

/// A plan that breaks no rule.
pub fn good() -> State {
    static STATE: LazyLock<State> = LazyLock::new(|| played::case("traces", "the good plan").state);
    STATE.clone()
}

/// The good plan after its discussion, before any document.
pub fn discussed() -> State {
    static STATE: LazyLock<State> = LazyLock::new(|| before_documents("the good plan"));
    STATE.clone()
}

/// The good plan with feedback: F-1 became I-3, which was settled as C-3; without documents.
pub fn revised() -> State {
    static STATE: LazyLock<State> = LazyLock::new(|| before_documents("feedback on it"));
    STATE.clone()
}

fn before_documents(case: &str) -> State {
    let meeting = played::case("traces", case);
    moments::at(&meeting, "call_started product_plan").state
}
