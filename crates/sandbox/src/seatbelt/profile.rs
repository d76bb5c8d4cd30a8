//! The profile for the macOS sandbox: everything that is not named is denied, and a later rule
//! overrides an earlier one.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use crate::Trial;
use crate::copies::WRITTEN;

/// What the loader, the C library and interpreters need besides files. The network is not
/// mentioned, so not even a socket to itself is allowed.
const ALWAYS: &str = r#"(version 1)
(deny default)
(allow process-fork)
(allow process-exec*)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow sysctl-read (sysctl-name-prefix "hw.") (sysctl-name-prefix "machdep.cpu.") (sysctl-name-prefix "vm.") (sysctl-name-prefix "kern.os"))
(allow sysctl-read (sysctl-name "kern.argmax") (sysctl-name "kern.hostname") (sysctl-name "kern.maxfilesperproc") (sysctl-name "kern.maxproc") (sysctl-name "kern.ngroups") (sysctl-name "kern.secure_kernel") (sysctl-name "kern.usrstack64") (sysctl-name "kern.version"))
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.notification_center") (global-name "com.apple.system.logger"))
(allow ipc-posix-sem)
(allow file-read* (literal "/") (literal "/dev") (literal "/dev/null") (literal "/dev/zero") (literal "/dev/random") (literal "/dev/urandom") (literal "/dev/dtracehelper"))
(allow file-write-data (literal "/dev/null") (literal "/dev/zero"))
(allow file-ioctl (literal "/dev/dtracehelper"))
"#;

pub(super) fn of(trial: &Trial<'_>) -> io::Result<String> {
    let mut read: BTreeSet<PathBuf> = trial.readable.folders().iter().cloned().collect();
    for untracked in trial.copy.untracked() {
        read.extend(
            trial
                .readable
                .behind(&trial.copy.root().join(&untracked.path)),
        );
    }
    read.insert(trial.means.stage.clone());
    let write = WRITTEN.map(|it| trial.copy.part(it));
    text(&real(read), trial.readable.masked(), &write)
}

/// Returns canonical paths: the sandbox does not resolve links.
fn real(paths: BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let found = paths.iter().filter_map(|it| it.canonicalize().ok());
    found.collect::<BTreeSet<_>>().into_iter().collect()
}

/// `read` and `write` are canonical; `masked` is made canonical here.
fn text(read: &[PathBuf], masked: &[PathBuf], write: &[PathBuf]) -> io::Result<String> {
    let masked = real(masked.iter().cloned().collect());
    let mut profile = ALWAYS.to_owned();
    // Resolving a path reads the metadata of all folders above it.
    let shown = read.iter().chain(write);
    let above: BTreeSet<&Path> = shown.flat_map(|it| it.ancestors().skip(1)).collect();
    for folder in above {
        rule(&mut profile, "allow file-read-metadata", "literal", folder)?;
    }
    for path in read {
        rule(
            &mut profile,
            "allow file-read* file-map-executable",
            "subpath",
            path,
        )?;
    }
    for path in &masked {
        rule(
            &mut profile,
            "deny file-read* file-map-executable",
            "subpath",
            path,
        )?;
    }
    for path in write {
        let what = "allow file-read* file-map-executable file-write*";
        rule(&mut profile, what, "subpath", path)?;
    }
    Ok(profile)
}

fn rule(profile: &mut String, what: &str, kind: &str, path: &Path) -> io::Result<()> {
    let told = path.to_str().filter(|it| !it.contains(char::is_control));
    let told = told.ok_or(io::ErrorKind::InvalidFilename)?;
    let told = told.replace('\\', "\\\\").replace('"', "\\\"");
    writeln!(profile, "({what} ({kind} \"{told}\"))").map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, clippy::unwrap_used)]

    use super::*;

    #[test]
    fn it_reads_what_is_shown_and_writes_in_the_copy_alone() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let at = |path: &str| root.join(path);
        std::fs::create_dir_all(at("cache/app")).unwrap();
        std::fs::write(at("cache/app/.npmrc"), "token").unwrap();
        std::os::unix::fs::symlink(at("cache"), at("link")).unwrap();
        let masked = [at("link/app/.npmrc"), at("cache/gone")];
        let told = text(&[at("cache")], &masked, &[at("copy/tree")]).unwrap();
        let rest = told.strip_prefix(ALWAYS).unwrap();
        let rest = rest.replace(root.to_str().unwrap(), "~");
        let above = root.ancestors().count();
        let rules: Vec<&str> = rest.lines().skip(above).collect();
        assert_eq!(
            rules,
            [
                "(allow file-read-metadata (literal \"~/copy\"))",
                "(allow file-read* file-map-executable (subpath \"~/cache\"))",
                "(deny file-read* file-map-executable (subpath \"~/cache/app/.npmrc\"))",
                "(allow file-read* file-map-executable file-write* (subpath \"~/copy/tree\"))",
            ]
        );
        assert!(told.starts_with("(version 1)\n(deny default)\n"));
        for word in ["network", "allow default", "appleevent", "forbidden-exec"] {
            assert!(!told.contains(word), "{word}");
        }
    }

    #[test]
    fn a_path_cannot_write_a_rule() {
        let path = |it: &str| PathBuf::from(it);
        let told = text(&[path("/a\")(allow network*)(\\")], &[], &[]).unwrap();
        assert!(
            told.ends_with("(subpath \"/a\\\")(allow network*)(\\\\\"))\n"),
            "{told}"
        );
        for bad in ["/a\nb", "/a\0b"] {
            assert!(text(&[path(bad)], &[], &[]).is_err());
        }
    }
}
