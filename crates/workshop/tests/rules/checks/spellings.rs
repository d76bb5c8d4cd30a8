//! How ids and paths are normalised. References and whole documents are played in
//! `tests/played/documents.md`.

use workshop::machine::{canonical_id, repository_path};

#[test]
fn spellings_of_ids() {
    for (text, id) in [
        ("AC-1", Some("AC-1")),
        ("AC1", Some("AC-1")),
        ("ac-01", Some("AC-1")),
        (" [ac 7] ", Some("AC-7")),
        ("`DEC_3`", Some("DEC-3")),
        ("AC-1: The file is saved", Some("AC-1")),
        ("C－２", Some("C-2")),
        ("requirement", Some("Requirement")),
        ("需求", Some("Requirement")),
        ("AC-0", None),
        ("AC-1.2", None),
        ("AC-1-b", None),
        ("AC-1b", None),
        ("X-1", None),
        ("AC", None),
        ("AC-99999999999", None),
        ("", None),
    ] {
        assert_eq!(canonical_id(text).as_deref(), id, "{text:?}");
    }
}

#[test]
fn paths_stay_in_the_repository() {
    for (text, path) in [
        ("src/a.rs", Ok("src/a.rs")),
        ("./src//a.rs", Ok("src/a.rs")),
        ("src\\win\\a.rs", Ok("src/win/a.rs")),
        (" `src/a.rs` ", Ok("src/a.rs")),
        (
            "src/../../etc/passwd",
            Err("the path leaves the repository"),
        ),
        ("..\\secret", Err("the path leaves the repository")),
        ("/etc/passwd", Err("the path is absolute")),
        ("C:\\boot.ini", Err("the path is absolute")),
        ("~/.ssh/id", Err("the path is absolute")),
        ("./~/.ssh/id", Err("the path is absolute")),
        ("https://host/x", Err("the path is absolute")),
        (
            "src/a\u{1b}[31m.rs",
            Err("the path holds control characters"),
        ),
        ("src/\u{202e}sr.a", Err("the path holds control characters")),
        ("  ", Err("the path is empty")),
        ("./.", Err("the path is empty")),
    ] {
        assert_eq!(repository_path(text), path.map(str::to_owned), "{text:?}");
    }
}
