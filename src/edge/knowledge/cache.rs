//! A cache of parsed outlines by the digest of the text, in the user's cache folder: one file per
//! workspace, with names and line numbers only.
//!
//! The cache is optional. A damaged or incompatible file is ignored and written again.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use super::map::Outline;
use super::parse::Chunk;
use crate::edge::journal::hex;
use crate::edge::safe_open::{self, FileUse};

/// First line of the file; has to change whenever parsing changes.
const FORM: &str = "aitc outlines 1";
/// Maximum number of outlines in the file.
const MAX_KEPT: usize = 10_000;
/// Minimum number of new outlines for which the file is written.
const WORTH: usize = 200;

pub(super) struct Cache {
    file: Option<PathBuf>,
    outlines: BTreeMap<String, Outline>,
    new: BTreeMap<String, Outline>,
}

/// A line of the file: digest, names, and chunks.
type CacheLine = (String, String, Vec<(String, u32, u32)>);

impl Cache {
    /// Loads the cache of the workspace at `root`; empty without a folder or a usable file.
    pub fn of(folder: Option<&Path>, root: &Path) -> Self {
        let name = digest_of(&[root.as_os_str().as_encoded_bytes()]);
        let file = folder.map(|folder| folder.join(format!("outlines-{name}")));
        let bytes = file.as_ref();
        let bytes = bytes.and_then(|file| safe_open::read_named(file, FileUse::Cached).ok());
        let outlines = bytes.and_then(|bytes| read(&bytes)).unwrap_or_default();
        Self {
            file,
            outlines,
            new: BTreeMap::new(),
        }
    }

    /// The key of a text with this path.
    pub fn digest(path: &str, text: &str) -> String {
        let ending = path.rsplit(['/', '.']).next().unwrap_or_default();
        digest_of(&[ending.as_bytes(), b"\0", text.as_bytes()])
    }

    /// The cached outline of a text.
    pub fn outline(&self, digest: &str) -> Option<&Outline> {
        self.outlines.get(digest)
    }

    /// Adds an outline.
    pub fn put(&mut self, digest: String, outline: &Outline) {
        self.new.insert(digest, outline.clone());
    }

    /// Writes the new outlines and, up to the limit, the old ones. Errors are ignored.
    pub fn keep(self) {
        let Some(file) = self.file.filter(|_| self.new.len() >= WORTH) else {
            return;
        };
        let new = self.new.len();
        let before = self.outlines.into_iter();
        let before = before.filter(|(digest, _)| !self.new.contains_key(digest));
        let before: Vec<_> = before.take(MAX_KEPT.saturating_sub(new)).collect();
        let all = self.new.iter().chain(before.iter().map(|(a, b)| (a, b)));
        // The cache is optional, so an error has no effect.
        let _ = write(&file, all);
    }
}

fn digest_of(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    parts.iter().for_each(|part| hash.update(part));
    hex(&hash.finalize()[..16])
}

fn read(bytes: &[u8]) -> Option<BTreeMap<String, Outline>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let mut lines = text.lines();
    (lines.next()? == FORM).then_some(())?;
    let outlines = lines.map(|line| {
        let (digest, names, chunks): CacheLine = serde_json::from_str(line).ok()?;
        let is_sound = |(_, from, to): &(String, u32, u32)| (1..=*to).contains(from);
        chunks.iter().all(is_sound).then_some(())?;
        let chunks = chunks.into_iter();
        let chunks = chunks.map(|(name, from, to)| Chunk { name, from, to });
        let chunks = chunks.collect();
        Some((digest, Outline { names, chunks }))
    });
    outlines.collect()
}

fn write<'o>(
    file: &Path,
    outlines: impl Iterator<Item = (&'o String, &'o Outline)>,
) -> std::io::Result<()> {
    let folder = file.parent().unwrap_or(file);
    std::fs::create_dir_all(folder)?;
    let mut text = format!("{FORM}\n");
    for (digest, outline) in outlines {
        let chunks = outline.chunks.iter();
        let chunks: Vec<_> = chunks.map(|it| (&it.name, it.from, it.to)).collect();
        text += &serde_json::to_string(&(digest, &outline.names, chunks))?;
        text.push('\n');
    }
    let mut new = NamedTempFile::new_in(folder)?;
    new.write_all(text.as_bytes())?;
    // Renamed when complete, so that no other process reads half of it.
    new.persist(file)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn filled(folder: &Path, count: usize) -> Cache {
        let mut cache = Cache::of(Some(folder), Path::new("/a"));
        for n in 0..count {
            let chunk = Chunk {
                name: format!("f{n}"),
                from: 1,
                to: 2,
            };
            let outline = Outline {
                names: format!("f{n} g"),
                chunks: vec![chunk],
            };
            cache.put(Cache::digest("a.rs", &n.to_string()), &outline);
        }
        cache
    }

    #[test]
    fn what_was_parsed_is_there_again_and_damage_is_as_good_as_nothing() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("new/aitc");
        filled(&folder, WORTH - 1).keep();
        assert!(!folder.exists(), "little is not worth a file");
        filled(&folder, WORTH).keep();
        let digest = Cache::digest("b/c.rs", "7");
        let seen = |root: &str| {
            let cache = Cache::of(Some(&folder), Path::new(root));
            cache.outline(&digest).map(|it| it.names.clone())
        };
        assert_eq!(seen("/a").as_deref(), Some("f7 g"));
        assert_eq!(seen("/b"), None);
        assert_ne!(Cache::digest("c.py", "7"), digest);
        let mut files = std::fs::read_dir(&folder).unwrap();
        let file = files.next().unwrap().unwrap().path();
        let whole = std::fs::read_to_string(&file).unwrap();
        for torn in [
            "",
            "x",
            &whole[..whole.len() / 2],
            &whole.replace("1,2", "2,1"),
        ] {
            std::fs::write(&file, torn).unwrap();
            assert_eq!(seen("/a"), None, "{torn:.40}");
        }
        filled(&folder, WORTH).keep();
        assert_eq!(seen("/a").as_deref(), Some("f7 g"), "written anew");
        // A file in place of the folder: nothing is stored, and there is no error.
        filled(&file, WORTH).keep();
        assert_eq!(Cache::of(None, Path::new("/a")).outlines.len(), 0);
    }
}
