//! Errors of a journal, with their place and a hint.

use std::io;
use std::path::{Path, PathBuf};

use crate::edge::fs;
use crate::fault::storage::{
    TRANSCRIPT_DAMAGED, TRANSCRIPT_EARLIER, TRANSCRIPT_LATER, TRANSCRIPT_MISSING,
    TRANSCRIPT_REFUSED,
};
use crate::fault::{Fault, Message, ToFault, texts, values};
use crate::machine::TRANSCRIPT_FORMAT;

/// What is wrong with one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.message().en)]
pub enum Damage {
    /// The line does not end in `,"h":"…"}`.
    NoHash,
    /// The hash does not match the line and the lines before it.
    HashMismatch,
    /// The last line is complete, but its newline was replaced by something else.
    LineEnd,
    /// The line exceeds the maximum length.
    TooLong,
    /// The hash is right, but the line is not an entry.
    BadJson(String),
    /// A line is missing, repeated or out of order.
    SeqGap {
        /// The expected number.
        expected: u64,
        /// The actual number.
        found: u64,
    },
    /// Written in a format that this program does not read, or under other rules.
    OtherFormat(u32),
    /// The entry is not allowed after those before it.
    Refused(String),
}

texts! {
    NO_HASH: "the line does not end with its hash", "该行没有以其哈希结尾";
    HASH_MISMATCH: "the hash does not fit this line and the lines before it", "哈希与该行及之前的各行不符";
    LINE_END: "the newline after this line was changed into something else", "该行末尾的换行被改成了别的字节";
    TOO_LONG: "the line is longer than {size} MiB", "该行超过 {size} MiB";
    BAD_JSON: "the line is not a valid entry: {why}", "该行不是记录：{why}";
    SEQ_GAP: "the line has number {found} where {expected} is due", "该行编号为 {found}，应为 {expected}";
    OTHER_FORMAT: "the line has format {found}, this program reads format {own}", "该行的格式为 {found}，本程序读取格式 {own}";
    REFUSED: "the line does not follow from those before it: {why}", "该行不能由之前的各行得出：{why}";
}

impl Damage {
    /// What is wrong, as a phrase.
    pub fn message(&self) -> Message {
        match self {
            Self::NoHash => NO_HASH.into(),
            Self::HashMismatch => HASH_MISMATCH.into(),
            Self::LineEnd => LINE_END.into(),
            Self::TooLong => TOO_LONG.fill(values![size = (super::chain::MAX_LINE >> 20)]),
            Self::BadJson(why) => BAD_JSON.fill(values![why]),
            Self::SeqGap { expected, found } => SEQ_GAP.fill(values![found, expected]),
            Self::OtherFormat(found) => OTHER_FORMAT.fill(values![found, own = TRANSCRIPT_FORMAT]),
            Self::Refused(why) => REFUSED.fill(values![why]),
        }
    }
}

/// Why a journal cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.to_fault())]
pub enum JournalError {
    /// A line before the end is invalid. It is never skipped.
    Damaged {
        /// The file.
        path: PathBuf,
        /// One-based number of the line.
        line: u64,
        /// Byte offset of the line, from 0.
        offset: u64,
        /// What is wrong.
        what: Damage,
    },
    /// Any other error.
    Other(#[from] Fault),
}

/// The error of an operation on a transcript: a missing one is damage, not a storage error.
pub(super) fn failed<'p>(
    doing: &'static str,
    path: &'p Path,
) -> impl FnOnce(io::Error) -> JournalError + 'p {
    move |error| match error.kind() {
        io::ErrorKind::NotFound => fs::failed_as(TRANSCRIPT_MISSING, doing, path, &error).into(),
        _ => fs::failed(doing, path)(error).into(),
    }
}

impl ToFault for JournalError {
    fn to_fault(&self) -> Fault {
        match self {
            Self::Damaged {
                path,
                line,
                offset,
                what,
            } => {
                let kind = match what {
                    Damage::OtherFormat(found) if *found > TRANSCRIPT_FORMAT => TRANSCRIPT_LATER,
                    Damage::OtherFormat(_) => TRANSCRIPT_EARLIER,
                    Damage::Refused(_) => TRANSCRIPT_REFUSED,
                    _ => TRANSCRIPT_DAMAGED,
                };
                let path = path.display();
                kind.with(values![path, line, offset, what = what.message()])
            }
            Self::Other(fault) => fault.clone(),
        }
    }
}
