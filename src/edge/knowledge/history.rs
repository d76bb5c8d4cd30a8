//! The history of the repository: messages and paths of the last commits, read from git's files.
//!
//! No program is run and nothing is written. Files are opened safely (see `doors`); alternate
//! object folders outside the repository are ignored. Where data is missing, damaged or too large
//! the history ends: the map works without it.

mod between;

use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

pub use between::{NoCommit, between};

use super::map::Commit;
use crate::edge::git;
use crate::edge::journal::hex;
use crate::edge::safe_open::{self, FileUse};

const MAX_COMMITS: usize = 4_500;
/// Maximum number of paths of a commit; a commit that touches more is ignored.
const MAX_PATHS: usize = 100;
/// Maximum size of an object in bytes.
const MAX_OBJECT: usize = 4 << 20;
/// Maximum total size of cached objects in bytes.
const MAX_KEPT: usize = 48 << 20;
const MAX_CHAIN: usize = 300;
/// Offset of the names in the index of a pack.
const NAMES: usize = 8 + 256 * 4;
/// Length of an object id in bytes.
const NAME: usize = 20;

type Id = [u8; NAME];

/// A path with the ids of the file before and after.
type Pair = (String, Option<Id>, Option<Id>);

/// The last commits of the repository around `folder`, newest first, without merges, with paths
/// relative to `folder`; empty outside of a repository. `stop` ends it early.
pub(super) fn history(folder: &Path, stop: &dyn Fn() -> bool) -> Vec<Commit> {
    let Some((objects, head, prefix)) = find(folder) else {
        return Vec::new();
    };
    let mut walk = CommitWalk::from(head, Objects::of(objects));
    let mut commits = Vec::new();
    while commits.len() < MAX_COMMITS
        && !stop()
        && let Some((commit, before)) = walk.next()
    {
        let files = walk
            .objects
            .differ((before, Some(commit.tree)), &prefix, MAX_PATHS);
        commits.push(Commit {
            message: commit.message,
            paths: files.into_iter().map(|(path, ..)| path).collect(),
        });
    }
    commits
}

/// Day and subject of the last commits that touched a path, newest first, without merges; empty
/// outside of a repository.
pub(super) fn touching(
    folder: &Path,
    path: &str,
    most: usize,
    stop: &dyn Fn() -> bool,
) -> Vec<(String, String)> {
    let Some((objects, head, prefix)) = find(folder) else {
        return Vec::new();
    };
    let path = format!("{prefix}{}", path.trim_end_matches('/'));
    let mut walk = CommitWalk::from(head, Objects::of(objects));
    let mut found = Vec::new();
    while found.len() < most
        && !stop()
        && let Some((commit, before)) = walk.next()
    {
        let before = before.and_then(|tree| walk.objects.at(tree, &path));
        if walk.objects.at(commit.tree, &path) != before {
            let seconds = i64::try_from(commit.seconds).unwrap_or_default();
            let day = jiff::Timestamp::from_second(seconds).unwrap_or_default();
            let subject = commit.message.lines().next().unwrap_or_default();
            found.push((day.strftime("%Y-%m-%d").to_string(), subject.to_owned()));
        }
    }
    found
}

/// The paths of the commit that is checked out.
pub(super) struct TrackedFiles {
    objects: Objects,
    tree: Id,
    prefix: String,
    /// The last folder asked for, and its content.
    folder: Option<(String, BTreeSet<String>)>,
}

impl TrackedFiles {
    /// The tracked paths of the repository around `folder`, relative to `folder`; `None` outside of
    /// one.
    pub fn of(folder: &Path) -> Option<Self> {
        let (objects, head, prefix) = find(folder)?;
        let mut objects = Objects::of(objects);
        let tree = objects.commit(&head)?.tree;
        Some(Self {
            objects,
            tree,
            prefix,
            folder: None,
        })
    }

    /// Whether there is a file or folder with that path.
    pub fn holds(&mut self, path: &str) -> bool {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let is_last = |(last, _): &&(String, BTreeSet<String>)| last == folder;
        if self.folder.as_ref().filter(is_last).is_none() {
            let tree = self
                .objects
                .at(self.tree, &format!("{}{folder}", self.prefix));
            let names = self.objects.entries(tree).into_keys().collect();
            self.folder = Some((folder.to_owned(), names));
        }
        let names = self.folder.as_ref().map(|(_, names)| names);
        names.is_some_and(|names| names.contains(name))
    }
}

/// The folder of objects, the current commit, and the prefix of paths in `folder`.
fn find(folder: &Path) -> Option<(PathBuf, Id, String)> {
    let folder = folder.canonicalize().ok()?;
    let (top, common) = git::common(&folder)?;
    let head = name(&git::head(&folder)?)?;
    let inside = folder.strip_prefix(&top).ok()?.to_str()?.to_owned();
    let prefix = match inside.as_str() {
        "" => inside,
        _ => format!("{inside}/"),
    };
    Some((common.join("objects"), head, prefix))
}

fn name(hex: &str) -> Option<Id> {
    let mut id = [0; NAME];
    if hex.len() != NAME * 2 {
        return None;
    }
    for (byte, at) in id.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(hex.get(at..at + 2)?, 16).ok()?;
    }
    Some(id)
}

struct Read {
    tree: Id,
    parents: Vec<Id>,
    seconds: u64,
    message: String,
}

/// Walks back through the commits, newest first.
struct CommitWalk {
    objects: Objects,
    queue: BinaryHeap<(u64, Id)>,
    seen: BTreeSet<Id>,
}

impl CommitWalk {
    fn from(head: Id, objects: Objects) -> Self {
        let mut walk = Self {
            objects,
            queue: BinaryHeap::new(),
            seen: BTreeSet::new(),
        };
        walk.add(head);
        walk
    }

    fn add(&mut self, id: Id) {
        if self.seen.insert(id)
            && let Some(commit) = self.objects.commit(&id)
        {
            self.queue.push((commit.seconds, id));
        }
    }

    /// The next commit that is no merge, and the tree of its parent. The oldest commit of a shallow
    /// clone is left out, since it would seem to add every file.
    fn next(&mut self) -> Option<(Read, Option<Id>)> {
        loop {
            let (_, id) = self.queue.pop()?;
            let commit = self.objects.commit(&id)?;
            for parent in &commit.parents {
                self.add(*parent);
            }
            match commit.parents.as_slice() {
                [] => return Some((commit, None)),
                [parent] => {
                    let before = self.objects.commit(parent)?.tree;
                    return Some((commit, Some(before)));
                }
                _ => {}
            }
        }
    }
}

/// A pack: its index, and the file with the objects.
struct Pack {
    index: Vec<u8>,
    count: usize,
    file: File,
    length: u64,
}

/// Type and content of an object.
type Object = (u8, Rc<Vec<u8>>);

struct Objects {
    folder: PathBuf,
    packs: Vec<Pack>,
    /// Cached objects of packs, by pack and offset.
    kept: HashMap<(usize, u64), Object>,
    size: usize,
}

const COMMIT: u8 = 1;
const TREE: u8 = 2;
const BLOB: u8 = 3;
const TAG: u8 = 4;
const BY_PLACE: u8 = 6;
const BY_NAME: u8 = 7;

impl Objects {
    fn of(folder: PathBuf) -> Self {
        let names = safe_open::names_in(&folder.join("pack")).unwrap_or_default();
        let packs = names.iter().filter(|name| name.ends_with(".idx"));
        let packs = packs.filter_map(|name| Pack::open(&folder.join("pack").join(name)));
        Self {
            packs: packs.collect(),
            folder,
            kept: HashMap::new(),
            size: 0,
        }
    }

    fn commit(&mut self, id: &Id) -> Option<Read> {
        let (kind, bytes) = self.object(id, 0)?;
        (kind == COMMIT).then_some(())?;
        let text = String::from_utf8_lossy(&bytes);
        let (head, message) = text.split_once("\n\n")?;
        let field = |field: &'static str| {
            let lines = head.lines();
            lines.filter_map(move |line| line.strip_prefix(field)?.strip_prefix(' '))
        };
        let committer = field("committer").next()?;
        Some(Read {
            tree: name(field("tree").next()?)?,
            parents: field("parent").filter_map(name).collect(),
            seconds: committer.rsplit(' ').nth(1)?.parse().ok()?,
            message: message.chars().take(4_000).collect(),
        })
    }

    /// The files below `prefix` that differ between two trees, sorted; not all of them once there
    /// are more than `most`.
    fn differ(
        &mut self,
        (old, new): (Option<Id>, Option<Id>),
        prefix: &str,
        most: usize,
    ) -> Vec<Pair> {
        let mut files = Vec::new();
        let mut open = vec![(old, new, String::new())];
        while let Some((old, new, at)) = open.pop() {
            if old == new || files.len() > most || at.len() > 1_000 {
                continue;
            }
            if !at.starts_with(prefix) && !prefix.starts_with(&at) {
                continue;
            }
            let (before, after) = (self.entries(old), self.entries(new));
            let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
            for name in names {
                let (old, new) = (before.get(name), after.get(name));
                if old == new {
                    continue;
                }
                let path = format!("{at}{name}");
                let id = |entry: Option<&TreeEntry>, is_tree| {
                    entry.filter(|it| it.is_tree == is_tree).map(|it| it.id)
                };
                let (file, folder) = (
                    (id(old, false), id(new, false)),
                    (id(old, true), id(new, true)),
                );
                if let Some(own) = path.strip_prefix(prefix)
                    && file != (None, None)
                {
                    files.push((own.to_owned(), file.0, file.1));
                }
                if folder != (None, None) {
                    open.push((folder.0, folder.1, format!("{path}/")));
                }
            }
        }
        files.sort();
        files
    }

    fn at(&mut self, tree: Id, path: &str) -> Option<Id> {
        let mut parts = path.split('/').filter(|part| !part.is_empty());
        parts.try_fold(tree, |tree, part| {
            self.entries(Some(tree)).get(part).map(|entry| entry.id)
        })
    }

    fn entries(&mut self, id: Option<Id>) -> BTreeMap<String, TreeEntry> {
        let mut entries = BTreeMap::new();
        let Some((TREE, bytes)) = id.and_then(|id| self.object(&id, 0)) else {
            return entries;
        };
        let mut rest = bytes.as_slice();
        while let Some(end) = memchr::memchr(0, rest)
            && let Some(id) = rest.get(end + 1..=end + NAME)
            && let Ok(id) = Id::try_from(id)
        {
            let (head, after) = (&rest[..end], &rest[end + 1 + NAME..]);
            let head = String::from_utf8_lossy(head);
            if let Some((mode, name)) = head.split_once(' ') {
                let is_tree = mode == "40000";
                entries.insert(name.to_owned(), TreeEntry { id, is_tree });
            }
            rest = after;
        }
        entries
    }

    fn object(&mut self, id: &Id, depth: usize) -> Option<Object> {
        for pack in 0..self.packs.len() {
            if let Some(place) = self.packs[pack].place(id) {
                return self.packed(pack, place, depth);
            }
        }
        self.loose(id)
    }

    fn loose(&self, id: &Id) -> Option<Object> {
        let hex = hex(id);
        let path = self.folder.join(&hex[..2]).join(&hex[2..]);
        let bytes = safe_open::read_named(&path, FileUse::Git).ok()?;
        let bytes = decompress_to_vec_zlib_with_limit(&bytes, MAX_OBJECT).ok()?;
        let end = memchr::memchr(0, &bytes)?;
        let kind = match bytes.get(..end)?.split(|b| *b == b' ').next()? {
            b"commit" => COMMIT,
            b"tree" => TREE,
            b"blob" => BLOB,
            b"tag" => TAG,
            _ => return None,
        };
        Some((kind, Rc::new(bytes[end + 1..].to_vec())))
    }

    /// Reads the object at an offset of a pack, applying deltas if it is stored as such.
    fn packed(&mut self, pack: usize, place: u64, depth: usize) -> Option<Object> {
        let mut at = place;
        let mut deltas = Vec::new();
        let (kind, mut bytes) = loop {
            if let Some((kind, bytes)) = self.kept.get(&(pack, at)) {
                break (*kind, Rc::clone(bytes));
            }
            if depth + deltas.len() > MAX_CHAIN {
                return None;
            }
            let (kind, base, bytes) = self.packs[pack].read(at)?;
            match (kind, base) {
                (BY_PLACE, Base::Place(back)) => {
                    deltas.push((at, bytes));
                    at = at.checked_sub(back).filter(|_| back > 0)?;
                }
                (BY_NAME, Base::Name(id)) => {
                    deltas.push((at, bytes));
                    let below = depth + deltas.len();
                    break self.object(&id, below)?;
                }
                _ => {
                    let bytes = Rc::new(bytes);
                    self.cache_object((pack, at), kind, &bytes);
                    break (kind, bytes);
                }
            }
        };
        for (at, delta) in deltas.into_iter().rev() {
            bytes = Rc::new(applied(&bytes, &delta)?);
            self.cache_object((pack, at), kind, &bytes);
        }
        Some((kind, bytes))
    }

    fn cache_object(&mut self, at: (usize, u64), kind: u8, bytes: &Rc<Vec<u8>>) {
        if self.size + bytes.len() > MAX_KEPT {
            self.kept.clear();
            self.size = 0;
        }
        self.size += bytes.len();
        self.kept.insert(at, (kind, Rc::clone(bytes)));
    }
}

#[derive(PartialEq)]
struct TreeEntry {
    id: Id,
    is_tree: bool,
}

/// What a delta is applied to.
enum Base {
    None,
    /// The object this many bytes before it.
    Place(u64),
    Name(Id),
}

impl Pack {
    fn open(index: &Path) -> Option<Self> {
        let bytes = safe_open::read_named(index, FileUse::PackIndex).ok()?;
        // Version 2 of the index, the only one written since 2007.
        let head = [0xff, b't', b'O', b'c', 0, 0, 0, 2];
        bytes.starts_with(&head).then_some(())?;
        let count = u32_at(&bytes, 8 + 255 * 4)? as usize;
        let file = safe_open::file_named(&index.with_extension("pack")).ok()?;
        let length = file.metadata().ok()?.len();
        Some(Self {
            index: bytes,
            count,
            file,
            length,
        })
    }

    /// The ids of its objects, in order.
    fn names(&self) -> impl Iterator<Item = Id> + '_ {
        let names = self.index.get(NAMES..).unwrap_or_default();
        let names = names.chunks_exact(NAME).take(self.count);
        names.filter_map(|name| Id::try_from(name).ok())
    }

    fn place(&self, id: &Id) -> Option<u64> {
        let first = usize::from(id[0]);
        let bound = |at: usize| u32_at(&self.index, 8 + at * 4).map(|n| n as usize);
        let mut low = match first {
            0 => 0,
            first => bound(first - 1)?,
        };
        let mut high = bound(first)?.min(self.count);
        while low < high {
            let middle = usize::midpoint(low, high);
            let at = NAMES + middle * NAME;
            match self.index.get(at..at + NAME)?.cmp(id.as_slice()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => {
                    let places = NAMES + self.count * (NAME + 4);
                    let place = u32_at(&self.index, places + middle * 4)?;
                    if place >> 31 == 0 {
                        return Some(u64::from(place));
                    }
                    let large = places + self.count * 4 + (place & 0x7fff_ffff) as usize * 8;
                    let (high, low) =
                        (u32_at(&self.index, large)?, u32_at(&self.index, large + 4)?);
                    return Some(u64::from(high) << 32 | u64::from(low));
                }
            }
        }
        None
    }

    /// Type, base and raw content of the object at an offset.
    fn read(&self, place: u64) -> Option<(u8, Base, Vec<u8>)> {
        let mut head = [0; 64];
        let count = self.file.read_at(&mut head, place).ok()?;
        let mut head = head[..count].iter().copied();
        let first = head.next()?;
        let kind = (first >> 4) & 7;
        let (mut size, mut shift, mut used) = (usize::from(first & 15), 4, 1);
        let mut more = first & 0x80 != 0;
        while more {
            let byte = head.next()?;
            size |= usize::from(byte & 0x7f).checked_shl(shift)?;
            (shift, used, more) = (shift + 7, used + 1, byte & 0x80 != 0);
        }
        let base = match kind {
            BY_PLACE => {
                let mut byte = head.next()?;
                let mut back = u64::from(byte & 0x7f);
                used += 1;
                while byte & 0x80 != 0 {
                    byte = head.next()?;
                    back = (back.checked_add(1)? << 7) | u64::from(byte & 0x7f);
                    used += 1;
                }
                Base::Place(back)
            }
            BY_NAME => {
                let name: Vec<u8> = head.by_ref().take(NAME).collect();
                used += NAME as u64;
                Base::Name(Id::try_from(name).ok()?)
            }
            COMMIT | TREE | BLOB | TAG => Base::None,
            _ => return None,
        };
        if size > MAX_OBJECT {
            return None;
        }
        // A compressed object is hardly ever larger than the original.
        let begins = place + used;
        let left = usize::try_from(self.length.checked_sub(begins)?).unwrap_or(usize::MAX);
        let mut bytes = vec![0; left.min(size + size / 8 + 256)];
        self.file.read_exact_at(&mut bytes, begins).ok()?;
        let bytes = decompress_to_vec_zlib_with_limit(&bytes, size).ok()?;
        (bytes.len() == size).then_some((kind, base, bytes))
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(four.try_into().ok()?))
}

/// Applies a delta to its base: copies of parts of the base, and new bytes.
fn applied(base: &[u8], delta: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = delta.iter().copied();
    let size = |bytes: &mut dyn Iterator<Item = u8>| -> Option<usize> {
        let (mut size, mut shift) = (0, 0);
        loop {
            let byte = bytes.next()?;
            size |= usize::from(byte & 0x7f).checked_shl(shift)?;
            shift += 7;
            if byte & 0x80 == 0 {
                return Some(size);
            }
        }
    };
    let (from, to) = (size(&mut bytes)?, size(&mut bytes)?);
    if from != base.len() || to > MAX_OBJECT {
        return None;
    }
    let mut made = Vec::with_capacity(to);
    while let Some(op) = bytes.next() {
        if op & 0x80 == 0 {
            made.extend(bytes.by_ref().take(usize::from(op)));
        } else {
            let mut part = |bits: u8, first: u8| -> Option<usize> {
                let mut number = 0;
                for bit in 0..bits {
                    if op & (first << bit) != 0 {
                        number |= usize::from(bytes.next()?) << (8 * bit);
                    }
                }
                Some(number)
            };
            let (at, length) = (part(4, 1)?, part(3, 0x10)?);
            let length = if length == 0 { 0x10000 } else { length };
            made.extend_from_slice(base.get(at..at.checked_add(length)?)?);
        }
        if made.len() > to {
            return None;
        }
    }
    (made.len() == to).then_some(made)
}

#[cfg(test)]
mod tests;
