//! Diagrams: Mermaid parses every box and arrow, whatever text they contain.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use aitc::artifact::Drawing;
use aitc::reply::{Arrow, Diagram, DiagramKind, MAX_LIST};
use serde_json::Value;

use super::hostile::HOSTILE;

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Texts with a special meaning in Mermaid, Markdown or HTML, and some without.
fn words() -> Vec<String> {
    let lines = include_str!("diagrams/words.jsonl").lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn diagram(kind: DiagramKind, arrows: impl Iterator<Item = [String; 3]>) -> Diagram {
    let arrows = arrows.map(|[source, target, label]| Arrow {
        source,
        target,
        label,
    });
    Diagram {
        kind,
        arrows: arrows.collect(),
    }
}

/// Sources with the number of arrows of each.
fn cases() -> Vec<(String, usize)> {
    let mut words = words();
    words.extend([HOSTILE.to_owned(), "长".repeat(500), "x".repeat(500)]);
    let mut cases = Vec::new();
    for kind in [DiagramKind::Flow, DiagramKind::Sequence] {
        let alone = words
            .iter()
            .map(|word| diagram(kind, std::iter::once(std::array::from_fn(|_| word.clone()))));
        // Combine each text with other kinds of text, in as many arrows as a list may have.
        let of = |at: usize| words[at % words.len()].clone();
        let many = (0..MAX_LIST).map(|n| [of(n), of(n * 7 + 1), of(n + 3)]);
        for diagram in alone.chain([diagram(kind, many)]) {
            cases.push((Drawing::of(&diagram).mermaid(), diagram.arrows.len()));
        }
    }
    cases
}

#[test]
fn no_word_is_more_than_a_word() {
    for (source, arrows) in cases() {
        let lines = source.lines().skip(1);
        let lines = lines.filter(|line| line.contains("-->") || line.contains("->>"));
        assert_eq!(lines.count(), arrows, "{source}");
        for bad in ["%%", "javascript:", "<", "`", "\\"] {
            assert!(!source.contains(bad), "`{bad}` in\n{source}");
        }
        // Forges draw diagrams of at most 50,000 characters.
        assert!(source.chars().count() < 50_000, "{source}");
    }
}

#[test]
fn mermaid_reads_every_arrow() {
    let Some(modules) = std::env::var_os("MERMAID") else {
        eprintln!("skipped: MERMAID names no folder with npm's mermaid (npm install mermaid@11)");
        return;
    };
    let cases = cases();
    let sources: Vec<&String> = cases.iter().map(|(source, _)| source).collect();
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
    assert_eq!(read.len(), cases.len());
    for ((source, arrows), read) in cases.iter().zip(&read) {
        assert_eq!(read["error"], Value::Null, "{source}");
        assert_eq!(read["edges"].as_u64(), Some(*arrows as u64), "{source}");
    }
}
