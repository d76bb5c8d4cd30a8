//! Tools the tests share.

pub mod fault;
pub mod meeting;
pub mod sample;
pub mod fake;
pub mod states;
