//! Searches that a signal interrupts.

use std::sync::Arc;

use aitc::driver::Outcome;
use aitc::edge::fs::RealFs;

use crate::support::run::{self, During, hold_signalled};
use crate::support::team::Team;

/// A search in a large repository takes time: a signal interrupts it, and the next process repeats
/// it.
#[test]
fn a_search_ends_with_the_signal_and_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let (fs, team) = (Arc::new(RealFs), Arc::new(Team::default()));
    let inputs = run::inputs(folder.path());
    let hold = |signal| hold_signalled(fs.clone(), folder.path(), &inputs, &team, signal);
    let recorded = |phase: &str| {
        let draft = folder
            .path()
            .join(".ai-tools-chain/planning_outputs/v1.draft");
        let text = std::fs::read_to_string(draft.join("planning_transcript.jsonl")).unwrap();
        text.contains(&format!("\"phase\":\"{phase}\""))
    };
    for (during, phase) in [
        (During::Survey, "knowledge_search"),
        (During::Inquiry, "inquiry"),
    ] {
        let outcome = hold(Some(during)).unwrap();
        assert_eq!(outcome, Outcome::Interrupted { signal: 2 }, "{during:?}");
        assert!(!recorded(phase), "{during:?}");
    }
    // The calls before the second search are not lost.
    assert!(recorded("knowledge_search") && recorded("speaking"));
    assert!(matches!(hold(None), Ok(Outcome::Published { .. })));
}
