//! Answers in the wire format of every dialect.

use aitc::edge::model::Dialect;
use axum::body::Bytes;
use serde_json::{Value, json};

use super::reply::Completion;

/// Characters per piece of a stream.
const PIECE: usize = 200;

/// The part of a stream with the text, without its end.
pub(super) fn frames(dialect: Dialect, whole: &Completion) -> Vec<Bytes> {
    frames_of(dialect, whole, PIECE)
}

/// The same in pieces of `piece` characters.
pub(super) fn frames_of(dialect: Dialect, whole: &Completion, piece: usize) -> Vec<Bytes> {
    let mut frames = begin(dialect, whole);
    if let Some(reasoning) = &whole.reasoning {
        frames.push(thought(dialect, reasoning));
    }
    let text: Vec<char> = whole.text.chars().collect();
    let pieces: Vec<String> = match dialect {
        // Gemini sends a function call in one piece.
        Dialect::Gemini if whole.as_call => vec![whole.text.clone()],
        _ => text
            .chunks(piece)
            .map(|piece| piece.iter().collect())
            .collect(),
    };
    for piece in pieces {
        frames.push(said(dialect, &piece, whole.as_call));
    }
    let lines = dialect == Dialect::Ollama;
    let named = matches!(
        dialect,
        Dialect::Anthropic | Dialect::OpenAiResponses | Dialect::Cohere
    );
    frames
        .iter()
        .map(|frame| framed(frame, lines, named))
        .collect()
}

/// The end of a stream: finish reason and usage.
pub(super) fn tail(dialect: Dialect, whole: &Completion) -> Vec<Bytes> {
    let lines = dialect == Dialect::Ollama;
    let named = matches!(
        dialect,
        Dialect::Anthropic | Dialect::OpenAiResponses | Dialect::Cohere
    );
    let mut tail: Vec<Bytes> = end(dialect, whole)
        .iter()
        .map(|frame| framed(frame, lines, named))
        .collect();
    if dialect == Dialect::OpenAi {
        tail.push(Bytes::from_static(b"data: [DONE]\n\n"));
    }
    tail
}

fn framed(frame: &Value, lines: bool, named: bool) -> Bytes {
    Bytes::from(match (lines, frame["type"].as_str()) {
        (true, _) => format!("{frame}\n"),
        (_, Some(name)) if named => format!("event: {name}\ndata: {frame}\n\n"),
        _ => format!("data: {frame}\n\n"),
    })
}

fn begin(dialect: Dialect, whole: &Completion) -> Vec<Value> {
    match dialect {
        Dialect::OpenAi => vec![chunk(json!({"role": "assistant", "content": ""}), None)],
        Dialect::OpenAiResponses => vec![json!({"type": "response.created", "response":
            {"id": "resp_1", "object": "response", "status": "in_progress", "model": "fake-1", "output": []}})],
        Dialect::Anthropic => {
            let mut usage = counted(whole);
            usage["output_tokens"] = json!(1);
            let block = if whole.as_call {
                json!({"type": "tool_use", "id": "toolu_1", "name": "answer", "input": {}})
            } else {
                json!({"type": "text", "text": ""})
            };
            vec![
                json!({"type": "message_start", "message": {"id": "msg_1", "type": "message",
                    "role": "assistant", "model": "fake-1", "content": [], "stop_reason": null,
                    "usage": if whole.usage.is_some() { usage } else { Value::Null }}}),
                json!({"type": "content_block_start", "index": 0, "content_block": block}),
                json!({"type": "ping"}),
            ]
        }
        Dialect::Gemini | Dialect::Ollama => Vec::new(),
        Dialect::Cohere => vec![
            json!({"type": "message-start", "id": "msg-1", "delta": {"message": {"role": "assistant",
                "content": [], "tool_plan": "", "tool_calls": [], "citations": []}}}),
            json!({"type": "content-start", "index": 0,
                "delta": {"message": {"content": {"type": "text", "text": ""}}}}),
        ],
    }
}

/// A piece of Cohere's message.
fn piece_of(content: Value) -> Value {
    json!({"type": "content-delta", "index": 0, "delta": {"message": {"content": content}}})
}

fn thought(dialect: Dialect, text: &str) -> Value {
    match dialect {
        Dialect::OpenAi => chunk(json!({"reasoning_content": text}), None),
        Dialect::OpenAiResponses => {
            json!({"type": "response.reasoning_summary_text.delta", "delta": text})
        }
        Dialect::Anthropic => json!({"type": "content_block_delta", "index": 0,
            "delta": {"type": "thinking_delta", "thinking": text}}),
        Dialect::Gemini => candidate(json!({"text": text, "thought": true}), None),
        Dialect::Ollama => line(json!({"content": "", "thinking": text})),
        Dialect::Cohere => piece_of(json!({"thinking": text})),
    }
}

fn said(dialect: Dialect, text: &str, as_call: bool) -> Value {
    match (dialect, as_call) {
        (Dialect::OpenAi, false) => chunk(json!({"content": text}), None),
        (Dialect::OpenAi, true) => chunk(
            json!({"tool_calls": [{"index": 0, "type": "function", "function": {"arguments": text}}]}),
            None,
        ),
        (Dialect::OpenAiResponses, false) => {
            json!({"type": "response.output_text.delta", "delta": text})
        }
        (Dialect::OpenAiResponses, true) => {
            json!({"type": "response.function_call_arguments.delta", "delta": text})
        }
        (Dialect::Anthropic, false) => json!({"type": "content_block_delta", "index": 0,
            "delta": {"type": "text_delta", "text": text}}),
        (Dialect::Anthropic, true) => json!({"type": "content_block_delta", "index": 0,
            "delta": {"type": "input_json_delta", "partial_json": text}}),
        (Dialect::Gemini, false) => candidate(json!({"text": text}), None),
        (Dialect::Gemini, true) => candidate(call(text), None),
        (Dialect::Ollama, _) => line(json!({"role": "assistant", "content": text})),
        (Dialect::Cohere, _) => piece_of(json!({"text": text})),
    }
}

fn end(dialect: Dialect, whole: &Completion) -> Vec<Value> {
    let finish = finish(dialect, whole);
    match dialect {
        Dialect::OpenAi => {
            let mut end = vec![chunk(json!({}), Some(finish))];
            if let Some(usage) = &whole.usage {
                end.push(
                    json!({"id": "chatcmpl-1", "model": "fake-1", "choices": [], "usage": usage}),
                );
            }
            end
        }
        Dialect::OpenAiResponses => {
            let kind = if finish == "completed" {
                finish
            } else {
                "incomplete"
            };
            vec![json!({"type": format!("response.{kind}"), "response": response(whole)})]
        }
        Dialect::Anthropic => vec![
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "delta": {"stop_reason": finish, "stop_sequence": null},
                "usage": {"output_tokens": counted(whole)["output_tokens"]}}),
            json!({"type": "message_stop"}),
        ],
        Dialect::Gemini => vec![with_usage(
            candidate(json!({"text": ""}), Some(finish)),
            whole,
        )],
        Dialect::Ollama => {
            let mut end = line(json!({"role": "assistant", "content": ""}));
            end["done"] = json!(true);
            end["done_reason"] = json!(finish);
            if whole.usage.is_some() {
                let counts = counted(whole);
                end["prompt_eval_count"] = json!(count(whole, "/prompt_tokens"));
                end["eval_count"] = counts["output_tokens"].clone();
            }
            vec![end]
        }
        Dialect::Cohere => vec![
            json!({"type": "content-end", "index": 0}),
            json!({"type": "message-end", "delta": {"finish_reason": finish, "usage": billed(whole)}}),
        ],
    }
}

/// The complete answer as one document.
pub(super) fn whole(dialect: Dialect, whole: &Completion) -> Value {
    match dialect {
        Dialect::OpenAi => {
            let call = whole
                .as_call
                .then(|| json!([{"function": {"arguments": whole.text}}]));
            json!({"id": "chatcmpl-1", "object": "chat.completion", "model": "fake-1", "usage": whole.usage,
                "choices": [{"index": 0, "finish_reason": whole.finish, "message": {
                    "role": "assistant", "content": (!whole.as_call).then_some(&whole.text),
                    "tool_calls": call, "reasoning_content": whole.reasoning}}]})
        }
        Dialect::OpenAiResponses => response(whole),
        Dialect::Anthropic => {
            let mut content = Vec::new();
            if let Some(reasoning) = &whole.reasoning {
                content.push(json!({"type": "thinking", "thinking": reasoning}));
            }
            content.push(if whole.as_call {
                let input: Value = serde_json::from_str(&whole.text).unwrap();
                json!({"type": "tool_use", "name": "answer", "input": input})
            } else {
                json!({"type": "text", "text": whole.text})
            });
            json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "fake-1",
                "content": content, "stop_reason": finish(dialect, whole), "usage": counted(whole)})
        }
        Dialect::Gemini => {
            let part = if whole.as_call {
                call(&whole.text)
            } else {
                json!({"text": whole.text})
            };
            let mut answer = with_usage(candidate(part, Some(finish(dialect, whole))), whole);
            if let Some(reasoning) = &whole.reasoning {
                let parts = answer["candidates"][0]["content"]["parts"]
                    .as_array_mut()
                    .unwrap();
                parts.insert(0, json!({"text": reasoning, "thought": true}));
            }
            answer
        }
        Dialect::Ollama => {
            let mut answer = end(dialect, whole).remove(0);
            answer["message"]["content"] = json!(whole.text);
            answer["message"]["thinking"] = json!(whole.reasoning);
            answer
        }
        Dialect::Cohere => {
            let thought = whole.reasoning.iter();
            let thought = thought.map(|it| json!({"type": "thinking", "thinking": it}));
            let said = json!({"type": "text", "text": whole.text});
            let content: Vec<Value> = thought.chain([said]).collect();
            json!({"id": "msg-1", "finish_reason": finish(dialect, whole), "usage": billed(whole),
                "message": {"role": "assistant", "content": content}})
        }
    }
}

/// The list of models.
pub(super) fn list(dialect: Dialect, models: &[String]) -> Value {
    match dialect {
        Dialect::Gemini => {
            let models: Vec<Value> = models
                .iter()
                .map(|id| json!({"name": format!("models/{id}"),
                    "supportedGenerationMethods": [if id.contains("embed") { "embedContent" } else { "generateContent" }]}))
                .collect();
            json!({ "models": models })
        }
        Dialect::Ollama | Dialect::Cohere => {
            let models: Vec<Value> = models
                .iter()
                .map(|id| json!({"name": id, "model": id}))
                .collect();
            json!({ "models": models })
        }
        Dialect::OpenAi | Dialect::OpenAiResponses | Dialect::Anthropic => {
            let models: Vec<Value> = models
                .iter()
                .map(|id| json!({"id": id, "object": "model", "type": "model"}))
                .collect();
            json!({"object": "list", "data": models, "has_more": false})
        }
    }
}

fn chunk(delta: Value, finish: Option<&str>) -> Value {
    json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "fake-1",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
}

fn candidate(part: Value, finish: Option<&str>) -> Value {
    json!({"modelVersion": "fake-1", "responseId": "resp-1", "candidates": [{"index": 0,
        "content": {"role": "model", "parts": [part]}, "finishReason": finish}]})
}

fn call(text: &str) -> Value {
    // A real server never sends incomplete arguments.
    let args: Value = serde_json::from_str(text).unwrap_or_default();
    json!({"functionCall": {"name": "answer", "args": args}})
}

fn line(message: Value) -> Value {
    json!({"model": "fake-1", "created_at": "2026-01-01T00:00:00Z", "message": message, "done": false})
}

fn response(whole: &Completion) -> Value {
    let finish = finish(Dialect::OpenAiResponses, whole);
    let mut output = Vec::new();
    if let Some(reasoning) = &whole.reasoning {
        output.push(
            json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": reasoning}]}),
        );
    }
    output.push(if whole.as_call {
        json!({"type": "function_call", "name": "answer", "arguments": whole.text})
    } else {
        json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": whole.text}]})
    });
    let incomplete = (finish != "completed").then(|| json!({"reason": finish}));
    let usage = whole.usage.is_some().then(|| {
        json!({"input_tokens": count(whole, "/prompt_tokens"), "output_tokens": count(whole, "/completion_tokens"),
            "input_tokens_details": {"cached_tokens": cached(whole)},
            "output_tokens_details": {"reasoning_tokens": thoughts(whole)}})
    });
    json!({"id": "resp_1", "object": "response", "model": "fake-1", "output": output, "usage": usage,
        "status": if finish == "completed" { finish } else { "incomplete" },
        "incomplete_details": incomplete})
}

fn with_usage(mut answer: Value, whole: &Completion) -> Value {
    if whole.usage.is_some() {
        let (written, thoughts) = (count(whole, "/completion_tokens"), thoughts(whole));
        answer["usageMetadata"] = json!({"promptTokenCount": count(whole, "/prompt_tokens"),
            "cachedContentTokenCount": cached(whole), "candidatesTokenCount": written - thoughts,
            "thoughtsTokenCount": thoughts});
    }
    answer
}

/// Anthropic's counts: cached tokens are counted separately.
fn counted(whole: &Completion) -> Value {
    json!({"input_tokens": count(whole, "/prompt_tokens") - cached(whole),
        "cache_read_input_tokens": cached(whole), "cache_creation_input_tokens": 0,
        "output_tokens": whole.usage.as_ref().map(|_| count(whole, "/completion_tokens"))})
}

/// Cohere's counts: those of the price are rounded, and apart.
fn billed(whole: &Completion) -> Value {
    let (input, output) = (
        count(whole, "/prompt_tokens"),
        count(whole, "/completion_tokens"),
    );
    whole.usage.as_ref().map_or(Value::Null, |_| {
        json!({"billed_units": {"input_tokens": input + 1, "output_tokens": output + 1},
            "tokens": {"input_tokens": input, "output_tokens": output}, "cached_tokens": cached(whole)})
    })
}

fn count(whole: &Completion, place: &str) -> u64 {
    let usage = whole.usage.as_ref();
    usage
        .and_then(|usage| usage.pointer(place)?.as_u64())
        .unwrap_or(0)
}

fn cached(whole: &Completion) -> u64 {
    count(whole, "/prompt_tokens_details/cached_tokens")
}

fn thoughts(whole: &Completion) -> u64 {
    count(whole, "/completion_tokens_details/reasoning_tokens")
}

/// The finish reason in each dialect.
fn finish(dialect: Dialect, whole: &Completion) -> &'static str {
    let words = match whole.finish {
        "length" => [
            "length",
            "max_output_tokens",
            "max_tokens",
            "MAX_TOKENS",
            "length",
            "MAX_TOKENS",
        ],
        "content_filter" => [
            "content_filter",
            "content_filter",
            "refusal",
            "SAFETY",
            "stop",
            "COMPLETE",
        ],
        "stop" if whole.as_call => [
            "tool_calls",
            "completed",
            "tool_use",
            "STOP",
            "stop",
            "TOOL_CALL",
        ],
        "stop" => ["stop", "completed", "end_turn", "STOP", "stop", "COMPLETE"],
        other => [other; 6],
    };
    match dialect {
        Dialect::OpenAi => words[0],
        Dialect::OpenAiResponses => words[1],
        Dialect::Anthropic => words[2],
        Dialect::Gemini => words[3],
        Dialect::Ollama => words[4],
        Dialect::Cohere => words[5],
    }
}
