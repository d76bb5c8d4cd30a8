//! Walks through a folder. Files that git ignores are left out, and so are hidden files that git
//! does not track. Links are not followed.
//!
//! Ignore files are opened safely like all others, so an endless file does no harm.

use std::io;
use std::path::{Component, Path, PathBuf, absolute};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use walkdir::{DirEntry, IntoIter, WalkDir};

use super::history::TrackedFiles;
use super::map::is_generated;
use super::secret::{is_code, is_private};
use super::{MAX_FILES, SKIPPED, UnreadPaths, looks_secret, relative, text_of};
use crate::edge::file_names::HOME;
use crate::edge::safe_open::{self, FileUse};
use crate::fault::{said_by_system, texts, values};

const MAX_RULES: usize = 5_000;

texts! {
    TOO_MANY: "only the first {most} rules of such files are heeded", "这类文件只采用前 {most} 条规则";
}

/// A folder to walk, or a single file.
pub(super) struct SearchPath {
    /// Its path, with links below the root resolved.
    path: PathBuf,
    /// The folder that all reads are confined to.
    pub root: PathBuf,
}

impl SearchPath {
    /// The place `named`, relative to `root`. A path inside `root` must also be inside when links
    /// are resolved; any other path is confined to itself.
    ///
    /// # Errors
    /// It leads out of `root`; otherwise the system's error.
    pub fn of(root: &Path, named: &Path) -> io::Result<Self> {
        let path = plain(&absolute(root.join(named))?);
        let real = root.canonicalize()?;
        let is_root = |folder: &&Path| folder.canonicalize().is_ok_and(|folder| folder == real);
        if let Some(top) = path.ancestors().filter(is_root).last() {
            let below = path.strip_prefix(top).unwrap_or(&path);
            let place = safe_open::place_beneath(root, below)?;
            let below = place.strip_prefix(&real).unwrap_or(&place);
            return Ok(Self {
                path: plain(&root.join(below)),
                root: root.to_owned(),
            });
        }
        let folder = match path.canonicalize()?.is_dir() {
            true => &path,
            false => path.parent().unwrap_or(&path),
        };
        Ok(Self {
            root: folder.to_owned(),
            path,
        })
    }
}

/// The path without `.` and `..`, without reading the disk.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// Whether git ignores a folder directly below the root of its repository, by the rules in that
/// root.
pub fn is_ignored_by_git(root: &Path, folder: &str) -> bool {
    let rules = [".gitignore", ".git/info/exclude"].map(|name| {
        let bytes = safe_open::beneath(root, &root.join(name), FileUse::Ignore).unwrap_or_default();
        let mut builder = GitignoreBuilder::new(root);
        for line in String::from_utf8_lossy(&bytes).lines().take(MAX_RULES) {
            // Like git, ignore an invalid rule.
            let _ = builder.add_line(None, line);
        }
        builder.build().unwrap_or_else(|_| Gitignore::empty())
    });
    let mut told = rules
        .iter()
        .map(|rules| rules.matched(root.join(folder), true));
    told.find(|told| !told.is_none())
        .is_some_and(|told| told.is_ignore())
}

/// Files and folders sorted by name.
pub(super) struct FolderWalk<'p> {
    place: &'p SearchPath,
    entries: IntoIter,
    /// The rules of the folders from the top to the current one.
    rules: Vec<Rules>,
    left: usize,
    /// The tracked files, loaded at the first hidden file.
    tracked: Option<Option<TrackedFiles>>,
    /// Number of files that may still be examined.
    pub(super) files: usize,
    /// Whether tracked files are always included, and links are treated as files.
    whole: bool,
}

struct Rules {
    own: Gitignore,
    git: Gitignore,
    exclude: Gitignore,
    /// A repository starts here: git's rules from outside do not apply.
    begins: bool,
}

impl<'p> FolderWalk<'p> {
    /// A walk of everything that may be seen.
    pub fn of(place: &'p SearchPath) -> Self {
        Self {
            place,
            entries: WalkDir::new(&place.path).sort_by_file_name().into_iter(),
            rules: Vec::new(),
            left: MAX_RULES,
            tracked: None,
            files: MAX_FILES,
            whole: false,
        }
    }

    /// A walk that includes all tracked files, whatever the names of their folders, and links.
    pub fn all_tracked(place: &'p SearchPath) -> Self {
        Self {
            files: usize::MAX,
            whole: true,
            ..Self::of(place)
        }
    }

    /// The next entry that is not ignored; ignore files that cannot be read are noted.
    pub fn next(&mut self, unread: &mut UnreadPaths) -> Option<Result<DirEntry, walkdir::Error>> {
        loop {
            let entry = match self.entries.next()? {
                Ok(entry) => entry,
                Err(error) => return Some(Err(error)),
            };
            self.rules.truncate(entry.depth());
            let is_dir = entry.file_type().is_dir();
            let name = entry.file_name().to_string_lossy();
            let is_skipped = is_dir
                && SKIPPED.contains(&name.as_ref())
                && !(self.whole && self.is_tracked(&entry));
            if entry.depth() > 0 && (is_skipped || self.ignores(&entry, &name)) {
                if is_dir {
                    self.entries.skip_current_dir();
                }
                continue;
            }
            if is_dir {
                let rules = self.rules_of(entry.path(), unread);
                self.rules.push(rules);
            }
            return Some(Ok(entry));
        }
    }

    /// The next visible file, with its path relative to `root`. Folders that cannot be read, names
    /// that cannot be shown, and reaching the limit are noted.
    pub fn next_file(
        &mut self,
        root: &Path,
        unread: &mut UnreadPaths,
    ) -> Option<(DirEntry, String)> {
        loop {
            let entry = match self.next(unread)? {
                Ok(entry) => entry,
                Err(error) => {
                    let why = error.io_error().map(said_by_system);
                    let why = why.unwrap_or_else(|| error.to_string().into());
                    unread.note(root, error.path().unwrap_or(&self.place.path), &why);
                    continue;
                }
            };
            let kind = entry.file_type();
            let is_file = kind.is_file() || (self.whole && kind.is_symlink());
            if !is_file || looks_secret(entry.path()) {
                continue;
            }
            match relative(root, entry.path()) {
                None => unread.unnamed += 1,
                Some(_) if self.files == 0 => {
                    unread.is_cut = true;
                    return None;
                }
                Some(name) => {
                    self.files -= 1;
                    return Some((entry, name));
                }
            }
        }
    }

    /// Whether rules ignore the entry. `.aitcignore` has precedence over `.ignore`, and that over
    /// `.gitignore`; an inner folder has precedence over an outer one; a rule that includes a file
    /// has precedence over its being hidden.
    fn ignores(&mut self, entry: &DirEntry, name: &str) -> bool {
        let (path, is_dir) = (entry.path(), entry.file_type().is_dir());
        let own = self.rules.iter().rev().map(|rules| &rules.own);
        let mut told = own.map(|rules| rules.matched(path, is_dir));
        let mut told = told.find(|told| !told.is_none()).unwrap_or(Match::None);
        let is_named = told.is_ignore();
        let mut within = true;
        for rules in self.rules.iter().rev() {
            for rules in [&rules.git, &rules.exclude] {
                if told.is_none() && within {
                    told = rules.matched(path, is_dir);
                }
            }
            within = within && !rules.begins;
        }
        match told {
            Match::None => self.is_hidden(entry, name),
            Match::Ignore(_) => is_named || !self.is_imported(entry, name),
            Match::Whitelist(_) => false,
        }
    }

    /// Whether it is generated code: other code imports it even though git may ignore it. Any other
    /// ignored file may be private.
    fn is_imported(&self, entry: &DirEntry, name: &str) -> bool {
        let text = || text_of(&self.place.root, entry.path(), FileUse::Searched.most());
        self.whole
            && entry.file_type().is_file()
            && !name.starts_with('.')
            && is_code(entry.path())
            && matches!(text(), Ok(Some(text)) if is_generated(&text))
    }

    /// Whether it is hidden or in a hidden folder, and not tracked. Files of git and of `aitc`, and
    /// keys, count as hidden even if tracked.
    fn is_hidden(&mut self, entry: &DirEntry, name: &str) -> bool {
        let path = self.inside(entry).to_string_lossy();
        if !path.split('/').any(|part| part.starts_with('.')) {
            return false;
        }
        let is_folder = entry.file_type().is_dir();
        if name == ".git" || name == HOME || (is_folder && is_private(name)) {
            return true;
        }
        !self.is_tracked(entry)
    }

    fn inside<'e>(&self, entry: &'e DirEntry) -> &'e Path {
        let inside = entry.path().strip_prefix(&self.place.root);
        inside.unwrap_or(entry.path())
    }

    fn is_tracked(&mut self, entry: &DirEntry) -> bool {
        let path = self.inside(entry).to_string_lossy();
        let root = &self.place.root;
        let tracked = self.tracked.get_or_insert_with(|| TrackedFiles::of(root));
        tracked.as_mut().is_some_and(|tracked| tracked.holds(&path))
    }

    fn rules_of(&mut self, folder: &Path, unread: &mut UnreadPaths) -> Rules {
        Rules {
            own: self.read(folder, &[".ignore", ".aitcignore"], unread),
            git: self.read(folder, &[".gitignore"], unread),
            exclude: self.read(folder, &[".git/info/exclude"], unread),
            begins: safe_open::look(&folder.join(".git")).is_ok(),
        }
    }

    /// The combined rules of these files; the last file has precedence.
    fn read(&mut self, folder: &Path, names: &[&str], unread: &mut UnreadPaths) -> Gitignore {
        let mut builder = GitignoreBuilder::new(folder);
        for name in names {
            self.add(&mut builder, folder.join(name), unread);
        }
        builder.build().unwrap_or_else(|_| Gitignore::empty())
    }

    fn add(&mut self, builder: &mut GitignoreBuilder, path: PathBuf, unread: &mut UnreadPaths) {
        if safe_open::look(&path).is_err() {
            return;
        }
        let bytes = match safe_open::beneath(&self.place.root, &path, FileUse::Ignore) {
            Ok(bytes) => bytes,
            Err(error) => {
                unread.note(&self.place.root, &path, &said_by_system(&error));
                return;
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        let is_rule = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
        let mut lines = text.trim_start_matches('\u{feff}').lines().filter(is_rule);
        for line in lines.by_ref().take(self.left) {
            self.left -= 1;
            // Like git, ignore an invalid rule.
            let _ = builder.add_line(None, line);
        }
        if lines.next().is_some() {
            let why = TOO_MANY.fill(values![most = MAX_RULES]);
            unread.note(&self.place.root, &path, &why);
        }
    }
}
