//! Trials: members have commands run before they answer, if the user permits it.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use aitc::driver::Outcome;
use aitc::edge::BoxFuture;
use aitc::edge::ports::{Human, TrialAnswer, UserAnswer};
use aitc::machine::{Inputs, Question, State, TrialEnd, TrialJob, TrialRecord};
use serde_json::{Value, json};

use crate::support::bench::Bench;
use crate::support::binary::{Place, wait_until};
use crate::support::fake::{Fake, Reply, Seen, WorkshopScript, workshop};
use crate::support::fault::{Fault, FaultFs};
use crate::support::left::Kept;
use crate::support::run::{Nobody, hold_trying, inputs};
use crate::support::team::Team;
use crate::support::terminal::OnTerminal;

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
    ) -> BoxFuture<'a, Result<Vec<UserAnswer>, String>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn ask_trial<'a>(
        &'a mut self,
        _state: &'a State,
        who: &'a str,
        job: &'a TrialJob,
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

/// Number of copies in the place's cache.
fn copies(place: &Place) -> usize {
    let names = std::fs::read_dir(place.home().join(".cache/aitc/trials"));
    let names = names.into_iter().flatten();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with("copy-")).count()
}

const WISH: [&str; 4] = ["plan", "Export the list", "--questions", "assume"];

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
        let asked = "Dev wants to run `sh -c cat new/b.txt` after writing `new/b.txt`";
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
