//! Every dialect, tested with the fake server, which implements all of them.

use aitc::chat::{AnswerFormat, ChatRequest, ChatResponse, ChatRole, FinishReason, Message, Usage};
use aitc::edge::model::{ChatModel, Dialect, Endpoint, Listing, Route, list};
use aitc::machine::FailureKind;
use aitc::reply::contribution_schema;
use serde_json::{Value, json};

use super::{KEY, patient, request, speaking};
use crate::support::fake::{Completion, Fake, FakeConfig, Reply, Seen};

pub(super) const ALL: [Dialect; 6] = [
    Dialect::OpenAi,
    Dialect::OpenAiResponses,
    Dialect::Anthropic,
    Dialect::Gemini,
    Dialect::Ollama,
    Dialect::Cohere,
];

/// Makes a call to a fake server that answers with `reply`.
async fn ask(dialect: Dialect, reply: Reply) -> Result<ChatResponse, (FailureKind, bool)> {
    let fake = Fake::start(move |_| reply.clone());
    speaking(dialect, fake.base_url(), patient())
        .chat(&request())
        .await
        .map_err(|failure| (failure.kind, failure.retryable))
}

/// The request that was sent.
async fn sent(dialect: Dialect, request: &ChatRequest) -> Seen {
    let fake = Fake::start(|_| Reply::Text("{}".to_owned()));
    let model = speaking(dialect, fake.base_url(), patient());
    model.chat(request).await.unwrap();
    fake.seen().remove(0)
}

fn raw(events: &[&str]) -> Reply {
    Reply::Raw(
        events
            .iter()
            .map(|it| format!("{it}\n\n").into_bytes())
            .collect(),
    )
}

#[tokio::test]
async fn every_dialect_brings_the_same_answer_streamed_or_whole() {
    let text = "{\"analysis\":\"计划 \u{1f600}\"}";
    let reply = Completion {
        reasoning: Some("hm".to_owned()),
        usage: Some(json!({"prompt_tokens": 30, "completion_tokens": 12,
            "prompt_tokens_details": {"cached_tokens": 20},
            "completion_tokens_details": {"reasoning_tokens": 5}})),
        headers: vec![("x-request-id", "req-1".to_owned())],
        ..Completion::new(text)
    };
    for dialect in ALL {
        for never_stream in [false, true] {
            let reply = Completion {
                never_stream,
                ..reply.clone()
            };
            let response = ask(dialect, Reply::Full(reply)).await.unwrap();
            // Three dialects do not report all counts.
            let (cached_input, reasoning) = match dialect {
                Dialect::Ollama => (0, 0),
                Dialect::Anthropic | Dialect::Cohere => (20, 0),
                _ => (20, 5),
            };
            let wanted = ChatResponse {
                text: text.to_owned(),
                reasoning: Some("hm".to_owned()),
                finish: FinishReason::Stop,
                usage: Usage {
                    input: 30,
                    cached_input,
                    output: 12,
                    reasoning,
                    estimated: false,
                },
                // Cohere does not say which model answered.
                model: if dialect == Dialect::Cohere {
                    "m-1"
                } else {
                    "fake-1"
                }
                .to_owned(),
                request_id: Some("req-1".to_owned()),
                format: Some(AnswerFormat::JsonSchema),
                terms: Default::default(),
            };
            assert_eq!(response, wanted, "{dialect:?} {never_stream}");
        }
    }
}

#[tokio::test]
async fn a_request_id_comes_from_the_answer_where_no_header_has_one() {
    for (dialect, wanted) in [
        (Dialect::OpenAi, Some("chatcmpl-1")),
        (Dialect::OpenAiResponses, Some("resp_1")),
        (Dialect::Anthropic, Some("msg_1")),
        (Dialect::Gemini, Some("resp-1")),
        (Dialect::Ollama, None),
        (Dialect::Cohere, Some("msg-1")),
    ] {
        let response = ask(dialect, Reply::Text("{}".to_owned())).await.unwrap();
        assert_eq!(response.request_id.as_deref(), wanted, "{dialect:?}");
    }
}

#[tokio::test]
async fn every_dialect_says_everything_once_and_only_its_own_header_holds_the_key() {
    let bearer = format!("Bearer {KEY}");
    for (dialect, path, header, key, fields) in [
        (
            Dialect::OpenAi,
            "/v1/chat/completions",
            "authorization",
            bearer.as_str(),
            json!({"/model": "m-1", "/stream": true, "/stream_options/include_usage": true,
                "/max_tokens": 77, "/temperature": 0.5, "/seed": 7,
                "/response_format/json_schema/name": "contribution",
                "/response_format/json_schema/strict": true,
                "/response_format/json_schema/schema": contribution_schema().schema}),
        ),
        (
            Dialect::OpenAiResponses,
            "/v1/responses",
            "authorization",
            bearer.as_str(),
            json!({"/model": "m-1", "/stream": true, "/store": false, "/max_output_tokens": 77,
                "/temperature": 0.5, "/seed": null, "/text/format/strict": true,
                "/text/format/schema": contribution_schema().schema}),
        ),
        (
            Dialect::Anthropic,
            "/v1/messages",
            "x-api-key",
            KEY,
            json!({"/model": "m-1", "/stream": true, "/max_tokens": 77, "/temperature": 0.5,
                "/seed": null, "/output_config/format/type": "json_schema",
                "/output_config/format/schema": contribution_schema().schema}),
        ),
        (
            Dialect::Gemini,
            "/v1beta/models/m-1:streamGenerateContent",
            "x-goog-api-key",
            KEY,
            json!({"/generationConfig/maxOutputTokens": 77, "/generationConfig/temperature": 0.5,
                "/generationConfig/seed": 7,
                "/generationConfig/responseMimeType": "application/json",
                "/generationConfig/responseJsonSchema": contribution_schema().schema}),
        ),
        (
            Dialect::Ollama,
            "/api/chat",
            "authorization",
            bearer.as_str(),
            json!({"/model": "m-1", "/stream": true, "/options/num_predict": 77,
                "/options/temperature": 0.5, "/options/seed": 7, "/options/num_ctx": 8192,
                "/format": contribution_schema().schema}),
        ),
        (
            Dialect::Cohere,
            "/v2/chat",
            "authorization",
            bearer.as_str(),
            json!({"/model": "m-1", "/stream": true, "/max_tokens": 77, "/temperature": 0.5,
                "/seed": 7, "/response_format/type": "json_object",
                "/response_format/json_schema": contribution_schema().schema}),
        ),
    ] {
        let seen = sent(dialect, &request()).await;
        assert_eq!(seen.path, path);
        let pair = |role: &str, text: &str| (role.to_owned(), text.to_owned());
        assert_eq!(
            seen.messages,
            [pair("system", "rules"), pair("user", "one\n\ntwo")],
            "{dialect:?}"
        );
        for (place, wanted) in fields.as_object().unwrap() {
            let found = seen.body.pointer(place).unwrap_or(&Value::Null);
            assert_eq!(found, wanted, "{dialect:?} {place}");
        }
        for (name, value) in &seen.headers {
            assert_eq!(value.contains(KEY), name == header, "{dialect:?} {name}");
        }
        assert_eq!(seen.headers[header], key);
        let body = seen.body.to_string();
        assert!(
            !body.contains(KEY) && !body.contains("root/speech"),
            "{body}"
        );
        let version = seen.headers.get("anthropic-version").map(String::as_str);
        let wanted = (dialect == Dialect::Anthropic).then_some("2023-06-01");
        assert_eq!(version, wanted, "{dialect:?}");
    }
}

#[tokio::test]
async fn cache_marks_stand_where_other_prompts_go_on() {
    let message = |content: &str| Message {
        role: ChatRole::User,
        content: content.into(),
    };
    let mut request = request();
    request.messages = vec![
        Message {
            role: ChatRole::System,
            content: "rules".into(),
        },
        message("requirement"),
        message("issues"),
        message("speech"),
        message("task"),
    ];
    let marks = |body: &Value| -> Vec<bool> {
        let blocks = body["messages"][0]["content"].as_array().unwrap();
        blocks
            .iter()
            .map(|block| block["cache_control"]["type"] == "ephemeral")
            .collect()
    };
    let first = sent(Dialect::Anthropic, &request).await.body;
    assert_eq!(marks(&first), [true, false, true, true]);
    request.messages.push(message("the next task"));
    let next = sent(Dialect::Anthropic, &request).await.body;
    assert_eq!(marks(&next), [true, false, false, true, true]);
    let text = |body: &Value, at: usize| body["messages"][0]["content"][at]["text"].clone();
    for at in 0..4 {
        assert_eq!(text(&first, at), text(&next, at), "a block changed");
    }
    assert!(first["system"][0].get("cache_control").is_none());
}

#[tokio::test]
async fn the_context_of_ollama_follows_the_prompt() {
    let fake = Fake::start(|_| Reply::Text("{}".to_owned()));
    let model = speaking(Dialect::Ollama, fake.base_url(), patient());
    let mut long = request();
    long.messages[1].content = "x".repeat(60_000).into();
    for request in [&request(), &long, &request()] {
        model.chat(request).await.unwrap();
    }
    let asked: Vec<_> = fake
        .seen()
        .iter()
        .map(|seen| seen.body["options"]["num_ctx"].as_u64().unwrap())
        .collect();
    assert_eq!(asked, [8_192, 32_768, 32_768]);
}

/// Refuses any other answer format, with the error of the real endpoint.
fn picky(takes: &'static [Option<&'static str>], words: &'static str) -> impl Fn(&Seen) -> Reply {
    move |seen| {
        if takes.contains(&seen.format()) {
            return Reply::Full(Completion {
                as_call: seen.format() == Some("tool_call"),
                ..Completion::new("{\"a\":1}")
            });
        }
        Reply::error(400, words)
    }
}

#[tokio::test]
async fn structured_answers_step_down_in_every_dialect_and_stay_there() {
    type Formats = &'static [Option<&'static str>];
    let four: Formats = &[
        Some("json_schema"),
        Some("tool_call"),
        Some("json_object"),
        None,
    ];
    let three: Formats = &[Some("json_schema"), Some("tool_call"), None];
    let held: Formats = &[Some("json_schema"), Some("json_object"), None];
    for (dialect, ladder, words) in [
        (
            Dialect::OpenAiResponses,
            four,
            "Unknown parameter: 'text.format'.",
        ),
        (
            Dialect::Anthropic,
            three,
            "output_config: tool_choice: Extra inputs are not permitted",
        ),
        (
            Dialect::Gemini,
            four,
            "Invalid JSON payload received. Unknown name \"responseJsonSchema\", function calling is not enabled",
        ),
        (
            Dialect::Ollama,
            held,
            "json: cannot unmarshal object into Go struct field ChatRequest.format of type string",
        ),
        (
            Dialect::Cohere,
            held,
            "invalid request: response_format is not supported with this model",
        ),
    ] {
        for steps in 0..ladder.len() {
            let fake = Fake::start(picky(&ladder[steps..], words));
            let model = speaking(dialect, fake.base_url(), patient());
            let response = model.chat(&request()).await.unwrap();
            assert_eq!(response.text, "{\"a\":1}", "{dialect:?} {steps}");
            model.chat(&request()).await.unwrap();
            let seen = fake.seen();
            let formats: Vec<_> = seen.iter().map(Seen::format).collect();
            let wanted: Vec<_> = ladder[..=steps]
                .iter()
                .copied()
                .chain([ladder[steps]])
                .collect();
            assert_eq!(formats, wanted, "{dialect:?}");
            let name = response.format.unwrap().name();
            assert_eq!(name, ladder[steps].unwrap_or("prompt"), "{dialect:?}");
            let system = &seen.last().unwrap().messages[0];
            let in_prompt = matches!(ladder[steps], Some("json_object") | None);
            assert!(system.1.starts_with("rules"));
            assert_eq!(
                system.1.contains("JSON Schema"),
                in_prompt,
                "{dialect:?} {steps}"
            );
        }
    }
}

#[tokio::test]
async fn an_endpoint_that_pays_no_heed_is_told_the_schema_in_words() {
    for dialect in ALL {
        let fake = Fake::start(|_| Reply::Text("Sure! Here is what I think.".to_owned()));
        let model = speaking(dialect, fake.base_url(), patient());
        for _ in 0..2 {
            model.chat(&request()).await.unwrap();
        }
        let told: Vec<bool> = fake
            .seen()
            .iter()
            .map(|seen| seen.messages[0].1.contains("JSON Schema"))
            .collect();
        assert_eq!(told, [false, true], "{dialect:?}");
    }
}

#[tokio::test]
async fn every_way_to_spoil_a_stream_is_told_apart_in_every_dialect() {
    use FailureKind::{Network, Protocol};
    for dialect in ALL {
        for (reply, wanted) in [
            (Reply::Cut("{\"a".to_owned()), (Protocol, true)),
            (Reply::Empty, (Protocol, true)),
            (Reply::BrokenFrame, (Protocol, true)),
            (Reply::Html, (Protocol, false)),
            (Reply::Reset("{\"a".to_owned()), (Network, true)),
        ] {
            let shown = format!("{dialect:?} {reply:?}");
            assert_eq!(ask(dialect, reply).await.unwrap_err(), wanted, "{shown}");
        }
        let text = "计划\u{1f600}é";
        let split = ask(dialect, Reply::SplitUtf8(text.to_owned()))
            .await
            .unwrap();
        assert_eq!(split.text, text, "{dialect:?}");
        let cut = ask(dialect, Reply::Length("{\"ana".to_owned()))
            .await
            .unwrap();
        assert_eq!(cut.finish, FinishReason::Length, "{dialect:?}");
    }
}

#[tokio::test]
async fn a_filter_that_stepped_in_is_told() {
    for dialect in [
        Dialect::OpenAi,
        Dialect::OpenAiResponses,
        Dialect::Anthropic,
        Dialect::Gemini,
    ] {
        let reply = Completion {
            finish: "content_filter",
            ..Completion::new("{")
        };
        let response = ask(dialect, Reply::Full(reply)).await.unwrap();
        assert_eq!(response.finish, FinishReason::ContentFilter, "{dialect:?}");
    }
}

#[tokio::test]
async fn errors_within_a_stream_keep_their_meaning() {
    use FailureKind::{RateLimited, Refused, Server};
    for (dialect, events, wanted) in [
        (
            Dialect::Anthropic,
            &[
                r#"data: {"type":"message_start","message":{"id":"m","usage":{"input_tokens":3}}}"#,
                r#"data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
            ][..],
            (RateLimited, true),
        ),
        (
            Dialect::OpenAiResponses,
            &[
                r#"data: {"type":"response.failed","response":{"error":{"code":"rate_limit_exceeded","message":"slow"}}}"#,
            ],
            (RateLimited, true),
        ),
        (
            Dialect::Gemini,
            &[
                r#"data: {"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}"#,
            ],
            (Server, true),
        ),
        (
            Dialect::Gemini,
            &[r#"data: {"error":{"code":400,"message":"too long"}}"#],
            (Refused, false),
        ),
        (
            Dialect::Ollama,
            &[r#"{"error":"model runner has unexpectedly stopped"}"#],
            (Server, true),
        ),
        (
            Dialect::Cohere,
            &[
                r#"data: {"type":"message-end","delta":{"finish_reason":"ERROR","error":"worker failed"}}"#,
            ],
            (Server, true),
        ),
    ] {
        assert_eq!(
            ask(dialect, raw(events)).await.unwrap_err(),
            wanted,
            "{dialect:?}"
        );
    }
}

#[tokio::test]
async fn counts_in_odd_places_are_found() {
    // All counts at the end, as some gateways to Anthropic send them.
    let late = raw(&[
        r#"data: {"type":"message_start","message":{"id":"m","usage":{"input_tokens":0,"output_tokens":0}}}"#,
        r#"data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"{}"}}"#,
        r#"data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":4,"cache_read_input_tokens":6,"output_tokens":2}}"#,
        r#"data: {"type":"message_stop"}"#,
    ]);
    let usage = ask(Dialect::Anthropic, late).await.unwrap().usage;
    assert_eq!((usage.input, usage.cached_input, usage.output), (10, 6, 2));
    // Growing counts in every chunk.
    let growing = raw(&[
        r#"data: {"candidates":[{"content":{"parts":[{"text":"{"}]}}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":1}}"#,
        r#"data: {"candidates":[{"content":{"parts":[{"text":"}"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":2}}"#,
    ]);
    let usage = ask(Dialect::Gemini, growing).await.unwrap().usage;
    assert_eq!((usage.input, usage.output), (9, 2));
    // Ollama omits the prompt's count if the whole prompt was cached.
    let silent =
        raw(&[r#"{"message":{"content":"{}"},"done":true,"done_reason":"stop","eval_count":3}"#]);
    let usage = ask(Dialect::Ollama, silent).await.unwrap().usage;
    assert_eq!((usage.input, usage.output), (2 + 1 + 1, 3));
}

#[tokio::test]
async fn gemini_says_in_its_body_when_to_come_back_and_that_a_key_is_wrong() {
    let wait = r#"{"error":{"code":429,"message":"quota","details":[{"retryDelay":"36s"}]}}"#;
    let fake = Fake::start(|_| Reply::status(429, vec![], wait));
    let model = speaking(Dialect::Gemini, fake.base_url(), patient());
    let failure = model.chat(&request()).await.unwrap_err();
    assert_eq!(failure.retry_after.map(|wait| wait.as_secs()), Some(36));
    let wrong = r#"{"error":{"code":400,"message":"API key not valid.","details":[{"reason":"API_KEY_INVALID"}]}}"#;
    let failure = ask(Dialect::Gemini, Reply::status(400, vec![], wrong)).await;
    assert_eq!(failure.unwrap_err(), (FailureKind::Credentials, false));
}

#[tokio::test]
async fn models_are_listed_and_keys_are_checked_in_every_dialect() {
    let config = FakeConfig {
        key: Some(KEY.to_owned()),
        models: vec!["big".to_owned(), "small".to_owned()],
        ..FakeConfig::default()
    };
    let fake = Fake::with(config, |_| Reply::Text("{}".to_owned()));
    for dialect in ALL {
        let endpoint = |key: &str| Endpoint {
            dialect,
            base_url: fake.base_url(),
            api_key: Some(key.to_owned()),
        };
        let models = vec!["big".to_owned(), "small".to_owned()];
        assert_eq!(
            list("x", &endpoint(KEY), &Route::default()).await,
            Ok(Listing::Models(models)),
            "{dialect:?}"
        );
        assert!(
            matches!(
                list("x", &endpoint("wrong"), &Route::default()).await,
                Ok(Listing::Refused(status)) if status == 401
            ),
            "{dialect:?}"
        );
    }
}

#[tokio::test]
async fn an_address_may_be_written_in_every_usual_way() {
    let fake = Fake::start(|_| Reply::Text("{}".to_owned()));
    let origin = fake.base_url().trim_end_matches("/v1").to_owned();
    for (dialect, endings) in [
        (
            Dialect::OpenAi,
            &["/v1", "/v1/", "/v1/chat/completions"][..],
        ),
        (Dialect::OpenAiResponses, &["/v1", "/v1/responses"]),
        (Dialect::Anthropic, &["", "/", "/v1", "/v1/messages"]),
        (Dialect::Gemini, &["", "/v1beta", "/v1beta/models"]),
        (Dialect::Ollama, &["", "/v1", "/api", "/api/chat"]),
        (Dialect::Cohere, &["", "/v1", "/v2", "/v2/chat"]),
    ] {
        for ending in endings {
            let model = speaking(dialect, format!("{origin}{ending}"), patient());
            let answer = model.chat(&request()).await;
            assert!(answer.is_ok(), "{dialect:?} `{ending}`: {answer:?}");
        }
    }
}
