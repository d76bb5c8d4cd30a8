//! The figures of one round: what is measured, when, and what is recorded.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::duplicate::{IssuePair, issue_text, near_duplicates};
use super::{Score, Similarity};
use crate::machine::illegal::{Verdict, ensure, refuse};
use crate::machine::issue::IssueRecord;
use crate::machine::state::{SpeechRecord, Stage, State};
use crate::reply::Contribution;
use crate::role::RoleId;

/// Maximum number of earlier rounds a speech is compared with.
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
    /// Usage of the embeddings endpoint; absent if it was not asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<EmbeddingUsage>,
    /// Why the embeddings endpoint was not used although it is configured, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<String>,
}

/// What asking an embeddings endpoint cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EmbeddingUsage {
    /// Name of the provider that was asked, such as `openai`.
    pub provider: String,
    /// Texts sent; those that this process knew already were not sent again.
    pub texts: u32,
    /// Tokens of these texts, as the provider counts them.
    pub tokens: u64,
    /// Milliseconds from request to whole answer.
    pub latency_ms: u64,
}

/// One member's speech of this round against earlier speeches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemberSimilarity {
    /// Full role name of the member.
    pub member: RoleId,
    /// Against its own speeches of earlier rounds, latest round first, at most five.
    pub own: Vec<EarlierScore>,
    /// The nearest speech of the round before, by any member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub echo: Option<Echo>,
}

/// A score against an earlier round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EarlierScore {
    /// Number of the round, from 1.
    pub round: u32,
    /// How much of the speech was said then.
    pub score: Score,
}

/// A speaker whose speech another one repeats.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Echo {
    /// Who said it in the round before.
    pub of: RoleId,
    /// How much of the speech was said then.
    pub score: Score,
}

/// Returns whether there is something to measure now: once per round, after everybody has spoken
/// and before the coach summarises, so that the coach sees possible merges.
pub fn is_due(state: &State) -> bool {
    may_measure(state) && (compares_speeches(state) || state.ledger.open().nth(1).is_some())
}

/// Once per round, and not once the coach has started its summary.
fn may_measure(state: &State) -> bool {
    state.stage == Stage::Summarising
        && state.team.is_none()
        && state.calls.open.is_empty()
        && !state.discussion.measurements.contains_key(&state.round)
}

impl State {
    pub(in crate::machine) fn take_measurement(&mut self, measured: &Measurement) -> Verdict {
        check(self, measured)?;
        if let Some(asked) = &measured.asked {
            self.calls.used.input = self.calls.used.input.saturating_add(asked.tokens);
        }
        self.discussion
            .measurements
            .insert(self.round, measured.clone());
        Ok(())
    }
}

/// Checks whether these figures may be recorded now. They must be about speeches that were given
/// and issues that are open. Scores are not recomputed: a later version of a measure must not make
/// an older transcript unreadable.
fn check(state: &State, measured: &Measurement) -> Verdict {
    let may = may_measure(state);
    ensure!(may, "a round is measured once, when everybody has spoken");
    let spoke = |member: &RoleId, round: u32| {
        state
            .discussion
            .speeches_of(round)
            .any(|speech| speech.member == *member)
    };
    let mut seen = BTreeSet::new();
    for line in &measured.members {
        let member = &line.member;
        let is_new = spoke(member, state.round) && seen.insert(member);
        ensure!(is_new, "`{member}` did not speak, or is measured twice");
        let rounds: Vec<u32> = line.own.iter().map(|own| own.round).collect();
        let falling = rounds.windows(2).all(|pair| pair[0] > pair[1]);
        let earlier = |round: &u32| *round < state.round && spoke(member, *round);
        let fit = falling && rounds.iter().all(earlier);
        ensure!(fit, "`{member}` is held against rounds that do not fit");
        if let Some(Echo { of, .. }) = &line.echo {
            let spoke = spoke(of, state.round.saturating_sub(1));
            ensure!(spoke, "`{of}` did not speak in the round before");
        }
    }
    let missing = state
        .discussion
        .speeches_of(state.round)
        .find(|speech| earlier(state, speech).next().is_some() && !seen.contains(&speech.member));
    if let Some(speech) = missing {
        refuse!("`{}` is not measured", speech.member);
    }
    let open = |id| state.ledger.find(id).is_some_and(IssueRecord::is_open);
    for IssuePair { into, issue, .. } in &measured.duplicates {
        let are_two = into < issue && open(*into) && open(*issue);
        ensure!(are_two, "`{into}` and `{issue}` are no two open issues");
    }
    Ok(())
}

fn compares_speeches(state: &State) -> bool {
    state
        .discussion
        .speeches_of(state.round)
        .any(|speech| earlier(state, speech).next().is_some())
}

impl Measurement {
    /// Returns whether it holds neither speech scores nor duplicates.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty() && self.duplicates.is_empty()
    }
}

/// Returns every text that [`measure`] compares, each once, in a fixed order.
pub fn texts(state: &State) -> Vec<String> {
    let now = state.discussion.speeches_of(state.round);
    let earlier = state
        .discussion
        .speeches
        .iter()
        .filter(|speech| speech.round < state.round && speech.round + WINDOW >= state.round);
    let mut seen = BTreeSet::new();
    now.chain(earlier)
        .map(|speech| speech_text(&speech.speech))
        .chain(state.ledger.open().map(|issue| issue.title.clone()))
        .chain(state.ledger.open().map(issue_text))
        .filter(|text| seen.insert(text.clone()))
        .collect()
}

/// Measures the current round. It decides nothing.
pub fn measure(state: &State, similarity: &dyn Similarity) -> Measurement {
    let thresholds = state.inputs.rules.similarity.thresholds(similarity.name());
    Measurement {
        measure: similarity.name().to_owned(),
        members: members(state, similarity),
        duplicates: near_duplicates(state, similarity, thresholds.duplicate),
        asked: None,
        fallback: None,
    }
}

/// Returns the scores of every member that spoke both in this round and in an earlier one. Each
/// speech is compared with several others but converted to text once.
fn members(state: &State, similarity: &dyn Similarity) -> Vec<MemberSimilarity> {
    let now = state.round;
    let window = now.saturating_sub(WINDOW)..=now;
    let speeches: Vec<(&SpeechRecord, String)> = window
        .flat_map(|round| state.discussion.speeches_of(round))
        .map(|speech| (speech, speech_text(&speech.speech)))
        .collect();
    let earlier = || speeches.iter().filter(|(speech, _)| speech.round < now);
    let line = |(speech, text): &(&SpeechRecord, String)| {
        let own: Vec<EarlierScore> = earlier()
            .rev()
            .filter(|(at, _)| at.member == speech.member)
            .map(|(at, said)| EarlierScore {
                round: at.round,
                score: similarity.score(said, text),
            })
            .collect();
        let echo = earlier()
            .filter(|(at, _)| at.round + 1 == now)
            .map(|(by, said)| Echo {
                of: by.member.clone(),
                score: similarity.score(said, text),
            })
            // On a tie keep the first: `max_by` would return the last.
            .reduce(|best, next| if next.score > best.score { next } else { best });
        (!own.is_empty() || echo.is_some()).then(|| MemberSimilarity {
            member: speech.member.clone(),
            own,
            echo,
        })
    };
    let spoken = speeches.iter().filter(|(speech, _)| speech.round == now);
    spoken.filter_map(line).collect()
}

/// Returns the same member's speeches in the earlier rounds of the window.
fn earlier<'a>(
    state: &'a State,
    speech: &'a SpeechRecord,
) -> impl Iterator<Item = &'a SpeechRecord> {
    // By round, so that a long run is not searched whole for each speech.
    let window = speech.round.saturating_sub(WINDOW)..speech.round;
    window
        .flat_map(|round| state.discussion.speeches_of(round))
        .filter(move |other| other.member == speech.member)
}

/// Returns the text of a speech that is compared: everything it says about the subject. Stances,
/// ids and field names are left out; they are counted elsewhere.
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
