//! The trial's view of the file system.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::readable::{CARGO, closed_in, credentials_in};
use crate::{Readable, TreeCopy};

/// The entry at a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ViewEntry {
    /// A readable file or folder of the machine.
    Read(PathBuf),
    /// A writable folder of the copy.
    Write(PathBuf),
    /// A folder of the machine; writes go to `over`, a folder of the copy. If overlays do not work,
    /// the folder is read-only, or empty if `built`. If the command runs as another user, files of
    /// `owner` appear to belong to that user.
    Over {
        from: PathBuf,
        over: PathBuf,
        built: bool,
        owner: Option<(u32, u32)>,
    },
    /// A symbolic link to this path.
    Link(PathBuf),
}

/// Returns the view of a trial in this copy: all paths, parents before children. Everything has the
/// same path as for the user, so that programs installed with absolute paths work; the copy replaces
/// the tree, and an empty home the user's. `as_other`: the command runs as another user, who can
/// read only what is open to everybody.
pub(crate) fn of(
    copy: &TreeCopy,
    readable: &Readable,
    as_other: bool,
) -> Vec<(PathBuf, ViewEntry)> {
    let mut view = BTreeMap::new();
    for folder in readable.folders() {
        show(&mut view, folder);
    }
    for (at, part) in [
        (Path::new("/tmp"), "tmp"),
        (Path::new("/dev/shm"), "shm"),
        (readable.home(), "home"),
        (copy.root(), "tree"),
    ] {
        view.insert(at.to_owned(), ViewEntry::Write(copy.part(part)));
    }
    if let Some(cargo) = readable.cargo() {
        view.insert(cargo.to_owned(), ViewEntry::Write(copy.part("cargo")));
        let parts = CARGO.map(|it| cargo.join(it));
        parts
            .iter()
            .filter(|it| it.is_dir())
            .for_each(|it| show(&mut view, it));
    }
    let mut masked = readable.masked().to_vec();
    for untracked in copy.untracked() {
        let folder = copy.root().join(&untracked.path);
        if let Some(needed) = readable.behind(&folder) {
            show(&mut view, &needed);
        }
        masked.extend(credentials_in(&folder));
        let closed = as_other.then(|| closed_in(&folder)).flatten();
        let owner = closed.and_then(|closed| {
            masked.extend(closed);
            let about = folder.metadata().ok()?;
            Some((about.uid(), about.gid()))
        });
        let shown = ViewEntry::Over {
            from: folder.clone(),
            over: untracked.over.clone(),
            built: untracked.built,
            owner,
        };
        view.insert(folder, shown);
    }
    for path in masked {
        let cover = if path.is_dir() { "nothing" } else { "empty" };
        view.insert(path, ViewEntry::Read(copy.part(cover)));
    }
    // A link in the tree must not redirect a mount point.
    view.retain(|at, _| {
        at.strip_prefix(copy.root())
            .map_or(true, |it| copy.is_plain(it))
    });
    view.into_iter().collect()
}

/// Adds a file or folder at its path and at its canonical path.
fn show(view: &mut BTreeMap<PathBuf, ViewEntry>, path: &Path) {
    let Ok(real) = path.canonicalize() else {
        return;
    };
    let shown = match path.read_link() {
        // A link of the system, such as `/bin`, remains a link.
        Ok(text) if path.parent() == Some(Path::new("/")) => ViewEntry::Link(text),
        _ => ViewEntry::Read(path.to_owned()),
    };
    view.insert(path.to_owned(), shown);
    if !real
        .ancestors()
        .any(|it| matches!(view.get(it), Some(ViewEntry::Read(_))))
    {
        view.insert(real.clone(), ViewEntry::Read(real));
    }
}
