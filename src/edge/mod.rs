//! The only code that touches the world: files, clock, network, the human.

pub mod env;
pub mod human;
pub mod model;
pub mod ports;
