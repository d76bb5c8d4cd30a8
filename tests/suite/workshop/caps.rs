//! A token cap is never passed, whatever flies side by side, and every run still ends.

use std::sync::Arc;

use aitc::driver::Outcome;
use aitc::edge::fs::RealFs;
use aitc::edge::journal;
use aitc::workshop::{Event, FirstRound, State, StopReason, check};

use crate::support::run::{Team, hold, inputs};

#[test]
fn a_cap_in_a_blind_round_is_kept_and_ends_the_run_in_order() {
    let mut reasons = Vec::new();
    for cap in [
        1_000, 60_000, 180_000, 220_000, 260_000, 300_000, 340_000, 3_000_000,
    ] {
        let workspace = tempfile::tempdir().unwrap();
        let mut inputs = inputs(workspace.path());
        inputs.first_round = FirstRound::Blind;
        inputs.limits.max_tokens = Some(cap);
        let team = Arc::new(Team::default());
        let outcome = hold(Arc::new(RealFs), workspace.path(), &inputs, &team);
        let Ok(Outcome::Published { path, stop, .. }) = outcome else {
            panic!("{cap}: {outcome:?}");
        };
        let mut state: Option<State> = None;
        let mut lost = 0;
        journal::read(&RealFs, &path.join(journal::TRANSCRIPT), &mut |entry| {
            match &mut state {
                None => state = State::open(&entry),
                Some(state) => {
                    check(state, &entry.event).map_err(|why| why.to_string())?;
                    lost += usize::from(
                        matches!(entry.event, Event::GuardFired { .. })
                            && !state.calls.open.is_empty(),
                    );
                    state.apply(&entry);
                    assert!(state.calls.committed() <= cap, "{cap} passed");
                }
            }
            Ok(())
        })
        .unwrap();
        assert_eq!(lost, 0, "{cap}: ended while somebody was still being asked");
        assert_eq!(state.unwrap().documents.len(), 5, "{cap}");
        reasons.push(stop);
    }
    assert_eq!(reasons.first(), Some(&StopReason::Budget));
    assert_eq!(reasons.last(), Some(&StopReason::Consensus));
}
