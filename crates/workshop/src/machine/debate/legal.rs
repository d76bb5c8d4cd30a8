//! What may follow in a debate.

use std::collections::BTreeSet;

use super::answers::turns_round;
use super::divergence::{Divergence, may_be_debated};
use super::due;
use super::event::{
    ArgumentMissing, DebateResolved, DebateRoundSummary, DebateStarted, DivergenceUnjudged,
    ExpertArgument,
};
use super::motion::{Plain, Unheld};
use super::record::{Debate, DebateStep};
use super::steps::{self, first_call as call};
use crate::ids::{DebateId, IssueId};
use crate::machine::call::{CallId, DebatePart, Purpose, Scope};
use crate::machine::intervention::{self, Intent};
use crate::machine::issue::IssueRecord;
use crate::machine::legal::{Illegal, Verdict, answered, at, ensure, no_questions};
use crate::machine::state::{Stage, State};
use crate::reply::Decision;
use crate::role::RoleId;

/// Is a call of a debate due? Time may run out between the starts of calls that
/// run side by side, so that a ruling is due beside what was due before.
pub(in crate::machine) fn is_due(state: &State, call: &CallId) -> bool {
    let (Purpose::Debate(part), Scope::Debate(n)) = (call.purpose, &call.scope) else {
        return false;
    };
    let is = |wanted: DebatePart, turn: u32| {
        part == wanted
            && call.turn == turn
            && (part == DebatePart::Argument || call.member.is_coach())
    };
    let Some(debate) = state.open_debate() else {
        return steps::next_id(state).0 == *n
            && is(DebatePart::Opening, 1)
            && no_questions(state).is_ok()
            && due::motion(state).is_some_and(|motion| !motion.debate_config.skip);
    };
    if debate.id.0 != *n || state.stage != Stage::Between || state.docket.skips {
        return false;
    }
    let step = match debate.next() {
        DebateStep::Argue { .. } | DebateStep::Summarise { .. } if is(DebatePart::Ruling, 1) => {
            steps::next(state, debate)
        }
        step => step,
    };
    match step {
        DebateStep::Argue { round, places } => {
            let mut due = places
                .iter()
                .filter_map(|place| debate.participants().get(*place));
            is(DebatePart::Argument, round) && due.any(|member| *member == call.member)
        }
        DebateStep::Summarise { round } => is(DebatePart::Summary, round),
        DebateStep::Rule => is(DebatePart::Ruling, 1),
        DebateStep::Resolve(_) | DebateStep::Skip | DebateStep::Done => false,
    }
}

/// The root dialogue stands still while a debate goes on.
pub(in crate::machine) fn check_none_open(state: &State) -> Verdict {
    match state.open_debate() {
        Some(debate) => Err(Illegal(format!("the debate `{}` goes on", debate.id))),
        None => Ok(()),
    }
}

/// A summary may name divergences, each on something else.
pub(in crate::machine) fn check_divergences<'d>(
    state: &State,
    divergences: impl Iterator<Item = &'d Divergence>,
    is_changed: impl Fn(IssueId) -> bool,
) -> Verdict {
    let mut seen: Vec<&Divergence> = Vec::new();
    for divergence in divergences {
        let again = seen
            .iter()
            .any(|earlier| earlier.is_on_the_same(divergence));
        ensure(!again, || "the same divergence twice".to_owned())?;
        check_divergence(state, divergence, &is_changed)?;
        seen.push(divergence);
    }
    Ok(())
}

/// One is on an issue that stays open, between two members at least.
fn check_divergence(
    state: &State,
    divergence: &Divergence,
    is_changed: impl Fn(IssueId) -> bool,
) -> Verdict {
    let Some(id) = divergence.issue else {
        return check_disputed(state, divergence);
    };
    ensure(divergence.phase.is_none(), || {
        "a divergence on an issue and a phase at once".to_owned()
    })?;
    let open = state.ledger.find(id).is_some_and(IssueRecord::is_open);
    ensure(open && !is_changed(id), || {
        format!("a divergence on `{id}`, which does not stay open")
    })?;
    ensure(!due::was_debated(state, id), || {
        format!("`{id}` was debated before")
    })?;
    check_sides(state, divergence)
}

/// In a team a divergence is on the result of a phase.
fn check_disputed(state: &State, divergence: &Divergence) -> Verdict {
    let phase = divergence.phase.as_ref().zip(state.team.as_ref());
    ensure(
        phase.is_some_and(|(id, team)| may_be_debated(team, id)),
        || "a divergence on nothing that can be debated".to_owned(),
    )?;
    check_sides(state, divergence)
}

fn check_sides(state: &State, divergence: &Divergence) -> Verdict {
    let members = &state.inputs.roles.members;
    let sides: BTreeSet<&RoleId> = divergence.sides.iter().map(|side| &side.member).collect();
    let known = sides
        .iter()
        .all(|id| members.iter().any(|role| role.id == **id) && state.takes_part(id));
    ensure(
        known && sides.len() == divergence.sides.len() && sides.len() > 1,
        || "the sides of a divergence are not two members or more".to_owned(),
    )
}

/// Only a debate, a vote, leaving a debate out or an answer can be refused, and only when
/// there is none; a debate that is asked for has a topic.
pub(in crate::machine) fn check_wanted(
    state: &State,
    intent: Intent,
    content: &str,
    refused: Option<Unheld>,
) -> Verdict {
    ensure(
        refused == intervention::refusal(state, intent, content),
        || "what was asked for is refused, or not, against the rule".to_owned(),
    )?;
    ensure(intent != Intent::Answer || refused.is_some(), || {
        "a question waits for this answer".to_owned()
    })?;
    ensure(
        intent != Intent::Debate || intervention::topic(content).is_some(),
        || "a debate about nothing".to_owned(),
    )
}

/// Nothing is learnt of what divides a team's results only after the coach was asked in
/// vain, in the layer that is being looked at.
pub(in crate::machine) fn check_unjudged(state: &State, event: &DivergenceUnjudged) -> Verdict {
    at(state, &[Stage::Summarising])?;
    let call = &event.call;
    let is_due = call.round == state.round && call.attempt == 1 && call.scope == Scope::Root;
    let is_open = state.calls.open.keys().any(|open| open.first() == *call);
    let due = steps::unjudged(state, call).filter(|_| is_due && !is_open);
    ensure(due.as_ref() == Some(event), || {
        format!("`{call}` may be tried again")
    })
}

/// A debate begins between rounds, while there is room, about what is due.
pub(in crate::machine) fn check_started(state: &State, started: &DebateStarted) -> Verdict {
    at(state, &[Stage::Between])?;
    no_questions(state)?;
    check_none_open(state)?;
    let due = steps::next_id(state);
    ensure(started.debate == due, || {
        format!("`{}` should be `{due}`", started.debate)
    })?;
    ensure(due::motion(state).as_ref() == Some(&started.motion), || {
        format!(
            "no debate about “{}” is due",
            started.motion.debate_config.topic
        )
    })?;
    let call = call(state, due, DebatePart::Opening, RoleId::coach(), 1);
    let skipped = started.motion.debate_config.skip && started.receipt.is_none();
    ensure(
        skipped || answered(state, started.receipt.as_ref(), &call).is_ok(),
        || "nobody was asked for this opening".to_owned(),
    )
}

/// An argument answers its call, takes one position on what is debated, and
/// turns round none silently.
pub(in crate::machine) fn check_argument(state: &State, argued: &ExpertArgument) -> Verdict {
    let member = &argued.receipt.call.member;
    let debate = going_on(state, argued.debate)?;
    argues_now(debate, member, argued.debate_round)?;
    let due = call(
        state,
        debate.id,
        DebatePart::Argument,
        member.clone(),
        argued.debate_round,
    );
    answered(state, Some(&argued.receipt), &due)?;
    let said = &argued.argument;
    ensure(said.coach.is_none(), || {
        "a member filled in the coach's part".to_owned()
    })?;
    ensure(
        said.questions.is_empty() && said.new_issues.is_empty(),
        || "a debate opens nothing new".to_owned(),
    )?;
    ensure(said.positions.len() <= 1, || {
        "two positions in one argument".to_owned()
    })?;
    let Some(position) = said.positions.first() else {
        return Ok(());
    };
    ensure(position.issue == debate.subject(), || {
        format!("`{}` is not what is debated", position.issue)
    })?;
    ensure(
        position.changed_because.is_some() || !turns_round(state, debate, member, position),
        || {
            format!(
                "the stance on `{}` flipped without a reason",
                position.issue
            )
        },
    )
}

/// A participant is missing only after it was asked as often as may be.
pub(in crate::machine) fn check_missing(state: &State, missing: &ArgumentMissing) -> Verdict {
    let debate = going_on(state, missing.debate)?;
    argues_now(debate, &missing.member, missing.debate_round)?;
    let member = missing.member.clone();
    let due = call(
        state,
        debate.id,
        DebatePart::Argument,
        member,
        missing.debate_round,
    );
    answered(state, None, &due)
}

/// A round is summed up once everybody has argued or is missing.
pub(in crate::machine) fn check_summary(state: &State, summary: &DebateRoundSummary) -> Verdict {
    let debate = going_on(state, summary.debate)?;
    let round = summary.debate_round;
    ensure(debate.next() == (DebateStep::Summarise { round }), || {
        format!("round {round} of `{}` is not to be summed up", debate.id)
    })?;
    let due = call(
        state,
        debate.id,
        DebatePart::Summary,
        RoleId::coach(),
        round,
    );
    answered(state, summary.receipt.as_ref(), &due)
}

/// A debate ends with the ruling that was given, or asked for in vain, or cut
/// off by the end of the discussion; who still objects is named.
pub(in crate::machine) fn check_resolved(state: &State, resolved: &DebateResolved) -> Verdict {
    let Some(debate) = state.open_debate().filter(|d| d.id == resolved.debate) else {
        return Err(Illegal(format!("`{}` does not go on", resolved.debate)));
    };
    ensure(resolved.dissent == steps::dissent(state, debate), || {
        "those who object are others".to_owned()
    })?;
    ensure(
        resolved.decision == Decision::Shelve || !resolved.conclusion.trim().is_empty(),
        || "a ruling without a conclusion".to_owned(),
    )?;
    let shelved = resolved.decision == Decision::Shelve && resolved.receipt.is_none();
    ensure(resolved.plain.is_none() || shelved, || {
        "without the coach a question can only be shelved".to_owned()
    })?;
    if state.stage >= Stage::Closing {
        return ensure(resolved.plain == Some(Plain::Ended), || {
            "the discussion has ended: nobody rules any more".to_owned()
        });
    }
    at(state, &[Stage::Between])?;
    let due = call(state, debate.id, DebatePart::Ruling, RoleId::coach(), 1);
    let (step, plain) = (steps::next(state, debate), resolved.plain);
    let fits = match step {
        DebateStep::Rule if plain == Some(Plain::NoReply) => answered(state, None, &due).is_ok(),
        DebateStep::Rule => {
            plain.is_none() && answered(state, resolved.receipt.as_ref(), &due).is_ok()
        }
        DebateStep::Resolve(ruling) => {
            plain.is_none() && resolved.receipt.is_none() && ruling == resolved.ruling()
        }
        DebateStep::Skip => plain == Some(Plain::Skipped),
        _ => false,
    };
    ensure(fits, || {
        format!("`{}` is not to be ruled on like this", debate.id)
    })
}

fn going_on(state: &State, id: DebateId) -> Result<&Debate, Illegal> {
    at(state, &[Stage::Between])?;
    let debate = state.open_debate().filter(|debate| debate.id == id);
    debate.ok_or_else(|| Illegal(format!("`{id}` does not go on")))
}

fn argues_now(debate: &Debate, member: &RoleId, round: u32) -> Verdict {
    let due = match debate.next() {
        DebateStep::Argue { round: now, places } if now == round => places,
        _ => Vec::new(),
    };
    let mut due = due
        .iter()
        .filter_map(|place| debate.participants().get(*place));
    ensure(due.any(|participant| participant == member), || {
        format!(
            "`{member}` does not argue in round {round} of `{}`",
            debate.id
        )
    })
}
