//! Every fault × every kind of call × once and always, with the built binary over TCP.
//!
//! Once: the run completes, and its transcript contains the fault. Always: the run ends as the
//! table says, and after the fault is gone it can be resumed without repeating recorded calls.
//! Never: a panic, a hang, exit code 0 for an incomplete version, a key or a control character in
//! the output.
//!
//! A part of the matrix, every fault at one kind of call, runs each time; the slow suite has
//! all other cells.

mod cell;
mod endpoint;
mod outage;
mod table;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::support::binary::{KEY, Place, Ran};
use crate::support::fake::{Fake, Reply, WorkshopScript, workshop};
use cell::{Cell, decent, place, run, whole};
use table::{End, FAULTS, Fault, Patience, Trace, fault_named};

/// Number of concurrent cells; they mostly wait.
const WORKERS: usize = 4;

/// How to reach the endpoint; each dialect is a line here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Wire {
    /// The value of `--provider`.
    provider: &'static str,
}

const OPENAI: Wire = Wire { provider: "openai" };

/// The other dialects, tested with the faults that differ between dialects.
const OTHERS: [Wire; 5] = [
    Wire {
        provider: "openai-responses",
    },
    Wire {
        provider: "anthropic",
    },
    Wire { provider: "gemini" },
    Wire { provider: "ollama" },
    Wire { provider: "cohere" },
];

/// Faults whose bytes or meaning depend on the dialect.
const OF_THE_WIRE: [&str; 14] = [
    "429 with nothing",
    "400 context too long",
    "401",
    "529",
    "hang in the stream",
    "reset in the body",
    "cut stream",
    "broken frame",
    "split characters",
    "empty body",
    "empty content",
    "content filter",
    "cut by length",
    "escape sequences",
];

/// Kinds of call; [`Call::key`] names the one that fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    Judgment,
    Speech,
    Summary,
    Document,
    Report,
    Relay,
    FollowUp,
    Argument,
    DebateSummary,
    Ruling,
}

impl Call {
    const ALL: [Self; 5] = [
        Self::Judgment,
        Self::Speech,
        Self::Summary,
        Self::Document,
        Self::Report,
    ];

    /// Calls that a run can do without: clarifications and debates.
    const SPARED: [Self; 5] = [
        Self::Relay,
        Self::FollowUp,
        Self::Argument,
        Self::DebateSummary,
        Self::Ruling,
    ];

    fn clarifies(self) -> bool {
        matches!(self, Self::Relay | Self::FollowUp)
    }

    fn debates(self) -> bool {
        matches!(self, Self::Argument | Self::DebateSummary | Self::Ruling)
    }

    fn key(self) -> &'static str {
        match self {
            Self::Judgment => "judgment/Coach",
            Self::Speech => "speech/SystemDesigner/r1",
            Self::Summary => "summary/Coach/r1",
            Self::Document => "system_design/SystemDesigner",
            Self::Report => "report/Coach",
            Self::Relay => "relay/Coach/Q-1",
            Self::FollowUp => "follow_up/ProductPlanner/Q-1",
            Self::Argument => "argument/SystemDesigner/D-1/r1",
            Self::DebateSummary => "debate_summary/Coach/D-1/r1",
            Self::Ruling => "ruling/Coach/D-1",
        }
    }

    /// A script whose run contains this call.
    fn team(self) -> WorkshopScript {
        WorkshopScript {
            rounds_to_converge: 1,
            questions: usize::from(self.clarifies()),
            needs: if self.debates() { 3 } else { 2 },
            ..WorkshopScript::default()
        }
    }

    /// The command that starts its run.
    fn plan(self) -> Vec<&'static str> {
        let more: &[_] = if self.debates() {
            &["--review-debate", "--roles", "PP,SD"]
        } else if self.clarifies() {
            &["--light", "--roles", "PP,SD", "--answers", "answers.yaml"]
        } else {
            &["--light"]
        };
        [&["plan", "Export it as CSV"], more].concat()
    }

    /// The command that resumes its run.
    fn resume(self) -> &'static [&'static str] {
        if self.clarifies() {
            &["resume", "--answers", "answers.yaml"]
        } else {
            &["resume"]
        }
    }
}

/// How often a fault occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Times {
    Once,
    Always,
}

#[test]
fn every_fault_at_one_kind_of_call() {
    hold(at_one_kind_of_call());
}

fn at_one_kind_of_call() -> Vec<Cell> {
    let cells = FAULTS.iter().enumerate().map(|(n, fault)| {
        // Each fault gets another kind of call, once or always by turns.
        let times = [Times::Once, Times::Always][n % 2];
        Cell {
            wire: OPENAI,
            fault,
            call: Call::ALL[n % Call::ALL.len()],
            times,
        }
    });
    cells.collect()
}

#[test]
fn every_fourth_fault_at_a_call_that_can_be_spared() {
    hold(at_a_call_that_can_be_spared());
}

fn at_a_call_that_can_be_spared() -> Vec<Cell> {
    let faults = FAULTS.iter().step_by(4).enumerate();
    let cells = faults.map(|(n, fault)| Cell {
        wire: OPENAI,
        fault,
        call: Call::SPARED[n % Call::SPARED.len()],
        times: Times::Always,
    });
    cells.collect()
}

#[test]
fn every_fault_of_the_wire_in_another_dialect() {
    hold(of_the_wire_in_another_dialect());
}

fn of_the_wire_in_another_dialect() -> Vec<Cell> {
    let faults = OF_THE_WIRE.iter().enumerate();
    let cells = faults.map(|(n, fault)| Cell {
        wire: OTHERS[n % OTHERS.len()],
        fault: fault_named(fault),
        call: Call::ALL[n % Call::ALL.len()],
        times: if n % 2 == 0 {
            Times::Once
        } else {
            Times::Always
        },
    });
    cells.collect()
}

#[test]
fn what_says_nothing_is_nudged_and_then_asked_about() {
    let held = at_one_kind_of_call();
    let mut cells = of_nothing_said();
    cells.retain(|cell| !held.contains(cell));
    hold(cells);
}

fn of_nothing_said() -> Vec<Cell> {
    let faults = FAULTS.iter().filter(|fault| fault.is_empty);
    let cells = faults.flat_map(|fault| {
        let calls = [Call::Judgment, Call::Speech, Call::Summary];
        calls.map(|call| Cell {
            wire: OPENAI,
            fault,
            call,
            times: Times::Always,
        })
    });
    cells.collect()
}

/// Runs the cells that no test above runs.
fn hold_others(mut cells: Vec<Cell>) {
    let held = [
        at_one_kind_of_call(),
        at_a_call_that_can_be_spared(),
        of_the_wire_in_another_dialect(),
        of_nothing_said(),
    ]
    .concat();
    cells.retain(|cell| !held.contains(cell));
    hold(cells);
}

#[test]
#[ignore = "takes minutes"]
fn every_fault_at_every_kind_of_call() {
    hold_all(&Call::ALL);
}

#[test]
#[ignore = "takes minutes"]
fn every_fault_at_every_call_that_can_be_spared() {
    hold_all(&Call::SPARED);
}

/// Every fault at each of these calls, once and always.
fn hold_all(calls: &[Call]) {
    let mut cells = Vec::new();
    for fault in FAULTS.iter() {
        for call in calls {
            for times in [Times::Once, Times::Always] {
                cells.push(Cell {
                    wire: OPENAI,
                    fault,
                    call: *call,
                    times,
                });
            }
        }
    }
    hold_others(cells);
}

#[test]
#[ignore = "takes minutes"]
fn every_fault_of_the_wire_in_every_other_dialect() {
    let mut cells = Vec::new();
    for (n, fault) in OF_THE_WIRE.iter().enumerate() {
        for (m, wire) in OTHERS.into_iter().enumerate() {
            for (k, times) in [Times::Once, Times::Always].into_iter().enumerate() {
                cells.push(Cell {
                    wire,
                    fault: fault_named(fault),
                    call: Call::ALL[(n + m + 2 * k) % Call::ALL.len()],
                    times,
                });
            }
        }
    }
    hold_others(cells);
}

/// Each dialect has its own term for an answer that was cut by its length limit.
#[test]
#[ignore = "takes a minute"]
fn an_answer_cut_by_length_in_every_other_dialect_at_every_call() {
    let calls = Call::ALL.into_iter().chain(Call::SPARED);
    let cells = calls.flat_map(|call| {
        OTHERS.map(|wire| Cell {
            wire,
            fault: fault_named("cut by length"),
            call,
            times: Times::Once,
        })
    });
    hold_others(cells.collect());
}

/// Runs all cells and reports every failed one.
fn hold(cells: Vec<Cell>) {
    hold_each(&cells, |cell| {
        let name = format!(
            "{} × {:?} × {:?} × {}",
            cell.fault.name, cell.call, cell.times, cell.wire.provider
        );
        (name, Box::new(|| cell.hold()))
    });
}

/// Runs `work` for each item, several concurrently, and reports every failure.
fn hold_each<T: Sync>(all: &[T], work: impl Fn(&T) -> (String, Box<dyn FnOnce() + '_>) + Sync) {
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                while let Some(one) = all.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let (name, held) = work(one);
                    if let Err(why) = catch_unwind(AssertUnwindSafe(held)) {
                        let why = why
                            .downcast_ref::<String>()
                            .map_or_else(|| "it panicked".to_owned(), Clone::clone);
                        wrong.lock().unwrap().push(format!("{name}: {why}"));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        all.len(),
        wrong.join("\n")
    );
}
