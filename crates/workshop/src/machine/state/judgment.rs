//! What the coach made of the requirement before the first round.

use crate::machine::event::Refusal;
use crate::machine::party::Invitation;
use crate::reply::WorkSize;

/// The coach's judgment, as recorded; empty before it is given.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JudgmentRecord {
    /// In words.
    pub text: Option<String>,
    /// How large the work is, as the coach judges it.
    pub size: Option<WorkSize>,
    /// Who is asked to speak, in the coach's order; empty if everybody speaks.
    pub invited: Vec<Invitation>,
    /// What was refused in it.
    pub refused: Vec<Refusal>,
    /// Issues that were open after it.
    pub initial_issues: usize,
}
