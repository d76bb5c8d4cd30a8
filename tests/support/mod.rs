//! Tools the tests share.

pub mod fake;
pub mod fault;
pub mod meeting;
pub mod run;
pub mod sample;
pub mod states;
