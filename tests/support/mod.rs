//! Shared tools of the tests.

pub mod bench;
pub mod binary;
pub mod by_hand;
pub mod fake;
pub mod fault;
pub mod left;
pub mod normal;
pub mod openapi;
pub mod programs;
pub mod quarrel;
pub mod review;
pub mod run;
pub mod sample;
pub mod schemas;
pub mod shown;
pub mod tap;
pub mod team;
pub mod terminal;

#[path = "../../crates/workshop/tests/support/mod.rs"]
mod meetings;
pub use meetings::*;
