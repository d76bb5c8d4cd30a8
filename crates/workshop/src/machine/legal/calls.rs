//! Which call may be started, and which reply answers it.

use super::{DISCUSSION, Verdict, at, ensure, illegal, is_open, may_write, no_questions};
use crate::ids::QuestionId;
use crate::machine::call::{CallId, Purpose, Scope};
use crate::machine::debate;
use crate::machine::ending;
use crate::machine::event::Receipt;
use crate::machine::look;
use crate::machine::next::is_skippable;
use crate::machine::question::{Question, QuestionStatus};
use crate::machine::review;
use crate::machine::state::{CallHistory, Stage, State};
use crate::machine::team;
use crate::machine::tries::exhausted;
use crate::role::RoleId;

/// A call may be started once, by its name, when it is due.
pub(super) fn check_start(state: &State, call: &CallId) -> Verdict {
    if call.ask > 0 {
        return look::check_question(state, call);
    }
    let first = call.first();
    ensure(!is_asked(state, call), || {
        format!("call `{call}` is open already")
    })?;
    ensure(call.round == state.round, || {
        format!("call `{call}` is not of round {}", state.round)
    })?;
    ensure(call.look == state.looks.asks_of(call), || {
        format!("call `{call}` does not follow what was looked at")
    })?;
    let spent = state.calls.troubled.get(&first);
    let next = spent.map_or(0, |history| history.spent_attempts) + 1;
    ensure(call.attempt == next, || {
        format!("call `{call}` should be attempt {next}")
    })?;
    ensure(is_due(state, call), || format!("call `{call}` is not due"))?;
    let closes = call.purpose == Purpose::Summary && state.ending.decided.is_some();
    if DISCUSSION.contains(&state.stage) && call.scope == Scope::Root && !closes {
        return no_questions(state);
    }
    Ok(())
}

/// Is the call being made, at whichever attempt?
fn is_asked(state: &State, call: &CallId) -> bool {
    let mut open = state.calls.open.keys();
    open.any(|open| open.unlooked() == call.unlooked())
}

fn is_due(state: &State, call: &CallId) -> bool {
    let of_coach =
        |turn: u32| call.scope == Scope::Root && call.member.is_coach() && call.turn == turn;
    if state.stage == Stage::Reviewing {
        return review::is_due(state, call);
    }
    match call.purpose {
        Purpose::Judgment => {
            let again = team::revision_due(state);
            state.stage == Stage::Judging && of_coach(1)
                || again.is_some_and(|due| due == call.unlooked())
        }
        Purpose::Speech => {
            state.stage == Stage::Speaking
                && call.scope == Scope::Root
                && speaks_now(state, call.turn, &call.member)
        }
        Purpose::Summary => {
            let turn = state.inputs.roles.members.len() as u32 + 1;
            of_coach(turn)
                && (state.stage == Stage::Summarising
                    || (state.stage == Stage::Speaking && ending::cuts_round_short(state)))
        }
        Purpose::Debate(_) => debate::is_due(state, call),
        Purpose::Step => team::is_due(state, call),
        Purpose::Relay => {
            let raised =
                |q: &&Question| q.status == QuestionStatus::Raised && !q.asked_by.is_coach();
            let first = state.questions.iter().find(raised);
            DISCUSSION.contains(&state.stage)
                && call.member.is_coach()
                && call.turn == 1
                && first.is_some_and(|q| call.scope == Scope::Question(q.id.0))
        }
        Purpose::FollowUp => {
            let asked = |q: &&Question| call.scope == Scope::Question(q.id.0);
            DISCUSSION.contains(&state.stage)
                && state.questions.iter().find(asked).is_some_and(|q| {
                    q.status == QuestionStatus::Replied
                        && q.asked_by == call.member
                        && q.dialogue.len() as u32 == call.turn
                })
        }
        Purpose::Document(kind) => {
            let writer = state.inputs.roles.writer(kind);
            state.stage == Stage::Closing
                && may_write(state, kind)
                && call.scope == Scope::Root
                && call.turn == 1
                && writer.is_some_and(|role| role.id == call.member)
        }
        Purpose::Vote => {
            call.scope == Scope::Root
                && call.turn == state.ending.votes.0
                && crate::machine::vote::due_from(state).contains(&call.member)
        }
        Purpose::Report => {
            state.stage == Stage::Reporting && call.unlooked() == review::words_call(state)
        }
        Purpose::Review | Purpose::Verdict => false,
    }
}

/// Is it the member's turn? In a blind round it is everybody's who has not spoken.
pub(super) fn speaks_now(state: &State, turn: u32, member: &RoleId) -> bool {
    let mut next = state.next_speakers();
    if !state.is_blind_round() {
        next.truncate(1);
    }
    next.iter().any(|(t, m)| *t == turn && m == member)
}

/// A reply answers a call that was started, is of the right kind and comes in its stage.
pub(super) fn answers(
    state: &State,
    receipt: &Receipt,
    stages: &[Stage],
    purpose: impl Fn(Purpose) -> bool,
) -> Verdict {
    at(state, stages)?;
    is_open(state, &receipt.call)?;
    ensure(purpose(receipt.call.purpose), || {
        format!("call `{}` asked for something else", receipt.call)
    })
}

/// The receipt is of the call that was due; without one the call was tried as
/// often as may be.
pub(in crate::machine) fn answered(
    state: &State,
    receipt: Option<&Receipt>,
    due: &CallId,
) -> Verdict {
    let due = &state.looks.due(due);
    match receipt {
        Some(receipt) => {
            is_open(state, &receipt.call)?;
            ensure(receipt.call.first() == *due, || {
                format!("call `{}` asked for something else", receipt.call)
            })
        }
        None => ensure(
            !is_asked(state, due) && exhausted(state, due).is_some(),
            || format!("call `{due}` may be tried again"),
        ),
    }
}

/// A clarification is answered in the dialogue of its own question.
pub(super) fn of_question(receipt: &Receipt, id: QuestionId) -> Verdict {
    ensure(receipt.call.scope == Scope::Question(id.0), || {
        format!("call `{}` is not about `{id}`", receipt.call)
    })
}

/// A clarification does without a call only when that call is due and hopeless.
pub(super) fn check_skipped(state: &State, call: &CallId) -> Verdict {
    at(state, &DISCUSSION)?;
    ensure(is_skippable(call.purpose) && is_due(state, call), || {
        format!("`{call}` is no call of a clarification that is due")
    })?;
    ensure(call.attempt == 1 && call.round == state.round, || {
        format!("`{call}` is not the first attempt of this round")
    })?;
    if is_asked(state, call) {
        return illegal(format!("`{call}` is being made"));
    }
    let history = state.calls.troubled.get(call);
    ensure(history.is_some_and(|h| h.hopeless().is_some()), || {
        format!("`{call}` may still succeed")
    })
}

/// A member may be passed over for its turn only after its replies were refused
/// as often as they may be, and nobody else was in this round.
pub(super) fn check_passed_over(state: &State, turn: u32, member: &RoleId) -> Verdict {
    at(state, &[Stage::Speaking])?;
    no_questions(state)?;
    ensure(speaks_now(state, turn, member), || {
        format!("it is not `{member}`'s turn")
    })?;
    let call = CallId::new(
        Scope::Root,
        Purpose::Speech,
        member.clone(),
        state.round,
        turn,
    );
    if is_asked(state, &call) {
        return illegal(format!("`{member}` is being asked"));
    }
    let refused = state.calls.troubled.get(&state.looks.due(&call));
    ensure(
        // An earlier version counted a cut reply like any other.
        refused.is_some_and(|history| {
            history.rejections + history.cuts >= CallHistory::MAX_REJECTIONS
        }),
        || format!("`{member}` was not asked often enough to be passed over"),
    )?;
    ensure(crate::machine::next::may_pass_over(state), || {
        "only one of several members may be passed over in a round".to_owned()
    })
}
