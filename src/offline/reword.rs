//! How what was asked for before reads after a point of feedback: one thing in it exchanged for
//! another.

use std::collections::{BTreeMap, BTreeSet};

use super::amend::is_wish;
use super::board::Board;
use super::checklist::Checklist;
use super::exchange::Exchange;
use super::text::{Matcher, terms};
use super::topics::is_feedback;
use crate::machine::{FeedbackId, IssueRecord, Origin, only_asks, only_keeps};

/// Needs as they stood, each as it reads after a point of feedback.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rewordings(Vec<(String, String)>);

impl Rewordings {
    /// How a need reads; none where the point leaves it as it is.
    pub fn of(&self, need: &str) -> Option<&str> {
        let mut all = self.0.iter();
        Some(all.find(|(before, _)| before == need)?.1.as_str())
    }

    /// A text that names needs, as they read.
    pub fn put_in(&self, text: &str) -> String {
        let all = self.0.iter();
        all.fold(text.to_owned(), |text, (before, after)| {
            text.replace(before, after)
        })
    }
}

impl Board<'_> {
    /// What each point of feedback makes of what was asked for before.
    pub(super) fn find_rewordings(&self) -> BTreeMap<FeedbackId, Rewordings> {
        if self.state.previous.is_none() {
            return BTreeMap::new();
        }
        let points = self.state.feedback.iter();
        let points = points.filter(|item| !only_asks(&item.text) && !only_keeps(&item.text));
        let told = points.filter_map(|item| Some((item, Exchange::of(&item.text)?)));
        let told: Vec<_> = told.collect();
        // What stands is read from every agreed text: only where something is made of it.
        if told.is_empty() {
            return BTreeMap::new();
        }
        let needs = self.needs_standing();
        told.into_iter()
            .map(|(item, exchange)| (item.id, self.exchanged(&needs, &exchange, &item.text)))
            .collect()
    }

    /// What the point of feedback behind an issue makes of what was asked for before.
    pub(super) fn rewordings_of(&self, issue: &IssueRecord) -> Option<&Rewordings> {
        match &issue.origin {
            Origin::Feedback { feedback } => self.rewordings.get(feedback),
            _ => None,
        }
    }

    /// Needs of which something was agreed up to the version before, as they read now.
    fn needs_standing(&self) -> BTreeSet<String> {
        let previous = || self.state.previous.iter();
        let mut needs = BTreeSet::new();
        for item in previous().flat_map(|previous| &previous.consensus) {
            let mut issues = previous().flat_map(|previous| &previous.issues);
            let issue = issues.find(|issue| issue.id == item.issue);
            let title = issue.filter(|issue| !is_feedback(&issue.origin));
            let title = title.map(|issue| issue.title.clone()).unwrap_or_default();
            let lines = self.recognise(&item.text, &title);
            let told = lines.iter().filter(|line| line.list.is_general());
            let told = told.filter(|line| !is_wish(line));
            needs.extend(told.map(|line| line.need.clone()));
            needs.insert(title);
        }
        needs.retain(|need| !need.is_empty());
        needs
    }

    fn exchanged(&self, needs: &BTreeSet<String>, exchange: &Exchange, point: &str) -> Rewordings {
        let read = needs.iter().filter_map(|need| {
            let reading = exchange.reads(need)?;
            let is_meant = exchange.is_said || self.is_of_one_kind(exchange, need, &reading);
            is_meant.then(|| (need.clone(), reading))
        });
        let mut read: Vec<(String, String)> = read.collect();
        // Of several the one is meant that the point says more of; "SMS instead of mail" alone
        // means no mail address that somebody signs in with.
        let opening = |need: &str| need.split_whitespace().next().map(str::to_owned);
        let is_alike = |(need, _): &(String, String)| opening(need) == opening(&read[0].0);
        if !read.iter().all(is_alike) {
            read.retain(|(need, _)| says_more(exchange, need, point));
        }
        Rewordings(read)
    }

    /// Does a list that a need calls up by the old thing go on with the new one?
    fn is_of_one_kind(&self, exchange: &Exchange, need: &str, reading: &str) -> bool {
        let (out, put) = exchange.sides();
        let less = |text: &str, name: &str| Matcher::new(text).without(&[name.to_owned()]);
        let is_by = |list: &Checklist, text: &str, name: &str| {
            list.called_by(&Matcher::new(text)) > list.called_by(&less(text, name))
        };
        let mut lists = self.topics.iter();
        lists.any(|list| is_by(list, need, out) && is_by(list, reading, put))
    }
}

/// Does a point name more of a need than what it exchanges in it?
fn says_more(exchange: &Exchange, need: &str, point: &str) -> bool {
    let (out, put) = exchange.sides();
    let said = terms(point);
    let mut more = terms(need).into_iter().filter(|word| said.contains(word));
    let beside = terms(&format!("{out} {put}"));
    more.any(|word| !beside.contains(&word))
}
