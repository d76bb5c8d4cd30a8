//! Declares the embedded files to cargo, and sets what `--version` prints.
#![allow(clippy::disallowed_methods)]

use std::env::var;
use std::path::Path;
use std::process::Command;

/// File in which `cargo package` records the commit.
const VCS_INFO: &str = ".cargo_vcs_info.json";

fn main() {
    // Without this a new file in the embedded folders would be missed.
    for folder in ["roles", "templates", "fixtures/demo"] {
        println!("cargo::rerun-if-changed={folder}");
    }
    // Not named `AITC_…`: `cargo run` passes these variables to the program, which reads every
    // `AITC_…` as a setting.
    println!("cargo::rustc-env=BUILT_COMMIT={}", commit());
    println!(
        "cargo::rustc-env=BUILT_TARGET={}",
        var("TARGET").unwrap_or_default()
    );
    println!("cargo::rustc-env=BUILT_FEATURES={}", features());
    pack_relocations();
}

/// Makes the linker pack relocations. Otherwise they are a tenth of the executable, and every
/// process loads them.
///
/// Only a C library that supports the packed form can load it (glibc 2.36 or later), so it is
/// requested only if host and target are the same.
fn pack_relocations() {
    let is = |name: &str, value: &str| var(name).as_deref() == Ok(value);
    let is_glibc = is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu");
    if is_glibc && var("HOST") == var("TARGET") && glibc().is_some_and(|it| it >= (2, 36)) {
        println!("cargo::rustc-link-arg-bins=-Wl,-z,pack-relative-relocs");
    }
}

/// Version of the host's glibc.
fn glibc() -> Option<(u32, u32)> {
    let asked = Command::new("getconf").arg("GNU_LIBC_VERSION").output();
    let said = String::from_utf8(asked.ok()?.stdout).ok()?;
    let (major, minor) = said.trim().strip_prefix("glibc ")?.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// The commit of a release build, from the repository or the package. Other builds do not name it,
/// because each commit would make cargo build them again.
fn commit() -> String {
    if var("PROFILE").as_deref() != Ok("release") {
        return "of a development build".to_owned();
    }
    // Only if it exists: a missing file makes cargo build the crate again each time.
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

/// Reads the commit from `VCS_INFO`: `"sha1": "…"`.
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

/// Output of git in this package's own repository; `None` if it is empty or fails.
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
