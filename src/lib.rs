//! `aitc`: a planning workshop of language-model members that leaves a
//! reviewed, versioned plan in git.
//!
//! The workshop is a deterministic machine that knows no network, no files, no
//! clock and no randomness; it is rebuilt from its events, and it says what
//! must be done next. A small driver does those things at the edge and appends
//! what happened to the transcript, so live running and crash recovery are the
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
