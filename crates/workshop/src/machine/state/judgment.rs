//! The coach's judgment of the requirement before the first round.

use crate::machine::event::LedgerRefusal;
use crate::machine::party::Invitation;
use crate::reply::WorkSize;

/// The coach's judgment, as recorded; empty before it is given.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JudgmentRecord {
    /// Text of the judgment, Markdown.
    pub text: Option<String>,
    /// How large the work is, in the coach's judgment.
    pub size: Option<WorkSize>,
    /// Members that are invited, in the coach's order; empty if everybody is.
    pub invited: Vec<Invitation>,
    /// Parts of it that were refused.
    pub refused: Vec<LedgerRefusal>,
    /// Issues that were open after it.
    pub initial_issues: usize,
}
