//! Tries every known way to escape from a trial, with each kind of sandbox on this machine.
//!
//! A probe has escaped if it prints `OUT` or leaves a file named `escaped` outside of the copy.
//! Most probes also run without a sandbox, where they must escape: otherwise they would prove
//! nothing.
#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, clippy::panic, clippy::unwrap_used)]

mod table;
mod world;

use std::os::unix::fs::PermissionsExt;

use table::{Control, Expected, probes};
use world::{Way, World, ways};

/// Runs every probe in this kind of sandbox.
fn run_probes(way: &Way) {
    let (world, probes) = (World::new(way), probes());
    let answers = world.trials(probes.iter().map(|it| (it.script, &it.bounds)));
    let mut wrong = Vec::new();
    for (probe, answer) in probes.iter().zip(&answers) {
        let exit = answer["exit"].as_str().unwrap();
        let head = answer["head"].as_str().unwrap();
        let out = head.lines().any(|it| it == "OUT");
        let ended = match &probe.expected {
            Expected::Refused => exit.starts_with("Code("),
            Expected::Ends(ways) => ways.iter().any(|it| exit.starts_with(it)),
        };
        if out || !ended {
            wrong.push(format!("{}: {exit}: {head}", probe.name));
        }
    }
    assert_eq!(answers.len(), probes.len());
    assert!(wrong.is_empty(), "{}:\n{}", way.name, wrong.join("\n"));
    assert_eq!(world.escaped(), Vec::<String>::new(), "{}", way.name);
    assert!(world.is_as_it_was(), "{}", way.name);
    assert_eq!(world.left_running(), Vec::<String>::new(), "{}", way.name);
    assert_eq!(world.copies_left(), 0, "{}", way.name);
}

/// Runs the probes if the sandbox works here; otherwise prints that it does not, or fails if it is
/// required to work.
fn run_probes_if_available(name: &str) {
    let count = probes().len();
    assert!(count >= 40);
    let Some(way) = ways().into_iter().find(|it| it.name == name) else {
        eprintln!("SKIPPED: {count} probes by {name}");
        let is_there = name != world::BY_BUBBLEWRAP || world::bubblewrap().is_some();
        let promised = is_there && std::env::var_os("AITC_SANDBOX_MUST_WORK").is_some();
        assert!(!promised, "{name} must work on this machine");
        return;
    };
    eprintln!("{name}: {count} probes");
    run_probes(&way);
}

#[test]
fn nothing_gets_out_of_the_namespaces_of_a_user() {
    run_probes_if_available(world::BY_USER);
}

#[test]
fn nothing_gets_out_of_the_namespaces_of_root() {
    if rustix::process::geteuid().is_root() {
        run_probes_if_available(world::BY_ROOT);
    } else {
        eprintln!("SKIPPED: probes as root; the tests run as a user");
    }
}

#[test]
fn nothing_gets_out_of_bubblewrap() {
    run_probes_if_available(world::BY_BUBBLEWRAP);
}

/// Writes over an untracked folder stay in the trial.
#[test]
fn dependencies_and_builds_can_be_written_over() {
    for way in ways().iter().filter(|it| it.bubblewrap.is_none()) {
        let world = World::new(way);
        let dependencies = "mkdir .venv/made && echo x > .venv/made/x && cat .venv/made/x";
        let builds = "echo x >> target/made && rm target/made && mkdir target/made && echo x";
        for ended in world.trials([(dependencies, &table::BOUNDS), (builds, &table::BOUNDS)]) {
            assert_eq!(ended["exit"], "Code(0)", "{}: {ended}", way.name);
            assert_eq!(ended["head"], "x\n");
        }
        assert!(!world.at("tree/.venv/made").exists());
        assert_eq!(
            std::fs::read_to_string(world.at("tree/target/made")).unwrap(),
            "made\n"
        );
        assert_eq!(world.copies_left(), 0);
    }
}

/// Files that only root can read stay unreadable in a folder whose owner is mapped to the trial's
/// user.
#[test]
fn what_root_keeps_to_itself_is_not_given_away() {
    let closed = std::fs::Permissions::from_mode(0o600);
    for way in ways().iter().filter(|it| it.is_root()) {
        let world = World::new(way);
        std::fs::set_permissions(world.at("tree/target/made"), closed.clone()).unwrap();
        let folder = world.at("tree/.venv/closed");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("key"), "key\n").unwrap();
        std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o700)).unwrap();
        let script = "cat target/made .venv/closed/key; ls .venv/closed; echo x > target/new && \
                      echo x > .venv/bin/tool && cat .venv/bin/tool";
        let ended = &world.trials([(script, &table::BOUNDS)])[0];
        let head = ended["head"].as_str().unwrap();
        assert!(
            !head.contains("made\n") && !head.contains("key\n"),
            "{ended}"
        );
        assert!(head.ends_with("x\n"), "{ended}");
        // If many files are closed, the folder is not mapped at all.
        for n in 0..=100 {
            let path = world.at(&format!("tree/target/closed-{n}"));
            std::fs::write(&path, "key\n").unwrap();
            std::fs::set_permissions(&path, closed.clone()).unwrap();
        }
        let ended = &world.trials([("cat target/*; ls target", &table::BOUNDS)])[0];
        assert!(
            !ended["head"].as_str().unwrap().contains("key\n"),
            "{ended}"
        );
    }
}

/// If the caller is killed, the trial ends too, and the next opening of the copies' folder removes
/// what is left.
#[test]
fn a_trial_ends_with_whoever_runs_it() {
    for way in ways() {
        let world = World::new(&way);
        let long = "setsid perl -e 'sleep 86400' {mark} & exec perl -e 'sleep 86400' {mark}";
        let mut runner = world.runner([(long, &table::BOUNDS)]);
        world.wait_for_sleep();
        assert_eq!(world.copies_left(), 1);
        runner.kill().unwrap();
        runner.wait().unwrap();
        world.wait_until("all has ended", || world.left_running().is_empty());
        assert_eq!(world.copies_left(), 1, "{}", way.name);
        assert_eq!(world.trials([]).len(), 0);
        assert_eq!(world.copies_left(), 0, "{}", way.name);
    }
}

/// A copy that is in use is not removed.
#[test]
fn a_copy_in_use_is_not_removed() {
    let Some(way) = ways().into_iter().next() else {
        eprintln!("SKIPPED: this machine has no means");
        return;
    };
    let world = World::new(&way);
    let mut runner = world.runner([("exec perl -e 'sleep 86400' {mark}", &table::BOUNDS)]);
    world.wait_for_sleep();
    assert_eq!(world.trials([]).len(), 0);
    assert_eq!(world.copies_left(), 1);
    runner.kill().unwrap();
    runner.wait().unwrap();
}

#[test]
fn every_probe_gets_out_without_a_sandbox() {
    let mut shown = 0;
    let mut wrong = Vec::new();
    for way in ways().iter().filter(|it| it.bubblewrap.is_none()) {
        let world = World::new(way);
        for probe in probes() {
            let here = match probe.control {
                Control::Anybody => true,
                Control::Root => way.is_root(),
                Control::User => !way.is_root(),
                Control::ByHand => false,
            };
            if here {
                let told = world.without_sandbox(probe.script);
                let escaped = world.escaped();
                let out = told.lines().any(|it| it == "OUT") || !escaped.is_empty();
                escaped
                    .iter()
                    .for_each(|it| std::fs::remove_file(it).unwrap());
                if !out {
                    wrong.push(format!("{}, {}: {told}", way.name, probe.name));
                }
                shown += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    eprintln!("{shown} probes got out");
}
