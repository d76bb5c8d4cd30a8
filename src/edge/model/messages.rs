//! Converts a request's messages to what wire formats need: turns made of blocks.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::shape::Shape;
use crate::chat::{ChatRequest, ChatRole, Message, RequestPart, Schema};

/// Adjacent messages of one role, because some endpoints refuse two in a row.
#[derive(Debug, PartialEq)]
pub(super) struct Turn<'a> {
    pub(super) role: ChatRole,
    /// The messages. All but the first start with a blank line, so that a later message does not
    /// change the earlier blocks.
    pub(super) blocks: Vec<Cow<'a, str>>,
}

impl Turn<'_> {
    /// All blocks as one text.
    pub(super) fn text(&self) -> Cow<'_, str> {
        match self.blocks.as_slice() {
            [one] => Cow::Borrowed(one),
            several => Cow::Owned(several.concat()),
        }
    }
}

/// The turns of a request, with the schema in words.
pub(super) fn in_words(request: &ChatRequest) -> Vec<Turn<'_>> {
    let mut turns = grouped(&request.messages);
    append_schema(&mut turns, request.schema.schema);
    turns
}

/// The turns of a request, with the schema in words if the prompt must contain it. If the endpoint
/// refuses the system role, that text is put before the first turn.
pub(super) fn turns<'a>(request: &'a ChatRequest, shape: &Shape) -> Vec<Turn<'a>> {
    let turns = match shape.schema_in_prompt() {
        true => in_words(request),
        false => grouped(&request.messages),
    };
    if shape.takes(RequestPart::SystemRole) {
        return turns;
    }
    let (system, mut rest) = apart(turns);
    if rest
        .first()
        .is_none_or(|first| first.role != ChatRole::User)
    {
        let (role, blocks) = (ChatRole::User, Vec::new());
        rest.insert(0, Turn { role, blocks });
    }
    let first = &mut rest[0].blocks;
    if let (false, Some(next)) = (system.is_empty(), first.first_mut()) {
        *next = Cow::Owned(format!("\n\n{next}"));
    }
    first.splice(0..0, system);
    rest
}

/// The turns as most formats have them: each with its role and one text.
pub(super) fn plain(turns: &[Turn<'_>]) -> Value {
    let turns = turns.iter();
    turns
        .map(|turn| json!({"role": turn.role, "content": turn.text()}))
        .collect()
}

/// Separates the blocks of the system turn from the other turns.
pub(super) fn apart(mut turns: Vec<Turn<'_>>) -> (Vec<Cow<'_, str>>, Vec<Turn<'_>>) {
    match turns.first() {
        Some(first) if first.role == ChatRole::System => (turns.remove(0).blocks, turns),
        _ => (Vec::new(), turns),
    }
}

fn grouped(messages: &[Message]) -> Vec<Turn<'_>> {
    let mut turns: Vec<Turn<'_>> = Vec::with_capacity(messages.len());
    for message in messages {
        match turns.last_mut() {
            Some(last) if last.role == message.role => {
                let block = format!("\n\n{}", message.content);
                last.blocks.push(Cow::Owned(block));
            }
            _ => turns.push(Turn {
                role: message.role,
                blocks: vec![Cow::Borrowed(&message.content)],
            }),
        }
    }
    turns
}

/// Appends the schema to the system turn, so that calls with the same schema share the beginning of
/// the prompt.
fn append_schema(turns: &mut Vec<Turn<'_>>, schema: &Schema) {
    let words = format!(
        "Answer with one JSON object and nothing else. It must obey this JSON Schema:\n{}",
        schema.text()
    );
    match turns.first_mut() {
        Some(first) if first.role == ChatRole::System => {
            first.blocks.push(Cow::Owned(format!("\n\n{words}")));
        }
        _ => turns.insert(
            0,
            Turn {
                role: ChatRole::System,
                blocks: vec![Cow::Owned(words)],
            },
        ),
    }
}
