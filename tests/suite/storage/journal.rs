//! The journal: replay, torn tails, damage, failing writes, other writers, repair.

mod bytes;
mod repair;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use aitc::edge::fs::{Fs, RealFs};
use aitc::edge::journal::{Damage, Journal, JournalError, TornTail, chain_head, read, repair};
use aitc::fault::ToFault as _;
use aitc::machine::Entry;

use crate::support::fault::{Fault, FaultFs};
use crate::support::sample::{every_event, rounds};

fn real() -> Arc<dyn Fs> {
    Arc::new(RealFs)
}

struct TempJournal {
    _dir: tempfile::TempDir,
    path: PathBuf,
}

fn temp_journal() -> TempJournal {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("planning_transcript.jsonl");
    TempJournal { _dir: dir, path }
}

/// The bytes of a journal of [`every_event`].
fn sample() -> Vec<u8> {
    let temp = temp_journal();
    write(real(), &temp.path, &every_event()).unwrap();
    std::fs::read(&temp.path).unwrap()
}

fn write(fs: Arc<dyn Fs>, path: &Path, entries: &[Entry]) -> Result<Journal, JournalError> {
    let mut journal = Journal::create(fs, path)?;
    for entry in entries {
        journal.add(entry)?;
    }
    journal.commit()?;
    Ok(journal)
}

fn open(fs: Arc<dyn Fs>, path: &Path) -> Result<(Vec<Entry>, Option<TornTail>), JournalError> {
    let mut entries = Vec::new();
    let (_, torn) = Journal::open(fs, path, &mut |entry| {
        entries.push(entry);
        Ok(())
    })?;
    Ok((entries, torn))
}

fn damage(error: JournalError) -> (u64, u64, Damage) {
    match error {
        JournalError::Damaged {
            line, offset, what, ..
        } => (line, offset, what),
        other => panic!("{other}"),
    }
}

/// Lengths of all prefixes that end with a line, including the empty one.
fn line_ends(bytes: &[u8]) -> Vec<usize> {
    let ends = (1..=bytes.len()).filter(|end| bytes[end - 1] == b'\n');
    std::iter::once(0).chain(ends).collect()
}

#[test]
fn every_event_is_read_back_as_it_was_written() {
    let temp = temp_journal();
    let entries = every_event();
    let written = write(real(), &temp.path, &entries).unwrap();
    let mut back = Vec::new();
    let (opened, torn) = Journal::open(real(), &temp.path, &mut |entry| {
        back.push(entry);
        Ok(())
    })
    .unwrap();
    assert_eq!(back, entries);
    assert_eq!(torn, None);
    assert_eq!(
        (opened.head(), opened.seq()),
        (written.head(), written.seq())
    );
    let summary = read(&RealFs, &temp.path, &mut |_| Ok(())).unwrap();
    assert_eq!(
        (summary.lines, summary.head.as_str()),
        (written.seq(), written.head())
    );
}

/// The chain of hashes is as documented, so other tools can verify it.
#[test]
fn a_line_is_json_whose_last_member_is_the_chained_hash() {
    use sha2::{Digest, Sha256};
    let text = String::from_utf8(sample()).unwrap();
    let mut previous = String::new();
    for line in text.lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let (last, hash) = value.as_object().unwrap().iter().next_back().unwrap();
        let hash = hash.as_str().unwrap();
        assert_eq!(last, "h");
        let body = line.replace(&format!(",\"h\":\"{hash}\""), "");
        let digest = Sha256::digest(format!("{previous}{body}"));
        let expected: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hash, expected);
        previous = expected;
    }
}

#[test]
fn a_changed_last_newline_is_no_torn_tail() {
    let mut bytes = sample();
    *bytes.last_mut().unwrap() = b' ';
    let temp = temp_journal();
    std::fs::write(&temp.path, &bytes).unwrap();
    let (line, _, what) = damage(open(real(), &temp.path).unwrap_err());
    assert_eq!((line, what), (every_event().len() as u64, Damage::LineEnd));
}

#[test]
fn lines_that_are_missing_doubled_or_swapped_are_damage() {
    let bytes = sample();
    let ends = line_ends(&bytes);
    let line = |n: usize| &bytes[ends[n - 1]..ends[n]];
    let temp = temp_journal();
    for order in [[1, 3, 4], [1, 2, 2], [1, 3, 2], [2, 3, 4]] {
        let mixed: Vec<u8> = order.iter().flat_map(|n| line(*n)).copied().collect();
        std::fs::write(&temp.path, mixed).unwrap();
        let (_, _, what) = damage(open(real(), &temp.path).unwrap_err());
        assert_eq!(what, Damage::HashMismatch, "{order:?}");
    }
}

/// A line with a valid hash but invalid content is found when it is parsed.
#[test]
fn a_sealed_line_that_makes_no_sense_is_refused_with_its_reason() {
    use sha2::{Digest, Sha256};
    let seal = |body: &str| {
        let hash: String = Sha256::digest(body)
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect();
        format!("{},\"h\":\"{hash}\"}}\n", body.strip_suffix('}').unwrap())
    };
    let first = serde_json::to_string(&rounds(0, 1)[0]).unwrap();
    let temp = temp_journal();
    let read_damage = |body: &str| {
        std::fs::write(&temp.path, seal(body)).unwrap();
        damage(open(real(), &temp.path).unwrap_err()).2
    };
    assert_eq!(
        read_damage(&first.replace("\"seq\":1", "\"seq\":2")),
        Damage::SeqGap {
            expected: 1,
            found: 2
        }
    );
    for (line, format) in [
        ("{\"v\":2,\"news\":1}", 2),
        (&*first.replace("\"v\":1", "\"v\":3"), 3),
        ("{\"v\":1,\"inputs\":{\"edition\":6}}", 0),
    ] {
        assert_eq!(read_damage(line), Damage::OtherFormat(format));
    }
    assert!(matches!(read_damage("{\"v\":1}"), Damage::BadJson(_)));
    let later = std::fs::read(&temp.path).unwrap();
    std::fs::write(&temp.path, seal("{\"v\":2}")).unwrap();
    assert!(
        repair(&RealFs, &temp.path, false, &mut |_| Ok(())).is_err(),
        "a later format is left alone"
    );
    std::fs::write(&temp.path, later).unwrap();
}

#[test]
fn a_visitor_that_refuses_stops_the_reading_at_that_line() {
    let temp = temp_journal();
    drop(write(real(), &temp.path, &rounds(0, 5)).unwrap());
    let mut seen = 0;
    let error = Journal::open(real(), &temp.path, &mut |entry| {
        seen = entry.seq;
        if entry.seq == 3 {
            Err("no".into())
        } else {
            Ok(())
        }
    })
    .map(|_| ())
    .unwrap_err();
    assert!(
        !error.to_fault().fix().is_empty() && error.to_string().contains("line 3"),
        "{error}"
    );
    let (line, _, what) = damage(error);
    assert_eq!((line, what, seen), (3, Damage::Refused("no".into()), 3));
}

#[test]
fn a_kept_tail_is_never_overwritten_and_not_kept_twice() {
    let temp = temp_journal();
    let names = || {
        let names = RealFs.list(temp.path.parent().unwrap()).unwrap();
        names
            .into_iter()
            .filter(|name| name.contains("torn"))
            .collect::<Vec<_>>()
    };
    drop(write(real(), &temp.path, &rounds(0, 1)).unwrap());
    for tail in ["{\"a", "{\"b", "{\"a"] {
        let mut file = RealFs.open_append(&temp.path).unwrap();
        file.append(tail.as_bytes()).unwrap();
        open(real(), &temp.path).unwrap();
    }
    assert_eq!(
        names(),
        ["planning_transcript.torn-2", "planning_transcript.torn-2-2"]
    );
    // As if the process had died between saving and cutting: the tail is found again and saved only
    // once.
    RealFs
        .open_append(&temp.path)
        .unwrap()
        .append(b"{\"b")
        .unwrap();
    open(real(), &temp.path).unwrap();
    assert_eq!(names().len(), 2);
}

#[test]
fn a_tail_is_on_disk_before_it_is_cut() {
    let temp = temp_journal();
    std::fs::write(&temp.path, "{\"v\":1").unwrap();
    let fs = FaultFs::new(Fault::None);
    open(Arc::new(fs.clone()), &temp.path).unwrap();
    let expected = [
        "open_read",
        "write_new",
        "sync_file",
        "sync_dir",
        "truncate",
        "open_append",
    ];
    assert_eq!(fs.log(), expected);
}

#[test]
fn a_step_is_one_append_and_one_sync() {
    let temp = temp_journal();
    let fs = FaultFs::new(Fault::None);
    let mut journal = write(Arc::new(fs.clone()), &temp.path, &rounds(0, 1)).unwrap();
    let before = fs.operations();
    for entry in rounds(1, 3) {
        journal.add(&entry).unwrap();
    }
    assert_eq!(fs.operations(), before, "staging touches no file");
    journal.commit().unwrap();
    journal.commit().unwrap();
    assert_eq!(
        fs.log()[before..],
        ["metadata", "append", "sync", "metadata"]
    );
}

#[test]
fn an_entry_out_of_order_is_not_staged() {
    let temp = temp_journal();
    let mut journal = write(real(), &temp.path, &rounds(0, 1)).unwrap();
    let head = journal.head().to_owned();
    assert!(journal.add(&rounds(2, 1)[0]).is_err());
    assert_eq!((journal.head(), journal.seq()), (head.as_str(), 1));
    journal.add(&rounds(1, 1)[0]).unwrap();
    journal.commit().unwrap();
    assert_eq!(open(real(), &temp.path).unwrap().0.len(), 2);
}

#[test]
fn after_a_failed_write_nothing_more_is_written() {
    for (errno, code) in [
        (rustix::io::Errno::NOSPC, "E-storage-full"),
        (rustix::io::Errno::DQUOT, "E-storage-full"),
        (rustix::io::Errno::ROFS, "E-storage-read-only"),
        (rustix::io::Errno::ACCESS, "E-storage-permission"),
        (rustix::io::Errno::IO, "E-storage"),
    ] {
        // Creating takes three operations, committing four.
        for at in 3..7 {
            let temp = temp_journal();
            let fs = FaultFs::new(Fault::Fail {
                at,
                errno: errno.raw_os_error(),
            });
            let mut journal = Journal::create(Arc::new(fs.clone()), &temp.path).unwrap();
            journal.add(&rounds(0, 1)[0]).unwrap();
            match journal.commit() {
                Err(error) => assert_eq!(error.to_fault().code, code, "{error}"),
                other => panic!("{other:?} at {at}"),
            }
            let len = std::fs::metadata(&temp.path).unwrap().len();
            let closed = journal.commit().unwrap_err().to_fault();
            assert_eq!(closed.code, "E-transcript-closed");
            assert!(journal.add(&rounds(1, 1)[0]).is_err());
            assert_eq!(std::fs::metadata(&temp.path).unwrap().len(), len);
            assert_eq!(fs.operations(), at + 1);
        }
    }
}

#[test]
fn two_writers_never_both_go_on() {
    let temp = temp_journal();
    let mut first = write(real(), &temp.path, &rounds(0, 1)).unwrap();
    let there = Journal::create(real(), &temp.path).map(|_| ());
    assert_eq!(there.unwrap_err().to_fault().code, "E-transcript-exists");
    let (mut second, _) = Journal::open(real(), &temp.path, &mut |_| Ok(())).unwrap();
    for journal in [&mut first, &mut second] {
        journal.add(&rounds(1, 1)[0]).unwrap();
    }
    second.commit().unwrap();
    let before = std::fs::read(&temp.path).unwrap();
    let foreign = first.commit().unwrap_err().to_fault();
    assert_eq!(foreign.code, "E-transcript-foreign");
    assert_eq!(std::fs::read(&temp.path).unwrap(), before);
    second.add(&rounds(2, 1)[0]).unwrap();
    second.commit().unwrap();
    // Moved as by publishing: the process that has it open stops.
    std::fs::rename(&temp.path, temp.path.with_extension("old")).unwrap();
    second.add(&rounds(3, 1)[0]).unwrap();
    assert!(second.commit().is_err());
}

/// Crashes before, during and after every operation of create and three commits; the resumed
/// process also crashes at every operation.
#[test]
fn what_was_committed_survives_every_crash() {
    let run = |fs: Arc<dyn Fs>, path: &Path| -> (u64, Result<(), JournalError>) {
        let mut committed = 0;
        let result = (|| {
            let mut journal = Journal::create(fs, path)?;
            for step in 0..3 {
                for entry in rounds(step * 2, 2) {
                    journal.add(&entry)?;
                }
                journal.commit()?;
                committed = journal.seq();
            }
            Ok(())
        })();
        (committed, result)
    };
    let clean = FaultFs::new(Fault::None);
    run(Arc::new(clean.clone()), &temp_journal().path)
        .1
        .unwrap();
    let operations = clean.operations();
    assert_eq!(operations, 3 + 3 * 4);
    for at in 0..operations {
        for fault in [
            Fault::CrashBefore(at),
            Fault::CrashMiddle(at),
            Fault::CrashAfter(at),
        ] {
            for resume_at in 0..8 {
                let temp = temp_journal();
                let fs = FaultFs::new(fault).without_syncs();
                let (committed, result) = run(Arc::new(fs.clone()), &temp.path);
                assert!(result.is_err() && fs.crashed());
                if !temp.path.exists() {
                    assert_eq!(committed, 0);
                    continue;
                }
                let dying = FaultFs::new(Fault::CrashMiddle(resume_at)).without_syncs();
                let _ = open(Arc::new(dying), &temp.path);
                let (entries, _) = open(real(), &temp.path).unwrap();
                assert!(entries.len() as u64 >= committed, "{fault:?}");
                assert_eq!(entries, rounds(0, entries.len() as u64), "{fault:?}");
            }
        }
    }
}
