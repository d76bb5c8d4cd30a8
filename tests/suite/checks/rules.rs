//! Every rule reports a plan that breaks it, and none reports a good plan.

mod broken;

use std::collections::{BTreeMap, BTreeSet};

use aitc::check::{
    Damage, FileFacts, Finding, Rule, Severity, SymbolFacts, World, check, fails, paths_alone,
    words,
};
use aitc::fault::Text;
use aitc::machine::*;
use aitc::reply::*;
use serde_json::json;

use broken::broken;
pub(super) use broken::change_part;

use super::plans::*;
use crate::support::changes::Change;

const AWS: &str = concat!("AKIA", "Z7Q4M2N8P5R3T6W9");

fn check_with(state: &State, report: Option<&str>, strict: bool) -> Vec<Finding> {
    let files = BTreeMap::new();
    check(
        state,
        &World {
            tree: &tree,
            report,
            files: &files,
            damage: &[],
            strict,
        },
    )
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

fn lines(findings: &[Finding]) -> Vec<String> {
    let line = |f: &Finding| format!("{:?} {} {}", f.severity, f.rule, f.about);
    findings.iter().map(line).collect()
}

#[test]
fn a_good_plan_has_no_findings() {
    assert_eq!(lines(&check_with(&good(), Some("# Plan\n"), true)), [""; 0]);
}

#[test]
fn every_rule_fires_on_what_breaks_it_and_on_nothing_else() {
    // The rules about files are tested separately below.
    let of_files = [Rule::ReportTooLong, Rule::FileDamaged, Rule::SchemaMismatch];
    let mut fired = BTreeSet::from(of_files);
    for (number, (state, expected)) in broken().iter().enumerate() {
        let findings = check_with(state, None, false);
        assert_eq!(lines(&findings), *expected, "case {number}");
        fired.extend(findings.iter().map(|finding| finding.rule));
    }
    let all: BTreeSet<Rule> = Rule::ALL.iter().copied().collect();
    assert_eq!(fired, all, "a rule has no case");
}

/// Work on documentation and change notes need not serve a criterion, because no observable
/// criterion covers it.
#[test]
fn work_on_documentation_may_serve_no_criterion() {
    let work = |title: &str, detail: &str| WorkItem {
        id: "W-3".to_owned(),
        same_as: None,
        title: title.to_owned(),
        detail: detail.to_owned(),
        size: Size::S,
        covers: Vec::new(),
        depends_on: Vec::new(),
    };
    for (item, warned) in [
        (work("Guide and change note", "both, e.g. in 4.35.0"), false),
        (work("说明与更新日志", "两处都写"), false),
        (
            work("The last step", "`docs/user_guide.rst`, then README.md."),
            false,
        ),
        (work("Docs and code", "`docs/a.md` and `src/a.rs`"), true),
        (work("The last step", "what is left"), true),
    ] {
        let mut state = good();
        for record in state.documents.written.values_mut() {
            if let Document::DevPlan(plan) = &mut record.content {
                plan.work.push(item.clone());
            }
        }
        let expected: &[&str] = match warned {
            true => &["Warning work-without-criterion W-3"],
            false => &[],
        };
        assert_eq!(lines(&check_with(&state, None, true)), expected, "{item:?}");
    }
}

/// An agreed item counts as used if tests or work refer to it, even if no scope item does.
#[test]
fn what_tests_or_work_hold_is_taken_up() {
    for (kind, used_in, warned) in [
        (DocumentKind::TestPlan, Some("T-1"), false),
        (DocumentKind::DevPlan, Some("W-1"), false),
        (DocumentKind::TestPlan, None, true),
        (DocumentKind::TestPlan, Some(" "), true),
        // Items of a product plan cite their sources in fields of their own.
        (DocumentKind::ProductPlan, Some("scope"), true),
    ] {
        let mut state = good();
        for record in state.documents.written.values_mut() {
            match &mut record.content {
                Document::ProductPlan(plan) => {
                    plan.scope
                        .iter_mut()
                        .for_each(|it| it.from = list(&["C-1"]));
                    plan.criteria
                        .iter_mut()
                        .for_each(|it| it.from = list(&["C-1"]));
                }
                Document::SystemDesign(design) => {
                    design.decisions.iter_mut().for_each(|it| it.from.clear());
                }
                _ => {}
            }
        }
        let account = Account {
            id: "C-2".to_owned(),
            used_in: used_in.map(str::to_owned),
            left_out_because: None,
        };
        state
            .documents
            .written
            .get_mut(&kind)
            .unwrap()
            .accounts
            .push(account);
        let expected: &[&str] = match warned {
            true => &["Warning agreed-not-taken-up C-2"],
            false => &[],
        };
        let found = lines(&check_with(&state, None, true));
        assert_eq!(found, expected, "{kind} {used_in:?}");
    }
}

#[test]
fn a_member_may_see_no_risk() {
    let mut state = good();
    let record = state
        .documents
        .written
        .get_mut(&DocumentKind::RiskAssessment);
    match &mut record.unwrap().content {
        Document::RiskAssessment(assessment) => assessment.risks.clear(),
        _ => panic!("another kind"),
    }
    assert_eq!(lines(&check_with(&state, None, true)), [""; 0]);
}

/// The suggested command names the version and the point, so the user can run it unchanged.
#[test]
fn a_fix_that_asks_the_members_for_something_is_a_command_to_paste() {
    let mut state = good();
    state.stage = Stage::Published;
    let fixes = |state: &State| {
        let found = check_with(state, None, false);
        let fix = found
            .iter()
            .map(|one| (one.fix.en.clone(), one.fix.zh.clone()));
        fix.collect::<Vec<_>>()
    };
    for (mut state, _) in broken() {
        state.stage = Stage::Published;
        for (en, zh) in fixes(&state) {
            for fix in [en, zh].iter().filter(|fix| fix.contains("aitc revise")) {
                let command = format!("aitc revise v{} \"", state.inputs.version);
                let point = fix.strip_prefix(&command).expect(fix);
                let point = point.strip_suffix('"').unwrap();
                assert!(!point.contains(['"', '`', '$', '\\', '!']), "{fix}");
            }
        }
    }
    for record in state.documents.written.values_mut() {
        if let Document::DevPlan(plan) = &mut record.content {
            plan.feasibility.clear();
        }
    }
    let command = "aitc revise v1 \"Fill in what dev_plan has to say as feasibility\"";
    assert_eq!(fixes(&state)[0].0, command);
    // A draft cannot be revised yet.
    state.stage = Stage::Complete;
    assert_eq!(
        fixes(&state)[0].0,
        format!("once it is published: {command}")
    );
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
fn rules_about_documents_wait_for_the_documents() {
    let mut state = good();
    state.stage = Stage::Closing;
    state
        .documents
        .written
        .retain(|kind, _| *kind == DocumentKind::ProductPlan);
    state.documents.report = None;
    assert_eq!(lines(&check_with(&state, None, true)), [""; 0]);
}

#[test]
fn an_ancestors_number_is_reused_even_if_the_item_is_gone() {
    let mut state = revised();
    for reply in replies() {
        let (content, _) = normalize_document(&state, reply);
        let record = DocumentRecord {
            evidence: Vec::new(),
            content,
            without_model: false,
            carried: None,
            accounts: Vec::new(),
            notes: Vec::new(),
        };
        state
            .documents
            .written
            .insert(record.content.kind(), record);
    }
    let reused = Change::Set("/cases/0/id".to_owned(), json!("T-2"));
    change_part(&mut state, "test_plan", reused);
    let found = check_with(&state, None, false);
    assert!(
        lines(&found).contains(&"Error reused-id T-2".to_owned()),
        "{found:?}"
    );
}

#[test]
fn an_objection_in_an_earlier_version_counts() {
    let mut state = revised();
    state.ledger = crate::support::states::ledger([]);
    let previous = state.task.previous.as_mut().unwrap();
    let mut positions = previous.issues[0].positions.to_vec();
    let last = positions.last_mut().unwrap();
    (last.stance, last.backs) = (Stance::Object, None);
    previous.issues[0].positions = positions.into();
    let found = lines(&check_with(&state, None, false));
    assert_eq!(found, ["Error agreement-over-objection C-1"]);
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
        assert!(grown[0].text.en.contains("extra"), "{:?}", grown[0]);
        for broken in ["{", "[]", "{\"v\": \"one\"}"] {
            let found = with_files(&[(name, broken)], &[]);
            let expected = [format!("Error schema-mismatch {name}")];
            assert_eq!(lines(&found), expected, "{broken}");
        }
    }
    let mut value: serde_json::Value = serde_json::from_str(&text("dev_plan.json")).unwrap();
    value["work"][0]["size"] = "huge".into();
    let found = with_files(&[("dev_plan.json", &value.to_string())], &[]);
    assert!(found[0].text.en.contains("work[0].size"), "{:?}", found[0]);
    let other = with_files(&[("notes.json", "{"), ("speeches/a.txt", "{")], &[]);
    assert_eq!(lines(&other), [""; 0], "no schema is published for these");
}
