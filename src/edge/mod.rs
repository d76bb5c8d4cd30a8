//! The only code that touches the world: files, clock, network, the human.
#![allow(clippy::disallowed_methods)]

pub mod assets;
pub mod clock;
pub mod console;
pub mod demo;
pub mod editor;
pub mod env;
mod foreground;
pub mod fs;
pub mod git;
pub mod human;
pub mod inbox;
pub mod journal;

pub mod knowledge;
pub mod limits;
pub mod lock;
pub mod log;
pub mod model;
pub mod pager;
pub mod ports;
pub mod redact;
pub mod screen;
pub mod store;
