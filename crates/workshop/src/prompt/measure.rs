//! The ids in a prompt, its size and its hash.

use sha2::{Digest, Sha256};

use crate::chat::{ChatRequest, ChatRole, Message};
use crate::machine::{CallId, DebateId, DiscussionItem, Purpose, Scope, State};

/// Approximate number of tokens that the frame of one message costs.
const TOKENS_PER_MESSAGE: u64 = 4;

/// Ids that the prompt of a call holds: open issues, consensus items still in force, and earlier
/// speeches of the round such as `PP_speak_r1`.
pub fn context(state: &State, call: &CallId) -> Vec<String> {
    let in_round =
        state.round > 0 && !call.purpose.is_closing() && call.purpose != Purpose::Judgment;
    let mut ids: Vec<String> = if in_round {
        state
            .discussion
            .agenda
            .iter()
            .map(ToString::to_string)
            .collect()
    } else {
        state
            .ledger
            .open()
            .map(|issue| issue.id.to_string())
            .collect()
    };
    ids.extend(state.draft.standing().map(|item| item.id.to_string()));
    if in_round {
        ids.extend(state.discussion.said.iter().filter_map(|said| match said {
            DiscussionItem::Speech(index) => state.discussion.speeches.get(*index).map(|speech| {
                let code = state.inputs.roles.code(&speech.member);
                format!("{code}_speak_r{}", speech.round)
            }),
            DiscussionItem::Answer(question) => Some(question.to_string()),
            DiscussionItem::User(index) => Some(format!("user-{}", index + 1)),
            DiscussionItem::PassedOver(_) | DiscussionItem::Look(_) => None,
        }));
    }
    if let Scope::Debate(n) = call.scope {
        ids.push(DebateId(n).to_string());
    }
    ids
}

/// SHA-256 over the roles and contents of all messages in order, in hexadecimal.
pub fn digest(request: &ChatRequest) -> String {
    let mut hash = Sha256::new();
    for message in &request.messages {
        let role = match message.role {
            ChatRole::System => "system",
            ChatRole::User => "user",
            ChatRole::Assistant => "assistant",
        };
        // The length distinguishes two messages from one that holds both texts.
        hash.update(format!("{role} {}\n", message.content.len()));
        hash.update(message.content.as_bytes());
    }
    hash.finalize()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Size of the prompt in bytes, including the answer schema.
pub fn prompt_bytes(request: &ChatRequest) -> u64 {
    let messages: usize = request
        .messages
        .iter()
        .map(|message| message.content.len())
        .sum();
    (messages + request.schema.bounded.text().len()) as u64
}

/// Estimated number of tokens of the prompt, including the answer schema.
///
/// A token is four ASCII characters, two characters of other alphabets, or one Han, Kana or Hangul
/// character.
pub fn estimate_tokens(request: &ChatRequest) -> u64 {
    let schema = quarter_tokens(request.schema.bounded.text()).div_ceil(4);
    tokens_of(&request.messages) + schema
}

/// Estimated number of tokens of these messages.
pub(super) fn tokens_of(messages: &[Message]) -> u64 {
    let quarters = messages.iter().map(|m| quarter_tokens(&m.content));
    quarters.sum::<u64>().div_ceil(4) + TOKENS_PER_MESSAGE * messages.len() as u64
}

/// Estimated size of a text in quarters of a token, counted as for [`estimate_tokens`].
pub fn quarter_tokens(text: &str) -> u64 {
    text.chars()
        .map(|c| match c {
            c if c.is_ascii() => 1,
            '\u{2e80}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7af}'
            | '\u{f900}'..='\u{ffef}'
            | '\u{20000}'.. => 4,
            _ => 2,
        })
        .sum()
}
