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
    pack_relocations();
}

/// Has the linker write what is to be shifted at the start in its packed form: a tenth of
/// the program's file otherwise, all of which each process reads and holds.
///
/// Only a C library that knows the form may be given it (glibc from 2.36 on), so that this
/// is asked for where the program is built for the machine it is built on.
fn pack_relocations() {
    let is = |name: &str, value: &str| var(name).as_deref() == Ok(value);
    let is_glibc = is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu");
    if is_glibc && var("HOST") == var("TARGET") && glibc().is_some_and(|it| it >= (2, 36)) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// Version of this machine's glibc.
fn glibc() -> Option<(u32, u32)> {
    let asked = Command::new("getconf").arg("GNU_LIBC_VERSION").output();
    let said = String::from_utf8(asked.ok()?.stdout).ok()?;
    let (major, minor) = said.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
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
