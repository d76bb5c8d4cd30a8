//! A request's messages as the wire formats want them: turns made of blocks.

use std::borrow::Cow;

use crate::chat::{ChatRequest, ChatRole, Message, Schema};

/// Neighbouring messages of one role; some endpoints refuse two in a row.
#[derive(Debug, PartialEq)]
pub(super) struct Turn<'a> {
    pub(super) role: ChatRole,
    /// The messages. Each but the first begins with a blank line, so that a prompt which
    /// goes on after a block does not change the block.
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

/// The turns of a request, with the schema in words where the prompt has to say it.
pub(super) fn turns(request: &ChatRequest, schema_in_prompt: bool) -> Vec<Turn<'_>> {
    let mut turns = grouped(&request.messages);
    if schema_in_prompt {
        append_schema(&mut turns, request.schema.schema);
    }
    turns
}

/// The system turn's blocks, and the rest.
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

/// Puts the schema at the end of the system turn, so that what all calls with the same
/// schema share stays the beginning of the prompt.
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
