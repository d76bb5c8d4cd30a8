//! Repairs a journal: saves incomplete or damaged parts in another file, then cuts them.

use std::io;
use std::path::{Path, PathBuf};

use super::error::{Damage, JournalError};
use super::scan::{Scan, scan};
use super::{TornTail, Visit, folder_of, read};
use crate::edge::file_names::{DAMAGED, TORN};
use crate::edge::fs::{Fs, IoContext as _, failed};

/// What `aitc verify --repair` found and did, or would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepairReport {
    /// Number of valid lines that stay.
    pub lines: u64,
    /// Number of bytes cut, after they were saved.
    pub cuts: u64,
    /// The error of the first invalid line, if there is one.
    pub damage: Option<Damage>,
    /// File in which the cut part was saved; `None` in a dry run or if nothing was cut.
    pub kept: Option<PathBuf>,
}

impl RepairReport {
    /// Whether there was nothing to repair.
    pub fn is_clean(&self) -> bool {
        self.cuts == 0
    }
}

/// Makes a journal readable again: cuts a torn tail, or everything from the first invalid line on.
///
/// A torn tail is saved as `planning_transcript.torn-<seq>`. Before damaged lines are cut, the
/// *whole* file is saved as `planning_transcript.damaged-<line>`. With `dry_run` nothing is
/// changed. A line that `visit` refuses counts as invalid, so that the rest can be resumed.
///
/// # Errors
/// A journal of a later format is not changed and is reported as `Damaged`; otherwise the storage's
/// error.
pub fn repair(
    fs: &dyn Fs,
    path: &Path,
    dry_run: bool,
    visit: Visit<'_>,
) -> Result<RepairReport, JournalError> {
    match scan(fs, path, Scan::default(), visit) {
        Ok(scan) => {
            let torn = match dry_run {
                true => None,
                false => cut_tail(fs, path, &scan)?,
            };
            Ok(RepairReport {
                lines: scan.lines,
                cuts: scan.tail.len() as u64,
                damage: None,
                kept: torn.and_then(|torn| torn.kept),
            })
        }
        Err(JournalError::Damaged {
            line, offset, what, ..
        }) if !matches!(what, Damage::OtherFormat(_)) => {
            cut_damage(fs, path, line, offset, what, dry_run)
        }
        Err(error) => Err(error),
    }
}

fn cut_damage(
    fs: &dyn Fs,
    path: &Path,
    line: u64,
    offset: u64,
    what: Damage,
    dry_run: bool,
) -> Result<RepairReport, JournalError> {
    let len = fs.metadata(path).doing("look at", path)?.len;
    let kept = if dry_run {
        None
    } else {
        let whole = fs.read(path).doing("read", path)?;
        let kept = keep_aside(fs, path, &format!("{DAMAGED}{line}"), &whole)?;
        cut(fs, path, offset)?;
        // Verify that the rest can be read.
        read(fs, path, &mut |_| Ok(()))?;
        Some(kept)
    };
    Ok(RepairReport {
        lines: line - 1,
        cuts: len.saturating_sub(offset),
        damage: Some(what),
        kept,
    })
}

/// Saves a torn tail and cuts it; does nothing if there is none.
pub(super) fn cut_tail(
    fs: &dyn Fs,
    path: &Path,
    scan: &Scan,
) -> Result<Option<TornTail>, JournalError> {
    let Some(torn) = scan.torn(None) else {
        return Ok(None);
    };
    let kept = keep_aside(fs, path, &format!("{TORN}{}", torn.seq), &scan.tail)?;
    cut(fs, path, scan.len)?;
    Ok(scan.torn(Some(kept)))
}

/// Writes beside the journal under the first free name, and syncs; nothing may be cut before that.
///
/// A file with the same content was left by a repair that died before its cut, and is reused.
fn keep_aside(fs: &dyn Fs, path: &Path, name: &str, bytes: &[u8]) -> Result<PathBuf, JournalError> {
    let folder = folder_of(path);
    let mut aside = folder.join(name);
    let mut copies = 1u32;
    loop {
        match fs.write_new(&aside, bytes) {
            Ok(()) => break,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let there = fs.metadata(&aside).doing("look at", &aside)?.len;
                let is_same =
                    there == bytes.len() as u64 && fs.read(&aside).doing("read", &aside)? == bytes;
                if is_same {
                    break;
                }
                copies += 1;
                aside = folder.join(format!("{name}-{copies}"));
            }
            Err(error) => return Err(failed("create", &aside)(error).into()),
        }
    }
    fs.sync_file(&aside).doing("sync", &aside)?;
    fs.sync_dir(folder).doing("sync", folder)?;
    Ok(aside)
}

fn cut(fs: &dyn Fs, path: &Path, len: u64) -> Result<(), JournalError> {
    fs.truncate(path, len).doing("cut", path)?;
    Ok(())
}
