//! A sentence that a checklist brings into the plan, and where it comes from.

use std::ops::Range;

use super::checklist::{Checklist, Conflict, DesignItem, Part, ProductItem};
use super::figures::counted;
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
    /// A figure with what it counts, as the checklist has it and as a revision put it.
    pub figure: Option<(String, String)>,
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
        if !self.say().contains(NEED) {
            return self.found_with_figure(text);
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

impl Line<'_> {
    /// The line as it stands in `text` with another figure for the same; none where it does not.
    fn found_with_figure(self, text: &str) -> Option<Self> {
        let holds = |cut: &str| cut.len() >= FEWEST_AROUND && text.contains(cut);
        // Most lines stand nowhere: that is told before figures are looked for.
        let middle = self
            .text
            .char_indices()
            .nth(self.text.chars().count() / 2)?
            .0;
        if !holds(&self.text[middle..]) && !holds(&self.text[..middle]) {
            return None;
        }
        counted(&self.text).into_iter().find_map(|one| {
            let (head, tail) = (&self.text[..one.at.start], &self.text[one.at.end..]);
            let start = text.find(head)? + head.len();
            let end = start + text[start..].find(tail).filter(|_| !tail.is_empty())?;
            let put = &text[start..end];
            let is_same = matches!(counted(put).as_slice(), [same] if same.unit == one.unit && same.at == (0..put.len()));
            is_same.then(|| self.with_figure(one.at, put))
        })
    }

    /// The line with a figure in the place of the one that its checklist has.
    fn with_figure(&self, at: Range<usize>, put: &str) -> Self {
        let was = self.text[at.clone()].to_owned();
        let was = self.figure.as_ref().map_or(was, |(first, _)| first.clone());
        let mut line = self.clone();
        line.text.replace_range(at, put);
        line.figure = Some((was, put.to_owned()));
        line
    }

    /// The line as it reads after a point that says another figure for the same; none where it
    /// says none, or the line has several.
    pub fn refigured(&self, point: &str) -> Option<Self> {
        if self.say().contains(NEED) {
            let (at, put) = other_figure(&self.need, point)?;
            let mut need = self.need.clone();
            need.replace_range(at, put);
            return Some(self.clone().put(&need));
        }
        let (at, put) = other_figure(&self.text, point)?;
        Some(self.with_figure(at, put))
    }

    /// A text of its checklist, filled in, with its need and with the figure that holds.
    pub fn put_in(&self, text: &str) -> String {
        let filled = fill(text, &[("need", &self.need)]);
        match &self.figure {
            Some((was, now)) => filled.replace(was, now),
            None => filled,
        }
    }
}

/// Where a text has a figure for which a point says another, and that one.
fn other_figure<'p>(text: &str, point: &'p str) -> Option<(Range<usize>, &'p str)> {
    let own = counted(text);
    counted(point).into_iter().find_map(|said| {
        let mut same = own.iter().filter(|one| one.unit == said.unit);
        let (one, more) = (same.next()?, same.next());
        let put = &point[said.at];
        let is_new = more.is_none() && text[one.at.clone()] != *put;
        is_new.then(|| (one.at.clone(), put))
    })
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
        figure: None,
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
