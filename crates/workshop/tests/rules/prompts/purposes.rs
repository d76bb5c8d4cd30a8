//! Both languages have words for everything, and a prompt depends on nothing but its state.

use super::*;
use workshop::machine::{LedgerRule, StopReason};

/// A resumed run sends the same bytes, and prompts of concurrent calls do not depend on which one
/// is answered first.
#[test]
fn both_languages_have_words_for_every_purpose() {
    for lang in BOTH {
        let files = format!("files {}", lang.code());
        let first = three_rounds(lang, &["set first_round = blind"]);
        let again = [
            "revise Drop the log.\\nAdd XLSX.",
            &files,
            "set model.seed = 7",
        ];
        let mut purposes = std::collections::BTreeSet::new();
        for meeting in [&first, &three_rounds(lang, &again)] {
            let mut beside: Vec<ChatRequest> = Vec::new();
            for (state, _) in moments::moments(meeting) {
                let prompter = Prompter::new(&state.inputs).unwrap();
                let due = calls_due(&state).into_iter();
                for request in due.map(|call| prompter.request(&state, &call).unwrap()) {
                    let text = whole(&request);
                    let call = &request.call;
                    assert!(
                        !text.contains("undefined") && !text.contains("{{"),
                        "{call}"
                    );
                    assert_eq!(request.messages[0].role, ChatRole::System);
                    assert_eq!(request.seed, Some(7));
                    purposes.insert(call.purpose);
                    match beside.iter().find(|one| one.call == *call) {
                        Some(before) => assert_eq!(before, &request),
                        None => beside.push(request),
                    }
                }
            }
        }
        assert_eq!(purposes.len(), 11, "{purposes:?}");
    }
}

/// Models understand a sentence better than a code, above all in another language.
#[test]
fn refusals_and_ends_are_told_in_words() {
    let refusals = codes(&schemars::schema_for!(LedgerRule));
    let ends = codes(&schemars::schema_for!(StopReason));
    assert!(refusals.len() > 12 && ends.len() > 8);
    for (template, codes) in [("summary", refusals), ("closing", ends)] {
        for lang in ["en", "zh"] {
            let path = project(&format!("templates/{lang}/prompt/{template}.j2"));
            let source = std::fs::read_to_string(&path).unwrap();
            // Agreement has a separate sentence.
            for code in codes.iter().filter(|code| *code != "consensus") {
                assert!(
                    source.contains(&format!("\"{code}\": \"")),
                    "{}: {code}",
                    path.display()
                );
            }
        }
    }
}

/// All values of an enum's schema.
fn codes(schema: &schemars::Schema) -> Vec<String> {
    let values = schema.get("oneOf").and_then(|all| all.as_array()).unwrap();
    let values = values.iter().filter_map(|one| one["const"].as_str());
    values.map(str::to_owned).collect()
}
