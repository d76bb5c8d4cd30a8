//! Builds the trial's view: a root of its own, with everything bound at its usual path.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind_recursive, mount_change,
    mount_remount, unmount,
};

use super::idmap::Owners;
use super::{Orders, ViewEntry};

/// Devices that a trial may open.
pub(super) const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];

pub(super) fn build(orders: &Orders) -> io::Result<()> {
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", private)?;
    let base = &orders.base;
    let plain = MountFlags::NOSUID | MountFlags::NODEV;
    mount("tmpfs", base, "tmpfs", plain, c"mode=755,size=4m")?;
    let proc = base.join("proc");
    std::fs::create_dir_all(&proc)?;
    let quiet = plain | MountFlags::NOEXEC | MountFlags::RDONLY;
    mount("proc", &proc, "proc", quiet, None).map_err(|error| about(&proc, error.into()))?;
    devices(base).map_err(|error| about("/dev".as_ref(), error))?;
    let mut owners = orders.run_as.map(Owners::mapped_to);
    for (at, shown) in &orders.view {
        let to = beneath(base, at);
        let done = match shown {
            ViewEntry::Read(from) => bind(from, &to, MountFlags::RDONLY | plain),
            ViewEntry::Write(from) => bind(from, &to, plain),
            ViewEntry::Over {
                from,
                over,
                built,
                owner,
            } => match overlay_as_owner(from, over, &to, *owner, &mut owners, orders) {
                // Some file systems and kernels do not support overlays.
                Err(_) if *built => Ok(()),
                Err(_) => overlay(from, over, &to, orders)
                    .or_else(|_| bind(from, &to, MountFlags::RDONLY | plain)),
                Ok(()) => Ok(()),
            },
            ViewEntry::Link(text) => link(text, &to),
        };
        done.map_err(|error| about(at, error))?;
    }
    std::env::set_current_dir(base)?;
    rustix::process::pivot_root(".", ".")?;
    unmount(".", UnmountFlags::DETACH)?;
    std::env::set_current_dir("/")?;
    mount_remount("/", MountFlags::BIND | MountFlags::RDONLY | plain, c"")?;
    Ok(())
}

fn about(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("`{}`: {error}", path.display()))
}

fn beneath(base: &Path, at: &Path) -> PathBuf {
    base.join(at.strip_prefix("/").unwrap_or(at))
}

fn link(text: &Path, to: &Path) -> io::Result<()> {
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder)?;
    }
    symlink(text, to)
}

/// As [`overlay`], for a command that must be able to write all of it: the command runs as the owner of
/// the files, or the files appear to belong to it.
fn overlay_as_owner(
    from: &Path,
    over: &Path,
    to: &Path,
    owner: Option<(u32, u32)>,
    owners: &mut Option<Owners>,
    orders: &Orders,
) -> io::Result<()> {
    match (owners, owner) {
        (None, _) => overlay(from, over, to, orders),
        (Some(_), None) => Err(io::ErrorKind::PermissionDenied.into()),
        (Some(owners), Some(owner)) => {
            let lower = over.join("lower");
            std::fs::create_dir_all(&lower)?;
            owners.mount(from, owner, &lower)?;
            overlay(&lower, over, to, orders)?;
            Ok(unmount(&lower, UnmountFlags::DETACH)?)
        }
    }
}

/// Mounts an overlay: what is written over `from` goes to `over`.
fn overlay(from: &Path, over: &Path, to: &Path, orders: &Orders) -> io::Result<()> {
    let (upper, work) = (over.join("upper"), over.join("work"));
    let mut options = Vec::new();
    for (name, path) in [
        ("lowerdir=", from),
        (",upperdir=", &upper),
        (",workdir=", &work),
    ] {
        let path = path.as_os_str().as_bytes();
        // In overlay options these characters would end the path.
        if path.iter().any(|it| b":,\\".contains(it)) {
            return Err(io::ErrorKind::InvalidFilename.into());
        }
        options.extend_from_slice(name.as_bytes());
        options.extend_from_slice(path);
    }
    if orders.as_user {
        options.extend_from_slice(b",userxattr");
    }
    let options = CString::new(options)?;
    let plain = MountFlags::NOSUID | MountFlags::NODEV;
    Ok(mount("overlay", to, "overlay", plain, options.as_c_str())?)
}

fn bind(from: &Path, to: &Path, flags: MountFlags) -> io::Result<()> {
    place(from, to)?;
    mount_bind_recursive(from, to)?;
    // Mounts beneath it are bound too. Each has its own flags, and an ordinary user may add flags
    // but not remove them.
    for (at, has) in mounts_beneath(to)? {
        mount_remount(&at, MountFlags::BIND | has | flags, c"")?;
    }
    Ok(())
}

/// Creates the mount point: a folder for a folder, a file for anything else.
fn place(from: &Path, to: &Path) -> io::Result<()> {
    if to.symlink_metadata().is_ok() {
        return Ok(());
    }
    if from.is_dir() {
        return std::fs::create_dir_all(to);
    }
    if let Some(folder) = to.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::File::create_new(to).map(drop)
}

fn mounts_beneath(to: &Path) -> io::Result<Vec<(PathBuf, MountFlags)>> {
    let table = std::fs::read_to_string("/proc/self/mountinfo")?;
    let to = to.canonicalize()?;
    let mounts = table.lines().filter_map(|line| {
        let mut fields = line.split(' ').skip(4);
        let at = unescape(fields.next()?);
        let flags = fields.next()?.split(',').map(flag).collect();
        at.starts_with(&to).then_some((at, flags))
    });
    Ok(mounts.collect())
}

/// In the mount table, spaces, tabs, line feeds and backslashes are escaped as three octal digits.
fn unescape(path: &str) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let [first, more @ ..] = rest {
        rest = more;
        let digits = more.get(..3).filter(|_| *first == b'\\');
        let code = digits
            .and_then(|it| std::str::from_utf8(it).ok())
            .and_then(|it| u8::from_str_radix(it, 8).ok());
        bytes.push(code.unwrap_or(*first));
        if code.is_some() {
            rest = &more[3..];
        }
    }
    std::ffi::OsString::from_vec(bytes).into()
}

fn flag(name: &str) -> MountFlags {
    match name {
        "ro" => MountFlags::RDONLY,
        "nosuid" => MountFlags::NOSUID,
        "nodev" => MountFlags::NODEV,
        "noexec" => MountFlags::NOEXEC,
        "noatime" => MountFlags::NOATIME,
        "nodiratime" => MountFlags::NODIRATIME,
        "relatime" => MountFlags::RELATIME,
        "nosymfollow" => MountFlags::NOSYMFOLLOW,
        _ => MountFlags::empty(),
    }
}

fn devices(base: &Path) -> io::Result<()> {
    let dev = base.join("dev");
    std::fs::create_dir_all(&dev)?;
    for name in DEVICES {
        let to = dev.join(name);
        std::fs::File::create_new(&to)?;
        rustix::mount::mount_bind(Path::new("/dev").join(name), &to)?;
    }
    for (name, text) in [
        ("fd", "/proc/self/fd"),
        ("stdin", "/proc/self/fd/0"),
        ("stdout", "/proc/self/fd/1"),
        ("stderr", "/proc/self/fd/2"),
        ("ptmx", "pts/ptmx"),
    ] {
        symlink(text, dev.join(name))?;
    }
    let terminals = dev.join("pts");
    std::fs::create_dir_all(&terminals)?;
    let quiet = MountFlags::NOSUID | MountFlags::NOEXEC;
    mount(
        "devpts",
        &terminals,
        "devpts",
        quiet,
        c"newinstance,ptmxmode=0666,mode=620",
    )?;
    Ok(())
}
