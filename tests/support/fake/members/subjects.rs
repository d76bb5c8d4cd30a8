//! Prepared texts for the needs in the guide.

use std::sync::LazyLock;

use serde::Deserialize;

/// Texts for a need, in English and Chinese.
#[derive(Deserialize)]
pub(super) struct Subject {
    /// A word that identifies it.
    pub named: [String; 2],
    pub wanted: [String; 2],
    pub built: [String; 2],
    pub question: [String; 2],
    pub why: [String; 2],
    /// The first one is recommended.
    pub options: [String; 2],
}

/// The needs in the guide.
pub(super) static SUBJECTS: LazyLock<Vec<Subject>> =
    LazyLock::new(|| serde_json::from_str(include_str!("subjects.json")).unwrap());
