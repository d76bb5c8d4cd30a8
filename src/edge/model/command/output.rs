//! Finds a program's reply in its output.

use serde_json::Value;

use super::ReplyFormat;
use crate::edge::model::counts::Counts;
use crate::edge::model::halves;

/// The reply of a program.
pub(super) struct ProgramReply {
    pub(super) text: String,
    pub(super) counts: Counts,
    /// The error message, if the program reports a failure.
    pub(super) failed: Option<String>,
}

/// Reads the reply.
///
/// # Errors
/// The output does not have the expected format; in words.
pub(super) fn read(output: ReplyFormat, stdout: &[u8]) -> Result<ProgramReply, String> {
    let text = String::from_utf8_lossy(stdout);
    let ReplyFormat::Json {
        text: reply,
        failed,
        input,
        cached,
        output,
    } = output
    else {
        return Ok(ProgramReply {
            text: text.into_owned(),
            counts: Counts::default(),
            failed: None,
        });
    };
    let document = document(&text).map_err(|e| format!("what it printed is no JSON: {e}"))?;
    let words = document.pointer(reply).and_then(Value::as_str);
    if let Some(failure) = document
        .pointer(failed)
        .filter(|it| it.is_object() || **it == Value::Bool(true))
    {
        let message = failure.get("message").and_then(Value::as_str).or(words);
        return Ok(ProgramReply {
            text: String::new(),
            counts: Counts::default(),
            failed: Some(
                message
                    .unwrap_or("it failed and does not say why")
                    .to_owned(),
            ),
        });
    }
    let count = |field: &str| document.pointer(field).and_then(Value::as_u64);
    Ok(ProgramReply {
        failed: None,
        text: words
            .ok_or_else(|| format!("what it printed has no text at `{reply}`"))?
            .to_owned(),
        counts: Counts {
            input: input
                .iter()
                .filter_map(|field| count(field))
                .reduce(u64::saturating_add),
            cached: count(cached),
            output: count(output),
            reasoning: None,
        },
    })
}

/// The JSON document in the output: all of it, or the last one at the start of a line, among
/// progress messages.
fn document(text: &str) -> serde_json::Result<Value> {
    let text = halves::readable(text.as_bytes());
    serde_json::from_str(text.trim()).or_else(|error| {
        let braces = text.match_indices('{').map(|(at, _)| at);
        let begins = braces.filter(|&at| at == 0 || text[..at].ends_with('\n'));
        begins
            .rev()
            .find_map(|at| first_value(&text[at..]))
            .ok_or(error)
    })
}

/// The JSON object at the beginning of a text.
fn first_value(text: &str) -> Option<Value> {
    serde_json::Deserializer::from_str(text)
        .into_iter()
        .next()?
        .ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::edge::model::command::AGENTS;

    #[test]
    fn a_document_says_text_and_counts() {
        let agent = AGENTS.iter().find(|it| it.name == "claude-code").unwrap();
        let printed = br#"{"type":"result","is_error":false,"result":"{\"a\":1}",
            "usage":{"input_tokens":3,"cache_creation_input_tokens":10,"cache_read_input_tokens":7,"output_tokens":5}}"#;
        let reply = read(agent.output, printed).unwrap();
        assert_eq!(reply.text, r#"{"a":1}"#);
        let counts = reply.counts;
        assert_eq!(
            (counts.input, counts.cached, counts.output),
            (Some(20), Some(7), Some(5))
        );
        assert!(reply.failed.is_none());
        let failed = read(agent.output, br#"{"is_error":true,"result":"no credit"}"#).unwrap();
        assert_eq!(failed.failed.as_deref(), Some("no credit"));
        assert!(read(agent.output, b"hello").is_err());
        let among = b"Reading src/lib.rs { 3 lines }\n{\n  \"is_error\": false,\n  \"result\": \"{}\"\n}\ndone\n";
        assert_eq!(read(agent.output, among).unwrap().text, "{}");
        assert!(read(agent.output, b"{}").is_err());
    }

    #[test]
    fn text_is_taken_as_it_is() {
        assert_eq!(
            read(ReplyFormat::Text, b"hi \xff").unwrap().text,
            "hi \u{fffd}"
        );
    }
}
