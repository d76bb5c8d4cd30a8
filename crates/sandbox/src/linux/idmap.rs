//! ID-mapped mounts: files that belong to one user appear, through such a mount, to belong to the
//! user that runs the command.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::process::Stdio;

use composefs_ioctls::mount::mount_setattr_idmap;
use nix::sched::{CloneFlags, unshare};
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
use rustix::mount::{MoveMountFlags, OpenTreeFlags, move_mount, open_tree};

use super::stage;

type Owner = (u32, u32);

/// Mappings of owners to `to`, by original owner.
pub(super) struct Owners {
    to: Owner,
    made: BTreeMap<Owner, File>,
}

impl Owners {
    pub fn mapped_to(to: Owner) -> Self {
        let made = BTreeMap::new();
        Self { to, made }
    }

    /// Mounts `folder` at `at`, an empty folder. Files of `owner` appear to belong to the other
    /// owner.
    pub fn mount(&mut self, folder: &Path, owner: Owner, at: &Path) -> io::Result<()> {
        // A link on the path must not give access to its target.
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let plain = ResolveFlags::NO_SYMLINKS;
        let opened = openat2(CWD, folder, flags, Mode::empty(), plain)?;
        let clone = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
        let tree = open_tree(&opened, "", clone | OpenTreeFlags::AT_EMPTY_PATH)?;
        mount_setattr_idmap(&tree, self.of(owner)?)?;
        let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
        Ok(move_mount(&tree, "", CWD, at, flags)?)
    }

    fn of(&mut self, owner: Owner) -> io::Result<&File> {
        if !self.made.contains_key(&owner) {
            self.made.insert(owner, namespace(owner, self.to)?);
        }
        Ok(&self.made[&owner])
    }
}

/// Returns a user namespace with this mapping, kept alive by its file. A helper process creates it
/// and ends once the file is open.
fn namespace(from: Owner, to: Owner) -> io::Result<File> {
    let mut maker = stage("/proc/self/exe".as_ref(), "idmap")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    // The helper prints its process id as in `/proc`, which is still that of the machine.
    let mut at = String::new();
    let said = maker.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
    BufReader::new(said).read_line(&mut at)?;
    let process = Path::new("/proc").join(at.trim_end());
    let made = std::fs::write(process.join("uid_map"), mapping(from.0, to.0))
        .and_then(|()| std::fs::write(process.join("gid_map"), mapping(from.1, to.1)))
        .and_then(|()| File::open(process.join("ns/user")));
    drop(maker.stdin.take());
    maker.wait()?;
    made
}

/// The stage `idmap`: a user namespace that lasts as long as standard input is open.
pub(super) fn run() -> io::Result<()> {
    unshare(CloneFlags::CLONE_NEWUSER)?;
    println!("{}", std::fs::read_link("/proc/self")?.display());
    io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}

/// Maps one id to another, which maps to nothing else; all others map to themselves.
fn mapping(from: u32, to: u32) -> String {
    let mut lines = format!("{from} {to} 1\n");
    let (low, high) = (from.min(to), from.max(to));
    let rests = [
        (0, low),
        (low + 1, high),
        (high.saturating_add(1), u32::MAX),
    ];
    for (first, end) in rests {
        if first < end {
            lines.push_str(&format!("{first} {first} {}\n", end - first));
        }
    }
    lines
}
