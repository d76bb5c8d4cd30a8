//! A file system that fails, or simulates a crash, at a chosen operation.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use aitc::edge::fs::{AppendFile, Fs, Metadata, RealFs};

use super::left::Kept;

/// The fault and its operation, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// No fault: operations are only counted.
    None,
    /// This operation fails with `errno` and has no effect; later ones work.
    Fail { at: usize, errno: i32 },
    /// From this operation on, every operation that needs disk space fails.
    FailFrom { at: usize, errno: i32 },
    /// A crash before this operation.
    CrashBefore(usize),
    /// A crash during this operation: if it writes bytes, half of them are written.
    CrashMiddle(usize),
    /// A crash after this operation.
    CrashAfter(usize),
}

/// The real file system with one fault. After a crash every operation fails, as in a dead process.
///
/// Clones share the count of operations, so a test can read it.
#[derive(Clone)]
pub struct FaultFs {
    shared: Arc<Mutex<Shared>>,
}

struct Shared {
    fault: Fault,
    log: Vec<&'static str>,
    dead: bool,
    syncs: bool,
    meanwhile: Option<Meanwhile>,
    kept: Option<Kept>,
}

/// An action of another process just before the first operation with this name.
type Meanwhile = (&'static str, Box<dyn FnOnce() + Send>);

/// The result of an operation.
enum Step {
    Do,
    Fail(io::Error),
    Half,
    DoThenDie,
}

impl FaultFs {
    /// The real file system with this fault.
    pub fn new(fault: Fault) -> Self {
        Self {
            shared: Arc::new(Mutex::new(Shared {
                fault,
                log: Vec::new(),
                dead: false,
                syncs: true,
                meanwhile: None,
                kept: None,
            })),
        }
    }

    /// Counts syncs without executing them, for loops over thousands of files.
    pub fn without_syncs(self) -> Self {
        self.lock().syncs = false;
        self
    }

    /// Lets another process act just before the first operation with this name.
    pub fn before(self, name: &'static str, act: impl FnOnce() + Send + 'static) -> Self {
        self.lock().meanwhile = Some((name, Box::new(act)));
        self
    }

    /// Keeps the state that a crash would leave at each operation.
    pub fn keeping(self, kept: &Kept) -> Self {
        self.lock().kept = Some(kept.clone());
        self
    }

    /// Number of operations, including the failed one.
    pub fn operations(&self) -> usize {
        self.lock().log.len()
    }

    /// Names of all operations so far.
    pub fn log(&self) -> Vec<&'static str> {
        self.lock().log.clone()
    }

    /// Whether the simulated crash has happened.
    pub fn crashed(&self) -> bool {
        self.lock().dead
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap()
    }

    /// `written` is what the operation would add to a file.
    fn step(&self, name: &'static str, written: Option<(&Path, &[u8])>) -> Step {
        let mut shared = self.lock();
        if shared.dead {
            return Step::Fail(io::Error::other("the process is dead"));
        }
        if let Some((_, act)) = shared.meanwhile.take_if(|(at, _)| *at == name) {
            act();
        }
        let now = shared.log.len();
        shared.log.push(name);
        if let Some(kept) = &shared.kept {
            kept.before(now, name, written);
        }
        let grows = ["append", "write_new", "create_dir", "create_dir_all"].contains(&name);
        let step = match shared.fault {
            Fault::Fail { at, errno } if at == now => {
                Step::Fail(io::Error::from_raw_os_error(errno))
            }
            Fault::FailFrom { at, errno } if at <= now && grows => {
                Step::Fail(io::Error::from_raw_os_error(errno))
            }
            Fault::CrashBefore(at) if at == now => {
                Step::Fail(io::Error::other("the process dies here"))
            }
            Fault::CrashMiddle(at) if at == now => Step::Half,
            Fault::CrashAfter(at) if at == now => Step::DoThenDie,
            _ => Step::Do,
        };
        let crash = matches!(
            shared.fault,
            Fault::CrashBefore(at) | Fault::CrashMiddle(at) | Fault::CrashAfter(at) if at == now
        );
        shared.dead = crash;
        step
    }

    fn run<T>(&self, name: &'static str, whole: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        match self.step(name, None) {
            Step::Do => whole(),
            Step::Fail(error) => Err(error),
            Step::Half => Err(io::Error::other("the process dies in the middle")),
            Step::DoThenDie => {
                whole()?;
                Err(io::Error::other("the process dies after that"))
            }
        }
    }

    /// How many of the bytes an operation writes to a file, and its result.
    fn part(&self, name: &'static str, path: &Path, bytes: &[u8]) -> (usize, io::Result<()>) {
        match self.step(name, Some((path, bytes))) {
            Step::Do => (bytes.len(), Ok(())),
            Step::Fail(error) => (0, Err(error)),
            Step::Half => (bytes.len() / 2, Err(io::Error::other("dies in the middle"))),
            Step::DoThenDie => (bytes.len(), Err(io::Error::other("dies after that"))),
        }
    }

    fn sync(&self, name: &'static str, sync: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        let real = self.lock().syncs;
        self.run(name, || if real { sync() } else { Ok(()) })
    }
}

macro_rules! plain {
    ($self:ident . $name:ident ( $($arg:ident),* )) => {
        $self.run(stringify!($name), || RealFs.$name($($arg),*))
    };
}

impl Fs for FaultFs {
    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        plain!(self.create_dir_all(path))
    }
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        plain!(self.create_dir(path))
    }
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        plain!(self.read(path))
    }
    fn open_read(&self, path: &Path) -> io::Result<Box<dyn Read + Send>> {
        plain!(self.open_read(path))
    }
    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        plain!(self.list(path))
    }
    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        plain!(self.metadata(path))
    }
    fn exists(&self, path: &Path) -> io::Result<bool> {
        plain!(self.exists(path))
    }
    fn open_append(&self, path: &Path) -> io::Result<Box<dyn AppendFile>> {
        let file = plain!(self.open_append(path))?;
        Ok(Box::new(FaultAppend {
            fs: self.clone(),
            path: path.to_owned(),
            file,
        }))
    }
    fn write_new(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let (take, result) = self.part("write_new", path, bytes);
        if take > 0 || result.is_ok() {
            RealFs.write_new(path, &bytes[..take])?;
        }
        result
    }
    fn truncate(&self, path: &Path, len: u64) -> io::Result<()> {
        let real = self.lock().syncs;
        let cut = || match real {
            true => RealFs.truncate(path, len),
            false => std::fs::OpenOptions::new()
                .write(true)
                .open(path)?
                .set_len(len),
        };
        self.run("truncate", cut)
    }
    fn sync_file(&self, path: &Path) -> io::Result<()> {
        self.sync("sync_file", || RealFs.sync_file(path))
    }
    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.sync("sync_dir", || RealFs.sync_dir(path))
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        plain!(self.rename(from, to))
    }
    fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        plain!(self.rename_new(from, to))
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        plain!(self.remove(path))
    }
    fn remove_dir_all(&self, path: &Path) -> io::Result<()> {
        plain!(self.remove_dir_all(path))
    }
}

struct FaultAppend {
    fs: FaultFs,
    path: PathBuf,
    file: Box<dyn AppendFile>,
}

impl AppendFile for FaultAppend {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let (take, result) = self.fs.part("append", &self.path, bytes);
        self.file.append(&bytes[..take])?;
        result
    }

    fn sync(&mut self) -> io::Result<()> {
        let fs = self.fs.clone();
        let file = &mut self.file;
        fs.sync("sync", || file.sync())
    }
}
