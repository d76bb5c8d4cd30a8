//! Cutting what is no whole line, after it was kept aside.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::error::{Damage, JournalError};
use super::scan::{Scan, scan};
use super::{TornTail, Visit, folder_of, read};
use crate::edge::fs::{Doing as _, Fs, StorageError};

/// How the names of kept torn tails begin; the number of the torn line follows.
pub(super) const TORN: &str = "planning_transcript.torn-";
/// How the names of kept damaged journals begin; the number of the bad line follows.
pub(super) const DAMAGED: &str = "planning_transcript.damaged-";

/// Is this the name of what was cut off a transcript and kept beside it?
pub fn is_kept(name: &str) -> bool {
    name.starts_with(TORN) || name.starts_with(DAMAGED)
}

const CHUNK: usize = 64 << 10;

/// What `aitc verify --repair` found and did, or would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepairReport {
    /// Whole, good lines that stay.
    pub lines: u64,
    /// Their length in bytes.
    pub keeps: u64,
    /// Bytes that are cut off, kept aside before.
    pub cuts: u64,
    /// The torn tail, if that is all.
    pub torn: Option<TornTail>,
    /// What is wrong with the first bad line, if one is.
    pub damage: Option<Damage>,
    /// Where what was cut is kept; none in a dry run, or if nothing was cut.
    pub kept: Option<PathBuf>,
}

impl RepairReport {
    /// Was there nothing to repair?
    pub fn is_clean(&self) -> bool {
        self.cuts == 0
    }
}

/// Makes a journal readable again: cuts a torn tail, or everything from the first bad line on.
///
/// A torn tail is kept as `planning_transcript.torn-<seq>`. For damage before
/// the end the *whole* file is kept as `planning_transcript.damaged-<line>`
/// first. With `dry_run` nothing is changed. A line that `visit` refuses is a bad
/// line, so that what is left can be taken up again.
///
/// # Errors
/// A journal of a later format is left alone and told as `Damaged`; else what
/// the storage says.
pub fn repair(
    fs: &dyn Fs,
    path: &Path,
    dry_run: bool,
    visit: Visit<'_>,
) -> Result<RepairReport, JournalError> {
    match scan(fs, path, Scan::default(), visit) {
        Ok(scan) => {
            let torn = if dry_run {
                scan.torn(None)
            } else {
                cut_tail(fs, path, &scan)?
            };
            Ok(RepairReport {
                lines: scan.lines,
                keeps: scan.len,
                cuts: scan.tail.len() as u64,
                damage: None,
                kept: torn.as_ref().and_then(|torn| torn.kept.clone()),
                torn,
            })
        }
        Err(JournalError::Damaged {
            line, offset, what, ..
        }) if !matches!(what, Damage::UnknownVersion(_) | Damage::OtherEdition(_)) => {
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
        let kept = keep(fs, path, &format!("{DAMAGED}{line}"), Kept::Whole)?;
        cut(fs, path, offset)?;
        // Proof that what is left can be read.
        read(fs, path, &mut |_| Ok(()))?;
        Some(kept)
    };
    Ok(RepairReport {
        lines: line - 1,
        keeps: offset,
        cuts: len.saturating_sub(offset),
        torn: None,
        damage: Some(what),
        kept,
    })
}

/// Keeps a torn tail aside and cuts it off; does nothing if there is none.
pub(super) fn cut_tail(
    fs: &dyn Fs,
    path: &Path,
    scan: &Scan,
) -> Result<Option<TornTail>, JournalError> {
    let Some(torn) = scan.torn(None) else {
        return Ok(None);
    };
    let kept = keep(
        fs,
        path,
        &format!("{TORN}{}", torn.seq),
        Kept::Bytes(&scan.tail),
    )?;
    cut(fs, path, scan.len)?;
    Ok(scan.torn(Some(kept)))
}

/// What is kept aside.
#[derive(Clone, Copy)]
enum Kept<'a> {
    /// These bytes.
    Bytes(&'a [u8]),
    /// The whole journal.
    Whole,
}

/// Writes beside the journal under the first free name, and syncs: only then may anything be cut.
///
/// A file that already holds the same bytes is what a repair left that died before its cut.
fn keep(fs: &dyn Fs, path: &Path, name: &str, what: Kept<'_>) -> Result<PathBuf, JournalError> {
    let folder = folder_of(path);
    let mut aside = folder.join(name);
    let mut copies = 1u32;
    loop {
        let first = match what {
            Kept::Bytes(bytes) => bytes,
            Kept::Whole => b"",
        };
        match fs.write_new(&aside, first) {
            Ok(()) => break,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if holds(fs, &aside, what)? {
                    break;
                }
                copies += 1;
                aside = folder.join(format!("{name}-{copies}"));
            }
            Err(error) => return Err(StorageError::doing("create", &aside)(error).into()),
        }
    }
    if let Kept::Whole = what {
        copy(fs, path, &aside)?;
    }
    fs.sync_file(&aside).doing("sync", &aside)?;
    fs.sync_dir(folder).doing("sync", folder)?;
    Ok(aside)
}

fn holds(fs: &dyn Fs, aside: &Path, what: Kept<'_>) -> Result<bool, JournalError> {
    let Kept::Bytes(bytes) = what else {
        return Ok(false);
    };
    let doing = || StorageError::doing("read", aside);
    let same_len = fs.metadata(aside).map_err(doing())?.len == bytes.len() as u64;
    Ok(same_len && fs.read(aside).map_err(doing())? == bytes)
}

fn copy(fs: &dyn Fs, from: &Path, to: &Path) -> Result<(), JournalError> {
    let mut source = fs.open_read(from).doing("open", from)?;
    let mut target = fs.open_append(to).doing("open", to)?;
    let mut chunk = vec![0; CHUNK];
    loop {
        let read = source.read(&mut chunk).doing("read", from)?;
        if read == 0 {
            return Ok(());
        }
        target.append(&chunk[..read]).doing("append to", to)?;
    }
}

fn cut(fs: &dyn Fs, path: &Path, len: u64) -> Result<(), JournalError> {
    fs.truncate(path, len).doing("cut", path)?;
    Ok(())
}
