//! Claims about real files.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use super::*;
use crate::machine::{ClaimStatus, EvidenceId};
use crate::role::RoleId;

const TEXT: &str = "use std::io;\n\nfn open(path: &str) -> Table {\n    let table =\n        Table::load(path);\n    table\n}\n\nfn close() {\n    table\n}\n";

fn claim(path: &str, lines: Option<(u32, u32)>, quote: &str) -> Evidence {
    Evidence {
        claim: "It is there.".to_owned(),
        path: Some(path.to_owned()),
        from: lines.map(|(from, _)| from),
        to: lines.map(|(_, to)| to),
        quote: quote.to_owned(),
        run: None,
    }
}

fn search(root: &Path) -> Search<'_> {
    Search {
        root,
        knowledge: &[],
        redact: &str::to_owned,
        stop: &|| false,
        cache: None,
    }
}

#[test]
fn a_quote_is_looked_for_in_its_lines_and_then_in_the_file() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("a.rs"), TEXT).unwrap();
    for (path, lines, quote, place) in [
        ("a.rs", Some((3, 3)), "fn open(path: &str)", Some("a.rs:3")),
        (
            "a.rs",
            Some((1, 7)),
            "fn open(path: &str)",
            Some("a.rs:1-7"),
        ),
        ("./a.rs:3", None, "`fn open`", Some("a.rs:3")),
        (
            "a.rs",
            None,
            "let table = Table::load(path)",
            Some("a.rs:4-5"),
        ),
        // The quote is elsewhere, once.
        ("a.rs", Some((9, 11)), "Table::load(path)", Some("a.rs:5")),
        ("a.rs", Some((900, 999)), "fn close()", Some("a.rs:9")),
        (
            "a.rs",
            Some((3, 7)),
            "fn open ... Table::load(path)",
            Some("a.rs:3-7"),
        ),
        // The quote is there twice, or nowhere, or the file does not exist.
        ("a.rs", Some((1, 1)), "table }", None),
        ("a.rs", Some((3, 3)), "fn open(name: &str)", None),
        ("a.rs", Some((3, 3)), "}", None),
        ("a.rs", Some((3, 3)), "", None),
        ("b.rs", Some((3, 3)), "fn open", None),
        ("../a.rs", None, "fn open", None),
    ] {
        let held = search(dir.path()).verify(&[claim(path, lines, quote)], Lang::En);
        let found = held[0].as_ref().ok().map(SourceLines::place);
        assert_eq!(
            found.as_deref(),
            place,
            "{path} {lines:?} {quote}: {held:?}"
        );
    }
}

#[test]
fn what_was_verified_is_told_when_it_moves_or_goes() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.rs");
    fs::write(&path, TEXT).unwrap();
    let claims = [claim("a.rs", Some((3, 3)), "fn open(path: &str)")];
    let ground = search(dir.path())
        .verify(&claims, Lang::En)
        .remove(0)
        .unwrap();
    let record = EvidenceRecord {
        id: EvidenceId(1),
        by: RoleId("SD".to_owned()),
        round: 1,
        claim: "It is there.".to_owned(),
        standing: ClaimStatus::Verified,
        run: None,
        ground: Some(ground),
        quote: claims[0].quote.clone(),
        remark: None,
    };
    let now = || {
        search(dir.path())
            .verify_again(std::slice::from_ref(&record), Lang::En)
            .remove(0)
            .unwrap()
    };
    assert_eq!(now(), EvidenceCheck::Holds);
    fs::write(&path, format!("// new\n{TEXT}")).unwrap();
    assert_eq!(now(), EvidenceCheck::Moved("now at a.rs:4".to_owned()));
    fs::write(&path, TEXT.replace("path: &str", "name: &str")).unwrap();
    assert!(matches!(now(), EvidenceCheck::Gone(_)));
    fs::remove_file(&path).unwrap();
    assert!(matches!(now(), EvidenceCheck::Gone(_)));
}
