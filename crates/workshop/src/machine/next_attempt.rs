//! The next attempt of a call, or why there is none.

use std::time::Duration;

use super::state::State;
use crate::call::CallId;

/// What to do about a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NextAttempt {
    /// Make it, for the first time or again.
    Call(CallId),
    /// The maximum number of unusable replies is reached; the attempt that would have followed, and
    /// why.
    Unusable(CallId, String),
    /// The provider failed as often as it may; the attempt to make once it is available again, and
    /// why.
    Away(CallId, String),
}

/// The longest wait requested by a provider that a run waits out; if it is longer, the run stops
/// and can be resumed later.
pub const LONGEST_WAIT: Duration = Duration::from_secs(120);

/// What follows the failure of a call, as far as the run decides it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterFailure {
    /// It is retried.
    Again,
    /// It would be retried, but the provider asks for a longer wait than [`LONGEST_WAIT`].
    Later,
    /// It is given up.
    Never,
}

/// Returns what follows the failure of `call`, which is already recorded in the state.
pub fn after_failure(state: &State, call: &CallId) -> AfterFailure {
    let Some(history) = state.calls.troubled.get(&call.first()) else {
        return AfterFailure::Again;
    };
    let asked = history.retry_after_ms.map(Duration::from_millis);
    if history.is_unavailable(state.inputs.rules.limits.max_failures) {
        AfterFailure::Never
    } else if asked.is_some_and(|asked| asked > LONGEST_WAIT) {
        AfterFailure::Later
    } else {
        AfterFailure::Again
    }
}

/// Returns whether `call`, whose rejection is already recorded in the state, is retried.
pub fn is_asked_again(state: &State, call: &CallId) -> bool {
    matches!(next_try(state, &call.first()), NextAttempt::Call(_))
}

/// Returns the next attempt of the call whose first attempt is `first`.
pub(super) fn next_try(state: &State, first: &CallId) -> NextAttempt {
    let first = state.grounding.looks.due(first);
    let Some(history) = state.calls.troubled.get(&first) else {
        return NextAttempt::Call(first);
    };
    let call = first.with_attempt(history.spent_attempts + 1);
    if history.is_unavailable(state.inputs.rules.limits.max_failures) {
        return NextAttempt::Away(call, history.last_failure.clone().unwrap_or_default());
    }
    if !history.is_unusable() {
        return NextAttempt::Call(call);
    }
    let last = history.last_rejected.as_ref();
    let why = last.map_or_else(String::new, |(reason, _)| reason.clone());
    NextAttempt::Unusable(call, why)
}
