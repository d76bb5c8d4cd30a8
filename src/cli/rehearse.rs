//! `plan --dry-run`: prints what a run would start with; nothing is sent or written.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::{Context, Exit, Fault};
use crate::chat::{ChatRequest, Message};
use crate::machine::{CallId, Inputs, Limits, ModelChoice, QuestionMode};
use crate::prompt;
use crate::role::RoleId;
use crate::ui::view;

/// Prints models, caps and the first prompt of every member on stdout.
pub fn print(inputs: &Inputs, requests: &[ChatRequest], context: &Context) -> Result<Exit, Fault> {
    let document = document(inputs, requests);
    let facts = facts(&document, inputs, requests);
    // Prompts stay as they are sent, on a terminal too.
    let text = view::list("rehearsal", &facts, &context.style_out(context.lang(None)));
    context.done(&text, &document)
}

/// Returns the document with what people are told besides: who is asked, how long each prompt is,
/// and how much of it is also in the prompt before.
fn facts(document: &RehearsalDocument, inputs: &Inputs, requests: &[ChatRequest]) -> Value {
    let mut facts = json!(document);
    facts["run"] = inputs.run().to_string().into();
    facts["light"] = inputs.light.into();
    let mut before: &[_] = &[];
    for (at, request) in requests.iter().enumerate() {
        let messages = request.messages.iter().zip(before);
        let same = messages.take_while(|(now, then)| now == then).count();
        let facts = &mut facts["prompts"][at];
        facts["code"] = inputs.roles.code(&request.call.member).into();
        facts["tokens"] = prompt::estimate_tokens(request).into();
        facts["same"] = same.into();
        before = &request.messages;
    }
    facts["budget"] = json!(inputs.rules.limits.budget_usd.map(|usd| usd.to_string()));
    facts
}

fn document(inputs: &Inputs, requests: &[ChatRequest]) -> RehearsalDocument {
    let prompts = requests.iter().map(|request| PromptDocument {
        call: request.call.clone(),
        member: request.call.member.clone(),
        model: inputs.model_of(&request.call.member).clone(),
        bytes: prompt::prompt_bytes(request),
        messages: request.messages.clone(),
    });
    RehearsalDocument {
        dry_run: true,
        version: inputs.version,
        limits: inputs.rules.limits.clone(),
        questions: inputs.questions,
        model: inputs.model.clone(),
        role_models: inputs.role_models.clone(),
        prompts: prompts.collect(),
    }
}

/// `aitc plan --dry-run --json`: how a run would begin.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RehearsalDocument {
    /// Always true: nothing was sent.
    dry_run: bool,
    /// The number it would get now.
    version: u32,
    /// Limits of the run.
    limits: Limits,
    /// What would happen to questions.
    questions: QuestionMode,
    /// Model of everybody who has none of their own.
    model: ModelChoice,
    /// Models by full role name.
    role_models: BTreeMap<String, ModelChoice>,
    /// The first prompt of every member.
    prompts: Vec<PromptDocument>,
}

/// A prompt that the run would send.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "FirstPrompt")]
struct PromptDocument {
    /// Id of the call.
    call: CallId,
    /// The member that is asked.
    member: RoleId,
    /// Model that the prompt would go to.
    model: ModelChoice,
    /// Size of the prompt in bytes.
    bytes: u64,
    /// Messages of the prompt.
    messages: Vec<Message>,
}
