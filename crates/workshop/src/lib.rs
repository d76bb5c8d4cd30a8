//! The pure part of `aitc`: the workshop as a deterministic state machine.
//!
//! Nothing here accesses a network, a file, a clock or randomness. The state of a run is folded
//! from its events ([`machine::State::apply`]), [`machine::next_actions`] returns what must be done
//! next, [`prompt`] builds the request for a call, [`reply`] parses the answer, and [`artifact`]
//! makes the files. The program around it does the rest.

pub mod artifact;
mod bounded;
pub mod call;
pub mod chat;
pub mod check;
pub mod clean;
pub mod export;
pub mod fault;
mod fence;
pub mod ids;
pub mod lang;
pub mod machine;
pub mod page;
pub mod prompt;
pub mod redact;
pub mod reply;
pub mod role;
pub mod thread;
pub mod words;
pub mod yaml;
