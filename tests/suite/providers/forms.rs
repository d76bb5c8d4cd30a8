//! Error messages of real endpoints that refuse a feature, and the fallback that is tried.

use aitc::chat::{AnswerFormat, ChatRequest, EndpointRecord};
use aitc::edge::model::{ChatModel, Dialect};
use serde_json::{Value, json};

use super::dialects::ALL;
use super::{patient, request, speaking};
use crate::support::fake::{Completion, Fake, Reply, Seen};

/// The usual JSON of an error.
fn error(message: &str) -> Value {
    json!({"error": {"message": message, "type": "invalid_request_error"}})
}

fn has(seen: &Seen, words: &str) -> bool {
    seen.body.to_string().contains(words)
}

fn tools(seen: &Seen) -> bool {
    matches!(seen.format(), Some("json_schema" | "tool_call"))
}

/// A request that a server refuses, and its error.
struct Case {
    refuses: fn(&Seen) -> bool,
    status: u16,
    says: Value,
}

/// Real error messages: what is refused, the status, and the body of the answer, or only its
/// message if the body has the usual format.
fn cases() -> impl Iterator<Item = Case> {
    let lines = include_str!("forms/refusals.txt").lines();
    lines.map(|line| {
        let mut parts = line.splitn(3, ' ');
        let [name, status, says] = std::array::from_fn(|_| parts.next().unwrap());
        Case {
            refuses: match name {
                "tools" => tools,
                "any_form" => |seen| seen.format().is_some(),
                "lengths" => |seen| has(seen, "maxLength"),
                "streams" => |seen| seen.stream,
                "system" => |seen| seen.messages.iter().any(|(role, _)| role == "system"),
                "temperature" => |seen| has(seen, "\"temperature\""),
                "seed" => |seen| has(seen, "\"seed\""),
                "marks" => |seen| has(seen, "cache_control"),
                "old_name" => |seen| seen.dialect == Dialect::OpenAi && has(seen, "\"max_tokens\""),
                _ => panic!("nobody refuses `{name}`"),
            },
            status: status.parse().unwrap(),
            says: match says.starts_with('{') {
                true => serde_json::from_str(says).unwrap(),
                false => error(says),
            },
        }
    })
}

fn lesser(answer: &Seen) -> Reply {
    Reply::Full(Completion {
        as_call: answer.format() == Some("tool_call"),
        ..Completion::new("{\"analysis\":\"a\"}")
    })
}

#[tokio::test]
async fn what_is_refused_is_left_out_for_good_in_every_dialect() {
    for dialect in ALL {
        for case in cases() {
            let (refuses, status, says) = (case.refuses, case.status, case.says.to_string());
            let shown = format!("{dialect:?}: {status} {says}");
            let fake = Fake::start(move |seen| match refuses(seen) {
                true => Reply::status(status, vec![], &says),
                false => lesser(seen),
            });
            let ask = async |request: &ChatRequest| {
                let model = speaking(dialect, fake.base_url(), patient());
                let first = model.chat(request).await;
                let first = first.unwrap_or_else(|failure| panic!("{shown}: {failure}"));
                let before = fake.seen().len();
                let second = model.chat(request).await.unwrap();
                assert_eq!(fake.seen().len(), before + 1, "{shown}: asked for again");
                assert_eq!(first.text, "{\"analysis\":\"a\"}", "{shown}");
                second
            };
            let mut again = request();
            let answer = ask(&again).await;
            // A resumed run reads it from the transcript.
            again.known.learn(answer.format, &answer.terms);
            let before = fake.seen().len();
            ask(&again).await;
            assert_eq!(fake.seen().len(), before + 2, "{shown}: forgotten");
            let last = fake.seen().pop().unwrap();
            assert!(!refuses(&last), "{shown}");
            // The prompt is complete and in order.
            let texts: Vec<_> = last
                .messages
                .iter()
                .map(|(_, text)| text.as_str())
                .collect();
            let prompt = texts.concat();
            let places = ["rules", "one", "two"].map(|part| prompt.find(part));
            assert!(
                places.is_sorted() && places[0] == Some(0),
                "{shown}: {prompt}"
            );
        }
    }
}

/// Errors that are not about the answer format are reported, and no fallback is tried.
#[tokio::test]
async fn what_is_no_refusal_of_a_form_is_asked_once() {
    for (status, says) in [
        (
            404,
            error("The model `fake-1` does not exist or you do not have access to it"),
        ),
        (
            400,
            error("This model's maximum context length is 8192 tokens"),
        ),
        (
            400,
            error("request (8322 tokens) exceeds the available context size (8192 tokens)"),
        ),
        (
            400,
            json!({"error": {"code": "json_validate_failed", "message": "Failed to generate JSON",
            "failed_generation": "json_schema is not supported"}}),
        ),
        (500, error("upstream error: the stream broke")),
        (403, error("You do not have access")),
        (405, json!({"detail": "Method Not Allowed"})),
        (429, error("tools are not supported at this rate")),
        (401, error("temperature: unsupported")),
    ] {
        for dialect in ALL {
            let body = says.to_string();
            let fake = Fake::start(move |_| Reply::status(status, vec![], &body));
            let model = speaking(dialect, fake.base_url(), patient());
            model.chat(&request()).await.unwrap_err();
            assert_eq!(fake.seen().len(), 1, "{dialect:?}: {status} {says}");
        }
    }
}

/// If no fallback helps, the original error is reported, and the next call starts with the best
/// format again.
#[tokio::test]
async fn a_refusal_without_a_cause_gives_no_form_up_for_good() {
    let fake = Fake::start(|_| Reply::status(400, vec![], &error("Bad Request").to_string()));
    let model = speaking(Dialect::OpenAi, fake.base_url(), patient());
    for _ in 0..2 {
        let failure = model.chat(&request()).await.unwrap_err();
        assert!(failure.to_string().contains("Bad Request"), "{failure}");
    }
    let asked: Vec<_> = fake
        .seen()
        .iter()
        .map(|seen| seen.format().map(str::to_owned))
        .collect();
    let ladder = ["json_schema", "tool_call", "json_object"].map(|form| Some(form.to_owned()));
    let once: Vec<_> = ladder.into_iter().chain([None]).collect();
    assert_eq!(asked, [once.clone(), once].concat());
}

/// The same error inside a started stream: no text was received, so the call is repeated with a
/// fallback.
#[tokio::test]
async fn a_form_that_is_refused_within_a_stream_is_given_up() {
    let says = error("json_schema is not supported by this model, nor are tools");
    let fake = Fake::start(move |seen| match tools(seen) {
        true => Reply::Raw(vec![format!("data: {says}\n\n").into_bytes()]),
        false => lesser(seen),
    });
    let model = speaking(Dialect::OpenAi, fake.base_url(), patient());
    let answer = model.chat(&request()).await.unwrap();
    assert_eq!(answer.format, Some(AnswerFormat::JsonObject));
}

/// The output limit of the request.
fn limit(seen: &Seen) -> u64 {
    let places = [
        "/max_tokens",
        "/max_completion_tokens",
        "/max_output_tokens",
        "/generationConfig/maxOutputTokens",
        "/options/num_predict",
    ];
    let told = places
        .iter()
        .find_map(|place| seen.body.pointer(place)?.as_u64());
    told.unwrap_or_default()
}

#[tokio::test]
async fn a_limit_that_is_too_large_is_lowered_to_what_is_said() {
    for line in include_str!("forms/limits.txt").lines() {
        let (most, says) = line.split_once(' ').unwrap();
        let most = most.parse().unwrap();
        for dialect in ALL {
            let fake = Fake::start(move |seen| {
                let asked = limit(seen);
                if asked <= most {
                    return lesser(seen);
                }
                let says = says.replace("ASKED", &asked.to_string());
                let says = says.replace("SUM", &(asked + 6230).to_string());
                Reply::status(400, vec![], &error(&says).to_string())
            });
            let model = speaking(dialect, fake.base_url(), patient());
            let mut request = request();
            request.max_output_tokens = 4096;
            let answer = model.chat(&request).await;
            let answer = answer.unwrap_or_else(|failure| panic!("{dialect:?} {says}: {failure}"));
            let asked: Vec<u64> = fake.seen().iter().map(limit).collect();
            assert_eq!(
                *asked.last().unwrap(),
                most,
                "{dialect:?} {says}: {asked:?}"
            );
            request.known = EndpointRecord {
                format: answer.format,
                terms: answer.terms,
            };
            let before = asked.len();
            speaking(dialect, fake.base_url(), patient())
                .chat(&request)
                .await
                .unwrap();
            assert_eq!(
                fake.seen().len(),
                before + 1,
                "{dialect:?} {says}: not remembered"
            );
        }
    }
}

/// A piece of an answer with a text of the model, in every dialect.
fn piece(dialect: Dialect, text: &str, thought: bool) -> String {
    let (field, kind, event) = match thought {
        true => ("reasoning_content", "thinking", "reasoning_text"),
        false => ("content", "text", "output_text"),
    };
    match dialect {
        Dialect::OpenAi => format!(r#"data: {{"choices":[{{"delta":{{"{field}":{text}}}}}]}}"#),
        Dialect::OpenAiResponses => {
            format!(r#"data: {{"type":"response.{event}.delta","delta":{text}}}"#)
        }
        Dialect::Anthropic => {
            format!(r#"data: {{"type":"content_block_delta","delta":{{"{kind}":{text}}}}}"#)
        }
        Dialect::Gemini => format!(
            r#"data: {{"candidates":[{{"content":{{"parts":[{{"text":{text},"thought":{thought}}}]}}}}]}}"#
        ),
        Dialect::Ollama => match thought {
            true => format!(r#"{{"message":{{"content":"","thinking":{text}}}}}"#),
            false => format!(r#"{{"message":{{"content":{text}}}}}"#),
        },
        Dialect::Cohere => format!(
            r#"data: {{"type":"content-delta","delta":{{"message":{{"content":{{"{kind}":{text}}}}}}}}}"#
        ),
    }
}

/// The end of an answer, with zeros as counts.
fn end(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::OpenAi => {
            r#"data: {"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}}"#
        }
        Dialect::OpenAiResponses => {
            r#"data: {"type":"response.completed","response":{"status":"completed","usage":{"input_tokens":0,"output_tokens":0}}}"#
        }
        Dialect::Anthropic => {
            r#"data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"input_tokens":0,"output_tokens":0}}"#
        }
        Dialect::Gemini => {
            r#"data: {"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":0,"candidatesTokenCount":0}}"#
        }
        Dialect::Ollama => r#"{"done":true,"prompt_eval_count":0,"eval_count":0}"#,
        Dialect::Cohere => {
            r#"data: {"type":"message-end","delta":{"finish_reason":"COMPLETE","usage":{"tokens":{"input_tokens":0,"output_tokens":0}}}}"#
        }
    }
}

/// A character split over two pieces, an answer in the reasoning field, and zeros as counts: in
/// every dialect the answer is complete, and its usage is estimated.
#[tokio::test]
async fn what_is_cut_or_misplaced_or_not_counted_is_put_right_in_every_dialect() {
    for dialect in ALL {
        for thought in [false, true] {
            let texts = [
                r#""{\"analysis\":\"a\ud83d""#,
                r#""\ude80 \ud83d\ude80!\"}""#,
            ];
            let pieces = texts.map(|text| piece(dialect, text, thought));
            let events = pieces.iter().map(String::as_str).chain([end(dialect)]);
            let bytes = events
                .map(|event| format!("{event}\n\n").into_bytes())
                .collect();
            let reply = Reply::Raw(bytes);
            let fake = Fake::start(move |_| reply.clone());
            let model = speaking(dialect, fake.base_url(), patient());
            let answer = model.chat(&request()).await.unwrap();
            let wanted = "{\"analysis\":\"a\u{fffd}\u{fffd} \u{1f680}!\"}";
            assert_eq!(answer.text, wanted, "{dialect:?} {thought}");
            let usage = answer.usage;
            assert!(
                usage.estimated && usage.input > 0 && usage.output > 0,
                "{usage:?}"
            );
        }
    }
}

/// Split characters may also occur beside the answer, in an error, and in other fields.
#[tokio::test]
async fn halves_beside_an_answer_spoil_nothing() {
    let pieces = [
        r#"{"id":"c\ud83d","model":"m\ud83d","choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"contribution","arguments":"{\"analysis\":\"a\ud83d"}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\ude80\"}"}}]},"finish_reason":"tool_calls"}]}"#,
    ];
    let stream = pieces.map(|piece| format!("data: {piece}\n\n").into_bytes());
    let says = r#"{"error":{"message":"json_schema is not supported \ud83d","url":"https://h.example/stream"}}"#;
    let fake = Fake::start(move |seen| match seen.format() {
        Some("json_schema") => Reply::status(400, vec![], says),
        _ => Reply::Raw(stream.to_vec()),
    });
    let model = speaking(Dialect::OpenAi, fake.base_url(), patient());
    let answer = model.chat(&request()).await.unwrap();
    assert_eq!(answer.text, "{\"analysis\":\"a\u{fffd}\u{fffd}\"}");
    assert_eq!(answer.request_id.as_deref(), Some("c\u{fffd}"));
    assert_eq!(answer.format, Some(AnswerFormat::ToolCall));
    assert!(fake.seen().iter().all(|seen| seen.stream));
}
