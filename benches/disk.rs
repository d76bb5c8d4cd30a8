//! The real file system, measuring the syncs that a journal waits for.

use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use aitc::edge::fs::{AppendFile, Fs, Metadata, RealFs};

/// Number and total duration of syncs of appended files.
#[derive(Clone, Default)]
pub struct TimedFs {
    syncs: Arc<Mutex<(u32, Duration)>>,
}

impl TimedFs {
    /// Number of syncs so far and the time they took.
    pub fn syncs(&self) -> (u32, Duration) {
        *self.syncs.lock().unwrap()
    }
}

macro_rules! as_it_is {
    ($($name:ident ( $($arg:ident : $type:ty),* ) -> $result:ty;)*) => {
        $(fn $name(&self, $($arg: $type),*) -> io::Result<$result> {
            RealFs.$name($($arg),*)
        })*
    };
}

impl Fs for TimedFs {
    as_it_is! {
        create_dir_all(path: &Path) -> ();
        create_dir(path: &Path) -> ();
        read(path: &Path) -> Vec<u8>;
        open_read(path: &Path) -> Box<dyn Read + Send>;
        list(path: &Path) -> Vec<String>;
        metadata(path: &Path) -> Metadata;
        exists(path: &Path) -> bool;
        write_new(path: &Path, bytes: &[u8]) -> ();
        truncate(path: &Path, len: u64) -> ();
        sync_file(path: &Path) -> ();
        sync_dir(path: &Path) -> ();
        rename(from: &Path, to: &Path) -> ();
        rename_new(from: &Path, to: &Path) -> ();
        remove(path: &Path) -> ();
        remove_dir_all(path: &Path) -> ();
    }

    fn open_append(&self, path: &Path) -> io::Result<Box<dyn AppendFile>> {
        Ok(Box::new(Timed {
            fs: self.clone(),
            file: RealFs.open_append(path)?,
        }))
    }
}

struct Timed {
    fs: TimedFs,
    file: Box<dyn AppendFile>,
}

impl AppendFile for Timed {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.append(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        let begun = Instant::now();
        let result = self.file.sync();
        let mut syncs = self.fs.syncs.lock().unwrap();
        syncs.0 += 1;
        syncs.1 += begun.elapsed();
        result
    }
}
