//! A team of which two stand against each other in round 1.

use aitc::machine::{CallId, DebatePart, Inputs, IssueId, IssueRecord, Purpose, State};
use aitc::reply::{Contribution, FateKind, Severity, Stance};

use super::meeting::*;

/// Three needs, so that the work is not small.
pub fn needs() -> Contribution {
    Contribution {
        new_issues: vec![
            new_issue("a", "who may export", Severity::Blocking),
            new_issue("b", "which columns", Severity::Blocking),
            new_issue("c", "how large", Severity::Blocking),
        ],
        ..contribution("Three needs.")
    }
}

/// PP and SD object to each other on I-1 in round 1 and agree from round 2 on;
/// the coach cites the conclusion of the debate where there is one.
pub fn speech(state: &State, call: &CallId) -> Contribution {
    let code = state.inputs.roles.code(&call.member);
    let divided = matches!(code, "PP" | "SD") && call.round == 1;
    let positions = state.ledger.open().map(|issue| {
        let on_it = issue.id == IssueId(1);
        let stance = if divided && on_it {
            Stance::Object
        } else {
            Stance::Agree
        };
        let words = format!("{code} would write {} so, r{}", issue.id, call.round);
        // The others have no text of their own on it, and nobody has a second one.
        let words = (!on_it || divided).then_some(words.as_str());
        let mut position = position(&issue.id.to_string(), stance, words);
        position.changed_because = (call.round > 1).then(|| "the ruling".to_owned());
        position
    });
    Contribution {
        positions: positions.collect(),
        ..contribution("I say so.")
    }
}

/// Code of the first member whose text somebody stands for.
fn backed<'a>(state: &'a State, issue: &IssueRecord) -> &'a str {
    let roles = state.inputs.roles.members.iter();
    let mut codes = roles.filter_map(|role| {
        let text = issue.proposal_of(&role.id)?.proposal.as_deref()?;
        let support = issue.support_of(text);
        (!support.is_empty()).then_some(role.code.as_str())
    });
    codes.next().unwrap_or("PP")
}

pub fn summary(state: &State) -> Contribution {
    let fates = state.ledger.open().map(|issue| {
        let id = issue.id.to_string();
        let concluded = issue.conclusions.last().map(|c| c.debate.to_string());
        match concluded {
            _ if !issue.objectors().is_empty() => fate(&id, FateKind::Open),
            Some(debate) => settled(&id, &debate),
            None => settled(&id, backed(state, issue)),
        }
    });
    coach(fates.collect())
}

/// Plays the divided team; `debate` answers in debates, or leaves it to the usual words.
pub fn divided(
    mut debate: impl FnMut(&State, &CallId, DebatePart) -> Option<String>,
) -> impl FnMut(&State, &CallId) -> String {
    let mut rest = agreeable(1);
    move |state, call| match call.purpose {
        Purpose::Judgment => text(&needs()),
        Purpose::Speech => text(&speech(state, call)),
        Purpose::Summary => text(&summary(state)),
        Purpose::Debate(part) => {
            debate(state, call, part).unwrap_or_else(|| text(&in_debate(state, call, part)))
        }
        _ => rest(state, call),
    }
}

/// The divided team as it usually goes.
pub fn usual() -> impl FnMut(&State, &CallId) -> String {
    divided(|_, _, _| None)
}

pub fn open(change: impl FnOnce(&mut Inputs)) -> Meeting {
    let mut inputs = inputs();
    change(&mut inputs);
    Meeting::open("three things", inputs)
}

/// A whole meeting of the divided team.
pub fn held(change: impl FnOnce(&mut Inputs)) -> Meeting {
    let mut meeting = open(change);
    meeting.run(&mut usual());
    meeting
}
