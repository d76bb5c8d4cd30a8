//! Calls to models: the open ones, their history, and their cost.

use std::collections::{BTreeMap, BTreeSet};

use crate::call::CallId;
use crate::chat::{EndpointRecord, Usage};
use crate::machine::event::{FailureKind, InputContext};
use crate::machine::price::Usd;
use crate::role::RoleId;

/// A call that was started and is not answered yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenCall {
    /// Tokens reserved for it.
    pub reserve: u64,
    /// Money reserved for it; zero if no price is known.
    pub reserve_usd: Usd,
    /// The input it was given.
    pub input_context: InputContext,
}

/// The history of one call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallHistory {
    /// Failures and rejections so far; the next attempt has one number more.
    pub spent_attempts: u32,
    /// Failures since the process started.
    pub failures: u32,
    /// Rejected replies since the process started, without those cut off by their length limit.
    pub rejections: u32,
    /// Replies cut off by their length limit since the process started.
    pub cuts: u32,
    /// Failures since the process started that a retry usually does not fix.
    pub refusals: u32,
    /// Whether the provider refused an answer limit above the usual one.
    pub larger_refused: bool,
    /// Why the last attempt failed, as text.
    pub last_failure: Option<String>,
    /// The kind of that failure.
    pub last_kind: Option<FailureKind>,
    /// Why the last reply was rejected, and the reply; the reply is empty if it was cut off.
    pub last_rejected: Option<(String, String)>,
    /// Whether that reply was cut off by its length limit.
    pub last_cut: bool,
    /// The nudge that answered the last reply, and that reply.
    pub last_nudged: Option<(String, String)>,
    /// Whether an answer was returned for its claims about the files.
    pub put_back: bool,
    /// Whether it was nudged for proposing the end too early.
    pub nudged_end: bool,
    /// How long the provider asked to wait before the retry, in milliseconds.
    pub retry_after_ms: Option<u64>,
}

/// Tokens and calls of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CallBook {
    /// Calls that were started and not answered, with their reserves.
    pub open: BTreeMap<CallId, OpenCall>,
    /// Calls that failed or were rejected and are not finished; keyed by their first attempt.
    pub troubled: BTreeMap<CallId, CallHistory>,
    /// Calls that were written to files to be answered by hand, in that order: the first is call 1.
    pub by_hand: Vec<CallId>,
    /// Tokens of answered calls, including rejected replies.
    pub used: Usage,
    /// Tokens of answered calls, by full role name.
    pub by_member: BTreeMap<RoleId, Usage>,
    /// Names of the models that answered, by member.
    pub models: BTreeMap<RoleId, BTreeSet<String>>,
    /// Number of answered calls, including rejected replies.
    pub answered: u64,
    /// Number of calls that failed.
    pub failed: u64,
    /// Number of replies that were rejected.
    pub rejected: u64,
    /// Reserves of calls that failed or were lost with a process; counted in full.
    pub lost: u64,
    /// Cost of answered calls whose model has a price.
    pub spent: Usd,
    /// The cost part of `lost`.
    pub lost_usd: Usd,
    /// Milliseconds spent waiting for answered calls, summed over calls.
    pub latency_ms: u64,
    /// The largest ratio of input tokens to a thousand bytes of prompt seen so far.
    pub tokens_per_kilobyte: u64,
    /// Most tokens of one answer, by requested model; some models exceed their limit.
    pub longest: BTreeMap<String, u64>,
    /// Most tokens of one document or of the report's words.
    pub longest_closing: u64,
    /// Most reasoning tokens of one answer, by requested model.
    pub thought: BTreeMap<String, u64>,
    /// What answers revealed about their endpoint, by provider and requested model.
    pub known: BTreeMap<(String, String), EndpointRecord>,
}

impl CallBook {
    /// Maximum room for reasoning tokens, as a multiple of the usual answer size.
    const MAX_THOUGHT: u64 = 4;

    /// Returns the record of a model's endpoint.
    pub fn known(&self, provider: &str, model: &str) -> EndpointRecord {
        let asked = (provider.to_owned(), model.to_owned());
        self.known.get(&asked).cloned().unwrap_or_default()
    }

    /// Returns whether a reply to this call was already rejected; a reply is returned for
    /// improvement only once.
    pub fn was_rejected(&self, call: &CallId) -> bool {
        let history = self.troubled.get(&call.first());
        history.is_some_and(|history| history.rejections > 0)
    }

    /// Returns the output limit of the next attempt, in tokens. It is the usual limit plus the
    /// reasoning tokens seen from this model, since providers count both; twice that after a
    /// cut-off reply; only the usual limit if the provider refuses more.
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
    /// Unusable replies after which a call is given up: the first one, and one after being told its
    /// faults.
    pub const MAX_REJECTIONS: u32 = 2;
    /// Cut-off replies after which a call is given up: the first, one with a larger limit, one
    /// asked to be shorter.
    pub const MAX_CUTS: u32 = 3;
    /// Refusals after which a call is given up: gateways make mistakes, so the first one is
    /// retried.
    pub const MAX_REFUSALS: u32 = 2;

    /// Returns whether the maximum number of unusable replies is reached.
    pub fn is_unusable(&self) -> bool {
        self.rejections >= Self::MAX_REJECTIONS || self.cuts >= Self::MAX_CUTS
    }

    /// Returns whether the maximum number of provider failures is reached.
    pub fn is_unavailable(&self, max_failures: u32) -> bool {
        self.refusals >= Self::MAX_REFUSALS || self.failures >= max_failures
    }

    /// Returns the reason, as text, why only this call is given up while others may still succeed.
    ///
    /// A provider that is down, or refuses the key, fails every call; that is no reason to give up
    /// this one.
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

    /// Returns the length that the prompt of the next attempt asks for, in tokens: the usual one,
    /// or half of it if a larger limit did not help. It never grows with the limit.
    pub fn room(&self, usual: u64) -> u64 {
        if self.cuts > 1 || (self.cuts > 0 && self.larger_refused) {
            usual / 2
        } else {
            usual
        }
    }

    /// Returns whether the next attempt differs from the first only in a larger limit.
    pub fn only_needs_room(&self) -> bool {
        self.cuts == 1 && self.rejections == 0 && !self.larger_refused
    }

    /// Resets the counters when a new process resumes the run, so that everything may be retried;
    /// keeps what the prompt shows.
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
