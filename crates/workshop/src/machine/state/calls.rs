//! Calls to models: those that are open, what they went through, and what they cost.

use std::collections::{BTreeMap, BTreeSet};

use crate::chat::{EndpointRecord, Usage};
use crate::machine::call::CallId;
use crate::machine::event::{FailureKind, InputContext};
use crate::machine::price::Usd;
use crate::role::RoleId;

/// A call that was started and not answered yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenCall {
    /// Tokens it may cost.
    pub reserve: u64,
    /// Money it may cost; zero where no price is known.
    pub reserve_usd: Usd,
    /// What it was given.
    pub input_context: InputContext,
}

/// What one call went through.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallHistory {
    /// Failures and rejections so far; the next attempt is one more.
    pub spent_attempts: u32,
    /// Failures since the process started.
    pub failures: u32,
    /// Rejected replies since the process started, those cut by their length aside.
    pub rejections: u32,
    /// Replies cut by their length limit since the process started.
    pub cuts: u32,
    /// Failures since the process started that another try does not mend, as a rule.
    pub refusals: u32,
    /// Whether an answer limit above the usual one was refused.
    pub larger_refused: bool,
    /// Why the last try failed, in words.
    pub last_failure: Option<String>,
    /// Which kind of failure that was.
    pub last_kind: Option<FailureKind>,
    /// Why the last reply was rejected and what it was; nothing of one that was cut.
    pub last_rejected: Option<(String, String)>,
    /// Whether that reply was cut by its length limit.
    pub last_cut: bool,
    /// The nudge the last reply was answered with, and what that reply was.
    pub last_nudged: Option<(String, String)>,
    /// Whether it went back for its claims about the files.
    pub put_back: bool,
    /// Whether it was nudged for proposing the end too early.
    pub nudged_end: bool,
    /// How long the provider asked to wait before the next try, in milliseconds.
    pub retry_after_ms: Option<u64>,
}

/// Tokens and calls of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallBook {
    /// Calls started and not answered, with their reserves.
    pub open: BTreeMap<CallId, OpenCall>,
    /// Calls that failed or were rejected and are not done yet; keyed by their first attempt.
    pub troubled: BTreeMap<CallId, CallHistory>,
    /// Calls that were ever put into files to be answered by hand, in that order: the
    /// first is call 1.
    pub by_hand: Vec<CallId>,
    /// Tokens of answered calls, rejected replies included.
    pub used: Usage,
    /// Tokens by member.
    pub by_member: BTreeMap<RoleId, Usage>,
    /// Model names that answered, by member.
    pub models: BTreeMap<RoleId, BTreeSet<String>>,
    /// Answered calls, rejected replies included.
    pub answered: u64,
    /// Failed calls.
    pub failed: u64,
    /// Rejected replies.
    pub rejected: u64,
    /// Reserves of calls that were in flight when a process died, counted in full.
    pub lost: u64,
    /// Money of answered calls whose model has a price.
    pub spent: Usd,
    /// The money part of `lost`.
    pub lost_usd: Usd,
    /// Milliseconds spent waiting for answered calls, summed over calls.
    pub latency_ms: u64,
    /// Largest ratio seen of input tokens to a thousand bytes of prompt.
    pub tokens_per_kilobyte: u64,
    /// Most tokens of one answer, by the model asked; some write more than they should.
    pub longest: BTreeMap<String, u64>,
    /// Most tokens of one document, or of the report's words.
    pub longest_closing: u64,
    /// Most tokens that a model thought before one answer, by the name it is asked for.
    pub thought: BTreeMap<String, u64>,
    /// What answers said of their endpoint, by provider and the model asked.
    pub known: BTreeMap<(String, String), EndpointRecord>,
}

impl CallBook {
    /// Thinking that is made room for, in answers of the usual size.
    const MAX_THOUGHT: u64 = 4;

    /// The record of a model's endpoint.
    pub fn known(&self, provider: &str, model: &str) -> EndpointRecord {
        let asked = (provider.to_owned(), model.to_owned());
        self.known.get(&asked).cloned().unwrap_or_default()
    }

    /// Returns whether a reply to this call was rejected already. What is put back is put back
    /// once.
    pub fn was_rejected(&self, call: &CallId) -> bool {
        let history = self.troubled.get(&call.first());
        history.is_some_and(|history| history.rejections > 0)
    }

    /// Largest answer of the next try, in tokens: the usual one beside what this model was
    /// seen to think first, since providers count both; twice that after a cut; the usual
    /// one alone where the provider refuses more.
    pub fn output_limit(&self, call: &CallId, model: &str, usual: u64) -> u64 {
        let history = self.troubled.get(&call.first());
        if history.is_some_and(|history| history.larger_refused) {
            return usual;
        }
        let thought = self.thought.get(model).copied().unwrap_or_default();
        let room = usual.saturating_add(thought.min(usual.saturating_mul(Self::MAX_THOUGHT)));
        if history.is_some_and(|history| history.cuts > 0) {
            room.saturating_mul(2)
        } else {
            room
        }
    }
}

impl CallHistory {
    /// Unusable replies until a call is given up: the first, and one to the findings in it.
    pub const MAX_REJECTIONS: u32 = 2;
    /// Cut replies until a call is given up: the first, one with more room, one for less.
    pub const MAX_CUTS: u32 = 3;
    /// Refusals that are believed: gateways stray, so the first is asked once more.
    pub const MAX_REFUSALS: u32 = 2;

    /// Returns whether as many replies were unusable as may be.
    pub fn is_unusable(&self) -> bool {
        self.rejections >= Self::MAX_REJECTIONS || self.cuts >= Self::MAX_CUTS
    }

    /// Returns whether the provider failed as often as it may.
    pub fn is_unavailable(&self, max_failures: u32) -> bool {
        self.refusals >= Self::MAX_REFUSALS || self.failures >= max_failures
    }

    /// Returns, in words, why this one call is given up while others may still succeed.
    ///
    /// A provider that is down, or refuses the key, fails every call: that is no reason to do
    /// without this one.
    pub fn hopeless(&self) -> Option<&str> {
        if self.is_unusable() {
            let rejected = self.last_rejected.as_ref();
            return Some(rejected.map_or("", |(reason, _)| reason));
        }
        let own = matches!(
            self.last_kind,
            Some(FailureKind::Refused | FailureKind::TooLarge)
        );
        (own && self.refusals >= Self::MAX_REFUSALS)
            .then(|| self.last_failure.as_deref().unwrap_or_default())
    }

    /// What the next try is asked to keep within, in tokens: as much as the first; half of
    /// it when more room was of no use. What is asked for never grows with the limit.
    pub fn room(&self, usual: u64) -> u64 {
        if self.cuts > 1 || (self.cuts > 0 && self.larger_refused) {
            usual / 2
        } else {
            usual
        }
    }

    /// Returns whether the next try is the first one again, but for a larger limit.
    pub fn only_needs_room(&self) -> bool {
        self.cuts == 1 && self.rejections == 0 && !self.larger_refused
    }

    /// A process takes the run up again: everything may be tried anew, and what the prompt shows is
    /// kept.
    pub(in crate::machine) fn begin_anew(&mut self) {
        *self = Self {
            spent_attempts: self.spent_attempts,
            last_failure: self.last_failure.take(),
            last_kind: self.last_kind,
            last_rejected: self.last_rejected.take(),
            last_cut: self.last_cut,
            last_nudged: self.last_nudged.take(),
            nudged_end: self.nudged_end,
            put_back: self.put_back,
            ..Self::default()
        };
    }
}
