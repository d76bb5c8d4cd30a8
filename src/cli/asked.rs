//! `aitc models --ask FILE`: one question to the model, outside of any run.
//!
//! For scripts that hold what a workshop makes against what one prompt makes, see
//! `scripts/study`. Nothing is written.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::models::{self, Chosen};
use super::{CliError, Context, Exit, consent, key, requirement};
use crate::chat::{AnswerSchema, ChatRequest, ChatRole, EndpointRecord, Message, Schema, Usage};
use crate::config::Config;
use crate::edge::doors::Kind;
use crate::edge::model::Models;
use crate::fault::models::QUESTION_UNANSWERED;
use crate::fault::{recorded, values};
use crate::machine::{CallId, Purpose, Scope};
use crate::role::RoleId;

/// What is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    prompt: String,
    /// JSON Schema of the answer, an object.
    schema: Map<String, Value>,
}

/// What was answered.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskedDocument {
    /// The member that was asked.
    provider: String,
    /// Its model.
    model: String,
    /// The answer as it came, less secrets.
    text: String,
    /// Tokens.
    usage: Usage,
}

/// Asks the model of a new run the question in `file`, and prints the answer.
///
/// # Errors
/// The file is no question, or the model does not answer.
pub async fn ask(
    file: &Path,
    chosen: &Chosen,
    config: &Config,
    context: &Context,
) -> Result<Exit, CliError> {
    let question = read(file, context)?;
    let found = &chosen.main;
    let tree = consent::tree(config.grounding.depth, context);
    let mut all = Models::new();
    models::connect(found, tree.as_deref(), config, context, &mut all).await?;
    let unanswered =
        |detail: &str| QUESTION_UNANSWERED.with(values![detail = recorded::message(detail)]);
    let model = all
        .remove(&found.provider)
        .ok_or_else(|| unanswered(&found.provider))?;
    // It lives as long as the process, which asks nothing else.
    let schema: &Schema = Box::leak(Box::new(Value::Object(question.schema).into()));
    let request = ChatRequest {
        call: CallId::new(
            Scope::Root,
            Purpose::Judgment,
            RoleId("Coach".to_owned()),
            0,
            1,
        ),
        model: found.model.clone(),
        messages: vec![Message {
            role: ChatRole::User,
            content: question.prompt.into(),
        }],
        schema: AnswerSchema::new("answer", schema),
        max_output_tokens: config.limits.max_output_tokens,
        temperature: config.temperature,
        seed: None,
        known: EndpointRecord::default(),
    };
    let response = model.chat(&request).await;
    let response = response.map_err(|failure| unanswered(&failure.detail))?;
    let text = key::redactor(config, context).redact(&response.text);
    context.done(
        &text,
        &AskedDocument {
            provider: found.provider.clone(),
            model: found.model.clone(),
            text: text.clone(),
            usage: response.usage,
        },
    )
}

fn read(file: &Path, context: &Context) -> Result<Question, CliError> {
    let (name, bytes) = requirement::read(file, Kind::Words, context)?;
    serde_json::from_slice(&bytes)
        .map_err(|error| requirement::unreadable(&name, &error.to_string()))
}
