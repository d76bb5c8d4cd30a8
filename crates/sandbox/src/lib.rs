//! The sandbox of a trial: one command, without a shell, in a throwaway copy of a tree.
//!
//! A trial reads the system, toolchains and dependency caches, writes nothing but its copy
//! and a home of its own, reaches no network, and ends with everything it started when its
//! bounds are passed, when it is stopped, or when the program that runs it dies.
//!
//! ```text
//! means()      what this machine can do, proved by a harmless trial
//! Copies       the folder copies stand in; what a killed program left is removed
//! TreeCopy     one copy: listed files, and files laid over them
//! run()        one command in a copy -> how it ended, head and tail of its output
//! ```
//!
//! The program that uses this crate is its own inner stage: [`inner_main`] is the first thing
//! its `main` calls.
#![allow(clippy::disallowed_methods)]
// What only a trial needs is used where there are trials.
#![cfg_attr(not(target_os = "linux"), allow(dead_code))]

mod bounds;
mod copies;
mod disk;
mod ended;
#[cfg(target_os = "linux")]
mod linux;
mod means;
mod output;
mod readable;
mod run;
mod seatbelt;
mod stages;
mod view;

pub use bounds::Bounds;
pub use copies::{Copies, CopyError, Laid, TreeCopy};
pub use ended::{Ended, Exit};
pub use means::{Means, Missing, Wall, means, means_through};
pub use readable::Readable;
pub use run::{Trial, run};

/// The inner stages of a trial, if this process was started as one; `main` calls it before
/// anything else, and returns what it returns. In an ordinary process it does nothing.
#[must_use]
pub fn inner_main() -> Option<std::process::ExitCode> {
    stages::inner_main()
}
