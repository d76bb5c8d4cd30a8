//! `speeches/PP_speak_r1.txt`: what a member said in a round, for people.

use std::collections::BTreeMap;

use serde::Serialize;

use super::page::Pages;
use super::{Artifact, ArtifactError, markup};
use crate::machine::{IssueId, Note, QuestionId, SpeechRecord, State, Voice};
use crate::reply::{Contribution, Position};

/// The template.
pub(super) const PAGE: &str = "report/speech.j2";

/// Path of a speech, relative to the version's folder.
pub fn path(code: &str, round: u32) -> String {
    // A code comes from a role file; what could leave the folder is dropped.
    let code: String = code
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        .collect();
    format!("speeches/{code}_speak_r{round}.txt")
}

/// The wanted speeches, side-by-side ones that wait for the others included.
pub(super) fn render(
    state: &State,
    pages: &Pages,
    wanted: impl Fn(&SpeechRecord) -> bool,
) -> Result<Vec<Artifact>, ArtifactError> {
    state
        .speeches
        .iter()
        .chain(state.waiting_speeches.values())
        .filter(|speech| wanted(speech))
        .map(|speech| {
            let view = SpeechView::of(state, speech);
            let text = pages.render(PAGE, &view)?;
            Ok(super::text(path(view.code, speech.round), text))
        })
        .collect()
}

/// A speech as the template sees it: `speech` is the answer as it was given, and what the
/// engine made of it stands beside.
#[derive(Serialize)]
struct SpeechView<'a> {
    code: &'a str,
    name: &'a str,
    voice: Voice,
    round: u32,
    turn: u32,
    analysis: String,
    speech: &'a Contribution,
    /// Titles of the issues its positions are on, by id.
    titles: BTreeMap<&'a str, &'a str>,
    /// Ids its questions and new issues were given, in order.
    question_ids: &'a [QuestionId],
    issue_ids: &'a [IssueId],
    /// What was left out or put right.
    remarks: &'a [Note],
}

impl<'a> SpeechView<'a> {
    fn of(state: &'a State, record: &'a SpeechRecord) -> Self {
        let speech = &record.speech;
        let title = |position: &'a Position| {
            let issue = state.ledger.find(position.issue.parse().ok()?)?;
            Some((position.issue.as_str(), issue.title.as_str()))
        };
        Self {
            code: state.inputs.roles.code(&record.member),
            name: record.member.as_str(),
            voice: state.inputs.model_of(&record.member).voice(),
            round: record.round,
            turn: record.turn,
            analysis: markup::plain(&speech.analysis),
            speech,
            titles: speech.positions.iter().filter_map(title).collect(),
            question_ids: &record.questions,
            issue_ids: &record.issues,
            remarks: &record.notes,
        }
    }
}
