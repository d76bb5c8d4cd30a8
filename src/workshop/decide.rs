//! From a checked answer to the event it becomes: what is let in, what is left
//! out, what is refused.
//!
//! The rules for the coach's summary, the longest of them, are in `summary`.

use std::collections::BTreeSet;

use super::adopt::canonical_id;
use super::citation;
use super::event::{
    EnteredIssue, Event, Note, Receipt, Refusal, RelayDecision, Rule, WithdrawnItem,
};
use super::ids::{ConsensusId, FeedbackId, IssueId, QuestionId};
use super::inputs::Lang;
use super::issue::{IssueRecord, Origin};
use super::party;
use super::question::QuestionStatus;
use super::shown::shown;
use super::state::State;
use crate::fault::{Text, recorded};
use crate::reply::{AskedQuestion, Contribution, NewIssue, Position, Severity, Stance, Withdrawal};
use crate::role::RoleId;

/// Needs of a judgment that become an issue each; the others become one together.
pub const MAX_INITIAL_ISSUES: usize = 12;
/// Issues one speech may raise.
pub const MAX_RAISED_ISSUES: usize = 5;
/// Questions one speech may ask.
pub const MAX_ASKED_QUESTIONS: usize = 3;

const TITLE_CHARS: usize = 120;

/// The coach's first reading becomes the first issue list.
pub fn judgment(state: &State, receipt: Receipt, mut answer: Contribution) -> Event {
    let mut refused = Vec::new();
    let mut counters = state.counters.clone();
    let mut issues: Vec<EnteredIssue> = Vec::new();
    let mut enter = |title: &str, detail: &str, severity, origin| EnteredIssue {
        id: counters.next_issue(),
        title: line(&shown(title)),
        detail: shown(detail),
        severity,
        origin,
    };
    let subject = state.subject();

    for item in &state.feedback {
        let origin = Origin::Feedback { feedback: item.id };
        issues.push(enter(&item.text, &item.text, Severity::Blocking, origin));
    }
    let revision = state
        .previous
        .as_ref()
        .is_some_and(|previous| previous.requirement == state.requirement);
    let mut titles = BTreeSet::new();
    let mut others: Vec<&NewIssue> = Vec::new();
    for new in &answer.new_issues {
        if revision {
            let detail = "a revision is about the feedback and what was left open";
            refused.push(refusal(Rule::Invented, &new.title, detail));
        } else if new.title.trim().is_empty() {
            let detail = "an issue needs a title";
            refused.push(refusal(Rule::Invented, &new.detail, detail));
        } else if !titles.insert(line(&new.title)) {
            let detail = "the same title stands twice";
            refused.push(refusal(Rule::Repeated, &new.title, detail));
        } else if titles.len() > MAX_INITIAL_ISSUES {
            others.push(new);
        } else {
            issues.push(enter(
                &new.title,
                &new.detail,
                new.severity,
                Origin::Requirement,
            ));
        }
    }
    // A list nobody can discuss helps no one, and a need that is lost does not either.
    if let Some((title, detail, severity)) = together(&others, state.inputs.doc_lang) {
        let issue = enter(&title, &detail, severity, Origin::Requirement);
        for new in others {
            let detail = format!("the first list is long; it is part of `{}`", issue.id);
            refused.push(refusal(Rule::ListGrew, &new.title, &detail));
        }
        issues.push(issue);
    }
    let carried = state.ledger.blocking().next().is_some();
    let blocking = |issue: &EnteredIssue| issue.severity == Severity::Blocking;
    if !carried && !issues.iter().any(blocking) {
        match issues.first_mut() {
            Some(first) => first.severity = Severity::Blocking,
            None => issues.push(enter(
                &subject,
                &subject,
                Severity::Blocking,
                Origin::Requirement,
            )),
        }
    }

    let coach = answer.coach.take().unwrap_or_default();
    let invited = party::invited(state, &coach.reminders, &mut refused);
    let withdrawn = coach
        .withdraw
        .iter()
        .filter_map(|w| match withdrawal(state, w) {
            Ok(item) => Some(item),
            Err(detail) => {
                refused.push(refusal(Rule::UnknownId, &w.item, &detail));
                None
            }
        })
        .fold(Vec::new(), |mut kept: Vec<WithdrawnItem>, item| {
            if kept.iter().all(|k| k.item != item.item) {
                kept.push(item);
            }
            kept
        });
    let mut notes = Vec::new();
    answer.questions = questions(
        state,
        std::mem::take(&mut answer.questions),
        &mut notes,
        |id| {
            let entered = issues.iter().any(|issue| issue.id == id);
            entered || state.ledger.find(id).is_some_and(IssueRecord::is_open)
        },
    );
    Event::CoachInitialJudgment {
        receipt,
        info: answer.analysis.clone(),
        judgment: answer,
        issues,
        invited,
        withdrawn,
        refused,
    }
}

/// Title, detail and severity of one issue that holds all of `needs`; none if there are none.
fn together(needs: &[&NewIssue], lang: Lang) -> Option<(String, String, Severity)> {
    const OTHERS: Text = Text("{n} more needs: {titles}", "另有 {n} 项需求：{titles}");
    let titles: Vec<String> = needs.iter().map(|need| line(&shown(&need.title))).collect();
    let details = needs.iter().zip(&titles).map(|(need, title)| {
        let detail = shown(&need.detail).replace('\n', "\n  ");
        format!("- {title}\n  {detail}").trim_end().to_owned()
    });
    let details: Vec<String> = details.collect();
    let severity = needs.iter().map(|need| need.severity);
    let severity = severity.reduce(|a, b| if b == Severity::Blocking { b } else { a })?;
    let (n, titles) = (needs.len().to_string(), titles.join("; "));
    let title = OTHERS.with(lang, &[("n", &n), ("titles", &titles)]);
    Some((title, details.join("\n"), severity))
}

fn withdrawal(state: &State, proposed: &Withdrawal) -> Result<WithdrawnItem, String> {
    let item: ConsensusId = parse_id(&proposed.item)
        .filter(|id| state.draft.standing().any(|item| item.id == *id))
        .ok_or("no such item stands in the draft")?;
    let feedback: FeedbackId = parse_id(&proposed.feedback)
        .filter(|id| state.feedback_item(*id).is_some())
        .ok_or("agreed items are reopened by the human's feedback only")?;
    Ok(WithdrawnItem {
        item,
        feedback: Some(feedback),
        reason: proposed.reason.clone(),
    })
}

/// A member's answer becomes a speech, less what the rules leave out.
pub fn speech(state: &State, receipt: Receipt, mut answer: Contribution) -> Event {
    let mut notes = Vec::new();
    let member = receipt.call.member.clone();
    if answer.coach.take().is_some() {
        notes.push(note("coach", "only the coach fills in this part; left out"));
    }
    answer.positions = positions(state, &member, answer.positions, &mut notes);

    let mut titles: BTreeSet<String> = state.ledger.open().map(|i| i.title.clone()).collect();
    let mut kept = Vec::new();
    for mut new in std::mem::take(&mut answer.new_issues) {
        new.title = line(&new.title);
        if kept.len() >= MAX_RAISED_ISSUES {
            notes.push(note(
                &new.title,
                "more issues than one speech may raise; left out",
            ));
        } else if new.title.is_empty() || !titles.insert(new.title.clone()) {
            notes.push(note(&new.title, "no title, or open already; left out"));
        } else {
            kept.push(new);
        }
    }
    answer.new_issues = kept;
    let open = |id: IssueId| state.ledger.find(id).is_some_and(IssueRecord::is_open);
    answer.questions = questions(
        state,
        std::mem::take(&mut answer.questions),
        &mut notes,
        open,
    );
    Event::Speaking {
        turn: receipt.call.turn,
        output: answer.analysis.clone(),
        receipt,
        speech: answer,
        notes,
        proposes_end: false,
    }
}

/// One position an issue, on open issues only, and no flip without a reason.
fn positions(
    state: &State,
    member: &RoleId,
    given: Vec<Position>,
    notes: &mut Vec<Note>,
) -> Vec<Position> {
    let mut kept: Vec<Position> = Vec::new();
    for mut position in given {
        let issue = parse_id::<IssueId>(&position.issue)
            .and_then(|id| state.ledger.find(id))
            .filter(|issue| issue.is_open());
        let Some(issue) = issue else {
            let text = "no open issue has this id; the position is left out";
            notes.push(note(&position.issue, text));
            continue;
        };
        position.issue = issue.id.to_string();
        position.proposal = position.proposal.filter(|text| !text.trim().is_empty());
        position.changed_because = position
            .changed_because
            .filter(|text| !text.trim().is_empty())
            .filter(|_| moves(issue, member, &position.proposal, position.stance));
        if flips(issue, member, position.stance) && position.changed_because.is_none() {
            let text = "the stance flipped without a reason; the earlier one stands";
            notes.push(note(&position.issue, text));
            continue;
        }
        if let Some(earlier) = kept.iter_mut().find(|p| p.issue == position.issue) {
            notes.push(note(&position.issue, "given twice; the last one counts"));
            *earlier = position;
        } else {
            kept.push(position);
        }
    }
    kept
}

/// Is the position another than the member's latest, by its stance or by a new text? Of
/// one that stays, or is the first, there is no change to give a reason for.
pub fn moves(
    issue: &IssueRecord,
    member: &RoleId,
    proposal: &Option<String>,
    stance: Stance,
) -> bool {
    let latest = issue.latest_of(member);
    latest.is_some_and(|latest| proposal.is_some() || latest.stance != stance)
}

/// Does the stance turn the member's earlier one round? An objection is also
/// given up by abstaining, and an abstention in between hides no turn.
pub fn flips(issue: &IssueRecord, member: &RoleId, stance: Stance) -> bool {
    let latest = issue.latest_of(member).map(|p| p.stance);
    if latest == Some(stance) {
        return false;
    }
    issue
        .positions
        .stand_of(member)
        .is_some_and(|earlier| match earlier.stance {
            Stance::Object => stance != Stance::Object,
            _ => stance == Stance::Object,
        })
}

pub(super) fn questions(
    state: &State,
    given: Vec<AskedQuestion>,
    notes: &mut Vec<Note>,
    open: impl Fn(IssueId) -> bool,
) -> Vec<AskedQuestion> {
    let mut kept: Vec<AskedQuestion> = Vec::new();
    for mut asked in given {
        let text = asked.question.trim();
        let known = state.questions.iter().any(|q| q.text == text)
            || kept.iter().any(|q| q.question == text);
        if text.is_empty() || known {
            notes.push(note(&asked.question, "empty, or asked already; left out"));
            continue;
        }
        if kept.len() >= MAX_ASKED_QUESTIONS {
            notes.push(note(
                &asked.question,
                "more questions than one turn may ask; left out",
            ));
            continue;
        }
        asked.question = text.to_owned();
        if let Some(blocks) = asked.blocks.take() {
            match parse_id::<IssueId>(&blocks).filter(|id| open(*id)) {
                Some(id) => asked.blocks = Some(id.to_string()),
                None => notes.push(note(&blocks, "no open issue has this id; left out")),
            }
        }
        kept.push(asked);
    }
    kept
}

/// The coach's decisions on every question that was raised: an answer needs a citation.
pub fn relay(state: &State, receipt: Receipt, answer: Contribution) -> Event {
    let relays = answer.coach.unwrap_or_default().relays;
    let mut notes = Vec::new();
    let decisions = state
        .questions
        .iter()
        .filter(|q| q.status == QuestionStatus::Raised && !q.asked_by.is_coach())
        .map(|question| {
            let said = relays
                .iter()
                .find(|r| parse_id::<QuestionId>(&r.question) == Some(question.id));
            let filled =
                |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
            let (answer, cites) =
                said.map_or((None, None), |r| (filled(&r.answer), filled(&r.cites)));
            let cited = cites
                .as_ref()
                .is_some_and(|cites| citation::is_on_record(state, cites));
            let echoes = answer.as_ref().zip(cites.as_ref());
            let echoes = echoes
                .is_some_and(|(text, cites)| citation::only_echoes(state, question, text, cites));
            if answer.is_some() && (!cited || echoes) {
                let text = match &cites {
                    None => "answered without a citation; passed on to the human".to_owned(),
                    Some(cites) if !cited => format!(
                        "the citation `{}` names nothing on record; passed on to the human",
                        line(cites)
                    ),
                    Some(_) => {
                        "the asker's own recommendation is no answer; passed on to the human"
                            .to_owned()
                    }
                };
                notes.push(note(&question.id.to_string(), &text));
            }
            RelayDecision {
                question: question.id,
                answer: answer.filter(|_| cited && !echoes),
                cites,
            }
        })
        .collect();
    Event::ClarificationRelayed {
        receipt,
        decisions,
        notes,
    }
}

/// The member's word on an answer: its first question, if it has one, goes back to the human.
/// One that asks in the same words what the human just answered does not: small models
/// say their question again where they are asked whether the answer will do.
pub fn follow_up(
    state: &State,
    question: QuestionId,
    receipt: Receipt,
    answer: Contribution,
) -> Event {
    let asked = state.question(question).into_iter();
    let answered: Vec<String> = asked
        .flat_map(|asked| {
            let exchanges = asked.dialogue.iter().map(|one| one.question.as_str());
            exchanges.chain([asked.text.as_str()])
        })
        .map(bare)
        .collect();
    let (repeated, new): (Vec<_>, Vec<_>) = answer
        .questions
        .into_iter()
        .map(|mut asked| {
            asked.question = asked.question.trim().to_owned();
            asked
        })
        .filter(|asked| !asked.question.is_empty())
        .partition(|asked| answered.contains(&bare(&asked.question)));
    let asked = new.into_iter().next();
    let follow_up = asked.as_ref().map(|asked| asked.question.clone());
    let repeated = repeated.into_iter().next().map(|asked| asked.question);
    let repeated = repeated.filter(|_| follow_up.is_none());
    // Without an answer of its own it could only be answered in words, as ever.
    let asked = asked.filter(|asked| !asked.recommended.trim().is_empty());
    Event::ClarificationFollowedUp {
        receipt,
        question,
        follow_up,
        repeated,
        asked,
    }
}

/// Letters and figures of a text, in lower case.
fn bare(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// An id as small models spell it: any case, brackets, `I1`, `I-01`, `I-1: a title`.
pub(super) fn parse_id<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.parse()
        .ok()
        .or_else(|| canonical_id(text)?.parse().ok())
}

pub(super) fn note(about: &str, text: &str) -> Note {
    debug_assert!(recorded::is_known(text), "no Chinese for `{text}`");
    Note {
        about: line(about),
        text: text.to_owned(),
    }
}

pub(super) fn refusal(rule: Rule, about: &str, detail: &str) -> Refusal {
    Refusal {
        rule,
        about: line(about),
        detail: detail.to_owned(),
    }
}

/// The first line of a text, cut to the length of a title.
pub(super) fn line(text: &str) -> String {
    let first = text.trim().lines().next().unwrap_or_default().trim();
    let mut cut: String = first.chars().take(TITLE_CHARS).collect();
    if first.chars().count() > TITLE_CHARS {
        cut.push('…');
    }
    cut
}
