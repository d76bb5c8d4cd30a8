//! From model text to a validated answer.
//!
//! There are two families of answers beside those of teams. A [`Contribution`] is what every call
//! of the discussion returns, from members and the coach alike. They share one schema, because
//! providers count the schema as the first part of a prompt and a new schema would start a new
//! prefix. A [`Document`] is what a role writes at the end.

mod bounds;
mod contribution;
mod document;
mod fit;
mod grounding;
mod lenient;
mod parse;
mod repair;
mod schema;
mod streamed;
mod team;
#[cfg(test)]
mod tests;

pub use crate::role::{DocumentKind, LookKind};
pub use bounds::{AnswerSize, CallFields, SchemaEnforcement, bounded};
pub use contribution::*;
pub use document::*;
pub use fit::{Length, MAX_LIST, MAX_TEXT_CHARS, Truncation};
pub use grounding::*;
pub use parse::{
    ParsedReply, ReplyError, answers, holds_object, read_answer, read_contribution, read_document,
    read_in_part, read_looks, read_report, read_synthesis, read_team_plan,
};
pub use schema::{
    amended_synthesis_schema, answer_schema, any_answer_schema, contribution_schema,
    document_schema, report_schema, schema_settings, synthesis_schema, team_plan_schema,
};
pub use streamed::PartialAnswer;
pub use team::{PlannedPhase, Synthesis, TeamPlan};
