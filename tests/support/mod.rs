//! Tools the tests share.
pub mod states;
