//! Caps: what a call may cost before it is made, and what must be kept back.
//!
//! Two ceilings, tokens and money, are held against the same bound of every call.
//! What a call may cost counts as spent from its start, so that calls side by side
//! cannot pass together what each of them would not pass alone.

use super::call::CallId;
use super::event::Unit;
use super::price::Usd;
use super::state::{CallBook, OpenCall, State};

/// Upper bound of what one call can cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reserve {
    /// Tokens of prompt and largest answer.
    pub tokens: u64,
    /// Money; `None` if the model has no price.
    pub usd: Option<Usd>,
    /// What the closing is expected to cost afterwards, documents and report together.
    pub closing_tokens: u64,
    /// The money for it.
    pub closing_usd: Option<Usd>,
}

/// Tokens of a document, while none of the run is written.
const USUAL_DOCUMENT: u64 = 4096;

impl Reserve {
    /// Bounds a call of a model that is asked over a network.
    ///
    /// A token is at least one byte, so the bytes of a prompt bound its tokens; once
    /// the provider has counted a few prompts of this run, its own ratio with a
    /// margin of a third is the bound. A program adds a context of its own, and some
    /// endpoints write more than they were asked for: what was seen once is expected
    /// from then on.
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
        // Of the largest answer there is room for one; the others are as long as documents
        // were so far, with a third on top. A document is read by about half of the others.
        let usual = USUAL_DOCUMENT.min(max_output_tokens);
        let document = state.calls.longest_closing.max(usual);
        let document = document.saturating_mul(4).div_ceil(3);
        // It is expected, not bounded: a token is about two and a half bytes.
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

    /// What it costs together with another call.
    pub fn and(self, other: Self) -> Self {
        let usd = |one: Self| one.usd.unwrap_or_default();
        let has_price = self.usd.or(other.usd).is_some();
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            usd: has_price.then(|| usd(self).saturating_add(usd(other))),
            ..self
        }
    }

    /// What it costs with everything that comes after the discussion.
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
    /// Calls that wait for a reply by hand, with their numbers.
    pub fn waiting_by_hand(&self) -> impl Iterator<Item = (u32, &CallId)> {
        let numbered = (1..).zip(&self.by_hand);
        numbered.filter(|(_, call)| self.open.contains_key(call))
    }

    /// Tokens that count against the cap: used, lost, and reserved by open calls.
    pub fn committed(&self) -> u64 {
        self.open
            .values()
            .fold(self.used.total().saturating_add(self.lost), |sum, open| {
                sum.saturating_add(open.reserve)
            })
    }

    /// Money that counts against the budget, as [`CallBook::committed`] counts tokens.
    pub fn committed_usd(&self) -> Usd {
        let sum = self.spent.saturating_add(self.lost_usd);
        self.open
            .values()
            .fold(sum, |sum, open| sum.saturating_add(open.reserve_usd))
    }

    /// Questions of a call that brought no answer count in full.
    pub(super) fn lose_questions(&mut self, call: &CallId) {
        let open = std::mem::take(&mut self.open).into_iter();
        let is_own = |one: &CallId| one.ask > 0 && one.unasking() == *call;
        let (own, rest): (Vec<_>, Vec<_>) = open.partition(|(one, _)| is_own(one));
        self.open = rest.into_iter().collect();
        own.iter().for_each(|(_, open)| self.lose(open));
    }

    /// A call ended, or was lost, and nobody says what it cost: it counts in full.
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

/// Figure and limit of the ceiling that a call of the discussion would pass, with
/// enough kept back for the closing, and what they count; `None` if it may be made. Tokens
/// first.
pub(super) fn passed_by_discussion(state: &State, reserve: Reserve) -> Option<(Unit, (u64, u64))> {
    passed_by(state, reserve.with_closing())
}

/// What is committed and the limit, for each ceiling that is set: tokens, then money.
pub fn figures(state: &State) -> Vec<(Unit, (u64, u64))> {
    let (limits, calls) = (&state.inputs.limits, &state.calls);
    let tokens = limits
        .max_tokens
        .map(|limit| (Unit::Tokens, (calls.committed(), limit)));
    let money = limits.budget_usd.map(|limit| {
        let spent = calls.committed_usd().nanos();
        (Unit::NanoUsd, (spent, limit.nanos()))
    });
    tokens.into_iter().chain(money).collect()
}

/// Returns whether this is the limit of money, and not of tokens.
pub fn is_money(state: &State, limit: u64) -> bool {
    let limits = &state.inputs.limits;
    limits.max_tokens != Some(limit) && limits.budget_usd.is_some_and(|usd| usd.nanos() == limit)
}

/// What the answered calls cost; none unless every model that answered has a price.
///
/// Vectors of texts have no price, so where some were asked for, nobody knows.
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

/// Figure and limit of the first ceiling that `more` would pass.
fn passed_by(state: &State, more: Reserve) -> Option<(Unit, (u64, u64))> {
    let limits = &state.inputs.limits;
    let tokens = state.calls.committed();
    if let Some(cap) = limits.max_tokens
        && tokens.saturating_add(more.tokens) > cap
    {
        return Some((Unit::Tokens, (tokens, cap)));
    }
    let usd = state.calls.committed_usd();
    let cap = limits.budget_usd?;
    (usd.saturating_add(more.usd?) > cap).then(|| (Unit::NanoUsd, (usd.nanos(), cap.nanos())))
}
