//! Opening what is in the workspace: versions, drafts, their states.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{CliError, Context, Exit};
use crate::edge::fs::{Fs, RealFs};
use crate::edge::journal::{self, TRANSCRIPT};
use crate::edge::store::Outputs;
use crate::workshop::{Entry, State, check};

/// A version or draft that was read.
#[derive(Debug)]
pub struct Opened {
    /// `N` of `vN`.
    pub version: u32,
    /// Is it a draft?
    pub draft: bool,
    /// Its folder, from the workspace's root, `/` between parts.
    pub path: String,
    /// Its folder.
    pub folder: PathBuf,
    /// What its transcript amounts to.
    pub state: State,
}

/// A version or draft that was found and not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// `N` of `vN`.
    pub version: u32,
    /// Is it a draft?
    pub draft: bool,
    /// Its folder.
    pub folder: PathBuf,
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

/// The files of this machine.
pub fn files() -> Arc<dyn Fs> {
    Arc::new(RealFs)
}

/// Every version and draft, oldest first. A draft whose version was published
/// meanwhile stands after it.
pub fn find_all(context: &Context) -> Result<Vec<Found>, CliError> {
    let outputs = Outputs::at(files(), &context.root);
    let found = |version, draft, folder| Found {
        version,
        draft,
        folder,
    };
    let versions = outputs.versions()?.into_iter();
    let drafts = outputs.drafts()?.into_iter();
    let mut all: Vec<Found> = versions
        .map(|n| found(n, false, outputs.version_dir(n)))
        .chain(drafts.map(|n| found(n, true, outputs.draft_dir(n))))
        .collect();
    all.sort_by_key(|found| (found.version, found.draft));
    Ok(all)
}

/// The version or draft of that number; without one the latest of all.
pub fn find(version: Option<u32>, context: &Context) -> Result<Found, CliError> {
    let all = find_all(context)?;
    let nothing_at_all = all.is_empty();
    all.into_iter()
        .rev()
        .find(|found| version.is_none_or(|n| n == found.version))
        .ok_or_else(|| missing(version, nothing_at_all))
}

/// As [`find`], but a published version only.
pub fn find_published(version: Option<u32>, context: &Context) -> Result<Found, CliError> {
    let all = find_all(context)?;
    let published: Vec<_> = all.into_iter().filter(|found| !found.draft).collect();
    let nothing_at_all = published.is_empty();
    published
        .into_iter()
        .rev()
        .find(|found| version.is_none_or(|n| n == found.version))
        .ok_or_else(|| missing(version, nothing_at_all))
}

fn missing(version: Option<u32>, nothing_at_all: bool) -> CliError {
    let what = match version {
        Some(n) => format!("there is no v{n}"),
        None => "there is no version yet".to_owned(),
    };
    let fix = if nothing_at_all {
        "aitc plan \"Export the customer list as CSV\""
    } else {
        "aitc list"
    };
    CliError::usage(what, "nothing of that number stands in this workspace", fix)
}

/// Opens one version or draft; without a number the latest of all.
pub fn open(version: Option<u32>, context: &Context) -> Result<Opened, CliError> {
    read(find(version, context)?, context)
}

/// Reads the transcript of what was found, holding each line against the rules.
pub fn read(found: Found, context: &Context) -> Result<Opened, CliError> {
    let transcript = found.folder.join(TRANSCRIPT);
    let path = shown(&found.folder, context);
    let mut state: Option<State> = None;
    journal::read(&RealFs, &transcript, &mut |entry| {
        take_in(&mut state, &entry)
    })?;
    let state = state.ok_or_else(|| {
        CliError::new(
            Exit::Usage,
            format!("`{path}` holds no whole line yet"),
            "the run ended before its first line was written",
            format!("remove the folder `{path}` and start anew"),
        )
    })?;
    Ok(Opened {
        version: found.version,
        draft: found.draft,
        path,
        folder: found.folder,
        state,
    })
}

fn take_in(state: &mut Option<State>, entry: &Entry) -> Result<(), String> {
    match state {
        Some(state) => {
            check(state, &entry.event).map_err(|illegal| illegal.to_string())?;
            state.apply(entry);
        }
        None => {
            let first = State::open(entry).ok_or("the first line is no `user_input`")?;
            *state = Some(first);
        }
    }
    Ok(())
}

/// A folder as people know it: from the workspace's root, `/` between parts.
pub fn shown(folder: &Path, context: &Context) -> String {
    let inside = folder.strip_prefix(&context.root).unwrap_or(folder);
    let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}
