//! The files that a trial may read besides its copy, and which of them are masked.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

/// Files and folders that a trial may read besides its copy: the system, the toolchains and
/// dependency caches found on this machine, and folders named by the user. Everything else does not
/// exist in the trial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readable {
    home: PathBuf,
    cargo: Option<PathBuf>,
    folders: Vec<PathBuf>,
    masked: Vec<PathBuf>,
}

/// Folders of the system, without those that only the administrator can read.
const SYSTEM: [&str; 18] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    // macOS, and software installed there.
    "/Applications/Xcode.app",
    "/Library/Developer",
    "/Library/Frameworks",
    "/System/Library",
    "/System/Volumes/Preboot/Cryptexes",
    "/opt/homebrew",
    "/opt/local",
    "/private/var/db/dyld",
    "/private/var/db/timezone",
];

/// Files of `/etc` that programs read, and the number of processors.
const ETC: [&str; 30] = [
    "/etc/alternatives",
    "/etc/ca-certificates",
    "/etc/ca-certificates.conf",
    "/etc/debian_version",
    "/etc/default/locale",
    "/etc/fonts",
    "/etc/group",
    "/etc/host.conf",
    "/etc/hosts",
    "/etc/inputrc",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/locale.alias",
    "/etc/localtime",
    "/etc/lsb-release",
    "/etc/magic",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/perl",
    "/etc/pki/ca-trust/extracted",
    "/etc/pki/tls/certs",
    "/etc/protocols",
    "/etc/services",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/timezone",
    "/sys/devices/system/cpu",
];

/// Toolchains and caches in the home folder.
const HOME: [&str; 40] = [
    ".asdf",
    ".bun",
    ".cabal/packages",
    ".cache/uv",
    ".cargo/bin",
    ".cargo/git",
    ".cargo/registry",
    ".composer/cache",
    ".deno",
    ".dotnet",
    ".elan",
    ".fnm",
    ".gem",
    ".ghcup",
    ".gradle/caches",
    ".gradle/wrapper/dists",
    ".ivy2/cache",
    ".juliaup",
    ".local/lib",
    ".local/share/fnm",
    ".local/share/mise",
    ".local/share/pnpm",
    ".local/share/uv",
    ".m2/repository",
    ".m2/wrapper",
    ".mix",
    ".hex/packages",
    ".npm/_cacache",
    ".nuget/packages",
    ".nvm",
    ".opam",
    ".pub-cache",
    ".pyenv",
    ".rbenv",
    ".rustup",
    ".rvm",
    ".sdkman/candidates",
    ".stack/programs",
    ".volta",
    "go/pkg/mod",
];

/// Programs that identify a folder of `PATH` as part of a toolchain.
const PROGRAMS: [&str; 22] = [
    "bun", "cargo", "clang", "cmake", "deno", "dotnet", "elixir", "erl", "gcc", "ghc", "go",
    "gradle", "java", "julia", "make", "mvn", "node", "php", "python3", "ruby", "rustc", "uv",
];

/// Names of files and folders that contain credentials, in any folder.
const CREDENTIALS: [&str; 29] = [
    ".aws",
    ".azure",
    ".docker",
    ".dockercfg",
    ".env",
    ".envrc",
    ".git",
    ".git-credentials",
    ".gnupg",
    ".kube",
    ".netrc",
    ".npmrc",
    ".password-store",
    ".pgpass",
    ".pypirc",
    ".ssh",
    ".terraformrc",
    ".yarnrc",
    ".yarnrc.yml",
    "_netrc",
    "credentials",
    "credentials.json",
    "credentials.toml",
    "gcloud",
    "id_ecdsa",
    "id_ed25519",
    "id_rsa",
    "pip.conf",
    "settings-security.xml",
];

/// Returns whether the last part of this path is a name that files with credentials have. Examples
/// such as `.env.example` do not count.
pub(crate) fn names_a_credential(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let example = ["example", "sample", "template", "dist", "defaults"];
    let env = name
        .strip_prefix(".env.")
        .is_some_and(|rest| !example.contains(&rest));
    env || CREDENTIALS.contains(&name)
}

/// Readable parts of cargo's home; the trial has its own rest.
pub(crate) const CARGO: [&str; 3] = ["bin", "git", "registry"];

/// Variables with the path of a toolchain; a trial gets those whose path it can read.
const PLACES: [&str; 5] = [
    "RUSTUP_HOME",
    "PYENV_ROOT",
    "NVM_DIR",
    "GOROOT",
    "JAVA_HOME",
];

/// Variables with the same value in every trial. They stop tools from trying to use the
/// network, and Python from keeping back what it prints: a trial that is ended shows it.
const ENVIRONMENT: [(&str, &str); 14] = [
    ("CARGO_NET_OFFLINE", "true"),
    ("CI", "true"),
    ("GOFLAGS", "-modcacherw=false"),
    ("GOPROXY", "off"),
    ("GOTOOLCHAIN", "local"),
    ("LANG", "C.UTF-8"),
    ("PIP_DISABLE_PIP_VERSION_CHECK", "1"),
    ("PIP_NO_INDEX", "1"),
    ("PYTHONUNBUFFERED", "1"),
    ("TERM", "dumb"),
    ("TMPDIR", "/tmp"),
    ("UV_OFFLINE", "1"),
    ("npm_config_offline", "true"),
    ("npm_config_update_notifier", "false"),
];

impl Readable {
    /// Detects what this machine has: the system, toolchains in `PATH` and the home folder, and
    /// `named`, absolute paths of folders that the user names.
    #[must_use]
    pub fn detect(named: &[PathBuf]) -> Self {
        let home = std::env::home_dir()
            .filter(|it| it.is_absolute() && it.parent().is_some())
            .unwrap_or_else(|| PathBuf::from("/home/trial"));
        let mut folders: BTreeSet<PathBuf> = BTreeSet::new();
        folders.extend(SYSTEM.iter().chain(&ETC).map(PathBuf::from));
        folders.extend(settings_of_toolchains());
        folders.extend(HOME.iter().map(|it| home.join(it)));
        folders.extend(relocated());
        folders.extend(on_the_path(&home));
        folders.extend(named.iter().filter(|it| it.is_absolute()).cloned());
        folders.retain(|it| it.exists() && may_be_shown(it, &home));
        // A folder inside another one is redundant.
        let all = folders.clone();
        folders.retain(|it| !it.ancestors().skip(1).any(|above| all.contains(above)));
        let mut masked = BTreeSet::new();
        for folder in folders.iter().filter(|it| !is_system(it)) {
            look_for_credentials(folder, DEPTH, &mut masked);
        }
        let cargo = std::env::var_os("CARGO_HOME").map(PathBuf::from);
        Self {
            cargo: cargo.filter(|it| it.is_absolute() && *it != home.join(".cargo")),
            home,
            folders: folders.into_iter().collect(),
            masked: masked.into_iter().collect(),
        }
    }

    /// Returns absolute paths of readable files and folders.
    #[must_use]
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// Returns the canonical paths of [`Self::folders`] outside the system.
    pub fn besides_system(&self) -> impl Iterator<Item = PathBuf> {
        let own = self.folders.iter().filter(|it| !is_system(it));
        own.filter_map(|it| it.canonicalize().ok())
    }

    /// Returns files and folders within [`Self::folders`] that appear empty in a trial: sockets,
    /// and names of credentials.
    #[must_use]
    pub fn masked(&self) -> &[PathBuf] {
        &self.masked
    }

    /// Returns the path of the trial's home. It is the user's home path, where tools look for their
    /// files, but without any of the user's files.
    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    /// Cargo's home, if it is outside the user's.
    pub(crate) fn cargo(&self) -> Option<&Path> {
        self.cargo.as_deref()
    }

    /// Returns the Python installation that a virtual environment was created from.
    pub(crate) fn behind(&self, folder: &Path) -> Option<PathBuf> {
        let python = folder.join("bin/python").canonicalize().ok()?;
        let name = python.file_name()?.to_str()?;
        let found = prefix(&python, &self.home).filter(|_| name.starts_with("python"))?;
        (!self.shows(&found) && may_be_shown(&found, &self.home)).then_some(found)
    }

    /// Returns the environment of a trial; of the user's variables it contains only the paths of
    /// toolchains.
    pub(crate) fn environment(&self) -> std::io::Result<Vec<(String, PathBuf)>> {
        let path = std::env::join_paths(self.path()).map_err(std::io::Error::other)?;
        let mut all: Vec<(&str, PathBuf)> =
            vec![("PATH", path.into()), ("HOME", self.home.clone())];
        all.extend(ENVIRONMENT.map(|(name, value)| (name, value.into())));
        all.extend(self.cargo.clone().map(|it| ("CARGO_HOME", it)));
        for name in PLACES {
            let place = std::env::var_os(name).map(PathBuf::from);
            all.extend(place.filter(|it| self.shows(it)).map(|it| (name, it)));
        }
        let named = |(name, value): (&str, _)| (name.to_owned(), value);
        Ok(all.into_iter().map(named).collect())
    }

    fn shows(&self, path: &Path) -> bool {
        self.folders.iter().any(|folder| path.starts_with(folder))
    }

    /// Returns the folders of `PATH` that a trial can read.
    fn path(&self) -> Vec<PathBuf> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let usual = ["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from);
        let mut seen = BTreeSet::new();
        std::env::split_paths(&path)
            .chain(usual)
            .filter(|it| self.shows(it) && seen.insert(it.clone()))
            .collect()
    }
}

/// Returns folders of `/etc` that toolchains need.
fn settings_of_toolchains() -> Vec<PathBuf> {
    let all = std::fs::read_dir("/etc").into_iter().flatten().flatten();
    let paths = all.map(|it| it.path());
    paths
        .filter(|it| it.to_string_lossy().starts_with("/etc/java"))
        .collect()
}

fn is_system(path: &Path) -> bool {
    SYSTEM.iter().chain(&ETC).any(|it| path.starts_with(it))
}

/// Returns whether a folder may be readable: it must not contain the home, nor be one in which the
/// system communicates with processes.
fn may_be_shown(path: &Path, home: &Path) -> bool {
    let real = path.canonicalize().unwrap_or_default();
    let talks = ["/proc", "/sys", "/dev", "/run", "/var/run"];
    let talking = talks.iter().any(|it| real.starts_with(it)) && !is_system(path);
    !talking && !home.starts_with(&real) && real.parent().is_some() && !names_a_credential(&real)
}

/// Toolchains and caches at the paths that variables name.
fn relocated() -> Vec<PathBuf> {
    let parts: [(&str, &[&str]); 9] = [
        ("CARGO_HOME", &CARGO),
        ("RUSTUP_HOME", &[""]),
        ("PYENV_ROOT", &[""]),
        ("NVM_DIR", &[""]),
        ("GOPATH", &["pkg/mod"]),
        ("GOMODCACHE", &[""]),
        ("GOROOT", &[""]),
        ("UV_CACHE_DIR", &[""]),
        ("JAVA_HOME", &[""]),
    ];
    let folders = parts.iter().filter_map(|(variable, parts)| {
        let folder = PathBuf::from(std::env::var_os(variable)?);
        let inside = parts.iter().map(move |part| folder.join(part));
        Some(inside.filter(|it| it.is_absolute()))
    });
    folders.flatten().collect()
}

/// Returns the folders of `PATH` that contain a toolchain, and the installations of their programs.
fn on_the_path(home: &Path) -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut found = Vec::new();
    for folder in std::env::split_paths(&path).filter(|it| it.is_absolute()) {
        for program in PROGRAMS {
            let Ok(real) = folder.join(program).canonicalize() else {
                continue;
            };
            if is_system(&real) {
                continue;
            }
            found.push(folder.clone());
            found.extend(prefix(&real, home));
        }
    }
    found
}

/// Returns the installation folder of a program: the parent of its `bin`, unless that folder is
/// shared with other files.
pub(crate) fn prefix(program: &Path, home: &Path) -> Option<PathBuf> {
    let bin = program.parent().filter(|it| it.ends_with("bin"))?;
    let prefix = bin.parent()?;
    let shared =
        home.starts_with(prefix) || prefix.ends_with(".local") || prefix.ends_with(".cargo");
    (!shared && prefix.components().count() > 2).then(|| prefix.to_owned())
}

/// Depth of folders and number of entries searched for credentials: files deeper in a cache were
/// published by somebody.
const DEPTH: usize = 3;
const ENTRIES: usize = 20_000;

/// Returns files and folders with names of credentials in a folder of the tree.
pub(crate) fn credentials_in(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    look_for_credentials(folder, DEPTH, &mut found);
    found
}

/// Returns non-empty files and folders in a folder of the tree that other users cannot read; `None`
/// if they are too many to be masked one by one, or a folder cannot be read.
pub(crate) fn closed_in(folder: &Path) -> Option<Vec<PathBuf>> {
    const CLOSED: usize = 100;
    const ENTRIES: usize = 1_000_000;
    let mut closed = Vec::new();
    let mut seen = 0;
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(&folder).ok()? {
            let entry = entry.ok()?;
            let about = entry.metadata().ok()?;
            let open = if about.is_dir() { 0o5 } else { 0o4 };
            seen += 1;
            if about.is_symlink() || (about.is_file() && about.len() == 0) {
                continue;
            } else if about.mode() & open != open {
                closed.push(entry.path());
            } else if about.is_dir() {
                waiting.push(entry.path());
            }
            if seen > ENTRIES || closed.len() > CLOSED {
                return None;
            }
        }
    }
    Some(closed)
}

fn look_for_credentials(folder: &Path, deep: usize, masked: &mut BTreeSet<PathBuf>) {
    let mut waiting = vec![(folder.to_owned(), 1)];
    let mut seen = 0;
    while let Some((folder, depth)) = waiting.pop() {
        let entries = std::fs::read_dir(&folder).into_iter().flatten();
        for entry in entries.flatten() {
            seen += 1;
            if seen > ENTRIES {
                return;
            }
            let path = entry.path();
            let kind = entry.file_type();
            // The process that listens on a socket is not confined.
            if names_a_credential(&path) || kind.as_ref().is_ok_and(FileTypeExt::is_socket) {
                masked.insert(path);
            } else if depth < deep && kind.is_ok_and(|it| it.is_dir()) {
                waiting.push((path, depth + 1));
            }
        }
    }
}
