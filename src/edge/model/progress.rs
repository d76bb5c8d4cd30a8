//! Parts of an answer that are shown before it is complete.
//!
//! They are not recorded and affect neither state nor decisions. Only the complete answer counts,
//! as the call returns it.

use crate::machine::CallId;

/// A piece of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerPiece<'a> {
    /// The next part of the answer, as the model writes it: untrusted text.
    Text(&'a str),
    /// The next part of the model's reasoning before the answer.
    Thought(&'a str),
}

/// Receives answers while they arrive. It is called for every network packet, so it must be quick.
pub trait Listener: Send + Sync {
    /// The next piece of the answer to `call`.
    fn on_piece(&self, call: &CallId, piece: AnswerPiece<'_>);
}

/// A listener that ignores everything.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoopListener;

impl Listener for NoopListener {
    fn on_piece(&self, _call: &CallId, _piece: AnswerPiece<'_>) {}
}
