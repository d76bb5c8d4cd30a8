//! Tools the tests share.
#![allow(dead_code)]

pub mod fault;
pub mod sample;
