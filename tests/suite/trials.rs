//! Trials: members have commands run before they answer, if the user permits it.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use aitc::driver::Outcome;
use aitc::edge::ports::{BoxFuture, Human, HumanAnswer, TrialAnswer};
use aitc::machine::{Event, Inputs, Job, Question, State, TrialEnd, TrialRecord};
use serde_json::{Value, json};

use crate::support::binary::{Going, Place, Ran, wait_until};
use crate::support::by_hand::{Hand, keep};
use crate::support::fake::{Fake, Reply, Seen, WorkshopScript, workshop};
use crate::support::fault::{Fault, FaultFs};
use crate::support::left::Kept;
use crate::support::run::{Nobody, hold_trying, inputs};
use crate::support::team::Team;
use crate::support::terminal::OnTerminal;
use crate::support::trial::Bench;

/// Runs a workshop in which one member requests three trials, on a bench.
fn hold(
    workspace: &Path,
    fs: FaultFs,
    human: &mut dyn Human,
    bench: &Arc<Bench>,
) -> Result<Outcome, aitc::fault::Fault> {
    let inputs = Inputs {
        trials: true,
        ..inputs(workspace)
    };
    let fs = Arc::new(fs.without_syncs());
    let team = Arc::new(Team::trying());
    hold_trying(fs, workspace, &inputs, &team, human, Arc::clone(bench))
}

fn state(outcome: Result<Outcome, aitc::fault::Fault>) -> Box<State> {
    match outcome {
        Ok(Outcome::Published { state, .. }) => state,
        other => panic!("{other:?}"),
    }
}

fn commands(bench: &Bench) -> Vec<String> {
    let ran = bench.ran.lock().unwrap();
    ran.iter().map(|job| job.command.join(" ")).collect()
}

#[test]
fn what_a_member_asks_for_is_run_once_in_its_order() {
    let workspace = tempfile::tempdir().unwrap();
    let bench = Arc::new(Bench::on("a tree"));
    let state = state(hold(
        workspace.path(),
        FaultFs::new(Fault::None),
        &mut Nobody,
        &bench,
    ));
    assert_eq!(commands(&bench), ["echo one", "echo two", "echo three"]);
    let ids: Vec<_> = state
        .grounding
        .trials
        .all
        .iter()
        .map(|one| one.id.0)
        .collect();
    assert_eq!(ids, [1, 2, 3]);
    let remarks = state
        .grounding
        .looks
        .all
        .iter()
        .flat_map(|record| &record.seen);
    let remarks: Vec<_> = remarks.filter_map(|one| one.remark.as_deref()).collect();
    assert!(remarks[2].contains("the same as RUN-2"), "{remarks:?}");
}

/// A user who gives this answer once.
struct Asked(TrialAnswer, Vec<String>);

impl Human for Asked {
    fn ask<'a>(
        &'a mut self,
        _state: &'a State,
        _questions: &'a [&'a Question],
    ) -> BoxFuture<'a, Result<Vec<HumanAnswer>, String>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn ask_trial<'a>(
        &'a mut self,
        _state: &'a State,
        who: &'a str,
        job: &'a Job,
    ) -> BoxFuture<'a, Result<TrialAnswer, String>> {
        self.1.push(format!("{who}: {}", job.command.join(" ")));
        Box::pin(async { Ok(self.0) })
    }
}

#[test]
fn the_user_is_asked_the_first_time_and_nothing_is_run_without_a_yes() {
    for (answer, runs) in [
        (TrialAnswer::Yes, 3),
        (TrialAnswer::Always, 3),
        (TrialAnswer::No, 0),
        (TrialAnswer::Nobody, 0),
    ] {
        let workspace = tempfile::tempdir().unwrap();
        let bench = Arc::new(Bench::with(None));
        let mut human = Asked(answer, Vec::new());
        let state = state(hold(
            workspace.path(),
            FaultFs::new(Fault::None),
            &mut human,
            &bench,
        ));
        assert_eq!(commands(&bench).len(), runs, "{answer:?}");
        assert_eq!(human.1, ["SD: echo one"], "{answer:?}");
        assert_eq!(state.grounding.trials.all.len(), runs, "{answer:?}");
    }
}

/// After a crash at any point: every trial is recorded before it runs, none runs again without a
/// new request, and the member is told about lost ones.
#[test]
fn a_crash_in_the_midst_of_a_trial_loses_it_and_repeats_nothing() {
    // The member speaks second, so its trials are among the first operations.
    cut_at(|left| left < 60 || left % 23 == 0);
}

#[test]
#[ignore = "slow: run with `cargo test --test suite -- --ignored`"]
fn slow_a_crash_at_every_operation_of_a_run_with_trials_repeats_nothing() {
    cut_at(|_| true);
}

/// Resumes from every chosen state that a crash can leave.
fn cut_at(is_chosen: fn(usize) -> bool) {
    let reference = tempfile::tempdir().unwrap();
    let bench = Arc::new(Bench::on("a tree"));
    let ran = Arc::clone(&bench);
    let kept = Kept::of(reference.path(), move || ran.ran.lock().unwrap().len());
    let fs = FaultFs::new(Fault::None).keeping(&kept);
    let whole = state(hold(reference.path(), fs, &mut Nobody, &bench));
    assert_eq!(whole.grounding.trials.all.len(), 3);
    let mut losses = 0;
    for (n, left) in kept.all().into_iter().enumerate() {
        let (workspace, at) = (left.folder.path(), &left.at);
        // After the rename nothing is left to do.
        if !is_chosen(n) || workspace.join(VERSION).exists() {
            continue;
        }
        let bench = Arc::new(Bench::on("a tree"));
        let fs = FaultFs::new(Fault::None);
        let state = state(hold(workspace, fs, &mut Nobody, &bench));
        let all = &state.grounding.trials.all;
        let lost = all
            .iter()
            .filter(|one| one.end() == Some(&TrialEnd::Lost))
            .count();
        losses += lost;
        assert!(lost <= 1, "what had ended is lost too, {at}");
        let done: BTreeSet<_> = all
            .iter()
            .filter(|one| matches!(one.end(), Some(TrialEnd::Exited { .. })))
            .map(|one| one.seen.look.command.clone())
            .collect();
        assert_eq!(done.len(), 3, "{at}");
        assert_eq!(all.len(), 3 + lost, "{at}");
        let ran = left.noted + commands(&bench).len();
        assert!(
            (3..=3 + lost).contains(&ran),
            "{ran} runs, {lost} lost, {at}"
        );
        assert!(
            all.iter().all(|one: &TrialRecord| one.end().is_some()),
            "{at}"
        );
    }
    assert!(losses > 0, "no trial is ever cut off");
}

const DRAFT: &str = ".ai-tools-chain/planning_outputs/v1.draft";
const VERSION: &str = ".ai-tools-chain/planning_outputs/v1";

/// A team in which one member requests `looks` before its first speech and then gives `evidence`.
fn member(looks: Value, evidence: Value) -> impl Fn(&Seen) -> Reply + Send + Sync + 'static {
    let script = workshop(WorkshopScript::default());
    move |seen| {
        let Reply::Text(text) = script(seen) else {
            panic!("{}", seen.key)
        };
        if seen.key != "speech/SeniorDeveloper/r1" {
            return Reply::Text(text);
        }
        let mut answer: Value = serde_json::from_str(&text).unwrap();
        match seen.text().contains("what was found is above") {
            false => answer["looks"] = looks.clone(),
            true => answer["evidence"] = evidence.clone(),
        }
        Reply::Text(answer.to_string())
    }
}

fn trying(command: &[&str]) -> Value {
    json!({
        "kind": "try", "what": "what the file holds", "from": null, "to": null, "glob": null,
        "files": [{"path": "new/b.txt", "text": "laid down\n"}], "command": command, "base": null,
    })
}

/// Runs a workshop by hand in a place with a file; only the first command gets `flags`. Returns the
/// result and all prompts.
fn held(place: &Place, flags: &[&str], looks: Value, evidence: Value) -> (Ran, String) {
    place.write("a.txt", "tracked\n");
    let hand = Hand::with(member(looks, evidence));
    let plan = [
        "plan",
        "Export the list",
        "--provider",
        "hand",
        "--questions",
        "assume",
    ];
    let mut ran = place.run(&[&plan[..], flags].concat());
    let (draft, mut prompts) = (place.work().join(DRAFT), Default::default());
    while ran.code == 8 {
        keep(&draft, &mut prompts);
        assert!(!hand.answers(&draft).is_empty(), "{ran:#?}");
        ran = place.run(&["next"]);
    }
    let prompts: Vec<String> = prompts.into_values().collect();
    (ran, prompts.join("\n"))
}

/// Where a machine records the runs for which its user has permitted trials.
const ALLOWED: &str = ".cache/aitc/trials-allowed";

/// The id of the only plan.
fn run_id(place: &Place) -> String {
    let first = &place.events("v1", "user_input")[0];
    first["run_id"].as_str().unwrap().to_owned()
}

/// A part of the prompt that offers trials.
const OFFERED: &str = "of a throwaway copy of the repository";
const SCRIPT: &str = "cat a.txt new/b.txt; echo changed > a.txt; cat a.txt; \
                      cat version.py; ls -A";

#[test]
fn held_by_hand_a_member_sees_what_its_command_printed_and_cites_it() {
    let place = Place::new();
    let claim = json!([{
        "claim": "The file can be changed.", "path": null, "from": null, "to": null,
        "quote": "changed", "run": "RUN-1",
    }]);
    // Generated code is visible although git ignores it, because other code imports it; other
    // ignored files, and files of `.aitcignore`, are not.
    let ignored = "version.py\nlocal_settings.py\nnotes.md\n.env\n.hidden.py\nunseen.py\n";
    place.write(".gitignore", ignored);
    place.write(".aitcignore", "unseen.py\n");
    let written = "# file generated by the build\nVERSION = 1\n";
    for (path, text) in [
        ("version.py", written),
        (".hidden.py", written),
        ("unseen.py", written),
        ("local_settings.py", "KEY = 1\n"),
        ("notes.md", "private"),
        (".env", "KEY=1"),
    ] {
        place.write(path, text);
    }
    let mut look = trying(&["sh", "-c", SCRIPT]);
    look["files"].as_array_mut().unwrap().push(json!({
        "path": "a.txt", "text": null, "edits": [{"old": "ed\n", "new": "ed and edited\n"}],
    }));
    let (ran, prompts) = held(&place, &["--trials"], json!([look]), claim);
    ran.ends(0);
    assert!(prompts.contains("RUN-1: exit 0 after "), "{prompts}");
    for line in [
        "    1  tracked and edited",
        "    2  laid down",
        "    3  changed",
        "    5  VERSION = 1",
        "    6  a.txt\n",
        "    7  new\n",
        "    8  version.py\n",
    ] {
        assert!(prompts.contains(line), "{line} in {prompts}");
    }
    assert!(!place.home().join(ALLOWED).join(run_id(&place)).exists());
    let report = DRAFT.replace("v1.draft", "v1/planning_report.md");
    let report = std::fs::read_to_string(place.work().join(report)).unwrap();
    assert!(report.contains("with `new/b.txt` (1 line)"), "{report}");
    assert!(report.contains("with `a.txt` (1 edit)"), "{report}");
    assert!(!report.contains("laid down\n```"), "{report}");
    assert!(prompts.contains("- E-1: The file can be changed. (RUN-1: \"changed\")"));
    // The tree is unchanged.
    let kept = std::fs::read_to_string(place.work().join("a.txt")).unwrap();
    assert_eq!(kept, "tracked\n");
    assert!(!place.work().join("new").exists());
    assert_eq!(place.events("v1", "trial_started").len(), 1);
    place.run(&["verify", "v1"]).ends(0);
    let shown = place.run(&["show", "RUN-1"]).ends(0).out;
    for part in [
        "$ sh -c",
        "--- new/b.txt",
        "laid down",
        "-ed\n+ed and edited",
        "exit 0 after",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    place
        .run(&["show", "RUN-2"])
        .fails(2, &["E-trial-missing", "RUN-2"]);
    let why = place.run(&["why", "RUN-1"]).ends(0).out;
    assert!(why.contains("E-1"), "{why}");
    let checked = place.run(&["check", "v1"]).out;
    assert!(
        checked.contains("0 were read, 1 run and 0 inferred"),
        "{checked}"
    );
}

/// Trials are not permitted by the run itself when it moves to another machine: each user has to
/// permit them.
#[test]
fn nothing_but_the_user_switches_trials_on() {
    let looks = json!([trying(&["sh", "-c", "echo ran"])]);
    // A member's request alone is not enough.
    let place = Place::new();
    let (ran, prompts) = held(&place, &[], looks.clone(), json!([]));
    ran.ends(0);
    assert!(
        prompts.contains("not run: trials are not switched on"),
        "{prompts}"
    );
    assert!(!prompts.contains(OFFERED), "nobody is told of them");
    assert_eq!(place.events("v1", "trial_started").len(), 0);

    // The repository's configuration cannot permit them, in any form.
    for text in [
        "trials:\n  enabled: true",
        "trials.enabled: true",
        "profiles:\n  x:\n    trials:\n      readable: [/]",
    ] {
        let place = Place::new();
        place.configure_project(text);
        place
            .run(&["plan", "x", "--provider", "hand"])
            .fails(3, &["E-config-forbidden", "trials"]);
    }
    let place = Place::new();
    place
        .run(&["config", "set", "trials.enabled", "true"])
        .fails(
            3,
            &[
                "E-config-forbidden",
                "aitc config set --user trials.enabled",
            ],
        );

    // A draft that was started with trials on another machine does not permit them.
    let place = Place::new();
    place.write("a.txt", "tracked\n");
    let hand = Hand::with(member(looks, json!([])));
    let plan = [
        "plan",
        "Export the list",
        "--provider",
        "hand",
        "--questions",
        "assume",
        "--trials",
    ];
    let mut ran = place.run(&plan);
    let (draft, mut prompts) = (place.work().join(DRAFT), Default::default());
    std::fs::remove_dir_all(place.home().join(ALLOWED)).unwrap();
    while ran.code == 8 {
        keep(&draft, &mut prompts);
        hand.answers(&draft);
        ran = place.run(&["resume"]);
    }
    let prompts: Vec<String> = prompts.into_values().collect();
    let prompts = prompts.join("\n");
    assert!(prompts.contains(OFFERED), "members are told of them");
    assert!(
        prompts.contains("not run: trials are not switched on"),
        "{prompts}"
    );
    assert_eq!(place.events("v1", "trial_started").len(), 0);

    // The user's own configuration does.
    let place = Place::new();
    place.configure("trials:\n  enabled: true");
    let looks = json!([trying(&["sh", "-c", "echo ran"])]);
    let (ran, prompts) = held(&place, &[], looks, json!([]));
    ran.ends(0);
    assert!(prompts.contains("    1  ran"), "{prompts}");
}

/// If a toolchain is missing, the member is told so, and its claims stay inferred.
#[test]
fn a_command_that_is_not_there_fails_usefully() {
    let place = Place::new();
    let looks = json!([
        trying(&["no-such-toolchain", "test"]),
        trying(&["sh", "-c", "no-such-compiler ."])
    ]);
    let claim = json!([{
        "claim": "The tests pass.", "path": null, "from": null, "to": null,
        "quote": "passed", "run": "RUN-1",
    }]);
    let (ran, prompts) = held(&place, &["--trials"], looks, claim);
    ran.ends(0);
    for (end, printed) in [
        (
            "RUN-1: could not be run: `no-such-toolchain` is not on this machine; ",
            "",
        ),
        ("RUN-2: exit 127 ", "no-such-compiler: not found"),
    ] {
        let told = prompts.lines().find(|line| line.contains(end)).unwrap();
        let rest = "try nothing else that needs it, and what it would show stays inferred";
        assert!(told.contains(rest), "{told}");
        assert!(prompts.contains(printed), "{prompts}");
    }
    assert!(
        prompts.contains("`RUN-1` brought no result"),
        "it is put back once"
    );
    let begun = place.events("v1", "trial_started");
    assert_eq!(begun.len(), 2);
    let _: Event = serde_json::from_value(begun[0].clone()).unwrap();
    let checked = place.run(&["check", "v1"]).out;
    assert!(
        checked.contains("0 were read, 0 run and 1 inferred"),
        "{checked}"
    );
}

/// After a kill during a trial the member is told, nothing runs without a new request, and the next
/// trial removes what the killed process left.
#[test]
fn a_process_that_is_killed_in_a_trial_loses_it_and_leaves_nothing() {
    let place = Place::new();
    place.write("a.txt", "tracked\n");
    let look = trying(&["sh", "-c", "echo begun; exec sleep 60"]);
    let hand = Hand::with(member(json!([look]), json!([])));
    let plan = [
        "plan",
        "Export the list",
        "--provider",
        "hand",
        "--questions",
        "assume",
    ];
    let mut ran = place.run(&[&plan[..], &["--trials"]].concat());
    let draft = place.work().join(DRAFT);
    let transcript = || std::fs::read_to_string(draft.join("planning_transcript.jsonl")).unwrap();
    let begun = || transcript().matches("\"phase\":\"trial_started\"").count();
    let left = || copies(&place);
    while ran.code == 8 && begun() == 0 {
        assert!(!hand.answers(&draft).is_empty(), "{ran:#?}");
        let mut going = Going::start(place.command(&["next", "--trials"]));
        wait_until("the trial, or the next prompt", || {
            left() > 0 || going.is_over()
        });
        ran = match begun() {
            0 => going.end(),
            _ => going.kill(),
        };
    }
    assert_eq!(begun(), 1, "{ran:#?}");
    assert_eq!(left(), 1, "it was killed before its copy could go");
    let told = place.run(&["next", "--trials"]);
    assert_eq!(left(), 0, "the next start removes it");
    assert_eq!(told.code, 8, "{told:#?}");
    assert!(told.out.contains("RUN-1 was cut off"), "{}", told.out);
    assert_eq!(begun(), 1, "nobody asked for it again");
    // If requested again, the command runs under the next number.
    let n = crate::support::by_hand::waiting(&draft)[0];
    let again = json!({"looks": [trying(&["sh", "-c", "echo again"])], "analysis": "a"});
    std::fs::write(
        crate::support::by_hand::file(&draft, n, "reply"),
        again.to_string(),
    )
    .unwrap();
    let told = place.run(&["next", "--trials"]);
    assert!(told.out.contains("RUN-2: exit 0"), "{}", told.out);
    assert_eq!(left(), 0);
}

/// Number of copies in the place's cache.
fn copies(place: &Place) -> usize {
    let names = std::fs::read_dir(place.home().join(".cache/aitc/trials"));
    let names = names.into_iter().flatten();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with("copy-")).count()
}

const WISH: [&str; 4] = ["plan", "Export the list", "--questions", "assume"];

#[test]
fn an_interrupt_ends_a_trial_and_its_copy_is_gone_with_the_process() {
    let looks = json!([trying(&["sh", "-c", "echo begun; exec sleep 600"])]);
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let place = Place::new();
        place.write("a.txt", "tracked\n");
        let fake = Fake::start(member(looks.clone(), json!([])));
        let going = place.start_with(&fake, &[&WISH[..], &["--trials"]].concat());
        wait_until("the trial", || copies(&place) > 0);
        going.signal(signal);
        going.end().ends(code);
        assert_eq!(copies(&place), 0, "{signal}");
        // The trial is reported as lost and runs again only if it is requested again.
        let begun = place.events("v1.draft", "trial_started").len();
        let fake = Fake::start(workshop(WorkshopScript::default()));
        place.run_with(&fake, &["resume", "--trials"]).ends(0);
        assert_eq!(place.events("v1", "trial_started").len(), begun);
        if begun > 0 {
            let told = |seen: &Seen| seen.text().contains("Where no result is given, it is lost");
            assert!(fake.asked("speech/SeniorDeveloper/r1").iter().any(told));
        }
    }
}

/// Wherever the process is killed during trials, results are kept, and nothing runs again without a
/// new request.
#[test]
#[ignore = "slow: run with `cargo test --test suite -- --ignored`"]
fn slow_a_kill_at_every_line_of_a_run_with_trials_repeats_nothing() {
    let looks =
        ["one", "two"].map(|word| trying(&["sh", "-c", &format!("sleep 0.1; echo {word}")]));
    let plan = [&WISH[..], &["--trials"]].concat();
    let fake = || Fake::start(member(json!(looks), json!([])));
    let place = || {
        let place = Place::new();
        place.write("a.txt", "tracked\n");
        place
    };
    let whole = place();
    whole.run_with(&fake(), &plan).ends(0);
    let tries = |line: &Value| line["phase"] == "trial_started" || line["phase"] == "look";
    let lines = whole.transcript("v1");
    let first = lines.iter().position(tries).unwrap();
    let last = lines.iter().rposition(tries).unwrap();
    let mut lost = 0;
    for n in first - 2..=last + 4 {
        let (place, fake) = (place(), fake());
        let mut going = place.start_with(&fake, &plan);
        wait_until("the line", || {
            place.lines("v1.draft") >= n || place.lines("v1") > 0 || going.is_over()
        });
        going.kill();
        if place.lines("v1") == 0 {
            place.run_with(&fake, &["resume", "--trials"]).ends(0);
        }
        place.run(&["verify", "v1"]).ends(0);
        assert_eq!(copies(&place), 0, "at line {n}");
        let begun = place.events("v1", "trial_started");
        let looked = place.events("v1", "look");
        let mut ended = looked
            .iter()
            .flat_map(|look| look["seen"].as_array().unwrap());
        let cut_off = begun.len() - 2;
        assert!(cut_off <= 1, "at line {n}: {begun:#?}");
        assert!(
            ended.all(|one| one["trial"]["end"]["how"] == "exited"),
            "at line {n}: {looked:#?}"
        );
        lost += cut_off;
    }
    assert!(lost > 0, "no trial is ever cut off");
}

#[test]
fn on_a_terminal_the_user_sees_what_is_laid_down_and_says_whether_it_is_run() {
    for (answer, runs, kept) in [("y", 1, false), ("a", 1, true), ("n", 0, false)] {
        let place = Place::new();
        place.write("a.txt", "tracked\n");
        let looks = json!([trying(&["sh", "-c", "cat new/b.txt"])]);
        let fake = Fake::start(member(looks, json!([])));
        let mut terminal = OnTerminal::sized(place.command_with(&fake, &WISH), (110, 40));
        terminal.sees("[y]es in this run");
        let shown = terminal.rows().join(" ");
        let asked = "Dev wants to run `sh -c cat new/b.txt` after laying down `new/b.txt`";
        assert!(shown.contains(asked), "{shown}");
        terminal.types(answer);
        terminal.closes_with(0);
        assert_eq!(place.events("v1", "trial_started").len(), runs, "{answer}");
        let own = place.run(&["config", "get", "trials.enabled"]).out;
        assert_eq!(own.trim() == "true", kept, "{answer}: {own}");
    }
}

/// In a batch nobody can be asked, so trials are not offered.
#[test]
fn a_batch_on_a_terminal_offers_no_trials() {
    let place = Place::new();
    place.write("a.txt", "tracked\n");
    place.write("one.md", "Export the list");
    let fake = Fake::start(workshop(WorkshopScript::default()));
    let terminal = OnTerminal::start(place.command_with(&fake, &["batch", "one.md"]));
    terminal.closes_with(0);
    let first = &place.transcript("v1")[0];
    assert_ne!(first["inputs"]["trials"], true);
}
