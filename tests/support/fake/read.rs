//! Reads a request of any dialect from its body.

use std::collections::BTreeMap;

use aitc::edge::model::Dialect;
use axum::http::{HeaderMap, HeaderValue};
use serde_json::Value;

use super::{Seen, identify};

/// The dialect of a path; the two of OpenAI, Anthropic's and Cohere's share the path of the list of
/// models.
pub(super) fn dialect(path: &str, headers: &BTreeMap<String, String>) -> Dialect {
    match path {
        "/v1/responses" => Dialect::OpenAiResponses,
        "/v1/messages" => Dialect::Anthropic,
        "/v2/chat" => Dialect::Cohere,
        _ if path.starts_with("/v1/models?endpoint=chat") => Dialect::Cohere,
        _ if headers.contains_key("anthropic-version") => Dialect::Anthropic,
        _ if path.starts_with("/v1beta/") => Dialect::Gemini,
        _ if path.starts_with("/api/") => Dialect::Ollama,
        _ => Dialect::OpenAi,
    }
}

pub(super) fn plain(headers: &HeaderMap) -> BTreeMap<String, String> {
    let text = |value: &HeaderValue| value.to_str().unwrap_or_default().to_owned();
    headers
        .iter()
        .map(|(name, value)| (name.to_string(), text(value)))
        .collect()
}

pub(super) fn request(path: &str, headers: BTreeMap<String, String>, body: &[u8]) -> Seen {
    let body: Value = serde_json::from_slice(body).unwrap_or(Value::Null);
    let dialect = dialect(path, &headers);
    let messages = messages(dialect, &body);
    let schema = schema(dialect, &body);
    let turn = identify(&messages, schema.as_deref());
    Seen {
        key: match (&turn, &schema) {
            (Some(turn), _) => turn.key(),
            (None, Some(schema)) => schema.clone(),
            (None, None) => "unknown".to_owned(),
        },
        times: 0,
        turn,
        dialect,
        stream: match dialect {
            Dialect::Gemini => path.ends_with(":streamGenerateContent"),
            _ => body["stream"].as_bool().unwrap_or(false),
        },
        path: path.to_owned(),
        headers,
        messages,
        body,
    }
}

/// A prompt without a dialect.
pub(super) fn prompt(headers: BTreeMap<String, String>, text: String) -> Seen {
    // After the prompt, a page for answering by hand explains the format of the reply.
    let form = ["\n---\n\n# Your reply", "\n---\n\n# 您的回复"];
    let ends = form.iter().filter_map(|form| text.find(form)).min();
    let text = ends.map_or(text.as_str(), |end| &text[..end]).to_owned();
    let messages = vec![("user".to_owned(), text)];
    let turn = identify(&messages, None);
    Seen {
        key: turn
            .as_ref()
            .map_or("unknown".to_owned(), |turn| turn.key()),
        times: 0,
        turn,
        dialect: Dialect::OpenAi,
        path: "/command".to_owned(),
        headers,
        messages,
        stream: false,
        body: Value::Null,
    }
}

/// Role and text of every message, system messages first.
fn messages(dialect: Dialect, body: &Value) -> Vec<(String, String)> {
    let (list, content) = match dialect {
        Dialect::OpenAi | Dialect::Ollama | Dialect::Anthropic | Dialect::Cohere => {
            ("messages", "content")
        }
        Dialect::OpenAiResponses => ("input", "content"),
        Dialect::Gemini => ("contents", "parts"),
    };
    let system = match dialect {
        Dialect::Anthropic => &body["system"],
        Dialect::Gemini => &body["systemInstruction"]["parts"],
        _ => &Value::Null,
    };
    let system = (!system.is_null()).then(|| ("system".to_owned(), text(system)));
    let said = body[list].as_array().into_iter().flatten().map(|message| {
        let role = match message["role"].as_str().unwrap_or_default() {
            "model" => "assistant",
            role => role,
        };
        (role.to_owned(), text(&message[content]))
    });
    system.into_iter().chain(said).collect()
}

/// A text, or the texts of all blocks.
fn text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks
            .iter()
            .filter_map(|block| block["text"].as_str())
            .collect(),
        _ => String::new(),
    }
}

/// Name of the schema, if the dialect sends one.
fn schema(dialect: Dialect, body: &Value) -> Option<String> {
    let places: &[&str] = match dialect {
        Dialect::OpenAi => &[
            "/response_format/json_schema/name",
            "/tools/0/function/name",
        ],
        Dialect::OpenAiResponses => &["/text/format/name", "/tools/0/name"],
        Dialect::Anthropic => &["/tools/0/name"],
        Dialect::Gemini => &["/tools/0/functionDeclarations/0/name"],
        Dialect::Ollama | Dialect::Cohere => &[],
    };
    let name = places
        .iter()
        .find_map(|place| body.pointer(place)?.as_str());
    name.map(str::to_owned)
}

/// How the answer must follow its schema.
pub(super) fn format(dialect: Dialect, body: &Value) -> Option<&'static str> {
    let forced = ["tool_choice", "toolConfig"]
        .iter()
        .any(|it| !body[it].is_null());
    if forced && !body["tools"].is_null() {
        return Some("tool_call");
    }
    let (schema, json) = match dialect {
        Dialect::OpenAi => {
            let kind = body["response_format"]["type"].as_str();
            (kind == Some("json_schema"), kind == Some("json_object"))
        }
        Dialect::OpenAiResponses => {
            let kind = body["text"]["format"]["type"].as_str();
            (kind == Some("json_schema"), kind == Some("json_object"))
        }
        Dialect::Anthropic => (body["output_config"]["format"]["schema"].is_object(), false),
        Dialect::Gemini => {
            let config = &body["generationConfig"];
            let json = config["responseMimeType"] == "application/json";
            (json && config["responseJsonSchema"].is_object(), json)
        }
        Dialect::Ollama => (body["format"].is_object(), body["format"] == "json"),
        Dialect::Cohere => {
            let format = &body["response_format"];
            let json = format["type"] == "json_object";
            (json && format["json_schema"].is_object(), json)
        }
    };
    match (schema, json) {
        (true, _) => Some("json_schema"),
        (_, true) => Some("json_object"),
        _ => None,
    }
}
