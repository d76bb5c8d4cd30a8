//! Tests of files in a workspace that override built-in ones.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

use std::path::Path;

use super::*;
use crate::machine::{Inputs, ModelChoice, QuestionMode, RunRules};
use crate::role::RoleId;

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(".ai-tools-chain").join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn role(id: &str, code: &str, order: u32) -> String {
    format!("---\nid: {id}\ncode: {code}\norder: {order}\nsummary: S.\n---\nPersona of {id}.\n")
}

fn codes(assets: &Assets) -> Vec<&str> {
    assets
        .roles
        .members
        .iter()
        .map(|role| role.code.as_str())
        .collect()
}

fn frozen(assets: Assets) -> Inputs {
    Inputs {
        tool: "0.1.0".to_owned(),
        version: 1,
        format: crate::machine::Format::Workshop,
        series: None,
        doc_lang: Lang::En,
        roles: assets.roles,
        templates: assets.templates,
        template_sources: assets.template_sources,
        questions: QuestionMode::Assume,
        light: false,
        full: false,
        rules: RunRules {
            review: false,
            ..RunRules::default()
        },
        trials: false,
        model: ModelChoice {
            provider: "openai".to_owned(),
            model: "m".to_owned(),
            temperature: None,
            seed: None,
            price: None,
        },
        role_models: BTreeMap::new(),
        own_addresses: Default::default(),
        commit: None,
    }
}

fn english(all: Vec<crate::fault::Message>) -> Vec<String> {
    all.into_iter().map(|one| one.en).collect()
}

#[test]
fn both_languages_hold_the_same_files() {
    let root = tempfile::tempdir().unwrap();
    let en = load(root.path(), Lang::En, None).unwrap();
    let zh = load(root.path(), Lang::Zh, None).unwrap();
    assert_eq!(codes(&en), ["PP", "SD", "Dev", "TP", "RP"]);
    assert_eq!(codes(&zh), codes(&en));
    assert_eq!(
        en.templates.keys().collect::<Vec<_>>(),
        zh.templates.keys().collect::<Vec<_>>()
    );
    for (a, b) in en.roles.members.iter().zip(&zh.roles.members) {
        assert_eq!((&a.id, a.order, a.document), (&b.id, b.order, b.document));
        assert_ne!(a.persona, b.persona);
        assert_eq!(a.source, BUILT_IN);
    }
    assert!(en.templates.contains_key("prompt/shared.j2"));
    assert!(en.template_sources.is_empty());
}

#[test]
fn a_workspace_replaces_and_adds() {
    let root = tempfile::tempdir().unwrap();
    write(
        root.path(),
        "roles/mine.md",
        &role("ProductPlanner", "PO", 9),
    );
    write(
        root.path(),
        "roles/steward.md",
        &role("DataSteward", "DS", 3),
    );
    write(
        root.path(),
        "roles/chinese.zh.md",
        &role("OnlyChinese", "OC", 8),
    );
    write(root.path(), "roles/.draft.md", "not a role yet");
    write(root.path(), "templates/prompt/turn.j2", "mine\r\n");
    let assets = load(root.path(), Lang::En, None).unwrap();
    // Equal places are ordered by name: DataSteward before SeniorDeveloper.
    assert_eq!(codes(&assets), ["SD", "DS", "Dev", "TP", "RP", "PO"]);
    let mine = assets.roles.find("PO").unwrap();
    assert_eq!(mine.persona, "Persona of ProductPlanner.");
    assert_eq!(mine.source, ".ai-tools-chain/roles/mine.md");
    assert_eq!(assets.templates["prompt/turn.j2"], "mine\n");
    assert_eq!(
        assets.template_sources["prompt/turn.j2"],
        ".ai-tools-chain/templates/prompt/turn.j2"
    );
    assert!(codes(&load(root.path(), Lang::Zh, None).unwrap()).contains(&"OC"));
}

#[test]
fn chosen_roles_keep_their_order_and_strangers_are_named() {
    let root = tempfile::tempdir().unwrap();
    let load_only = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        load(root.path(), Lang::En, Some(&names))
    };
    let two = load_only(&["rp", "ProductPlanner", "Coach"]).unwrap();
    assert_eq!(codes(&two), ["PP", "RP"]);
    // Those who are absent keep their code: an earlier version may name them.
    let absent = RoleId("TestPlanner".to_owned());
    assert_eq!(two.roles.code(&absent), "TP");
    let error = load_only(&["ProductPlaner"]).unwrap_err();
    assert_eq!(error.what().en, "there is no role `ProductPlaner`");
    assert_eq!(error.fix().en, "did you mean `ProductPlanner`?");
    let error = load_only(&["xyz"]).unwrap_err();
    assert!(error.why().en.contains("Coach, ProductPlanner"), "{error}");
    assert_eq!(load_only(&["Coach"]).unwrap_err().code, "E-roles-none");
}

#[test]
fn faulty_files_are_named() {
    let cases = [
        (
            "roles/a.md",
            "no frontmatter".to_owned(),
            ".ai-tools-chain/roles/a.md:1: ",
        ),
        ("roles/a.md", role("Another", "pp", 9), "share the code"),
        (
            "templates/prompt/x.j2",
            "x".repeat(300 * 1024),
            "larger than",
        ),
    ];
    for (path, text, what) in cases {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), path, &text);
        let error = load(root.path(), Lang::En, None).unwrap_err().to_string();
        assert!(error.contains(what), "{error}");
    }
}

#[test]
fn a_link_out_of_the_workspace_is_refused() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("x.md"), role("Spy", "SP", 9)).unwrap();
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "roles/ok.md", &role("Fine", "OK", 9));
    let link = root.path().join(".ai-tools-chain/roles/x.md");
    std::os::unix::fs::symlink(outside.path().join("x.md"), link).unwrap();
    let error = load(root.path(), Lang::En, None).unwrap_err().to_string();
    assert!(error.contains("points outside the workspace"), "{error}");
}

#[test]
fn drift_names_each_file_that_changed() {
    let root = tempfile::tempdir().unwrap();
    write(
        root.path(),
        "roles/steward.md",
        &role("DataSteward", "DS", 3),
    );
    let inputs = frozen(load(root.path(), Lang::En, None).unwrap());
    assert_eq!(
        english(drift(&inputs, &load(root.path(), Lang::En, None).unwrap())),
        Vec::<String>::new()
    );

    write(
        root.path(),
        "roles/steward.md",
        &role("DataSteward", "DS", 4),
    );
    write(root.path(), "templates/prompt/turn.j2", "mine");
    write(root.path(), "templates/prompt/added.j2", "new");
    let mut now = load(root.path(), Lang::En, None).unwrap();
    now.roles
        .members
        .retain(|role| role.id != RoleId::from("TestPlanner"));
    now.templates.remove("prompt/retry.j2");
    assert_eq!(
        english(drift(&inputs, &now)),
        [
            "`.ai-tools-chain/roles/steward.md` (role `DataSteward`) has changed",
            "the built-in role `TestPlanner` is gone",
            "the built-in template `prompt/retry.j2` is gone",
            "the built-in template `prompt/turn.j2` has changed: it now comes from `.ai-tools-chain/templates/prompt/turn.j2`",
        ]
    );
}
