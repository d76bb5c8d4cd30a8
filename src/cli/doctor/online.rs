//! Checks an endpoint by asking it: whether it answers and accepts the key, how it enforces a
//! schema, how fast it is, and whether it caches prompts.

use super::super::models::{Chosen, connected, listed};
use super::super::{CliError, Context};
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
use crate::reply::{ReplyError, Room, read_contribution};
use crate::role::RoleId;

texts! {
    HAS_MODEL: "{provider} answers and has {model}, one of {n}", "{provider} 有应答，并有 {model}（共 {n} 个模型）";
    LACKS_MODEL: "{provider} answers; {model} is not among its {n} models", "{provider} 有应答；它的 {n} 个模型中没有 {model}";
    CHOOSE_MODEL: "aitc models --provider {provider}; then choose one with --model", "aitc models --provider {provider}；然后用 --model 选择一个";
    LOOK_AT_URL: "check the base URL if the calls below fail; it usually ends in /v1", "如果下面的调用失败，请检查地址；它通常以 /v1 结尾";
    LOOK_AT_ROOTS: "if it is yours, name the certificates of its authority with `ca_file` of the provider", "如果这是您自己的服务，请用该服务商的 `ca_file` 指定其签发机构的证书";
    LOOK_AT_NETWORK: "start it, or check --base-url, the network and the proxy variables", "请启动它，或检查 --base-url、网络与代理变量";
    CHOOSE_OTHER: "aitc models; choose another with --model, or check the provider's status", "aitc models；用 --model 另选一个，或查看服务商的状态";
    HELD: "takes a JSON Schema", "支持 JSON Schema";
    HELD_BY_TOOL: "takes the schema as a forced tool call", "通过强制工具调用支持 JSON Schema";
    HELD_TO_JSON: "takes JSON mode; the schema is in the prompt only", "只支持 JSON 格式，Schema 写在提示词里";
    ASKED_ONLY: "has the schema in the prompt only", "Schema 只写在提示词里";
    KEPT: "{model} {how}, and the answer was valid", "{model} {how}，回答符合要求";
    NOT_KEPT: "{model} {how}, and the answer was not valid: {why}", "{model} {how}，回答不符合要求：{why}";
    STRONGER: "choose a stronger model with --model; a run repairs such answers or asks again", "请用 --model 选择更强的模型；运行时会修复并再问一次";
    SPEED: "{written} tokens written and {input} read in {seconds} s, {rate} a second", "{seconds} 秒内写出 {written} 个词元，读入 {input} 个，每秒 {rate} 个";
    SMALLER: "a smaller model with --model, or --light for small work", "用 --model 选择较小的模型，或对小任务使用 --light";
    CACHED: "{cached} of {input} tokens came from the cache of the call before; this check took {total} tokens", "{input} 个词元中有 {cached} 个来自上一次调用的缓存；本次检查用了 {total} 个词元";
    NOT_CACHED: "none of {input} tokens came from a cache, or the provider does not say; this check took {total} tokens", "{input} 个词元都不在上一次调用的缓存里，或服务商没有说明；本次检查用了 {total} 个词元";
    NOTHING_TO_SET: "nothing to set here; a provider that caches makes later rounds cheaper and faster", "此处无需设置；有缓存的服务商会让后面的轮次更省更快";
}

/// Bytes of the prompt that both calls share: more than any service requires to cache a prefix.
const SHARED: usize = 20_000;
/// Maximum length of an answer, in tokens.
const LONGEST: u64 = 1_000;
/// Tokens per second below which a round of five members takes very long.
const SLOW: f64 = 10.0;

/// Asks every endpoint and program that the run would ask.
pub(super) async fn look(chosen: &Chosen, config: &Config, context: &Context) -> Vec<Finding> {
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
            Ok(Some(model)) => findings.extend(asked(model.as_ref(), found, context).await),
            Ok(None) => {}
            Err(error) => findings.push(Finding::of("reach", &error)),
        }
    }
    findings
}

/// Checks whether the endpoint answers, takes the key, and has the model.
async fn reached(found: &FoundModel, config: &Config, context: &Context) -> Option<Finding> {
    let listing = match listed(found, config, context).await {
        Ok(listing) => listing?,
        Err(error) => return Some(Finding::of("reach", &error)),
    };
    let (provider, model) = (&found.provider, &found.model);
    let what = listing.trouble(provider).unwrap_or_default();
    Some(match listing {
        Listing::Models(models) => {
            let (n, has_it) = (models.len(), models.contains(model));
            let places = values![provider, model, n];
            match has_it {
                true => Finding::ok("reach", HAS_MODEL.fill(places)),
                false => {
                    let fix = CHOOSE_MODEL.fill(values![provider]);
                    Finding::warn("reach", LACKS_MODEL.fill(places), fix)
                }
            }
        }
        Listing::Unclear(_) | Listing::Failing(_) => Finding::warn("reach", what, LOOK_AT_URL),
        Listing::Refused(_) => Finding::new("reach", Status::Fail, what, key_fix(provider)),
        Listing::Untrusted(_) => Finding::new("reach", Status::Fail, what, LOOK_AT_ROOTS),
        Listing::Silent(_) => Finding::new("reach", Status::Fail, what, LOOK_AT_NETWORK),
    })
}

fn key_fix(provider: &str) -> crate::fault::Message {
    let variables = providers::find(provider).map_or(&["AITC_API_KEY"][..], |one| one.key_vars);
    let variables = Text("=… or ", "=…… 或 ").join(variables);
    Text("export {variables}=…", "export {variables}=……").fill(values![variables])
}

/// Makes two calls that share all but their last words.
async fn asked(model: &dyn ChatModel, found: &FoundModel, context: &Context) -> Vec<Finding> {
    let request = match request(found, context) {
        Ok(request) => request,
        Err(error) => return vec![Finding::of("answers", &error)],
    };
    let clock = SystemClock::new();
    let first = match model.chat(&request).await {
        Ok(response) => response,
        Err(failure) => {
            return vec![Finding::new(
                "answers",
                Status::Fail,
                failure.detail,
                CHOOSE_OTHER,
            )];
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
            Err(failure) => findings.push(Finding::warn("cache", failure.detail, Text::NONE)),
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
        Ok(_) => Finding::ok("answers", KEPT.fill(values![model, how])),
        Err(error) => Finding::warn(
            "answers",
            NOT_KEPT.fill(values![model, how, why = error]),
            STRONGER,
        ),
    }
}

fn speed(response: &ChatResponse, seconds: f64) -> Finding {
    let written = response.usage.output;
    let rate = written as f64 / seconds.max(0.001);
    let what = SPEED.fill(values![
        written,
        input = response.usage.input,
        seconds = format!("{seconds:.1}"),
        rate = format!("{rate:.0}")
    ]);
    if rate < SLOW {
        return Finding::warn("speed", what, SMALLER);
    }
    Finding::ok("speed", what)
}

fn cache(first: &ChatResponse, second: &ChatResponse) -> Finding {
    let (cached, input) = (second.usage.cached_input, second.usage.input);
    let total = first.usage.total() + second.usage.total();
    let places = values![cached, input, total];
    if cached > 0 {
        return Finding::ok("cache", CACHED.fill(places));
    }
    Finding::warn("cache", NOT_CACHED.fill(places), NOTHING_TO_SET)
}

/// Returns a trivial question after a prompt as long as a real one.
fn request(found: &FoundModel, context: &Context) -> Result<ChatRequest, CliError> {
    let assets = assets::load(&context.root, Lang::En, None)?;
    let mut shared: String = assets.templates.values().map(String::as_str).collect();
    let end = shared.char_indices().nth(SHARED).map(|(at, _)| at);
    shared.truncate(end.unwrap_or(shared.len()));
    let room = Room {
        tokens: LONGEST,
        han: false,
    };
    Ok(ChatRequest {
        call: CallId::new(Scope::Root, Purpose::Judgment, RoleId("Coach".to_owned()), 0, 1),
        model: found.model.clone(),
        messages: vec![
            Message {
                role: ChatRole::System,
                content: "You are asked whether you can be reached. What follows is only there to be read."
                    .into(),
            },
            said(&shared),
            said(
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

fn said(content: &str) -> Message {
    Message {
        role: ChatRole::User,
        content: content.into(),
    }
}
