//! What arrives of an answer before it is whole, for whoever watches.
//!
//! Pieces are shown and forgotten: they stand in no journal, no state and no
//! decision. What counts is the whole answer, as the call returns it.

use crate::machine::CallId;

/// A piece of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    /// The next part of the answer, as the model writes it: hostile text.
    Text(&'a str),
    /// The next part of what the model thinks before it answers.
    Thought(&'a str),
}

/// Hears answers while they arrive. It is called for every packet of the network,
/// so it must be quick.
pub trait Listener: Send + Sync {
    /// The next piece of the answer to `call`.
    fn hears(&self, call: &CallId, piece: Piece<'_>);
}

/// Nobody listens.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoopListener;

impl Listener for NoopListener {
    fn hears(&self, _call: &CallId, _piece: Piece<'_>) {}
}
