//! What was measured between the last speech and the summary, as terminal lines.

use super::clean;
use super::event::View;
use super::layout::Mark;
use super::text;
use crate::fault::values;
use crate::machine::similarity::{Measurement, Score};

impl View<'_> {
    /// Possible duplicates and a silent endpoint are always shown; the figures only with `-v`,
    /// since they decide nothing by themselves.
    pub(super) fn similarity(&self, measured: &Measurement) -> Option<String> {
        let mut lines = Vec::new();
        if let Some(reason) = &measured.fallback {
            let why = crate::clean::reason(reason, self.style.lang);
            lines.push(self.told(
                Mark::Warning,
                text::SIMILARITY_FALLBACK,
                values![reason = why],
            ));
        }
        let scores = || measured.members.iter().filter_map(|m| m.own.first());
        if self.style.verbose > 0
            && let Some(mean) = Score::mean(scores().map(|own| own.score))
        {
            let measure = clean(&measured.measure);
            let values = values![measure, mean];
            lines.push(self.told(Mark::Note, text::SIMILARITY, values));
        }
        for pair in &measured.duplicates {
            let values = values![issue = pair.issue, into = pair.into, score = pair.score];
            lines.push(self.told(Mark::Note, text::POSSIBLE_MERGE, values));
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}
