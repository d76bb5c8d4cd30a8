//! Ids of documents, rules, comparison and tracing of plans.

#[path = "../support/plans.rs"]
pub(crate) mod plans;

mod against;
mod differences;
mod properties;
pub(crate) mod rules;
mod secrets;
mod spellings;
mod stale;
