//! What an endpoint says when it is asked: does it answer, does it take the key, how does
//! it hold an answer to a schema, how fast is it, does it keep what it read before.

use super::super::models::{Chosen, connected, listed};
use super::super::{CliError, Context};
use super::{Finding, Status};
use crate::chat::{AnswerFormat, ChatRequest, ChatResponse, ChatRole, Message};
use crate::config::Config;
use crate::edge::assets;
use crate::edge::clock::SystemClock;
use crate::edge::model::{ChatModel, Found, Listing, providers};
use crate::edge::ports::Clock;
use crate::reply::{contribution_schema, read_contribution};
use crate::role::RoleId;
use crate::workshop::{CallId, Lang, Purpose, Scope};

/// Bytes of prompt both calls share: more than any service wants before it keeps a prefix.
const SHARED: usize = 20_000;
/// Longest answer, in tokens.
const LONGEST: u64 = 1_000;
/// Tokens a second below which a round of five members takes very long.
const SLOW: f64 = 10.0;

/// Asks every endpoint and program that the run would ask.
pub(super) async fn look(chosen: &Chosen, config: &Config, context: &Context) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut seen: Vec<(&str, &str)> = Vec::new();
    for found in std::iter::once(&chosen.main).chain(chosen.roles.values()) {
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
            Ok(Some(model)) => findings.extend(asked(model.as_ref(), found, context).await),
            Ok(None) => {}
            Err(error) => findings.push(Finding::of("reach", &error)),
        }
    }
    findings
}

/// Does the endpoint answer, take the key, and have the model?
async fn reached(found: &Found, config: &Config, context: &Context) -> Option<Finding> {
    let listing = match listed(found, config, context).await {
        Ok(listing) => listing?,
        Err(error) => return Some(Finding::of("reach", &error)),
    };
    let (provider, model) = (&found.provider, &found.model);
    Some(match listing {
        Listing::Models(models) if models.contains(model) => Finding::ok(
            "reach",
            format!(
                "{provider} answers and has {model}, one of {}",
                models.len()
            ),
        ),
        Listing::Models(models) => Finding::warn(
            "reach",
            format!(
                "{provider} answers; {model} is not among its {} models",
                models.len()
            ),
            format!("aitc models --provider {provider}; then choose one with --model"),
        ),
        Listing::Refused(status) => Finding::new(
            "reach",
            Status::Fail,
            format!("{provider} refuses the key ({status})"),
            key_fix(provider),
        ),
        Listing::Unclear(status) => Finding::warn(
            "reach",
            format!("{provider} answers, and lists no models ({status})"),
            "look at the base URL if the calls below fail; it usually ends in /v1",
        ),
        Listing::Silent => Finding::new(
            "reach",
            Status::Fail,
            format!("{provider} does not answer"),
            "start it, or look at --base-url, the network and the proxy variables",
        ),
    })
}

fn key_fix(provider: &str) -> String {
    let variables = providers::find(provider).map_or(&["AITC_API_KEY"][..], |one| one.key_vars);
    format!("export {}=…", variables.join("=… or "))
}

/// Two calls that share all but their last words.
async fn asked(model: &dyn ChatModel, found: &Found, context: &Context) -> Vec<Finding> {
    let request = match request(found, context) {
        Ok(request) => request,
        Err(error) => return vec![Finding::of("answers", &error)],
    };
    let clock = SystemClock::new();
    let first = match model.chat(&request).await {
        Ok(response) => response,
        Err(failure) => {
            let fix = "aitc models; choose another with --model, or look at the provider's status";
            return vec![Finding::new("answers", Status::Fail, failure.detail, fix)];
        }
    };
    let seconds = clock.monotonic_ms() as f64 / 1000.0;
    let mut findings = vec![structured(&first, found), speed(&first, seconds)];
    if found.endpoint.is_some() {
        let mut again = request;
        again
            .messages
            .push(said("This is the same question again."));
        match model.chat(&again).await {
            Ok(second) => findings.push(cache(&first, &second)),
            Err(failure) => findings.push(Finding::warn("cache", failure.detail, "")),
        }
    }
    findings
}

/// How the answer was held to its schema, and whether it is one.
fn structured(response: &ChatResponse, found: &Found) -> Finding {
    let model = &found.model;
    let how = match response.format {
        Some(AnswerFormat::JsonSchema) => "is held to the schema",
        Some(AnswerFormat::ToolCall) => "is held to the schema by a forced tool call",
        Some(AnswerFormat::JsonObject) => "is held to JSON, the schema by the prompt alone",
        Some(AnswerFormat::Prompt) | None => "is asked for the schema by the prompt alone",
    };
    match read_contribution(&response.text) {
        Ok(_) => Finding::ok("answers", format!("{model} {how}, and kept to it")),
        Err(error) => Finding::warn(
            "answers",
            format!("{model} {how}, and did not keep to it: {error}"),
            "choose a stronger model with --model; a run repairs and asks once more",
        ),
    }
}

fn speed(response: &ChatResponse, seconds: f64) -> Finding {
    let written = response.usage.output;
    let rate = written as f64 / seconds.max(0.001);
    let what = format!(
        "{written} tokens written and {} read in {seconds:.1} s, {rate:.0} a second",
        response.usage.input
    );
    if rate < SLOW {
        let fix = "a smaller model with --model, or --light for small work";
        return Finding::warn("speed", what, fix);
    }
    Finding::ok("speed", what)
}

fn cache(first: &ChatResponse, second: &ChatResponse) -> Finding {
    let (cached, input) = (second.usage.cached_input, second.usage.input);
    let total = first.usage.total() + second.usage.total();
    let cost = format!("this check took {total} tokens");
    if cached > 0 {
        return Finding::ok(
            "cache",
            format!("{cached} of {input} tokens were known from the call before; {cost}"),
        );
    }
    Finding::warn(
        "cache",
        format!(
            "nothing of {input} tokens was known from the call before, or it is not told; {cost}"
        ),
        "nothing to set here; a provider that caches makes later rounds cheaper and faster",
    )
}

/// A question about nothing, behind a prompt as long as a real one.
fn request(found: &Found, context: &Context) -> Result<ChatRequest, CliError> {
    let assets = assets::load(&context.root, Lang::En, None)?;
    let mut shared: String = assets.templates.values().map(String::as_str).collect();
    let end = shared.char_indices().nth(SHARED).map(|(at, _)| at);
    shared.truncate(end.unwrap_or(shared.len()));
    Ok(ChatRequest {
        call: CallId {
            scope: Scope::Root,
            purpose: Purpose::Judgment,
            member: RoleId("Coach".to_owned()),
            round: 0,
            turn: 1,
            attempt: 1,
        },
        model: found.model.clone(),
        messages: vec![
            Message {
                role: ChatRole::System,
                content: "You are asked whether you can be reached. What follows is only there to be read."
                    .to_owned(),
            },
            said(&shared),
            said(
                "Answer with `analysis` set to \"ready\", every list empty and everything else null.",
            ),
        ],
        schema: contribution_schema(),
        max_output_tokens: LONGEST,
        temperature: None,
        seed: None,
    })
}

fn said(content: &str) -> Message {
    Message {
        role: ChatRole::User,
        content: content.to_owned(),
    }
}
