//! Which checklists a run calls up, and which issue each is dealt with under.

use std::collections::BTreeMap;

use super::OfflineError;
use super::checklist::{self, Checklist, ProductItem};
use super::exchange::Exchange;
use super::needs::Subject;
use super::removal::Removal;
use super::rule::lifts_rule;
use super::stays::less_what_stays;
use super::strike;
use super::text::Matcher;
use crate::machine::{
    ConsensusItem, DraftLine, IssueId, IssueRecord, Origin, QuestionStatus, State, only_asks,
};

/// Topics looked at in one run, at most: more would bury the requirement.
const MAX_TOPICS: usize = 8;

/// Topics that the run's texts call up, the most called-up first.
///
/// # Errors
/// A checklist that is called up is malformed.
pub fn called_up(
    state: &State,
    subject: &Subject,
    general: &Checklist,
) -> Result<Vec<Checklist>, OfflineError> {
    let wanted = wanted(state, subject, general, true).join("\n");
    let matcher = Matcher::new(&less_what_stays(&wanted));
    let called = |triggers: &[String]| matcher.any(triggers);
    let mut ranked = Vec::new();
    for (key, text) in state.inputs.templates.iter() {
        // Parsing costs far more than this look at the triggers' line.
        if !is_topic(key) || checklist::scan_triggers(text).is_some_and(|t| !called(&t)) {
            continue;
        }
        let list = checklist::parse(key, text)?;
        let count = list.called_by(&matcher);
        if count > 0 {
            ranked.push((std::cmp::Reverse(count), list));
        }
    }
    ranked.sort_by(|(a, x), (b, y)| a.cmp(b).then_with(|| x.topic.cmp(&y.topic)));
    let lists = ranked.into_iter().map(|(_, list)| list);
    Ok(lists.take(MAX_TOPICS).collect())
}

fn is_topic(key: &str) -> bool {
    key.strip_prefix(checklist::FOLDER)
        .and_then(|name| name.strip_suffix(".yaml"))
        .is_some_and(|name| name != checklist::GENERAL)
        && ![checklist::PHRASES, checklist::MEDIA].contains(&key)
}

/// Gives every topic to the issue that speaks of it most; feedback first, then
/// the lowest id, so that no later issue takes a topic away. A topic that no
/// issue speaks of has no home: the background of a requirement is not work.
pub fn homes(
    state: &State,
    subject: &Subject,
    topics: &[Checklist],
    general: &Checklist,
) -> BTreeMap<IssueId, Vec<usize>> {
    let issues: Vec<(&IssueRecord, Matcher)> = state
        .ledger
        .iter()
        .filter(|issue| is_from_outside(&issue.origin) && !is_answer(state, issue))
        .map(|issue| (issue, issue_text(state, subject, general, issue)))
        .filter(|(issue, text)| {
            // What feedback put in question is planned again with its topics.
            takes_up(state, general, issue).next().is_some()
                || !stands_alone(general, &Matcher::new(text), is_feedback(&issue.origin))
        })
        .map(|(issue, text)| (issue, Matcher::new(&less_what_stays(&text))))
        .collect();
    let mut homes: BTreeMap<IssueId, Vec<usize>> = BTreeMap::new();
    for (index, topic) in topics.iter().enumerate() {
        let counted = issues.iter().map(|(issue, matcher)| {
            let feedback = matches!(issue.origin, Origin::Feedback { .. });
            (topic.called_by(matcher), feedback, issue.id)
        });
        let best = counted
            .filter(|(count, ..)| *count > 0)
            .max_by_key(|(count, feedback, id)| (*feedback, *count, std::cmp::Reverse(*id)));
        if let Some((_, _, issue)) = best {
            homes.entry(issue).or_default().push(index);
        }
    }
    homes
}

/// Is it work to which the rules of its topics add nothing, such as mending a fault?
pub fn stands_alone(general: &Checklist, text: &Matcher, is_feedback: bool) -> bool {
    general_item(general, text, is_feedback).is_some_and(|item| item.alone)
}

/// The general rule that fits a need, or a point of feedback.
pub fn general_item<'c>(
    general: &'c Checklist,
    text: &Matcher,
    is_feedback: bool,
) -> Option<&'c ProductItem> {
    let mut items = general.product.iter();
    items.find(|item| !item.strikes && (is_feedback || !item.feedback) && item.fits(text))
}

/// Is it the issue of a point of feedback?
pub fn is_feedback(origin: &Origin) -> bool {
    matches!(origin, Origin::Feedback { .. })
}

/// Is it the issue of a point of feedback that answers a question by its id? It says what
/// was asked, and calls no topic up by the words it has for that.
fn is_answer(state: &State, issue: &IssueRecord) -> bool {
    let previous = state.previous.as_ref();
    is_feedback(&issue.origin) && previous.is_some_and(|p| p.answered_by(&issue.title).is_some())
}

/// Consensus items that the point of feedback behind an issue put in question.
pub fn withdrawn_by<'s>(
    state: &'s State,
    issue: &IssueRecord,
) -> impl Iterator<Item = &'s ConsensusItem> {
    let of = match &issue.origin {
        Origin::Feedback { feedback } => Some(*feedback),
        _ => None,
    };
    let lines = state.draft.lines().iter();
    lines.filter_map(move |line| match line {
        DraftLine::Withdrawn { item, feedback, .. } if of.is_some() && *feedback == of => {
            state.draft.find(*item)
        }
        _ => None,
    })
}

/// Titles of the issues whose agreement a point of feedback put in question: its
/// issue has to settle them anew, unless it drops them altogether.
pub fn takes_up<'s>(
    state: &'s State,
    general: &'s Checklist,
    issue: &'s IssueRecord,
) -> impl Iterator<Item = &'s str> {
    let before = || state.previous.iter().flat_map(|previous| &previous.issues);
    let mut seen = Vec::new();
    withdrawn_by(state, issue).filter_map(move |item| {
        let mut known = before();
        let record = known.find(|i| i.id == item.issue);
        let title = record
            .or_else(|| state.ledger.find(item.issue))?
            .title
            .as_str();
        let is_new = !seen.contains(&title) && !is_dropped(state, general, issue, item.issue);
        is_new.then(|| {
            seen.push(title);
            title
        })
    })
}

/// Does the point of feedback behind an issue take out all that was agreed on another one,
/// by what it says or by that one's id?
pub fn is_dropped(state: &State, general: &Checklist, issue: &IssueRecord, of: IssueId) -> bool {
    let before = state.previous.iter().flat_map(|previous| &previous.issues);
    let known = before
        .chain(state.ledger.iter())
        .find(|known| known.id == of);
    let by_words = known.is_some_and(|known| {
        let exchange = Exchange::of(&issue.title);
        if exchange.is_some_and(|it| it.reads(&known.title).is_some()) {
            return false;
        }
        let removal = Removal::of(general, &issue.title);
        removal.is_some_and(|it| it.whole(&known.title).is_some())
            || lifts_rule(&known.title, &issue.title)
    });
    by_words || strike::takes_out(state, general, &issue.title, &of.to_string())
}

/// Does no topic belong to what was asked for first, whatever feedback calls up?
pub fn knows_none(
    state: &State,
    subject: &Subject,
    topics: &[Checklist],
    general: &Checklist,
) -> bool {
    let asked = wanted(state, subject, general, false).join("\n");
    let matcher = Matcher::new(&less_what_stays(&asked));
    topics.iter().all(|list| list.called_by(&matcher) == 0)
}

/// Everything that says what an issue is about: its title, the feedback it
/// stands for, and what the human answered to the coach's own question.
pub fn issue_text(
    state: &State,
    subject: &Subject,
    general: &Checklist,
    issue: &IssueRecord,
) -> String {
    let mut texts = vec![subject.need_of(&issue.title).unwrap_or(&issue.title)];
    if let Origin::Feedback { feedback } = &issue.origin {
        let item = state.feedback.iter().find(|f| f.id == *feedback);
        texts.extend(item.map(|item| item.text.as_str()));
    }
    texts.extend(takes_up(state, general, issue));
    texts.extend(told_the_coach(state));
    texts.join("\n")
}

fn told_the_coach(state: &State) -> impl Iterator<Item = &str> {
    let asked = state.questions.iter().filter(|q| q.asked_by.is_coach());
    asked.filter_map(|question| match &question.status {
        QuestionStatus::Closed { answer, .. } => Some(answer.as_str()),
        _ => None,
    })
}

/// All that was asked for, a text a need: what topics are called up by; with the feedback or
/// without it.
fn wanted(
    state: &State,
    subject: &Subject,
    general: &Checklist,
    with_feedback: bool,
) -> Vec<String> {
    let previous = state.previous.as_ref();
    let is_answer = |text: &str| previous.is_some_and(|p| p.answered_by(text).is_some());
    let feedback = state.feedback.iter().filter(|_| with_feedback);
    let feedback = feedback.map(|item| item.text.clone());
    let feedback = feedback.filter(|text| !is_answer(text));
    let feedback = feedback
        .filter(|text| !only_asks(text) && !stands_alone(general, &Matcher::new(text), true));
    let outside = state
        .ledger
        .iter()
        .filter(|issue| is_from_outside(&issue.origin) && !is_feedback(&issue.origin));
    let needs = subject.reading.needs.iter().cloned();
    needs
        .chain(outside.map(|issue| issue.title.clone()))
        .filter(|text| !stands_alone(general, &Matcher::new(text), false))
        .chain(feedback)
        .chain(told_the_coach(state).map(str::to_owned))
        .collect()
}

/// Did the issue come from the human, in this version or an earlier one?
pub fn is_from_outside(origin: &Origin) -> bool {
    matches!(
        origin,
        Origin::Requirement | Origin::Feedback { .. } | Origin::Previous
    )
}
