//! Tools the tests share.

pub mod fake;
