//! The only code that touches the world: files, clock, network, the human.

pub mod clock;
pub mod fs;
pub mod inbox;
pub mod journal;
pub mod lock;
pub mod assets;
pub mod env;
pub mod human;
pub mod model;
pub mod ports;
pub mod store;
