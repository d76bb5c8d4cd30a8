//! The only code with access to the outside world: files, clock, network.
#![allow(clippy::disallowed_methods)]

pub mod assets;
pub mod authorship;
pub mod clock;
pub mod doors;
pub mod env;
pub mod fs;
pub mod git;
pub mod inbox;
pub mod journal;

pub mod knowledge;
pub mod limits;
pub mod lock;
pub mod model;
pub mod ports;
pub mod process;
pub mod store;
pub mod threads;
pub mod trial;
pub mod web;
