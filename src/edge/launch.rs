//! Another process of this program, which outlives this one.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Seek as _, SeekFrom};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use super::doors;

/// Most bytes that are read of what it says.
const SAID: usize = 64 << 10;

/// A process that was begun.
#[derive(Debug)]
pub struct Launched {
    child: Child,
    /// What it says, in a file without a name: it can go on saying when nobody listens.
    said: File,
}

impl Launched {
    /// Begins it, with nothing to read. It stands in a group of its own, so that what ends
    /// this group, such as Ctrl-C at this terminal, is not for it.
    ///
    /// # Errors
    /// The system gives no process or no file.
    pub fn begin<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> io::Result<Self> {
        let said = tempfile::tempfile()?;
        let mut command = Command::new(std::env::current_exe()?);
        let child = command
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(said.try_clone()?)
            .process_group(0)
            .spawn()?;
        Ok(Self { child, said })
    }

    /// Its exit code (none if a signal ended it) and what it said, if it has ended.
    ///
    /// # Errors
    /// The system does not say.
    pub fn ended(&mut self) -> io::Result<Option<(Option<i32>, String)>> {
        let Some(status) = self.child.try_wait()? else {
            return Ok(None);
        };
        self.said.seek(SeekFrom::Start(0))?;
        let said = doors::taken(&mut self.said, SAID)?;
        let said = String::from_utf8_lossy(&said).into_owned();
        Ok(Some((status.code(), said)))
    }

    /// Lets it go on by itself.
    pub fn leave(mut self) {
        // Nobody asks how it ended: its transcript says so.
        std::thread::spawn(move || self.child.wait());
    }
}
