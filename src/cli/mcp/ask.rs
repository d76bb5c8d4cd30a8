//! A question that the client itself puts to the user, as a form.

use rmcp::model::{ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationSchema};
use serde_json::{Value, json};

use crate::cli::answer::GivenAnswer;
use crate::cli::{Fault, internal};
use crate::fault::texts;
use crate::machine::{Question, State};
use crate::ui::view::{self, Style};

texts! {
    CHOICE: "Choice", "选项";
    WORDS: "In your own words, in place of a choice", "用自己的话回答（代替选项）";
}

/// Returns the form for a question: a choice if it has options, and a line for other words.
///
/// # Errors
/// The SDK refuses the schema.
pub fn form(
    state: &State,
    question: &Question,
    style: &Style,
) -> Result<ElicitRequestParams, Fault> {
    let options = question.current_options();
    let mut fields = serde_json::Map::new();
    if !options.is_empty() {
        let choice = json!({"type": "string", "title": CHOICE.of(style.lang), "enum": options});
        fields.insert("choice".to_owned(), choice);
    }
    let words = json!({"type": "string", "title": WORDS.of(style.lang)});
    fields.insert("words".to_owned(), words);
    let schema = json!({"type": "object", "properties": fields});
    let schema: ElicitationSchema =
        serde_json::from_value(schema).map_err(|error| internal(&error.into()))?;
    Ok(ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: view::question_text(state, question, style),
        requested_schema: schema,
    })
}

/// Returns the user's answer; `None` if the form was empty or cancelled.
pub fn parse_answer(result: &ElicitResult) -> Option<GivenAnswer> {
    let content = result.content.as_ref()?;
    if result.action != ElicitationAction::Accept {
        return None;
    }
    let field = |name: &str| {
        let text = content.get(name).and_then(Value::as_str)?.trim();
        (!text.is_empty()).then(|| GivenAnswer::Text(text.to_owned()))
    };
    field("words").or_else(|| field("choice"))
}
