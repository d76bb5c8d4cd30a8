//! The only code with access to the outside world: files, clock, network.
#![allow(clippy::disallowed_methods)]

pub mod assets;
pub mod authorship;
pub mod clock;
pub mod env;
pub mod file_names;
pub mod fs;
pub mod git;
pub mod inbox;
pub mod journal;
pub mod safe_open;

pub mod knowledge;
pub mod limits;
pub mod lock;
pub mod model;
pub mod ports;
pub mod process;
pub mod store;
pub mod threads;
pub mod trial;
pub mod web;

use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A boxed future, for traits used as objects.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Locks a value. What a panic left of it is used: no change of one is left half done.
pub fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
