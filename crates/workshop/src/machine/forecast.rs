//! What a run is expected to take, told before its first call is answered.

use super::format::Format;
use super::inputs::SCRIPTED;
use super::price::Usd;
use super::review::Review;
use super::state::State;
use crate::lang::Lang;

/// Rounds that most discussions take.
const ROUNDS: u64 = 2;
/// Tokens of a speech or a summary.
const SPEECH: u64 = 900;
/// Tokens of a document.
const DOCUMENT: u64 = 3000;

/// What a discussion of the usual two rounds takes, with its documents and report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forecast {
    /// Calls.
    pub calls: u64,
    /// How many of them wait for one another.
    pub chain: u64,
    /// Tokens sent and written, what the provider has cached included.
    pub tokens: u64,
    /// Money, where the model of everybody has a price; nothing counted as cached.
    pub usd: Option<Usd>,
}

impl Forecast {
    /// The forecast of a run whose first prompt has so many bytes; none where it depends on
    /// what is said how long it goes on, and where a script answers.
    pub fn of(state: &State, prompt_bytes: u64) -> Option<Self> {
        let inputs = &state.inputs;
        let is_known = matches!(inputs.format, Format::Workshop | Format::Board);
        if !is_known || inputs.model.provider == SCRIPTED {
            return None;
        }
        let members = inputs.roles.members.len() as u64;
        let rounds = ROUNDS.min(inputs.limits.max_rounds.into());
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
        // The words that open the report are written beside the last amendments.
        let chain = chain + if is_reviewed { 1 + layers } else { 1 };
        // Latin letters are about four bytes a token, Chinese characters three.
        let prompt = prompt_bytes / if inputs.doc_lang == Lang::Zh { 3 } else { 4 };
        let heard = |calls: u64| calls * calls.saturating_sub(1) / 2 * SPEECH;
        // A round hears itself; whoever writes hears everything, and half of the documents.
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
        })
    }
}
