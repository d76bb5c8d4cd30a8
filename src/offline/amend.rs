//! How a point of feedback alters what it puts in question: another figure for the same, or
//! words in the place of what it names by an id.

use std::collections::BTreeSet;

use super::figures::{Counted, counted};
use super::line::{Line, Source};
use super::rule::joins;
use super::strike::{self, Named};
use super::text::terms;
use crate::machine::{State, said_of};

/// What a point of feedback says otherwise than the plan.
pub struct Amendment<'p> {
    point: &'p str,
    /// Its figures, with what they count.
    said: Vec<Counted>,
    /// Its telling words beside them.
    words: BTreeSet<String>,
    /// What it names by an id.
    named: Vec<Named>,
    /// Does it say how that should read?
    replaces: bool,
    /// Is there one line at most that its figures can be meant for?
    is_clear: bool,
}

impl<'p> Amendment<'p> {
    /// What a point says of these lines, which it puts in question.
    pub fn of<'l>(
        state: &State,
        point: &'p str,
        lines: impl Iterator<Item = &'l Line<'l>>,
    ) -> Self {
        let said = counted(point);
        let mut rest = point.to_owned();
        for one in said.iter().rev() {
            rest.replace_range(one.at.clone(), " ");
        }
        let behind = said_of(point);
        let is_question = behind.ends_with(['?', '？']);
        let mut amendment = Self {
            point,
            said,
            words: terms(&rest),
            named: strike::named(state, point),
            replaces: behind.len() < point.trim().len() && !is_question && !joins(behind),
            is_clear: true,
        };
        let meant = lines.filter(|line| amendment.means(&line.text) && !is_wish(line));
        amendment.is_clear = meant.count() < 2;
        amendment
    }

    /// A line as it reads after the point; none where the point stands in its place.
    pub fn put<'b>(&self, line: Line<'b>) -> Option<Line<'b>> {
        if is_wish(&line) {
            return (!self.means(&line.need)).then_some(line);
        }
        let mut named = self.named.iter().filter(|named| !named.is_part());
        let is_cited = named.any(|named| named.is_told_by(&line));
        if (is_cited || (self.is_clear && self.means(&line.text)))
            && let Some(put) = line.refigured(self.point)
        {
            return Some(put);
        }
        (!is_cited || !self.replaces).then_some(line)
    }

    /// Does a text say another figure for something the point speaks of?
    fn means(&self, text: &str) -> bool {
        let own = || counted(text);
        let is_other = |said: &Counted| {
            let put = &self.point[said.at.clone()];
            own()
                .iter()
                .any(|one| one.unit == said.unit && text[one.at.clone()] != *put)
        };
        self.said.iter().any(is_other) && !terms(text).is_disjoint(&self.words)
    }
}

/// Is it what an earlier point of feedback asked for?
pub fn is_wish(line: &Line) -> bool {
    matches!(line.source, Source::Product(item) if item.feedback && !item.strikes && !item.leaves_out())
}
