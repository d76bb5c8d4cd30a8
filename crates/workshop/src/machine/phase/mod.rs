//! Phases: units of work in the order that their dependencies allow.
//!
//! [`Dag`] is the plain graph; the final documents use it directly. A [`PhasePlan`] adds a task,
//! members and a kind to each node, and can insert a debate while the work is in progress.

mod dag;
mod plan;

pub use dag::{Dag, DagError};
pub use plan::{Phase, PhaseError, PhaseId, PhaseKind, PhasePlan};

#[cfg(test)]
mod tests;
