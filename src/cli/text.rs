//! Words of commands in both languages; each command keeps its own in one block.

pub use crate::fault::{Message, Text, texts};
