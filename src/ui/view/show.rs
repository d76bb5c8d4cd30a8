//! `show round N` and `show I-3`.

use schemars::JsonSchema;
use serde::Serialize;

use super::layout::{Mark, dot, heading, ids, labelled, marked, wrap};
use super::text::{self, aside, because, name_of, of, say, words};
use super::{Style, clean};
use crate::check::on_texts;
use crate::clean::{clean_page, reason};
use crate::ids::{ConsensusId, IssueId};
use crate::machine::trial::ended;
use crate::machine::{
    IssueRecord, IssueStatus, Origin, SpeechRecord, State, SummaryRecord, TrialRecord,
};
use crate::reply::Severity;

/// One round: its issues, every speech, the summary.
pub fn round_text(state: &State, round: u32, style: &Style) -> String {
    let words = words(style.lang);
    let title = say(style, words.round_without, &[("n", &round.to_string())]);
    let mut parts = vec![heading(&title, style)];
    for speech in state.speeches_of(round) {
        let who = clean(state.inputs.roles.code(&speech.member));
        parts.push(spoken(&who, &speech.speech.analysis, style));
        for position in &speech.speech.positions {
            let stance = name_of("stance", &position.stance, style.lang);
            let stands = format!("{} {stance}", clean(&position.issue));
            let text = of(&stands, &clean(&position.why), style.lang);
            parts.push(marked(Mark::Note, &text, style));
        }
    }
    for said in state.ending.words.iter().filter(|said| said.round == round) {
        let text = match said.reopens {
            Some((item, issue)) => {
                let why = because(&said.text, style.lang);
                let (item, issue) = (item.to_string(), issue.to_string());
                let values = [("item", &*item), ("issue", &issue), ("why", &why)];
                say(style, words.you_reopen, &values)
            }
            None => say(style, words.you_say, &[("text", &clean(&said.text))]),
        };
        parts.push(marked(Mark::Answered, &text, style));
    }
    let missing = state.passed_over.iter();
    for missing in missing.filter(|missing| missing.round == round) {
        let who = clean(state.inputs.roles.code(&missing.member));
        let why = reason(&missing.reason, style.lang);
        let text = say(style, words.passed_over, &[("reason", &why)]);
        parts.push(marked(Mark::Warning, &format!("{who} {text}"), style));
    }
    let summaries = state.summaries.iter();
    for summary in summaries.filter(|summary| summary.round == round) {
        parts.push(spoken("Coach", &summary.text, style));
        if !summary.left_open.is_empty() {
            let open = say(
                style,
                words.still_open,
                &[("ids", &ids(&summary.left_open))],
            );
            parts.push(marked(Mark::Note, &open, style));
        }
    }
    parts.join("\n")
}

/// A round for programs; `None` if there was no such round.
pub fn round_document(state: &State, round: u32) -> Option<RoundDocument> {
    if round == 0 || round > state.round {
        return None;
    }
    let speeches = state.speeches_of(round).map(|said| SpeechDocument {
        code: state.inputs.roles.code(&said.member).to_owned(),
        said: said.clone(),
    });
    let words = state.ending.words.iter();
    let words = words.filter(|said| said.round == round);
    let words = words.map(|said| WordsDocument {
        text: said.text.clone(),
        reopens: said
            .reopens
            .map(|(item, issue)| ReopenedItem { item, issue }),
    });
    let mut summaries = state.summaries.iter();
    Some(RoundDocument {
        v: 1,
        round,
        speeches: speeches.collect(),
        words: words.collect(),
        summary: summaries.find(|summary| summary.round == round).cloned(),
    })
}

/// `aitc show round N --json`.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoundDocument {
    /// Version of this format.
    pub v: u32,
    /// `N` of the round.
    pub round: u32,
    /// Speeches in order.
    pub speeches: Vec<SpeechDocument>,
    /// What the human said to the members in it, with what it reopened.
    pub words: Vec<WordsDocument>,
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

/// What the human said.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WordsDocument {
    /// The words.
    pub text: String,
    /// What they put in question again.
    pub reopens: Option<ReopenedItem>,
}

/// An agreed item that the human put in question.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReopenedItem {
    /// Which item.
    pub item: ConsensusId,
    /// The issue that takes its place.
    pub issue: IssueId,
}

/// A trial, whole: what it was to show, what was run, and what it printed.
pub fn trial_text(state: &State, trial: &TrialRecord, style: &Style) -> String {
    let (look, lang) = (&trial.seen.look, style.lang);
    let who = clean(state.inputs.roles.code(&trial.by));
    let title = format!("{} {}", trial.id, text::aside(&who, lang));
    let mut lines = vec![heading(&title, style), wrap(&clean(&look.what), "", style)];
    lines.extend(look.base.as_deref().map(|base| {
        let base = clean(base);
        say(style, words(lang).goes_on_from, &[("id", &base)])
    }));
    for file in &look.files {
        lines.push(String::new());
        lines.push(format!("--- {}", clean(&file.path)));
        lines.push(clean_page(&file.text));
    }
    lines.push(String::new());
    lines.push(format!("$ {}", clean(&look.command.join(" "))));
    let output = trial.seen.found.iter();
    lines.extend(output.map(|find| clean_page(find.text.trim_end())));
    let end = trial.seen.trial.as_ref().map(|trial| ended(trial, lang));
    lines.extend(end.map(|end| marked(Mark::Note, &clean(&end), style)));
    lines.join("\n")
}

/// One issue with its life: origin, positions, what became of it.
pub fn issue_text(state: &State, issue: &IssueRecord, style: &Style) -> String {
    let words = words(style.lang);
    let head = format!("{} {}", issue.id, clean(&issue.title));
    let mut lines = vec![wrap(&head, "", style)];
    lines.push(wrap(&clean(&issue.detail), "  ", style));
    let mut origin = match &issue.origin {
        Origin::Requirement => words.origin_requirement.to_owned(),
        Origin::Feedback { feedback } => {
            let id = feedback.to_string();
            say(style, words.origin_feedback, &[("id", &id)])
        }
        Origin::Previous => match state.left_by(issue) {
            Some(number) => {
                let version = state.inputs.run().sibling(number).to_string();
                say(style, words.origin_left_by, &[("n", &version)])
            }
            None => words.origin_previous.to_owned(),
        },
        Origin::Member { member } => {
            let who = clean(state.inputs.roles.code(member));
            say(style, words.origin_member, &[("who", &who)])
        }
        Origin::Refined { parent } => {
            say(style, words.origin_refined, &[("id", &parent.to_string())])
        }
        Origin::Reopened { item } => {
            say(style, words.origin_reopened, &[("id", &item.to_string())])
        }
    };
    if issue.severity == Severity::Minor {
        origin = format!("{origin}{}{}", dot(style), words.minor);
    }
    lines.push(labelled(words.origin, &origin, style));
    let now = status(&issue.status, style);
    lines.push(labelled(words.status_of, &now, style));
    for position in &issue.positions {
        let who = clean(state.inputs.roles.code(&position.member));
        let round = position.round.to_string();
        let round = say(style, words.raised_in, &[("n", &round)]);
        let stance = name_of("stance", &position.stance, style.lang);
        let turned = position.changed_because.as_deref();
        let said = position.proposal.as_deref().or(turned);
        let said = said.unwrap_or(&position.why);
        let texts = on_texts(position);
        let texts = texts.map_or_else(String::new, |it| aside(it.of(style.lang), style.lang));
        let stands = format!("{round}{}{who} {stance}{texts}", dot(style));
        let text = of(&stands, &clean(said), style.lang);
        lines.push(marked(Mark::Note, &text, style));
    }
    for change in &issue.history {
        let round = say(style, words.raised_in, &[("n", &change.round.to_string())]);
        let became = format!("{round}{}{}", dot(style), status(&change.to, style));
        let text = match &change.reason {
            Some(why) => of(&became, &clean(why), style.lang),
            None => became,
        };
        lines.push(labelled(words.history, &text, style));
    }
    lines.join("\n")
}

fn status(status: &IssueStatus, style: &Style) -> String {
    let words = words(style.lang);
    match status {
        IssueStatus::Open => words.is_open.to_owned(),
        IssueStatus::Settled { by } => say(style, words.is_settled, &[("id", &ids(by))]),
        IssueStatus::Refined { into } => say(style, words.is_refined, &[("id", &ids(into))]),
        IssueStatus::Merged { into } => say(style, words.is_merged, &[("id", &into.to_string())]),
        IssueStatus::Dropped => words.is_dropped.to_owned(),
        IssueStatus::Deferred => words.is_deferred.to_owned(),
    }
}

/// Who speaks, and below it what was said: Markdown as clean lines, wrapped.
fn spoken(who: &str, markdown: &str, style: &Style) -> String {
    let said = super::hung(&markdown.replace("**", ""), style);
    format!("\n{}\n{said}", heading(who, style))
}
