//! The walk through a folder: what git ignores is left out, hidden files that it does not
//! hold are too, and no link is followed.
//!
//! Files of rules are opened as every file is, so that none of them is read without an end.

use std::io;
use std::path::{Component, Path, PathBuf, absolute};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use walkdir::{DirEntry, IntoIter, WalkDir};

use super::history::Tracked;
use super::map::is_generated;
use super::secret::{is_code, is_private};
use super::{MAX_FILES, SKIPPED, Unread, looks_secret, relative, text_of};
use crate::edge::doors::{self, Kind};
use crate::edge::store::HOME;
use crate::fault::{said_by_system, texts};

/// Rules heeded in one walk, at most.
const MAX_RULES: usize = 5_000;

texts! {
    TOO_MANY: "only the first {most} rules of such files are heeded", "这类文件只采用前 {most} 条规则";
}

/// A folder that is walked, or a file alone.
pub(super) struct Place {
    /// Where it really lies.
    path: PathBuf,
    /// The folder that bounds all reads.
    pub root: PathBuf,
}

impl Place {
    /// Of what is named from `root`: what lies in it by its name must do so really; what
    /// does not is bounded by itself.
    ///
    /// # Errors
    /// It leads out, or whatever the system says.
    pub fn of(root: &Path, named: &Path) -> io::Result<Self> {
        let path = plain(&absolute(root.join(named))?);
        let real = root.canonicalize()?;
        let is_root = |folder: &&Path| folder.canonicalize().is_ok_and(|folder| folder == real);
        if let Some(top) = path.ancestors().filter(is_root).last() {
            let below = path.strip_prefix(top).unwrap_or(&path);
            let place = doors::place_beneath(root, below)?;
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

/// The path without `.` and `..`, by its text alone.
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

/// Does git pass over a folder right below the root of its repository, by the rules that lie
/// there?
pub fn passes_over(root: &Path, folder: &str) -> bool {
    let rules = [".gitignore", ".git/info/exclude"].map(|name| {
        let bytes = doors::beneath(root, &root.join(name), Kind::Ignore).unwrap_or_default();
        let mut builder = GitignoreBuilder::new(root);
        for line in String::from_utf8_lossy(&bytes).lines().take(MAX_RULES) {
            // A rule that is none has nothing ignored, as for git.
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

/// Files and folders in order of their names.
pub(super) struct Walk<'p> {
    place: &'p Place,
    entries: IntoIter,
    /// Of the folders from the top down to where the walk is.
    rules: Vec<Rules>,
    left: usize,
    /// What git holds, looked for at the first hidden file.
    tracked: Option<Option<Tracked>>,
    /// Files that may still be looked at.
    pub(super) files: usize,
    /// Is what git holds never passed over, and are links files like others?
    whole: bool,
}

/// What the files of one folder have ignored.
struct Rules {
    own: Gitignore,
    git: Gitignore,
    exclude: Gitignore,
    /// A repository begins here: rules of git from above do not reach in.
    begins: bool,
}

impl<'p> Walk<'p> {
    /// Down to `deepest` folders within one another.
    pub fn of(place: &'p Place, deepest: usize) -> Self {
        let walk = WalkDir::new(&place.path).max_depth(deepest);
        Self {
            place,
            entries: walk.sort_by_file_name().into_iter(),
            rules: Vec::new(),
            left: MAX_RULES,
            tracked: None,
            files: MAX_FILES,
            whole: false,
        }
    }

    /// With everything that git holds, whatever its folders are called, and links.
    pub fn whole(place: &'p Place) -> Self {
        Self {
            files: usize::MAX,
            whole: true,
            ..Self::of(place, usize::MAX)
        }
    }

    /// The next one that is not ignored; rules that cannot be heeded are noted.
    pub fn next(&mut self, unread: &mut Unread) -> Option<Result<DirEntry, walkdir::Error>> {
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

    /// The next file that may be seen, with its path from `root`; what cannot be gone into
    /// or shown by its name is noted, and that there are too many.
    pub fn next_file(&mut self, root: &Path, unread: &mut Unread) -> Option<(DirEntry, String)> {
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

    /// `.aitcignore` goes before `.ignore`, that before `.gitignore`, an inner folder before
    /// an outer one, and a rule of any that lets something in before its being hidden.
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

    /// Code that says that a program writes it: git need not hold it, and the code beside it
    /// imports it. Whatever else git ignores may be private.
    fn is_imported(&self, entry: &DirEntry, name: &str) -> bool {
        let text = || text_of(&self.place.root, entry.path(), Kind::Searched.most());
        self.whole
            && entry.file_type().is_file()
            && !name.starts_with('.')
            && is_code(entry.path())
            && matches!(text(), Ok(Some(text)) if is_generated(&text))
    }

    /// Hidden, or in a folder that is, and not among the files that git holds; nor is what
    /// is git's own, ours, or somebody's keys.
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
        let tracked = self.tracked.get_or_insert_with(|| Tracked::of(root));
        tracked.as_mut().is_some_and(|tracked| tracked.holds(&path))
    }

    fn rules_of(&mut self, folder: &Path, unread: &mut Unread) -> Rules {
        Rules {
            own: self.read(folder, &[".ignore", ".aitcignore"], unread),
            git: self.read(folder, &[".gitignore"], unread),
            exclude: self.read(folder, &[".git/info/exclude"], unread),
            begins: doors::look(&folder.join(".git")).is_ok(),
        }
    }

    /// The rules of these files together, of which the last goes before the others.
    fn read(&mut self, folder: &Path, names: &[&str], unread: &mut Unread) -> Gitignore {
        let mut builder = GitignoreBuilder::new(folder);
        for name in names {
            self.add(&mut builder, folder.join(name), unread);
        }
        builder.build().unwrap_or_else(|_| Gitignore::empty())
    }

    fn add(&mut self, builder: &mut GitignoreBuilder, path: PathBuf, unread: &mut Unread) {
        if doors::look(&path).is_err() {
            return;
        }
        let bytes = match doors::beneath(&self.place.root, &path, Kind::Ignore) {
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
            // A rule that is none has nothing ignored, as for git.
            let _ = builder.add_line(None, line);
        }
        if lines.next().is_some() {
            let why = TOO_MANY.fill(&[("most", &MAX_RULES)]);
            unread.note(&self.place.root, &path, &why);
        }
    }
}
