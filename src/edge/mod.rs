//! The only code that touches the world: files, clock, network, the human.

pub mod assets;
pub mod clock;
pub mod env;
pub mod fs;
pub mod human;
pub mod inbox;
pub mod journal;
pub mod lock;
pub mod model;
pub mod ports;
pub mod store;
