//! Sample entries for journals: one of every kind of event, and small ones.
//!
//! They are valid lines but not a sensible workshop: no state is built from them.

use std::collections::BTreeMap;
use std::path::Path;

use aitc::edge::fs::RealFs;
use aitc::edge::journal;
use aitc::machine::*;

macro_rules! kinds {
    ($($name:ident),* $(,)?) => {
        /// Exhaustive, so a new event has to be added here before the tests compile.
        pub fn kind(event: &Event) -> &'static str {
            match event { $(Event::$name { .. } => stringify!($name)),* }
        }
        pub const KINDS: &[&str] = &[$(stringify!($name)),*];
    };
}

kinds! {
    UserInput, KnowledgeSearch, CallStarted, CallFailed, CallGivenUp, ReplyRejected, CoachInitialJudgment,
    RoundStarted, Speaking, Look, TrialStarted, TrialEnded, Evidence, Inquiry, ClarificationRelayed, UserClarificationNeeded,
    UserClarificationDialogue, ClarificationFollowedUp, SimilarityMeasured, ConsensusSummary, GuardWarned, DiscussionEnded,
    DiligencePush, DiligenceExhausted, DiligenceOff, EndProposal, EndDecision, UserIntervention,
    VoteCast, VoteClosed, DebateStarted, DebateVoided, ExpertArgument, DebateRoundSummary,
    DebateResolved, TeamFormed, PlanRevised, PhaseStarted, ExpertStep, ExpertResult, TeamSynthesis, Document,
    Report, PlanChecked, Review, Amendment, Verdicts, ReviewClosed, Resumed, Published,
}

/// One entry of every kind of event, taken from the kept journals, numbered from 1; the closing one
/// is last.
pub fn every_event() -> Vec<Entry> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/journals");
    let mut found: BTreeMap<usize, Entry> = BTreeMap::new();
    for name in [
        "plan", "revision", "inquiry", "debate", "team", "party", "review",
    ] {
        let path = folder.join(name).with_extension("jsonl");
        journal::read(&RealFs, &path, &mut |entry| {
            let at = KINDS.iter().position(|it| *it == kind(&entry.event));
            found.entry(at.unwrap()).or_insert(entry);
            Ok(())
        })
        .unwrap();
    }
    assert_eq!(found.len(), KINDS.len(), "a kind of event is in no journal");
    let numbered = (1..).zip(found.into_values());
    numbered
        .map(|(seq, entry)| Entry {
            seq,
            active_ms: seq * 10,
            ..entry
        })
        .collect()
}

/// `n` small entries, numbered after `after`.
pub fn rounds(after: u64, n: u64) -> Vec<Entry> {
    (after + 1..=after + n)
        .map(|seq| Entry {
            v: TRANSCRIPT_FORMAT,
            seq,
            ts: "2026-01-31T08:00:00.000Z".into(),
            active_ms: seq,
            round: 1,
            actor: "engine".into(),
            event: Event::RoundStarted {
                issues: vec![IssueId(1)],
            },
        })
        .collect()
}
