//! `show round N` and `show I-3`.

use schemars::JsonSchema;
use serde::Serialize;

use super::layout::{Mark, dot, heading, ids, labelled, marked, wrap};
use super::text::{of, say, words};
use super::{Style, clean};
use crate::clean::reason;
use crate::ids::{ConsensusId, IssueId};
use crate::machine::{IssueRecord, IssueStatus, Lang, Origin, SpeechRecord, State, SummaryRecord};
use crate::reply::{Severity, Stance};

/// One round: its issues, every speech, the summary.
pub fn round_text(state: &State, round: u32, style: &Style) -> String {
    let words = words(style.lang);
    let title = say(style, words.round_without, &[("n", &round.to_string())]);
    let mut parts = vec![heading(&title, style)];
    for speech in state.speeches_of(round) {
        let who = clean(state.inputs.roles.code(&speech.member));
        parts.push(format!(
            "\n{}\n{}",
            heading(&who, style),
            paragraphs(&speech.speech.analysis, style)
        ));
        for position in &speech.speech.positions {
            let stance = stance(position.stance, style);
            let stands = format!("{} {stance}", clean(&position.issue));
            let text = of(&stands, &clean(&position.why), style.lang);
            parts.push(marked(Mark::Note, &text, style));
        }
    }
    for said in state.ending.words.iter().filter(|said| said.round == round) {
        let text = match said.reopens {
            Some((item, issue)) => {
                let values = [("item", &*item.to_string()), ("issue", &issue.to_string())];
                let why = match (said.text.as_str(), style.lang) {
                    ("", _) => String::new(),
                    (why, Lang::En) => format!(": {}", clean(why)),
                    (why, Lang::Zh) => format!("：{}", clean(why)),
                };
                say(
                    style,
                    words.you_reopen,
                    &[values[0], values[1], ("why", &why)],
                )
            }
            None => say(style, words.you_say, &[("text", &clean(&said.text))]),
        };
        parts.push(marked(Mark::Answered, &text, style));
    }
    for missing in state
        .passed_over
        .iter()
        .filter(|missing| missing.round == round)
    {
        let who = clean(state.inputs.roles.code(&missing.member));
        let text = say(
            style,
            words.passed_over,
            &[("reason", &reason(&missing.reason, style.lang))],
        );
        parts.push(marked(Mark::Warning, &format!("{who} {text}"), style));
    }
    for summary in state
        .summaries
        .iter()
        .filter(|summary| summary.round == round)
    {
        parts.push(format!(
            "\n{}\n{}",
            heading("Coach", style),
            paragraphs(&summary.text, style)
        ));
        if !summary.left_open.is_empty() {
            let open = ids(&summary.left_open);
            parts.push(marked(
                Mark::Note,
                &say(style, words.still_open, &[("ids", &open)]),
                style,
            ));
        }
    }
    parts.join("\n")
}

/// A round for programs; none if there was no such round.
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

/// One issue with its life: origin, positions, what became of it.
pub fn issue_text(state: &State, issue: &IssueRecord, style: &Style) -> String {
    let words = words(style.lang);
    let mut lines = vec![wrap(
        &format!("{} {}", issue.id, clean(&issue.title)),
        "",
        style,
    )];
    lines.push(wrap(&clean(&issue.detail), "  ", style));
    let mut origin = match &issue.origin {
        Origin::Requirement => words.origin_requirement.to_owned(),
        Origin::Feedback { feedback } => say(
            style,
            words.origin_feedback,
            &[("id", &feedback.to_string())],
        ),
        Origin::Previous => match state.left_by(issue) {
            Some(number) => {
                let version = state.inputs.run().sibling(number).to_string();
                say(style, words.origin_left_by, &[("n", &version)])
            }
            None => words.origin_previous.to_owned(),
        },
        Origin::Member { member } => say(
            style,
            words.origin_member,
            &[("who", &clean(state.inputs.roles.code(member)))],
        ),
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
    lines.push(labelled(
        words.status_of,
        &status(&issue.status, style),
        style,
    ));
    for position in &issue.positions {
        let who = clean(state.inputs.roles.code(&position.member));
        let round = say(
            style,
            words.raised_in,
            &[("n", &position.round.to_string())],
        );
        let stance = stance(position.stance, style);
        let turned = position.changed_because.as_deref();
        let said = position.proposal.as_deref().or(turned);
        let said = said.unwrap_or(&position.why);
        let stands = format!("{round}{}{who} {stance}", dot(style));
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

fn stance(stance: Stance, style: &Style) -> &'static str {
    let words = words(style.lang);
    match stance {
        Stance::Agree => words.agrees,
        Stance::Object => words.objects,
        Stance::Refine => words.refines,
        Stance::Abstain => words.abstains,
    }
}

/// Markdown as clean lines, wrapped.
fn paragraphs(markdown: &str, style: &Style) -> String {
    super::hung(&markdown.replace("**", ""), style)
}
