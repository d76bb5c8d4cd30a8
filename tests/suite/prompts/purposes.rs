//! Both languages have words for everything. What the prompt of each kind of call contains is played
//! in `tests/played/prompts.md`.

use super::*;
use aitc::machine::{Rule, StopReason};

#[test]
fn both_languages_have_words_for_every_purpose() {
    for lang in BOTH {
        let first = finished(lang);
        let again = Previous::of(&first.state, "head");
        let mut second = Run::new(
            inputs(lang),
            requirement(lang),
            Some(again),
            "Drop the log.\nAdd XLSX.",
        );
        second.all(&|state, call| {
            let mut said = three_rounds(state, call);
            if call.purpose == Purpose::Judgment {
                said.new_issues.clear();
            }
            said
        });
        let purposes: std::collections::BTreeSet<Purpose> = first
            .requests
            .iter()
            .map(|request| request.call.purpose)
            .collect();
        assert_eq!(purposes.len(), 11, "{purposes:?}");
        for request in first.requests.iter().chain(&second.requests) {
            let text = whole(request);
            assert!(
                !text.contains("undefined") && !text.contains("{{"),
                "{}",
                request.call
            );
            assert_eq!(request.messages[0].role, ChatRole::System);
            assert_eq!(request.seed, Some(7));
        }
        let judgment = whole(second.of(Purpose::Judgment, 0)[0]);
        holds(
            &judgment,
            &[
                "C-1",
                "F-1",
                "F-2",
                "Drop the log",
                "coach.withdraw",
                "`new_issues`",
            ],
        );
    }
}

/// Models understand a sentence better than a code, above all in another language.
#[test]
fn refusals_and_ends_are_told_in_words() {
    let refusals = codes(&schemars::schema_for!(Rule));
    let ends = codes(&schemars::schema_for!(StopReason));
    assert!(refusals.len() > 12 && ends.len() > 8);
    for (template, codes) in [("summary", refusals), ("closing", ends)] {
        for lang in ["en", "zh"] {
            let path = format!("templates/{lang}/prompt/{template}.j2");
            let source = std::fs::read_to_string(&path).unwrap();
            // Agreement has a separate sentence.
            for code in codes.iter().filter(|code| *code != "consensus") {
                assert!(
                    source.contains(&format!("\"{code}\": \"")),
                    "{path}: {code}"
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
