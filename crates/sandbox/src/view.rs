//! What a trial sees of the file system: every path that is there, parents before children.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{Readable, TreeCopy};

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Shown {
    /// A file or folder of the machine, which can be read.
    Read(PathBuf),
    /// A folder of the copy, which can be written.
    Write(PathBuf),
    /// A symbolic link with this text.
    Link(PathBuf),
}

/// Paths and what stands there; a later entry at a path takes the place of an earlier one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct View(Vec<(PathBuf, Shown)>);

impl View {
    /// Parents come before children, whatever the order they are given in.
    pub fn new(entries: impl IntoIterator<Item = (PathBuf, Shown)>) -> Self {
        let sorted: BTreeMap<PathBuf, Shown> = entries.into_iter().collect();
        Self(sorted.into_iter().collect())
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Path, &Shown)> {
        self.0.iter().map(|(at, shown)| (at.as_path(), shown))
    }
}

/// What a trial in this copy sees.
pub(crate) fn of(copy: &TreeCopy, readable: &Readable) -> View {
    let mut entries = vec![
        (PathBuf::from("/tmp"), Shown::Write(copy.part("tmp"))),
        (readable.home().to_owned(), Shown::Write(copy.part("home"))),
        (copy.root().to_owned(), Shown::Write(copy.part("tree"))),
    ];
    for folder in readable.folders() {
        // A link of the system, such as `/bin`, stays one.
        let text = folder
            .read_link()
            .ok()
            .filter(|_| folder.parent() == Some(Path::new("/")));
        entries.push((
            folder.clone(),
            text.map_or_else(|| Shown::Read(folder.clone()), Shown::Link),
        ));
        let real = folder.canonicalize().unwrap_or_default();
        if real != *folder
            && !real.as_os_str().is_empty()
            && !entries.iter().any(|(at, _)| real.starts_with(at))
        {
            entries.push((real.clone(), Shown::Read(real)));
        }
    }
    for path in copy.dependencies() {
        let path = copy.root().join(path);
        entries.push((path.clone(), Shown::Read(path)));
    }
    for path in readable.masked() {
        let cover = if path.is_dir() { "nothing" } else { "empty" };
        entries.push((path.clone(), Shown::Read(copy.part(cover))));
    }
    View::new(entries)
}
