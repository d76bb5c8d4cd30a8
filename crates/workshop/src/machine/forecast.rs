//! Estimates what a run costs before its first call is answered.

use super::carry_over;
use super::format::Format;
use super::inputs::SCRIPTED;
use super::price::Usd;
use super::review::Review;
use super::state::State;
use crate::lang::Lang;

/// The number of rounds of most discussions.
const ROUNDS: u64 = 2;
/// Tokens of a speech or a summary.
const SPEECH: u64 = 900;
/// Tokens of a document.
const DOCUMENT: u64 = 3000;

/// The estimate for a discussion of the usual two rounds with its documents and report, or for a
/// team whose members each work on one phase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forecast {
    /// Number of calls.
    pub calls: u64,
    /// How many of them must run one after the other.
    pub chain: u64,
    /// Tokens sent and written, including those that the provider has cached.
    pub tokens: u64,
    /// Cost, if every model has a price; nothing is counted as cached.
    pub usd: Option<Usd>,
    /// Number of documents that probably stay as in the previous version, judging by the feedback.
    /// They are counted above; each saves a call if nothing in the discussion affects it.
    pub carried: usize,
}

impl Forecast {
    /// Returns the forecast of a run whose first prompt has `prompt_bytes` bytes; `None` if its
    /// length depends on the conversation, or if a script answers.
    pub fn of(state: &State, prompt_bytes: u64) -> Option<Self> {
        let inputs = &state.inputs;
        if inputs.model.provider == SCRIPTED {
            return None;
        }
        match inputs.format {
            Format::Workshop | Format::Board => {}
            Format::Team => return Some(Self::of_team(state, prompt_bytes)),
            _ => return None,
        }
        let members = inputs.roles.members.len() as u64;
        let rounds = ROUNDS.min(inputs.rules.limits.max_rounds.into());
        let documents = state.document_kinds().len() as u64;
        let layers = state
            .document_dag()
            .layers()
            .map_or(documents, |l| l.len() as u64);
        let discussion = 1 + rounds * (members + 1);
        // Each member reviews the plan, and most documents are amended once.
        let is_reviewed = Review::left_out(state, false).is_none();
        let reviews = if is_reviewed { members + documents } else { 0 };
        let calls = discussion + documents + 1 + reviews;
        let in_turn = |round: u64| {
            if inputs.is_blind(round as u32) {
                1
            } else {
                members
            }
        };
        let chain = 1 + (1..=rounds).map(|n| in_turn(n) + 1).sum::<u64>() + layers;
        let chain = chain + if is_reviewed { 1 + layers } else { 0 } + 1;
        let prompt = tokens(state, prompt_bytes);
        let heard = |calls: u64| calls * calls.saturating_sub(1) / 2 * SPEECH;
        // Speakers read the speeches of their round; writers read everything, and half of the
        // documents.
        let in_rounds = rounds * heard(members + 1);
        let in_closing = (documents + 1) * (discussion * SPEECH + documents / 2 * DOCUMENT);
        let in_review = reviews * (discussion * SPEECH + documents * DOCUMENT);
        let read = prompt * calls + in_rounds + in_closing + in_review;
        let amended = if is_reviewed { documents } else { 0 };
        let written = discussion * SPEECH + (documents + 1 + amended) * DOCUMENT;
        Some(Self {
            calls,
            chain,
            tokens: read + written,
            usd: inputs.model.price.map(|price| price.most(read, written)),
            carried: kinds_carried(state),
        })
    }

    /// Returns the forecast for one layer of phases: a plan, the results in parallel, a summary,
    /// the synthesis, its reviews and an amendment.
    fn of_team(state: &State, prompt_bytes: u64) -> Self {
        let inputs = &state.inputs;
        let members = inputs.roles.members.len() as u64;
        let is_reviewed = Review::left_out(state, false).is_none();
        let reviews = if is_reviewed { members + 1 } else { 0 };
        let calls = 3 + members + reviews;
        let results = members * SPEECH;
        let heard = (2 + reviews) * results + reviews * DOCUMENT;
        let read = tokens(state, prompt_bytes) * calls + heard;
        let syntheses = if is_reviewed { 2 } else { 1 };
        let written = (2 + members) * SPEECH + syntheses * DOCUMENT;
        Self {
            calls,
            chain: 4 + if is_reviewed { 2 } else { 0 },
            tokens: read + written,
            usd: inputs.model.price.map(|price| price.most(read, written)),
            carried: 0,
        }
    }
}

/// Estimates tokens: Latin text has about four bytes per token, Chinese three.
fn tokens(state: &State, bytes: u64) -> u64 {
    match state.inputs.doc_lang {
        Lang::Zh => bytes / 3,
        Lang::En => bytes / 4,
    }
}

fn kinds_carried(state: &State) -> usize {
    let kinds = state.document_kinds().into_iter();
    kinds
        .filter(|kind| carry_over::due(state, *kind).is_some())
        .count()
}
