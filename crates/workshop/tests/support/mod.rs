//! Meetings in memory, shared by the rules of the machine and the end-to-end tests.
#![allow(
    dead_code,
    reason = "two test programs include this, and neither uses all of it"
)]

pub mod amending;
pub mod blocks;
pub mod changes;
pub mod checked;
pub mod divided;
pub mod meeting;
pub mod phases;
pub mod plans;
pub mod played;
pub mod search;
pub mod states;
pub mod trial;

use std::path::{Path, PathBuf};

/// A path of the project, whichever of its packages is tested.
pub fn project(path: &str) -> PathBuf {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let root = folders.find(|it| it.join("fixtures").is_dir());
    root.expect("the project's folder").join(path)
}
