//! Opening what is in the workspace: versions, drafts, their states.

use super::{CliError, Context};
use crate::workshop::State;

/// A version or draft that was read.
#[derive(Debug)]
pub struct Opened {
    /// `N` of `vN`.
    pub version: u32,
    /// Is it a draft?
    pub draft: bool,
    /// Its folder, from the workspace's root, `/` between parts.
    pub path: String,
    /// What its transcript amounts to.
    pub state: State,
}

/// Reads `vN` or `N` as a version's number.
///
/// # Errors
/// What would be right.
pub fn version(text: &str) -> Result<u32, String> {
    text.strip_prefix('v')
        .unwrap_or(text)
        .parse()
        .ok()
        .filter(|n| *n > 0)
        .ok_or_else(|| "a version is written `v1`, `v2` and so on".to_owned())
}

/// Opens one version or draft; without a number the latest of all.
pub fn open(version: Option<u32>, context: &Context) -> Result<Opened, CliError> {
    let _ = (version, context);
    Err(CliError::not_wired("show"))
}

/// Opens every version and draft, oldest first.
pub fn open_all(context: &Context) -> Result<Vec<Opened>, CliError> {
    let _ = context;
    Err(CliError::not_wired("list"))
}
