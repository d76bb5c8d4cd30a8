//! Caps: what a call may cost before it is made, and what must be kept back.

use super::state::State;

/// Upper bound of the tokens a call can cost.
///
/// A token is at least one byte, so the bytes of a prompt bound its tokens; once
/// the provider has counted a few prompts of this run, its own ratio with a
/// margin of a third is the bound.
pub fn reserve(state: &State, prompt_bytes: u64, max_output_tokens: u64) -> u64 {
    let seen = state.calls.tokens_per_kilobyte;
    let prompt = if state.calls.answered >= 3 && seen > 0 {
        let bound = seen.saturating_mul(4).div_ceil(3).min(1000);
        prompt_bytes.saturating_mul(bound).div_ceil(1000)
    } else {
        prompt_bytes
    };
    prompt.saturating_add(max_output_tokens)
}

/// May a call of the discussion be made, with enough kept back for the closing?
pub fn allows_discussion(state: &State, reserve: u64) -> bool {
    let closing = state.document_kinds().len() as u64 + 1;
    allows(state, reserve.saturating_mul(closing + 1))
}

/// May a call of the closing be made?
pub fn allows_closing(state: &State, reserve: u64) -> bool {
    allows(state, reserve)
}

fn allows(state: &State, more: u64) -> bool {
    state
        .inputs
        .limits
        .max_tokens
        .is_none_or(|cap| state.calls.committed().saturating_add(more) <= cap)
}
