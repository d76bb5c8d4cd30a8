//! Similarity by embeddings: requested once a round, recorded once.

use super::session::Session;
use super::{Ports, interrupted};
use crate::edge::model::EmbeddingModel;
use crate::edge::ports::Clock;
use crate::fault::Fault;
use crate::machine::similarity::{
    EmbeddingUsage, Lexical, Measurement, TextEmbeddings, measure, texts,
};
use crate::machine::{
    Event, State,
    budget::{self, Reserve},
};

impl Session {
    /// Requests the embeddings of this round and records the similarities computed from them. If
    /// they are unavailable the lexical measure is used and the record says why: a missing figure
    /// never ends a run.
    pub(super) async fn measure_similarity(&mut self, ports: &mut Ports<'_>) -> Result<(), Fault> {
        // The last speech is on disk before the request is sent.
        self.commit(ports)?;
        // Texts whose embeddings this process already has are not sent again.
        let mut known = self.embedded.take();
        let asked = tokio::select! {
            asked = ask_for_vectors(&self.state, &mut known, ports.embeddings, ports.clock) => asked,
            () = interrupted(ports.interrupt.clone()) => return Ok(()),
        };
        let measurement = match (&known, asked) {
            (Some(known), Ok(asked)) => Measurement {
                asked,
                ..measure(&self.state, known)
            },
            (_, asked) => Measurement {
                fallback: asked.err().map(|reason| (ports.redact)(&reason)),
                ..measure(&self.state, &Lexical::default())
            },
        };
        self.embedded = known;
        self.record(ports, Event::SimilarityMeasured { measurement })
    }
}

/// Requests the embeddings of all texts of this round and stores them in `known`. The error says in
/// words why they are unavailable.
///
/// It borrows no more than it needs: many runs of one process move between threads.
async fn ask_for_vectors(
    state: &State,
    known: &mut Option<TextEmbeddings>,
    endpoint: Option<&dyn EmbeddingModel>,
    clock: &dyn Clock,
) -> Result<Option<EmbeddingUsage>, String> {
    let (Some((provider, model)), Some(endpoint)) =
        (state.inputs.rules.similarity.embeddings(), endpoint)
    else {
        return Err("this process has no embeddings endpoint".to_owned());
    };
    let known = known.get_or_insert_with(|| TextEmbeddings::new(model));
    let mut texts = texts(state);
    texts.retain(|text| !known.knows(text));
    if texts.is_empty() {
        return Ok(None);
    }
    if state.inputs.rules.limits.budget_usd.is_some() {
        return Err("a budget of money is set, and vectors have no price".to_owned());
    }
    let reserve = Reserve {
        tokens: texts.iter().map(|text| text.len() as u64).sum(),
        ..Reserve::default()
    };
    if !budget::allows_discussion(state, reserve) {
        return Err("the token cap leaves no room for it".to_owned());
    }
    let since = clock.monotonic_ms();
    let answer = endpoint
        .embed(&texts)
        .await
        .map_err(|failure| failure.for_record().to_owned())?;
    known
        .extend(&texts, answer.vectors)
        .map_err(|bad| format!("`{provider}`: {bad}"))?;
    Ok(Some(EmbeddingUsage {
        provider: provider.to_owned(),
        texts: texts.len() as u32,
        tokens: answer.tokens,
        latency_ms: clock.monotonic_ms().saturating_sub(since),
    }))
}
