//! Every dialect, tested with the fake server, which implements all of them.

use aitc::chat::{AnswerFormat, ChatRequest, ChatResponse, ChatRole, FinishReason, Message, Usage};
use aitc::edge::model::{ChatModel, Dialect, Endpoint, Listing, Route, list};
use aitc::machine::FailureKind;
use aitc::reply::contribution_schema;
use serde_json::{Value, json};

use super::{KEY, patient, request, speaking};
use crate::support::fake::{Completion, Fake, FakeConfig, Reply, Seen, told};

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

/// What comes of an answer, in words: why the call failed, whether it is made again and after how
/// many seconds; or how the answer ended, its counts, its id and its text.
async fn outcome(dialect: Dialect, reply: Reply) -> String {
    let fake = Fake::start(move |_| reply.clone());
    let model = speaking(dialect, fake.base_url(), patient());
    match model.chat(&request()).await {
        Ok(it) => {
            let (usage, id) = (it.usage, it.request_id.as_deref().unwrap_or("-"));
            let counts = format!("{}/{}/{}", usage.input, usage.cached_input, usage.output);
            format!("{:?} {counts} id={id} {}", it.finish, it.text)
        }
        Err(it) => {
            let again = if it.retryable { "again" } else { "once" };
            let wait = it.retry_after.map(|wait| wait.as_secs());
            format!("{:?} {again} wait={wait:?} {}", it.kind, it.detail)
        }
    }
}

/// Each line of `calls.txt` has dialects, an answer, and words of what comes of it.
#[tokio::test]
async fn every_answer_and_failure_is_told_apart() {
    for line in include_str!("calls.txt").lines() {
        let parts: Vec<&str> = line.split(" | ").collect();
        let [dialects, reply, words] = parts[..] else {
            panic!("{line}");
        };
        let named =
            |it: &Dialect| dialects == "all" || dialects.split(',').any(|one| one == it.name());
        for dialect in ALL.into_iter().filter(named) {
            let found = outcome(dialect, told(reply)).await;
            let missing = words.split(' ').find(|word| !found.contains(word));
            assert_eq!(missing, None, "{dialect:?} {line}: {found}");
        }
    }
}

/// The request that was sent.
async fn sent(dialect: Dialect, request: &ChatRequest) -> Seen {
    let fake = Fake::start(|_| Reply::Text("{}".to_owned()));
    let model = speaking(dialect, fake.base_url(), patient());
    model.chat(request).await.unwrap();
    fake.seen().remove(0)
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
            let name = serde_json::json!(response.format);
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
            key_variable: None,
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
