//! Ids of documents, rules and comparison of plans.

mod properties;
mod rules;
mod secrets;
mod spellings;
