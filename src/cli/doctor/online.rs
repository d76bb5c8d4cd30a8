//! Checks an endpoint by asking it: whether it answers and accepts the key, how it enforces a
//! schema, how fast it is, and whether it caches prompts.

use super::super::run_models::{FoundModels, connected, list_models};
use super::super::{Context, Fault};
use super::{Finding, Status};
use crate::chat::{AnswerFormat, ChatRequest, ChatResponse, ChatRole, EndpointRecord, Message};
use crate::config::Config;
use crate::edge::assets;
use crate::edge::clock::SystemClock;
use crate::edge::model::{ChatModel, FoundModel, Listing, providers};
use crate::edge::ports::Clock;
use crate::fault::{Text, texts, values};
use crate::machine::{CallId, Format, Lang, Purpose, Scope};
use crate::prompt::schema_of;
use crate::reply::{AnswerSize, ReplyError, read_contribution};
use crate::role::RoleId;

texts! {
    HELD: "takes a JSON Schema", "支持 JSON Schema";
    HELD_BY_TOOL: "takes the schema as a forced tool call", "通过强制工具调用支持 JSON Schema";
    HELD_TO_JSON: "takes JSON mode; the schema is in the prompt only", "只支持 JSON 格式，Schema 写在提示词里";
    ASKED_ONLY: "has the schema in the prompt only", "Schema 只写在提示词里";
}

/// Bytes of the prompt that both calls share: more than any service requires to cache a prefix.
const SHARED: usize = 20_000;
/// Maximum length of an answer, in tokens.
const LONGEST: u64 = 1_000;
/// Tokens per second below which a round of five members takes very long.
const SLOW: f64 = 10.0;

/// Asks every endpoint and program that the run would ask.
pub(super) async fn look(chosen: &FoundModels, config: &Config, context: &Context) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for found in chosen.all() {
        let name = (found.provider.as_str(), found.model.as_str());
        if seen.contains(&name) {
            continue;
        }
        seen.push(name);
        if let Some(finding) = reached(found, config, context).await {
            let fails = finding.status == Status::Fail;
            findings.push(finding);
            if fails {
                continue;
            }
        }
        if found.endpoint.is_none() && found.program.is_none() {
            continue;
        }
        match connected(found, config, context).await {
            Ok(Some(model)) => findings.extend(test_calls(model.as_ref(), found, context).await),
            Ok(None) => {}
            Err(error) => findings.push(Finding::of("reach", &error)),
        }
    }
    findings
}

/// Checks whether the endpoint answers, takes the key, and has the model.
async fn reached(found: &FoundModel, config: &Config, context: &Context) -> Option<Finding> {
    let listing = match list_models(found, config, context).await {
        Ok(listing) => listing?,
        Err(error) => return Some(Finding::of("reach", &error)),
    };
    let (provider, model) = (&found.provider, &found.model);
    let what = listing.trouble(provider).unwrap_or_default();
    Some(match listing {
        Listing::Models(models) => {
            let places = values![provider, model, n = models.len()];
            match models.contains(model) {
                true => Finding::ok("reach.has_model", places),
                false => Finding::warn("reach.lacks_model", places),
            }
        }
        Listing::Unclear(_) | Listing::Failing(_) => Finding::warn("reach.unclear", values![what]),
        Listing::Refused(_) => {
            let endpoint = found.endpoint.as_ref()?;
            let variables = match &endpoint.key_variable {
                Some(name) => name.clone().into(),
                None => Text("=… or ", "=…… 或 ").join(providers::key_variables(provider)),
            };
            Finding::fail("reach.refused", values![what, variables])
        }
        Listing::Untrusted(_) => Finding::fail("reach.untrusted", values![what]),
        Listing::Silent(_) => Finding::fail("reach.silent", values![what]),
    })
}

/// Makes two calls that share all but their last words.
async fn test_calls(model: &dyn ChatModel, found: &FoundModel, context: &Context) -> Vec<Finding> {
    let request = match request(found, context) {
        Ok(request) => request,
        Err(error) => return vec![Finding::of("answers", &error)],
    };
    let clock = SystemClock::new();
    let first = match model.chat(&request).await {
        Ok(response) => response,
        Err(failure) => {
            let detail = failure.detail;
            return vec![Finding::fail("answers.failed", values![detail])];
        }
    };
    let seconds = clock.monotonic_ms() as f64 / 1000.0;
    let mut findings = vec![structured(&first, found), speed(&first, seconds)];
    if found.endpoint.is_some() {
        let mut again = request;
        again
            .messages
            .push(user_message("This is the same question again."));
        match model.chat(&again).await {
            Ok(second) => findings.push(cache(&first, &second)),
            Err(failure) => {
                let detail = failure.detail;
                findings.push(Finding::warn("cache.failed", values![detail]));
            }
        }
    }
    findings
}

/// Checks how the endpoint enforced the schema, and whether the answer is valid.
fn structured(response: &ChatResponse, found: &FoundModel) -> Finding {
    let model = &found.model;
    let how = match response.format {
        Some(AnswerFormat::JsonSchema) => HELD,
        Some(AnswerFormat::ToolCall) => HELD_BY_TOOL,
        Some(AnswerFormat::JsonObject) => HELD_TO_JSON,
        Some(AnswerFormat::Prompt) | None => ASKED_ONLY,
    };
    let thought = response.reasoning.as_deref().unwrap_or_default();
    let read = read_contribution(&response.text).map_err(|error| match error {
        ReplyError::Empty if !thought.trim().is_empty() => ReplyError::Thought,
        other => other,
    });
    match read {
        Ok(_) => Finding::ok("answers.valid", values![model, how]),
        Err(why) => Finding::warn("answers.invalid", values![model, how, why]),
    }
}

fn speed(response: &ChatResponse, seconds: f64) -> Finding {
    let written = response.usage.output;
    let rate = written as f64 / seconds.max(0.001);
    let places = values![
        written,
        input = response.usage.input,
        seconds = format!("{seconds:.1}"),
        rate = format!("{rate:.0}")
    ];
    match rate < SLOW {
        true => Finding::warn("speed.slow", places),
        false => Finding::ok("speed.fair", places),
    }
}

fn cache(first: &ChatResponse, second: &ChatResponse) -> Finding {
    let (cached, input) = (second.usage.cached_input, second.usage.input);
    let total = first.usage.total() + second.usage.total();
    let places = values![cached, input, total];
    match cached > 0 {
        true => Finding::ok("cache.hit", places),
        false => Finding::warn("cache.none", places),
    }
}

/// Returns a trivial question after a prompt as long as a real one.
fn request(found: &FoundModel, context: &Context) -> Result<ChatRequest, Fault> {
    let assets = assets::load(&context.root, Lang::En, None)?;
    let mut shared: String = assets.templates.values().map(String::as_str).collect();
    let end = shared.char_indices().nth(SHARED).map(|(at, _)| at);
    shared.truncate(end.unwrap_or(shared.len()));
    let room = AnswerSize {
        tokens: LONGEST,
        han: false,
    };
    Ok(ChatRequest {
        call: CallId::new(Scope::Root, Purpose::Judgment, RoleId::coach(), 0, 1),
        model: found.model.clone(),
        messages: vec![
            Message {
                role: ChatRole::System,
                content: "You are asked whether you can be reached. What follows is only there to be read."
                    .into(),
            },
            user_message(&shared),
            user_message(
                "Answer with `analysis` set to \"ready\", every list empty and everything else null.",
            ),
        ],
        // As a run would send it: a grammar where this provider makes one.
        schema: schema_of(Format::Workshop, (Purpose::Judgment, false), &found.provider, room),
        max_output_tokens: LONGEST,
        temperature: None,
        seed: None,
        known: EndpointRecord::default(),
    })
}

fn user_message(content: &str) -> Message {
    Message {
        role: ChatRole::User,
        content: content.into(),
    }
}
