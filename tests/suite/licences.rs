//! Every dependency may be used: its licence is listed in `deny.toml`, and it comes from crates.io.
//! This is a part of what cargo-deny checks and needs no tool; cargo-deny also checks advisories
//! and the crates of other platforms.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn project(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The allowed licences of `deny.toml`.
fn allowed() -> BTreeSet<String> {
    let text = std::fs::read_to_string(project("deny.toml")).unwrap();
    let (_, list) = text.split_once("allow = [").unwrap();
    let (list, _) = list.split_once(']').unwrap();
    let names = list.split('"').skip(1).step_by(2);
    names.map(str::to_owned).collect()
}

/// Whether an SPDX expression allows use under one of these licences; `/` is an old form of `OR`.
fn allows(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('/', " OR ");
    let spaced = spaced.replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let may = either(&mut words, allowed);
    may && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn either(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    let mut may = both(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        may |= both(words, allowed);
    }
    may
}

fn both(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    let mut may = one(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        may &= one(words, allowed);
    }
    may
}

fn one(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    if words.next_if_eq(&"(").is_some() {
        let may = either(words, allowed);
        return words.next() == Some(")") && may;
    }
    let Some(name) = words.next() else {
        return false;
    };
    match words.next_if_eq(&"WITH") {
        Some(_) => {
            let exception = words.next().unwrap_or_default();
            allowed.contains(&format!("{name} WITH {exception}"))
        }
        None => allowed.contains(name),
    }
}

/// The packages of this platform, from `cargo metadata`.
fn packages() -> Vec<Value> {
    let version = Command::new("rustc").arg("-vV").output().unwrap();
    let version = String::from_utf8(version.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let asked = Command::new(env!("CARGO"))
        .current_dir(project(""))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        .args(["--filter-platform", host.unwrap()])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&asked.stderr);
    assert!(asked.status.success(), "{told}");
    let metadata: Value = serde_json::from_slice(&asked.stdout).unwrap();
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap().iter();
    let needed: BTreeSet<&str> = nodes.map(|node| node["id"].as_str().unwrap()).collect();
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages
        .filter(|package| needed.contains(package["id"].as_str().unwrap()))
        .cloned()
        .collect()
}

#[test]
fn every_dependency_is_under_a_licence_that_is_allowed_and_from_the_registry() {
    let (allowed, packages) = (allowed(), packages());
    assert!(packages.len() > 100, "{}", packages.len());
    let mut refused = BTreeMap::new();
    let mut sources = BTreeSet::new();
    for package in &packages {
        let name = package["name"].as_str().unwrap();
        let licence = package["license"].as_str().unwrap_or_default();
        if !allows(licence, &allowed) {
            refused.insert(name, licence);
        }
        match package["source"].as_str() {
            Some(source) => sources.extend([source]),
            None => assert!(
                ["aitc", "aitc-sandbox", "aitc-workshop"].contains(&name),
                "a dependency without a source: {name}"
            ),
        }
    }
    assert!(refused.is_empty(), "{refused:?}");
    let registry = |source: &&str| source.starts_with("registry+");
    assert!(
        sources.len() == 1 && sources.iter().all(registry),
        "{sources:?}"
    );
}

#[test]
fn expressions_are_read_as_they_are_meant() {
    let allowed = ["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"];
    let allowed: BTreeSet<String> = allowed.map(str::to_owned).into();
    for (expression, may) in [
        ("MIT", true),
        ("GPL-3.0-only", false),
        ("", false),
        ("GPL-3.0-only OR MIT", true),
        ("GPL-3.0-only/MIT", true),
        ("MIT AND GPL-3.0-only", false),
        ("(MIT OR GPL-2.0-only) AND ISC", true),
        ("MIT OR GPL-2.0-only AND GPL-3.0-only", true),
        ("Apache-2.0 WITH LLVM-exception", true),
        ("Apache-2.0", false),
        ("(MIT", false),
        ("MIT MIT", false),
    ] {
        assert_eq!(allows(expression, &allowed), may, "{expression}");
    }
}
