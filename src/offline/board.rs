//! What is on the table: the topics of a requirement, which issue each belongs
//! to, and what a part would put into the plan for an issue.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use super::OfflineError;
use super::checklist::{self, Checklist, Part};
use super::collision;
use super::line::{Line, Source, is_aside, items};
use super::medium::{self, Medium};
use super::names::other_names;
use super::needs::Subject;
use super::phrases::Phrases;
use super::text::{Matcher, fill, terms};
use super::topics;
use crate::role::{RoleId, RoleSpec};
use crate::workshop::{
    ConsensusItem, DraftLine, Hit, IssueId, IssueRecord, Origin, State, only_asks,
};

/// Items of one topic for one issue, at most.
const MAX_ITEMS: usize = 2;

/// The state with the checklists that apply to it.
pub struct Board<'a> {
    /// The run.
    pub state: &'a State,
    /// The kind of product it is about.
    pub medium: Medium,
    /// Turns of phrase.
    pub phrases: Phrases,
    /// What the run is about.
    pub subject: Subject,
    /// Items that fit every need.
    pub general: Checklist,
    /// Topics that apply, the most called-up first.
    pub topics: Vec<Checklist>,
    /// Topics by the issue they are dealt with under: indexes into `topics`.
    homes: BTreeMap<IssueId, Vec<usize>>,
    /// General decisions by the issue they are taken under: indexes into `general.design`.
    beside: BTreeMap<IssueId, usize>,
    /// Where a weak spot is pressed; found when it is first asked for.
    pressed: OnceCell<Option<IssueId>>,
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
        let requirement = Matcher::new(&state.subject());
        let medium = medium::of(state, &requirement)?;
        let subject = Subject::of(&state.subject());
        let topics = topics::called_up(state, &subject, &general)?.into_iter();
        let topics = topics.map(|list| list.of(medium, &requirement));
        let topics: Vec<_> = topics.filter(|list| !list.is_silent()).collect();
        let general = general.of(medium, &requirement);
        let homes = topics::homes(state, &subject, &topics, &general);
        let mut board = Self {
            state,
            subject,
            medium,
            phrases,
            general,
            topics,
            homes,
            beside: BTreeMap::new(),
            pressed: OnceCell::new(),
        };
        board.beside = board.place_general();
        Ok(board)
    }

    /// Gives each general decision to the first issue it fits that no topic
    /// decides about: the same decision is not taken twice.
    fn place_general(&self) -> BTreeMap<IssueId, usize> {
        let mut placed: BTreeMap<IssueId, usize> = BTreeMap::new();
        for issue in self
            .state
            .ledger
            .iter()
            .filter(|i| is_discussable(&i.origin))
        {
            let matcher = Matcher::new(&self.issue_text(issue));
            if matcher.only_keeps() {
                continue;
            }
            let decided = self
                .topics_of(issue.id)
                .any(|list| list.design.iter().any(|item| item.fits(&matcher)));
            let mut general = self.general.design.iter();
            let first = general.position(|item| item.fits(&matcher));
            if let Some(index) = first.filter(|i| !decided && !placed.values().any(|p| p == i)) {
                placed.insert(issue.id, index);
            }
        }
        placed
    }

    /// The issue on which a weak spot is pressed; none where items collide anyway.
    pub fn pressed(&self) -> Option<IssueId> {
        *self.pressed.get_or_init(|| collision::pressed(self))
    }

    /// Everything that says what an issue is about.
    pub fn issue_text(&self, issue: &IssueRecord) -> String {
        topics::issue_text(self.state, &self.subject, issue)
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
        if !is_discussable(&issue.origin) || self.asks_for_nothing(issue).is_some() {
            return Vec::new();
        }
        let text = self.issue_text(issue);
        let matcher = Matcher::new(&text);
        let general = self.general_line(part, issue);
        let topical: Vec<Line> = self
            .topics_of(issue.id)
            .flat_map(|list| {
                let fitting = items(list, part, &issue.title, Some(&matcher));
                fitting.into_iter().take(MAX_ITEMS)
            })
            .filter(|line| !self.stands(&line.text, issue.id))
            .collect();
        // What fits anything adds nothing to what a topic says of the work itself.
        let is_told = topical.iter().any(|line| !is_aside(line));
        let general = general.filter(|line| !is_told || !self.fits_anything(line));
        general.into_iter().chain(topical).collect()
    }

    fn fits_anything(&self, line: &Line) -> bool {
        matches!(line.source, Source::Product(item)
            if line.list.is_general() && item.words.is_empty() && !item.feedback && !item.keeps)
    }

    /// Why a point of feedback changes nothing: it says that something is kept, or leaves
    /// out what the plan does not speak of.
    pub fn asks_for_nothing(&self, issue: &IssueRecord) -> Option<&str> {
        if !topics::is_feedback(&issue.origin) {
            return None;
        }
        let text = issue.title.as_str();
        if only_asks(text) {
            return Some(&self.phrases.nothing_changes);
        }
        let matcher = Matcher::new(text);
        let item = topics::general_item(&self.general, &matcher, true)?;
        let takes_out = matcher.any(&item.takes_out);
        if item.keeps {
            return Some(&self.phrases.nothing_changes);
        }
        (takes_out && !self.speaks_of(text, &item.words))
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
        let issues = self.state.previous.iter().flat_map(|p| &p.issues);
        let known: Vec<IssueId> = issues.map(|issue| issue.id).collect();
        let agreed = self
            .state
            .draft
            .lines()
            .iter()
            .filter_map(|line| match line {
                DraftLine::Agreed { item } if known.contains(&item.issue) => {
                    Some(item.text.as_str())
                }
                _ => None,
            });
        let subject = self.state.subject();
        let planned: Vec<&str> = agreed.chain([subject.as_str()]).collect();
        let planned = planned.join("\n");
        let planned = named(&planned);
        let mut wanted = wanted.peekable();
        wanted.peek().is_none() || wanted.any(|term| planned.contains(&term))
    }

    /// The one general item of a part whose words fit a need.
    fn general_line<'b>(&'b self, part: Part, issue: &IssueRecord) -> Option<Line<'b>> {
        if part == Part::Product {
            let is_feedback = topics::is_feedback(&issue.origin);
            // Its own words say what a point of feedback wants, not what it puts in question.
            let text = match is_feedback {
                true => issue.title.clone(),
                false => self.issue_text(issue),
            };
            let item = topics::general_item(&self.general, &Matcher::new(&text), is_feedback)?;
            return Some(Line {
                text: fill(&item.say, &[("need", &issue.title)]),
                list: &self.general,
                source: Source::Product(item),
            });
        }
        if part != Part::Design {
            return None;
        }
        let item = self.general.design.get(*self.beside.get(&issue.id)?)?;
        Some(Line {
            text: fill(&item.say, &[("need", &issue.title)]),
            list: &self.general,
            source: Source::Design(item),
        })
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
                    .unwrap_or_else(|| item.text.clone());
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
                let mut lines = items(list, Part::Product, need, None);
                lines.extend(items(list, Part::Design, need, None));
                let objected = list.conflicts.iter().chain(&list.weak_spots);
                lines.extend(objected.map(|conflict| Line {
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

    /// Files of the repository that fit an issue, those that share most of its
    /// words first, at most three; one that shares a word where others share
    /// three is chance.
    pub fn files_for(&self, text: &str) -> Vec<&'a Hit> {
        let matcher = Matcher::new(text);
        let names: Vec<&str> = other_names(text).collect();
        let shared = |hit: &Hit| {
            let spoken = |term: &&String| {
                matcher.has(term) || text.contains(term.as_str()) || names.contains(&term.as_str())
            };
            let named = if is_named(text, &hit.path) { 100 } else { 0 };
            hit.terms.iter().filter(spoken).count() + named
        };
        let hits = self.state.survey.iter().flat_map(|survey| &survey.hits);
        let mut fitting: Vec<(usize, &Hit)> = hits
            .map(|hit| (shared(hit), hit))
            .filter(|(count, _)| *count > 0)
            .collect();
        fitting.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        let most = fitting.first().map_or(0, |(count, _)| *count);
        fitting.retain(|(count, _)| count * 2 > most || most <= 2);
        fitting.into_iter().map(|(_, hit)| hit).take(3).collect()
    }

    /// Names joined as the language joins them.
    pub fn join<S: AsRef<str>>(&self, names: &[S]) -> String {
        names
            .iter()
            .map(AsRef::as_ref)
            .collect::<Vec<_>>()
            .join(&self.phrases.list_join)
    }

    /// Two names joined; one alone where both are the same.
    pub fn join_two(&self, one: &str, other: &str) -> String {
        if one == other {
            return one.to_owned();
        }
        self.join(&[one, other])
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

    /// Is all that was asked for work on what is there, to which no topic adds anything?
    pub fn is_repair(&self) -> bool {
        let needs = self.subject.reading.needs.iter();
        let feedback = self.state.feedback.iter().map(|item| item.text.as_str());
        let mut texts = needs.map(String::as_str).chain(feedback);
        texts.all(|text| topics::stands_alone(&self.general, &Matcher::new(text), false))
    }

    /// Does no checklist know the subject, so that the plan can only be a skeleton?
    pub fn is_skeleton(&self) -> bool {
        self.topics.is_empty() && !self.is_repair()
    }

    /// How the work on a need is called, by all that is said of it.
    pub fn task(&self, need: &str, text: &str, is_feedback: bool) -> String {
        let item = topics::general_item(&self.general, &Matcher::new(text), is_feedback);
        let pattern = item.and_then(|item| item.task.as_ref());
        fill(
            pattern.unwrap_or(&self.phrases.work_title),
            &[("need", need)],
        )
    }
}

/// Does a text name the file?
fn is_named(text: &str, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    text.contains(path) || (name.contains('.') && text.contains(name))
}

/// Is the issue one that checklists can word a plan for? Matters that members
/// name in passing are only noted.
fn is_discussable(origin: &Origin) -> bool {
    !matches!(origin, Origin::Member { .. })
}
