//! Diagrams: each edge survives, and what is shown is read by Mermaid itself.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use aitc::artifact::{diagram, is_undrawable};
use serde_json::{Value, json};

const CASES: &str = "tests/support/diagrams.jsonl";

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// What a member wrote, and what is shown of it with so many edges, or why it goes back.
fn cases() -> Vec<Value> {
    let text = std::fs::read_to_string(project(CASES)).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

/// `AITC_BLESS=1` writes anew what is shown; the edges are counted by Mermaid.
#[test]
fn every_edge_is_shown_or_the_diagram_goes_back() {
    let is_blessing = std::env::var_os("AITC_BLESS").is_some();
    let mut blessed = String::new();
    for mut case in cases() {
        let source = case["source"].as_str().unwrap();
        let shown = json!(diagram(source));
        let why = json!(is_undrawable(source));
        if is_blessing {
            case["shown"] = shown;
            case["why"] = why;
            let fields = case.as_object_mut().unwrap();
            fields.retain(|_, value| !value.is_null());
            blessed.push_str(&format!("{case}\n"));
            continue;
        }
        assert_eq!(shown, case["shown"], "{source}");
        assert_eq!(why, case["why"], "{source}");
        // What was shown is read alike, wherever it is read again.
        if let Some(shown) = shown.as_str() {
            assert_eq!(diagram(shown).as_deref(), Some(shown));
        }
    }
    if is_blessing {
        std::fs::write(project(CASES), blessed).unwrap();
    }
}

/// Diagrams in the reports of golden runs.
fn golden(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            golden(&path, found);
        } else if path.extension().is_some_and(|ext| ext == "md") {
            let text = std::fs::read_to_string(&path).unwrap();
            let blocks = text.split("```mermaid\n").skip(1);
            found.extend(blocks.filter_map(|block| Some(block.split_once("\n```")?.0.to_owned())));
        }
    }
}

#[test]
fn mermaid_reads_what_is_shown() {
    let Some(modules) = std::env::var_os("MERMAID") else {
        eprintln!("skipped: MERMAID names no folder with npm's mermaid (npm install mermaid@11)");
        return;
    };
    let cases = cases();
    let known = cases.iter().filter(|case| case["shown"].is_string());
    let mut wanted: Vec<(String, Option<u64>)> = known
        .map(|case| {
            (
                case["shown"].as_str().unwrap().to_owned(),
                case["edges"].as_u64(),
            )
        })
        .collect();
    let mut found = Vec::new();
    golden(&project("fixtures/golden"), &mut found);
    assert!(!found.is_empty());
    wanted.extend(found.into_iter().map(|source| (source, None)));
    let sources: Vec<&String> = wanted.iter().map(|(source, _)| source).collect();
    let mut node = Command::new("node")
        .arg(project("tests/support/mermaid.mjs"))
        .arg(modules)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let text = serde_json::to_string(&sources).unwrap();
    node.stdin
        .take()
        .unwrap()
        .write_all(text.as_bytes())
        .unwrap();
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success());
    let read: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(read.len(), wanted.len());
    for ((source, edges), read) in wanted.iter().zip(&read) {
        assert_eq!(read["error"], Value::Null, "{source}");
        if let Some(edges) = edges {
            assert_eq!(read["edges"].as_u64(), Some(*edges), "{source}");
        }
    }
}
