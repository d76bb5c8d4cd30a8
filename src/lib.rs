//! `aitc`: a planning workshop of language-model members that leaves a
//! reviewed, versioned plan in git.
//!
//! The workshop is a deterministic machine that knows no network, no files, no
//! clock and no randomness; it is rebuilt from its events, and it says what
//! must be done next. A small driver does those things at the edge and appends
//! what happened to the transcript, so live running and crash recovery are the
//! same code. `ARCHITECTURE.md` has the map.

pub mod artifact;
pub mod chat;
pub mod check;
pub mod cli;
pub mod config;
pub mod driver;
pub mod edge;
pub mod export;
pub mod fault;
pub mod offline;
pub mod prompt;
pub mod reply;
pub mod role;
pub mod view;
pub mod workshop;
