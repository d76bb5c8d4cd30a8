//! The built binary on a pseudo-terminal: what is typed, what is shown.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::binary::wait_until;

/// A command whose standard input and error are a terminal; its standard output is kept.
pub struct OnTerminal {
    child: Child,
    keyboard: File,
    screen: Arc<Mutex<String>>,
}

impl OnTerminal {
    pub fn start(mut command: Command) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let path = std::path::PathBuf::from(std::ffi::OsStr::from_bytes(name.as_bytes()));
        let open = || {
            OpenOptions::new()
                .read(true)
                .write(true)
                .open(&path)
                .unwrap()
        };
        command
            .stdin(Stdio::from(open()))
            .stderr(Stdio::from(open()))
            .stdout(Stdio::null());
        let child = command.spawn().unwrap();
        // What is left of the other end here would keep the screen open for ever.
        drop(command);
        let screen = Arc::new(Mutex::new(String::new()));
        let reader: OwnedFd = master.try_clone().unwrap();
        let shown = Arc::clone(&screen);
        std::thread::spawn(move || {
            let (mut file, mut bytes) = (File::from(reader), [0; 4096]);
            while let Ok(n @ 1..) = file.read(&mut bytes) {
                let text = String::from_utf8_lossy(&bytes[..n]);
                shown.lock().unwrap().push_str(&text);
            }
        });
        Self {
            child,
            keyboard: File::from(master),
            screen,
        }
    }

    /// Waits until the screen has shown a text.
    #[track_caller]
    pub fn sees(&self, text: &str) {
        wait_until(text, || self.screen().contains(text));
    }

    /// Everything shown so far, what was typed included.
    pub fn screen(&self) -> String {
        self.screen.lock().unwrap().clone()
    }

    /// Types a line and Enter.
    pub fn types(&mut self, line: &str) {
        self.keyboard
            .write_all(format!("{line}\n").as_bytes())
            .unwrap();
    }

    /// Waits for its end; gives the exit code and the screen.
    #[track_caller]
    pub fn ends(mut self) -> (i32, String) {
        let mut code = None;
        wait_until("the end", || {
            code = self.child.try_wait().unwrap();
            code.is_some()
        });
        (code.unwrap().code().unwrap_or(-1), self.screen())
    }
}

impl Drop for OnTerminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
