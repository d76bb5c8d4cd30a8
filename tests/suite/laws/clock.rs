//! Law 5, R16: a clock step neither ends nor prolongs a run.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use aitc::driver::Outcome;
use aitc::edge::fs::RealFs;
use aitc::edge::ports::Clock;
use aitc::machine::StopReason;

use crate::support::fault::{Fault, FaultFs};
use crate::support::normal::normalised;
use crate::support::run::{Ticks, hold_with, inputs};
use crate::support::team::Team;

/// The wall clock jumps back and forth by days; the monotonic one takes `step_ms` a look.
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
    // A machine that has been up for a year took over.
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

#[test]
fn time_that_passed_ends_a_run_whatever_the_wall_clock_says() {
    let workspace = tempfile::tempdir().unwrap();
    let team = Arc::new(Team::default());
    let mut inputs = inputs(workspace.path());
    inputs.limits.max_duration_minutes = 10;
    inputs.limits.warn_at_minutes = 5;
    let clock = Jumps::steps(60_000, 0);
    let outcome = hold_with(Arc::new(RealFs), workspace.path(), &inputs, &team, &clock);
    assert!(
        matches!(
            outcome,
            Ok(Outcome::Published {
                stop: StopReason::TimeLimit,
                ..
            })
        ),
        "{outcome:?}"
    );
}
