//! Gemini's `generateContent`, streamed.

use reqwest::Url;
use reqwest::header::HeaderName;
use serde_json::{Value, json};

use super::answer::{StreamedAnswer, set_once};
use super::http::Base;
use super::messages::{apart, turns};
use super::shape::Shape;
use super::wire::{TOOL, Wire, arguments, items, text};
use crate::chat::{AnswerFormat, ChatRequest, ChatRole, FinishReason};

pub(super) struct Gemini;

impl Wire for Gemini {
    fn endings(&self) -> &'static [&'static str] {
        &["/models", "/v1beta", "/v1"]
    }

    fn models(&self, base: &Base) -> Url {
        let mut url = base.join("v1beta/models");
        url.query_pairs_mut().append_pair("pageSize", "1000");
        url
    }

    fn key_header(&self) -> (HeaderName, &'static str) {
        (HeaderName::from_static("x-goog-api-key"), "")
    }

    fn url(&self, base: &Base, model: &str, streams: bool) -> Url {
        let model = model.strip_prefix("models/").unwrap_or(model);
        if !streams {
            return base.join(&format!("v1beta/models/{model}:generateContent"));
        }
        let mut url = base.join(&format!("v1beta/models/{model}:streamGenerateContent"));
        url.query_pairs_mut().append_pair("alt", "sse");
        url
    }

    fn body(&self, request: &ChatRequest, shape: &Shape) -> Value {
        let (system, rest) = apart(turns(request, shape));
        let (name, schema) = (request.schema.name, shape.schema(request.schema));
        let parts = |blocks: &[std::borrow::Cow<'_, str>]| -> Value {
            blocks.iter().map(|text| json!({"text": text})).collect()
        };
        let contents = rest.iter().map(|turn| {
            let role = match turn.role {
                ChatRole::Assistant => "model",
                ChatRole::User | ChatRole::System => "user",
            };
            json!({"role": role, "parts": parts(&turn.blocks)})
        });
        let mut body = json!({
            "contents": contents.collect::<Vec<_>>(),
            "generationConfig": {"maxOutputTokens": shape.tokens(request)},
        });
        if !system.is_empty() {
            body["systemInstruction"] = json!({"parts": parts(&system)});
        }
        let config = &mut body["generationConfig"];
        shape.sample(request, config);
        match shape.format {
            AnswerFormat::JsonSchema => {
                config["responseMimeType"] = json!("application/json");
                config["responseJsonSchema"] = json!(schema);
            }
            AnswerFormat::JsonObject => config["responseMimeType"] = json!("application/json"),
            AnswerFormat::ToolCall => {
                body["tools"] = json!([{"functionDeclarations":
                    [{"name": name, "description": TOOL, "parametersJsonSchema": schema}]}]);
                body["toolConfig"] = json!({"functionCallingConfig":
                    {"mode": "ANY", "allowedFunctionNames": [name]}});
            }
            AnswerFormat::Prompt => {}
        }
        body
    }

    fn add_piece(&self, answer: &mut StreamedAnswer, chunk: &Value) -> Result<(), String> {
        // A refused prompt has no candidates.
        let refused = chunk["promptFeedback"].is_object();
        let candidates = items(&chunk["candidates"]);
        answer.begun |= refused || !candidates.is_empty();
        set_once(&mut answer.id, &text(&chunk["responseId"]));
        set_once(&mut answer.model, &text(&chunk["modelVersion"]));
        if !chunk["promptFeedback"]["blockReason"].is_null() {
            answer.finish = Some(FinishReason::ContentFilter);
        }
        for candidate in candidates.iter().take(1) {
            for part in items(&candidate["content"]["parts"]) {
                let field = match part["thought"] == true {
                    true => &mut answer.reasoning,
                    false => &mut answer.text,
                };
                field.push_str(&text(&part["text"]));
                answer
                    .arguments
                    .push_str(&arguments(&part["functionCall"]["args"]));
            }
            if let Some(reason) = candidate["finishReason"].as_str() {
                answer.finish = Some(finish(reason));
            }
        }
        Ok(())
    }
}

fn finish(reason: &str) -> FinishReason {
    match reason {
        "STOP" => FinishReason::Stop,
        "MAX_TOKENS" => FinishReason::Length,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE" => {
            FinishReason::ContentFilter
        }
        _ => FinishReason::Other,
    }
}
