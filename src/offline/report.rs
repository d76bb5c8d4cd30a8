//! The coach's words for the report: title, the plan in short, what to decide.

use super::board::Board;
use super::checklist::Conflict;
use super::needs;
use super::text::{cut, fill, word_count};
use crate::machine::{Assumption, IssueRecord, IssueStatus, Question};
use crate::reply::{Document, DocumentKind, ReportWords, Stance, ToDecide};

/// Words of the plan in short, at most.
const MAX_WORDS: usize = 150;
/// Characters of a need in the plan in short where the needs are long.
const MAX_NAME: usize = 48;
/// Characters of the title, at most.
const MAX_TITLE: usize = 110;

/// Writes the coach's words.
pub fn words(board: &Board) -> ReportWords {
    let reading = &board.subject.reading;
    let title = reading.whole.as_ref().or(reading.needs.first());
    ReportWords {
        title: title
            .map(|t| headline(&needs::title(t)))
            .unwrap_or_default(),
        in_short: in_short(board, &reading.needs),
        decide: decide(board),
    }
}

/// A title of one line: the first sentence of a need, cut only if it is very long.
fn headline(title: &str) -> String {
    let first = title.split(". ").next().and_then(|t| t.split('。').next());
    cut(first.unwrap_or(title), MAX_TITLE)
}

/// A plan made anew by feedback; in talk, which writes no plan, feedback is what is said.
fn is_revision(board: &Board) -> bool {
    !board.state.feedback.is_empty() && board.state.inputs.format.writes_documents()
}

fn in_short(board: &Board, needs: &[String]) -> String {
    let p = &board.phrases;
    let blocking = board.state.ledger.blocking().count();
    let topics = board.topic_titles();
    let mut sentences = Vec::new();
    if needs.len() > 1 {
        let mut named = needs.join(&p.item_join);
        if word_count(&named) > MAX_WORDS / 2 {
            named = first_names(needs, &p.item_join);
        }
        let values = [("count", needs.len().to_string()), ("needs", named)];
        let values = values
            .each_ref()
            .map(|(name, value)| (*name, value.as_str()));
        let template = match is_revision(board) {
            true => &p.report_needs_revised,
            false => &p.report_needs,
        };
        sentences.push(fill(template, &values));
    }
    if blocking > 0 {
        sentences.push(fill(&p.report_open, &[("count", &blocking.to_string())]));
    }
    let plans = board.state.inputs.format.writes_documents();
    if plans {
        sentences.push(figures(board));
    }
    sentences.extend(first_work(board));
    if plans && board.is_skeleton() {
        sentences.push(p.report_skeleton.clone());
    } else if !topics.is_empty() {
        sentences.push(fill(&p.report_topics, &[("topics", &topics)]));
    }
    sentences.push(p.report_offline.clone());
    // The last sentences matter least, the label of the method aside.
    while sentences.len() > 2 && word_count(&board.flow(&sentences)) > MAX_WORDS {
        sentences.remove(sentences.len() - 2);
    }
    board.flow(&sentences)
}

/// The first needs by short names, as many as leave room for the rest of the plan in short.
fn first_names(needs: &[String], join: &str) -> String {
    let mut named = String::new();
    for need in needs {
        let name = cut(&needs::title(need), MAX_NAME);
        if word_count(&named) + word_count(&name) > MAX_WORDS / 2 {
            return named + join + "…";
        }
        if !named.is_empty() {
            named.push_str(join);
        }
        named.push_str(&name);
    }
    named
}

fn figures(board: &Board) -> String {
    let count = |kind| {
        board
            .state
            .documents
            .get(&kind)
            .map_or(0, |d| size(&d.content))
            .to_string()
    };
    fill(
        &board.phrases.report_figures,
        &[
            ("criteria", &count(DocumentKind::ProductPlan)),
            ("work", &count(DocumentKind::DevPlan)),
            ("tests", &count(DocumentKind::TestPlan)),
            ("risks", &count(DocumentKind::RiskAssessment)),
        ],
    )
}

fn size(document: &Document) -> usize {
    match document {
        Document::ProductPlan(plan) => plan.criteria.len(),
        Document::SystemDesign(design) => design.modules.len(),
        Document::DevPlan(plan) => plan.work.len(),
        Document::TestPlan(plan) => plan.cases.len(),
        Document::RiskAssessment(assessment) => assessment.risks.len(),
    }
}

fn first_work(board: &Board) -> Option<String> {
    let Document::DevPlan(plan) = &board.state.documents.get(&DocumentKind::DevPlan)?.content
    else {
        return None;
    };
    let first = plan
        .order
        .first()
        .and_then(|id| plan.work.iter().find(|work| &work.id == id));
    let work = first.or(plan.work.first())?;
    Some(fill(&board.phrases.report_first, &[("work", &work.title)]))
}

/// What needs a person: open issues first, then assumptions and trade-offs. What was
/// put off stands with the work left behind.
fn decide(board: &Board) -> Vec<ToDecide> {
    let p = &board.phrases;
    let open = board.state.ledger.blocking().map(|issue| ToDecide {
        what: fill(&p.decide_open, &[("title", &issue.title)]),
        recommended: recommended(board, issue),
        otherwise: p.decide_open_otherwise.clone(),
        about: vec![issue.id.to_string()],
    });
    let assumed = board.state.assumptions.iter().map(|a| assumption(board, a));
    let traded = board
        .state
        .ledger
        .iter()
        .filter_map(|issue| trade_off(board, issue));
    let mut to_decide: Vec<ToDecide> = Vec::new();
    for one in open.chain(assumed).chain(traded) {
        // A revision settles an issue anew, with the compromise of the first time.
        let same =
            |known: &&mut ToDecide| known.what == one.what && known.recommended == one.recommended;
        match to_decide.iter_mut().find(same) {
            Some(known) => known.about.extend(one.about),
            None => to_decide.push(one),
        }
    }
    to_decide
}

/// A plan is revised with the decision; where there is none, the text that was
/// supported last is what the members lean to.
fn recommended(board: &Board, issue: &IssueRecord) -> String {
    let leaning = issue
        .positions
        .iter()
        .rev()
        .filter(|p| p.stance.supports())
        .find_map(|p| p.proposal.clone())
        .filter(|_| !board.state.inputs.format.writes_documents());
    leaning.unwrap_or_else(|| board.phrases.decide_open_recommended.clone())
}

/// An answer nobody gave, with the other answers that were at hand.
fn assumption(board: &Board, assumption: &Assumption) -> ToDecide {
    let p = &board.phrases;
    let id = assumption.id.to_string();
    let question = board.state.question(assumption.question);
    let others: Vec<&str> = question
        .iter()
        .flat_map(|q| &q.options)
        .map(String::as_str)
        .filter(|option| *option != assumption.text)
        .collect();
    let otherwise = match others.is_empty() {
        true => fill(&p.decide_assumption_plain, &[("id", &id)]),
        false => fill(
            &p.decide_assumption_otherwise,
            &[("options", &others.join(&p.item_join))],
        ),
    };
    let what = match question.is_some_and(Question::is_declined) {
        true => &p.decide_declined,
        false => &p.decide_assumption,
    };
    let text = question.map_or("", |q| q.text.as_str());
    ToDecide {
        what: fill(what, &[("question", text)]),
        recommended: assumption.text.clone(),
        otherwise,
        about: vec![id],
    }
}

/// An objection that was resolved by a compromise: the reviewer may see it otherwise.
fn trade_off(board: &Board, issue: &IssueRecord) -> Option<ToDecide> {
    let IssueStatus::Settled { by } = &issue.status else {
        return None;
    };
    let objection = issue
        .positions
        .iter()
        .find(|p| p.stance == Stance::Object)?;
    let text = objection.proposal.as_deref()?;
    let all = board
        .topics
        .iter()
        .flat_map(|list| list.conflicts.iter().map(move |c| (list, c)));
    let (list, conflict): (_, &Conflict) = all
        .into_iter()
        .find(|(_, c)| text.contains(&c.compromise))?;
    let (other, _) = conflict.other_side()?;
    let other = board
        .topics
        .iter()
        .find(|list| list.topic == other)
        .map_or(other, |list| list.title.as_str());
    let mut about = vec![issue.id.to_string()];
    about.extend(by.iter().map(ToString::to_string));
    Some(ToDecide {
        what: fill(
            &board.phrases.decide_tradeoff,
            &[("topics", &board.join_two(&list.title, other))],
        ),
        recommended: conflict.compromise.clone(),
        otherwise: fill(
            &board.phrases.decide_tradeoff_otherwise,
            &[("because", &conflict.because)],
        ),
        about,
    })
}
