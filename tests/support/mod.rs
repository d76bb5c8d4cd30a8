//! Tools the tests share.

pub mod meeting;
