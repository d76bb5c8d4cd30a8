//! Rules about files, words and secrets. What breaks the others is on `tests/played/checks.md`.

use serde_json::json;
use workshop::check::{
    CheckContext, CheckFinding, CheckSeverity, DamagedFile, Rule, check, fails, words,
};
use workshop::fault::Text;
use workshop::machine::*;
use workshop::reply::*;

use crate::support::checked::{broken, check_with, lines, tree};
use crate::support::plans::*;
use crate::support::project;

const AWS: &str = concat!("AKIA", "Z7Q4M2N8P5R3T6W9");

/// What breaks a rule is on the page `tests/played/checks.md`, or in a test below.
#[test]
fn every_rule_is_seen_to_find_something() {
    let page = std::fs::read_to_string(project("crates/workshop/tests/played/checks.md")).unwrap();
    let below = [
        Rule::ReportTooLong,
        Rule::FileDamaged,
        Rule::SchemaMismatch,
        Rule::SecretFound,
        Rule::Unresolved,
    ];
    for rule in Rule::ALL.iter().filter(|rule| !below.contains(rule)) {
        let found =
            [CheckSeverity::Error, CheckSeverity::Warning].map(|it| format!("{it:?} {rule} "));
        assert!(
            found.iter().any(|it| page.contains(it)),
            "{rule} has no case"
        );
    }
}

#[test]
fn a_good_plan_has_no_findings() {
    assert_eq!(lines(&check_with(&good(), Some("# Plan\n"), true)), [""; 0]);
}

#[test]
fn the_report_has_a_budget_of_words() {
    let report = "word ".repeat(3000);
    assert_eq!(lines(&check_with(&good(), Some(&report), false)), [""; 0]);
    let report = report + "字字";
    let found = lines(&check_with(&good(), Some(&report), false));
    assert_eq!(found, ["Warning report-too-long planning_report.md"]);
}

#[test]
fn words_are_counted_in_any_language() {
    for (text, count) in [
        ("", 0),
        ("two words", 2),
        ("- don't | AC-1 | — |", 2),
        ("导出订单 as CSV", 4),
        ("登录后AC-1", 2),
        ("```mermaid\nA --> B\n```\nafter", 1),
    ] {
        assert_eq!(words(text), count, "{text:?}");
    }
}

#[test]
fn work_without_a_criterion_passes_a_strict_check() {
    let item = json!({"id": "W-3", "same_as": null, "title": "Tell it", "detail": "in the guide",
        "size": "S", "covers": [], "depends_on": []});
    let state = broken(&good(), &format!("dev_plan add /work {item}"));
    let found = check_with(&state, None, true);
    assert_eq!(lines(&found), ["Warning work-without-criterion W-3"]);
    assert!(!fails(&found, true));
}

#[test]
fn unresolved_is_an_error_only_with_strict() {
    let mut state = good();
    state.ending.stop.as_mut().unwrap().reason = StopReason::User;
    let loose = check_with(&state, None, false);
    assert!(!fails(&loose, false) && fails(&loose, true));
    let strict = check_with(&state, None, true);
    assert_eq!(strict[0].severity, CheckSeverity::Error);
    assert!(!fails(&check_with(&good(), None, true), true));
}

#[test]
fn an_objection_in_an_earlier_version_counts() {
    let mut state = revised();
    state.ledger = crate::support::states::ledger([]);
    let previous = state.task.previous.as_mut().unwrap();
    let last = previous.issues[0].positions.last_mut().unwrap();
    (last.stance, last.backs) = (Stance::Object, None);
    let found = lines(&check_with(&state, None, false));
    assert_eq!(found, ["Error agreement-over-objection C-1"]);
}

#[test]
fn speeches_and_documents_are_searched_for_secrets() {
    let sign = json!(format!("log shows {AWS}"));
    let state = broken(
        &good(),
        &format!("risk_assessment set /risks/0/early_sign {sign}"),
    );
    let found = lines(&check_with(&state, None, false));
    assert_eq!(found, ["Error secret-found R-1"]);
    let mut state = good();
    state.discussion.speeches[0].speech.analysis = format!("use {AWS} for now");
    let found = lines(&check_with(&state, None, false));
    assert_eq!(found, ["Error secret-found PP r1"]);
}

#[test]
fn published_files_are_searched_for_secrets() {
    let found = with_files(&[("state.md", &format!("key {AWS}"))], &[]);
    assert!(lines(&found).contains(&"Error secret-found state.md".to_owned()));
    let shown: Vec<_> = found.iter().map(|one| one.document(Lang::Zh)).collect();
    let shown = serde_json::to_string(&shown).unwrap();
    assert!(!shown.contains(AWS), "the finding repeats the secret");
}

fn with_files(files: &[(&str, &str)], damage: &[DamagedFile]) -> Vec<CheckFinding> {
    let own = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
    let files = files.iter().map(own).collect();
    check(
        &good(),
        &CheckContext {
            tree: &tree,
            report: None,
            files: &files,
            damage,
            strict: false,
        },
    )
}

#[test]
fn a_damaged_file_is_a_finding_that_names_it() {
    let damage = DamagedFile {
        path: "dev_plan.json".to_owned(),
        what: Text("it was changed", "它被改动过").into(),
    };
    let found = with_files(&[], &[damage]);
    assert_eq!(lines(&found), ["Error file-damaged dev_plan.json"]);
    assert!(found[0].fix.en.contains("aitc verify"));
}

#[test]
fn documents_are_held_against_their_schemas() {
    let state = crate::support::states::of("agreed", Lang::En);
    let made = workshop::artifact::render(&state).unwrap();
    let text = |path: &str| {
        let file = made.iter().find(|file| file.path == path).unwrap();
        String::from_utf8(file.bytes.clone()).unwrap()
    };
    let names = [
        "planning.ai.json",
        "product_plan.json",
        "system_design.json",
        "dev_plan.json",
        "test_plan.json",
        "risk_assessment.json",
    ];
    for name in names {
        let whole = text(name);
        assert_eq!(lines(&with_files(&[(name, &whole)], &[])), [""; 0]);
        let mut value: serde_json::Value = serde_json::from_str(&whole).unwrap();
        value["extra"] = true.into();
        let grown = with_files(&[(name, &value.to_string())], &[]);
        assert_eq!(lines(&grown), [format!("Error schema-mismatch {name}")]);
        for broken in ["{", "[]", "{\"v\": \"one\"}"] {
            let found = with_files(&[(name, broken)], &[]);
            let expected = [format!("Error schema-mismatch {name}")];
            assert_eq!(lines(&found), expected, "{broken}");
        }
    }
    let mut value: serde_json::Value = serde_json::from_str(&text("dev_plan.json")).unwrap();
    value["work"][0]["size"] = "huge".into();
    let found = with_files(&[("dev_plan.json", &value.to_string())], &[]);
    assert!(found[0].text.en.contains("`huge`"), "{:?}", found[0]);
    let other = with_files(&[("notes.json", "{"), ("speeches/a.txt", "{")], &[]);
    assert_eq!(lines(&other), [""; 0], "no schema is published for these");
}
