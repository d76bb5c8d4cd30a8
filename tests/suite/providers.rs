//! Tests of model providers: every fault of an endpoint over real TCP, and which endpoint is asked.

use std::collections::BTreeMap;
use std::time::Duration;

use aitc::chat::{ChatRequest, ChatResponse, ChatRole, FinishReason, Message, Usage};
use aitc::edge::model::providers::{LOCALS, Local};
use aitc::edge::model::scripted::{Scripted, record};
use aitc::edge::model::{
    Backoff, CallFailure, ChatModel, Choice, DiscoverError, Endpoint, Found, OpenAi, OpenAiConfig,
    Timeouts, Wish, backoff, check_credentials, discover,
};
use aitc::reply::contribution_schema;
use aitc::workshop::FailureKind;
use serde_json::json;

use crate::support::fake::{Completion, Fake, FakeConfig, Reply, Seen};

const KEY: &str = "sk-test-0123456789abcdef";

fn request() -> ChatRequest {
    let message = |role, content: &str| Message {
        role,
        content: content.to_owned(),
    };
    ChatRequest {
        call: "root/speech/ProductPlanner/r1/t1/a1".parse().unwrap(),
        model: "m-1".to_owned(),
        messages: vec![
            message(ChatRole::System, "rules"),
            message(ChatRole::User, "one"),
            message(ChatRole::User, "two"),
        ],
        schema: contribution_schema(),
        max_output_tokens: 77,
        temperature: Some(0.5),
        seed: Some(7),
    }
}

/// Long enough for a busy machine, short enough for a test that waits for it.
fn patient() -> Timeouts {
    Timeouts {
        connect: Duration::from_secs(5),
        idle: Duration::from_secs(10),
        call: Duration::from_secs(20),
    }
}

fn model_at(base_url: String, timeouts: Timeouts) -> OpenAi {
    OpenAi::new(OpenAiConfig {
        base_url,
        api_key: Some(KEY.to_owned()),
        timeouts,
        name: "openai".to_owned(),
    })
    .unwrap()
}

fn model(fake: &Fake) -> OpenAi {
    model_at(fake.base_url(), patient())
}

async fn answer(reply: Reply) -> Result<ChatResponse, CallFailure> {
    let fake = Fake::start(move |_| reply.clone());
    model(&fake).chat(&request()).await
}

/// Kind and retryability of the failure a reply leads to.
async fn failure(reply: Reply) -> (FailureKind, bool) {
    let failure = answer(reply).await.unwrap_err();
    (failure.kind, failure.retryable)
}

#[tokio::test]
async fn an_answer_is_read_from_a_stream() {
    let text = "{\"analysis\":\"计划 \u{1f600}\"}".repeat(40);
    let reply = Completion {
        reasoning: Some("hm".to_owned()),
        usage: Some(json!({"prompt_tokens": 30, "completion_tokens": 12,
            "prompt_tokens_details": {"cached_tokens": 20},
            "completion_tokens_details": {"reasoning_tokens": 5}})),
        headers: vec![("x-request-id", "req-1".to_owned())],
        ..Completion::new(&text)
    };
    let wanted = ChatResponse {
        text,
        reasoning: Some("hm".to_owned()),
        finish: FinishReason::Stop,
        usage: Usage {
            input: 30,
            cached_input: 20,
            output: 12,
            reasoning: 5,
        },
        model: "fake-1".to_owned(),
        request_id: Some("req-1".to_owned()),
    };
    assert_eq!(answer(Reply::Full(reply.clone())).await.unwrap(), wanted);
    let whole = Completion {
        never_stream: true,
        ..reply
    };
    assert_eq!(answer(Reply::Full(whole)).await.unwrap(), wanted);
}

#[tokio::test]
async fn a_request_says_everything_once() {
    let fake = Fake::start(|_| Reply::Text("{}".to_owned()));
    model(&fake).chat(&request()).await.unwrap();
    let seen = fake.seen().remove(0);
    let pair = |role: &str, text: &str| (role.to_owned(), text.to_owned());
    assert_eq!(
        seen.messages,
        [pair("system", "rules"), pair("user", "one\n\ntwo")]
    );
    assert_eq!(seen.headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!(seen.schema.as_deref(), Some("contribution"));
    assert_eq!(seen.body["response_format"]["json_schema"]["strict"], true);
    assert_eq!(
        &seen.body["response_format"]["json_schema"]["schema"],
        contribution_schema().schema
    );
    for (field, value) in [
        ("model", json!("m-1")),
        ("stream", json!(true)),
        ("stream_options", json!({"include_usage": true})),
        ("max_tokens", json!(77)),
        ("temperature", json!(0.5)),
        ("seed", json!(7)),
    ] {
        assert_eq!(seen.body[field], value, "{field}");
    }
    assert!(
        !seen.body.to_string().contains("root/speech"),
        "the call's name is sent"
    );
}

#[tokio::test]
async fn a_character_split_between_packets_is_whole() {
    let text = "计划\u{1f600}é";
    assert_eq!(
        answer(Reply::SplitUtf8(text.to_owned()))
            .await
            .unwrap()
            .text,
        text
    );
}

#[tokio::test]
async fn a_cut_answer_says_so() {
    let response = answer(Reply::Length("{\"ana".to_owned())).await.unwrap();
    assert_eq!(response.finish, FinishReason::Length);
}

#[tokio::test]
async fn tokens_nobody_counted_are_estimated() {
    let reply = Completion {
        usage: None,
        ..Completion::new("123456789")
    };
    let usage = answer(Reply::Full(reply)).await.unwrap().usage;
    assert_eq!((usage.input, usage.output), (2 + 1 + 1, 3));
}

#[tokio::test]
async fn deepseek_counts_cached_tokens_its_own_way() {
    let usage = json!({"prompt_tokens": 30, "completion_tokens": 2, "prompt_cache_hit_tokens": 25});
    let reply = Completion {
        usage: Some(usage),
        ..Completion::new("{}")
    };
    assert_eq!(
        answer(Reply::Full(reply)).await.unwrap().usage.cached_input,
        25
    );
}

#[tokio::test]
async fn every_status_is_told_apart() {
    use FailureKind::{Credentials, RateLimited, Refused, Server};
    for (status, wanted) in [
        (400, (Refused, false)),
        (401, (Credentials, false)),
        (402, (Refused, false)),
        (403, (Credentials, false)),
        (404, (Refused, false)),
        (408, (Server, true)),
        (409, (Server, true)),
        (413, (Refused, false)),
        (425, (Server, true)),
        (429, (RateLimited, true)),
        (500, (Server, true)),
        (503, (Server, true)),
        (529, (RateLimited, true)),
    ] {
        assert_eq!(
            failure(Reply::status(status, vec![], "no")).await,
            wanted,
            "{status}"
        );
    }
    let empty = r#"{"error":{"code":"insufficient_quota","message":"pay"}}"#;
    assert_eq!(
        failure(Reply::status(429, vec![], empty)).await,
        (RateLimited, false)
    );
}

#[tokio::test]
async fn every_way_to_spoil_an_answer_is_told_apart() {
    use FailureKind::{Network, Protocol, RateLimited, Server, TooLarge};
    let error = |code: &str| {
        let frame = format!("data: {{\"error\":{{\"message\":\"m\",\"code\":{code}}}}}\n\n");
        Reply::Raw(vec![frame.into_bytes()])
    };
    for (reply, wanted) in [
        (Reply::Cut("{\"a".to_owned()), (Protocol, true)),
        (Reply::BrokenFrame, (Protocol, true)),
        (Reply::Empty, (Protocol, true)),
        (Reply::Html, (Protocol, false)),
        (
            Reply::Raw(vec![b"hello\n\nworld".to_vec()]),
            (Protocol, true),
        ),
        (
            Reply::Raw(vec![b"data: \xff\xfe\n\n".to_vec()]),
            (Protocol, true),
        ),
        (
            Reply::Raw(vec![vec![b'x'; (1 << 20) + 1]]),
            (TooLarge, false),
        ),
        (
            Reply::Raw(vec![b": ping\n\n".repeat(1 << 17); 9]),
            (TooLarge, false),
        ),
        (Reply::Reset("{\"a".to_owned()), (Network, true)),
        (error("429"), (RateLimited, true)),
        (error("\"server_error\""), (Server, true)),
    ] {
        let shown = format!("{reply:?}").chars().take(60).collect::<String>();
        assert_eq!(failure(reply).await, wanted, "{shown}");
    }
}

#[tokio::test]
async fn comments_keep_a_stream_alive_and_done_ends_it() {
    let stream =
        b": wait\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\r\n\r\ndata: [DONE]\n\n";
    let response = answer(Reply::Raw(vec![stream.to_vec()])).await.unwrap();
    assert_eq!(
        (response.text.as_str(), response.finish),
        ("a", FinishReason::Other)
    );
}

#[tokio::test]
async fn every_wait_has_an_end() {
    let short = Duration::from_millis(150);
    let idle = Timeouts {
        idle: short,
        ..patient()
    };
    let call = Timeouts {
        call: short,
        ..patient()
    };
    for reply in [
        Reply::HangBeforeHeaders,
        Reply::HangInStream("{".to_owned()),
    ] {
        for timeouts in [idle, call] {
            let reply = reply.clone();
            let fake = Fake::start(move |_| reply.clone());
            let failure = model_at(fake.base_url(), timeouts)
                .chat(&request())
                .await
                .unwrap_err();
            assert_eq!(
                (failure.kind, failure.retryable),
                (FailureKind::Timeout, true)
            );
        }
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_a_network_failure() {
    let closed = {
        let fake = Fake::start(|_| Reply::Empty);
        fake.base_url()
    };
    for base_url in [closed, "http://no-such-host.invalid/v1".to_owned()] {
        let model = model_at(base_url.clone(), patient());
        let failure = model.chat(&request()).await.unwrap_err();
        assert_eq!(
            (failure.kind, failure.retryable),
            (FailureKind::Network, true),
            "{base_url}"
        );
    }
}

#[tokio::test]
async fn retry_after_is_read_in_both_forms() {
    let limited = |value: String| Reply::status(429, vec![("retry-after", value)], "slow down");
    let asked = answer(limited("7".to_owned()))
        .await
        .unwrap_err()
        .retry_after;
    assert_eq!(asked, Some(Duration::from_secs(7)));

    let date = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(100);
    let date = jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&date);
    let asked = answer(limited(date.unwrap()))
        .await
        .unwrap_err()
        .retry_after
        .unwrap();
    assert!((50..=100).contains(&asked.as_secs()), "{asked:?}");

    assert_eq!(
        answer(limited("later".to_owned()))
            .await
            .unwrap_err()
            .retry_after,
        None
    );
}

#[tokio::test]
async fn no_failure_holds_the_key_or_a_control_character() {
    let echo = format!(
        "{{\"error\":{{\"message\":\"\u{1b}[2J bad key {KEY} \\u0007{}\"}}}}",
        "x".repeat(9000)
    );
    let frame = format!("data: {{\"error\":{{\"message\":\"bad key {KEY}\"}}}}\n\n");
    for reply in [
        Reply::status(401, vec![], &echo),
        Reply::status(500, vec![], &format!("plain \u{1b}[2J {KEY}")),
        Reply::Raw(vec![frame.into_bytes()]),
        Reply::Cut(KEY.to_owned()),
    ] {
        let fake = Fake::start(move |_| reply.clone());
        let model = model_at(format!("{}?token=hidden", fake.base_url()), patient());
        let failure = model.chat(&request()).await.unwrap_err();
        let shown = format!("{failure} {failure:?}");
        assert!(!shown.contains(KEY) && !shown.contains("hidden"), "{shown}");
        assert!(!failure.detail.chars().any(char::is_control), "{shown}");
        assert!(failure.detail.len() < 600, "{shown}");
    }
    let config = OpenAiConfig {
        base_url: "https://host/v1".to_owned(),
        api_key: Some(KEY.to_owned()),
        timeouts: patient(),
        name: "x".to_owned(),
    };
    assert!(!format!("{config:?}").contains(KEY));
}

#[tokio::test]
async fn a_redirect_to_another_origin_is_not_followed() {
    let thief = Fake::start(|_| Reply::Text("{}".to_owned()));
    let to = format!("{}/chat/completions", thief.base_url());
    for status in [301, 302, 307, 308] {
        let headers = vec![("location", to.clone())];
        let reply = Reply::status(status, headers, "");
        assert_eq!(
            failure(reply).await,
            (FailureKind::Refused, false),
            "{status}"
        );
    }
    assert!(
        thief.seen().is_empty(),
        "neither key nor prompt goes elsewhere"
    );
}

#[tokio::test]
async fn a_redirect_within_the_origin_is_followed() {
    let fake = Fake::start(|seen| {
        if seen.times == 1 {
            let here = vec![("location", "/v1/chat/completions".to_owned())];
            return Reply::status(307, here, "");
        }
        Reply::Text("{}".to_owned())
    });
    assert_eq!(model(&fake).chat(&request()).await.unwrap().text, "{}");
    assert_eq!(
        fake.seen()[1].headers["authorization"],
        format!("Bearer {KEY}")
    );
}

/// Refuses what it does not take, in the words of a real endpoint.
fn picky(takes: &'static [Option<&'static str>]) -> impl Fn(&Seen) -> Reply {
    move |seen| {
        if takes.contains(&seen.format()) {
            return Reply::Text("{}".to_owned());
        }
        let body = r#"{"error":{"message":"This response_format type is unavailable now"}}"#;
        Reply::status(400, vec![], body)
    }
}

#[tokio::test]
async fn structured_answers_step_down_and_stay_there() {
    type Formats = &'static [Option<&'static str>];
    let all: Formats = &[Some("json_schema"), Some("json_object"), None];
    for steps in 0..all.len() {
        let fake = Fake::start(picky(&all[steps..]));
        let model = model(&fake);
        model.chat(&request()).await.unwrap();
        model.chat(&request()).await.unwrap();
        let seen = fake.seen();
        let formats: Vec<_> = seen.iter().map(Seen::format).collect();
        let wanted: Vec<_> = all[..=steps].iter().copied().chain([all[steps]]).collect();
        assert_eq!(formats, wanted);
        let system = &seen.last().unwrap().messages[0];
        assert_eq!(system.0, "system");
        assert_eq!(system.1.contains("JSON Schema"), steps > 0, "{}", system.1);
        assert!(system.1.starts_with("rules"));
    }
}

#[tokio::test]
async fn an_endpoint_that_takes_no_form_at_all_is_given_up() {
    let fake = Fake::start(picky(&[]));
    let failure = model(&fake).chat(&request()).await.unwrap_err();
    assert_eq!(
        (failure.kind, failure.retryable),
        (FailureKind::Refused, false)
    );
    assert_eq!(fake.seen().len(), 3);
}

#[tokio::test]
async fn the_name_of_the_output_limit_is_learned() {
    let fake = Fake::start(|seen| {
        if seen.body.get("max_tokens").is_some() {
            let body = r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."}}"#;
            return Reply::status(400, vec![], body);
        }
        Reply::Text(seen.body["max_completion_tokens"].to_string())
    });
    let model = model(&fake);
    assert_eq!(model.chat(&request()).await.unwrap().text, "77");
    assert_eq!(model.chat(&request()).await.unwrap().text, "77");
    assert_eq!(fake.seen().len(), 3);
}

#[tokio::test]
async fn one_connection_serves_many_calls() {
    let fake = Fake::start(|_| Reply::Text("{}".to_owned()));
    let model = model(&fake);
    for _ in 0..5 {
        model.chat(&request()).await.unwrap();
    }
    assert_eq!(fake.connections(), 1);
}

#[test]
fn what_cannot_be_reached_is_refused_at_once() {
    for (base_url, key) in [
        ("nonsense", "k"),
        ("ftp://host", "k"),
        ("http://host", "a\nb"),
    ] {
        let config = OpenAiConfig {
            base_url: base_url.to_owned(),
            api_key: Some(key.to_owned()),
            timeouts: patient(),
            name: "x".to_owned(),
        };
        assert!(OpenAi::new(config).is_err(), "{base_url}");
    }
    let secure = OpenAiConfig {
        base_url: "https://host.invalid/v1".to_owned(),
        api_key: None,
        timeouts: patient(),
        name: "x".to_owned(),
    };
    assert!(OpenAi::new(secure).is_ok());
}

#[test]
fn waits_stay_within_their_bounds() {
    let ms = Duration::from_millis;
    let bounds = Backoff {
        base: ms(4),
        cap: ms(20),
        max_retry_after: Duration::from_secs(120),
    };
    for (attempt, bound) in [(1, 4), (2, 8), (3, 16), (4, 20), (u32::MAX, 20)] {
        let waits: Vec<_> = (0..200)
            .map(|_| backoff::delay(attempt, None, &bounds).unwrap())
            .collect();
        assert!(waits.iter().all(|wait| *wait <= ms(bound)), "{attempt}");
        assert!(waits.iter().any(|wait| *wait > ms(bound) / 2), "{attempt}");
        assert!(waits.iter().any(|wait| *wait < ms(bound) / 2), "{attempt}");
    }
    let asked = Duration::from_secs(120);
    let wait = backoff::delay(1, Some(asked), &bounds).unwrap();
    assert!((asked..=asked + ms(4)).contains(&wait), "{wait:?}");
    assert!(backoff::delay(1, Some(asked + ms(1)), &bounds).is_err());
    assert!(backoff::delay(1, Some(Duration::MAX), &Backoff::default()).is_err());
}

#[tokio::test]
async fn recorded_answers_are_replayed_by_the_name_of_the_call() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("fixtures");
    let request = request();
    let response = ChatResponse {
        text: "{\"a\":\"计划\"}".to_owned(),
        reasoning: None,
        finish: FinishReason::Length,
        usage: Usage {
            input: 3,
            output: 4,
            ..Usage::default()
        },
        model: request.model.clone(),
        request_id: None,
    };
    record(&folder, &request.call, &response).unwrap();
    assert!(
        folder
            .join("root__speech__ProductPlanner__r1__t1__a1.json")
            .is_file()
    );
    let scripted = Scripted::load(&folder).unwrap();
    assert_eq!(scripted.chat(&request).await.unwrap(), response);

    let other = ChatRequest {
        call: request.call.with_attempt(2),
        ..request
    };
    let failure = scripted.chat(&other).await.unwrap_err();
    assert!(!failure.retryable);
    assert!(
        failure
            .detail
            .contains("root__speech__ProductPlanner__r1__t1__a2.json"),
        "{failure}"
    );

    std::fs::write(folder.join("bad.json"), "{").unwrap();
    assert!(
        Scripted::load(&folder)
            .unwrap_err()
            .to_string()
            .contains("bad.json")
    );
}

/// A wish with `flag` as its flags, looking for no local server.
fn wish(flag: Choice) -> Wish {
    Wish {
        flag,
        config: Choice::default(),
        locals: Vec::new(),
    }
}

fn provider(name: &str) -> Choice {
    Choice {
        provider: Some(name.to_owned()),
        ..Choice::default()
    }
}

async fn find(wish: Wish, env: &[(&str, &str)]) -> Result<Found, DiscoverError> {
    let env: BTreeMap<String, String> = env
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    discover(&wish, &|name| env.get(name).cloned()).await
}

fn endpoint(found: &Found) -> (&str, Option<&str>) {
    let endpoint = found.endpoint.as_ref().unwrap();
    (&endpoint.base_url, endpoint.api_key.as_deref())
}

#[tokio::test]
async fn every_usual_key_variable_finds_its_provider() {
    for (variable, name, host) in [
        ("OPENAI_API_KEY", "openai", "https://api.openai.com/v1"),
        (
            "DEEPSEEK_API_KEY",
            "deepseek",
            "https://api.deepseek.com/v1",
        ),
        (
            "DASHSCOPE_API_KEY",
            "qwen",
            "https://dashscope.aliyuncs.com/compatible-mode/v1",
        ),
        ("MOONSHOT_API_KEY", "moonshot", "https://api.moonshot.cn/v1"),
        (
            "ZHIPUAI_API_KEY",
            "zhipu",
            "https://open.bigmodel.cn/api/paas/v4",
        ),
        (
            "OPENROUTER_API_KEY",
            "openrouter",
            "https://openrouter.ai/api/v1",
        ),
        ("MISTRAL_API_KEY", "mistral", "https://api.mistral.ai/v1"),
        ("GROQ_API_KEY", "groq", "https://api.groq.com/openai/v1"),
        ("XAI_API_KEY", "xai", "https://api.x.ai/v1"),
    ] {
        let found = find(wish(Choice::default()), &[(variable, KEY)])
            .await
            .unwrap();
        assert_eq!(found.provider, name);
        assert_eq!(endpoint(&found), (host, Some(KEY)));
        assert!(!found.model.is_empty());
        assert!(
            found.why.contains(variable) && !found.why.contains(KEY),
            "{}",
            found.why
        );
        assert!(!format!("{found:?}").contains(KEY));
    }
}

#[tokio::test]
async fn what_was_asked_for_first_decides() {
    let keys = [
        ("OPENAI_API_KEY", "k-openai"),
        ("GROQ_API_KEY", "k-groq"),
        ("XAI_API_KEY", "k-xai"),
        ("AITC_PROVIDER", "xai"),
        ("AITC_MODEL", "env-model"),
    ];
    let mut both = wish(provider("groq"));
    both.config = provider("openai");
    let found = find(both.clone(), &keys).await.unwrap();
    assert_eq!(
        (found.provider.as_str(), found.model.as_str()),
        ("groq", "env-model")
    );
    assert_eq!(endpoint(&found).1, Some("k-groq"));

    both.flag = Choice::default();
    assert_eq!(find(both.clone(), &keys).await.unwrap().provider, "openai");
    both.config = Choice::default();
    assert_eq!(find(both.clone(), &keys).await.unwrap().provider, "xai");
    assert_eq!(find(both, &keys[..3]).await.unwrap().provider, "openai");
}

#[tokio::test]
async fn a_key_is_never_sent_to_another_sources_address() {
    let env = [
        ("GROQ_API_KEY", "k-groq"),
        ("AITC_BASE_URL", "https://gateway.example/v1"),
        ("AITC_API_KEY", "k-gateway"),
        ("AITC_MODEL", "m"),
    ];
    let found = find(wish(provider("groq")), &env).await.unwrap();
    assert_eq!(
        endpoint(&found),
        ("https://api.groq.com/openai/v1", Some("k-groq"))
    );
    let found = find(wish(provider("openai")), &env).await.unwrap();
    assert_eq!(
        endpoint(&found),
        ("https://gateway.example/v1", Some("k-gateway"))
    );
    let flag = Choice {
        base_url: Some("https://mine.example/v1".to_owned()),
        ..Choice::default()
    };
    let found = find(wish(flag), &env).await.unwrap();
    assert_eq!(endpoint(&found), ("https://mine.example/v1", None));
}

#[tokio::test]
async fn an_own_address_is_used_with_the_key_that_fits() {
    let fake = Fake::start(|_| Reply::Empty);
    let url = fake.base_url();
    let env = [("OPENAI_API_KEY", KEY), ("OPENAI_BASE_URL", &url)];
    let found = find(wish(Choice::default()), &env).await.unwrap();
    assert_eq!(endpoint(&found), (url.as_str(), Some(KEY)));

    let at = Choice {
        base_url: Some(url.clone()),
        ..Choice::default()
    };
    let found = find(wish(at.clone()), &[("AITC_API_KEY", KEY)])
        .await
        .unwrap();
    assert_eq!(endpoint(&found), (url.as_str(), Some(KEY)));
    assert_eq!(found.model, "fake-1", "the first model it lists");
    let found = find(wish(at), &[]).await.unwrap();
    assert_eq!(endpoint(&found), (url.as_str(), None));
}

#[tokio::test]
async fn a_provider_asked_for_by_name_is_used_or_an_error() {
    let ask = async |name: &str, env: &[(&str, &str)]| find(wish(provider(name)), env).await;
    assert!(matches!(
        ask("groq", &[("OPENAI_API_KEY", KEY)]).await,
        Err(DiscoverError::NoCredentials { why, .. }) if why.contains("GROQ_API_KEY")
    ));
    for name in ["anthropic", "gemini"] {
        let error = ask(name, &[("ANTHROPIC_API_KEY", KEY), ("GEMINI_API_KEY", KEY)])
            .await
            .unwrap_err();
        assert!(matches!(error, DiscoverError::NotBuiltIn { .. }), "{error}");
    }
    assert!(matches!(
        ask("opneai", &[]).await,
        Err(DiscoverError::Unknown { .. })
    ));
    assert_eq!(
        ask("offline", &[("OPENAI_API_KEY", KEY)])
            .await
            .unwrap()
            .provider,
        "offline"
    );
    assert_eq!(ask("scripted", &[]).await.unwrap().endpoint, None);
}

#[tokio::test]
async fn without_anything_the_members_are_checklists_and_it_is_said_why() {
    let found = find(wish(Choice::default()), &[]).await.unwrap();
    assert_eq!(
        (found.provider.as_str(), found.model.as_str()),
        ("offline", "checklists")
    );
    assert!(found.why.contains("OPENAI_API_KEY"), "{}", found.why);
    let found = find(wish(Choice::default()), &[("ANTHROPIC_API_KEY", KEY)])
        .await
        .unwrap();
    assert_eq!(found.provider, "offline");
    assert!(
        found.why.contains("ANTHROPIC_API_KEY") && found.why.contains("not built in"),
        "{}",
        found.why
    );
}

#[tokio::test]
async fn a_local_server_is_found_unless_that_is_switched_off() {
    let models = vec!["nomic-embed-text".to_owned(), "qwen3".to_owned()];
    let config = FakeConfig {
        models,
        ..FakeConfig::default()
    };
    let fake = Fake::with(config, |_| Reply::Empty);
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let locals = vec![
        Local {
            name: "ollama",
            port: silent.local_addr().unwrap().port(),
        },
        Local {
            name: "lmstudio",
            port: fake.port(),
        },
    ];
    let wish = Wish {
        locals,
        ..wish(Choice::default())
    };
    let off = find(
        wish.clone(),
        &[("AITC_DISCOVER", "off"), ("OPENAI_API_KEY", KEY)],
    )
    .await
    .unwrap();
    assert_eq!(off.provider, "offline");
    assert_eq!(fake.calls("models"), 0);
    let found = find(wish.clone(), &[]).await.unwrap();
    assert_eq!(
        (found.provider.as_str(), found.model.as_str()),
        ("lmstudio", "qwen3")
    );
    let keyed = find(wish, &[("OPENAI_API_KEY", KEY)]).await.unwrap();
    assert_eq!(keyed.provider, "openai", "a key goes before loopback");
    assert_eq!(LOCALS[0].base_url(), "http://127.0.0.1:11434/v1");
}

#[tokio::test]
async fn a_refused_key_is_found_before_the_first_call() {
    let config = FakeConfig {
        key: Some(KEY.to_owned()),
        ..FakeConfig::default()
    };
    let fake = Fake::with(config, |_| Reply::Text("{}".to_owned()));
    let check = async |base_url: String, key: &str| {
        let api_key = Some(key.to_owned());
        check_credentials("openai", &Endpoint { base_url, api_key }).await
    };
    assert_eq!(check(fake.base_url(), KEY).await, Ok(()));
    let error = check(fake.base_url(), "sk-wrong").await.unwrap_err();
    assert!(matches!(error, DiscoverError::NoCredentials { .. }));
    assert!(!error.to_string().contains("sk-wrong"), "{error}");
    let no_models = format!("{}/elsewhere", fake.base_url());
    assert_eq!(
        check(no_models, "sk-wrong").await,
        Ok(()),
        "404 says nothing about the key"
    );
    drop(fake);
    assert_eq!(check("http://127.0.0.1:9/v1".to_owned(), KEY).await, Ok(()));
}
