//! Turns a checked answer into an event, and decides what to accept, leave out or refuse.
//!
//! The rules for the coach's summary, the longest of them, are in `summary`.

use std::collections::BTreeSet;

use super::citation;
use super::event::{
    EnteredIssue, Event, LedgerRefusal, LedgerRule, Note, Receipt, RelayDecision, WithdrawnItem,
};
use super::issue::{IssueOrigin, IssueRecord};
use super::normalize::canonical_id;
use super::notes::{folded, line, note, of_refusal, refusal, titled};
use super::party;
use super::proposed_text::{UnclearStance, resolve};
use super::question::Question;
use super::question::QuestionStatus;
use super::state::State;
use super::visible_text::shown;
use crate::clean::letters;
use crate::ids::{ConsensusId, FeedbackId, IssueId, QuestionId};
use crate::reply::{
    Answerer, AskedQuestion, Contribution, IssueSeverity, NewIssue, Position, Relay, Stance,
    Withdrawal,
};
use crate::role::RoleId;

/// Maximum number of issues that one speech may raise.
pub const MAX_RAISED_ISSUES: usize = 5;
/// Maximum number of questions that one speech may ask.
pub const MAX_ASKED_QUESTIONS: usize = 3;

/// Returns the first issues: the points of feedback, and those of the coach's first answer.
pub(super) fn first_issues(
    state: &State,
    proposed: &[NewIssue],
    refused: &mut Vec<LedgerRefusal>,
) -> Vec<EnteredIssue> {
    let mut counters = state.run.counters.clone();
    let mut issues: Vec<EnteredIssue> = Vec::new();
    let mut enter = |title: &str, detail: &str, severity, origin| {
        let (title, detail) = titled(&shown(title), &shown(detail));
        EnteredIssue {
            id: counters.next_issue(),
            title,
            detail,
            severity,
            origin,
        }
    };
    let subject = state.subject();

    for item in &state.task.feedback {
        let origin = IssueOrigin::Feedback { feedback: item.id };
        issues.push(enter(
            &item.text,
            &item.text,
            IssueSeverity::Blocking,
            origin,
        ));
    }
    let revision = state
        .task
        .previous
        .as_ref()
        .is_some_and(|previous| previous.requirement == state.task.requirement);
    let mut titles = BTreeSet::new();
    for new in proposed {
        if revision {
            let detail = "a revision is about the feedback and what was left open";
            refused.push(refusal(LedgerRule::Invented, &new.title, detail));
        } else if new.title.trim().is_empty() {
            let detail = "an issue needs a title";
            refused.push(refusal(LedgerRule::Invented, &new.detail, detail));
        } else if !titles.insert(folded(&new.title)) {
            let detail = "the same title appears twice";
            refused.push(refusal(LedgerRule::Repeated, &new.title, detail));
        } else {
            issues.push(enter(
                &new.title,
                &new.detail,
                new.severity,
                IssueOrigin::Requirement,
            ));
        }
    }
    let carried = state.ledger.blocking().next().is_some();
    let blocking = |issue: &EnteredIssue| issue.severity == IssueSeverity::Blocking;
    if !carried && !issues.iter().any(blocking) {
        match issues.first_mut() {
            Some(first) => first.severity = IssueSeverity::Blocking,
            None => issues.push(enter(
                &subject,
                &subject,
                IssueSeverity::Blocking,
                IssueOrigin::Requirement,
            )),
        }
    }
    issues
}

/// Turns the coach's first answer into the first issue list.
pub fn judgment(state: &State, receipt: Receipt, mut answer: Contribution) -> Event {
    let mut refused = Vec::new();
    let issues = first_issues(state, &answer.new_issues, &mut refused);
    let coach = answer.coach.clone().unwrap_or_default();
    let invited = party::invited(state, &coach.reminders, &mut refused);
    let mut withdrawn: Vec<WithdrawnItem> = Vec::new();
    for proposed in &coach.withdraw {
        match withdrawal(state, proposed) {
            Ok(item) if withdrawn.iter().any(|kept| kept.item == item.item) => {}
            Ok(item) => withdrawn.push(item),
            Err(detail) => refused.push(refusal(LedgerRule::UnknownId, &proposed.item, &detail)),
        }
    }
    let is_open = |id| {
        let entered = issues.iter().any(|issue| issue.id == id);
        entered || state.ledger.find(id).is_some_and(IssueRecord::is_open)
    };
    let given = std::mem::take(&mut answer.questions);
    let (asked, left_out) = questions(state, given, is_open);
    answer.questions = asked;
    refused.extend(left_out);
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

fn withdrawal(state: &State, proposed: &Withdrawal) -> Result<WithdrawnItem, String> {
    let item: ConsensusId = parse_id(&proposed.item)
        .filter(|id| state.draft.standing().any(|item| item.id == *id))
        .ok_or("no such item is in the draft")?;
    let feedback: FeedbackId = parse_id(&proposed.feedback)
        .filter(|id| state.task.feedback_item(*id).is_some())
        .ok_or("agreed items are reopened by the user's feedback only")?;
    Ok(WithdrawnItem {
        item,
        feedback: Some(feedback),
        reason: proposed.reason.clone(),
    })
}

/// Turns a member's answer into a speech, without what the rules leave out.
pub fn speech(state: &State, receipt: Receipt, mut answer: Contribution) -> Event {
    let mut notes = Vec::new();
    let member = receipt.call.member.clone();
    if answer.coach.take().is_some() {
        let text = "only the coach fills in this part; left out";
        notes.push(note("coach", text));
    }
    answer.positions = positions(state, &member, answer.positions, &mut notes);

    let mut titles: BTreeSet<String> = state.ledger.open().map(|i| i.title.clone()).collect();
    let mut kept = Vec::new();
    for mut new in std::mem::take(&mut answer.new_issues) {
        (new.title, new.detail) = titled(&new.title, &new.detail);
        if kept.len() >= MAX_RAISED_ISSUES {
            let text = "more issues than one speech may raise; left out";
            notes.push(note(&new.title, text));
        } else if new.title.is_empty() || !titles.insert(new.title.clone()) {
            let text = "no title, or open already; left out";
            notes.push(note(&new.title, text));
        } else {
            kept.push(new);
        }
    }
    answer.new_issues = kept;
    let open = |id: IssueId| state.ledger.find(id).is_some_and(IssueRecord::is_open);
    let (asked, unasked) = questions(state, std::mem::take(&mut answer.questions), open);
    answer.questions = asked;
    notes.extend(unasked.iter().map(of_refusal));
    let started = state.calls.open.get(&receipt.call);
    Event::Speaking {
        turn: receipt.call.turn,
        output: answer.analysis.clone(),
        input_context: started.map(|open| open.input_context.clone()),
        receipt,
        speech: answer,
        notes,
        proposes_end: false,
        response_text: None,
    }
}

/// Keeps one position per issue, on open issues only, and none that reverses an earlier one without
/// a reason.
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
        let blind = state.is_blind_round();
        notes.extend(settle_texts(state, issue, (member, blind), &mut position));
        let reason = position.changed_because.take();
        let moves = moves(issue, member, &position);
        position.changed_because = reason.filter(|text| moves && !text.trim().is_empty());
        let flips = flips(issue, member, &position);
        if flips && position.changed_because.is_none() {
            let text = "the stance flipped without a reason; the earlier one counts";
            notes.push(note(&position.issue, text));
            continue;
        }
        if let Some(earlier) = kept.iter_mut().find(|p| p.issue == position.issue) {
            let text = "given twice; the last one counts";
            notes.push(note(&position.issue, text));
            *earlier = position;
        } else {
            kept.push(position);
        }
    }
    kept
}

/// Writes the ids of texts into a position, and returns notes on what is unclear in it.
pub(super) fn settle_texts(
    state: &State,
    issue: &IssueRecord,
    who: (&RoleId, bool),
    position: &mut Position,
) -> Vec<Note> {
    let unclear = resolve(state, issue, who, position);
    let told = unclear.into_iter().map(|unclear| {
        let text = match unclear {
            UnclearStance::Several(_) => {
                "there are several texts and it names none; it counts for no text".to_owned()
            }
            UnclearStance::Unknown(name) => {
                format!(
                    "`{}` is no text on this issue; it was passed over",
                    line(&name)
                )
            }
        };
        note(&position.issue, &text)
    });
    told.collect()
}

/// Returns what a member must clarify: which text a stance refers to, or why a stance is reversed;
/// `None` if every stance is clear.
pub(super) fn unclear(state: &State, member: &RoleId, answer: &Contribution) -> Option<String> {
    let who = (member, state.is_blind_round());
    let (mut unknown, mut several, mut turned) = (Vec::new(), Vec::new(), Vec::new());
    for position in &answer.positions {
        let issue = parse_id::<IssueId>(&position.issue).and_then(|id| state.ledger.find(id));
        let Some(issue) = issue.filter(|issue| issue.is_open()) else {
            continue;
        };
        let mut position = position.clone();
        let said = resolve(state, issue, who, &mut position);
        let why = position.changed_because.as_deref().unwrap_or_default();
        if why.trim().is_empty() && flips(issue, member, &position) {
            turned.push(format!("`{}`", issue.id));
        }
        for unclear in said {
            match unclear {
                UnclearStance::Unknown(name) => {
                    unknown.push(format!("`{}`: `{}`", issue.id, line(&name)))
                }
                UnclearStance::Several(ids) => {
                    let ids: Vec<String> = ids.iter().map(|id| format!("`{id}`")).collect();
                    several.push(format!("`{}`: {}", issue.id, ids.join(", ")));
                }
            }
        }
    }
    match (unknown.is_empty(), several.is_empty(), turned.is_empty()) {
        (false, ..) => Some(format!(
            "no such text was proposed ({})",
            unknown.join("; ")
        )),
        (_, false, _) => Some(format!(
            "there are several texts ({}): name in `backs` the one your stance is to",
            several.join("; ")
        )),
        (.., false) => Some(format!(
            "your stance turns your earlier one round ({}): say in `changed_because` what changed your mind, or keep to it",
            turned.join("; ")
        )),
        _ => None,
    }
}

/// Returns whether the position differs from the member's latest one, by its stance or by a new
/// text. A first or unchanged position needs no reason.
pub fn moves(issue: &IssueRecord, member: &RoleId, position: &Position) -> bool {
    let latest = issue.latest_of(member);
    latest.is_some_and(|latest| {
        let backs = position.backs.as_ref().and_then(|id| id.parse().ok());
        let is_to_another = backs.is_some() && backs != latest.backs;
        position.proposal.is_some() || latest.stance != position.stance || is_to_another
    })
}

/// Returns whether the stance reverses the member's earlier one. Abstaining also gives up an
/// objection, and an abstention in between does not hide a reversal. It is not a reversal if a
/// member that objected with a text of its own supports that text `now`, or if it objects `now` to
/// another text than the one it supports.
pub fn flips(issue: &IssueRecord, member: &RoleId, now: &Position) -> bool {
    let latest = issue.latest_of(member).map(|p| p.stance);
    let Some(earlier) = issue.stand_of(member) else {
        return false;
    };
    if latest == Some(now.stance) {
        return false;
    }
    let named = |id: &Option<String>| issue.text(id.as_ref()?.parse().ok()?);
    let worded = || issue.same_text(now.proposal.as_ref()?);
    match (earlier.stance, now.stance) {
        (Stance::Object, Stance::Object) => false,
        (Stance::Object, _) => {
            let backs = named(&now.backs).or_else(worded).map(|text| text.id);
            backs.is_none() || backs != earlier.backs
        }
        (_, Stance::Object) => {
            let backed = earlier.backs.and_then(|id| issue.text(id));
            let both = backed.zip(named(&now.against));
            both.is_none_or(|(backed, against)| issue.is_made_from(backed, against))
        }
        _ => false,
    }
}

/// Splits questions into those that are asked and those left out: empty, asked before, or beyond
/// the limit.
pub(super) fn questions(
    state: &State,
    given: Vec<AskedQuestion>,
    open: impl Fn(IssueId) -> bool,
) -> (Vec<AskedQuestion>, Vec<LedgerRefusal>) {
    let mut kept: Vec<AskedQuestion> = Vec::new();
    let mut left = Vec::new();
    let mut leave = |rule, about: &str, text| left.push(refusal(rule, about, text));
    for mut asked in given {
        let text = asked.question.trim();
        let known = state.questions.asked.iter().any(|q| q.text == text)
            || kept.iter().any(|q| q.question == text);
        if text.is_empty() || known {
            let why = "empty, or asked already; left out";
            leave(LedgerRule::Repeated, &asked.question, why);
            continue;
        }
        if kept.len() >= MAX_ASKED_QUESTIONS {
            let why = "more questions than one turn may ask; left out";
            leave(LedgerRule::ListGrew, &asked.question, why);
            continue;
        }
        asked.question = text.to_owned();
        if let Some(blocks) = asked.blocks.take() {
            match parse_id::<IssueId>(&blocks).filter(|id| open(*id)) {
                Some(id) => asked.blocks = Some(id.to_string()),
                None => {
                    let why = "no open issue has this id; left out";
                    leave(LedgerRule::UnknownId, &blocks, why);
                }
            }
        }
        kept.push(asked);
    }
    (kept, left)
}

/// Returns the coach's decisions on every raised question; an answer needs a citation.
pub fn relay(state: &State, receipt: Receipt, answer: Contribution) -> Event {
    let relays = answer.coach.iter().flat_map(|coach| &coach.relays);
    let relays: Vec<&Relay> = relays.collect();
    let mut notes = Vec::new();
    let due = |q: &&Question| q.status == QuestionStatus::Raised && !q.asked_by.is_coach();
    let due: Vec<&Question> = state.questions.asked.iter().filter(due).collect();
    let mut spoken_of = BTreeSet::new();
    for relay in &relays {
        let id = parse_id::<QuestionId>(&relay.question);
        match id.filter(|id| due.iter().any(|question| question.id == *id)) {
            None => notes.push(note(
                &relay.question,
                "no waiting question has this id; left out",
            )),
            Some(id) if !spoken_of.insert(id) => {
                notes.push(note(&relay.question, "given twice; the first one counts"))
            }
            Some(_) => {}
        }
    }
    let decisions = due
        .into_iter()
        .map(|question| {
            let said = relays
                .iter()
                .find(|r| parse_id::<QuestionId>(&r.question) == Some(question.id));
            let filled =
                |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
            let (answer, cites) =
                said.map_or((None, None), |r| (filled(&r.answer), filled(&r.cites)));
            let refused = answer.as_ref().and_then(|text| match &cites {
                None => Some("answered without a citation; passed on to the user".to_owned()),
                Some(cites) if !citation::is_on_record(state, cites) => Some(format!(
                    "the citation `{}` names nothing on record; passed on to the user",
                    line(cites)
                )),
                Some(cites) if citation::is_unsaid(state, text, cites) => Some(format!(
                    "`{}` has said nothing of the kind; passed on to the user",
                    line(cites)
                )),
                Some(cites) => citation::only_echoes(state, question, text, cites).then(|| {
                    "the asker's own recommendation is no answer; passed on to the user".to_owned()
                }),
            });
            if let Some(text) = &refused {
                notes.push(note(&question.id.to_string(), text));
            }
            let answer = answer.filter(|_| refused.is_none());
            let relabelled = said.is_some_and(|relay| relay.of == Some(Answerer::Repository));
            RelayDecision {
                id: question.id,
                looked_up: relabelled && answer.is_none(),
                answer,
                cites,
            }
        })
        .collect();
    Event::ClarificationRelayed {
        receipt,
        decisions,
        notes,
        said: Some(answer),
    }
}

/// Returns the member's follow-up to an answer: its first question, if any, goes back to the user.
/// A question in the same words as one the user just answered does not, because small models repeat
/// their question if asked whether the answer is enough.
pub fn follow_up(state: &State, id: QuestionId, receipt: Receipt, answer: Contribution) -> Event {
    let asked = state.questions.find(id).into_iter();
    let answered: Vec<String> = asked
        .flat_map(|asked| {
            let exchanges = asked.dialogue.iter().map(|one| one.question.as_str());
            exchanges.chain([asked.text.as_str()])
        })
        .map(letters)
        .collect();
    let (repeated, new): (Vec<_>, Vec<_>) = answer
        .questions
        .iter()
        .cloned()
        .map(|mut asked| {
            asked.question = asked.question.trim().to_owned();
            asked
        })
        .filter(|asked| !asked.question.is_empty())
        .partition(|asked| answered.contains(&letters(&asked.question)));
    let asked = new.into_iter().next();
    let follow_up = asked.as_ref().map(|asked| asked.question.clone());
    let repeated = repeated.into_iter().next().map(|asked| asked.question);
    let repeated = repeated.filter(|_| follow_up.is_none());
    // Without a recommended answer of its own, a follow-up can only be answered in words.
    let asked = asked.filter(|asked| !asked.recommended.trim().is_empty());
    Event::ClarificationFollowedUp {
        receipt,
        id,
        follow_up,
        repeated,
        asked,
        said: Some(answer),
    }
}

/// Parses an id as small models spell it: any case, brackets, `I1`, `I-01`, `I-1: a title`.
pub(super) fn parse_id<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.parse()
        .ok()
        .or_else(|| canonical_id(text)?.parse().ok())
}
