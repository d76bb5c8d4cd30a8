//! What may end a discussion, keep it going, or be said into it.

use super::calls::answers;
use super::{BEFORE_CLOSING, DISCUSSION, Verdict, at, ensure, illegal, is_decided, no_questions};
use crate::machine::call::{CallId, Purpose, Scope};
use crate::machine::debate;
use crate::machine::diligence::{self, Idle};
use crate::machine::ending;
use crate::machine::event::{Event, Receipt, Reopened, StopReason};
use crate::machine::intervention::{self, Intent};
use crate::machine::proposal::{self, DecidedBy};
use crate::machine::state::{CallHistory, Stage, State};
use crate::role::RoleId;

/// A round begins only if nothing ends the discussion and nobody is to be asked.
pub(super) fn check_round(state: &State) -> Verdict {
    if let Some(Event::GuardFired { guard, .. }) = ending::ended(state) {
        return illegal(format!("the discussion has ended: {guard:?}"));
    }
    match ending::asks(state) {
        Some(guard) => illegal(format!("nobody has decided about {guard:?}")),
        None => Ok(()),
    }
}

/// A guard fires when it is due: at once, between rounds, or because the human
/// is silent.
pub(super) fn check_fired(state: &State, event: &Event) -> Verdict {
    let is_due = |due: Option<Event>| due.is_some_and(|due| due.is_told_by(event));
    if is_due(ending::overrides(state)) {
        return Ok(());
    }
    if is_due(ending::carried_out_at_once(state)) {
        return at(state, &DISCUSSION);
    }
    if is_due(ending::silence_of_the_human(state)) {
        return at(state, &BEFORE_CLOSING);
    }
    at(state, &[Stage::Between])?;
    no_questions(state)?;
    debate::check_none_open(state)?;
    is_decided(state, event)
}

/// Something was to be decided, and who decided may decide so.
pub(super) fn check_decision(state: &State, event: &Event) -> Verdict {
    let Event::EndDecision {
        guard,
        confirmed,
        by,
        granted,
        message,
        ..
    } = event
    else {
        return illegal("no decision");
    };
    if *by == DecidedBy::Overtaken {
        return ensure(proposal::at_closing(state).as_ref() == Some(event), || {
            "no proposal was overtaken".to_owned()
        });
    }
    at(state, &DISCUSSION)?;
    unknown(state, message)?;
    match by {
        DecidedBy::Settings => return is_decided(state, event),
        DecidedBy::Unattended if !state.ending.watched => return is_decided(state, event),
        _ => {}
    }
    ensure(ending::asks(state) == Some(*guard), || {
        format!("nobody is asked about {guard:?}")
    })?;
    let extension = if *confirmed {
        0
    } else {
        ending::extension(state, *guard)
    };
    ensure(*granted == extension, || {
        format!("{granted} more cannot be granted")
    })?;
    if *by == DecidedBy::Unattended {
        let rule = match guard {
            StopReason::Proposal => proposal::unattended(state) == *event,
            _ => *confirmed,
        };
        return ensure(rule, || "nobody was there to decide so".to_owned());
    }
    Ok(())
}

/// The human may speak until the version is published, though in vain once the
/// discussion has ended; each message once.
pub(super) fn check_intervention(state: &State, message: &Option<String>) -> Verdict {
    ensure(state.stage != Stage::Published, || {
        "the version is published".to_owned()
    })?;
    unknown(state, message)
}

/// Only what stands in the draft is put in question, and never silently: the
/// issue in its place follows from the words.
pub(super) fn check_reopening(
    state: &State,
    intent: Intent,
    content: &str,
    reopens: Option<&Reopened>,
) -> Verdict {
    if intent != Intent::Reopen || intervention::is_over(state) {
        return ensure(reopens.is_none(), || {
            "nothing is reopened by that".to_owned()
        });
    }
    let name = intervention::target(content).map_or("", |(name, _)| name);
    ensure(reopens.is_some(), || {
        format!("`{}` does not stand in the draft", name.to_uppercase())
    })?;
    ensure(DISCUSSION.contains(&state.stage), || {
        "nothing is put in question before round 1".to_owned()
    })?;
    ensure(
        reopens == intervention::reopened(state, content).as_ref(),
        || format!("what is reopened is not what `{name}` stands for"),
    )
}

fn unknown(state: &State, message: &Option<String>) -> Verdict {
    ensure(
        message.as_ref().is_none_or(|m| !state.messages.contains(m)),
        || "this message was taken already".to_owned(),
    )
}

/// A member votes once, when it was asked or could not be.
pub(super) fn check_vote(state: &State, receipt: Option<&Receipt>, member: &RoleId) -> Verdict {
    at(state, &DISCUSSION)?;
    let missing = state.ending.vote.as_ref();
    ensure(
        missing.is_some_and(|vote| vote.missing().any(|id| id == member)),
        || format!("`{member}` has no vote to cast"),
    )?;
    if let Some(receipt) = receipt {
        answers(state, receipt, &DISCUSSION, |p| p == Purpose::Vote)?;
        return ensure(receipt.call.member == *member, || {
            "somebody else was asked".to_owned()
        });
    }
    let call = CallId::new(
        Scope::Root,
        Purpose::Vote,
        member.clone(),
        state.round,
        state.ending.votes.0,
    );
    let refused = state.calls.troubled.get(&call);
    ensure(
        refused.is_some_and(|history| {
            history.rejections + history.cuts >= CallHistory::MAX_REJECTIONS
        }),
        || format!("`{member}` was not asked often enough"),
    )
}

/// Pushes stay within their budget; what is used up asks the human.
pub(super) fn check_diligence(state: &State, event: &Event) -> Verdict {
    match event {
        Event::DiligencePush {
            receipt,
            why,
            content,
            left,
            ..
        } => {
            check_idle(state, receipt, *why)?;
            ensure(diligence::text(&state.inputs) == Some(content), || {
                "the nudge is not the run's".to_owned()
            })?;
            let now = diligence::left(state, &receipt.call.member);
            ensure(now > 0 && *left == now - 1, || {
                format!("`{}` has {now} nudges left", receipt.call.member)
            })
        }
        Event::DiligenceExhausted {
            receipt,
            why,
            id,
            asked,
            ..
        } => {
            let member = &receipt.call.member;
            check_idle(state, receipt, *why)?;
            ensure(
                diligence::push_max(&state.inputs, member) > 0
                    && diligence::left(state, member) == 0,
                || format!("`{member}` has nudges left, or never had any"),
            )?;
            ensure(*asked == diligence::go_on_or_stop(state, member), || {
                "the question is another".to_owned()
            })?;
            let due = u64::from(state.counters.question) + 1;
            ensure(u64::from(id.0) == due, || {
                format!("`{id}` should be `Q-{due}`")
            })
        }
        _ => ensure(diligence::switch_off(state).as_ref() == Some(event), || {
            "nothing is switched off".to_owned()
        }),
    }
}

fn check_idle(state: &State, receipt: &Receipt, why: Idle) -> Verdict {
    let stages = [Stage::Judging, Stage::Speaking, Stage::Summarising];
    answers(state, receipt, &stages, |p| {
        matches!(p, Purpose::Judgment | Purpose::Speech | Purpose::Summary)
    })?;
    ensure(receipt.call.scope == Scope::Root, || {
        "only the root dialogue is pushed".to_owned()
    })?;
    ensure(
        why != Idle::EndProposed || state.ledger.blocking().next().is_some(),
        || "nothing blocking is open".to_owned(),
    )
}
