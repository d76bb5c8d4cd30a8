//! Reads a journal line by line: memory use depends on the longest line, not on the file.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use super::chain::{MAX_LINE, decode, unseal};
use super::error::{Damage, JournalError, failed};
use super::{TornTail, Visit};
use crate::edge::fs::{Fs, IoContext as _};

const BUFFER: usize = 64 << 10;

/// A journal as far as it was read.
#[derive(Debug, Default)]
pub struct Scan {
    /// Number of complete lines read.
    pub lines: u64,
    /// Hash of the last line.
    pub head: String,
    /// Length of all lines in bytes.
    pub len: u64,
    /// Bytes after the last newline.
    pub tail: Vec<u8>,
}

impl Scan {
    /// The tail as it is reported, if there is one.
    pub fn torn(&self, kept: Option<std::path::PathBuf>) -> Option<TornTail> {
        (!self.tail.is_empty()).then(|| TornTail {
            seq: self.lines + 1,
            offset: self.len,
            bytes: self.tail.len() as u64,
            kept,
        })
    }
}

/// Reads the lines after those of `from`, verifies the chain, and passes each entry to `visit`.
pub(super) fn scan(
    fs: &dyn Fs,
    path: &Path,
    from: Scan,
    visit: Visit<'_>,
) -> Result<Scan, JournalError> {
    walk(fs, path, from, &mut |due, body| {
        let entry = decode(due, body)?;
        visit(entry).map_err(Damage::Refused)
    })
}

/// Number of lines and hash of the last one; verifies the chain without parsing entries.
///
/// # Errors
/// `Damaged` with the place; here a torn tail counts as damage. Otherwise the storage's error.
pub fn chain_head(fs: &dyn Fs, path: &Path) -> Result<(u64, String), JournalError> {
    let scan = walk(fs, path, Scan::default(), &mut |_, _| Ok(()))?;
    if scan.tail.is_empty() {
        Ok((scan.lines, scan.head))
    } else {
        Err(damaged(path, &scan, Damage::NoHash))
    }
}

type Check<'a> = &'a mut dyn FnMut(u64, &[u8]) -> Result<(), Damage>;

fn walk(fs: &dyn Fs, path: &Path, mut scan: Scan, check: Check<'_>) -> Result<Scan, JournalError> {
    let file = fs
        .open_read_from(path, scan.len)
        .map_err(failed("open", path))?;
    let mut reader = BufReader::with_capacity(BUFFER, file);
    loop {
        let mut line = std::mem::take(&mut scan.tail);
        line.clear();
        let bytes = (&mut reader)
            .take(MAX_LINE as u64 + 1)
            .read_until(b'\n', &mut line)
            .doing("read", path)?;
        if line.pop_if(|last| *last == b'\n').is_none() {
            scan.tail = line;
            return end(path, scan);
        }
        let head = unseal(&scan.head, &mut line)
            .and_then(|head| check(scan.lines + 1, &line).map(|()| head))
            .map_err(|what| damaged(path, &scan, what))?;
        scan.head = head;
        scan.lines += 1;
        scan.len += bytes as u64;
        scan.tail = line;
    }
}

/// Bytes without a newline are a torn tail, unless a torn write cannot look like this.
fn end(path: &Path, scan: Scan) -> Result<Scan, JournalError> {
    if scan.tail.len() > MAX_LINE {
        return Err(damaged(path, &scan, Damage::TooLong));
    }
    // A complete line followed by one byte other than a newline: that line had been committed.
    let mut line = scan.tail.clone();
    if line.pop().is_some() && unseal(&scan.head, &mut line).is_ok() {
        return Err(damaged(path, &scan, Damage::LineEnd));
    }
    Ok(scan)
}

fn damaged(path: &Path, scan: &Scan, what: Damage) -> JournalError {
    JournalError::Damaged {
        path: path.to_owned(),
        line: scan.lines + 1,
        offset: scan.len,
        what,
    }
}
