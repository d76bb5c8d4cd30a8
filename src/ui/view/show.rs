//! The pages of `show round N` and `show I-3`.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::layout::{Mark, heading, marked, wrap};
use super::lines::page;
use super::text::{self, say};
use super::{Style, clean};
use crate::check::on_texts;
use crate::clean::clean_page;
use crate::fault::values;
use crate::machine::trial::ended;
use crate::machine::{IssueRecord, SpeechRecord, State, SummaryRecord, TrialRecord, UserWords};

/// A round: its issues, every speech, the summary.
pub fn round_text(state: &State, round: u32, style: &Style) -> String {
    let mut about = json!(round_document(state, round));
    let missing = state.discussion.passed_over.iter();
    let missing = missing.filter(|missing| missing.round == round);
    about["missing"] = json!(missing.collect::<Vec<_>>());
    page("round", about, state, style)
}

/// A round for programs; `None` if there was no such round.
pub fn round_document(state: &State, round: u32) -> Option<RoundDocument> {
    if round == 0 || round > state.round {
        return None;
    }
    let speeches = state
        .discussion
        .speeches_of(round)
        .map(|said| SpeechDocument {
            code: state.inputs.roles.code(&said.member).to_owned(),
            said: said.clone(),
        });
    let words = state.ending.words.iter();
    let words = words.filter(|said| said.round == round);
    let mut summaries = state.discussion.summaries.iter();
    Some(RoundDocument {
        v: 1,
        round,
        speeches: speeches.collect(),
        words: words.cloned().collect(),
        summary: summaries.find(|summary| summary.round == round).cloned(),
    })
}

/// `aitc show round N --json`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoundDocument {
    /// Version of the format of this document.
    pub v: u32,
    /// Number of the round, from 1.
    pub round: u32,
    /// Speeches in the order in which they were given.
    pub speeches: Vec<SpeechDocument>,
    /// What the user said to the members in it, with what it reopened.
    pub words: Vec<UserWords>,
    /// The coach's summary; null while there is none.
    pub summary: Option<SummaryRecord>,
}

/// A speech as the state holds it.
#[derive(Serialize, JsonSchema)]
pub struct SpeechDocument {
    /// Short code of the member.
    pub code: String,
    /// What was said.
    #[serde(flatten)]
    pub said: SpeechRecord,
}

/// A whole trial: its purpose, its command, and its output.
pub fn trial_text(state: &State, trial: &TrialRecord, style: &Style) -> String {
    let (look, lang) = (&trial.seen.look, style.lang);
    let who = clean(state.inputs.roles.code(&trial.by));
    let title = format!("{} {}", trial.id, text::aside(&who, lang));
    let mut lines = vec![heading(&title, style), wrap(&clean(&look.what), "", style)];
    lines.extend(look.base.as_deref().map(|base| {
        let base = clean(base);
        say(style, text::GOES_ON_FROM, values![id = base])
    }));
    for file in &look.files {
        lines.push(String::new());
        lines.push(format!("--- {}", clean(&file.path)));
        lines.push(clean_page(&file.shown()));
    }
    lines.push(String::new());
    lines.push(format!("$ {}", clean(&look.command.join(" "))));
    let output = trial.seen.found.iter();
    lines.extend(output.map(|find| clean_page(find.text.trim_end())));
    let end = trial.seen.trial.as_ref().map(|trial| ended(trial, lang));
    lines.extend(end.map(|end| marked(Mark::Note, &clean(&end), style)));
    lines.join("\n")
}

/// An issue with its history: origin, positions, outcome.
pub fn issue_text(state: &State, issue: &IssueRecord, style: &Style) -> String {
    let texts = issue.positions.iter().map(on_texts);
    let texts = texts.map(|texts| texts.map(|it| it.of(style.lang).to_owned()));
    let left_by = issue.left_by;
    let about = json!({
        "issue": issue,
        "left_by": left_by.map(|number| state.inputs.run().sibling(number).to_string()),
        "texts": texts.collect::<Vec<_>>(),
    });
    page("issue", about, state, style)
}
