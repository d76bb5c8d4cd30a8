//! `aitc chat` with lines from a pipe and on a terminal.

mod small;
mod terminal;
