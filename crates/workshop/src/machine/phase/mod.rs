//! Phases: pieces of work in the order their dependencies allow.
//!
//! [`Dag`] is the bare graph; the final documents use it as it is. A
//! [`PhasePlan`] gives its nodes a task, members and a kind, and knows how a
//! debate is inserted into work that is going on.

mod dag;
mod plan;

pub use dag::{Dag, DagError};
pub use plan::{Phase, PhaseError, PhaseId, PhaseKind, PhasePlan};

#[cfg(test)]
mod tests;
