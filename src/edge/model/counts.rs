//! Token counts of an answer, in every place where an endpoint may send them.

use serde_json::Value;

use crate::chat::Usage;

/// Tokens counted by the provider; a later count replaces an earlier one.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counts {
    /// Tokens sent, including cached ones.
    pub(super) input: Option<u64>,
    pub(super) cached: Option<u64>,
    /// Tokens received, including reasoning.
    pub(super) output: Option<u64>,
    pub(super) reasoning: Option<u64>,
}

/// Where a piece of an answer may contain counts, for all dialects, as JSON pointers. The last one
/// is the piece itself (Ollama); the one in a choice is Moonshot's.
const PLACES: &[&str] = &[
    "/usage",
    "/usageMetadata",
    "/message/usage",
    "/response/usage",
    "/delta/usage",
    "/choices/0/usage",
    "/x_groq/usage",
    "",
];

const INPUT: &[&str] = &[
    "/prompt_tokens",
    "/input_tokens",
    "/tokens/input_tokens",
    "/promptTokenCount",
    "/prompt_eval_count",
];
const OUTPUT: &[&str] = &[
    "/completion_tokens",
    "/output_tokens",
    "/tokens/output_tokens",
    "/candidatesTokenCount",
    "/eval_count",
];
const TOTAL: &[&str] = &["/total_tokens", "/totalTokenCount"];
/// The fourth is DeepSeek's, the fifth Moonshot's and Cohere's.
const CACHED: &[&str] = &[
    "/prompt_tokens_details/cached_tokens",
    "/input_tokens_details/cached_tokens",
    CACHE_READ,
    "/prompt_cache_hit_tokens",
    "/cached_tokens",
    "/cachedContentTokenCount",
];
const CACHE_READ: &str = "/cache_read_input_tokens";
/// Anthropic counts tokens written to the cache and read from it separately from `input_tokens`.
const BESIDE: &[&str] = &["/cache_creation_input_tokens", CACHE_READ];
const REASONING: &[&str] = &[
    "/completion_tokens_details/reasoning_tokens",
    "/output_tokens_details/reasoning_tokens",
    "/reasoning_tokens",
    THOUGHTS,
];
/// Gemini counts reasoning separately from the answer.
const THOUGHTS: &str = "/thoughtsTokenCount";

/// The value at a pointer. `Value::pointer` allocates for each step, and every word of an answer
/// may bring a piece.
fn at<'v>(value: &'v Value, pointer: &str) -> Option<&'v Value> {
    let mut steps = pointer.split('/').skip(1);
    steps.try_fold(value, |value, step| match step.parse::<usize>() {
        Ok(place) => value.get(place),
        Err(_) => value.get(step),
    })
}

impl Counts {
    /// The counts in one piece of an answer.
    pub(super) fn of(piece: &Value) -> Self {
        let mut counts = Self::default();
        for usage in PLACES.iter().filter_map(|place| at(piece, place)) {
            counts.update(Self::of_usage(usage));
        }
        counts
    }

    fn of_usage(usage: &Value) -> Self {
        let first = |fields: &[&str]| {
            let mut told = fields.iter().filter_map(|field| at(usage, field));
            told.find_map(number)
        };
        let mut input = first(INPUT);
        if usage.get("prompt_tokens").is_none() {
            let beside: u64 = BESIDE.iter().filter_map(|field| first(&[field])).sum();
            input = input.map(|rest| rest.saturating_add(beside));
        }
        // A prompt is never empty, and an answer rarely: zero means that nothing was counted.
        let mut input = input.filter(|count| *count > 0);
        let mut output = first(OUTPUT).filter(|count| *count > 0);
        let (total, reasoning) = (first(TOTAL), first(REASONING));
        output = output.or_else(|| first(&[THOUGHTS]).and(Some(0)));
        if let (Some(written), Some(thought)) = (output, reasoning) {
            let both = written.saturating_add(thought);
            let sent = input.unwrap_or_default();
            // xAI also counts reasoning separately, which only the total shows.
            if total == Some(sent.saturating_add(both)) || first(&[THOUGHTS]).is_some() {
                output = Some(both);
            }
        }
        let rest = |part: u64| Some(total?.saturating_sub(part)).filter(|rest| *rest > 0);
        match (input, output) {
            (Some(sent), None) => output = rest(sent),
            (None, Some(written)) => input = rest(written),
            _ => {}
        }
        Self {
            input,
            cached: first(CACHED).filter(|_| input.is_some()),
            output,
            reasoning,
        }
    }

    /// Updates this with a later count.
    pub(super) fn update(&mut self, later: Self) {
        self.input = later.input.or(self.input);
        self.cached = later.cached.or(self.cached);
        self.output = later.output.or(self.output);
        self.reasoning = later.reasoning.or(self.reasoning);
    }

    /// The usage, with `estimate` for missing counts and zeros.
    pub(super) fn usage(self, estimate: Usage) -> Usage {
        let told = |count: Option<u64>| count.filter(|count| *count > 0);
        let input = told(self.input).unwrap_or(estimate.input);
        let output = told(self.output).unwrap_or(estimate.output);
        let reasoning = match told(self.output) {
            Some(_) => self.reasoning.unwrap_or(0),
            None => told(self.reasoning).unwrap_or(estimate.reasoning),
        };
        Usage {
            input,
            cached_input: self.cached.unwrap_or(0).min(input),
            output,
            reasoning: reasoning.min(output),
            estimated: told(self.input).is_none() && estimate.input > 0
                || told(self.output).is_none() && estimate.output > 0,
        }
    }
}

/// Parses a count: a number, whole or not, or a text with a number.
fn number(value: &Value) -> Option<u64> {
    let whole = |number: f64| (number >= 0.0).then_some(number as u64);
    match value {
        Value::Number(number) => number.as_u64().or_else(|| whole(number.as_f64()?)),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn counts_are_found_wherever_they_stand() {
        let count = |n: u64| Some(n);
        for (piece, wanted) in [
            (
                json!({"usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15,
                    "prompt_tokens_details": {"cached_tokens": 4},
                    "completion_tokens_details": {"reasoning_tokens": 2}}}),
                (count(10), count(4), count(5), count(2)),
            ),
            (
                json!({"usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 17,
                    "completion_tokens_details": {"reasoning_tokens": 2}}}),
                (count(10), None, count(7), count(2)),
            ),
            (
                json!({"usage": {"prompt_tokens": 10, "completion_tokens": 5,
                    "prompt_cache_hit_tokens": 8, "prompt_cache_miss_tokens": 2}}),
                (count(10), count(8), count(5), None),
            ),
            (
                json!({"choices": [{"usage": {"prompt_tokens": 3, "completion_tokens": 1, "cached_tokens": 2}}]}),
                (count(3), count(2), count(1), None),
            ),
            (
                json!({"type": "message_start", "message": {"usage": {"input_tokens": 5,
                    "cache_creation_input_tokens": 20, "cache_read_input_tokens": 75, "output_tokens": 1}}}),
                (count(100), count(75), count(1), None),
            ),
            (
                json!({"response": {"usage": {"input_tokens": 30, "output_tokens": 12,
                    "input_tokens_details": {"cached_tokens": 20},
                    "output_tokens_details": {"reasoning_tokens": 5}}}}),
                (count(30), count(20), count(12), count(5)),
            ),
            (
                json!({"usageMetadata": {"promptTokenCount": 9, "candidatesTokenCount": 2,
                    "thoughtsTokenCount": 4, "cachedContentTokenCount": 3}}),
                (count(9), count(3), count(6), count(4)),
            ),
            (
                json!({"type": "message-end", "delta": {"usage": {"billed_units": {"input_tokens": 7},
                    "tokens": {"input_tokens": 9, "output_tokens": 2}, "cached_tokens": 3}}}),
                (count(9), count(3), count(2), None),
            ),
            (
                json!({"done": true, "prompt_eval_count": 26, "eval_count": 4}),
                (count(26), None, count(4), None),
            ),
            (
                json!({"usage": {"prompt_tokens": 10.0, "completion_tokens": "5"}}),
                (count(10), None, count(5), None),
            ),
            (
                json!({"usage": {"prompt_tokens": 0, "completion_tokens": 5, "total_tokens": 25}}),
                (count(20), None, count(5), None),
            ),
            (
                json!({"usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}}),
                (None, None, None, None),
            ),
            (
                json!({"usage": {"prompt_tokens": -1, "completion_tokens": null}}),
                (None, None, None, None),
            ),
            (json!({"usage": null}), (None, None, None, None)),
        ] {
            let Counts {
                input,
                cached,
                output,
                reasoning,
            } = Counts::of(&piece);
            assert_eq!((input, cached, output, reasoning), wanted, "{piece}");
        }
    }

    #[test]
    fn what_nobody_counted_is_estimated_and_says_so() {
        let estimate = Usage {
            input: 9,
            output: 8,
            reasoning: 3,
            ..Usage::default()
        };
        for (input, output, wanted) in [
            (None, None, (9, 8, 3, true)),
            (Some(0), Some(0), (9, 8, 3, true)),
            (Some(4), Some(0), (4, 8, 3, true)),
            (Some(0), Some(2), (9, 2, 0, true)),
            (Some(4), Some(2), (4, 2, 0, false)),
        ] {
            let counts = Counts {
                input,
                output,
                ..Counts::default()
            };
            let usage = counts.usage(estimate);
            let found = (usage.input, usage.output, usage.reasoning, usage.estimated);
            assert_eq!(found, wanted, "{counts:?}");
        }
        // An empty answer needs no count.
        let counts = Counts {
            input: Some(4),
            cached: Some(7),
            ..Counts::default()
        };
        let usage = counts.usage(Usage::default());
        assert_eq!((usage.cached_input, usage.estimated), (4, false));
    }
}
