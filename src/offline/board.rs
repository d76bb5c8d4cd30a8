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
use super::phrases::{self, Phrases};
use super::removal::Leaving;
use super::reword::Rewordings;
use super::strike::{Named, Struck};
use super::text::{Matcher, fill, labelled};
use super::topics;
use crate::machine::{ConsensusItem, FeedbackId, Hit, IssueId, IssueRecord, Origin, State};
use crate::role::{RoleId, RoleSpec};

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
    /// What was taken out by its id, in this run or in an earlier version.
    pub struck: Struck,
    /// What each point of feedback takes out by its id.
    pub(super) strikes: BTreeMap<FeedbackId, Vec<Named>>,
    /// What each point of feedback leaves out by its words.
    pub(super) leavings: BTreeMap<FeedbackId, Leaving>,
    /// What each point of feedback makes of what was asked for before.
    pub(super) rewordings: BTreeMap<FeedbackId, Rewordings>,
    /// Does no checklist know what was asked for first?
    unknown: bool,
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
        let phrases = phrases::of_run(
            checklist::PHRASES,
            text_of(checklist::PHRASES)?,
            state.inputs.doc_lang,
        )?;
        let general = checklist::parse(&general_key, text_of(&general_key)?)?;
        let requirement = Matcher::new(&state.subject());
        let medium = medium::of(state, &requirement)?;
        let subject = Subject::of(&state.subject());
        let topics = topics::called_up(state, &subject, &general)?.into_iter();
        let topics = topics.map(|list| list.of(medium, &requirement));
        let topics: Vec<_> = topics.filter(|list| !list.is_silent()).collect();
        let general = general.of(medium, &requirement);
        let unknown = topics::knows_none(state, &subject, &topics, &general);
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
            struck: Struck::default(),
            strikes: BTreeMap::new(),
            leavings: BTreeMap::new(),
            rewordings: BTreeMap::new(),
            unknown,
            pressed: OnceCell::new(),
        };
        board.strikes = board.find_strikes();
        board.rewordings = board.find_rewordings();
        board.leavings = board.find_leavings();
        let now: Vec<Named> = board.strikes.values().flatten().cloned().collect();
        let rule = board.striking().map(|rule| rule.say.as_str());
        board.struck = Struck::of(state, rule, &now);
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
            if matcher.only_keeps() || self.only_takes_out(issue) {
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
        topics::issue_text(self.state, &self.subject, &self.general, issue)
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
        let kept = self.kept(part, issue);
        let mut topical = self.topical(part, issue);
        let before = self.put_in_question(issue);
        topical.retain(|line| !before.values().flatten().any(|known| is_same(line, known)));
        let mut own = self.own_lines(part, issue);
        // What fits anything adds nothing to what a topic says of the work itself.
        let is_told = kept.iter().chain(&topical).any(|line| !is_aside(line));
        own.retain(|line| !is_told || !self.fits_anything(line));
        let mut lines = own;
        for line in kept.into_iter().chain(topical) {
            if lines.iter().all(|known| known.text != line.text) {
                lines.push(line);
            }
        }
        lines
    }

    /// What an issue's topics say on it; on a point of feedback, those that it calls up itself.
    fn topical(&self, part: Part, issue: &IssueRecord) -> Vec<Line<'_>> {
        let matcher = Matcher::new(&self.issue_text(issue));
        let lists = self.topics_of(issue.id);
        lists
            .filter(|list| self.is_called_by(list, issue))
            .flat_map(|list| {
                let fitting = items(list, part, &issue.title, Some(&matcher));
                fitting.into_iter().take(MAX_ITEMS)
            })
            .filter(|line| !self.is_settled(line, issue.id) && !self.struck.holds_line(line))
            .collect()
    }

    /// What the general list says on an issue itself, and what its feedback takes out by id.
    fn own_lines(&self, part: Part, issue: &IssueRecord) -> Vec<Line<'_>> {
        let (struck, asks_more) = match part {
            Part::Product => self.struck_line(issue),
            _ => (None, true),
        };
        let own = self.general_line(part, issue).filter(|_| asks_more);
        struck.into_iter().chain(own).collect()
    }

    fn fits_anything(&self, line: &Line) -> bool {
        matches!(line.source, Source::Product(item)
            if line.list.is_general() && item.words.is_empty() && !item.feedback && !item.keeps)
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
            let need = self.answers(issue).unwrap_or_else(|| issue.title.clone());
            return Some(Line {
                text: fill(&item.say, &[("need", &need)]),
                list: &self.general,
                source: Source::Product(item),
                need,
                figure: None,
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
            need: issue.title.clone(),
            figure: None,
        })
    }

    /// Does the line stand under another issue, or what it was brought to there?
    fn is_settled(&self, line: &Line, issue: IssueId) -> bool {
        let brought_to = line.list.conflicts.iter();
        let brought_to = brought_to.filter(|c| Some(c.mine.as_str()) == line.key());
        let mut texts = brought_to.map(|c| &c.compromise).chain([&line.text]);
        texts.any(|text| self.stands(text, issue))
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
    pub(super) fn recognise(&self, text: &str, need: &str) -> Vec<Line<'_>> {
        // What a sentence names as taken out does not stand.
        let struck = self.struck_in(text);
        let text = match &struck {
            Some(line) => text.replace(&line.text, ""),
            None => text.to_owned(),
        };
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
                    need: need.to_owned(),
                    figure: None,
                }));
                lines
            })
            .filter_map(|line| line.found_in(&text))
            .chain(struck)
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
        self.unknown && !self.is_repair()
    }

    /// How the work on a need is called, by all that is said of it.
    pub fn task(&self, need: &str, text: &str, is_feedback: bool) -> String {
        let item = topics::general_item(&self.general, &Matcher::new(text), is_feedback);
        let pattern = item.and_then(|item| item.task.as_ref());
        labelled(pattern.unwrap_or(&self.phrases.work_title), need)
    }
}

/// Is what stood before a line of its checklist, whatever its figure, or what that was
/// brought to?
fn is_same(line: &Line, known: &Line) -> bool {
    let key = match known.source {
        Source::Compromise(it) => it.with.is_some().then_some(it.mine.as_str()),
        _ => known.key(),
    };
    known.list.topic == line.list.topic && key.is_some() && key == line.key()
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
