//! How similar two texts are: which speeches repeat earlier ones, and which issues may be
//! duplicates.
//!
//! ```text
//! last speech of a round -> is_due -> texts -> (embeddings endpoint, if configured)
//!     -> measure -> Event::SimilarityMeasured -> Discussion::measurements -> figures for the guards
//! ```
//!
//! A [`Similarity`] scores two texts. [`Lexical`] is built in and needs nothing else;
//! [`TextEmbeddings`] holds vectors that the program requested from an endpoint. Either way the
//! figures are recorded once, after the last speech of a round, and every later decision reads the
//! record: a replay needs neither the endpoint nor the same version of the measure.
//!
//! Similarity does not measure agreement. A statement is often more similar to its opposite
//! than to a paraphrase, so agreement is counted from stances alone.

mod duplicate;
mod embedded;
mod figures;
mod keywords;
mod lexical;
mod measurement;
mod normal;
mod score;
mod threshold;

pub use duplicate::{IssuePair, issue_text, possible_merges};
pub use embedded::TextEmbeddings;
pub use figures::{LowestScore, alike_rounds, steadiness};
pub use keywords::{
    BadKeywords, Convergence, KEYWORDS, KeywordCounts, Keywords, built_in_keywords, convergence,
};
pub use lexical::{LEXICAL, Lexical};
pub use measurement::{
    EarlierScore, Echo, EmbeddingUsage, Measurement, MemberSimilarity, WINDOW, is_due, measure,
    speech_text, texts,
};
pub(super) use normal::is_ideograph;
pub use score::Score;
pub use threshold::{SimilarityChoice, Thresholds};

/// A measure of how similar two texts are.
pub trait Similarity {
    /// Returns the name of the measure as recorded, such as `lexical` or `embeddings:e5-small`.
    fn name(&self) -> &str;

    /// Returns how much of `later` was already in `earlier`: 0 is nothing, 1 all of it.
    ///
    /// The order matters to measures that use containment: a shortened repeat says nothing new, a
    /// repeat with a new argument does.
    fn score(&self, earlier: &str, later: &str) -> Score;
}
