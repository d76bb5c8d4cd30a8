//! The end-to-end tests, in a single binary: a file for each behaviour that users see.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    missing_docs
)]

#[path = "../support/mod.rs"]
mod support;

mod artifacts;
mod batch;
mod boards;
mod brief;
mod by_hand;
mod chat;
mod checks;
mod commands;
mod comments;
mod crash;
mod debates;
mod demo;
mod docs;
mod documents;
mod exits;
mod exports;
mod golden;
mod hostile_files;
mod kill;
mod laws;
mod licences;
mod matrix;
mod mcp;
#[cfg(target_os = "linux")]
mod packages;
mod parties;
mod plans;
mod providers;
mod real_model;
mod shown;
mod silence;
mod similarity;
mod storage;
mod study;
mod teams;
mod terminal;
#[cfg(target_os = "linux")]
mod trials;
mod view;
mod workshop;
