//! Why it ended, what the reviewer decides, and what was left open.

use serde::Serialize;

use super::{Rows, join};
use crate::artifact::plan::StopFigures;
use crate::machine::{
    Assumption, IssueRecord, IssueStatus, Origin, Question, QuestionStatus, State,
};
use crate::reply::Severity;

/// Why the discussion ended, with money in words.
#[derive(Serialize)]
pub(in crate::artifact) struct StopView {
    #[serde(flatten)]
    figures: StopFigures,
    /// Spent or reserved, and the most; none where it was no budget of money.
    money: Option<[String; 2]>,
}

impl StopView {
    pub(in crate::artifact) fn of(figures: StopFigures) -> Self {
        let money = figures
            .usd
            .map(|usd| [usd.value.to_string(), usd.limit.to_string()]);
        Self { figures, money }
    }
}

/// An open issue with who stands against what.
#[derive(Serialize)]
pub(super) struct OpenIssue<'a> {
    id: String,
    title: &'a str,
    severity: Severity,
    objecting: String,
}

/// Where a line of the decision table comes from.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// The coach's words.
    Choice,
    /// An answer taken without the human.
    Assumption,
    /// An answer taken because the human was asked and gave none.
    Declined,
    /// A blocking issue that was not settled, or a question that was not answered.
    Open,
}

/// A line of the table that opens the report.
#[derive(Serialize)]
pub(super) struct Decide {
    kind: Kind,
    what: String,
    recommended: String,
    /// The other answer, and what follows from it.
    otherwise: String,
    /// What members hold against what is recommended.
    against: String,
    /// Why it was asked.
    why: String,
    about: String,
}

/// Open issues, blocking ones first.
pub(super) fn open(state: &State) -> Rows<OpenIssue<'_>> {
    let minor = state.ledger.open().filter(|issue| !issue.is_blocking());
    state
        .ledger
        .blocking()
        .chain(minor)
        .map(|issue| OpenIssue {
            id: issue.id.to_string(),
            title: &issue.title,
            severity: issue.severity,
            objecting: codes(state, issue),
        })
        .collect()
}

/// An issue that ended without a text in the plan.
#[derive(Serialize)]
pub(super) struct DroppedIssue<'a> {
    id: String,
    title: &'a str,
    round: u32,
    reason: &'a str,
}

/// Issues that were dropped, in order of ids; points of feedback are told where the
/// feedback is.
pub(super) fn dropped(state: &State) -> Rows<DroppedIssue<'_>> {
    let is_feedback = |issue: &IssueRecord| matches!(issue.origin, Origin::Feedback { .. });
    state
        .ledger
        .iter()
        .filter(|issue| issue.status == IssueStatus::Dropped && !is_feedback(issue))
        .map(as_dropped)
        .collect()
}

/// Of what the human asked for, what was dropped: it stands where they decide.
pub(super) fn wishes_dropped(state: &State) -> Rows<DroppedIssue<'_>> {
    state
        .ledger
        .wishes_dropped(state.inputs.is_offline())
        .map(as_dropped)
        .collect()
}

fn as_dropped(issue: &IssueRecord) -> DroppedIssue<'_> {
    let change = issue.history.last();
    DroppedIssue {
        id: issue.id.to_string(),
        title: &issue.title,
        round: change.map_or(issue.round, |change| change.round),
        reason: change
            .and_then(|change| change.reason.as_deref())
            .unwrap_or_default(),
    }
}

/// A need with the items that settle it.
#[derive(Serialize)]
pub(super) struct AgreedNeed<'a> {
    title: &'a str,
    ids: String,
}

/// What is agreed, need by need, in order of issues.
pub(super) fn agreed(state: &State) -> Rows<AgreedNeed<'_>> {
    let settled = state.ledger.iter().filter_map(|issue| {
        let IssueStatus::Settled { by } = &issue.status else {
            return None;
        };
        let standing: Vec<_> = by
            .iter()
            .filter(|id| !state.draft.is_withdrawn(**id))
            .collect();
        (!standing.is_empty()).then(|| AgreedNeed {
            title: &issue.title,
            ids: join(standing),
        })
    });
    settled.collect()
}

fn codes(state: &State, issue: &IssueRecord) -> String {
    let objectors = issue.objectors();
    join(objectors.into_iter().map(|id| state.inputs.roles.code(id)))
}

/// What the coach puts before the reviewer, then what it did not: open
/// blocking issues, unanswered questions and assumptions it names nowhere.
pub(super) fn decide(state: &State) -> Rows<Decide> {
    let words = state.report.iter().flat_map(|words| &words.decide);
    let named: Vec<&str> = words
        .clone()
        .flat_map(|line| line.about.iter().map(String::as_str))
        .collect();
    let choices = words.map(|line| Decide {
        kind: Kind::Choice,
        what: line.what.clone(),
        recommended: line.recommended.clone(),
        otherwise: line.otherwise.clone(),
        against: String::new(),
        why: String::new(),
        about: join(&line.about),
    });
    let open = state
        .ledger
        .blocking()
        .filter(|issue| !named.contains(&issue.id.to_string().as_str()))
        .map(|issue| decide_open(state, issue));
    let unanswered = state
        .questions
        .iter()
        .filter(|question| !matches!(question.status, QuestionStatus::Closed { .. }))
        .filter(|question| !named.contains(&question.id.to_string().as_str()))
        .map(decide_unanswered);
    let assumed = state
        .assumptions
        .iter()
        .filter(|a| !named.contains(&a.id.to_string().as_str()))
        .map(|assumption| decide_assumed(state, assumption));
    choices
        .chain(open)
        .chain(unanswered)
        .chain(assumed)
        .collect()
}

fn decide_open(state: &State, issue: &IssueRecord) -> Decide {
    let latest = || issue.positions.latest();
    let code = |id| state.inputs.roles.code(id);
    let proposals: Vec<String> = latest()
        .filter(|p| p.stance.supports())
        .filter_map(|p| Some(format!("{}: {}", code(&p.member), p.proposal.as_ref()?)))
        .collect();
    let objections: Vec<String> = latest()
        .filter(|p| p.stance == crate::reply::Stance::Object)
        .map(|p| format!("{}: {}", code(&p.member), p.why))
        .collect();
    Decide {
        kind: Kind::Open,
        what: issue.title.clone(),
        recommended: proposals.join(" / "),
        otherwise: String::new(),
        against: objections.join(" / "),
        why: String::new(),
        about: issue.id.to_string(),
    }
}

fn decide_unanswered(question: &Question) -> Decide {
    Decide {
        kind: Kind::Open,
        what: question.current_text().to_owned(),
        recommended: question.current_recommended().to_owned(),
        otherwise: others(question.current_options(), question.current_recommended()),
        against: String::new(),
        why: question.current_why().to_owned(),
        about: question.id.to_string(),
    }
}

fn decide_assumed(state: &State, assumption: &Assumption) -> Decide {
    let question = state.question(assumption.question);
    let kind = match question.is_some_and(Question::is_declined) {
        true => Kind::Declined,
        false => Kind::Assumption,
    };
    Decide {
        kind,
        what: question.map_or_else(String::new, |question| question.text.clone()),
        recommended: assumption.text.clone(),
        otherwise: question.map_or_else(String::new, |question| {
            others(&question.options, &assumption.text)
        }),
        against: String::new(),
        why: question.map_or_else(String::new, |question| question.why.clone()),
        about: format!("{}, {}", assumption.id, assumption.question),
    }
}

/// The answers beside the one that is taken.
fn others(options: &[String], taken: &str) -> String {
    let others = options.iter().filter(|option| *option != taken);
    let others: Vec<&str> = others.map(String::as_str).collect();
    others.join(" / ")
}
