//! The size of the work: the coach judges it, the machine limits it.

use super::debate::MAX_SMALL_ISSUES;
use super::state::State;
use crate::reply::WorkSize;

/// Maximum number of files that small work changes.
pub const MAX_SMALL_FILES: usize = 3;

/// The bound that work judged small exceeds, and by which number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExceededBound {
    /// Issues of the first list.
    Issues(usize),
    /// Blocking issues left after round 1.
    Blocking(usize),
    /// Changed files.
    Files(usize),
}

impl State {
    /// Returns whether this is small work: as the user says, or as the coach judges within the
    /// bounds.
    pub fn is_small(&self) -> bool {
        self.inputs.light || (self.is_judged_small() && self.outgrown().is_none())
    }

    /// Returns whether the coach judged the work small and may do so.
    pub fn is_judged_small(&self) -> bool {
        self.may_judge_size() && self.judgment.size == Some(WorkSize::Small)
    }

    /// Returns whether the size is left to the coach.
    pub fn may_judge_size(&self) -> bool {
        self.inputs.format.is_workshop() && !self.inputs.light && !self.inputs.full
    }

    /// Returns the bound of small work that is exceeded, if any; from then on the run proceeds as
    /// usual.
    pub fn outgrown(&self) -> Option<ExceededBound> {
        let left = self
            .discussion
            .summaries
            .first()
            .map_or(0, |first| first.blocking_left);
        let design = self.documents.system_design();
        let files = design.map_or(0, |design| design.file_impacts.len());
        let bounds = [
            (self.judgment.initial_issues > MAX_SMALL_ISSUES)
                .then_some(ExceededBound::Issues(self.judgment.initial_issues)),
            (left > 0).then_some(ExceededBound::Blocking(left)),
            (files > MAX_SMALL_FILES).then_some(ExceededBound::Files(files)),
        ];
        bounds.into_iter().flatten().next()
    }
}
