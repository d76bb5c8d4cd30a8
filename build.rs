//! Files that are carried in the program, and what it says of itself with
//! `--version`.
#![allow(clippy::disallowed_methods)]

use std::env::var;
use std::path::Path;
use std::process::Command;

/// What `cargo package` puts into a package about its commit.
const VCS_INFO: &str = ".cargo_vcs_info.json";

fn main() {
    // A new file among those that are embedded would be missed otherwise.
    for folder in ["roles", "templates", "fixtures/demo"] {
        println!("cargo::rerun-if-changed={folder}");
    }
    // `cargo run` hands these on to the program, which takes every `AITC_…` for a setting.
    println!("cargo::rustc-env=BUILT_COMMIT={}", commit());
    println!(
        "cargo::rustc-env=BUILT_TARGET={}",
        var("TARGET").unwrap_or_default()
    );
    println!("cargo::rustc-env=BUILT_FEATURES={}", features());
}

/// The commit a release is built from: of the repository, or of the package;
/// other builds would be made anew after each commit.
fn commit() -> String {
    if var("PROFILE").as_deref() != Ok("release") {
        return "of a development build".to_owned();
    }
    // A file that is not there would have the crate built anew each time.
    if Path::new(VCS_INFO).exists() {
        println!("cargo::rerun-if-changed={VCS_INFO}");
    }
    for place in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", place]) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    packaged()
        .or_else(|| git(&["rev-parse", "--short=12", "HEAD"]).map(|id| id + changed()))
        .unwrap_or_else(|| "unknown".to_owned())
}

/// What `cargo package` wrote down: `"sha1": "…"`.
fn packaged() -> Option<String> {
    let text = std::fs::read_to_string(VCS_INFO).ok()?;
    let (_, rest) = text.split_once("\"sha1\": \"")?;
    rest.get(..12).map(str::to_owned)
}

fn changed() -> &'static str {
    match git(&["status", "--porcelain", "--untracked-files=no"]) {
        Some(_) => ", with changes",
        None => "",
    }
}

/// What git says in this package's own repository; none if that is nothing.
fn git(arguments: &[&str]) -> Option<String> {
    if !Path::new(".git").exists() {
        return None;
    }
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let text = text.trim();
    (output.status.success() && !text.is_empty()).then(|| text.to_owned())
}

fn features() -> String {
    let features = var("CARGO_CFG_FEATURE").unwrap_or_default();
    if features.is_empty() {
        "none".to_owned()
    } else {
        features.replace(',', ", ")
    }
}
