//! A team in which two members object to each other in round 1.

use std::collections::BTreeSet;

use workshop::machine::{
    CallId, DebatePart, Inputs, IssueId, IssueRecord, Purpose, State, admissible,
};
use workshop::reply::{
    Contribution, DivergenceKind, FateKind, FoundDivergence, FoundSide, IssueSeverity, Stance,
};

use super::meeting::*;

/// Three needs, so that the work is not small.
pub fn needs() -> Contribution {
    Contribution {
        new_issues: vec![
            new_issue("a", "who may export", IssueSeverity::Blocking),
            new_issue("b", "which columns", IssueSeverity::Blocking),
            new_issue("c", "how large", IssueSeverity::Blocking),
        ],
        ..contribution("Three needs.")
    }
}

/// PP and SD object to each other on I-1 in round 1 and agree from round 2 on.
pub fn speech(state: &State, call: &CallId) -> Contribution {
    let code = state.inputs.roles.code(&call.member);
    let divided = matches!(code, "PP" | "SD") && call.round == 1;
    let positions = state.ledger.open().map(|issue| {
        let on_it = issue.id == IssueId(1);
        let stance = match (on_it, call.round) {
            (true, 1) if divided => Stance::Object,
            // There are two texts, so the others abstain.
            (true, 1) => Stance::Abstain,
            _ => Stance::Agree,
        };
        let words = format!("{code} would write {} so, r{}", issue.id, call.round);
        // On I-1 only PP and SD propose a text; on other issues only PP.
        let words = (divided || !on_it && code == "PP").then_some(words.as_str());
        let mut position = position(&issue.id.to_string(), stance, words);
        position.changed_because = (call.round > 1).then(|| "the ruling".to_owned());
        position
    });
    Contribution {
        positions: positions.collect(),
        ..contribution("I say so.")
    }
}

/// The first text of an issue that may join the draft; if there is none, `PP`, which is refused.
fn settleable(state: &State, issue: &IssueRecord) -> String {
    let texts = issue.standing_texts().filter(|text| {
        let alone = issue.rivals(text).next().is_none();
        alone && admissible(state, issue, text, &BTreeSet::new()).is_ok()
    });
    let first = texts.map(|text| text.id.to_string()).next();
    first.unwrap_or_else(|| "PP".to_owned())
}

pub fn summary(state: &State) -> Contribution {
    let fates = state.ledger.open().map(|issue| {
        let id = issue.id.to_string();
        match issue.objectors().is_empty() {
            true => settled(&id, &settleable(state, issue)),
            false => fate(&id, FateKind::Open),
        }
    });
    let mut said = coach(fates.collect());
    said.coach.as_mut().unwrap().divergence = dispute(state);
    said
}

/// The divergence between PP and SD on I-1 while both object. Neither has answered the other's
/// objection yet, so only the coach can name it.
fn dispute(state: &State) -> Option<FoundDivergence> {
    let issue = state
        .ledger
        .find(IssueId(1))
        .filter(|issue| issue.is_open())?;
    let sides = issue.objectors().into_iter().filter_map(|member| {
        Some(FoundSide {
            member: member.to_string(),
            stands_for: issue.latest_text_of(member)?.text.clone(),
        })
    });
    let sides: Vec<FoundSide> = sides.collect();
    (sides.len() > 1).then(|| FoundDivergence {
        issue: issue.id.to_string(),
        criterion: DivergenceKind::Contradiction,
        question: format!("On {}: {}?", issue.id, issue.title),
        sides,
    })
}

/// Plays the divided team; `debate` answers in debates or returns `None` for the usual answer.
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

/// The divided team with its usual answers.
pub fn usual() -> impl FnMut(&State, &CallId) -> String {
    divided(|_, _, _| None)
}

pub fn open(change: impl FnOnce(&mut Inputs)) -> Meeting {
    let mut inputs = inputs();
    change(&mut inputs);
    Meeting::open("three things", inputs)
}
