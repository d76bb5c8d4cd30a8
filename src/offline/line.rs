//! A sentence that a checklist brings into the plan, and where it comes from.

use super::checklist::{Checklist, Conflict, DesignItem, Part, ProductItem};
use super::text::{Matcher, fill};

/// Place of the need in a sentence.
const NEED: &str = "{need}";
/// Fewest bytes around a need by which a sentence is known for another one.
const FEWEST_AROUND: usize = 20;

/// Where a sentence of the plan comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Source<'b> {
    /// A rule of behaviour.
    Product(&'b ProductItem),
    /// A technical decision.
    Design(&'b DesignItem),
    /// What two colliding items were brought to.
    Compromise(&'b Conflict),
}

/// A sentence for the plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Line<'b> {
    /// The sentence, filled in.
    pub text: String,
    /// The checklist it is from.
    pub list: &'b Checklist,
    /// The item.
    pub source: Source<'b>,
    /// The need it is filled in with.
    pub need: String,
}

impl<'b> Line<'b> {
    /// The item's name within its checklist; a compromise has none.
    pub fn key(&self) -> Option<&'b str> {
        match self.source {
            Source::Product(item) => Some(&item.key),
            Source::Design(item) => Some(&item.key),
            Source::Compromise(_) => None,
        }
    }

    /// The sentence as its checklist has it, before anything is filled in.
    fn say(&self) -> &'b str {
        match self.source {
            Source::Product(item) => &item.say,
            Source::Design(item) => &item.say,
            Source::Compromise(conflict) => &conflict.compromise,
        }
    }

    /// Is it what this part would put into the plan?
    pub fn is_of(&self, part: Part) -> bool {
        match self.source {
            Source::Product(_) => part == Part::Product,
            Source::Design(_) => part == Part::Design,
            // It stands in the place of the item that gave way.
            Source::Compromise(conflict) => {
                let mut design = self.list.design.iter();
                let is_decision = design.any(|item| item.key == conflict.mine);
                part == match is_decision {
                    true => Part::Design,
                    false => Part::Product,
                }
            }
        }
    }

    /// The same line for another need.
    pub fn put(self, need: &str) -> Self {
        Self {
            text: fill(self.say(), &[("need", need)]),
            need: need.to_owned(),
            ..self
        }
    }

    /// The line as it stands in `text`, for whatever need; none where it does not.
    pub fn found_in(self, text: &str) -> Option<Self> {
        if text.contains(&self.text) {
            return Some(self);
        }
        let (head, tail) = self.say().split_once(NEED)?;
        // A few words prove nothing; nor does a sentence that names the need twice.
        if tail.contains(NEED) || head.len() + tail.len() < FEWEST_AROUND {
            return None;
        }
        let end = text.find(tail).filter(|_| !tail.is_empty())?;
        let start = text[..end].rfind(head)?;
        let need = text[start + head.len()..end].to_owned();
        Some(Self {
            text: text[start..end + tail.len()].to_owned(),
            need,
            ..self
        })
    }
}

/// Items of one part of a checklist as lines, in the file's order; those that fit `text`
/// if there is one.
pub fn items<'b>(
    list: &'b Checklist,
    part: Part,
    need: &str,
    text: Option<&Matcher>,
) -> Vec<Line<'b>> {
    let line = |say: &str, source| Line {
        text: fill(say, &[("need", need)]),
        list,
        source,
        need: need.to_owned(),
    };
    match part {
        Part::Product => list
            .product
            .iter()
            .filter(|item| !item.strikes)
            .filter(|item| text.is_none_or(|text| item.fits(text)))
            .map(|item| line(&item.say, Source::Product(item)))
            .collect(),
        Part::Design => list
            .design
            .iter()
            .filter(|item| text.is_none_or(|text| item.fits(text)))
            .map(|item| line(&item.say, Source::Design(item)))
            .collect(),
        _ => Vec::new(),
    }
}

/// Is it about a side of the work, whatever the work is?
pub fn is_aside(line: &Line) -> bool {
    line.list.aside && matches!(line.source, Source::Product(item) if item.words.is_empty())
}
