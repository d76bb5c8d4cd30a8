//! `show round N` and `show I-3`.

use schemars::JsonSchema;
use serde::Serialize;

use super::layout::{Mark, dot, heading, ids, labelled, marked, wrap};
use super::text::{self, aside, because, name_of, of, say};
use super::{Style, clean};
use crate::check::on_texts;
use crate::clean::{clean_page, reason};
use crate::fault::values;
use crate::ids::{ConsensusId, IssueId};
use crate::machine::trial::ended;
use crate::machine::{
    IssueRecord, IssueStatus, Origin, SpeechRecord, State, SummaryRecord, TrialRecord,
};
use crate::reply::Severity;

/// One round: its issues, every speech, the summary.
pub fn round_text(state: &State, round: u32, style: &Style) -> String {
    let title = say(style, text::ROUND_WITHOUT, values![n = round]);
    let mut parts = vec![heading(&title, style)];
    for speech in state.discussion.speeches_of(round) {
        let who = clean(state.inputs.roles.code(&speech.member));
        parts.push(spoken(&who, &speech.speech.analysis, style));
        for position in &speech.speech.positions {
            let stance = name_of("stance", &position.stance).of(style.lang);
            let stands = format!("{} {stance}", clean(&position.issue));
            let text = of(stands, clean(&position.why), style.lang);
            parts.push(marked(Mark::Note, &text, style));
        }
    }
    for said in state.ending.words.iter().filter(|said| said.round == round) {
        let text = match said.reopens {
            Some((item, issue)) => {
                let why = because(&said.text, style.lang);
                say(style, text::YOU_REOPEN, values![item, issue, why])
            }
            None => say(style, text::YOU_SAY, values![text = clean(&said.text)]),
        };
        parts.push(marked(Mark::Answered, &text, style));
    }
    let missing = state.discussion.passed_over.iter();
    for missing in missing.filter(|missing| missing.round == round) {
        let who = clean(state.inputs.roles.code(&missing.member));
        let why = reason(&missing.reason, style.lang);
        let text = say(style, text::PASSED_OVER, values![reason = why]);
        parts.push(marked(Mark::Warning, &format!("{who} {text}"), style));
    }
    let summaries = state.discussion.summaries.iter();
    for summary in summaries.filter(|summary| summary.round == round) {
        parts.push(spoken("Coach", &summary.text, style));
        if !summary.left_open.is_empty() {
            let open = say(
                style,
                text::STILL_OPEN,
                values![ids = ids(&summary.left_open)],
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
    let speeches = state
        .discussion
        .speeches_of(round)
        .map(|said| SpeechDocument {
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
    let mut summaries = state.discussion.summaries.iter();
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
    /// What the user said to the members in it, with what it reopened.
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

/// What the user said.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WordsDocument {
    /// The words.
    pub text: String,
    /// What they put in question again.
    pub reopens: Option<ReopenedItem>,
}

/// An agreed item that the user put in question.
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
        say(style, text::GOES_ON_FROM, values![id = base])
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
    let head = format!("{} {}", issue.id, clean(&issue.title));
    let mut lines = vec![wrap(&head, "", style)];
    lines.push(wrap(&clean(&issue.detail), "  ", style));
    let mut origin = match &issue.origin {
        Origin::Requirement => text::ORIGIN_REQUIREMENT.of(style.lang).to_owned(),
        Origin::Feedback { feedback } => say(style, text::ORIGIN_FEEDBACK, values![id = feedback]),
        Origin::Previous => match state.left_by(issue) {
            Some(number) => {
                let n = state.inputs.run().sibling(number);
                say(style, text::ORIGIN_LEFT_BY, values![n])
            }
            None => text::ORIGIN_PREVIOUS.of(style.lang).to_owned(),
        },
        Origin::Member { member } => {
            let who = clean(state.inputs.roles.code(member));
            say(style, text::ORIGIN_MEMBER, values![who])
        }
        Origin::Refined { parent } => say(style, text::ORIGIN_REFINED, values![id = parent]),
        Origin::Reopened { item } => say(style, text::ORIGIN_REOPENED, values![id = item]),
    };
    if issue.severity == Severity::Minor {
        origin = format!("{origin}{}{}", dot(style), text::MINOR.of(style.lang));
    }
    lines.push(labelled(text::ORIGIN, &origin, style));
    let now = status(&issue.status, style);
    lines.push(labelled(text::STATUS_OF, &now, style));
    for position in &issue.positions {
        let who = clean(state.inputs.roles.code(&position.member));
        let round = say(style, text::RAISED_IN, values![n = position.round]);
        let stance = name_of("stance", &position.stance).of(style.lang);
        let turned = position.changed_because.as_deref();
        let said = position.proposal.as_deref().or(turned);
        let said = said.unwrap_or(&position.why);
        let texts = on_texts(position);
        let texts = texts.map_or_else(String::new, |it| aside(it.of(style.lang), style.lang));
        let stands = format!("{round}{}{who} {stance}{texts}", dot(style));
        let text = of(stands, clean(said), style.lang);
        lines.push(marked(Mark::Note, &text, style));
    }
    for change in &issue.history {
        let round = say(style, text::RAISED_IN, values![n = change.round]);
        let became = format!("{round}{}{}", dot(style), status(&change.to, style));
        let text = match &change.reason {
            Some(why) => of(became, clean(why), style.lang),
            None => became,
        };
        lines.push(labelled(text::HISTORY, &text, style));
    }
    lines.join("\n")
}

fn status(status: &IssueStatus, style: &Style) -> String {
    match status {
        IssueStatus::Open => text::IS_OPEN.of(style.lang).to_owned(),
        IssueStatus::Settled { by } => say(style, text::IS_SETTLED, values![id = ids(by)]),
        IssueStatus::Refined { into } => say(style, text::IS_REFINED, values![id = ids(into)]),
        IssueStatus::Merged { into } => say(style, text::IS_MERGED, values![id = into]),
        IssueStatus::Dropped => text::IS_DROPPED.of(style.lang).to_owned(),
        IssueStatus::Deferred => text::IS_DEFERRED.of(style.lang).to_owned(),
    }
}

/// Who speaks, and below it what was said: Markdown as clean lines, wrapped.
fn spoken(who: &str, markdown: &str, style: &Style) -> String {
    let said = super::hung(&markdown.replace("**", ""), style);
    format!("\n{}\n{said}", heading(who, style))
}
