//! The only code that touches the world: files, clock, network, the human.

pub mod assets;
pub mod model;
pub mod ports;
