//! What an endpoint takes, found out by what it refuses.
//!
//! Which member of a family of endpoints answers is neither asked nor
//! configured: the best form is sent first, and a refusal that names its reason
//! (see `refusals`) steps down to the next one. An answer that a held endpoint could never
//! have written says that the form was ignored, which teaches the same. What was learned of a
//! model holds for every later call of the same client, goes on record with its answers,
//! and comes back with the requests of a process that takes the run up again.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use reqwest::StatusCode;

use super::providers::{MAX_COMPLETION_TOKENS, MAX_TOKENS, Quirks};
use super::refusals::{Asked, Refusal};
use crate::chat::{
    AnswerFormat, AnswerRoom, AnswerSchema, ChatRequest, EndpointRecord, Part, Schema, Terms,
};

/// Fewer tokens hold no answer: then it is the prompt that does not fit.
const LEAST_ROOM: u64 = 256;

/// The form of one request.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shape {
    quirks: Quirks,
    /// How the answer is held to its schema.
    pub(super) format: AnswerFormat,
    /// What was refused before.
    pub(super) terms: Terms,
}

impl Shape {
    /// Is this part sent?
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

    /// What the limit of the answer is called.
    pub(super) fn limit(&self) -> &'static str {
        match self.quirks.limit {
            known if self.takes(Part::LimitName) => known,
            MAX_TOKENS => MAX_COMPLETION_TOKENS,
            _ => MAX_TOKENS,
        }
    }

    /// The limit of the answer, in tokens: what is asked for, or what there is room for.
    pub(super) fn tokens(&self, request: &ChatRequest) -> u64 {
        let asked = request.max_output_tokens;
        let room = self.terms.room;
        room.map_or(asked, |room| {
            asked.min(room.left(bytes(request)).max(LEAST_ROOM))
        })
    }

    /// The sampling temperature, where one is sent.
    pub(super) fn temperature(&self, request: &ChatRequest) -> Option<f64> {
        request
            .temperature
            .filter(|_| self.takes(Part::Temperature))
    }

    /// The sampling seed with its name, where one is sent.
    pub(super) fn seed(&self, request: &ChatRequest) -> Option<(&'static str, u64)> {
        let name = self.quirks.seed.filter(|_| self.takes(Part::Seed))?;
        Some((name, request.seed?))
    }

    /// Has the prompt to say what the schema is?
    pub(super) fn schema_in_prompt(&self) -> bool {
        self.format > AnswerFormat::ToolCall
    }

    /// The schema to send.
    pub(super) fn schema(&self, answer: AnswerSchema) -> &'static Schema {
        match self.takes(Part::Lengths) {
            true => answer.bounded,
            false => answer.schema,
        }
    }

    /// Was this asked for, so that it can be refused?
    fn sends(&self, asked: Asked, request: &ChatRequest) -> bool {
        match asked {
            Asked::Room | Asked::Format => true,
            Asked::Part(part) => {
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

/// Bytes of the prompt, by which its tokens are told.
fn bytes(request: &ChatRequest) -> u64 {
    request
        .messages
        .iter()
        .map(|message| message.content.len() as u64)
        .sum()
}

/// What is known of an endpoint so far, by the model asked; shared by side-by-side calls.
#[derive(Debug)]
pub(super) struct Capabilities {
    quirks: Quirks,
    ladder: &'static [AnswerFormat],
    known: Mutex<BTreeMap<String, EndpointRecord>>,
}

impl Capabilities {
    /// Begins with what is known of the provider; `ladder` is what its dialect can ask for.
    pub(super) fn new(quirks: Quirks, ladder: &'static [AnswerFormat]) -> Self {
        Self {
            quirks,
            ladder,
            known: Mutex::default(),
        }
    }

    /// The form to send.
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

    /// Was `sent` refused for its form, so that the next form is worth a try?
    ///
    /// Every form is given up at most once, and a limit only falls, so a call that asks
    /// again while this says yes comes to an end.
    pub(super) fn learns(
        &self,
        sent: &Shape,
        request: &ChatRequest,
        status: StatusCode,
        body: &str,
    ) -> bool {
        let refusal = Refusal::new(status, body);
        // The form of the answer is what endpoints take least often.
        let guess = || refusal.is_vague().then_some(Asked::Format);
        let part = refusal.part(|asked| sent.sends(asked, request));
        let Some(asked) = part.or_else(guess) else {
            return false;
        };
        let mut all = self.lock();
        let known = all.entry(request.model.clone()).or_default();
        let part = match asked {
            Asked::Format => return self.step_down(known, |format| format > sent.format),
            Asked::Room => {
                let room = lowered(&refusal, sent.tokens(request), bytes(request));
                known.terms.room = room.or(known.terms.room);
                return room.is_some();
            }
            Asked::Part(part) => part,
        };
        known.terms.left_out.insert(part);
        true
    }

    /// Every form was refused without a reason, so it was none of them: from now on the
    /// answer is asked for in the form of `first` again.
    pub(super) fn guessed_wrong(
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

    /// An answer came that a held endpoint could not have written: from now on the
    /// schema stands in the prompt.
    pub(super) fn ignored(&self, sent: &Shape, request: &ChatRequest) {
        let mut all = self.lock();
        let known = all.entry(request.model.clone()).or_default();
        self.step_down(known, |format| {
            format > sent.format && format > AnswerFormat::ToolCall
        });
    }

    /// Takes the next form that is `wanted`, unless a later one is in use already.
    fn step_down(&self, known: &mut EndpointRecord, wanted: impl Fn(AnswerFormat) -> bool) -> bool {
        let next = self.ladder.iter().copied().find(|format| wanted(*format));
        known.format = known.format.max(next);
        next.is_some()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, EndpointRecord>> {
        // Nothing that is held here can be left half done.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The room for an answer that a refusal of `asked` tokens leaves, by the numbers it names,
/// else half of that; `None` if no answer would find room.
fn lowered(refusal: &Refusal, asked: u64, bytes: u64) -> Option<AnswerRoom> {
    let mut numbers = refusal.numbers();
    let names_asked = numbers.contains(&asked);
    // The sum of prompt and answer says no more than its parts.
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
/// Does a refusal name no cause, so that what is tried next is a guess?
pub(super) fn is_guess(status: StatusCode, body: &str) -> bool {
    Refusal::new(status, body).is_vague()
}
