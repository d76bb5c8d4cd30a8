//! Phases: units of work in the order that their dependencies allow.
//!
//! A [`PhasePlan`] is a [`Dag`](super::Dag) that adds a task, members and a kind to each node, and
//! can insert a debate while the work is in progress.

mod plan;

pub use plan::{Phase, PhaseError, PhaseId, PhaseKind, PhasePlan};

#[cfg(test)]
mod tests;
