//! The opening of all prompts by itself, to be seen without a run.

use std::collections::BTreeMap;

use super::prompter::{parsed, render};
use super::view::{self, Opening};
use crate::fault::Fault;
use crate::machine::Templates;

/// What every member sees of requirement and repository, as Markdown.
///
/// # Errors
/// A template is missing, malformed, or uses a name it is not given.
pub fn brief(
    templates: &Templates,
    sources: &BTreeMap<String, String>,
    opening: &Opening<'_>,
) -> Result<String, Fault> {
    let parsed = parsed(templates, sources)?;
    render(&parsed, sources, "brief", view::brief_of(opening))
}
