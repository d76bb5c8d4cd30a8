//! Renders the opening that all prompts share, without a run.

use std::collections::BTreeMap;

use super::prompter::{parsed, render};
use super::view::{self, Opening};
use crate::fault::Fault;
use crate::machine::Templates;

/// What every member sees of the requirement and the repository, as Markdown.
///
/// # Errors
/// A template is missing or malformed, or uses a name that is not defined.
pub fn brief(
    templates: &Templates,
    sources: &BTreeMap<String, String>,
    opening: &Opening<'_>,
) -> Result<String, Fault> {
    let parsed = parsed(templates, sources)?;
    render(&parsed, sources, "brief", view::brief_of(opening))
}
