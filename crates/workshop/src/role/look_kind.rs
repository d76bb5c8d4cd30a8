//! How members look at something.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The ways to look at something.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum LookKind {
    /// Reads lines of a file.
    Read,
    /// Places that hold the words or match a regular expression.
    Search,
    /// Where a name is defined, and who refers to it.
    Symbol,
    /// The signatures of a file, or the entries of a folder.
    Outline,
    /// The latest commits that touched a path.
    History,
    /// A part of the version this run revises.
    Previous,
    /// What the member's own model knows, asked apart from the meeting.
    Ask,
    /// What a command does in a copy of the tree.
    Try,
}

impl LookKind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::Read,
        Self::Search,
        Self::Symbol,
        Self::Outline,
        Self::History,
        Self::Previous,
        Self::Ask,
        Self::Try,
    ];

    /// Name as in replies, prompts and a role's `tools`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Search => "search",
            Self::Symbol => "symbol",
            Self::Outline => "outline",
            Self::History => "history",
            Self::Previous => "previous",
            Self::Ask => "ask",
            Self::Try => "try",
        }
    }
}
