//! What the check finds in plans, and plans that are broken on purpose.

use std::collections::BTreeMap;

use workshop::check::{CheckContext, CheckFinding, FileFacts, SymbolFacts, check};
use workshop::machine::*;
use workshop::reply::*;

use super::changes::{change, changed};
use super::plans::list;

/// What is found in a plan.
pub fn check_with(state: &State, report: Option<&str>, strict: bool) -> Vec<CheckFinding> {
    let files = BTreeMap::new();
    let world = CheckContext {
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
pub fn tree(impacts: &[FileImpact]) -> Vec<FileFacts> {
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
pub fn lines(findings: &[CheckFinding]) -> Vec<String> {
    let line = |f: &CheckFinding| format!("{:?} {} {}", f.severity, f.rule, f.about);
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

/// A fix that asks the members for something names the version and the point, so that it can be
/// pasted. Every plan of `checks.md` is checked for it.
fn is_to_paste(state: &State, fix: &str) {
    let command = format!("aitc revise v{} \"", state.inputs.version);
    if let Some((_, point)) = fix.split_once("aitc revise") {
        let point = format!("aitc revise{point}");
        let point = point.strip_prefix(&command).expect(fix);
        let point = point.strip_suffix('"').unwrap();
        assert!(!point.contains(['"', '`', '$', '\\', '!']), "{fix}");
    }
}
