//! The coach reads the requirement: needs become issues, thin texts a question,
//! and of an earlier agreement what the feedback touches is put in question.

use super::board::{Agreed, Board};
use super::names::other_names;
use super::needs;
use super::party;
use super::rule::altered_rule;
use super::strike::{self, Named};
use super::text::{Matcher, fill, likeness, terms};
use crate::machine::{ConsensusItem, FeedbackItem};
use crate::reply::{AskedQuestion, CoachPart, Contribution, NewIssue, Severity, Withdrawal};

/// The coach's first contribution.
pub fn judge(board: &Board) -> Contribution {
    let withdraw = withdrawals(board);
    let new_issues = if board.state.previous.is_some() {
        // The engine opens an issue for every point of feedback itself.
        Vec::new()
    } else {
        issues(board)
    };
    let is_thin = board.state.previous.is_none() && needs::is_too_thin(&board.state.subject());
    let questions = if is_thin {
        vec![thin_question(board)]
    } else {
        Vec::new()
    };
    Contribution {
        analysis: analysis(board, new_issues.len(), withdraw.len(), is_thin),
        questions,
        new_issues,
        coach: Some(CoachPart {
            withdraw,
            reminders: party::asked(board),
            ..CoachPart::default()
        }),
        ..Contribution::default()
    }
}

fn analysis(board: &Board, count: usize, withdrawn: usize, is_thin: bool) -> String {
    let p = &board.phrases;
    let topics = board.topic_titles();
    let count = count.to_string();
    if is_thin {
        return p.judgment_thin.clone();
    }
    if let Some(previous) = &board.state.previous {
        return fill(
            &p.judgment_revision,
            &[
                ("version", &previous.version.to_string()),
                ("points", &board.state.feedback.len().to_string()),
                ("withdrawn", &withdrawn.to_string()),
            ],
        );
    }
    let phrase = match topics.is_empty() {
        false => &p.judgment,
        true if board.is_skeleton() => &p.judgment_plain,
        true => &p.judgment_alone,
    };
    let background = &board.subject.reading.background;
    let aside = match background.is_empty() {
        true => String::new(),
        false => fill(
            &p.judgment_background,
            &[("texts", &background.join(&p.item_join))],
        ),
    };
    board.flow(&[
        fill(phrase, &[("count", &count), ("topics", &topics)]),
        aside,
    ])
}

fn issues(board: &Board) -> Vec<NewIssue> {
    let needs = &board.subject.reading.needs;
    needs
        .iter()
        .enumerate()
        .map(|(i, need)| NewIssue {
            key: format!("n{}", i + 1),
            title: needs::title(need),
            detail: fill(&board.phrases.issue_detail, &[("need", need)]),
            severity: Severity::Blocking,
        })
        .collect()
}

fn thin_question(board: &Board) -> AskedQuestion {
    let requirement = board.state.subject();
    let values = [("requirement", requirement.as_str())];
    AskedQuestion {
        question: fill(&board.phrases.thin_question, &values),
        why: board.phrases.thin_why.clone(),
        blocks: None,
        options: Vec::new(),
        recommended: fill(&board.phrases.thin_recommended, &values),
    }
}

/// Agreed items that a point of feedback speaks of, each with the point that
/// touches it most.
fn withdrawals(board: &Board) -> Vec<Withdrawal> {
    board
        .agreed()
        .into_iter()
        .filter_map(|agreed| {
            let item = agreed.item;
            let (feedback, shared) = board
                .state
                .feedback
                .iter()
                // What asks for no change puts nothing in question.
                .filter(|feedback| board.declined(&feedback.text, feedback.id).is_none())
                .filter_map(|feedback| {
                    let shared = touched(board, &agreed, feedback)?;
                    Some((feedback, shared))
                })
                .max_by_key(|(feedback, shared)| (shared.len(), std::cmp::Reverse(feedback.id)))?;
            Some(Withdrawal {
                item: item.id.to_string(),
                feedback: feedback.id.to_string(),
                reason: fill(
                    &board.phrases.withdraw_reason,
                    &[("terms", &board.join(&shared))],
                ),
            })
        })
        .collect()
}

/// What a point of feedback and an agreed item share, if it puts the item in question.
fn touched(board: &Board, agreed: &Agreed, feedback: &FeedbackItem) -> Option<Vec<String>> {
    let item = agreed.item;
    let named = strike::named(board.state, &feedback.text);
    let is_cited = |named: &&Named| {
        named.is_of(item) || agreed.lines.iter().any(|line| named.is_told_by(line))
    };
    let cited: Vec<String> = named
        .iter()
        .filter(is_cited)
        .map(|n| n.id.clone())
        .collect();
    if !cited.is_empty() {
        return Some(cited);
    }
    // Who takes something out by its id has said what goes, and an answer is one, whatever
    // its words.
    let previous = board.state.previous.as_ref();
    let is_answer = previous.is_some_and(|p| p.answered_by(&feedback.text).is_some());
    if is_answer || !board.strikes_by(feedback.id).is_empty() {
        return None;
    }
    // Who names what goes, or alters who alone may do something, means nothing beside.
    let means = |agreed: &Agreed| {
        let left_out = board
            .leavings
            .get(&feedback.id)
            .and_then(|l| l.names(agreed));
        let altered = || altered_rule(&agreed.title, &feedback.text);
        let read = || reworded(board, agreed, feedback);
        left_out
            .or_else(|| altered().map(|_| shared(&feedback.text, &agreed.title)))
            .or_else(read)
    };
    if board.agreed().iter().any(|agreed| means(agreed).is_some()) {
        return means(agreed);
    }
    touch(item, feedback).or_else(|| speaks_of(agreed, feedback))
}

/// The words by which a point of feedback names something in a need that it words anew.
fn reworded(board: &Board, agreed: &Agreed, feedback: &FeedbackItem) -> Option<Vec<String>> {
    let readings = board.rewordings.get(&feedback.id)?;
    let needs = agreed.lines.iter().map(|line| line.need.as_str());
    let mut needs = needs.chain([agreed.title.as_str()]);
    let need = needs.find(|need| readings.of(need).is_some())?;
    Some(shared(&feedback.text, need))
}

/// Telling words that two texts share.
fn shared(a: &str, b: &str) -> Vec<String> {
    terms(a).intersection(&terms(b)).cloned().collect()
}

/// Feedback in other words: what it says belongs to the topic of an agreed sentence,
/// and names the issue in at least one word, in either language.
fn speaks_of(agreed: &Agreed, feedback: &FeedbackItem) -> Option<Vec<String>> {
    let text = Matcher::new(&feedback.text);
    let mut topics = agreed.lines.iter().filter(|line| !line.list.is_general());
    let topic = topics.find(|line| line.list.called_by(&text) > 0)?;
    let names = |text: &str| {
        let mut names = terms(text);
        names.extend(other_names(text).map(str::to_owned));
        names
    };
    let of_issue = names(&format!("{} {}", agreed.title, agreed.item.text));
    let shared: Vec<String> = names(&feedback.text)
        .intersection(&of_issue)
        .cloned()
        .collect();
    (!shared.is_empty()).then(|| vec![topic.list.title.clone()])
}

/// The terms an item and a point of feedback share, if they are enough: two telling ones,
/// or nearly the same words.
fn touch(item: &ConsensusItem, feedback: &FeedbackItem) -> Option<Vec<String>> {
    let shared = shared(&feedback.text, &item.text);
    let asked = terms(&feedback.text).len().max(1);
    let enough = shared.len() >= 3 || (shared.len() >= 2 && shared.len() * 3 >= asked);
    (enough || likeness(&item.text, &feedback.text) > 0.6).then_some(shared)
}
