//! How alike two texts are: what was said again, and which issues may be one.
//!
//! ```text
//! last speech of a round -> is_due -> measure -> Event::SimilarityMeasured
//!     -> Discussion::measurements -> figures for the guards
//! ```
//!
//! [`Lexical`] scores two texts by their character n-grams. The figures are recorded
//! once, after the last speech of a round, and whatever is decided later reads the
//! record: a replay does not need the same version of the measure.
//!
//! What is *not* here: agreement. The opposite of a statement is as near to it
//! as a paraphrase, so who agrees is counted from stances alone.

mod duplicate;
mod figures;
mod keywords;
mod lexical;
mod measurement;
mod normal;
mod score;
mod threshold;

pub use duplicate::{IssuePair, issue_text, possible_merges};
pub use figures::{Figures, alike_rounds, echo, steadiness};
pub use keywords::{
    BadKeywords, Convergence, KEYWORDS, KeywordCounts, Keywords, built_in_keywords, convergence,
};
pub use lexical::{LEXICAL, Lexical};
pub use measurement::{
    EarlierScore, Echo, Measurement, MemberSimilarity, WINDOW, is_due, measure, speech_text,
};
pub use score::Score;
pub use threshold::{SimilarityChoice, Thresholds};
