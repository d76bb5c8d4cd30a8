//! Debates by the driver and the program: their prompts, crash safety, and what the user asks for.

mod commands;
mod crashes;
mod path;
mod wanted;
