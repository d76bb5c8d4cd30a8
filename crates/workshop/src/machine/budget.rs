//! Budget caps: what a call may cost before it is made, and what is kept in reserve.
//!
//! Both caps, on tokens and on money, use the same upper bound per call. A call's bound counts as
//! spent from its start, so that parallel calls cannot exceed a cap together that each alone would
//! respect.

use super::event::StopUnit;
use super::price::Usd;
use super::state::{CallBook, OpenCall, State};
use crate::call::CallId;

/// Upper bound of the cost of one call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reserve {
    /// Tokens of the prompt and of the longest possible answer.
    pub tokens: u64,
    /// Money; `None` if the model has no price.
    pub usd: Option<Usd>,
    /// Expected tokens of the closing that follows, documents and report together.
    pub closing_tokens: u64,
    /// Expected cost of the closing.
    pub closing_usd: Option<Usd>,
}

/// Tokens of a document as long as this run has not written any.
const USUAL_DOCUMENT: u64 = 4096;

impl Reserve {
    /// Computes the bound for a call to a model over a network.
    ///
    /// A token has at least one byte, so the bytes of a prompt bound its tokens. Once the provider
    /// has counted a few prompts of this run, the bound is its own ratio plus a third. Programs add
    /// context of their own, and some endpoints write more than requested; from then on the longest
    /// answer seen is the bound.
    pub fn of(state: &State, call: &CallId, prompt_bytes: u64, max_output_tokens: u64) -> Self {
        let seen = state.calls.tokens_per_kilobyte;
        let learned = seen.saturating_mul(4).div_ceil(3);
        let bound = match seen {
            1001.. => learned,
            1.. if state.calls.answered >= 3 => learned.min(1000),
            _ => 1000,
        };
        let prompt = prompt_bytes.saturating_mul(bound).div_ceil(1000);
        let model = state.inputs.model_of(&call.member);
        let longest = state.calls.longest.get(&model.model).copied();
        let answer = max_output_tokens.max(longest.unwrap_or(0));
        let calls = state.document_kinds().len() as u64 + 1;
        // There is room for one answer of maximum length; the others are assumed to be as long as
        // the longest document so far, plus a third. About half of the others read a document.
        let usual = USUAL_DOCUMENT.min(max_output_tokens);
        let document = state.calls.longest_closing.max(usual);
        let document = document.saturating_mul(4).div_ceil(3);
        // An expectation, not a bound: a token has about two and a half bytes.
        let expected = match seen {
            0 => 400,
            _ => learned,
        };
        let read = prompt_bytes
            .saturating_mul(expected)
            .div_ceil(1000)
            .saturating_add(document.saturating_mul(calls / 2))
            .saturating_mul(calls);
        let written = document
            .saturating_mul(calls)
            .saturating_add(answer.saturating_sub(document));
        Self {
            tokens: prompt.saturating_add(answer),
            usd: model.price.map(|price| price.most(prompt, answer)),
            closing_tokens: read.saturating_add(written),
            closing_usd: model.price.map(|price| price.most(read, written)),
        }
    }

    /// Returns the cost together with that of another call.
    pub fn and(self, other: Self) -> Self {
        let usd = |one: Self| one.usd.unwrap_or_default();
        let has_price = self.usd.or(other.usd).is_some();
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            usd: has_price.then(|| usd(self).saturating_add(usd(other))),
            ..self
        }
    }

    /// Returns the cost together with everything that follows the discussion.
    fn with_closing(self) -> Self {
        let usd = self
            .usd
            .map(|usd| usd.saturating_add(self.closing_usd.unwrap_or_default()));
        Self {
            tokens: self.tokens.saturating_add(self.closing_tokens),
            usd,
            ..self
        }
    }
}

impl CallBook {
    /// Returns the calls that wait for a reply by hand, with their numbers.
    pub fn waiting_by_hand(&self) -> impl Iterator<Item = (u32, &CallId)> {
        let numbered = (1..).zip(&self.by_hand);
        numbered.filter(|(_, call)| self.open.contains_key(call))
    }

    /// Returns the tokens that count against the cap: used, lost, and reserved by open calls.
    pub fn committed(&self) -> u64 {
        self.open
            .values()
            .fold(self.used.total().saturating_add(self.lost), |sum, open| {
                sum.saturating_add(open.reserve)
            })
    }

    /// Returns the money that counts against the budget, like the tokens of
    /// [`CallBook::committed`].
    pub fn committed_usd(&self) -> Usd {
        let sum = self.spent.saturating_add(self.lost_usd);
        self.open
            .values()
            .fold(sum, |sum, open| sum.saturating_add(open.reserve_usd))
    }

    /// Counts the sub-questions of a call without an answer in full.
    pub(super) fn lose_questions(&mut self, call: &CallId) {
        let open = std::mem::take(&mut self.open).into_iter();
        let is_own = |one: &CallId| one.ask > 0 && one.unasking() == *call;
        let (own, rest): (Vec<_>, Vec<_>) = open.partition(|(one, _)| is_own(one));
        self.open = rest.into_iter().collect();
        own.iter().for_each(|(_, open)| self.lose(open));
    }

    /// Counts a call in full if it ended or was lost without a report of its cost.
    pub(super) fn lose(&mut self, open: &OpenCall) {
        self.lost = self.lost.saturating_add(open.reserve);
        self.lost_usd = self.lost_usd.saturating_add(open.reserve_usd);
    }
}

/// Returns whether a call of the closing may be made.
pub fn allows_closing(state: &State, reserve: Reserve) -> bool {
    passed_by(state, reserve).is_none()
}

/// Returns whether a call of the discussion may be made, with enough kept back for the closing.
pub fn allows_discussion(state: &State, reserve: Reserve) -> bool {
    passed_by_discussion(state, reserve).is_none()
}

/// Returns what a call of the discussion would exceed: unit, committed amount and cap; `None` if
/// the call may be made with enough kept back for the closing. Tokens are checked first.
pub(super) fn passed_by_discussion(
    state: &State,
    reserve: Reserve,
) -> Option<(StopUnit, (u64, u64))> {
    passed_by(state, reserve.with_closing())
}

/// Returns the committed amount and the cap, for each cap that is set: tokens, then money.
pub fn figures(state: &State) -> Vec<(StopUnit, (u64, u64))> {
    let (limits, calls) = (&state.inputs.rules.limits, &state.calls);
    let tokens = limits
        .max_tokens
        .map(|limit| (StopUnit::Tokens, (calls.committed(), limit)));
    let money = limits.budget_usd.map(|limit| {
        let spent = calls.committed_usd().nanos();
        (StopUnit::NanoUsd, (spent, limit.nanos()))
    });
    tokens.into_iter().chain(money).collect()
}

/// Returns whether `limit` is the cap on money rather than on tokens.
pub fn is_money(state: &State, limit: u64) -> bool {
    let limits = &state.inputs.rules.limits;
    limits.max_tokens != Some(limit) && limits.budget_usd.is_some_and(|usd| usd.nanos() == limit)
}

/// Returns the cost of the answered calls; `None` unless every model that answered has a price.
///
/// Embeddings have no price, so the cost is unknown if any were requested.
pub fn cost(state: &State) -> Option<Usd> {
    let mut asked = state
        .calls
        .by_member
        .iter()
        .filter(|(_, usage)| usage.total() > 0)
        .map(|(member, _)| state.inputs.model_of(member))
        .peekable();
    asked.peek()?;
    let vectors = state
        .discussion
        .measurements
        .values()
        .any(|one| one.asked.is_some());
    (asked.all(|choice| choice.price.is_some()) && !vectors).then_some(state.calls.spent)
}

/// Returns unit, committed amount and cap of the first cap that `more` would exceed.
fn passed_by(state: &State, more: Reserve) -> Option<(StopUnit, (u64, u64))> {
    figures(state).into_iter().find(|(unit, (committed, cap))| {
        let more = match unit {
            StopUnit::NanoUsd => more.usd.map(Usd::nanos),
            _ => Some(more.tokens),
        };
        more.is_some_and(|more| committed.saturating_add(more) > *cap)
    })
}
