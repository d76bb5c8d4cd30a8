//! Unusual folders: each is searched and looked at in every way, and a run in it completes.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;

use aitc::edge::knowledge::Search;
use aitc::machine::Lang;
use aitc::reply::{Look, LookKind};
use serde_json::json;

use crate::support::binary::{Place, git, mkfifo};
use crate::support::fake::{Fake, Reply, WorkshopScript, workshop};

const WISH: &str = "Let the needle be longer";
const NEEDLE: &str = "pub fn needle() {}\n";

/// A folder and the expected results.
struct Odd {
    name: &'static str,
    make: fn(&Path),
    /// Files in which the needle is found.
    found: &'static [&'static str],
    /// Files whose content is not shown.
    not_read: &'static [&'static str],
    /// Notices of the survey about what it left out, in order.
    told: &'static [&'static str],
    /// The remark on an outline of the whole folder.
    remark: Option<&'static str>,
    /// Number of commits shown for the file.
    commits: usize,
}

/// A file with the needle, without notices.
const PLAIN: Odd = Odd {
    name: "",
    make: |_| (),
    found: &["a.rs"],
    not_read: &[],
    told: &[],
    remark: None,
    commits: 0,
};

const TREES: [Odd; 16] = [
    Odd {
        name: "nothing",
        found: &[],
        remark: Some("there is no such file, or none that may be read"),
        ..PLAIN
    },
    Odd {
        name: "a repository without a commit",
        make: |root| {
            git(root, &["init", "-q"]);
            put(root, "a.rs");
        },
        ..PLAIN
    },
    Odd {
        name: "no repository",
        make: |root| put(root, "a.rs"),
        ..PLAIN
    },
    Odd {
        name: "a submodule",
        make: |root| {
            let other = root.join("../other");
            committed(&other, &["inner.rs"]);
            committed(root, &["a.rs"]);
            let other = other.to_str().unwrap();
            let file = "protocol.file.allow=always";
            git(root, &["-c", file, "submodule", "-q", "add", other, "sub"]);
            git(root, &["commit", "-q", "-m", "Add a part"]);
        },
        found: &["a.rs", "sub/inner.rs"],
        commits: 1,
        ..PLAIN
    },
    Odd {
        name: "a worktree",
        make: |root| {
            let main = root.join("../main");
            committed(&main, &["a.rs"]);
            git(&main, &["worktree", "add", "-q", root.to_str().unwrap()]);
        },
        commits: 1,
        ..PLAIN
    },
    Odd {
        name: "a sparse checkout",
        make: |root| {
            committed(root, &["in/a.rs", "out/b.rs"]);
            git(root, &["sparse-checkout", "set", "in"]);
        },
        found: &["in/a.rs"],
        commits: 1,
        ..PLAIN
    },
    Odd {
        name: "a repository that is damaged",
        make: |root| {
            committed(root, &["a.rs"]);
            fs::write(root.join(".git/HEAD"), [0xff; 64]).unwrap();
            fs::write(root.join(".git/index"), b"DIRC").unwrap();
        },
        ..PLAIN
    },
    Odd {
        name: "only binary files",
        make: |root| fs::write(root.join("needle.png"), b"\x89PNG\0needle").unwrap(),
        found: &[],
        not_read: &["needle.png"],
        ..PLAIN
    },
    Odd {
        name: "one file of 50 MB",
        make: |root| {
            put(root, "a.rs");
            fs::write(root.join("all.rs"), NEEDLE.repeat(50_000_000 / 19)).unwrap();
        },
        not_read: &["all.rs"],
        ..PLAIN
    },
    Odd {
        name: "a line of 1 MB",
        make: |root| {
            put(root, "a.rs");
            fs::write(root.join("line.rs"), "needl ".repeat(170_000)).unwrap();
        },
        ..PLAIN
    },
    Odd {
        name: "names in other encodings",
        make: |root| {
            put(root, "a.rs");
            for name in [&b"caf\xe9.rs"[..], b"\xb6\xa9\xb5\xa5.rs", b"two\nlines.rs"] {
                fs::write(root.join(OsStr::from_bytes(name)), NEEDLE).unwrap();
            }
        },
        told: &["left out, as their names cannot be shown: 3"],
        remark: Some("left out, as their names cannot be shown: 3"),
        ..PLAIN
    },
    Odd {
        name: "10,000 entries in one folder",
        make: |root| {
            put(root, "a.rs");
            (1..10_000).for_each(|n| fs::write(root.join(format!("b{n}")), "").unwrap());
        },
        remark: Some("150 of 10000 entries"),
        ..PLAIN
    },
    Odd {
        name: "folders within one another",
        make: |root| {
            let deep = root.join("d/".repeat(500));
            fs::create_dir_all(&deep).unwrap();
            put(&deep, "deep.txt");
            put(root, "a.rs");
        },
        found: &["a.rs", "deep.txt"],
        ..PLAIN
    },
    Odd {
        name: "names that differ by case alone",
        make: |root| {
            for path in ["A.rs", "a.rs", "src/x.rs", "SRC/x.rs"] {
                put(root, path);
            }
        },
        found: &["A.rs", "SRC/x.rs", "a.rs", "src/x.rs"],
        ..PLAIN
    },
    Odd {
        name: "pipes, sockets and links in a circle",
        make: |root| {
            put(root, "a.rs");
            for name in ["pipe.rs", ".gitignore", "AGENTS.md", "Cargo.toml"] {
                mkfifo(&root.join(name));
            }
            drop(std::os::unix::net::UnixListener::bind(root.join("socket.rs")).unwrap());
            symlink("circle", root.join("circle")).unwrap();
            symlink(".", root.join("again")).unwrap();
            symlink("/dev/zero", root.join("zero.rs")).unwrap();
        },
        not_read: &["pipe.rs", "socket.rs", "circle", "zero.rs"],
        told: &[
            "left out of the search: .gitignore: it is not a regular file; replace it with one",
        ],
        ..PLAIN
    },
    Odd {
        name: "a folder of git that is none, and an empty file",
        make: |root| {
            put(root, "a.rs");
            fs::create_dir(root.join(".git")).unwrap();
            fs::write(root.join("empty.rs"), "").unwrap();
        },
        ..PLAIN
    },
];

fn put(root: &Path, path: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, NEEDLE).unwrap();
}

/// A repository with one commit of these files.
fn committed(root: &Path, paths: &[&str]) {
    paths.iter().for_each(|path| put(root, path));
    git(root, &["init", "-q"]);
    git(root, &["add", "-A"]);
    git(root, &["commit", "-q", "-m", "Begin"]);
}

/// Everything in the folder is found, and everything left out is reported.
fn is_seen(tree: &Odd, root: &Path) {
    let name = tree.name;
    let search = Search {
        root,
        knowledge: &[],
        redact: &str::to_owned,
        stop: &|| false,
        cache: None,
    };
    let searched = search.survey(WISH, 2_000).unwrap();
    let told: Vec<&str> = searched.unread.iter().map(|it| it.of(Lang::En)).collect();
    assert_eq!(told, tree.told, "{name}");
    let look = |kind, what: &str| search.look(&[Look::new(kind, what)], Lang::En).remove(0);
    for kind in [LookKind::Search, LookKind::Symbol] {
        let found = look(kind, "needle").found.into_iter();
        let paths: Vec<String> = found.map(|it| it.path.replace("d/", "")).collect();
        assert_eq!(paths, tree.found, "{name}: {kind:?}");
    }
    let outline = look(LookKind::Outline, ".");
    assert_eq!(outline.remark.as_deref(), tree.remark, "{name}");
    if let Some(path) = tree.found.first() {
        let read = look(LookKind::Read, path);
        assert_eq!(read.found[0].text, NEEDLE.trim(), "{name}");
        let history = look(LookKind::History, path).found;
        let commits = history.iter().flat_map(|it| it.text.lines()).count();
        assert_eq!(commits, tree.commits, "{name}");
    }
    for path in tree.not_read {
        for kind in [LookKind::Read, LookKind::Outline] {
            let seen = look(kind, path);
            let remark = Some("there is no such file, or none that may be read");
            assert_eq!(
                (&*seen.found, seen.remark.as_deref()),
                (&[][..], remark),
                "{path}"
            );
        }
    }
}

/// A run in which a member makes every kind of look.
fn is_planned_in(tree: &Odd, place: &Place) {
    let script = workshop(WorkshopScript::default());
    let fake = Fake::start(move |seen| match (seen.key.as_str(), seen.times) {
        ("speech/ProductPlanner/r1", 1) => {
            let looks = [
                (LookKind::Search, "needle"),
                (LookKind::Symbol, "needle"),
                (LookKind::Outline, "."),
                (LookKind::Read, "a.rs"),
                (LookKind::History, "a.rs"),
            ];
            let looks = looks.map(|(kind, what)| Look::new(kind, what));
            Reply::Text(json!({ "looks": looks }).to_string())
        }
        _ => script(seen),
    });
    let line = ["plan", WISH, "--light", "--questions", "assume"];
    let ran = place.run_with(&fake, &line).ends(0);
    let looks = place.events("v1", "look").len();
    assert_eq!(
        looks,
        usize::from(tree.name != "nothing"),
        "{}: {ran:?}",
        tree.name
    );
}

#[test]
fn no_folder_ends_a_run_or_hides_what_is_left_out() {
    for tree in &TREES {
        let place = Place::new();
        (tree.make)(place.work());
        is_seen(tree, place.work());
        is_planned_in(tree, &place);
    }
}
