//! The next try of a call: whether there is one, and why not.

use std::time::Duration;

use super::call::CallId;
use super::state::State;

/// What is to be done about a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Try {
    /// It is made, for the first time or once more.
    Call(CallId),
    /// What came was unusable as often as it may be; the try there would have been, and why.
    Unusable(CallId, String),
    /// The provider failed as often as it may; the try there will be when it is back, and why.
    Away(CallId, String),
}

/// The longest wait a provider may ask for that a run waits out; beyond it the run stops
/// and can be resumed later.
pub const LONGEST_WAIT: Duration = Duration::from_secs(120);

/// What follows the failure of a call, as far as the run decides it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterFailure {
    /// It is tried again.
    Again,
    /// It would be, but the provider asks for a longer wait than [`LONGEST_WAIT`].
    Later,
    /// It is given up.
    Never,
}

/// The next step after the failure of `call`, which the state already holds.
pub fn after_failure(state: &State, call: &CallId) -> AfterFailure {
    let Some(history) = state.calls.troubled.get(&call.first()) else {
        return AfterFailure::Again;
    };
    let asked = history.retry_after_ms.map(Duration::from_millis);
    if history.is_unavailable(state.inputs.limits.max_failures) {
        AfterFailure::Never
    } else if asked.is_some_and(|asked| asked > LONGEST_WAIT) {
        AfterFailure::Later
    } else {
        AfterFailure::Again
    }
}

/// Returns whether `call`, whose rejection is in the state already, is asked for once more.
pub fn is_asked_again(state: &State, call: &CallId) -> bool {
    matches!(next_try(state, &call.first()), Try::Call(_))
}

/// The next try of the call whose first one is `first`.
pub(super) fn next_try(state: &State, first: &CallId) -> Try {
    let first = state.grounding.looks.due(first);
    let Some(history) = state.calls.troubled.get(&first) else {
        return Try::Call(first);
    };
    let call = first.with_attempt(history.spent_attempts + 1);
    if history.is_unavailable(state.inputs.limits.max_failures) {
        return Try::Away(call, history.last_failure.clone().unwrap_or_default());
    }
    if !history.is_unusable() {
        return Try::Call(call);
    }
    let last = history.last_rejected.as_ref();
    let why = last.map_or_else(String::new, |(reason, _)| reason.clone());
    Try::Unusable(call, why)
}

/// Why a call is tried no more; `None` while it may be.
pub(super) fn exhausted(state: &State, first: &CallId) -> Option<String> {
    match next_try(state, first) {
        Try::Call(_) => None,
        Try::Unusable(_, why) | Try::Away(_, why) => Some(why),
    }
}
