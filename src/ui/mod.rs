//! The user's terminal: screen, prompt, pager, editor, and the lines and pages that are shown.
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
