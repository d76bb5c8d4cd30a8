//! A team: the lead splits a task into phases, members work layer by layer,
//! the lead puts the results together.
//!
//! What is a team's own is here: the plan ([`plan_of`]), what is done in a layer
//! (`steps`), its events, what may follow (`legal`) and what they change
//! (`apply`). A layer is a round of the machine: guards, interventions,
//! questions, debates, failures and budget are those of every format.

mod answer;
mod apply;
mod event;
mod legal;
mod plan;
mod steps;
mod work;

pub use event::{ExpertResult, ExpertStep, PhaseStarted, PlanRevised, TeamFormed, TeamSynthesis};
pub use plan::{MAX_PHASES, fallback, number, plan_of};
pub use work::{PhaseResult, PhaseWork, TeamWork};

pub(super) use answer::{formed, revised, step, synthesised};
pub(super) use legal::{
    check_formed, check_passed_over, check_result, check_revised, check_started, check_step,
    check_synthesis, is_due,
};
pub(super) use steps::{due, revision, revision_due, without_plan};
