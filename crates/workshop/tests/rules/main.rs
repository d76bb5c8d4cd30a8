//! The rules of the machine: the pages of `tests/played`, and what needs more than a page.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    missing_docs
)]

#[path = "../support/mod.rs"]
mod support;

mod checks;
mod debates;
mod dice;
mod machine;
mod pages;
mod prompts;
mod repair;
mod similarity;
