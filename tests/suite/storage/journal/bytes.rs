//! A journal cut or changed at any byte.

use super::*;

/// A journal with some events.
struct Looked {
    entries: Vec<Entry>,
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Looked {
    /// Every event, two per journal, because the test's run time is quadratic in the length.
    fn all() -> Vec<Self> {
        let mut entries = every_event();
        let journals = entries.chunks_mut(2).map(Self::written);
        journals.collect()
    }

    fn written(entries: &mut [Entry]) -> Self {
        let temp = temp_journal();
        for (seq, entry) in (1..).zip(&mut *entries) {
            entry.seq = seq;
        }
        write(real(), &temp.path, entries).unwrap();
        let bytes = std::fs::read(&temp.path).unwrap();
        let ends = line_ends(&bytes);
        Self {
            entries: entries.to_vec(),
            bytes,
            ends,
        }
    }

    /// Number of lines that end at or before this position.
    fn whole_lines(&self, at: usize) -> usize {
        self.ends.iter().rposition(|end| *end <= at).unwrap()
    }
}

/// Creates a new file: some file systems sync a file that is overwritten, which would slow down the
/// test.
fn put(path: &Path, bytes: &[u8]) {
    let _ = std::fs::remove_file(path);
    std::fs::write(path, bytes).unwrap();
}

/// Calls `work` for every position in the journals, including their ends, on all cores.
fn side_by_side(work: impl Fn(&Looked, &mut dyn Iterator<Item = usize>) + Sync) {
    let journals = Looked::all();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for first in 0..threads {
            let (work, journals) = (&work, &journals);
            scope.spawn(move || {
                for journal in journals {
                    let places = 0..=journal.bytes.len();
                    work(journal, &mut places.skip(first).step_by(threads));
                }
            });
        }
    });
}

#[test]
fn a_cut_at_any_byte_loses_only_the_torn_line_and_keeps_it_aside() {
    side_by_side(|journal, cuts| {
        let (bytes, ends, temp) = (&journal.bytes, &journal.ends, temp_journal());
        for cut in cuts {
            put(&temp.path, &bytes[..cut]);
            let whole = journal.whole_lines(cut);
            let fs = Arc::new(FaultFs::new(Fault::None).without_syncs());
            let (back, torn) = open(fs, &temp.path).unwrap();
            assert_eq!(back, journal.entries[..whole], "cut at {cut}");
            assert_eq!(std::fs::read(&temp.path).unwrap(), bytes[..ends[whole]]);
            let tail = &bytes[ends[whole]..cut];
            let Some(torn) = torn else {
                assert!(tail.is_empty(), "cut at {cut}");
                continue;
            };
            let name = format!("planning_transcript.torn-{}", whole + 1);
            let kept = temp.path.with_file_name(name);
            assert_eq!(torn.kept.as_ref(), Some(&kept));
            assert_eq!(std::fs::read(&kept).unwrap(), tail);
            assert_eq!(
                (torn.seq, torn.offset, torn.bytes),
                (whole as u64 + 1, ends[whole] as u64, tail.len() as u64)
            );
            std::fs::remove_file(kept).unwrap();
        }
    });
}

/// Changes each byte in two ways: one bit, another one for each neighbour, and replacement by a
/// newline. Most changes are checked by reading the chain alone, which detects them; every eighth
/// by opening the journal, which must find the same damage and change nothing.
#[test]
fn a_change_of_any_byte_is_found_at_its_line() {
    side_by_side(|journal, places| {
        let (bytes, temp) = (&journal.bytes, temp_journal());
        for at in places.filter(|at| *at < bytes.len()) {
            let line = journal.whole_lines(at);
            for changed in [bytes[at] ^ (1 << (at % 8)), b'\n'] {
                if changed == bytes[at] {
                    continue;
                }
                let mut bad = bytes.clone();
                bad[at] = changed;
                put(&temp.path, &bad);
                let error = if (at / 2) % 8 == 0 {
                    open(real(), &temp.path).map(|_| ())
                } else {
                    chain_head(&RealFs, &temp.path).map(|_| ())
                };
                let (found, offset, _) = damage(error.expect_err("a change that is not found"));
                let place = (line as u64 + 1, journal.ends[line] as u64);
                assert_eq!((found, offset), place, "byte {at}");
                assert_eq!(std::fs::read(&temp.path).unwrap(), bad);
            }
        }
    });
}
