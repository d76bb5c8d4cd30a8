//! `speeches/PP_speak_r1.txt`: what a member said in a round, for people.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::page::Pages;
use super::{Artifact, markup};
use crate::fault::Fault;
use crate::machine::{SpeechRecord, State};

/// The template.
pub(super) const PAGE: &str = "report/speech.j2";

/// Path of a speech, relative to the version's folder.
pub(super) fn path(code: &str, round: u32) -> String {
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

/// A speech as the template sees it: `speech` is the answer as it was given, with what the engine
/// made of it beside it.
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
        // Titles of the issues its positions are on, by id.
        "titles": titles.collect::<BTreeMap<_, _>>(),
        // Ids its questions and new issues were given, in order.
        "question_ids": record.questions, "issue_ids": record.issues,
        // What was left out or put right.
        "remarks": record.notes,
    })
}
