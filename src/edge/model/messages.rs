//! A request's messages as the wire formats want them: turns made of blocks.

use std::borrow::Cow;

use super::shape::Shape;
use crate::chat::{ChatRequest, ChatRole, Message, Part, Schema};

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

/// The turns of a request, with the schema in words.
pub(super) fn in_words(request: &ChatRequest) -> Vec<Turn<'_>> {
    let mut turns = grouped(&request.messages);
    append_schema(&mut turns, request.schema.schema);
    turns
}

/// The turns of a request, with the schema in words where the prompt has to say it. Where
/// no system turn is taken, what it says stands at the beginning of the first turn.
pub(super) fn turns<'a>(request: &'a ChatRequest, shape: &Shape) -> Vec<Turn<'a>> {
    let turns = match shape.schema_in_prompt() {
        true => in_words(request),
        false => grouped(&request.messages),
    };
    if shape.takes(Part::SystemRole) {
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
