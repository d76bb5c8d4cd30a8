//! Rules about files, words and secrets. What breaks the others is on `tests/played/checks.md`.

use std::collections::BTreeMap;

use aitc::check::{
    Damage, FileFacts, Finding, Rule, Severity, SymbolFacts, World, check, fails, paths_alone,
    words,
};
use aitc::fault::Text;
use aitc::machine::*;
use aitc::reply::*;
use serde_json::json;

use super::plans::*;
use crate::played::moments::change;
use crate::support::changes::changed;

const AWS: &str = concat!("AKIA", "Z7Q4M2N8P5R3T6W9");

/// What is found in a plan.
pub fn check_with(state: &State, report: Option<&str>, strict: bool) -> Vec<Finding> {
    let files = BTreeMap::new();
    let world = World {
        tree: &tree,
        report,
        files: &files,
        damage: &[],
        strict,
    };
    let found = check(state, &world);
    for fix in found.iter().flat_map(|one| [&one.fix.en, &one.fix.zh]) {
        is_to_paste(state, fix);
    }
    found
}

/// A repository with one file, whose symbols behave as their names say.
fn tree(impacts: &[FileImpact]) -> Vec<FileFacts> {
    let symbol = |symbol: &Symbol| match symbol.name.as_str() {
        "There" => SymbolFacts {
            is_named: Some(true),
            defined: Some("src/orders.rs:3".to_owned()),
            callers: list(&["src/api.rs", "src/shop.rs"]),
        },
        "Elsewhere" => SymbolFacts {
            is_named: Some(false),
            defined: Some("src/shop.rs:9".to_owned()),
            callers: Vec::new(),
        },
        "Unknown" => SymbolFacts::default(),
        _ => SymbolFacts {
            is_named: Some(false),
            ..SymbolFacts::default()
        },
    };
    let facts = impacts.iter().map(|impact| FileFacts {
        is_there: impact.path == "src/orders.rs",
        is_taken: impact.to.as_deref() == Some("src/orders.rs"),
        symbols: impact.symbols.iter().map(symbol).collect(),
        tests: match impact.what.as_str() {
            "tested" => list(&["tests/orders.rs"]),
            _ => Vec::new(),
        },
    });
    facts.collect()
}

/// Findings in words.
pub fn lines(findings: &[Finding]) -> Vec<String> {
    let line = |f: &Finding| format!("{:?} {} {}", f.severity, f.rule, f.about);
    findings.iter().map(line).collect()
}

/// A plan with changes of the ledger, the draft, the report or a document, `PART set /place 1; ...`;
/// `without KIND` has no such document, and `accounts KIND {...}` adds an account to one.
pub fn broken(state: &State, changes: &str) -> State {
    let mut state = state.clone();
    let documents = &mut state.documents.written;
    for words in changes.split("; ").filter(|words| !words.is_empty()) {
        let (part, rest) = words.split_once(' ').expect(words);
        let kind = |name: &str| {
            DocumentKind::ALL
                .into_iter()
                .find(|kind| kind.name() == name)
        };
        match part {
            "without" => drop(documents.remove(&kind(rest).unwrap())),
            "accounts" => {
                let (name, account) = rest.split_once(' ').unwrap();
                let record = documents.get_mut(&kind(name).unwrap()).unwrap();
                record.accounts.push(serde_json::from_str(account).unwrap());
            }
            "ledger" => state.ledger = changed(&state.ledger, vec![change(rest)]),
            "draft" => state.draft = changed(&state.draft, vec![change(rest)]),
            "report" => {
                let report = &mut state.documents.report;
                *report = changed(report, vec![change(rest)]);
            }
            name => {
                let content = &mut documents
                    .get_mut(&kind(name).expect(words))
                    .unwrap()
                    .content;
                *content = changed(content, vec![change(rest)]);
            }
        }
    }
    state
}

/// What breaks a rule is on the page `tests/played/checks.md`, or in a test below.
#[test]
fn every_rule_is_seen_to_find_something() {
    let page = std::fs::read_to_string("tests/played/checks.md").unwrap();
    let below = [
        Rule::ReportTooLong,
        Rule::FileDamaged,
        Rule::SchemaMismatch,
        Rule::SecretFound,
        Rule::Unresolved,
    ];
    for rule in Rule::ALL.iter().filter(|rule| !below.contains(rule)) {
        let found = [Severity::Error, Severity::Warning].map(|it| format!("{it:?} {rule} "));
        assert!(
            found.iter().any(|it| page.contains(it)),
            "{rule} has no case"
        );
    }
}

/// A fix that asks the members for something names the version and the point, so that it can be
/// pasted. Every plan of this page is checked for it.
fn is_to_paste(state: &State, fix: &str) {
    let command = format!("aitc revise v{} \"", state.inputs.version);
    if let Some((_, point)) = fix.split_once("aitc revise") {
        let point = format!("aitc revise{point}");
        let point = point.strip_prefix(&command).expect(fix);
        let point = point.strip_suffix('"').unwrap();
        assert!(!point.contains(['"', '`', '$', '\\', '!']), "{fix}");
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
    assert_eq!(strict[0].severity, Severity::Error);
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
    let files = BTreeMap::from([("state.md".to_owned(), format!("key {AWS}"))]);
    let world = World {
        tree: &paths_alone(|_| true),
        report: None,
        files: &files,
        damage: &[],
        strict: false,
    };
    let found = check(&good(), &world);
    assert!(lines(&found).contains(&"Error secret-found state.md".to_owned()));
    let shown: Vec<_> = found.iter().map(|one| one.document(Lang::Zh)).collect();
    let shown = serde_json::to_string(&shown).unwrap();
    assert!(!shown.contains(AWS), "the finding repeats the secret");
}

fn with_files(files: &[(&str, &str)], damage: &[Damage]) -> Vec<Finding> {
    let own = |(path, text): &(&str, &str)| ((*path).to_owned(), (*text).to_owned());
    let files = files.iter().map(own).collect();
    check(
        &good(),
        &World {
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
    let damage = Damage {
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
    let made = aitc::artifact::render(&state).unwrap();
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
