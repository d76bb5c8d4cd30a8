//! Debates: a question, the members it divides, a few rounds of parallel arguments, a ruling.
//!
//! [`Debate`] defines the sequence of one debate ([`Debate::next`]); `divergence` finds what is
//! worth debating, `due` says when a debate is held, `steps` says what to do in it now, `answers`
//! turns replies into events, `transition` applies them. A ruling does not decide the issue: its
//! conclusion is a proposal.

mod answers;
mod debates;
mod divergence;
mod due;
mod event;
mod motion;
mod record;
mod steps;
mod transition;

pub use debates::{Debates, UnheldDebate, UnheldReason, WantedDebate, unheld};
pub use divergence::Divergence;
pub use due::{
    MAX_SMALL_ISSUES, due_motion, is_too_small_for_debates, leaves_review_out,
    looks_for_divergence, most, refusal, room,
};
pub use event::{DebateResolved, DebateRoundSummary, DebateStarted, ExpertArgument};
pub use motion::{
    DEFAULT_ROUNDS, DebateConfig, DebateLimits, DebateObjection, DebateSide, DebateTrigger,
    MAX_DEBATES, MAX_ROUNDS, Motion, NoRulingReason, RequestRefusal,
};
pub use record::{Argument, Debate, DebateRound, DebateStep, DebateTurn, Resolution};

pub(super) use answers::event_of;
pub(super) use divergence::{check_divergences, declined, of_summary};
pub(super) use due::{comes_first, skip_refusal};
pub(super) use steps::{at_closing, begin, begin_wanted, going_on};
pub(super) use transition::is_due;
