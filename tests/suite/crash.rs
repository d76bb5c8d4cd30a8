//! A run that crashes at any point and is resumed produces the same result.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aitc::driver::Outcome;
use aitc::edge::fs::RealFs;
use aitc::machine::{CallId, Inputs, Limits};

use crate::support::fault::{Fault, FaultFs};
use crate::support::left::{Kept, Left};
use crate::support::normal::normalised;
use crate::support::run::{hold, inputs};
use crate::support::team::Team;

fn published(outcome: &Result<Outcome, aitc::fault::Fault>) -> bool {
    matches!(outcome, Ok(Outcome::Published { .. }))
}

/// Creates a new team that gives the same answers every time.
type Fresh = fn() -> Arc<Team>;

/// Inputs for the team's format.
fn held_with(workspace: &Path, team: &Team) -> Inputs {
    let mut inputs = inputs(workspace);
    inputs.format = team.format;
    inputs.rules.first_round = team.first_round;
    inputs.rules.review = team.reviews;
    inputs
}

/// A workspace for the team, with v1 if the team revises it.
fn prepared(team: &Team) -> tempfile::TempDir {
    let workspace = tempfile::tempdir().unwrap();
    if team.version() == "v2" {
        let fs = Arc::new(FaultFs::new(Fault::None).without_syncs());
        let first = hold(fs, workspace.path(), &inputs(workspace.path()), &usual());
        assert!(published(&first), "{first:?}");
    }
    workspace
}

fn version_of(workspace: &Path, team: &Team) -> PathBuf {
    let outputs = workspace.join(".ai-tools-chain/planning_outputs");
    outputs.join(team.version())
}

fn usual() -> Arc<Team> {
    Arc::new(Team::default())
}

/// The transcript of a draft; `None` if there is none, or if it ends within a line. Files that
/// follow from it may be older than it is.
fn draft_of(workspace: &Path, team: &Team) -> Option<String> {
    let draft = version_of(workspace, team).with_extension("draft");
    let name = "planning_transcript.jsonl";
    let text = std::fs::read(draft.join(name)).ok()?;
    let is_whole = text.ends_with(b"\n");
    is_whole.then(|| normalised(&draft).remove(name).unwrap())
}

/// Number of file operations after which a resumed process is compared: more than it needs to
/// begin and to record some answers.
const SOON: usize = 40;

/// An uninterrupted run.
pub struct Reference {
    fresh: Fresh,
    files: BTreeMap<String, String>,
    /// The transcripts that crashes leave.
    drafts: BTreeSet<String>,
    /// Its calls in order.
    asked: Vec<CallId>,
    /// What a crash leaves at each of its operations.
    left: Vec<Left>,
    /// Number of operations, including reads.
    operations: usize,
}

/// Runs such a team without interruption.
pub fn reference(fresh: Fresh) -> Reference {
    let team = fresh();
    let workspace = prepared(&team);
    let asks = Arc::clone(&team);
    let kept = Kept::of(workspace.path(), move || asks.asked.lock().unwrap().len());
    let faulty = FaultFs::new(Fault::None).without_syncs().keeping(&kept);
    let fs = Arc::new(faulty.clone());
    let inputs = held_with(workspace.path(), &team);
    let outcome = hold(fs, workspace.path(), &inputs, &team);
    assert!(published(&outcome), "{outcome:?}");
    assert!(team.counts().values().all(|n| *n == 1));
    let asked = team.asked.lock().unwrap().clone();
    let left = kept.all();
    let drafts = left.iter();
    let drafts = drafts.filter_map(|left| draft_of(left.folder.path(), &team));
    Reference {
        fresh,
        files: normalised(&version_of(workspace.path(), &team)),
        drafts: drafts.collect(),
        asked,
        left,
        operations: faulty.operations(),
    }
}

impl Reference {
    /// The next process produces the same result from everything that a crash can leave.
    ///
    /// One in seven goes on to the end. The others are crashed again a little later: if they have
    /// left a transcript that the uninterrupted run left, the rest is known.
    pub fn cut_everywhere(&self) {
        let mut known = 0;
        for (n, left) in self.left.iter().enumerate() {
            let asked = match n % 7 {
                0 => Some(self.asked_before(left)),
                _ => self.crashes_again(left),
            };
            match asked {
                Some(asked) => self.goes_on(left, asked),
                None => known += 1,
            }
        }
        assert!(
            known * 4 > self.left.len(),
            "{known} of {}",
            self.left.len()
        );
    }

    /// As [`cut_everywhere`](Self::cut_everywhere), for every `step`th state, all to the end.
    pub fn cut_at(&self, step: usize) {
        let some = self.left.iter().step_by(step);
        some.for_each(|left| self.goes_on(left, self.asked_before(left)));
    }

    /// The calls until a crash.
    fn asked_before(&self, left: &Left) -> Vec<CallId> {
        self.asked[..left.noted].to_vec()
    }

    /// Lets the next process work a little. `None` if it wrote further lines and left a transcript
    /// that the uninterrupted run left; otherwise all calls so far.
    fn crashes_again(&self, left: &Left) -> Option<Vec<CallId>> {
        let (workspace, asked) = (left.folder.path(), self.asked_before(left));
        let team = (self.fresh)();
        if version_of(workspace, &team).exists() {
            return Some(asked);
        }
        let before = draft_of(workspace, &team);
        let (_, asked) = self.go_on(left, asked, Fault::CrashBefore(SOON));
        let found = draft_of(workspace, &team);
        let is_known = found
            .as_ref()
            .is_some_and(|found| self.drafts.contains(found));
        (found == before || !is_known).then_some(asked)
    }

    /// Lets the next process go on to the end. `asked` are the calls so far.
    fn goes_on(&self, left: &Left, asked: Vec<CallId>) {
        let (workspace, at) = (left.folder.path(), &left.at);
        let version = version_of(workspace, &(self.fresh)());
        // A crash after the rename leaves a complete version.
        if !version.exists() {
            let (outcome, _) = self.go_on(left, asked, Fault::None);
            assert!(published(&outcome), "{at}: {outcome:?}");
        }
        same(&self.files, &normalised(&version), at);
    }

    /// Starts the next process; returns all calls so far, too.
    fn go_on(
        &self,
        left: &Left,
        asked: Vec<CallId>,
        fault: Fault,
    ) -> (Result<Outcome, aitc::fault::Fault>, Vec<CallId>) {
        let (team, workspace, at) = ((self.fresh)(), left.folder.path(), &left.at);
        let repeated = |team: &Team| -> usize { team.counts().values().map(|n| n - 1).sum() };
        team.asked.lock().unwrap().extend(asked);
        let before = repeated(&team);
        let fs = Arc::new(FaultFs::new(fault).without_syncs());
        let outcome = hold(fs, workspace, &held_with(workspace, &team), &team);
        let more = repeated(&team) - before;
        // Answers that arrive together are written together, so a crash can lose all of them.
        let in_flight = Limits::default().concurrency;
        assert!(more <= in_flight, "{more} calls repeated, {at}");
        let asked = team.asked.lock().unwrap().clone();
        (outcome, asked)
    }

    fn transcript(&self) -> &str {
        &self.files["planning_transcript.jsonl"]
    }
}

#[track_caller]
fn same(whole: &BTreeMap<String, String>, found: &BTreeMap<String, String>, at: &str) {
    for (path, text) in whole {
        assert_eq!(found.get(path), Some(text), "{path}, {at}");
    }
    let extra: Vec<_> = found
        .keys()
        .filter(|path| !whole.contains_key(*path) && !path.contains(".torn-"))
        .collect();
    assert!(extra.is_empty(), "{extra:?}, {at}");
}

#[test]
fn a_run_has_over_two_hundred_file_operations() {
    let whole = reference(usual);
    assert!(whole.operations > 200, "{}", whole.operations);
    assert!(whole.left.len() > 100, "{}", whole.left.len());
    assert!(whole.files.contains_key("planning_report.md"));
    let lines = whole.transcript();
    assert!(lines.contains("\"phase\":\"inquiry\""), "nobody looks");
}

#[test]
fn a_version_whose_name_cannot_be_synced_is_published() {
    let workspace = tempfile::tempdir().unwrap();
    let last = Fault::Fail {
        at: reference(usual).operations - 1,
        errno: 5,
    };
    let fs = FaultFs::new(last).without_syncs();
    let kept = Arc::new(fs.clone());
    let team = Arc::new(Team::default());
    let outcome = hold(kept, workspace.path(), &inputs(workspace.path()), &team);
    assert_eq!(fs.log().last(), Some(&"sync_dir"));
    assert!(published(&outcome), "{outcome:?}");
}

#[test]
fn a_reply_and_the_call_after_it_are_one_sync() {
    let workspace = tempfile::tempdir().unwrap();
    let team = Arc::new(Team::default());
    let counted = FaultFs::new(Fault::None).without_syncs();
    let fs = Arc::new(counted.clone());
    let outcome = hold(fs, workspace.path(), &inputs(workspace.path()), &team);
    assert!(published(&outcome), "{outcome:?}");
    let syncs = counted.log().iter().filter(|name| **name == "sync").count();
    let calls = team.asked.lock().unwrap().len();
    // The start of the run, its last line, and the user's answers.
    assert!(syncs <= calls + 4, "{syncs} syncs for {calls} calls");
}

#[test]
fn a_crash_at_any_of_some_operations_changes_nothing() {
    reference(usual).cut_at(23);
}

#[test]
#[ignore = "slow: run with `cargo test --test suite -- --ignored`"]
fn slow_a_crash_at_every_operation_changes_nothing() {
    reference(usual).cut_everywhere();
}

fn restive() -> Arc<Team> {
    Arc::new(Team::restive())
}

#[test]
fn a_crash_between_push_and_answer_or_proposal_and_decision_repeats_neither() {
    let whole = reference(restive);
    let lines = whole.transcript();
    let count = |phase: &str| lines.matches(&format!("\"phase\":\"{phase}\"")).count();
    let told = ["diligence_push", "end_proposal", "end_decision"].map(count);
    assert_eq!(told, [2, 1, 1]);
    whole.cut_at(13);
}

#[test]
#[ignore = "slow: run with `cargo test --test suite -- --ignored`"]
fn slow_a_crash_at_every_operation_of_a_restive_run_changes_nothing() {
    reference(restive).cut_everywhere();
}

fn blind() -> Arc<Team> {
    Arc::new(Team::blind())
}

fn revising() -> Arc<Team> {
    Arc::new(Team::revising())
}

fn looking() -> Arc<Team> {
    Arc::new(Team::looking(Default::default()))
}

fn looking_apart() -> Arc<Team> {
    Arc::new(Team::looking(aitc::machine::FirstRound::Blind))
}

#[test]
fn a_crash_in_a_blind_round_a_revision_or_between_looks_changes_nothing() {
    let (blind, revising) = (reference(blind), reference(revising));
    let looking = [looking as Fresh, looking_apart].map(reference);
    for whole in &looking {
        let lines = whole.transcript();
        assert_eq!(lines.matches("\"phase\":\"look\"").count(), 6);
        assert_eq!(lines.matches("\"standing\":\"verified\"").count(), 2);
        // Two of three questions are asked, and one of the two is answered and counted.
        let asked = lines.matches("q1/a1\"").count() + lines.matches("q2/a1\"").count();
        assert_eq!(asked, 1, "one is answered");
        assert!(lines.contains("Only for old programs."));
        assert_eq!(lines.matches("the model gave no answer").count(), 1);
        assert_eq!(
            lines.matches("more looks than one answer may hold").count(),
            1
        );
    }
    for whole in [&blind, &revising].into_iter().chain(&looking) {
        assert!(whole.files.contains_key("state.md"));
        whole.cut_at(17);
    }
    let files = &revising.files;
    let plan: serde_json::Value = serde_json::from_str(&files["planning.ai.json"]).unwrap();
    assert_eq!(plan["feedback"][1]["fate"], "changed");
    assert_eq!(plan["carried"][0]["fate"], "superseded");
}

#[test]
#[ignore = "slow: run with `cargo test --test suite -- --ignored`"]
fn slow_a_crash_at_every_operation_of_a_run_with_a_blind_round_changes_nothing() {
    reference(blind).cut_everywhere();
}

#[test]
#[ignore = "slow: run with `cargo test --test suite -- --ignored`"]
fn slow_a_crash_at_every_operation_of_a_revision_changes_nothing() {
    reference(revising).cut_everywhere();
}

fn reviewing() -> Arc<Team> {
    Arc::new(Team::reviewing())
}

/// The review of a plan and of a team's synthesis.
#[test]
fn a_crash_in_a_review_changes_nothing() {
    let cases: [(Fresh, _, _); 2] = [
        (reviewing, [2, 5, 2, 1, 1], "product_plan.json"),
        (
            || Arc::new(Team::working()),
            [0, 5, 1, 1, 1],
            "team_report.md",
        ),
    ];
    for (fresh, expected, amended) in cases {
        let whole = reference(fresh);
        let lines = whole.transcript();
        let count = |phase: &str| lines.matches(&format!("\"phase\":\"{phase}\"")).count();
        let told = [
            "plan_checked",
            "review",
            "amendment",
            "verdicts",
            "review_closed",
        ]
        .map(count);
        assert_eq!(told, expected);
        assert!(whole.files[amended].contains("As reviewed."));
        let last = &whole.left[whole.left.len() / 2..];
        last.iter()
            .step_by(7)
            .for_each(|left| whole.goes_on(left, whole.asked_before(left)));
    }
}

#[test]
#[ignore = "slow: run with `cargo test --test suite -- --ignored`"]
fn slow_a_crash_at_every_operation_of_a_run_with_a_review_changes_nothing() {
    reference(reviewing).cut_everywhere();
}

#[test]
fn a_full_or_broken_disk_leaves_a_draft_that_goes_on() {
    let whole = reference(usual);
    const ENOSPC: i32 = 28;
    const EIO: i32 = 5;
    const EROFS: i32 = 30;
    let errnos = [ENOSPC, EIO, EROFS].into_iter().cycle();
    for (at, errno) in (0..whole.operations).step_by(17).zip(errnos) {
        let (team, workspace) = (usual(), tempfile::tempdir().unwrap());
        let inputs = inputs(workspace.path());
        for fault in [Fault::FailFrom { at, errno }, Fault::None] {
            let fs = Arc::new(FaultFs::new(fault).without_syncs());
            if published(&hold(fs, workspace.path(), &inputs, &team)) {
                break;
            }
        }
        let found = normalised(&version_of(workspace.path(), &team));
        same(&whole.files, &found, &format!("{errno} at {at}"));
    }
}

#[test]
fn the_real_file_system_publishes_too() {
    let workspace = tempfile::tempdir().unwrap();
    let team = Arc::new(Team::default());
    let outcome = hold(
        Arc::new(RealFs),
        workspace.path(),
        &inputs(workspace.path()),
        &team,
    );
    assert!(published(&outcome), "{outcome:?}");
}

#[test]
fn answers_that_come_together_go_to_disk_together() {
    use aitc::machine::{Depth, FirstRound};

    let appends = |first_round| {
        let workspace = tempfile::tempdir().unwrap();
        let mut inputs = inputs(workspace.path());
        inputs.rules.first_round = first_round;
        inputs.rules.limits.concurrency = 5;
        // Without this, searches for new issues would add steps.
        inputs.rules.grounding.depth = Depth::Map;
        let fs = FaultFs::new(Fault::None).without_syncs();
        let team = Arc::new(match first_round {
            FirstRound::Blind => Team::blind(),
            FirstRound::Sequential => Team::default(),
        });
        let held = hold(Arc::new(fs.clone()), workspace.path(), &inputs, &team);
        assert!(published(&held), "{held:?}");
        fs.log().iter().filter(|name| **name == "append").count()
    };
    // Each of five sequential speeches needs a step of its own; concurrent ones share a step.
    let (apart, together) = (appends(FirstRound::Sequential), appends(FirstRound::Blind));
    assert_eq!(apart - together, 4, "{apart} steps, {together} steps");
}
