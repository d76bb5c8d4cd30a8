//! `speeches/PP_speak_r1.txt`: what a member said in a round, for people.

use serde::Serialize;

use super::page::Pages;
use super::{Artifact, ArtifactError, markup};
use crate::machine::{Note, SpeechRecord, State, Voice};
use crate::reply::{Correction, NewIssue, Severity, Stance};

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

#[derive(Serialize)]
struct SpeechView<'a> {
    code: &'a str,
    name: &'a str,
    voice: Voice,
    round: u32,
    turn: u32,
    analysis: String,
    positions: Vec<PositionView<'a>>,
    corrections: &'a [Correction],
    questions: Vec<QuestionView<'a>>,
    new_issues: Vec<IssueView<'a>>,
    notes: &'a [Note],
}

#[derive(Serialize)]
struct PositionView<'a> {
    issue: &'a str,
    title: Option<&'a str>,
    stance: Stance,
    proposal: Option<&'a str>,
    why: &'a str,
    changed_because: Option<&'a str>,
}

#[derive(Serialize)]
struct QuestionView<'a> {
    id: Option<String>,
    text: &'a str,
    why: &'a str,
    blocks: Option<&'a str>,
    options: &'a [String],
    recommended: &'a str,
}

#[derive(Serialize)]
struct IssueView<'a> {
    id: Option<String>,
    title: &'a str,
    detail: &'a str,
    severity: Severity,
}

impl<'a> SpeechView<'a> {
    fn of(state: &'a State, record: &'a SpeechRecord) -> Self {
        let speech = &record.speech;
        let issue = |(i, new): (usize, &'a NewIssue)| IssueView {
            id: record.issues.get(i).map(ToString::to_string),
            title: &new.title,
            detail: &new.detail,
            severity: new.severity,
        };
        let voice = state.inputs.model_of(&record.member).voice();
        Self {
            code: state.inputs.roles.code(&record.member),
            name: record.member.as_str(),
            voice,
            round: record.round,
            turn: record.turn,
            analysis: markup::plain(&speech.analysis),
            positions: speech
                .positions
                .iter()
                .map(|position| PositionView {
                    issue: &position.issue,
                    title: title_of(state, &position.issue),
                    stance: position.stance,
                    proposal: position.proposal.as_deref(),
                    why: &position.why,
                    changed_because: position.changed_because.as_deref(),
                })
                .collect(),
            corrections: &speech.corrections,
            questions: speech
                .questions
                .iter()
                .enumerate()
                .map(|(i, asked)| QuestionView {
                    id: record.questions.get(i).map(ToString::to_string),
                    text: &asked.question,
                    why: &asked.why,
                    blocks: asked.blocks.as_deref(),
                    options: &asked.options,
                    recommended: &asked.recommended,
                })
                .collect(),
            new_issues: speech.new_issues.iter().enumerate().map(issue).collect(),
            notes: &record.notes,
        }
    }
}

fn title_of<'a>(state: &'a State, issue: &str) -> Option<&'a str> {
    let id = issue.parse().ok()?;
    state.ledger.find(id).map(|issue| issue.title.as_str())
}
