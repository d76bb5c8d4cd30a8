//! Learns the request form that an endpoint accepts, from its refusals.
//!
//! The software of an endpoint is neither detected nor configured: the best form is sent first, and
//! a refusal with a reason (see `refusals`) leads to the next one. An answer that does not follow
//! the format shows that the endpoint ignored it, with the same effect. What was learned about a
//! model applies to all later calls of the same client, is recorded with its answers, and is
//! restored when a run is resumed.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use reqwest::StatusCode;

use super::providers::{MAX_COMPLETION_TOKENS, MAX_TOKENS, Quirks};
use super::refusals::{Refusable, Refusal};
use crate::chat::{
    AnswerFormat, AnswerRoom, AnswerSchema, ChatRequest, EndpointRecord, Part, Schema, Terms,
};

/// Minimum tokens for an answer; with fewer, the prompt is too long.
const LEAST_ROOM: u64 = 256;

/// The form of one request.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape {
    quirks: Quirks,
    /// How the answer is made to follow its schema.
    pub(super) format: AnswerFormat,
    /// What was refused before.
    pub(super) terms: Terms,
}

impl Shape {
    /// Whether this part is sent.
    pub(super) fn takes(&self, part: Part) -> bool {
        let usual = match part {
            Part::Stream => self.quirks.streams,
            Part::Lengths => self.quirks.lengths,
            Part::SystemRole => self.quirks.system,
            Part::Seed => self.quirks.seed.is_some(),
            _ => true,
        };
        usual && !self.terms.left_out.contains(&part)
    }

    /// Name of the answer's limit.
    pub(super) fn limit(&self) -> &'static str {
        match self.quirks.limit {
            known if self.takes(Part::LimitName) => known,
            MAX_TOKENS => MAX_COMPLETION_TOKENS,
            _ => MAX_TOKENS,
        }
    }

    /// Limit of the answer in tokens: the requested one, or the space left for it.
    pub(super) fn tokens(&self, request: &ChatRequest) -> u64 {
        let asked = request.max_output_tokens;
        let room = self.terms.room;
        room.map_or(asked, |room| {
            asked.min(room.left(bytes(request)).max(LEAST_ROOM))
        })
    }

    /// The sampling temperature, if it is sent.
    pub(super) fn temperature(&self, request: &ChatRequest) -> Option<f64> {
        request
            .temperature
            .filter(|_| self.takes(Part::Temperature))
    }

    /// The name and value of the sampling seed, if it is sent.
    pub(super) fn seed(&self, request: &ChatRequest) -> Option<(&'static str, u64)> {
        let name = self.quirks.seed.filter(|_| self.takes(Part::Seed))?;
        Some((name, request.seed?))
    }

    /// Whether the prompt must contain the schema.
    pub(super) fn schema_in_prompt(&self) -> bool {
        self.format > AnswerFormat::ToolCall
    }

    pub(super) fn schema(&self, answer: AnswerSchema) -> &'static Schema {
        match self.takes(Part::Lengths) {
            true => answer.bounded,
            false => answer.schema,
        }
    }

    /// Whether the request contains this part, so that it can be refused.
    fn sends(&self, asked: Refusable, request: &ChatRequest) -> bool {
        match asked {
            Refusable::Room | Refusable::Format => true,
            Refusable::Part(part) => {
                let is_used = match part {
                    Part::StreamUsage => self.takes(Part::Stream),
                    Part::Temperature => request.temperature.is_some(),
                    Part::Seed => request.seed.is_some(),
                    Part::Lengths => !self.schema_in_prompt(),
                    _ => true,
                };
                is_used && self.takes(part)
            }
        }
    }
}

/// Bytes of the prompt, to estimate its tokens.
fn bytes(request: &ChatRequest) -> u64 {
    request
        .messages
        .iter()
        .map(|message| message.content.len() as u64)
        .sum()
}

/// What is known about an endpoint, by model; shared by concurrent calls.
#[derive(Debug)]
pub(super) struct Capabilities {
    quirks: Quirks,
    ladder: &'static [AnswerFormat],
    known: Mutex<BTreeMap<String, EndpointRecord>>,
}

impl Capabilities {
    /// Starts with the known quirks of the provider; `ladder` are the formats of its dialect.
    pub(super) fn new(quirks: Quirks, ladder: &'static [AnswerFormat]) -> Self {
        Self {
            quirks,
            ladder,
            known: Mutex::default(),
        }
    }

    pub(super) fn shape(&self, request: &ChatRequest) -> Shape {
        let mut all = self.lock();
        let known = all.entry(request.model.clone()).or_default();
        let room = known.terms.room;
        known.learn(request.known.format, &request.known.terms);
        known.terms.room = room.or(known.terms.room);
        let least = known
            .format
            .unwrap_or(self.quirks.format)
            .max(self.quirks.format);
        let format = self.ladder.iter().find(|format| **format >= least);
        Shape {
            quirks: self.quirks,
            format: format.copied().unwrap_or(AnswerFormat::Prompt),
            terms: known.terms.clone(),
        }
    }

    /// Learns from a refusal; returns whether the form was the cause and the next form is worth
    /// trying.
    ///
    /// Every form is given up at most once and limits only decrease, so a call that retries as long
    /// as this returns true comes to an end.
    pub(super) fn learn_from_refusal(
        &self,
        sent: &Shape,
        request: &ChatRequest,
        status: StatusCode,
        body: &str,
    ) -> bool {
        let refusal = Refusal::new(status, body);
        // The format of structured answers is what endpoints support least.
        let guess = || refusal.is_vague().then_some(Refusable::Format);
        let part = refusal.part(|asked| sent.sends(asked, request));
        let Some(asked) = part.or_else(guess) else {
            return false;
        };
        let mut all = self.lock();
        let known = all.entry(request.model.clone()).or_default();
        let part = match asked {
            Refusable::Format => return self.step_down(known, |format| format > sent.format),
            Refusable::Room => {
                let room = lowered(&refusal, sent.tokens(request), bytes(request));
                known.terms.room = room.or(known.terms.room);
                return room.is_some();
            }
            Refusable::Part(part) => part,
        };
        known.terms.left_out.insert(part);
        true
    }

    /// All forms were refused without a reason, so the form was not the cause: the format of
    /// `first` is used again from now on.
    pub(super) fn restore_format(
        &self,
        first: &Shape,
        request: &ChatRequest,
        status: StatusCode,
        body: &str,
    ) {
        if is_guess(status, body) {
            let mut all = self.lock();
            let known = all.entry(request.model.clone()).or_default();
            known.format = Some(first.format);
        }
    }

    /// The endpoint ignored the format: from now on the prompt contains the schema.
    pub(super) fn ignored(&self, sent: &Shape, request: &ChatRequest) {
        let mut all = self.lock();
        let known = all.entry(request.model.clone()).or_default();
        self.step_down(known, |format| {
            format > sent.format && format > AnswerFormat::ToolCall
        });
    }

    /// Switches to the next format that is `wanted`, unless a later one is already in use.
    fn step_down(&self, known: &mut EndpointRecord, wanted: impl Fn(AnswerFormat) -> bool) -> bool {
        let next = self.ladder.iter().copied().find(|format| wanted(*format));
        known.format = known.format.max(next);
        next.is_some()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, EndpointRecord>> {
        // A panic cannot leave the record inconsistent.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The space for an answer after a refusal of `asked` tokens: computed from the numbers in the
/// message, otherwise half of `asked`; `None` if no space is left.
fn lowered(refusal: &Refusal, asked: u64, bytes: u64) -> Option<AnswerRoom> {
    let mut numbers = refusal.numbers();
    let names_asked = numbers.contains(&asked);
    // The sum of prompt and answer adds no information to its parts.
    let parts = numbers.clone();
    numbers.retain(|total| {
        let prompt = total.checked_sub(asked).filter(|prompt| *prompt != asked);
        *total != asked && !prompt.is_some_and(|prompt| parts.contains(&prompt))
    });
    let mut others = numbers.clone();
    others.sort_unstable_by(|a, b| b.cmp(a));
    let shared = |window: u64, prompt: u64| {
        let fits = prompt < window && prompt + asked > window;
        let room = AnswerRoom {
            window,
            prompt,
            bytes,
        };
        fits.then_some(room)
    };
    let both = match (names_asked, others.as_slice()) {
        (true, &[window, ref prompts @ ..]) => {
            prompts.iter().find_map(|prompt| shared(window, *prompt))
        }
        // Prompt and answer in one number.
        (false, &[total, window, ..]) if total > asked && refusal.names_a_sum() => {
            shared(window, total - asked)
        }
        (false, &[window, prompt, ..]) => shared(window, prompt),
        _ => None,
    };
    let alone = || others.iter().copied().find(|most| *most < asked);
    let alone = alone().map(|most| most - u64::from(refusal.is_exclusive()));
    let room = both.unwrap_or_else(|| AnswerRoom {
        window: alone.unwrap_or(asked / 2),
        prompt: 0,
        bytes: 0,
    });
    (room.left(bytes) >= LEAST_ROOM).then_some(room)
}
/// Whether a refusal names no cause, so that the next form is a guess.
pub(super) fn is_guess(status: StatusCode, body: &str) -> bool {
    Refusal::new(status, body).is_vague()
}
