//! The result of the review in a few words.

use super::text;
use crate::fault::values;
use crate::machine::review::FindingFate;

/// The result of the review in a few words, or why there was none.
pub(super) fn figures(state: &crate::machine::State, style: &super::Style) -> String {
    let review = &state.review;
    let lang = style.lang;
    if let Some(why) = review.unheld {
        let why = text::name_of("unreviewed", &why);
        return text::NOT_REVIEWED.with(lang, values![why]);
    }
    if review.findings.is_empty() {
        return text::NOTHING_FOUND.of(lang).to_owned();
    }
    let (all, mended) = (review.findings.len(), review.count(FindingFate::Mended));
    text::REVIEWED_FIGURES.with(lang, values![n = all, mended])
}
