//! Open issues that may be duplicates: suggested to the coach, never merged automatically.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Score, Similarity};
use crate::ids::IssueId;
use crate::machine::issue::IssueRecord;
use crate::machine::state::State;

/// Maximum number of pairs in one measurement; the most similar ones are kept.
const MAX_PAIRS: usize = 5;

/// Two issues with similar texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct IssuePair {
    /// The older one, which would stay.
    pub into: IssueId,
    /// Id of the issue that was entered later, `I-n`.
    pub issue: IssueId,
    /// Similarity of the two texts.
    pub score: Score,
}

/// Returns the text of an issue that is compared, in addition to its title alone.
pub fn issue_text(issue: &IssueRecord) -> String {
    format!("{}\n{}", issue.title, issue.detail)
}

/// Returns at most five pairs of open issues whose titles and whole texts both reach the threshold,
/// most similar first; the score is the lower of the two. Comparing titles keeps a phrase that is
/// in the detail of every issue from making pairs. A pair is reported once: if the coach left both
/// open, that is its answer.
pub(super) fn near_duplicates(
    state: &State,
    similarity: &dyn Similarity,
    threshold: Score,
) -> Vec<IssuePair> {
    let alike = |a: &str, b: &str| similarity.score(a, b).max(similarity.score(b, a));
    let open: Vec<(&IssueRecord, String)> = state
        .ledger
        .open()
        .map(|issue| (issue, issue_text(issue)))
        .collect();
    let mut pairs = Vec::new();
    for (i, (into, older)) in open.iter().enumerate() {
        for (issue, younger) in &open[i + 1..] {
            if is_named(state, into.id, issue.id) {
                continue;
            }
            let titles = alike(&into.title, &issue.title);
            if titles < threshold {
                continue;
            }
            let score = titles.min(alike(older, younger));
            if score >= threshold {
                pairs.push(IssuePair {
                    into: into.id,
                    issue: issue.id,
                    score,
                });
            }
        }
    }
    pairs.sort_by_key(|pair| std::cmp::Reverse(pair.score));
    pairs.truncate(MAX_PAIRS);
    pairs
}

fn is_named(state: &State, into: IssueId, issue: IssueId) -> bool {
    state
        .discussion
        .measurements
        .values()
        .flat_map(|measured| &measured.duplicates)
        .any(|pair| pair.into == into && pair.issue == issue)
}

/// Returns the pairs of this round's measurement that are both still open; the coach is offered
/// them as possible merges when it writes its summary.
pub fn possible_merges(state: &State) -> impl Iterator<Item = &IssuePair> {
    let open = |id| state.ledger.find(id).is_some_and(IssueRecord::is_open);
    state
        .discussion
        .measurements
        .get(&state.round)
        .into_iter()
        .flat_map(|measured| &measured.duplicates)
        .filter(move |pair| open(pair.into) && open(pair.issue))
}
