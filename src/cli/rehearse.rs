//! `plan --dry-run`: prints what a run would start with; nothing is sent or written.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use super::context::{Context, OutputFormat};
use super::{CliError, Exit};
use crate::chat::{ChatRequest, ChatRole, Message};
use crate::fault::{texts, values};
use crate::machine::{CallId, Inputs, Lang, Limits, ModelChoice, QuestionMode};
use crate::prompt;
use crate::role::RoleId;
use crate::ui::view::clean_page;

texts! {
    TITLE: "# Dry run of {n}: nothing is sent, nothing is written", "# {n} 的预演：不发送，不写入";
    NO_CAP: "no cap on tokens", "词元不设上限";
    TOKENS: "{n} tokens", "{n} 个词元";
    CAPS: "caps: {rounds} rounds, {minutes} minutes of discussion, {tokens}, {money}{answer} tokens an answer, {calls} calls side by side, {tries} tries a call", "上限：{rounds} 轮，讨论 {minutes} 分钟，{tokens}，{money}每次回答 {answer} 个词元，并行 {calls} 次调用，每次调用尝试 {tries} 次";
    MODEL: "{model} of {provider}", "{model}（{provider}）";
    MODELS: "models:", "模型：";
    SPEECHES: "Speeches are shown with the requirement as the only issue, before anybody spoke; \
     the real ones follow the coach's judgment.", "这里的发言提示词假定需求是唯一的议题，且尚无人发言；实际的提示词取决于主持人的判断。";
    SIZE: "{bytes} bytes, about {tokens} tokens", "{bytes} 字节，约 {tokens} 个词元";
    AS_ABOVE: "(the first {n} messages are those of the prompt above)", "（前 {n} 条消息与上一个提示词相同）";
}

/// Prints models, caps and the first prompt of every member on stdout.
pub fn print(
    inputs: &Inputs,
    requests: &[ChatRequest],
    context: &Context,
) -> Result<Exit, CliError> {
    let text = match context.format() {
        OutputFormat::Text => text(inputs, requests, context.lang(None)),
        OutputFormat::Json | OutputFormat::StreamJson => String::new(),
    };
    context.done(&clean_page(&text), &document(inputs, requests))
}

fn text(inputs: &Inputs, requests: &[ChatRequest], lang: Lang) -> String {
    let limits = &inputs.limits;
    let tokens = limits
        .max_tokens
        .map_or_else(|| NO_CAP.into(), |n| TOKENS.fill(values![n]));
    let money = limits
        .budget_usd
        .map_or_else(String::new, |usd| format!("${usd}, "));
    let rounds = if inputs.light {
        limits.max_rounds.min(2)
    } else {
        limits.max_rounds
    };
    let caps = CAPS.fill(values![
        rounds,
        minutes = limits.max_duration_minutes,
        tokens,
        money,
        answer = limits.max_output_tokens,
        calls = limits.concurrency,
        tries = limits.max_failures
    ]);
    let title = TITLE.fill(values![n = inputs.run()]);
    let mut parts = vec![title.of(lang).to_owned(), caps.of(lang).to_owned()];
    let who: Vec<String> = requests
        .iter()
        .map(|request| {
            let member = &request.call.member;
            let choice = inputs.model_of(member);
            let code = inputs.roles.code(member);
            let places = values![model = choice.model, provider = choice.provider];
            format!("  {code:<5} {}", MODEL.with(lang, places))
        })
        .collect();
    parts.push(format!("{}\n{}", MODELS.of(lang), who.join("\n")));
    parts.push(SPEECHES.of(lang).to_owned());
    let mut before: &[_] = &[];
    for request in requests {
        let same = request
            .messages
            .iter()
            .zip(before)
            .take_while(|(now, then)| now == then)
            .count();
        let bytes = prompt::prompt_bytes(request);
        let size = SIZE.fill(values![bytes, tokens = prompt::estimate_tokens(request)]);
        parts.push(format!(
            "## {} · {} · {}",
            inputs.roles.code(&request.call.member),
            request.call,
            size.of(lang),
        ));
        if same > 0 {
            parts.push(AS_ABOVE.with(lang, values![n = same]));
        }
        for message in request.messages.iter().skip(same) {
            let role = match message.role {
                ChatRole::System => "system",
                ChatRole::User => "user",
                ChatRole::Assistant => "assistant",
            };
            parts.push(format!("--- {role}\n{}", message.content.trim_end()));
        }
        before = &request.messages;
    }
    parts.join("\n\n")
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
        limits: inputs.limits.clone(),
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
    /// Always true.
    dry_run: bool,
    /// The number it would get now.
    version: u32,
    /// Its bounds.
    limits: Limits,
    /// What would happen to questions.
    questions: QuestionMode,
    /// Model of everybody who has none of their own.
    model: ModelChoice,
    /// Models by role.
    role_models: BTreeMap<String, ModelChoice>,
    /// The first prompt of every member.
    prompts: Vec<PromptDocument>,
}

/// One prompt.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "FirstPrompt")]
struct PromptDocument {
    /// Id of the call.
    call: CallId,
    /// The members that are asked.
    member: RoleId,
    /// Which model.
    model: ModelChoice,
    /// Bytes sent.
    bytes: u64,
    /// What is sent.
    messages: Vec<Message>,
}
