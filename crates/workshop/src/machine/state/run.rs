//! Which run it is, how far its transcript goes, and how often it was taken up again.

use std::collections::BTreeSet;

use crate::machine::inputs::Counters;
use crate::machine::other_models::ModelChange;

/// A run as its transcript tells of it.
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
    /// Largest numbers given so far.
    pub counters: Counters,
    /// Inbox messages already taken.
    pub messages: BTreeSet<String>,
    /// How often the run was taken up again.
    pub resumed: u32,
    /// Drift the user accepted.
    pub accepted_drift: Vec<String>,
    /// Models the user put in place of others when the run was taken up again.
    pub model_changes: Vec<ModelChange>,
    /// Secrets taken out of what came in.
    pub redacted: u32,
}
