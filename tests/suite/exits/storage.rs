//! Code 11: storage that is full, read-only, or not permitted.

use std::path::Path;
use std::process::Command;

use super::{WISH, asked_once_but, published, team};
use crate::support::binary::Place;

/// A small file system, unmounted when dropped.
struct Small {
    folder: tempfile::TempDir,
}

impl Small {
    /// `None` if this process may not mount.
    fn of(size: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        mount(
            &["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"],
            folder.path(),
        )
        .then_some(Self { folder })
    }

    fn again(&self, options: &str) {
        let options = format!("remount,{options}");
        assert!(mount(&["-o", &options], self.folder.path()));
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.folder.path()).status();
    }
}

fn mount(arguments: &[&str], folder: &Path) -> bool {
    let output = Command::new("mount").args(arguments).arg(folder).output();
    output.is_ok_and(|output| output.status.success())
}

const SKIPPED: &str =
    "skipped: needs to mount; enable with `sudo -E cargo test --test suite exits::storage`";

#[test]
fn code_11_a_full_disk_leaves_a_draft_that_goes_on() {
    // The disk is full at the first line (with all roles and templates), at a speech, or at a
    // document.
    for size in ["4k", "64k", "200k", "240k", "280k", "320k"] {
        let Some(small) = Small::of(size) else {
            eprintln!("{SKIPPED}");
            return;
        };
        let fake = team();
        let place = Place::new().elsewhere(small.folder.path());
        let ran = place.run_with(&fake, &["plan", WISH]);
        if ran.code == 0 {
            assert_ne!(size, "64k", "64 KiB are too small for a run");
            continue;
        }
        ran.fails(11, &["No space left", "fix: make room"]);
        small.again("size=64m");
        if place.lines("v1.draft") > 0 {
            let ran = place.run_with(&fake, &["resume"]).ends(0);
            published(&place, &ran);
            continue;
        }
        // The run could not start: no call was made, and nothing is left to block the next run.
        asked_once_but(&fake, &["models"]);
        assert_eq!(fake.counts().len(), 1, "{:?}", fake.counts());
        place.run_with(&fake, &["plan", WISH]).ends(0);
    }
}

#[test]
fn code_11_a_read_only_disk() {
    let Some(small) = Small::of("64m") else {
        eprintln!("{SKIPPED}");
        return;
    };
    let fake = team();
    let place = Place::new().elsewhere(small.folder.path());
    small.again("ro");
    let ran = place.run_with(&fake, &["plan", WISH]);
    ran.fails(11, &["read-only", "fix: "]);
    assert_eq!(fake.calls("judgment/Coach"), 0);
    small.again("rw");
    place.run_with(&fake, &["plan", WISH]).ends(0);
    small.again("ro");
    // Commands that only read work on a read-only disk.
    place.run(&["verify"]).ends(0);
    place.run(&["show"]).ends(0);
    place.run(&["check"]).ends(0);
    place.run(&["demo"]).fails(11, &["read-only", "fix: "]);
}
