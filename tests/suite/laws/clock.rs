//! Law 5, R16: a jump of the clock neither ends nor prolongs a run.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use aitc::chat::ChatRequest;
use aitc::driver::Outcome;
use aitc::edge::fs::RealFs;
use aitc::edge::model::{AnswerPiece, Answering, ChatModel, Listener};
use aitc::edge::ports::Clock;
use aitc::machine::StopReason;

use crate::support::fault::{Fault, FaultFs};
use crate::support::normal::normalised;
use crate::support::run::{Ticks, hold_with, inputs};
use crate::support::team::Team;

/// The wall clock jumps back and forth by days; the monotonic clock advances by `step_ms` per
/// reading.
struct Jumps {
    looks: AtomicU64,
    step_ms: u64,
    since_ms: u64,
}

impl Jumps {
    fn steps(step_ms: u64, since_ms: u64) -> Self {
        Self {
            looks: AtomicU64::new(0),
            step_ms,
            since_ms,
        }
    }
}

impl Clock for Jumps {
    fn timestamp(&self) -> String {
        let days = ["2026-01-28", "2026-01-02", "2031-12-31", "1970-01-01"];
        let look = self.looks.fetch_add(1, Ordering::Relaxed) as usize;
        format!("{}T03:04:05.000Z", days[look % days.len()])
    }

    fn monotonic_ms(&self) -> u64 {
        let look = self.looks.fetch_add(1, Ordering::Relaxed);
        self.since_ms + look * self.step_ms
    }
}

#[test]
fn jumps_of_the_wall_clock_change_nothing() {
    let run = |clock: &dyn Clock| {
        let workspace = tempfile::tempdir().unwrap();
        let team = Arc::new(Team::default());
        let inputs = inputs(workspace.path());
        let outcome = hold_with(Arc::new(RealFs), workspace.path(), &inputs, &team, clock);
        assert!(
            matches!(
                outcome,
                Ok(Outcome::Published {
                    stop: StopReason::Consensus,
                    ..
                })
            ),
            "{outcome:?}"
        );
        normalised(&workspace.path().join(".ai-tools-chain/planning_outputs/v1"))
    };
    let steady = run(&Ticks::default());
    assert_eq!(run(&Jumps::steps(1, 0)), steady);
}

#[test]
fn what_lies_between_two_processes_does_not_count() {
    let workspace = tempfile::tempdir().unwrap();
    let team = Arc::new(Team::default());
    let inputs = inputs(workspace.path());
    let faulty = FaultFs::new(Fault::CrashAfter(90)).without_syncs();
    let clock = Jumps::steps(1, 0);
    let first = hold_with(Arc::new(faulty), workspace.path(), &inputs, &team, &clock);
    assert!(first.is_err(), "{first:?}");
    // The run is resumed on a machine that has been up for a year.
    let year_ms = 365 * 24 * 3_600_000;
    let clock = Jumps::steps(1, year_ms);
    let second = hold_with(Arc::new(RealFs), workspace.path(), &inputs, &team, &clock);
    assert!(
        matches!(
            second,
            Ok(Outcome::Published {
                stop: StopReason::Consensus,
                ..
            })
        ),
        "{second:?}"
    );
}

/// A team whose call after `after` streams forever. That call starts a millisecond before the time
/// limit, and the clock then stands still.
struct Trickling {
    team: Team,
    after: &'static str,
    now: Arc<AtomicU64>,
}

const LIMIT_MS: u64 = 10 * 60_000;

impl ChatModel for Trickling {
    fn chat<'a>(&'a self, request: &'a ChatRequest) -> Answering<'a> {
        if request.call.to_string() == self.after {
            self.now.store(LIMIT_MS - 1, Ordering::Relaxed);
        }
        self.team.chat(request)
    }

    fn chat_streaming<'a>(
        &'a self,
        request: &'a ChatRequest,
        listener: &'a dyn Listener,
    ) -> Answering<'a> {
        if self.now.load(Ordering::Relaxed) != LIMIT_MS - 1 {
            return self.chat(request);
        }
        self.now.store(LIMIT_MS, Ordering::Relaxed);
        self.team.asked.lock().unwrap().push(request.call.clone());
        Box::pin(async {
            loop {
                listener.on_piece(&request.call, AnswerPiece::Text("and so on "));
                tokio::time::sleep(std::time::Duration::from_micros(50)).await;
            }
        })
    }
}

struct Set(Arc<AtomicU64>);

impl Clock for Set {
    fn timestamp(&self) -> String {
        "2026-01-02T03:04:05.000Z".to_owned()
    }

    fn monotonic_ms(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A call that streams past the time limit is aborted, counted at its maximum cost, and not
/// repeated; the round is summed up, and the discussion ends.
#[test]
fn an_answer_that_trickles_outlasts_no_time_limit() {
    for (after, cut, rounds) in [
        (
            "root/speech/SystemDesigner/r1/t2/a1",
            "root/speech/SeniorDeveloper/r1/t3/a1",
            1,
        ),
        // Nobody has spoken in this round, so the state after the previous one is used.
        (
            "root/summary/Coach/r1/t6/a1",
            "root/speech/ProductPlanner/r2/t1/a1",
            2,
        ),
    ] {
        let workspace = tempfile::tempdir().unwrap();
        let now = Arc::new(AtomicU64::new(0));
        let team = Arc::new(Trickling {
            team: Team::default(),
            after,
            now: now.clone(),
        });
        let mut inputs = inputs(workspace.path());
        inputs.rules.limits.max_duration_minutes = 10;
        inputs.rules.limits.warn_at_minutes = 5;
        let fs = Arc::new(RealFs);
        let outcome = hold_with(fs, workspace.path(), &inputs, &team, &Set(now));
        let Ok(Outcome::Published { stop, path, .. }) = outcome else {
            panic!("{after}: {outcome:?}");
        };
        assert_eq!(stop, StopReason::TimeLimit, "{after}");
        let transcript = std::fs::read_to_string(path.join("planning_transcript.jsonl")).unwrap();
        let lines: Vec<serde_json::Value> = transcript
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let of = |phase: &'static str| lines.iter().filter(move |line| line["phase"] == phase);
        let failed: Vec<_> = of("call_failed").collect();
        assert_eq!(failed.len(), 1, "{after}");
        assert_eq!(
            (&failed[0]["call"], &failed[0]["kind"]),
            (&cut.into(), &"timeout".into())
        );
        assert_eq!(of("round_started").count(), rounds, "{after}");
        let asked = team.team.asked.lock().unwrap();
        let again = asked.iter().filter(|call| call.first().to_string() == cut);
        assert_eq!(again.count(), 1, "{after}");
        let reserve = of("call_started").find(|line| line["call"] == cut).unwrap();
        let plan = std::fs::read_to_string(path.join("planning.ai.json")).unwrap();
        let plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
        assert_eq!(plan["usage"]["lost"], reserve["reserve"], "{after}");
    }
}
