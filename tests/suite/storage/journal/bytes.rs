//! A journal that is cut, or changed, at any byte.

use super::*;

/// Lines of a short journal.
const PIECE: usize = 6;

/// The long journal is looked at in every so many bytes: where a line lies must not matter.
const LONG_STEP: usize = 61;

/// A journal with the places of it that a test looks at.
struct Looked {
    entries: Vec<Entry>,
    bytes: Vec<u8>,
    ends: Vec<usize>,
    step: usize,
}

impl Looked {
    fn at(entries: Vec<Entry>, step: usize) -> Self {
        let desk = desk();
        write(real(), &desk.path, &entries).unwrap();
        let bytes = std::fs::read(&desk.path).unwrap();
        let ends = line_ends(&bytes);
        Self {
            entries,
            bytes,
            ends,
            step,
        }
    }

    /// How many whole lines end at a place or before it.
    fn whole_lines(&self, at: usize) -> usize {
        self.ends.iter().rposition(|end| *end <= at).unwrap()
    }
}

/// Every event in short journals, to be looked at in every byte (the time that takes grows
/// with the square of the length), and all of them in one.
fn looked_at() -> Vec<Looked> {
    let all = every_event();
    let pieces = all.chunks(PIECE).map(|piece| {
        let mut piece = piece.to_vec();
        for (seq, entry) in (1..).zip(&mut piece) {
            entry.seq = seq;
        }
        Looked::at(piece, 1)
    });
    let mut journals: Vec<Looked> = pieces.collect();
    journals.push(Looked::at(all, LONG_STEP));
    journals
}

/// As a new file: some file systems bring one that is written over to the disk at once,
/// and the test waits.
fn put(path: &Path, bytes: &[u8]) {
    let _ = std::fs::remove_file(path);
    std::fs::write(path, bytes).unwrap();
}

/// Does `work` for every place of every journal, on all cores.
fn side_by_side(work: impl Fn(&Looked, &mut dyn Iterator<Item = usize>) + Sync) {
    let journals = looked_at();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for first in 0..threads {
            let (work, journals) = (&work, &journals);
            scope.spawn(move || {
                for journal in journals {
                    let places = (0..=journal.bytes.len()).step_by(journal.step);
                    work(journal, &mut places.skip(first).step_by(threads));
                }
            });
        }
    });
}

#[test]
fn a_cut_at_any_byte_loses_only_the_torn_line_and_keeps_it_aside() {
    side_by_side(|journal, cuts| {
        let (bytes, ends, desk) = (&journal.bytes, &journal.ends, desk());
        for cut in cuts {
            put(&desk.path, &bytes[..cut]);
            let whole = journal.whole_lines(cut);
            let fs = Arc::new(FaultFs::new(Fault::None).without_syncs());
            let (back, torn) = open(fs, &desk.path).unwrap();
            assert_eq!(back, journal.entries[..whole], "cut at {cut}");
            assert_eq!(std::fs::read(&desk.path).unwrap(), bytes[..ends[whole]]);
            let tail = &bytes[ends[whole]..cut];
            let Some(torn) = torn else {
                assert!(tail.is_empty(), "cut at {cut}");
                continue;
            };
            let name = format!("planning_transcript.torn-{}", whole + 1);
            let kept = desk.path.with_file_name(name);
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

/// One bit of every byte, another one for its neighbour, and every byte into a
/// newline. The chain alone is read, which is what finds it; every eighth
/// change is met by opening, which must find the same and change nothing.
#[test]
fn a_change_of_any_byte_is_found_at_its_line() {
    side_by_side(|journal, places| {
        let (bytes, desk) = (&journal.bytes, desk());
        for at in places.filter(|at| *at < bytes.len()) {
            let line = journal.whole_lines(at);
            for changed in [bytes[at] ^ (1 << (at % 8)), b'\n'] {
                if changed == bytes[at] {
                    continue;
                }
                let mut bad = bytes.clone();
                bad[at] = changed;
                put(&desk.path, &bad);
                let error = if (at / 2) % 8 == 0 {
                    open(real(), &desk.path).map(|_| ())
                } else {
                    chain_head(&RealFs, &desk.path).map(|_| ())
                };
                let (found, offset, _) = damage(error.expect_err("a change that is not found"));
                let place = (line as u64 + 1, journal.ends[line] as u64);
                assert_eq!((found, offset), place, "byte {at}");
                assert_eq!(std::fs::read(&desk.path).unwrap(), bad);
            }
        }
    });
}
