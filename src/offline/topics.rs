//! Which checklists a run calls up, and which issue each is dealt with under.

use std::collections::BTreeMap;

use super::OfflineError;
use super::checklist::{self, Checklist};
use super::needs;
use super::text::Matcher;
use crate::workshop::{IssueId, IssueRecord, Origin, QuestionStatus, State};

/// Topics looked at in one run, at most: more would bury the requirement.
const MAX_TOPICS: usize = 8;

/// Topics that the run's texts call up, the most called-up first.
///
/// # Errors
/// A checklist that is called up is malformed.
pub fn called_up(state: &State, general: &Checklist) -> Result<Vec<Checklist>, OfflineError> {
    let matcher = Matcher::new(&wanted(state, general).join("\n"));
    let called = |triggers: &[String]| matcher.count(triggers);
    let mut ranked = Vec::new();
    for (key, text) in &state.inputs.templates {
        // Parsing costs far more than this look at the triggers' line.
        if !is_topic(key) || checklist::scan_triggers(text).is_some_and(|t| called(&t) == 0) {
            continue;
        }
        let list = checklist::parse(key, text)?;
        let count = called(&list.triggers);
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
        .is_some_and(|name| name != checklist::GENERAL && key != checklist::PHRASES)
}

/// Gives every topic to the issue that speaks of it most; feedback first, then
/// the lowest id, so that no later issue takes a topic away. A topic that no
/// issue speaks of has no home: the background of a requirement is not work.
pub fn homes(
    state: &State,
    topics: &[Checklist],
    general: &Checklist,
) -> BTreeMap<IssueId, Vec<usize>> {
    let issues: Vec<(&IssueRecord, Matcher)> = state
        .ledger
        .iter()
        .filter(|issue| is_from_outside(&issue.origin))
        .map(|issue| (issue, Matcher::new(&issue_text(state, issue))))
        .filter(|(_, matcher)| !stands_alone(general, matcher))
        .collect();
    let mut homes: BTreeMap<IssueId, Vec<usize>> = BTreeMap::new();
    for (index, topic) in topics.iter().enumerate() {
        let counted = issues.iter().map(|(issue, matcher)| {
            let feedback = matches!(issue.origin, Origin::Feedback { .. });
            (matcher.count(&topic.triggers), feedback, issue.id)
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
pub fn stands_alone(general: &Checklist, text: &Matcher) -> bool {
    let fits = |words: &[String]| words.is_empty() || text.any(words);
    let first = general.product.iter().find(|item| fits(&item.words));
    first.is_some_and(|item| item.alone)
}

/// Everything that says what an issue is about: its title, the feedback it
/// stands for, and what the human answered to the coach's own question.
pub fn issue_text(state: &State, issue: &IssueRecord) -> String {
    let needs = needs::split(&state.requirement);
    let need = needs.iter().find(|need| needs::title(need) == issue.title);
    let mut texts = vec![need.map_or(issue.title.as_str(), String::as_str)];
    if let Origin::Feedback { feedback } = &issue.origin {
        let item = state.feedback.iter().find(|f| f.id == *feedback);
        texts.extend(item.map(|item| item.text.as_str()));
    }
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

/// All that was asked for, a text a need: what topics are called up by.
fn wanted(state: &State, general: &Checklist) -> Vec<String> {
    let feedback = state.feedback.iter().map(|item| item.text.clone());
    let outside = state.ledger.iter().filter(|i| is_from_outside(&i.origin));
    needs::split(&state.requirement)
        .into_iter()
        .chain(feedback)
        .chain(outside.map(|issue| issue.title.clone()))
        .filter(|text| !stands_alone(general, &Matcher::new(text)))
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
