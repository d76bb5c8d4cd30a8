//! How alike two texts are: what was said again, and which issues may be one.
//!
//! ```text
//! last speech of a round -> is_due -> texts -> (embeddings endpoint, if configured)
//!     -> measure -> Event::SimilarityMeasured -> Discussion::measurements -> figures for the guards
//! ```
//!
//! A [`Similarity`] scores two texts. [`Lexical`] is built in and needs nothing;
//! [`Embedded`] holds vectors that were asked for at the edge. Either way the
//! figures are recorded once, after the last speech of a round, and whatever is
//! decided later reads the record: a replay needs neither the endpoint nor the
//! same version of the measure.
//!
//! What is *not* here: agreement. The opposite of a statement is as near to it
//! as a paraphrase, so who agrees is counted from stances alone.

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
pub use embedded::{BadVectors, Embedded};
pub use figures::{Figures, alike_rounds, echo, steadiness};
pub use keywords::{
    BadKeywords, Convergence, KEYWORDS, KeywordCounts, Keywords, built_in_keywords, convergence,
};
pub use lexical::{LEXICAL, Lexical};
pub use measurement::{
    Asked, EarlierScore, Echo, Measurement, MemberSimilarity, WINDOW, is_due, measure, speech_text,
    texts,
};
pub use score::Score;
pub use threshold::{SimilarityChoice, Thresholds};

/// A way to say how alike two texts are.
pub trait Similarity {
    /// Name of the measure as it is recorded, such as `lexical` or `embeddings:e5-small`.
    fn name(&self) -> &str;

    /// How much of `later` was in `earlier` already: 0 is nothing, 1 all of it.
    ///
    /// The order matters to measures that know containment: a shortened repeat
    /// says nothing new, a repeat with a new argument does.
    fn score(&self, earlier: &str, later: &str) -> Score;
}
