//! The figures of one round: what is measured, when, and what is recorded of it.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::duplicate::{IssuePair, issue_text, near_duplicates};
use super::{Score, Similarity};
use crate::reply::Contribution;
use crate::role::RoleId;
use crate::workshop::state::{SpeechRecord, Stage, State};

/// Earlier rounds a speech is compared with, at most.
pub const WINDOW: u32 = 5;

/// How alike the speeches of a round are to earlier ones, and which open issues may be one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Measurement {
    /// Name of the measure: `lexical`, or `embeddings:` and the model.
    pub measure: String,
    /// A line for every member that spoke in this round and in an earlier one, in speaking order.
    pub members: Vec<MemberSimilarity>,
    /// Open issues that may be one, nearest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub duplicates: Vec<IssuePair>,
    /// Why the embeddings endpoint was not used although it is configured, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
}

/// One member's speech of this round against earlier speeches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemberSimilarity {
    /// Who.
    pub member: RoleId,
    /// Against its own speeches of earlier rounds, latest round first, at most five.
    pub own: Vec<EarlierScore>,
    /// The nearest speech of the round before, whoever gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub echo: Option<Echo>,
}

/// A score against an earlier round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EarlierScore {
    /// Which round.
    pub round: u32,
    /// How much of the speech was said then.
    pub score: Score,
}

/// Whom a speech repeats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Echo {
    /// Who said it in the round before.
    pub of: RoleId,
    /// How much of the speech was said then.
    pub score: Score,
}

/// Is there something to measure now? Once a round, when everybody has spoken
/// and before the coach sums up, so that the coach sees possible merges.
pub fn is_due(state: &State) -> bool {
    state.stage == Stage::Summarising
        && !state.measurements.contains_key(&state.round)
        && (compares_speeches(state) || state.ledger.open().nth(1).is_some())
}

fn compares_speeches(state: &State) -> bool {
    state
        .speeches_of(state.round)
        .any(|speech| earlier(state, speech).next().is_some())
}

impl Measurement {
    /// Is there nothing in it that anybody could use?
    pub fn is_empty(&self) -> bool {
        self.members.is_empty() && self.duplicates.is_empty()
    }
}

/// Every text that [`measure`] compares, each once, in a fixed order.
pub fn texts(state: &State) -> Vec<String> {
    let now = state.speeches_of(state.round);
    let earlier = state
        .speeches
        .iter()
        .filter(|speech| speech.round < state.round && speech.round + WINDOW >= state.round);
    let mut seen = BTreeSet::new();
    now.chain(earlier)
        .map(|speech| speech_text(&speech.speech))
        .chain(state.ledger.open().map(issue_text))
        .filter(|text| seen.insert(text.clone()))
        .collect()
}

/// Measures the current round. Nothing is decided here.
pub fn measure(state: &State, similarity: &dyn Similarity) -> Measurement {
    let members = state
        .speeches_of(state.round)
        .filter_map(|speech| member(state, similarity, speech))
        .collect();
    let thresholds = state.inputs.similarity.thresholds(similarity.name());
    Measurement {
        measure: similarity.name().to_owned(),
        members,
        duplicates: near_duplicates(state, similarity, thresholds.duplicate),
        fallback: None,
    }
}

fn member(
    state: &State,
    similarity: &dyn Similarity,
    speech: &SpeechRecord,
) -> Option<MemberSimilarity> {
    let said = speech_text(&speech.speech);
    let against = |other: &SpeechRecord| similarity.score(&speech_text(&other.speech), &said);
    let mut own: Vec<EarlierScore> = earlier(state, speech)
        .map(|other| EarlierScore {
            round: other.round,
            score: against(other),
        })
        .collect();
    own.reverse();
    let echo = state
        .speeches_of(speech.round.saturating_sub(1))
        .map(|other| Echo {
            of: other.member.clone(),
            score: against(other),
        })
        // Of equals the first: `max_by` would take the last.
        .reduce(|best, next| if next.score > best.score { next } else { best });
    (!own.is_empty() || echo.is_some()).then(|| MemberSimilarity {
        member: speech.member.clone(),
        own,
        echo,
    })
}

/// The same member's speeches of the window's rounds, oldest first.
fn earlier<'a>(
    state: &'a State,
    speech: &'a SpeechRecord,
) -> impl Iterator<Item = &'a SpeechRecord> {
    state.speeches.iter().filter(move |other| {
        other.member == speech.member
            && other.round < speech.round
            && other.round + WINDOW >= speech.round
    })
}

/// What of a speech is compared: everything it says about the subject. Stances,
/// ids and field names are left out; they are counted, not read.
pub fn speech_text(speech: &Contribution) -> String {
    let positions = speech.positions.iter().flat_map(|position| {
        [position.proposal.as_deref(), Some(position.why.as_str())]
            .into_iter()
            .flatten()
    });
    let corrections = speech.corrections.iter().map(|c| c.about.as_str());
    let questions = speech.questions.iter().map(|q| q.question.as_str());
    let issues = speech
        .new_issues
        .iter()
        .flat_map(|issue| [issue.title.as_str(), issue.detail.as_str()]);
    std::iter::once(speech.analysis.as_str())
        .chain(positions)
        .chain(corrections)
        .chain(questions)
        .chain(issues)
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .collect::<Vec<_>>()
        .join("\n")
}
