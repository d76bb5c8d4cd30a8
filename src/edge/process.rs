//! Starts another process of this program that outlives this one.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Seek as _, SeekFrom};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use super::safe_open;

/// Maximum number of bytes read of its output.
const SAID: usize = 64 << 10;

/// A started process.
#[derive(Debug)]
pub struct Launched {
    child: Child,
    /// Its output, in a file without a name: the process can continue to print after this one has
    /// ended.
    said: File,
}

impl Launched {
    /// Starts the process without input. It is in its own process group, so that signals to this
    /// group, such as Ctrl-C at the terminal, do not reach it.
    ///
    /// # Errors
    /// The system cannot create the process or the file.
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

    /// Returns the exit code (`None` if a signal ended it) and the output, if it has ended.
    ///
    /// # Errors
    /// The state or the output cannot be read.
    pub fn ended(&mut self) -> io::Result<Option<(Option<i32>, String)>> {
        let Some(status) = self.child.try_wait()? else {
            return Ok(None);
        };
        self.said.seek(SeekFrom::Start(0))?;
        let said = safe_open::read_at_most(&mut self.said, SAID)?;
        let said = String::from_utf8_lossy(&said).into_owned();
        Ok(Some((status.code(), said)))
    }

    /// Lets the process continue by itself.
    pub fn leave(mut self) {
        // It is only reaped: its transcript says how it ended.
        std::thread::spawn(move || self.child.wait());
    }
}
