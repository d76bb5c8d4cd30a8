//! `plan --dry-run`: what a run would begin with; nothing is sent or written.

use serde_json::{Value, json};

use super::context::{Context, Format};
use super::{CliError, Exit};
use crate::chat::{ChatRequest, ChatRole};
use crate::prompt;
use crate::view::clean_page;
use crate::workshop::Inputs;

/// Prints models, caps and the first prompt of everybody on stdout.
pub fn print(
    inputs: &Inputs,
    requests: &[ChatRequest],
    context: &Context,
) -> Result<Exit, CliError> {
    let text = match context.format() {
        Format::Text => text(inputs, requests),
        Format::Json | Format::StreamJson => String::new(),
    };
    context.print(&clean_page(&text), &document(inputs, requests))?;
    Ok(Exit::Done)
}

fn text(inputs: &Inputs, requests: &[ChatRequest]) -> String {
    let limits = &inputs.limits;
    let tokens = limits
        .max_tokens
        .map_or_else(|| "no cap on tokens".to_owned(), |n| format!("{n} tokens"));
    let money = limits
        .budget_usd
        .map_or_else(String::new, |usd| format!("${usd}, "));
    let mut parts = vec![
        format!(
            "# Dry run of v{}: nothing is sent, nothing is written",
            inputs.version
        ),
        format!(
            "caps: {} rounds, {} minutes of discussion, {tokens}, {money}{} tokens an answer, {} calls side by side, {} tries a call",
            if inputs.light {
                limits.max_rounds.min(2)
            } else {
                limits.max_rounds
            },
            limits.max_duration_minutes,
            limits.max_output_tokens,
            limits.concurrency,
            limits.max_failures,
        ),
    ];
    let who: Vec<String> = requests
        .iter()
        .map(|request| {
            let member = &request.call.member;
            let choice = inputs.model_of(member);
            let code = inputs.roles.code(member);
            format!("  {code:<5} {} of {}", choice.model, choice.provider)
        })
        .collect();
    parts.push(format!("models:\n{}", who.join("\n")));
    parts.push(
        "Speeches are shown with the requirement as the only issue, before anybody spoke; \
         the real ones follow the coach's judgment."
            .to_owned(),
    );
    let mut before: &[_] = &[];
    for request in requests {
        let same = request
            .messages
            .iter()
            .zip(before)
            .take_while(|(now, then)| now == then)
            .count();
        let bytes = prompt::prompt_bytes(request);
        parts.push(format!(
            "## {} · {} · {bytes} bytes, about {} tokens",
            inputs.roles.code(&request.call.member),
            request.call,
            prompt::estimate_tokens(request),
        ));
        if same > 0 {
            parts.push(format!(
                "(the first {same} messages are those of the prompt above)"
            ));
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

fn document(inputs: &Inputs, requests: &[ChatRequest]) -> Value {
    let prompts: Vec<Value> = requests
        .iter()
        .map(|request| {
            json!({
                "call": request.call,
                "member": request.call.member,
                "model": inputs.model_of(&request.call.member),
                "bytes": prompt::prompt_bytes(request),
                "messages": request.messages,
            })
        })
        .collect();
    json!({
        "v": 1, "dry_run": true, "version": inputs.version, "limits": inputs.limits,
        "questions": inputs.questions, "model": inputs.model, "role_models": inputs.role_models,
        "prompts": prompts,
    })
}
