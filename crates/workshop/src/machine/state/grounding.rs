//! What is known about the repository and the knowledge folders.

use std::collections::BTreeMap;

use crate::machine::evidence::{Claim, EvidenceRecord};
use crate::machine::inputs::Survey;
use crate::machine::inquiry::{Excerpt, InquiryId};
use crate::machine::look::Looks;
use crate::machine::trial::Trials;

/// What was searched, looked up, tried and claimed.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GroundingRecord {
    /// The survey at the beginning of the run; `None` before it.
    pub survey: Option<Survey>,
    /// Places found for each topic, best first.
    pub looked: BTreeMap<InquiryId, Vec<Excerpt>>,
    /// What members looked up.
    pub looks: Looks,
    /// Commands that were run before answers counted.
    pub trials: Trials,
    /// Claims about the files that are not checked yet.
    pub claims: Vec<Claim>,
    /// Claims about the files, and whether they were confirmed.
    pub evidence: Vec<EvidenceRecord>,
}
