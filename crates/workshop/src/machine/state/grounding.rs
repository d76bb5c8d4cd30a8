//! What is known of the repository and the knowledge folders.

use std::collections::BTreeMap;

use crate::machine::evidence::{Claim, EvidenceRecord};
use crate::machine::inputs::Survey;
use crate::machine::inquiry::{Find, Topic};
use crate::machine::look::Looks;
use crate::machine::trial::Trials;

/// What was searched, looked at, tried and claimed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GroundingRecord {
    /// What was found when the run began; `None` before that.
    pub survey: Option<Survey>,
    /// Places found for what was looked into, best first.
    pub looked: BTreeMap<Topic, Vec<Find>>,
    /// What was looked at.
    pub looks: Looks,
    /// What was run before answers counted.
    pub trials: Trials,
    /// Claims about the files that are still to be checked.
    pub claims: Vec<Claim>,
    /// Claims about the files, and how far they were confirmed.
    pub evidence: Vec<EvidenceRecord>,
}
