//! A team: the lead splits a task into phases, members work layer by layer, the lead combines the
//! results.
//!
//! This folder holds what is specific to a team: the plan ([`plan_of`]), the actions in a layer
//! (`steps`), its events, when they may follow and what they change (`transition`). A layer is a
//! round of the machine: guards, interventions, questions, debates, failures and budget work as in
//! every format.

mod answer;
mod event;
mod plan;
mod steps;
mod transition;
mod work;

pub use event::{ExpertResult, ExpertStep, PhaseStarted, PlanRevised, TeamFormed, TeamSynthesis};
pub use plan::{MAX_PHASES, fallback, number, plan_of};
pub use work::{PhaseResult, PhaseWork, TeamWork};

pub(super) use answer::{planned, step, synthesised};
pub(super) use steps::{due, revision_due};
pub(super) use transition::is_due;
