//! `speeches/PP_speak_r1.txt`: what a member said in a round, for people.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::page::Pages;
use super::{Artifact, markup};
use crate::fault::Fault;
use crate::machine::{SpeechRecord, State};

pub(super) const PAGE: &str = "report/speech.j2";

/// Path of a speech, relative to the version's folder.
pub(super) fn path(code: &str, round: u32) -> String {
    // The code comes from a role file; characters that could lead out of the folder are removed.
    let code: String = code
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
        .collect();
    format!("speeches/{code}_speak_r{round}.txt")
}

/// Renders the `wanted` speeches, including concurrent ones that wait for the others.
pub(super) fn render(
    state: &State,
    pages: &Pages,
    wanted: impl Fn(&SpeechRecord) -> bool,
) -> Result<Vec<Artifact>, Fault> {
    state
        .discussion
        .speeches
        .iter()
        .chain(state.discussion.waiting_speeches.values())
        .filter(|speech| wanted(speech))
        .map(|speech| {
            let text = pages.render(PAGE, &view(state, speech))?;
            let code = state.inputs.roles.code(&speech.member);
            Ok(super::text(path(code, speech.round), text))
        })
        .collect()
}

/// The template values of a speech: `speech` is the unchanged answer, and the other values are what
/// the engine made of it.
fn view(state: &State, record: &SpeechRecord) -> Value {
    let speech = &record.speech;
    let titles = speech.positions.iter().filter_map(|position| {
        let issue = state.ledger.find(position.issue.parse().ok()?)?;
        Some((position.issue.as_str(), issue.title.as_str()))
    });
    json!({
        "code": state.inputs.roles.code(&record.member), "name": record.member,
        "voice": state.inputs.model_of(&record.member).voice(),
        "round": record.round, "turn": record.turn,
        "analysis": markup::plain(&speech.analysis), "speech": speech,
        // Titles, by id, of the issues that its positions are on.
        "titles": titles.collect::<BTreeMap<_, _>>(),
        // Ids given to its questions and new issues, in order.
        "question_ids": record.questions, "issue_ids": record.issues,
        // What the engine left out or corrected.
        "remarks": record.notes,
    })
}
