//! `aitc roles`: listed, shown, made and checked.

use super::{Sandbox, assert_fails, status};

const ROLES: &str = "work/.ai-tools-chain/roles";

#[test]
fn the_roles_of_both_languages_are_listed() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!(sandbox.run(&["roles", "list", "--doc-lang", "zh"]));
    let english = sandbox.run(&["roles", "list"]);
    assert!(
        english.contains("\nTP     TestPlanner      Asks how"),
        "{english}"
    );
}

#[test]
fn a_role_is_shown_as_its_file_and_a_copy_replaces_it() {
    let sandbox = Sandbox::new();
    let output = sandbox.command(&["roles", "show", "tp"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with("---\nid: TestPlanner\ncode: TP\n"),
        "{text}"
    );
    sandbox.write(
        &format!("{ROLES}/test_planner.md"),
        &text.replace("Asks how", "Wants to know how"),
    );
    let list = sandbox.run(&["roles", "list"]);
    assert!(list.contains("Wants to know how"), "{list}");
    assert!(
        list.contains("(.ai-tools-chain/roles/test_planner.md)"),
        "{list}"
    );
    assert_fails(
        &sandbox.run(&["roles", "show", "TestPlaner"]),
        "2",
        &["did you mean `TestPlanner`?"],
    );
}

#[test]
fn a_new_role_is_made_and_takes_part() {
    for lang in ["en", "zh"] {
        let sandbox = Sandbox::new();
        let block = sandbox.run(&["roles", "new", "DataSteward", "--doc-lang", lang]);
        assert_eq!(status(&block), "0", "{block}");
        assert!(block.contains("roles/data_steward.md made"), "{block}");
        assert_eq!(status(&sandbox.run(&["roles", "check"])), "0");
        let list = sandbox.run(&["roles", "list", "--doc-lang", lang]);
        assert!(list.contains("\nDS     DataSteward "), "{list}");
        let dry = sandbox.run(&["plan", "Export the list", "--dry-run", "--doc-lang", lang]);
        assert!(dry.contains("## DS · "), "{dry}");
        let again = sandbox.run(&["roles", "new", "DataSteward", "--code", "DX"]);
        assert_fails(&again, "2", &["is there already"]);
    }
}

#[test]
fn what_is_no_role_is_not_made() {
    let sandbox = Sandbox::new();
    for (arguments, part) in [
        (&["../x"][..], "no role name"),
        (
            &["Other", "--code", "tp"],
            "`TestPlanner` (TP) is there already",
        ),
        (&["Coach"], "is there already"),
        (&["Other", "--code", "a b"], "no role code"),
    ] {
        let block = sandbox.run(&[&["roles", "new"], arguments].concat());
        assert_fails(&block, "2", &[part]);
    }
    assert!(!sandbox.folder.path().join(ROLES).exists());
}

/// `aitc roles show PP > .ai-tools-chain/roles/pp.md`: the file is there, and empty, before
/// the command begins.
#[test]
fn a_role_is_shown_into_the_file_that_replaces_it() {
    let sandbox = Sandbox::new();
    let path = sandbox.write(&format!("{ROLES}/pp.md"), "");
    for command in ["list", "check"] {
        let block = sandbox.run(&["roles", command]);
        assert_eq!(status(&block), "3", "{block}");
        assert!(block.contains("pp.md:1: the file is empty"), "{block}");
    }
    let shown = sandbox.command(&["roles", "show", "PP"]).output().unwrap();
    assert!(shown.status.success());
    std::fs::write(&path, shown.stdout).unwrap();
    let list = sandbox.run(&["roles", "list"]);
    assert!(list.contains("(.ai-tools-chain/roles/pp.md)"), "{list}");
}

#[test]
fn a_role_that_nobody_has_described_is_told() {
    for lang in ["en", "zh"] {
        let sandbox = Sandbox::new();
        sandbox.run(&["roles", "new", "Auditor", "--doc-lang", lang]);
        let told = "auditor.md still says in places what it was made with";
        let block = sandbox.run(&["roles", "check"]);
        assert_eq!(status(&block), "0", "{block}");
        let words = block.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(told), "{block}");
        let role = "---\nid: Auditor\ncode: AU\norder: 7\nsummary: S.\n---\nPersona.\n";
        sandbox.write(&format!("{ROLES}/auditor.md"), role);
        let block = sandbox.run(&["roles", "check"]);
        assert!(!block.contains("what it was made with"), "{block}");
    }
}

#[test]
fn every_fault_is_told_with_its_place() {
    let sandbox = Sandbox::new();
    let role = |id: &str, code: &str| {
        format!("---\nid: {id}\ncode: {code}\norder: 7\nsummary: S.\n---\nPersona.\n")
    };
    sandbox.write(
        &format!("{ROLES}/a.md"),
        &role("A", "A").replace("summary", "sumary"),
    );
    sandbox.write(&format!("{ROLES}/b.zh.md"), "nothing\n");
    sandbox.write(&format!("{ROLES}/c.md"), &role("C", "TP"));
    sandbox.write(&format!("{ROLES}/d.md"), &role("D", "D1"));
    sandbox.write(&format!("{ROLES}/e.md"), &role("D", "D2"));
    let block = sandbox.run(&["roles", "check"]);
    assert_eq!(status(&block), "3", "{block}");
    for part in [
        "a.md:5: unknown key `sumary`; did you mean `summary`?",
        "b.zh.md:1: the file must begin with a frontmatter",
        "the roles `C` and `TestPlanner` share the code `TP`",
        "`.ai-tools-chain/roles/d.md` defines `D` too",
    ] {
        assert!(block.contains(part), "no `{part}` in\n{block}");
    }
}
