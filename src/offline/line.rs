//! A sentence that a checklist brings into the plan, and where it comes from.

use super::checklist::{Checklist, Conflict, DesignItem, Part, ProductItem};
use super::text::{Matcher, fill};

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
    };
    match part {
        Part::Product => list
            .product
            .iter()
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
