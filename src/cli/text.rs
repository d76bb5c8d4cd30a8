//! Words of commands in both languages; each command keeps its own in one block.

pub use crate::fault::{Message, Text, texts};

texts! {
    /// The reason behind a value that is refused.
    pub REASON: ": {why}", "：{why}";
}
