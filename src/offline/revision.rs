//! What feedback does to a plan that was agreed: what it takes out by words or by id, what
//! stays of what it puts in question, and when it asks for nothing.

use std::collections::BTreeMap;

use super::amend::{Amendment, is_wish};
use super::board::Board;
use super::checklist::{Checklist, Part, ProductItem};
use super::line::{Line, Source};
use super::names::other_names;
use super::questions;
use super::rule::altered_rule;
use super::stays::less_what_stays;
use super::strike::{self, Named};
use super::text::{Matcher, fill, terms};
use super::topics;
use crate::machine::{
    ConsensusItem, FeedbackId, IssueRecord, Origin, document_items, only_asks, only_keeps,
};

impl Board<'_> {
    /// Why the point of feedback behind an issue changes nothing.
    pub fn asks_for_nothing(&self, issue: &IssueRecord) -> Option<&str> {
        match &issue.origin {
            Origin::Feedback { feedback } => self.declined(&issue.title, *feedback),
            _ => None,
        }
    }

    /// Why a point of feedback changes nothing: it says that something is kept, leaves out
    /// what the plan does not speak of, or names what only follows from something else. The
    /// same whatever else a run has come to.
    pub(super) fn declined(&self, text: &str, feedback: FeedbackId) -> Option<&str> {
        if only_asks(text) || only_keeps(text) {
            return Some(&self.phrases.nothing_changes);
        }
        let matcher = Matcher::new(text);
        let named = strike::named(self.state, text);
        let follows = !named.is_empty() && named.iter().all(|named| named.follows);
        if let Some(rule) = self.striking().filter(|rule| matcher.any(&rule.words)) {
            if follows {
                let is_struck = !self.strikes_by(feedback).is_empty();
                return (!is_struck).then_some(self.phrases.stays_needed.as_str());
            }
            if !named.is_empty() {
                return None;
            }
            let is_only_id = strike::holds_id(text) && !matcher.any(&rule.not);
            if is_only_id && !self.speaks_of(text, &rule.words) {
                return Some(&self.phrases.nothing_to_leave_out);
            }
        }
        if follows {
            return Some(&self.phrases.only_follows);
        }
        let item = topics::general_item(&self.general, &matcher, true)?;
        if item.keeps {
            return Some(&self.phrases.nothing_changes);
        }
        let takes_out = matcher.any(&item.takes_out);
        let leaving = self.leavings.get(&feedback);
        let is_there = leaving.is_some_and(|it| it.takes_any(&self.titles_before()));
        (takes_out && !is_there && !self.speaks_of(text, &item.words))
            .then_some(self.phrases.nothing_to_leave_out.as_str())
    }

    /// Does what was asked for or agreed name anything that a text names beside `lead`?
    fn speaks_of(&self, text: &str, lead: &[String]) -> bool {
        let named = |text: &str| {
            let mut named = terms(text);
            named.extend(other_names(text).map(str::to_owned));
            named
        };
        let lead = terms(&lead.join(" "));
        let wanted = named(text).into_iter().filter(|term| !lead.contains(term));
        // What this revision agrees on is no reason to have spoken of it before.
        let before = self.state.previous.iter().flat_map(|p| &p.consensus);
        let before: Vec<&ConsensusItem> = before.collect();
        let agreed = before.iter().map(|item| item.text.as_str());
        let subject = self.state.subject();
        let documents = self
            .state
            .previous
            .iter()
            .flat_map(|p| p.documents.values());
        let written = documents.flat_map(document_items).map(|item| item.title);
        let lines = before
            .iter()
            .flat_map(|item| self.recognise(&item.text, ""));
        let lines: Vec<Line> = lines.collect();
        let topics = lines.iter().map(|line| line.list.title.as_str());
        let planned: Vec<&str> = agreed
            .chain([subject.as_str()])
            .chain(written)
            .chain(topics)
            .collect();
        let planned = named(&planned.join("\n"));
        let mut wanted = wanted.peekable();
        match wanted.peek() {
            // An id that stands nowhere names nothing.
            None => !strike::holds_id(text),
            Some(_) => wanted.any(|term| planned.contains(&term)),
        }
    }

    /// The sentence that says what an issue's feedback takes out by its id, and whether the
    /// feedback asks for more than that.
    pub(super) fn struck_line(&self, issue: &IssueRecord) -> (Option<Line<'_>>, bool) {
        let (Some(rule), named) = (self.striking(), self.strikes_of(issue)) else {
            return (None, true);
        };
        if named.is_empty() {
            return (None, true);
        }
        let shown: Vec<String> = named.iter().map(Named::shown).collect();
        let all = strike::named(self.state, &issue.title);
        let stay = all.iter().filter(|one| !named.contains(one));
        let stay: Vec<&str> = stay.map(|one| one.id.as_str()).collect();
        let stays = match stay.is_empty() {
            true => String::new(),
            false => fill(&self.phrases.strike_stays, &[("ids", &self.join(&stay))]),
        };
        let sentence = fill(&rule.say, &[("named", &self.join(&shown))]);
        let line = Line {
            text: self.flow(&[sentence, stays]),
            list: &self.general,
            source: Source::Product(rule),
            need: issue.title.clone(),
            figure: None,
        };
        (Some(line), Matcher::new(&issue.title).any(&rule.not))
    }

    /// What the feedback behind an issue settles, where it answers a question by its id.
    pub(super) fn answers(&self, issue: &IssueRecord) -> Option<String> {
        let previous = self.state.previous.as_ref()?;
        let is_feedback = topics::is_feedback(&issue.origin);
        let (question, _) = previous.answered_by(&issue.title).filter(|_| is_feedback)?;
        let mut answered = questions::answered(self).into_iter();
        let (_, settles) = answered.find(|(known, _)| known.id == question.id)?;
        Some(settles)
    }

    /// Does the feedback behind an issue take something out, and ask for nothing else?
    pub(super) fn only_takes_out(&self, issue: &IssueRecord) -> bool {
        let (struck, asks_more) = self.struck_line(issue);
        (struck.is_some() && !asks_more) || self.leaving_of(issue).is_some()
    }

    /// The rule by which feedback takes out what it names by its id.
    pub(super) fn striking(&self) -> Option<&ProductItem> {
        self.general.product.iter().find(|item| item.strikes)
    }

    /// What each point of feedback takes out by its id: not what only follows from something
    /// that stands, such as the one test of a criterion.
    pub(super) fn find_strikes(&self) -> BTreeMap<FeedbackId, Vec<Named>> {
        let Some(rule) = self.striking() else {
            return BTreeMap::new();
        };
        let lists = || self.topics.iter().chain([&self.general]);
        let is_hint = |named: &Named| lists().any(|list| list.holds_hint(&named.words));
        let feedback = self.state.feedback.iter();
        feedback
            .filter(|item| Matcher::new(&item.text).any(&rule.words))
            .map(|item| {
                let mut named = strike::named(self.state, &item.text);
                named.retain(|named| !named.follows || is_hint(named));
                (item.id, named)
            })
            .collect()
    }

    /// What the feedback behind an issue takes out by its id.
    fn strikes_of(&self, issue: &IssueRecord) -> &[Named] {
        match &issue.origin {
            Origin::Feedback { feedback } => self.strikes_by(*feedback),
            _ => &[],
        }
    }

    /// What a point of feedback takes out by its id.
    pub fn strikes_by(&self, feedback: FeedbackId) -> &[Named] {
        self.strikes.get(&feedback).map_or(&[], Vec::as_slice)
    }

    /// Lines of what the issue's feedback put in question: what was asked for in them is still
    /// asked for, and what was won by an objection still holds, unless the feedback takes it
    /// out.
    pub(super) fn kept(&self, part: Part, issue: &IssueRecord) -> Vec<Line<'_>> {
        let leaving = self.leaving_of(issue);
        let in_question = self.put_in_question(issue);
        let all = in_question.values().flatten();
        let amendment = Amendment::of(self.state, &issue.title, all);
        let readings = self.rewordings_of(issue);
        let reading = |line: &Line| {
            let is_own = line.list.is_general() && !is_wish(line);
            readings.filter(|_| is_own)?.of(&line.need)
        };
        let mut kept = Vec::new();
        for (title, lines) in &in_question {
            let rule = altered_rule(title, &issue.title);
            let goes = |line: &Line| leaving.is_some_and(|it| it.takes(line, lines, title));
            let stays = lines
                .iter()
                .filter(|line| line.is_of(part) && !goes(line) && !self.struck.holds_line(line));
            kept.extend(
                stays
                    .cloned()
                    .filter_map(|line| match (&rule, reading(&line)) {
                        (Some(rule), _) if line.list.is_general() && line.need == *title => {
                            Some(line.put(rule))
                        }
                        (_, Some(need)) => Some(line.put(need)),
                        // What is left out by its words or its id says nothing on the rest.
                        _ if leaving.is_some() || !self.strikes_of(issue).is_empty() => Some(line),
                        _ => amendment.put(line),
                    }),
            );
        }
        let point = Matcher::new(&issue.title);
        kept.retain(|line| line.list.is_general() || !gives_way(line, &point));
        kept
    }

    /// The lines of what an issue's feedback put in question, by the title of what they were
    /// agreed on, each in the order in which they stood.
    pub(super) fn put_in_question(&self, issue: &IssueRecord) -> BTreeMap<String, Vec<Line<'_>>> {
        let mut found: BTreeMap<String, Vec<Line>> = BTreeMap::new();
        for item in topics::withdrawn_by(self.state, issue) {
            let id = item.issue.to_string();
            if strike::takes_out(self.state, &self.general, &issue.title, &id) {
                continue;
            }
            let title = self.title_of(item.issue).unwrap_or_default();
            let mut lines = self.recognise(&item.text, &title);
            lines.sort_by_key(|line| item.text.find(&line.text));
            found.entry(title).or_default().extend(lines);
        }
        found
    }

    /// Does a point of feedback call a list up by what it asks for itself? Any other issue
    /// does.
    pub(super) fn is_called_by(&self, list: &Checklist, issue: &IssueRecord) -> bool {
        if !topics::is_feedback(&issue.origin) {
            return true;
        }
        let text = Matcher::new(&less_what_stays(&issue.title));
        list.called_by(&text) > 0 && !topics::stands_alone(&self.general, &text, true)
    }

    /// The sentence of a text that says what was taken out by its id.
    pub(super) fn struck_in(&self, text: &str) -> Option<Line<'_>> {
        let rule = self.striking()?;
        let sentence = strike::sentence(&rule.say, text)?;
        Some(Line {
            text: sentence.to_owned(),
            list: &self.general,
            source: Source::Product(rule),
            need: String::new(),
            figure: None,
        })
    }
}

/// Does a point of feedback ask for something in the place of what a line is about?
fn gives_way(line: &Line, point: &Matcher) -> bool {
    let key = match line.source {
        Source::Product(item) => return point.any(&item.not),
        Source::Design(item) => return point.any(&item.not),
        Source::Compromise(conflict) => &conflict.mine,
    };
    let product = line.list.product.iter().filter(|item| item.key == *key);
    let design = line.list.design.iter().filter(|item| item.key == *key);
    let mut not = product
        .map(|item| &item.not)
        .chain(design.map(|item| &item.not));
    not.any(|not| point.any(not))
}
