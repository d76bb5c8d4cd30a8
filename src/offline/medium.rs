//! What kind of product the work is on: a service that people and programs send requests to,
//! or a tool, a library, a device, to which a rule about requests or a screen says nothing.

use serde::Deserialize;

use super::OfflineError;
use super::checklist::{self, MEDIA};
use super::text::Matcher;
use crate::machine::State;

/// A kind of product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Medium {
    /// Answers requests: a site, an app with a server, an interface for others.
    Service,
    /// Runs by itself: a command, a library, a program on a device.
    Tool,
}

impl Medium {
    /// Does something for these kinds of product hold for this one? For none named it does.
    pub fn is_among(self, media: &[Self]) -> bool {
        media.is_empty() || media.contains(&self)
    }
}

/// By what the kinds of product are told.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Media {
    /// A tool.
    pub tool: Signs,
    /// A service.
    pub service: Signs,
}

/// What speaks of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signs {
    /// Words of a requirement, English and Chinese together.
    pub words: Vec<String>,
    /// Names of folders and files.
    pub places: Vec<String>,
    /// Names of what a program of this kind rests on: the whole name, or a part between
    /// slashes.
    #[serde(default)]
    pub uses: Vec<String>,
}

/// The kind of product a run is about: by the words of the requirement, else by the names of
/// what was found for it and of what the program rests on; a service where neither tells, and where a run was begun without
/// the file that says so.
///
/// # Errors
/// That file is malformed.
pub fn of(state: &State, requirement: &Matcher) -> Result<Medium, OfflineError> {
    let Some(text) = state.inputs.templates.get(MEDIA) else {
        return Ok(Medium::Service);
    };
    let Media { tool, service } = checklist::parse_media(MEDIA, text)?;
    let by_words = [&tool, &service].map(|signs| requirement.count(&signs.words));
    let [tools, services] = if by_words[0] == by_words[1] {
        [&tool, &service].map(|signs| found(state, signs))
    } else {
        by_words
    };
    Ok(if tools > services {
        Medium::Tool
    } else {
        Medium::Service
    })
}

/// How many of the files found, of the folders there are and of what the program rests on
/// bear one of these names.
fn found(state: &State, signs: &Signs) -> usize {
    let hits = state.survey.iter().flat_map(|survey| &survey.hits);
    let tree = state.survey.iter().flat_map(|survey| &survey.tree);
    let paths = hits.map(|hit| &hit.path).chain(tree);
    let uses = state.survey.iter().flat_map(|survey| &survey.uses);
    let is_named = |path: &str, names: &[String]| {
        path.split('/')
            .any(|part| names.iter().any(|name| name == part))
    };
    let places = paths.filter(|path| is_named(path, &signs.places)).count();
    places + uses.filter(|name| is_named(name, &signs.uses)).count()
}
