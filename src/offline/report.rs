//! The coach's words for the report: title, the plan in short, what to decide.

use super::board::Board;
use super::checklist::Conflict;
use super::needs;
use super::text::{cut, fill, word_count};
use crate::reply::{Document, DocumentKind, ReportWords, Stance, ToDecide};
use crate::workshop::{IssueRecord, IssueStatus};

/// Words of the plan in short, at most.
const MAX_WORDS: usize = 150;
/// Characters of the title, at most.
const MAX_TITLE: usize = 80;

/// Writes the coach's words.
pub fn words(board: &Board) -> ReportWords {
    let needs = needs::split(&board.state.requirement);
    let title = needs
        .first()
        .map(|need| cut(&needs::title(need), MAX_TITLE));
    ReportWords {
        title: title.unwrap_or_default(),
        in_short: in_short(board, &needs),
        decide: decide(board),
    }
}

fn in_short(board: &Board, needs: &[String]) -> String {
    let p = &board.phrases;
    let titles: Vec<String> = needs.iter().map(|need| cut(need, 80)).collect();
    let blocking = board.state.ledger.blocking().count();
    let topics = board.topic_titles();
    let mut sentences = vec![fill(&p.report, &[("needs", &titles.join("; "))])];
    if blocking > 0 {
        sentences.push(fill(&p.report_open, &[("count", &blocking.to_string())]));
    }
    sentences.push(figures(board));
    sentences.extend(first_work(board));
    if !topics.is_empty() {
        sentences.push(fill(&p.report_topics, &[("topics", &topics)]));
    }
    sentences.push(p.report_offline.clone());
    // The last sentences matter least, the label of the method aside.
    while sentences.len() > 2 && word_count(&board.flow(&sentences)) > MAX_WORDS {
        sentences.remove(sentences.len() - 2);
    }
    board.flow(&sentences)
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

/// What needs a person: open issues first, then assumptions, trade-offs, what was put off.
fn decide(board: &Board) -> Vec<ToDecide> {
    let p = &board.phrases;
    let open = board.state.ledger.blocking().map(|issue| ToDecide {
        what: fill(&p.decide_open, &[("title", &issue.title)]),
        recommended: p.decide_open_recommended.clone(),
        otherwise: p.decide_open_otherwise.clone(),
        about: vec![issue.id.to_string()],
    });
    let assumed = board.state.assumptions.iter().map(|assumption| {
        let question = board.state.question(assumption.question);
        ToDecide {
            what: fill(
                &p.decide_assumption,
                &[("question", question.map_or("", |q| q.text.as_str()))],
            ),
            recommended: question
                .map_or_else(|| assumption.text.clone(), |q| q.recommended.clone()),
            otherwise: p.decide_assumption_otherwise.clone(),
            about: vec![assumption.id.to_string()],
        }
    });
    let traded = board
        .state
        .ledger
        .iter()
        .filter_map(|issue| trade_off(board, issue));
    let deferred = board
        .state
        .ledger
        .iter()
        .filter(|issue| issue.status == IssueStatus::Deferred)
        .map(|issue| {
            let reason = issue
                .history
                .iter()
                .rev()
                .find_map(|change| change.reason.clone());
            ToDecide {
                what: fill(&p.decide_deferred, &[("title", &issue.title)]),
                recommended: fill(
                    &p.decide_deferred_recommended,
                    &[("reason", &reason.unwrap_or_default())],
                ),
                otherwise: p.decide_deferred_otherwise.clone(),
                about: vec![issue.id.to_string()],
            }
        });
    open.chain(assumed).chain(traded).chain(deferred).collect()
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
    let other = conflict.with.split('/').next().unwrap_or_default();
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
            &[("topics", &board.join(&[list.title.as_str(), other]))],
        ),
        recommended: conflict.compromise.clone(),
        otherwise: conflict.because.clone(),
        about,
    })
}
