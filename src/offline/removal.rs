//! What a point of feedback leaves out by its words: the things it names, the needs that go
//! with them, and the topics that nothing calls up any more.

use std::collections::{BTreeMap, BTreeSet};

use super::board::{Agreed, Board};
use super::checklist::Checklist;
use super::exchange::Exchange;
use super::line::{Line, Source};
use super::names::other_names;
use super::needs::title;
use super::reword::Rewordings;
use super::rule::lifts_rule;
use super::stays::less_what_stays;
use super::text::{Matcher, holds_together, in_one_name, is_han, spellings, terms};
use super::topics::{general_item, is_feedback};
use crate::machine::{FeedbackId, IssueRecord, Origin, State};

/// What one or more points of feedback leave out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Removal {
    things: Vec<Thing>,
    /// Titles of needs whose rule no longer holds for anybody.
    lifted: Vec<String>,
    /// What the point asks for beside: "but keep the log".
    rest: String,
    /// Needs that go on in other words.
    reworded: Rewordings,
}

/// One of the things that a point names: "the mail notification".
#[derive(Debug, Clone, PartialEq, Eq)]
struct Thing {
    /// The words by which it is named, less those that only take it out.
    text: String,
    /// The telling ones of them.
    named: BTreeSet<String>,
}

/// What stands between two things that are named.
const BETWEEN: [&str; 12] = [
    " and ", " or ", " nor ", " & ", ",", "，", "、", "和", "与", "以及", "或", "及",
];
/// Words that name nothing, beside what is left out.
const BESIDE: [&str; 23] = [
    "feature",
    "function",
    "functionality",
    "part",
    "thing",
    "rule",
    "restriction",
    "again",
    "anymore",
    "altogether",
    "completely",
    "entirely",
    "whole",
    "both",
    "neither",
    "longer",
    "功能",
    "部分",
    "规则",
    "限制",
    "这个",
    "全部",
    "请",
];
/// Words behind which a need only names what is there as well.
const AS_WELL: [&str; 7] = [
    " with ",
    " including ",
    " plus ",
    "并支持",
    "并带",
    "附带",
    "包括",
];

impl Removal {
    /// What a point of feedback leaves out; none where it asks for something else.
    pub fn of(general: &Checklist, feedback: &str) -> Option<Self> {
        let (out, rest) = clauses(feedback);
        let text = Matcher::new(out);
        let item = general_item(general, &text, true).filter(|item| item.leaves_out())?;
        let lead = terms(&[item.words.join(" "), BESIDE.join(" ")].join(" "));
        let mut cut = in_one_name(&out.to_lowercase());
        let mut phrases: Vec<&str> = item.words.iter().map(String::as_str).collect();
        phrases.extend(BESIDE);
        phrases.retain(|phrase| phrase.contains(is_han));
        phrases.sort_by_key(|phrase| std::cmp::Reverse(phrase.len()));
        for phrase in phrases {
            cut = cut.replace(phrase.trim_matches(['^', '$']), "\n");
        }
        for mark in BETWEEN {
            cut = cut.replace(mark, "\0");
        }
        let things = cut.split('\0').map(|text| Thing {
            named: terms(text).difference(&lead).cloned().collect(),
            text: text.to_owned(),
        });
        let things = things.filter(|thing| !thing.named.is_empty());
        Some(Self {
            things: things.collect(),
            lifted: Vec::new(),
            rest: rest.to_owned(),
            reworded: Rewordings::default(),
        })
    }

    /// What a point of feedback leaves out by saying what comes in its place.
    fn exchanging(feedback: &str) -> Option<Self> {
        let exchange = Exchange::of(feedback).filter(|exchange| exchange.is_said)?;
        let (out, put) = exchange.sides();
        let thing = Thing {
            text: out.to_owned(),
            named: terms(out),
        };
        Some(Self {
            things: vec![thing],
            lifted: Vec::new(),
            rest: put.to_owned(),
            reworded: Rewordings::default(),
        })
    }

    /// The rules among these needs that a point of feedback lifts; none where it lifts none.
    fn lifting(needs: &[String], feedback: &str) -> Option<Self> {
        let lifted = needs.iter().filter(|need| lifts_rule(need, feedback));
        let lifted: Vec<String> = lifted.cloned().collect();
        (!lifted.is_empty()).then(|| Self {
            things: Vec::new(),
            lifted,
            rest: String::new(),
            reworded: Rewordings::default(),
        })
    }

    /// The words by which it names a need as a whole: all that is said of one thing is in the
    /// need's title, and is half of it at least. Less is a part of the need.
    pub fn whole(&self, need: &str) -> Option<Vec<String>> {
        if self.reworded.of(need).is_some() {
            return None;
        }
        let is_lifted = self.lifted.iter().any(|lifted| lifted == need);
        let need = terms(need);
        if is_lifted {
            return Some(need.into_iter().collect());
        }
        let is_whole = |thing: &&Thing| {
            let named = &thing.named;
            named.len() * 2 >= need.len() && thing.is_covered(|word| need.contains(word))
        };
        let thing = self.things.iter().find(is_whole)?;
        Some(thing.named.iter().cloned().collect())
    }

    /// What is left of a need that calls a list up; none where it goes with all the list has.
    fn left_of(&self, need: &str, list: &Checklist) -> Option<Matcher> {
        let title = title(need);
        if let Some(reading) = self.reworded.of(&title) {
            return Some(Matcher::new(reading));
        }
        if self.whole(&title).is_some() {
            return None;
        }
        let said = known(need);
        let titled = terms(&list.title);
        let mut left = Matcher::new(need);
        for thing in &self.things {
            // Who names the topic means all of it, but one of two that its title names.
            let is_topic = thing.is_covered(|word| titled.contains(word));
            if is_topic
                && titled
                    .intersection(&said)
                    .all(|word| thing.named.contains(word))
            {
                return None;
            }
            let belongs = |word: &str| {
                said.contains(word)
                    || titled.contains(word)
                    || list.called_by(&Matcher::new(word)) > 0
            };
            if thing.is_covered(belongs) {
                left = left.without(&thing.phrases(&titled));
            }
        }
        Some(left)
    }

    /// Does a need name them only beside something else: "orders, with a date filter"?
    pub fn is_beside(&self, need: &str) -> bool {
        let lower = need.to_lowercase();
        let at = AS_WELL.iter().filter_map(|word| lower.find(word)).min();
        let before = at.map(|at| known(&lower[..at]));
        let names = |before: &BTreeSet<String>| {
            let mut all = self.things.iter().flat_map(|thing| &thing.named);
            all.any(|word| before.contains(word))
        };
        before.is_some_and(|before| !names(&before))
    }
}

impl Thing {
    /// What goes of a need that it names: each of its words, with the topic's name where that
    /// follows, as in "mail notification".
    fn phrases(&self, titled: &BTreeSet<String>) -> Vec<String> {
        let words = self.named.iter().flat_map(|word| spellings(word));
        let words: Vec<&str> = words.collect();
        let own = words.iter().filter(|word| !titled.contains(**word));
        let pairs = own.flat_map(|word| {
            titled.iter().map(move |name| match name.contains(is_han) {
                true => format!("{word}{name}"),
                false => format!("{word} {name}"),
            })
        });
        let pairs: Vec<String> = pairs.collect();
        pairs
            .into_iter()
            .chain(words.iter().map(|word| (*word).to_owned()))
            .collect()
    }

    /// Is every word of its name one of these? Of Chinese, where words are not told apart,
    /// every character has to stand in one.
    fn is_covered(&self, is: impl Fn(&str) -> bool) -> bool {
        let mut latin = self.named.iter().filter(|word| !word.contains(is_han));
        if !latin.all(|word| is(word)) {
            return false;
        }
        let mut runs = self
            .text
            .split(|c: char| !is_han(c))
            .filter(|run| !run.is_empty());
        runs.all(|run| {
            let chars: Vec<char> = run.chars().collect();
            let pair = |at: usize| {
                chars
                    .get(at..at + 2)
                    .map(|pair| pair.iter().collect::<String>())
            };
            let holds = |at: usize| pair(at).is_some_and(|pair| is(&pair));
            let mut places = 0..chars.len();
            places.all(|at| {
                chars.len() == 1
                    || holds_together(chars[at])
                    || holds(at)
                    || at.checked_sub(1).is_some_and(&holds)
            })
        })
    }
}

/// What a text speaks of, in all names for it.
fn known(text: &str) -> BTreeSet<String> {
    let mut known = terms(text);
    known.extend(other_names(text).map(str::to_owned));
    known
}

/// A point of feedback that leaves something out, with the topics that go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaving {
    /// What it names.
    pub removal: Removal,
    /// Topics that nothing calls up any more.
    ended: BTreeSet<String>,
}

impl Leaving {
    /// Does a line go, of those that were agreed on an issue of this title?
    pub fn takes(&self, line: &Line, all: &[Line], title: &str) -> bool {
        if !line.list.is_general() {
            return self.ended.contains(&line.list.topic);
        }
        if self.removal.reworded.of(&line.need).is_some() {
            return false;
        }
        if self.removal.whole(&line.need).is_some() {
            return true;
        }
        let is_feedback = matches!(line.source, Source::Product(item) if item.feedback);
        !is_feedback && (self.removal.whole(title).is_some() || self.empties(all, title))
    }

    /// By what words it names an agreed item of which something goes, if it does.
    pub fn names(&self, agreed: &Agreed) -> Option<Vec<String>> {
        let of_topic = || {
            let mut lines = agreed.lines.iter();
            let line = lines.find(|line| self.ended.contains(&line.list.topic))?;
            Some(vec![line.list.title.clone()])
        };
        self.removal.whole(&agreed.title).or_else(of_topic)
    }

    /// Does anything of the plan go, of what was agreed on issues of these titles?
    pub fn takes_any(&self, titles: &[String]) -> bool {
        let mut titles = titles.iter();
        !self.ended.is_empty() || titles.any(|title| self.removal.whole(title).is_some())
    }

    /// Is nothing left that a topic says on the need, so that all of it is left out?
    fn empties(&self, all: &[Line], title: &str) -> bool {
        let mut topical = all.iter().filter(|line| !line.list.is_general()).peekable();
        topical.peek().is_some()
            && topical.all(|line| self.ended.contains(&line.list.topic))
            && !self.removal.is_beside(title)
    }
}

impl Board<'_> {
    /// What each point of feedback leaves out by its words.
    pub(super) fn find_leavings(&self) -> BTreeMap<FeedbackId, Leaving> {
        let feedback = self.state.feedback.iter();
        let titles = self.titles_before();
        let removals: Vec<(FeedbackId, Removal)> = feedback
            .filter_map(|item| {
                let lifting = || Removal::lifting(&titles, &item.text);
                let removal = Removal::of(&self.general, &item.text).or_else(lifting);
                let mut removal = removal.or_else(|| Removal::exchanging(&item.text))?;
                removal.reworded = self.rewordings.get(&item.id).cloned().unwrap_or_default();
                Some((item.id, removal))
            })
            .collect();
        if removals.is_empty() {
            return BTreeMap::new();
        }
        let (needs, gone) = self.needs_before();
        removals
            .into_iter()
            .map(|(id, removal)| {
                let ends = |list: &&Checklist| ends(list, &needs, &gone, &removal);
                let ended = self.topics.iter().filter(ends);
                let ended = ended.map(|list| list.topic.clone()).collect();
                (id, Leaving { removal, ended })
            })
            .collect()
    }

    /// Titles of what was agreed on up to the version before.
    pub(super) fn titles_before(&self) -> Vec<String> {
        let previous = self.state.previous.iter();
        let items = previous.flat_map(|previous| &previous.consensus);
        items.filter_map(|item| self.title_of(item.issue)).collect()
    }

    /// What the point of feedback behind an issue leaves out by its words.
    pub(super) fn leaving_of(&self, issue: &IssueRecord) -> Option<&Leaving> {
        match &issue.origin {
            Origin::Feedback { feedback } => self.leavings.get(feedback),
            _ => None,
        }
    }

    /// What was asked for up to the version before, the words of its revisions included, and
    /// what those left out of it.
    fn needs_before(&self) -> (Vec<String>, Vec<Removal>) {
        let mut needs = self.subject.reading.needs.clone();
        let mut gone = Vec::new();
        for point in points_before(self.state) {
            match Removal::of(&self.general, point) {
                Some(removal) => {
                    needs.extend(Some(removal.rest.clone()).filter(|rest| !rest.is_empty()));
                    gone.push(removal);
                }
                None => needs.push(point.to_owned()),
            }
        }
        (needs, gone)
    }
}

/// The points of feedback of earlier versions.
fn points_before(state: &State) -> impl Iterator<Item = &str> {
    let issues = state.previous.iter().flat_map(|previous| &previous.issues);
    let points = issues.filter(|issue| is_feedback(&issue.origin));
    points.map(|issue| issue.title.as_str())
}

/// What a point leaves out, and what it asks for beside: "Drop the mail" and "add an SMS".
fn clauses(point: &str) -> (&str, &str) {
    const JOINTS: [&str; 19] = [
        " and add ",
        " and use ",
        " and keep ",
        " and send ",
        " but ",
        ": ",
        "; ",
        ", add ",
        ", use ",
        ", keep ",
        "：",
        "；",
        "，改",
        "，但",
        "，加",
        "，增加",
        "，保留",
        "，换",
        "并",
    ];
    let places = JOINTS.iter().filter_map(|joint| point.find(joint));
    match places.min() {
        Some(at) => point.split_at(at),
        None => (point, ""),
    }
}

/// Does nothing of the needs call the list up any more once this is left out, too, though
/// something did?
fn ends(list: &Checklist, needs: &[String], gone: &[Removal], now: &Removal) -> bool {
    let calls = |text: &Matcher| list.called_by(text) > 0;
    let before = |need: &String| {
        let need = less_what_stays(need);
        let is_called = calls(&Matcher::new(&need));
        let is_there = |removal: &Removal| {
            removal
                .left_of(&need, list)
                .is_some_and(|left| calls(&left))
        };
        (is_called && gone.iter().all(is_there)).then_some(need)
    };
    let calling: Vec<String> = needs.iter().filter_map(before).collect();
    let left = |need: &String| now.left_of(need, list);
    !calling.is_empty()
        && !calls(&Matcher::new(&less_what_stays(&now.rest)))
        && !calling.iter().filter_map(left).any(|text| calls(&text))
}
