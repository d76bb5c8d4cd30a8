//! Events that do not follow from the state, and how a transition refuses one.

/// An event that does not follow from the state, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Illegal(pub String);

pub(super) type Verdict = Result<(), Illegal>;

/// Refuses the event with a reason; arguments as for `format!`.
macro_rules! refuse {
    ($($why:tt)+) => {
        return Err($crate::machine::Illegal(format!($($why)+)))
    };
}

/// Refuses the event unless the condition holds, with a reason; arguments as for `format!`.
macro_rules! ensure {
    ($holds:expr, $($why:tt)+) => {
        if !$holds {
            $crate::machine::illegal::refuse!($($why)+);
        }
    };
}

pub(super) use {ensure, refuse};
