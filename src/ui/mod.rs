//! What a person at a terminal sees and types: the screen, the prompt, the pager, the
//! editor, and the lines and pages that are shown there.
#![allow(clippy::disallowed_methods)]

pub mod browser;
pub mod console;
pub mod demo;
pub mod editor;
mod foreground;
pub mod human;
pub mod pager;
pub mod screen;
pub mod view;
