//! A line of the transcript.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Event;

/// The format of a transcript, the `v` of every line. A change that reads recorded lines otherwise,
/// in their form or in the rules of the machine, raises it.
pub const TRANSCRIPT_FORMAT: u32 = 1;

/// One line of the transcript, without its hash.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Entry {
    /// Format of the transcript: [`TRANSCRIPT_FORMAT`], or the line is refused.
    pub v: u32,
    /// Number of the line, from 1.
    pub seq: u64,
    /// When it was written, RFC 3339 in UTC; for people, never for decisions.
    pub ts: String,
    /// Milliseconds the run has been active; gaps between processes excluded.
    pub active_ms: u64,
    /// The round it belongs to, from 1; requirement and judgment belong to round 1.
    pub round: u32,
    /// Who did it, by full name: a member as its role file spells it (`ProductPlanner`),
    /// `Coach`, `user` or `engine`.
    pub actor: String,
    /// What happened; its `phase` says which kind.
    #[serde(flatten)]
    pub event: Event,
}
