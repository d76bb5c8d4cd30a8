//! Checks of a version's files, and how a comparison is printed.

mod against;
mod differences;
mod stale;
