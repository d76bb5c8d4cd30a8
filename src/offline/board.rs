//! What is on the table: the topics of a requirement, which issue each belongs
//! to, and what a part would put into the plan for an issue.

use std::collections::BTreeMap;

use super::OfflineError;
use super::checklist::{self, Checklist, Conflict, DesignItem, Part, ProductItem};
use super::phrases::Phrases;
use super::text::{Matcher, fill};
use crate::role::{RoleId, RoleSpec};
use crate::workshop::{ConsensusItem, Hit, IssueId, IssueRecord, Origin, QuestionStatus, State};

/// Topics looked at in one run, at most: more would bury the requirement.
const MAX_TOPICS: usize = 8;
/// Items of one topic for one issue, at most.
const MAX_ITEMS: usize = 2;

/// The state with the checklists that apply to it.
pub struct Board<'a> {
    /// The run.
    pub state: &'a State,
    /// Turns of phrase.
    pub phrases: Phrases,
    /// Items that fit every need.
    pub general: Checklist,
    /// Topics that apply, the most called-up first.
    pub topics: Vec<Checklist>,
    /// Topics by the issue they are dealt with under: indexes into `topics`.
    homes: BTreeMap<IssueId, Vec<usize>>,
}

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

/// A standing consensus item with the checklist lines found in it.
pub struct Agreed<'b> {
    /// The item.
    pub item: &'b ConsensusItem,
    /// Title of its issue; the item's own text where the issue is unknown.
    pub title: String,
    /// What of it a checklist knows; empty when a human or a model worded it.
    pub lines: Vec<Line<'b>>,
}

impl<'a> Board<'a> {
    /// Reads the checklists that the run's texts call up.
    ///
    /// # Errors
    /// A file that is needed is missing or malformed.
    pub fn open(state: &'a State) -> Result<Self, OfflineError> {
        let templates = &state.inputs.templates;
        let text_of = |key: &str| {
            templates
                .get(key)
                .ok_or_else(|| OfflineError::Missing(key.to_owned()))
        };
        let general_key = format!("{}{}.yaml", checklist::FOLDER, checklist::GENERAL);
        let phrases = checklist::parse_phrases(checklist::PHRASES, text_of(checklist::PHRASES)?)?;
        let general = checklist::parse(&general_key, text_of(&general_key)?)?;
        let matcher = Matcher::new(&wanted_text(state));
        let mut ranked = Vec::new();
        for (key, text) in templates {
            let is_topic = key.starts_with(checklist::FOLDER)
                && key.ends_with(".yaml")
                && key != checklist::PHRASES
                && *key != general_key;
            let called = |triggers: &[String]| matcher.count(triggers);
            // Parsing costs far more than this look at the triggers' line.
            if !is_topic || checklist::scan_triggers(text).is_some_and(|t| called(&t) == 0) {
                continue;
            }
            let list = checklist::parse(key, text)?;
            let count = called(&list.triggers);
            if count > 0 {
                ranked.push((std::cmp::Reverse(count), list));
            }
        }
        ranked.sort_by(|(a, x), (b, y)| a.cmp(b).then_with(|| x.topic.cmp(&y.topic)));
        let topics = ranked
            .into_iter()
            .map(|(_, list)| list)
            .take(MAX_TOPICS)
            .collect();
        let mut board = Self {
            state,
            phrases,
            general,
            topics,
            homes: BTreeMap::new(),
        };
        board.homes = board.find_homes();
        Ok(board)
    }

    /// Gives every topic to the issue that speaks of it most; feedback first,
    /// then the lowest id, so that no later issue takes a topic away.
    fn find_homes(&self) -> BTreeMap<IssueId, Vec<usize>> {
        let issues: Vec<(&IssueRecord, Matcher)> = self
            .state
            .ledger
            .iter()
            .filter(|issue| is_from_outside(&issue.origin))
            .map(|issue| (issue, Matcher::new(&self.issue_text(issue))))
            .collect();
        let mut homes: BTreeMap<IssueId, Vec<usize>> = BTreeMap::new();
        for (index, topic) in self.topics.iter().enumerate() {
            let best = issues.iter().max_by_key(|(issue, matcher)| {
                let count = matcher.count(&topic.triggers);
                let feedback = matches!(issue.origin, Origin::Feedback { .. });
                (feedback && count > 0, count, std::cmp::Reverse(issue.id))
            });
            if let Some((issue, _)) = best {
                homes.entry(issue.id).or_default().push(index);
            }
        }
        homes
    }

    /// Everything that says what an issue is about: its title, the feedback it
    /// stands for, and what the human answered to the coach's own question.
    pub fn issue_text(&self, issue: &IssueRecord) -> String {
        let mut text = issue.title.clone();
        if let Origin::Feedback { feedback } = &issue.origin
            && let Some(item) = self.state.feedback.iter().find(|f| f.id == *feedback)
        {
            text = format!("{text}\n{}", item.text);
        }
        for question in self
            .state
            .questions
            .iter()
            .filter(|q| q.asked_by.is_coach())
        {
            if let QuestionStatus::Closed { answer, .. } = &question.status {
                text = format!("{text}\n{answer}");
            }
        }
        text
    }

    /// Topics dealt with under an issue.
    pub fn topics_of(&self, issue: IssueId) -> impl Iterator<Item = &Checklist> {
        let indexes = self.homes.get(&issue).map_or(&[][..], Vec::as_slice);
        indexes.iter().map(|index| &self.topics[*index])
    }

    /// The issue a topic is dealt with under.
    pub fn home_of(&self, topic: &str) -> Option<IssueId> {
        let index = self.topics.iter().position(|list| list.topic == topic)?;
        self.homes
            .iter()
            .find(|(_, topics)| topics.contains(&index))
            .map(|(issue, _)| *issue)
    }

    /// What a part would put into the plan for an issue, collisions aside;
    /// sentences that already stand in the draft are not proposed again.
    pub fn lines(&self, issue: &IssueRecord, part: Part) -> Vec<Line<'_>> {
        if !is_discussable(&issue.origin) {
            return Vec::new();
        }
        let text = self.issue_text(issue);
        let matcher = Matcher::new(&text);
        let fits = |words: &[String]| words.is_empty() || matcher.any(words);
        let general = self.general_lines(part, &fits, &issue.title);
        let topical: Vec<Line> = self
            .topics_of(issue.id)
            .flat_map(|list| {
                items(list, part, &issue.title, &fits)
                    .into_iter()
                    .take(MAX_ITEMS)
            })
            .filter(|line| !self.stands(&line.text, issue.id))
            .collect();
        match part {
            Part::Product => general.into_iter().chain(topical).collect(),
            _ if topical.is_empty() => general,
            _ => topical,
        }
    }

    /// The one general item of a part whose words fit a need.
    fn general_lines<'b>(
        &'b self,
        part: Part,
        fits: &dyn Fn(&[String]) -> bool,
        need: &str,
    ) -> Vec<Line<'b>> {
        let mut lines = items(&self.general, part, need, fits);
        lines.truncate(1);
        lines
    }

    fn stands(&self, text: &str, issue: IssueId) -> bool {
        self.state
            .draft
            .standing()
            .any(|item| item.issue != issue && item.text.contains(text))
    }

    /// Standing items of the draft, each with the checklist lines found in it.
    pub fn agreed(&self) -> Vec<Agreed<'_>> {
        self.state
            .draft
            .standing()
            .map(|item| {
                let title = self
                    .title_of(item.issue)
                    .unwrap_or_else(|| item.shown().to_owned());
                Agreed {
                    item,
                    lines: self.recognise(&item.text, &title),
                    title,
                }
            })
            .collect()
    }

    /// Title of an issue of this run or of the version before.
    pub fn title_of(&self, id: IssueId) -> Option<String> {
        let before = self
            .state
            .previous
            .iter()
            .flat_map(|previous| &previous.issues);
        self.state
            .ledger
            .find(id)
            .or_else(|| before.into_iter().find(|issue| issue.id == id))
            .map(|issue| issue.title.clone())
    }

    /// Checklist lines whose sentence stands in `text`.
    fn recognise(&self, text: &str, need: &str) -> Vec<Line<'_>> {
        std::iter::once(&self.general)
            .chain(&self.topics)
            .flat_map(|list| {
                let any = |_: &[String]| true;
                let mut lines = items(list, Part::Product, need, &any);
                lines.extend(items(list, Part::Design, need, &any));
                lines.extend(list.conflicts.iter().map(|conflict| Line {
                    text: conflict.compromise.clone(),
                    list,
                    source: Source::Compromise(conflict),
                }));
                lines
            })
            .filter(|line| text.contains(&line.text))
            .collect()
    }

    /// The member that stands for a part.
    pub fn member(&self, part: Part) -> Option<&'a RoleSpec> {
        let members = &self.state.inputs.roles.members;
        members
            .iter()
            .find(|role| role.document.map(Part::from) == Some(part))
    }

    /// The part a member stands for; none for members without a document.
    pub fn part_of(&self, member: &RoleId) -> Option<Part> {
        let role = self.state.inputs.roles.find(member.as_str())?;
        role.document.map(Part::from)
    }

    /// Files of the repository that fit an issue, best first, at most three.
    pub fn files_for(&self, text: &str) -> Vec<&'a Hit> {
        let matcher = Matcher::new(text);
        let hits = self.state.survey.iter().flat_map(|survey| &survey.hits);
        hits.filter(|hit| {
            hit.terms
                .iter()
                .any(|term| matcher.has(term) || text.contains(term.as_str()))
        })
        .take(3)
        .collect()
    }

    /// Names joined as the language joins them.
    pub fn join<S: AsRef<str>>(&self, names: &[S]) -> String {
        names
            .iter()
            .map(AsRef::as_ref)
            .collect::<Vec<_>>()
            .join(&self.phrases.list_join)
    }

    /// Sentences joined as the language joins them.
    pub fn flow<S: AsRef<str>>(&self, sentences: &[S]) -> String {
        sentences
            .iter()
            .map(AsRef::as_ref)
            .filter(|sentence| !sentence.is_empty())
            .collect::<Vec<_>>()
            .join(&self.phrases.sentence_join)
    }

    /// Titles of all topics that apply, joined.
    pub fn topic_titles(&self) -> String {
        let titles: Vec<&str> = self.topics.iter().map(|list| list.title.as_str()).collect();
        self.join(&titles)
    }
}

/// Items of one part of a checklist as lines, in the file's order.
pub fn items<'b>(
    list: &'b Checklist,
    part: Part,
    need: &str,
    fits: &dyn Fn(&[String]) -> bool,
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
            .filter(|item| fits(&item.words))
            .map(|item| line(&item.say, Source::Product(item)))
            .collect(),
        Part::Design => list
            .design
            .iter()
            .filter(|item| fits(&item.words))
            .map(|item| line(&item.say, Source::Design(item)))
            .collect(),
        _ => Vec::new(),
    }
}

/// Did the issue come from the human, in this version or an earlier one?
fn is_from_outside(origin: &Origin) -> bool {
    matches!(
        origin,
        Origin::Requirement | Origin::Feedback { .. } | Origin::Previous
    )
}

/// Is the issue one that checklists can word a plan for? Matters that members
/// name in passing are only noted.
fn is_discussable(origin: &Origin) -> bool {
    !matches!(origin, Origin::Member { .. })
}

/// All that was asked for, in one text: what topics are called up by.
fn wanted_text(state: &State) -> String {
    let feedback = state.feedback.iter().map(|item| item.text.as_str());
    let issues = state
        .ledger
        .iter()
        .filter(|issue| is_from_outside(&issue.origin))
        .map(|issue| issue.title.as_str());
    let answers = state
        .questions
        .iter()
        .filter_map(|question| match &question.status {
            QuestionStatus::Closed { answer, .. } if question.asked_by.is_coach() => {
                Some(answer.as_str())
            }
            _ => None,
        });
    std::iter::once(state.requirement.as_str())
        .chain(feedback)
        .chain(issues)
        .chain(answers)
        .collect::<Vec<_>>()
        .join("\n")
}
