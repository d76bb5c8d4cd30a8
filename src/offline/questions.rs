//! What the requirement leaves open: who asks, what the coach can answer from
//! what was said, and when a member is satisfied.

use super::board::Board;
use super::checklist::{Ask, Checklist};
use super::spoken;
use super::text::{Matcher, fill};
use crate::machine::{CallId, IssueRecord, Question, QuestionStatus, Scope};
use crate::reply::{AskedQuestion, CoachPart, Contribution, Relay};

/// Questions of checklists in one run, at most: a human's patience is short.
const MAX_QUESTIONS: usize = 3;

/// The questions this run may ask, with the topic each belongs to: at most one
/// a topic and [`MAX_QUESTIONS`] in all, the most called-up topics first, then
/// those of the general list.
pub fn open_asks<'b>(board: &'b Board<'_>) -> Vec<(&'b str, &'b Ask)> {
    let matcher = Matcher::new(&everything_said(board));
    let known = board.state.previous.iter().flat_map(|p| &p.questions);
    let known: Vec<&str> = known.map(|q| q.text.as_str()).collect();
    let may = |ask: &&Ask| {
        (ask.words.is_empty() || matcher.any(&ask.words))
            && !matcher.any(&ask.unless)
            && board.member(ask.by).is_some()
            && !known.contains(&ask.question.as_str())
    };
    let has_home = |list: &&Checklist| board.home_of(&list.topic).is_some();
    let topical: Vec<(&str, &Ask)> = board
        .topics
        .iter()
        .filter(has_home)
        .filter_map(|list| Some((list.topic.as_str(), list.asks.iter().find(may)?)))
        .collect();
    // The general list asks what a kind of work needs; where no list knows the
    // subject it asks all it has, and in a revision nothing any more.
    let is_first = board.state.previous.is_none();
    let general = board.general.asks.iter().filter(may);
    let general = general.filter(|ask| is_first && (board.is_skeleton() || !ask.words.is_empty()));
    topical
        .into_iter()
        .chain(general.map(|ask| (board.general.topic.as_str(), ask)))
        .take(MAX_QUESTIONS)
        .collect()
}

/// The requirement with the feedback.
pub fn everything_said(board: &Board) -> String {
    let subject = board.state.subject();
    let feedback = board.state.feedback.iter().map(|f| f.text.as_str());
    std::iter::once(subject.as_str())
        .chain(feedback)
        .collect::<Vec<_>>()
        .join("\n")
}

/// The questions a member puts in its first speech.
pub fn asked_by(board: &Board, call: &CallId) -> Vec<AskedQuestion> {
    let part = board.part_of(&call.member);
    open_asks(board)
        .into_iter()
        .filter(|(_, ask)| call.round == 1 && Some(ask.by) == part)
        .filter(|(_, ask)| !board.state.questions.iter().any(|q| q.text == ask.question))
        .map(|(topic, ask)| AskedQuestion {
            question: ask.question.clone(),
            why: ask.why.clone(),
            blocks: blocked_issue(board, topic, ask),
            options: ask.options.clone(),
            recommended: ask.recommended.clone(),
        })
        .collect()
}

/// The open issue a question is about: its topic's, else the first its words fit.
fn blocked_issue(board: &Board, topic: &str, ask: &Ask) -> Option<String> {
    let home = board
        .home_of(topic)
        .and_then(|id| board.state.ledger.find(id));
    let fits = |issue: &&IssueRecord| Matcher::new(&board.issue_text(issue)).any(&ask.words);
    home.filter(|issue| issue.is_open())
        .or_else(|| board.state.ledger.blocking().find(fits))
        .or_else(|| board.state.ledger.blocking().next())
        .map(|issue| issue.id.to_string())
}

/// Questions of checklists that have an answer, with what it says for the plan.
pub fn answered<'b>(board: &'b Board<'_>) -> Vec<(&'b Question, String)> {
    let asks = board.topics.iter().chain(std::iter::once(&board.general));
    let asks: Vec<&Ask> = asks.flat_map(|list| &list.asks).collect();
    board
        .state
        .questions
        .iter()
        .filter_map(|question| {
            let QuestionStatus::Closed { answer, .. } = &question.status else {
                return None;
            };
            let answer = tidy(answer);
            let settles = asks
                .iter()
                .find(|ask| ask.question == question.text)
                .map_or_else(
                    || format!("{} {answer}", question.text),
                    |ask| fill(&ask.settles, &[("answer", &answer)]),
                );
            Some((question, settles))
        })
        .collect()
}

/// An answer as part of a sentence: one line, no full stop of its own.
fn tidy(answer: &str) -> String {
    let line = answer.split_whitespace().collect::<Vec<_>>().join(" ");
    line.trim_end_matches(['.', '。']).to_owned()
}

/// The id a plan cites for an answer: the assumption it became, else the question.
pub fn citation(board: &Board, question: &Question) -> String {
    let assumption = board
        .state
        .assumptions
        .iter()
        .find(|a| a.question == question.id);
    assumption.map_or_else(|| question.id.to_string(), |a| a.id.to_string())
}

/// The coach answers what was already said, word for word, and passes the rest on.
pub fn relay(board: &Board) -> Contribution {
    let raised = board
        .state
        .questions
        .iter()
        .filter(|q| q.status == QuestionStatus::Raised);
    let relays: Vec<Relay> = raised
        .map(|question| {
            let known = said_before(board, question);
            Relay {
                question: question.id.to_string(),
                answer: known.as_ref().map(|(answer, _)| answer.clone()),
                cites: known.map(|(_, cites)| cites),
            }
        })
        .collect();
    let phrase = if relays.iter().any(|relay| relay.answer.is_some()) {
        &board.phrases.relay_answered
    } else {
        &board.phrases.relay_passed
    };
    Contribution {
        coach: Some(CoachPart {
            relays,
            ..CoachPart::default()
        }),
        ..spoken(phrase.clone())
    }
}

/// The answer to the same question asked earlier, or an option that stands word
/// for word in the issue it blocks; with where it stands.
fn said_before(board: &Board, question: &Question) -> Option<(String, String)> {
    let previous = board.state.previous.iter().flat_map(|p| &p.questions);
    let earlier = board
        .state
        .questions
        .iter()
        .chain(previous)
        .find_map(|known| match &known.status {
            QuestionStatus::Closed { answer, .. }
                if known.id != question.id && known.text == question.text =>
            {
                Some((answer.clone(), known.id.to_string()))
            }
            _ => None,
        });
    earlier.or_else(|| {
        let issue = board.state.ledger.find(question.blocks?)?;
        let text = issue.title.to_lowercase();
        let option = question
            .options
            .iter()
            .find(|option| option.chars().count() >= 4 && text.contains(&option.to_lowercase()))?;
        Some((option.clone(), issue.id.to_string()))
    })
}

/// The member who asked takes the answer as it is.
pub fn follow_up(board: &Board, call: &CallId) -> Contribution {
    let answer = match call.scope {
        Scope::Question(n) => board.state.questions.iter().find(|q| q.id.0 == n),
        Scope::Root | Scope::Debate(_) | Scope::Phase(_) => None,
    }
    .and_then(|question| question.dialogue.last())
    .map(|exchange| tidy(&exchange.reply))
    .unwrap_or_default();
    spoken(fill(&board.phrases.follow_up_done, &[("answer", &answer)]))
}
