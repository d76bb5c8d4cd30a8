//! `aitc`: a planning workshop of language-model members that leaves a
//! reviewed, versioned plan in git.
//!
//! The workshop is a deterministic machine without network, files, clock or randomness. Its state
//! is rebuilt from its events, and it says what has to be done next. A small driver does that at
//! the edge and appends the results to the transcript, so live runs and crash recovery share the
//! same code. `ARCHITECTURE.md` has the map.

pub mod cli;
pub mod config;
pub mod driver;
pub mod edge;
pub mod ui;

pub use workshop::{
    artifact, chat, check, clean, export, fault, ids, lang, machine, page, prompt, redact, reply,
    role, thread, words, yaml,
};
