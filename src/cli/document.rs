//! JSON documents of commands: how they are made, and the schemas they are published with.

use serde::Serialize;

use super::CliError;
use crate::fault::line::INTERNAL;

/// A document as JSON.
///
/// # Errors
/// It has no JSON form: a fault of the program.
pub fn json(document: &impl Serialize) -> Result<serde_json::Value, CliError> {
    serde_json::to_value(document)
        .map_err(|error| INTERNAL.with(&[("what", &format!("JSON: {error}"))]))
}
