//! All files are opened by one module: whatever a cloned repository contains, no outside file is
//! read, nothing blocks, and memory is bounded.

use std::os::unix::fs::symlink;
use std::path::Path;

use super::{code, is_for_tests, sources};
use crate::support::binary::{Place, Ran, files_below, mkfifo};
use crate::support::fake::{Fake, WorkshopScript, workshop};

const WISH: &str = "Export the invoices as CSV with another separator";
const CANARY: &str = "export invoices csv separator CANARY";
const HOME: &str = ".ai-tools-chain";

#[test]
fn only_one_module_opens_files() {
    const OPENS: [&str; 10] = [
        "File::open",
        "File::create",
        "OpenOptions",
        "fs::read(",
        "fs::read_dir(",
        "fs::write(",
        "fs::copy(",
        "read_to_string(",
        "openat(",
        "WalkBuilder",
    ];
    let mut doors = 0;
    // The sandbox copies files for a command and not for prompts; it has its own security tests.
    let opened = |path: &str| !path.starts_with("crates/sandbox/");
    for (path, text) in sources().into_iter().filter(|(path, _)| opened(path)) {
        let is_door = path == "src/edge/safe_open.rs";
        for (n, line) in code(&text).filter(|_| !is_for_tests(&path)) {
            let opens = OPENS.iter().any(|word| line.contains(word));
            assert!(!opens || is_door, "{path}:{n}: {line}");
            doors += usize::from(opens);
        }
    }
    assert!(doors >= 3, "{doors}");
}

/// A workspace and a fake server; the home contains private files.
fn private() -> (Place, Fake) {
    let place = Place::new();
    let notes = place.home().join("notes");
    std::fs::create_dir(&notes).unwrap();
    let role = format!("---\nid: Spy\ncode: SP\norder: 9\nsummary: S.\n---\n{CANARY}\n");
    for (name, text) in [
        ("d.md", CANARY),
        ("role.md", &role),
        ("config.yaml", &format!("language: en # {CANARY}\n")),
    ] {
        std::fs::write(notes.join(name), text).unwrap();
    }
    (place, Fake::start(workshop(WorkshopScript::default())))
}

fn plan(place: &Place, fake: &Fake) -> Ran {
    place.run_with(fake, &["plan", WISH, "--light", "--questions", "assume"])
}

fn link(place: &Place, target: &str, at: &str) {
    let at = place.work().join(at);
    std::fs::create_dir_all(at.parent().unwrap()).unwrap();
    symlink(target, at).unwrap();
}

#[track_caller]
fn nothing_got_in(place: &Place, fake: &Fake, ran: &Ran, what: &str) {
    let told = [&ran.out, &ran.err]
        .iter()
        .any(|said| said.contains("CANARY"));
    assert!(!told, "{what}: {ran:#?}");
    for (path, bytes) in files_below(place.work()) {
        assert!(
            !String::from_utf8_lossy(&bytes).contains("CANARY"),
            "{what}: {path}"
        );
    }
    for seen in fake.seen() {
        assert!(!seen.text().contains("CANARY"), "{what}: {}", seen.key);
    }
}

/// Knowledge folders: the path looks harmless, but contains a link.
#[test]
fn knowledge_that_leads_out_is_told_and_not_read() {
    for (target, at, named) in [
        ("../../home/notes", "docs/kb", "docs/kb"),
        ("../../home/notes/d.md", "docs/kb.md", "docs/kb.md"),
        ("../kb2", "docs/kb", "docs/kb"),
        ("../home", "up", "up/notes"),
        ("../home", "up", "up/notes/d.md"),
        ("ABSOLUTE", "kb", "kb"),
    ] {
        let (place, fake) = private();
        let absolute = place.home().join("notes");
        let target = target.replace("ABSOLUTE", absolute.to_str().unwrap());
        link(&place, &target, at);
        link(&place, "../home/notes", "kb2");
        for flag in [None, Some(named)] {
            let config = match flag {
                None => format!("knowledge: [{named}]\n"),
                Some(_) => String::new(),
            };
            place.write(&format!("{HOME}/config.yaml"), &config);
            let mut line = vec!["plan", WISH, "--questions", "assume"];
            line.extend(flag.iter().flat_map(|flag| ["--knowledge", flag]));
            let ran = place.run_with(&fake, &line).ends(0);
            let told = ran.err.matches("points outside the workspace").count();
            assert_eq!(told, 1, "{named}: {ran:#?}");
            nothing_got_in(&place, &fake, &ran, named);
        }
    }
}

/// A link that stays in the workspace is followed, and a folder outside that the user names is
/// read.
#[test]
fn knowledge_that_lies_within_or_is_the_users_own_is_read() {
    let (place, fake) = private();
    place.write("kept/d.md", CANARY);
    link(&place, "../kept", "docs/kb");
    place.write(&format!("{HOME}/config.yaml"), "knowledge: [docs/kb]\n");
    plan(&place, &fake).ends(0);
    assert!(
        fake.seen()
            .iter()
            .any(|seen| seen.text().contains("CANARY"))
    );
    let (place, fake) = private();
    let line = ["plan", WISH, "--questions", "assume"];
    place
        .run_with(
            &fake,
            &[&line[..], &["--knowledge", "../home/notes"]].concat(),
        )
        .ends(0);
    assert!(
        fake.seen()
            .iter()
            .any(|seen| seen.text().contains("CANARY"))
    );
}

/// Files that override built-in ones, and settings.
#[test]
fn own_files_that_lead_out_are_refused() {
    for (target, at) in [
        ("../../../home/notes/role.md", "roles/spy.md"),
        ("../../home/notes", "roles"),
        ("../../../home/notes", "roles/more"),
        ("../../../../home/notes/d.md", "templates/prompt/turn.j2"),
        ("../../home/notes", "templates"),
        ("../../home/notes/d.md", "diligence.md"),
        ("../../home/notes/d.md", "team.yaml"),
        ("../../home/notes/config.yaml", "config.yaml"),
        ("/", "roles"),
        ("/dev/zero", "config.yaml"),
        ("/dev/zero", "team.yaml"),
    ] {
        let (place, fake) = private();
        link(&place, target, &format!("{HOME}/{at}"));
        let ran = plan(&place, &fake).fails(3, &[at, "points outside the workspace"]);
        nothing_got_in(&place, &fake, &ran, at);
        assert!(place.versions().is_empty(), "{at}");
    }
}

fn pipe(at: &Path) {
    std::fs::create_dir_all(at.parent().unwrap()).unwrap();
    let _ = std::fs::remove_file(at);
    mkfifo(at);
}

fn without_end(at: &Path) {
    std::fs::create_dir_all(at.parent().unwrap()).unwrap();
    std::fs::File::create(at).unwrap().set_len(3 << 30).unwrap();
}

/// Ignore files and git's own files: the problem is reported, and the run continues.
#[test]
fn rules_that_are_no_files_are_told_and_the_plan_goes_on() {
    for at in [
        ".gitignore",
        ".ignore",
        ".aitcignore",
        "src/.gitignore",
        ".git/info/exclude",
        ".git/HEAD",
    ] {
        for make in [pipe, without_end, |at: &Path| {
            std::fs::create_dir_all(at.parent().unwrap()).unwrap();
            symlink("/dev/zero", at).unwrap();
        }] {
            let (place, fake) = private();
            place.write("src/invoices.rs", "fn export() {}\n");
            make(&place.work().join(at));
            let ran = plan(&place, &fake).ends(0);
            let is_told = ran.err.contains(&format!("left out of the search: {at}: "));
            assert!(is_told || at == ".git/HEAD", "{at}: {ran:#?}");
        }
    }
    let (place, fake) = private();
    place.write("src/invoices.rs", "fn export() {}\n");
    place.write(
        ".gitignore",
        &(0..9000).map(|n| format!("x{n}\n")).collect::<String>(),
    );
    plan(&place, &fake)
        .ends(0)
        .says(&["only the first 5000 rules"]);
}

/// Settings and overriding files: an error names the file.
#[test]
fn settings_that_are_no_files_are_refused() {
    for make in [pipe, without_end] {
        for at in [
            "config.yaml",
            "team.yaml",
            "diligence.md",
            "roles/x.md",
            "templates/prompt/turn.j2",
        ] {
            let (place, fake) = private();
            make(&place.work().join(HOME).join(at));
            plan(&place, &fake).fails(3, &[at]);
        }
        let (place, fake) = private();
        let own = place.home().join("own.yaml");
        make(&own);
        let own = own.to_str().unwrap();
        place
            .run_with(&fake, &["plan", WISH, "--config", own])
            .fails(3, &["own.yaml"]);
        for line in [
            &["plan", "-f", own][..],
            &["plan", WISH, "--answers", own],
            &["batch", own],
        ] {
            let ran = place.run_with(&fake, line);
            assert!((2..=3).contains(&ran.code), "{line:?}: {ran:#?}");
        }
    }
}

/// Files of a version or draft: every command that reads them ends quickly with an error.
#[test]
fn files_of_versions_that_are_none_are_told() {
    let (place, fake) = private();
    plan(&place, &fake).ends(0);
    let version = place.outputs("v1");
    let kept = tempfile::tempdir().unwrap();
    for (path, bytes) in files_below(&version) {
        let (at, copy) = (version.join(&path), kept.path().join("copy"));
        std::fs::write(&copy, &bytes).unwrap();
        for make in [pipe, without_end, |at: &Path| {
            symlink("/dev/zero", at).unwrap()
        }] {
            std::fs::remove_file(&at).unwrap();
            make(&at);
            let ran = place.run(&["verify"]);
            assert!([10, 11, 12].contains(&ran.code), "{path}: {ran:#?}");
            if [
                "planning_report.md",
                "product_plan.json",
                "planning_transcript.jsonl",
                "manifest.json",
            ]
            .contains(&path.as_str())
            {
                for line in [&["show"][..], &["show", "product"], &["check"], &["status"]] {
                    assert!(place.run(line).code < 13, "{path}: {line:?}");
                }
            }
            std::fs::remove_file(&at).unwrap();
            std::fs::copy(&copy, &at).unwrap();
        }
    }
    place.run(&["verify"]).ends(0);
    let script = WorkshopScript {
        questions: 1,
        ..WorkshopScript::default()
    };
    let (place, fake) = (Place::new(), Fake::start(workshop(script)));
    place.run_with(&fake, &["plan", WISH]).ends(8);
    for path in [
        "questions.md",
        "inbox/0190.json",
        "planning_transcript.jsonl",
    ] {
        for make in [pipe, without_end] {
            let at = place.outputs("v1.draft").join(path);
            let before = std::fs::read(&at).ok();
            let _ = std::fs::remove_file(&at);
            make(&at);
            for line in [
                &["resume"][..],
                &["questions"],
                &["status"],
                &["answer", "Q-1", "x"],
            ] {
                let ran = place.run_with(&fake, line);
                assert!(ran.code < 13, "{path}: {ran:#?}");
            }
            std::fs::remove_file(&at).ok();
            if let Some(before) = before {
                std::fs::write(&at, before).unwrap();
            }
        }
    }
}
