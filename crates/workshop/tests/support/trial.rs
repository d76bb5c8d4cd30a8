//! Prepared results of trials.

use workshop::machine::{TrialBound, TrialEnd, TrialJob, TrialOutcome};
use workshop::reply::{Look, LookKind};

use super::search::reading;

/// A request to run a command.
pub fn trying(command: &[&str]) -> Look {
    Look {
        kind: LookKind::Try,
        what: "that it holds".to_owned(),
        from: None,
        to: None,
        command: command.iter().map(|word| (*word).to_owned()).collect(),
        ..reading("", 1)
    }
}

/// The result of a trial: its output names the command and, on separate lines, the files.
pub fn ran(job: &TrialJob) -> TrialOutcome {
    let files = job.files.iter().map(|file| format!("with {}\n", file.path));
    TrialOutcome {
        end: TrialEnd::Exited { code: 0 },
        head: format!(
            "ran {}\n{}",
            job.command.join(" "),
            files.collect::<String>()
        ),
        tail: String::new(),
        left_out: 0,
        duration_ms: 1500,
    }
}

/// The result that a command names by its first word: `exit 2`, `late` and `killed`, which print
/// nothing, `unfit`, `missing`, and `long`. Files that were edited are named with their edits.
pub fn named(job: &TrialJob) -> TrialOutcome {
    let ran = ran(job);
    let word = |n: usize| job.command.get(n).map_or("", String::as_str);
    let edits = job.files.iter().flat_map(|file| &file.edits);
    let edits = edits.map(|edit| format!("{} is {} now\n", edit.old, edit.new));
    let head = ran.head.clone() + &edits.collect::<String>();
    let failed = |missing: Option<&str>| TrialEnd::Failed {
        why: "an edit of `a.py` does not fit: the copy has no such file of at most 4 MiB"
            .to_owned(),
        missing: missing.map(str::to_owned),
    };
    let by = TrialBound::Time;
    let (end, head, tail) = match word(0) {
        "exit" => (
            TrialEnd::Exited {
                code: word(1).parse().unwrap(),
            },
            head,
            "",
        ),
        "late" => (TrialEnd::Bounded { by }, word(1).to_owned(), ""),
        "killed" => (TrialEnd::Signalled { signal: 9 }, String::new(), ""),
        "unfit" => (failed(None), String::new(), ""),
        "missing" => (failed(Some("missing")), String::new(), ""),
        "long" => (ran.end, "0123456789\n".repeat(2_000), word(1)),
        _ => (ran.end, head, ""),
    };
    TrialOutcome {
        end,
        head,
        tail: tail.repeat(2_000),
        left_out: if tail.is_empty() { 0 } else { 1_000_000 },
        duration_ms: ran.duration_ms,
    }
}
