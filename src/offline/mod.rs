//! The built-in members: checklists and repository search, no language model.
//!
//! [`answer`] stands where a model would: it is given a call and returns the
//! JSON text of the structured answer. It knows nothing that is not in the
//! state, so the same state always brings the same words. What the members
//! know is in data files that a workspace may override (see
//! `docs/design/offline.md`); this room only decides which of it applies,
//! who says it, and what becomes of it.

mod amend;
mod argument;
mod board;
mod checklist;
mod collision;
mod debate;
mod dispute;
mod documents;
mod exchange;
mod figures;
mod judgment;
mod line;
mod medium;
mod names;
mod needs;
mod party;
mod phrases;
mod questions;
mod removal;
mod report;
mod revision;
mod reword;
mod rule;
mod speech;
mod stays;
mod strike;
mod summary;
mod team;
mod text;
mod topics;
mod vote;

use serde::Serialize;

pub use checklist::{
    Checklist, DesignItem, FOLDER as CHECKLISTS, parse as parse_checklist, parse_media,
};
pub use medium::{Media, Medium};
pub use names::other_names;
pub use needs::{read as read_requirement, split as split_needs};
pub use phrases::{Phrases, parse as parse_phrases};
pub use text::{Matcher, is_han, terms};

use crate::fault::line::INTERNAL;
use crate::fault::settings::CHECKLIST;
use crate::fault::{Fault, Tell, Text};
use crate::machine::{CallId, Format, Purpose, State};
use crate::reply::Contribution;
use crate::role::RoleId;
use board::Board;

/// Why the built-in members could not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.told())]
pub enum OfflineError {
    /// A checklist file is missing from the frozen templates.
    Missing(String),
    /// A checklist file cannot be read.
    Checklist {
        /// Key of the file among the templates, such as `checklists/api.yaml`.
        path: String,
        /// What is wrong, with line and column.
        what: String,
    },
    /// The call is of a member that takes no part.
    UnknownMember(RoleId),
    /// The answer could not be written as JSON.
    Json(String),
}

impl Tell for OfflineError {
    fn told(&self) -> Fault {
        match self {
            Self::Missing(path) => {
                let what = Text("it is missing", "它不存在");
                CHECKLIST.with(&[("path", path), ("what", &what)])
            }
            Self::Checklist { path, what } => CHECKLIST.with(&[("path", path), ("what", what)]),
            Self::UnknownMember(id) => {
                INTERNAL.with(&[("what", &format!("`{id}` is no member of this run"))])
            }
            Self::Json(why) => {
                let what = format!("the answer cannot be written as JSON: {why}");
                INTERNAL.with(&[("what", &what)])
            }
        }
    }
}

/// The JSON text that the built-in member of `call` answers.
///
/// A `Contribution` in the discussion, the document's struct at the end, and
/// `ReportWords` for the report. Pure: no file, clock or network is touched.
///
/// # Errors
/// A checklist that is needed is missing or malformed, or the member is unknown.
pub fn answer(state: &State, call: &CallId) -> Result<String, OfflineError> {
    let board = Board::open(state)?;
    let in_team = state.inputs.format == Format::Team;
    match call.purpose {
        Purpose::Judgment if in_team => json(&team::plan(&board)),
        Purpose::Step => json(&team::work(&board, call)?),
        Purpose::Report if in_team => json(&team::synthesis(&board)),
        Purpose::Summary if in_team => json(&summary::review(&board)),
        Purpose::Judgment => json(&judgment::judge(&board)),
        Purpose::Speech => json(&speech::speak(&board, call)?),
        Purpose::Relay => json(&questions::relay(&board)),
        Purpose::FollowUp => json(&questions::follow_up(&board, call)),
        Purpose::Summary => json(&summary::sum_up(&board)),
        Purpose::Vote => json(&vote::cast(state)),
        Purpose::Debate(part) => json(&debate::answer(&board, call, part)?),
        Purpose::Document(kind) => documents::write(&board, kind),
        Purpose::Report => json(&report::words(&board)),
    }
}

fn json<T: Serialize>(answer: &T) -> Result<String, OfflineError> {
    serde_json::to_string(answer).map_err(|e| OfflineError::Json(e.to_string()))
}

/// A contribution that only says something.
fn spoken(analysis: String) -> Contribution {
    Contribution {
        analysis,
        ..Contribution::default()
    }
}
