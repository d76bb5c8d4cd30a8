//! Provider-neutral types of a model call: request, message, response, usage. `aitc chat` has
//! nothing to do with it.
//!
//! Nothing here depends on a wire format. A request is a list of messages whose concatenation is
//! prefix-stable: what earlier calls of a run sent comes first, what is new comes last. Dialects
//! may join adjacent messages of one role, but never reorder them.

use std::collections::BTreeSet;
use std::ops::Deref;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;

use crate::call::CallId;

/// Who a message is from, in the sense of the wire protocols.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChatRole {
    /// Rules that hold for every member of a run.
    System,
    /// Everything else that is sent.
    User,
    /// A model's earlier answer; used only when a bad reply is asked again.
    Assistant,
}

/// One block of a prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "PromptMessage")]
pub struct Message {
    /// Role of the message in the chat.
    pub role: ChatRole,
    /// The text, Markdown. Each prompt of a round is the one before with more at its end:
    /// what they have in common is held once.
    #[serde(serialize_with = "as_text")]
    #[schemars(with = "String")]
    pub content: Arc<str>,
}

fn as_text<S: Serializer>(text: &Arc<str>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(text)
}

/// A JSON Schema with its serialized form, which is kept because every call is measured by it and
/// there are few different ones.
#[derive(Debug, Clone)]
pub struct Schema {
    value: Value,
    written: String,
}

impl From<Value> for Schema {
    fn from(value: Value) -> Self {
        let written = value.to_string();
        Self { value, written }
    }
}

impl Schema {
    /// The schema as JSON, without spaces.
    pub fn text(&self) -> &str {
        &self.written
    }
}

impl Deref for Schema {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.value
    }
}

impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Eq for Schema {}

impl Serialize for Schema {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(to)
    }
}

/// The JSON Schema that an answer must match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnswerSchema {
    /// Name sent to the provider, `[a-z_]+`.
    pub name: &'static str,
    /// The strict schema: every field is required, and nullable instead of optional.
    pub schema: &'static Schema,
    /// The same schema with length limits for texts and lists, for endpoints that accept them.
    pub bounded: &'static Schema,
}

impl AnswerSchema {
    /// A schema without length limits.
    pub fn new(name: &'static str, schema: &'static Schema) -> Self {
        Self {
            name,
            schema,
            bounded: schema,
        }
    }
}

/// Everything a provider needs for one call, except how to reach the model.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatRequest {
    /// The name of the call. Recorded fixtures are keyed by it; it is not sent to the provider.
    pub call: CallId,
    /// The provider's name for the model.
    pub model: String,
    /// The prompt, in order.
    pub messages: Vec<Message>,
    /// The schema that the answer must match.
    pub schema: AnswerSchema,
    /// Maximum length of the answer, in tokens.
    pub max_output_tokens: u64,
    /// Sampling temperature, if one was configured.
    pub temperature: Option<f64>,
    /// Sampling seed, if one was configured.
    pub seed: Option<u64>,
    /// What is known about the endpoint.
    pub known: EndpointRecord,
}

impl ChatResponse {
    /// A complete answer without any metadata, from a source that does not count tokens and has no
    /// endpoint.
    pub fn plain(text: String, model: &str) -> Self {
        Self {
            text,
            reasoning: None,
            finish: FinishReason::Stop,
            usage: Usage::default(),
            model: model.to_owned(),
            request_id: None,
            format: None,
            terms: EndpointLimits::default(),
        }
    }
}

/// Why a model stopped writing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// The model ended the answer itself.
    Stop,
    /// The answer was cut by its length limit: never a result.
    Length,
    /// A filter refused to go on.
    ContentFilter,
    /// Anything else, or nothing was said.
    Other,
}

/// Tokens of one call or of many; all counts are tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Tokens sent, cached ones included.
    pub input: u64,
    /// Of `input`, those the provider had cached.
    #[serde(default)]
    pub cached_input: u64,
    /// Tokens written, reasoning included.
    pub output: u64,
    /// Of `output`, those that were reasoning.
    #[serde(default)]
    pub reasoning: u64,
    /// Whether some of it was not counted by anybody and is estimated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

impl Usage {
    /// Input and output together. Limits apply to this number.
    pub fn total(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input = self.input.saturating_add(other.input);
        self.cached_input = self.cached_input.saturating_add(other.cached_input);
        self.output = self.output.saturating_add(other.output);
        self.reasoning = self.reasoning.saturating_add(other.reasoning);
        self.estimated = self.estimated || other.estimated;
    }
}

/// How a request held the answer to its schema, best first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum AnswerFormat {
    /// The endpoint is held to the schema.
    JsonSchema,
    /// The model has to call one tool, whose arguments are the answer.
    ToolCall,
    /// The endpoint is constrained to JSON; the schema is in the prompt.
    JsonObject,
    /// Only the prompt asks for it.
    Prompt,
}

/// A part of a request that an endpoint may refuse.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum RequestPart {
    /// The answer as a stream; without it, it comes whole.
    Stream,
    /// Counts of tokens at the end of a stream.
    StreamUsage,
    /// The usual name of the limit of an answer; it has another.
    LimitName,
    /// The field for the sampling temperature.
    Temperature,
    /// The field for the sampling seed.
    Seed,
    /// Marks of what is to be cached.
    CacheMarks,
    /// A turn of the system; what it says begins the first message.
    SystemRole,
    /// Lengths of texts and lists in the schema.
    Lengths,
}

/// What an endpoint turned out not to take; nothing, as a rule.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EndpointLimits {
    /// Parts that are left out of requests since it refused them.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub left_out: BTreeSet<RequestPart>,
    /// Tokens that it allows an answer, if they are fewer than were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<u64>,
}

impl EndpointLimits {
    /// Returns whether nothing was refused.
    pub fn is_empty(&self) -> bool {
        self.left_out.is_empty() && self.room.is_none()
    }
}

/// What earlier answers of a model showed about its endpoint.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EndpointRecord {
    /// How the last answer was held to its schema.
    pub format: Option<AnswerFormat>,
    /// Parts of a request that the endpoint refused.
    pub terms: EndpointLimits,
}

impl EndpointRecord {
    /// Adds what another answer shows. What was refused once is not sent again.
    pub fn learn(&mut self, format: Option<AnswerFormat>, terms: &EndpointLimits) {
        self.format = self.format.max(format);
        self.terms.left_out.extend(&terms.left_out);
        self.terms.room = terms.room.or(self.terms.room);
    }
}

/// A model's reply before it is parsed as an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatResponse {
    /// The text of the answer, without reasoning.
    pub text: String,
    /// Reasoning that the provider returned separately, if any.
    pub reasoning: Option<String>,
    /// Why the model stopped.
    pub finish: FinishReason,
    /// Token counts from the provider, or estimates if it sent none.
    pub usage: Usage,
    /// Model name in the provider's reply.
    pub model: String,
    /// The provider's id of the request, for its support.
    pub request_id: Option<String>,
    /// How the answer was held to its schema; `None` if no endpoint was asked.
    pub format: Option<AnswerFormat>,
    /// What the endpoint turned out not to accept.
    pub terms: EndpointLimits,
}
