//! Laws of ARCHITECTURE.md that neither types nor a single module can enforce.

mod clock;
mod doors;
mod hostile;
mod journals;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Folders whose code must not access network, files, clock or environment.
const PURE: [&str; 3] = ["crates/workshop/src", "src/ui/view", "src/config"];

/// Names that give access to the outside world.
const WORLD: [&str; 12] = [
    "crate::edge",
    "crate::driver",
    "crate::cli",
    "tokio",
    "reqwest",
    "std::fs",
    "std::env",
    "std::process",
    "std::net",
    "std::thread",
    "Instant",
    "SystemTime",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every source file: its path relative to the root, and its text.
fn sources() -> Vec<(String, String)> {
    ["src", "crates"]
        .into_iter()
        .flat_map(|top| walkdir::WalkDir::new(root().join(top)).sort_by_file_name())
        .map(Result::unwrap)
        .filter(|entry| entry.path().extension().is_some_and(|it| it == "rs"))
        .map(|entry| {
            let path = entry.path().strip_prefix(root()).unwrap();
            let text = std::fs::read_to_string(entry.path()).unwrap();
            (path.display().to_string(), text)
        })
        .collect()
}

/// The pure folder that contains the file.
fn pure_folder(path: &str) -> Option<&'static str> {
    let holds =
        |folder: &&&str| path.starts_with(&format!("{folder}/")) || path == format!("{folder}.rs");
    PURE.iter().find(holds).copied()
}

/// Whether the whole file is test code.
fn is_for_tests(path: &str) -> bool {
    let name = Path::new(path).file_name().unwrap().to_str().unwrap();
    matches!(name, "tests.rs" | "samples.rs") || path.contains("/tests/")
}

/// The lines of code before the tests at the end of a file, without comments.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let tests = text.find("#[cfg(test)]\nmod tests {").unwrap_or(text.len());
    let lines = text[..tests].lines().enumerate();
    lines
        .map(|(n, line)| (n + 1, line))
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

#[test]
fn law_2_pure_rooms_do_not_know_the_world() {
    let mut seen = std::collections::BTreeSet::new();
    for (path, text) in sources() {
        let Some(folder) = pure_folder(&path).filter(|_| !is_for_tests(&path)) else {
            continue;
        };
        seen.insert(folder);
        for (n, line) in code(&text) {
            for word in WORLD {
                assert!(
                    !line.contains(word),
                    "{path}:{n}: `{word}` in a pure room: {line}"
                );
            }
        }
    }
    assert_eq!(seen, PURE.into_iter().collect());
    let library = std::fs::read_to_string(root().join("crates/workshop/Cargo.toml")).unwrap();
    for world in ["tokio", "reqwest", "jiff", "uuid", "rustix", "fastrand"] {
        assert!(!library.contains(world), "the library depends on {world}");
    }
}

#[test]
fn law_2_only_the_edge_allows_what_clippy_forbids() {
    for (path, text) in sources() {
        let allows = code(&text).any(|(_, line)| line.contains("disallowed_methods"));
        assert!(
            !allows
                || path.starts_with("src/edge/")
                || path == "crates/sandbox/src/lib.rs"
                || path == "src/ui/mod.rs"
                || is_for_tests(&path)
                || path == "src/main.rs",
            "{path}"
        );
    }
    // Only the panic hook may exit the process, because it cannot return to a caller.
    let main = std::fs::read_to_string(root().join("src/main.rs")).unwrap();
    assert_eq!(main.matches("disallowed_methods").count(), 1);
    assert_eq!(main.matches("process::exit").count(), 1);
    let clippy = std::fs::read_to_string(root().join("clippy.toml")).unwrap();
    for method in [
        "std::time::SystemTime::now",
        "std::time::Instant::now",
        "jiff::Timestamp::now",
        "uuid::Uuid::now_v7",
        "fastrand::f64",
        "std::env::var",
        "std::env::current_dir",
        "std::fs::read",
        "std::fs::write",
        "std::fs::copy",
        "std::fs::metadata",
        "std::fs::OpenOptions::new",
        "std::path::Path::exists",
        "std::path::Path::canonicalize",
        "std::process::exit",
        "std::process::Command::new",
    ] {
        assert!(
            clippy.contains(&format!("\"{method}\"")),
            "{method} is not forbidden"
        );
    }
}

/// Dependencies between the files of the command line must not be circular.
#[test]
fn no_file_of_the_command_line_leads_back_to_itself() {
    let mut knows: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, text) in sources() {
        let below = path.strip_prefix("src/cli/");
        let Some(below) = below.filter(|below| *below != "mod.rs" && !is_for_tests(&path)) else {
            continue;
        };
        let is_within = below.contains('/') && !below.ends_with("/mod.rs");
        let begins = if is_within {
            "use crate::cli::"
        } else {
            "use super::"
        };
        let code: String = code(&text).map(|(_, line)| format!("{line} ")).collect();
        let uses = code
            .split(begins)
            .skip(1)
            .filter_map(|rest| rest.split(';').next());
        let words = uses.flat_map(|one| one.split(|c: char| !c.is_alphanumeric() && c != '_'));
        let name = below.split(['/', '.']).next().unwrap();
        // `mod.rs` re-exports it.
        let files = words.map(|word| word.replace("Context", "context"));
        let others = files.filter(|file| file != name);
        knows.entry(name.to_owned()).or_default().extend(others);
    }
    // Repeatedly remove the files that use none of the remaining ones; a cycle would remain.
    while !knows.is_empty() {
        let free = |others: &BTreeSet<String>| others.iter().all(|one| !knows.contains_key(one));
        let free: Vec<String> = knows
            .iter()
            .filter(|(_, others)| free(others))
            .map(|(name, _)| name.clone())
            .collect();
        assert!(!free.is_empty(), "a circle of {:?}", knows.keys());
        knows.retain(|name, _| !free.contains(name));
    }
}

/// Rooms of the library; each uses only rooms before it.
const ROOMS: [&str; 20] = [
    "lang", "ids", "bounded", "fence", "clean", "fault", "words", "yaml", "redact", "role", "call",
    "chat", "reply", "machine", "prompt", "artifact", "export", "check", "thread", "page",
];

#[test]
fn rooms_of_the_library_use_only_earlier_ones() {
    let mut seen = BTreeSet::new();
    for (path, text) in sources() {
        let Some(below) = path.strip_prefix("crates/workshop/src/") else {
            continue;
        };
        let room = below.split(['/', '.']).next().unwrap();
        if room == "lib" || is_for_tests(&path) {
            continue;
        }
        let place = ROOMS.iter().position(|one| *one == room);
        let place = place.unwrap_or_else(|| panic!("{path} is in no room of the list"));
        seen.insert(room.to_owned());
        for (n, line) in code(&text) {
            for used in line.split("crate::").skip(1) {
                let used = used
                    .split(|c: char| !c.is_alphanumeric() && c != '_')
                    .next();
                let used = ROOMS.iter().position(|one| Some(*one) == used);
                assert!(used.is_none_or(|used| used <= place), "{path}:{n}: {line}");
            }
        }
    }
    assert_eq!(seen.len(), ROOMS.len());
}

#[test]
fn nothing_points_upward() {
    // main -> cli -> driver -> other folders, and driver -> edge.
    for (path, text) in sources() {
        let forbidden: &[&str] = match path.split('/').nth(1).unwrap() {
            "edge" => &["crate::driver", "crate::cli", "crate::ui"],
            "config" => &["crate::driver", "crate::cli", "crate::ui", "crate::edge"],
            "ui" => &["crate::driver", "crate::cli"],
            "driver" => &["crate::cli", "crate::ui"],
            _ => &[],
        };
        for (n, line) in code(&text) {
            for word in forbidden {
                assert!(!line.contains(word), "{path}:{n}: `{word}`");
            }
        }
    }
}
