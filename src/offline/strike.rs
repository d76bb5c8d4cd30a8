//! What feedback takes out of the plan by its id: what the id stands for in the version
//! before, and what goes with it, in that version and every later one.

use super::checklist::Checklist;
use super::line::{Line, Source};
use super::text::Matcher;
use crate::machine::{ConsensusItem, DraftLine, IssueRecord, Previous, State};
use crate::reply::Document;

/// Place of the names in the sentence of a checklist that strikes something.
const NAMED: &str = "{named}";

/// A part of the version before that a text names by its id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The id, such as `AC-3`.
    pub id: String,
    /// What it says, one line.
    pub words: String,
    /// Ids of the consensus items it rests on.
    pub rests_on: Vec<String>,
    /// Does it stand in a document only because something else stands that was agreed?
    pub follows: bool,
}

/// Everything of the version before that a text names by its id, in the text's order.
pub fn named(state: &State, text: &str) -> Vec<Named> {
    let Some(previous) = &state.previous else {
        return Vec::new();
    };
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    let mut found: Vec<Named> = Vec::new();
    for word in words.filter(|word| word.contains('-')) {
        let is_new = found.iter().all(|named| named.id != word);
        found.extend(find(previous, word).filter(|_| is_new));
    }
    found
}

/// Does a text take out by its id what the id stands for?
pub fn takes_out(state: &State, general: &Checklist, text: &str, id: &str) -> bool {
    let mut rules = general.product.iter().filter(|item| item.strikes);
    let matcher = Matcher::new(text);
    rules.any(|rule| matcher.any(&rule.words))
        && named(state, text).iter().any(|named| named.id == id)
}

/// Does a text name anything by an id, known or not?
pub fn holds_id(text: &str) -> bool {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    let mut ids = words.filter_map(|word| word.split_once('-'));
    ids.any(|(prefix, number)| {
        (1..=3).contains(&prefix.len())
            && prefix.bytes().all(|b| b.is_ascii_uppercase())
            && !number.is_empty()
            && number.bytes().all(|b| b.is_ascii_digit())
    })
}

fn find(previous: &Previous, id: &str) -> Option<Named> {
    let is = |item: &&ConsensusItem| item.id.to_string() == id;
    if let Some(item) = previous.consensus.iter().find(is) {
        return Some(Named::new(id, &item.text, vec![id.to_owned()]));
    }
    let is = |issue: &&IssueRecord| issue.id.to_string() == id;
    if let Some(issue) = previous.issues.iter().find(is) {
        let items = previous
            .consensus
            .iter()
            .filter(|item| item.issue == issue.id);
        let ids = items.map(|item| item.id.to_string()).collect();
        return Some(Named::new(id, &issue.title, ids));
    }
    let mut documents = previous.documents.values();
    documents.find_map(|document| in_document(document, id))
}

fn in_document(document: &Document, id: &str) -> Option<Named> {
    let follows = |words: &str| Named {
        follows: true,
        ..Named::new(id, words, Vec::new())
    };
    match document {
        Document::ProductPlan(plan) => {
            let criterion = plan.criteria.iter().find(|c| c.id == id)?;
            // What several criteria ask to be seen is told by what is done, too.
            let same = plan.criteria.iter().filter(|c| c.then == criterion.then);
            let words = match same.count() {
                0 | 1 => criterion.then.clone(),
                _ => tried(&criterion.when, &criterion.then),
            };
            Some(Named::new(id, &words, criterion.from.clone()))
        }
        Document::SystemDesign(design) => {
            let decision = design.decisions.iter().find(|d| d.id == id);
            let decision = decision.map(|d| Named::new(id, &d.choice, d.from.clone()));
            let module = || design.modules.iter().find(|m| m.id == id);
            decision.or_else(|| module().map(|m| Named::new(id, &m.name, Vec::new())))
        }
        Document::DevPlan(plan) => {
            let item = plan.work.iter().find(|w| w.id == id)?;
            Some(follows(&item.title))
        }
        Document::TestPlan(plan) => {
            let case = plan.cases.iter().find(|t| t.id == id)?;
            Some(follows(&case.title))
        }
        Document::RiskAssessment(assessment) => {
            let risk = assessment.risks.iter().find(|r| r.id == id)?;
            Some(follows(&risk.title))
        }
    }
}

impl Named {
    fn new(id: &str, words: &str, rests_on: Vec<String>) -> Self {
        Self {
            id: id.to_owned(),
            words: words.split_whitespace().collect::<Vec<_>>().join(" "),
            rests_on,
            follows: false,
        }
    }

    /// The id with what it says, as a sentence that strikes it names it.
    pub fn shown(&self) -> String {
        format!("{} {}", self.id, quoted(&self.words))
    }

    /// Is it more than one sentence of the plan: a part of the system, or all of an issue?
    pub fn is_part(&self) -> bool {
        ["M-", "C-", "I-"]
            .iter()
            .any(|kind| self.id.starts_with(kind))
    }

    /// Does it rest on this item?
    pub fn is_of(&self, item: &ConsensusItem) -> bool {
        let id = item.id.to_string();
        self.rests_on.contains(&id)
    }

    /// Is it what this line brings into the plan?
    pub fn is_told_by(&self, line: &Line) -> bool {
        told(line).contains(&self.words)
    }
}

/// What was struck from the plan, in this run or in an earlier version of it: ids with what
/// they stood for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Struck(Vec<(String, String)>);

impl Struck {
    /// Reads it from the sentences that `say` words in the draft, and adds what this run's
    /// feedback takes out.
    pub fn of(state: &State, say: Option<&str>, now: &[Named]) -> Self {
        let agreed = state.draft.lines().iter().filter_map(|line| match line {
            DraftLine::Agreed { item } => Some(item.text.as_str()),
            _ => None,
        });
        let standing = agreed.filter_map(|text| sentence(say?, text));
        let now = now
            .iter()
            .map(|named| (named.id.clone(), plain(&named.words)));
        Self(standing.flat_map(names_in).chain(now).collect())
    }

    /// Was what says this struck?
    pub fn holds(&self, words: &str) -> bool {
        let words = plain(words);
        self.0.iter().any(|(_, struck)| *struck == words)
    }

    /// Was this sentence struck, by itself or with the agreed item it is part of?
    pub fn holds_sentence(&self, sentence: &str) -> bool {
        let words = plain(sentence);
        let of_item = |(id, struck): &(String, String)| {
            id.starts_with(ITEM) && !words.is_empty() && struck.contains(&words)
        };
        self.holds(sentence) || self.0.iter().any(of_item)
    }

    /// Was what the line brings struck, or the text its own one was brought to?
    pub fn holds_line(&self, line: &Line) -> bool {
        let brought_to = line.list.conflicts.iter().filter(|conflict| {
            line.key().is_some_and(|key| conflict.mine == key)
                && (self.holds_sentence(&conflict.compromise) || self.holds(&conflict.then))
        });
        self.holds_sentence(&line.text)
            || told(line).iter().any(|words| self.holds(words))
            || brought_to.count() > 0
    }
}

/// How the id of an agreed item begins.
const ITEM: &str = "C-";

/// The ids that a sentence says were struck, each with what it stood for.
fn names_in(sentence: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = sentence;
    while let Some((head, (words, after))) = rest
        .split_once(" “")
        .and_then(|(head, tail)| Some((head, tail.split_once('”')?)))
    {
        let id = head.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
        found.extend(id.take(1).map(|id| (id.to_owned(), words.to_owned())));
        rest = after;
    }
    found
}

/// The words by which the documents know what a line brings.
fn told(line: &Line) -> Vec<String> {
    let put = |text: &str| line.put_in(text);
    let mut words = vec![line.text.clone()];
    match line.source {
        Source::Product(item) => {
            words.extend([put(&item.then), tried(&put(&item.when), &put(&item.then))]);
        }
        Source::Design(item) => words.extend(item.module.as_ref().map(|m| m.name.clone())),
        Source::Compromise(it) => {
            words.extend([put(&it.then), tried(&put(&it.when), &put(&it.then))]);
        }
    }
    words
}

/// What is done and what is then seen, one line.
fn tried(when: &str, then: &str) -> String {
    format!("{when} {then}")
}

/// The sentence of a text that `say` words, with whatever it names.
pub fn sentence<'t>(say: &str, text: &'t str) -> Option<&'t str> {
    let (head, tail) = say.split_once(NAMED)?;
    let start = text.find(head)?;
    let end = format!("”{tail}");
    let rest = &text[start + head.len()..];
    let length = head.len() + rest.find(&end)? + end.len();
    Some(&text[start..start + length])
}

/// A text in quotation marks; those within it become single ones, so that its end is told.
fn quoted(words: &str) -> String {
    format!("“{}”", plain(words))
}

/// A text as it stands within quotation marks, one line.
fn plain(words: &str) -> String {
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    line.replace('“', "‘").replace('”', "’")
}
