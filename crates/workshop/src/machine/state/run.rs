//! The run's identity, the position in its transcript, and how often it was resumed.

use std::collections::BTreeSet;

use crate::machine::inputs::Counters;
use crate::machine::other_models::ModelChange;

/// A run as recorded in its transcript.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunRecord {
    /// UUID of the run.
    pub id: String,
    /// Number of the last line.
    pub seq: u64,
    /// When the first line was written, for people.
    pub started_at: String,
    /// When the last line was written, for people.
    pub last_activity_at: String,
    /// Active milliseconds at the last line.
    pub active_ms: u64,
    /// The highest numbers assigned so far.
    pub counters: Counters,
    /// Inbox messages already processed.
    pub messages: BTreeSet<String>,
    /// How often the run was resumed.
    pub resumed: u32,
    /// Drift that the user accepted.
    pub accepted_drift: Vec<String>,
    /// Models that the user replaced when resuming the run.
    pub model_changes: Vec<ModelChange>,
    /// Number of secrets redacted from input.
    pub redacted: u32,
}
