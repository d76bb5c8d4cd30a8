//! Benchmarks of the workshop; `docs/performance.md` says how to read them.
//!
//! `cargo bench` measures everything, `cargo bench -- calls` one part. Figures
//! are printed and never judged: a benchmark only fails if a run goes wrong.
//! `BENCH_PROGRAM=path` measures another build of the program.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    dead_code,
    missing_docs
)]

#[path = "../tests/support/bench.rs"]
mod bench;
#[path = "../crates/workshop/tests/support/divided.rs"]
mod divided;
#[path = "../tests/support/fake/mod.rs"]
mod fake;
#[path = "../crates/workshop/tests/support/meeting.rs"]
mod meeting;
#[path = "../tests/support/quarrel.rs"]
mod quarrel;
#[path = "../tests/support/review.rs"]
mod review;
#[path = "../tests/support/run.rs"]
mod run;
#[path = "../crates/workshop/tests/support/search.rs"]
mod search;
#[path = "../tests/support/team.rs"]
mod team;
#[path = "../crates/workshop/tests/support/trial.rs"]
mod trial;

mod debate;
mod disk;
mod latency;
mod many;
mod page;
mod program;
mod replay;
mod tree;

use std::time::Duration;

use fake::{Fake, FakeConfig, WorkshopScript};
use program::{Sandbox, children_cpu};

const REQUIREMENT: &str = "Export the customer list as CSV, with a filter by country, \
    and import it again; rows that cannot be read are named with their line.";

type Part = (&'static str, fn());

const PARTS: [Part; 11] = [
    ("version", version),
    ("calls", calls),
    ("latency", latency::measure),
    ("debate", debate::measure),
    ("plan", plan),
    ("demo", demo),
    ("replay", replay::measure),
    ("page", page::measure),
    ("map", tree::measure),
    ("many", many::measure),
    ("size", size),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --all-targets` runs this too, without optimisation: nothing is measured then.
    if !arguments.iter().any(|argument| argument == "--bench") {
        println!("nothing measured: run `cargo bench`");
        return;
    }
    let wanted = |name: &str| {
        let mut names = arguments
            .iter()
            .filter(|argument| !argument.starts_with('-'));
        names.clone().next().is_none() || names.any(|argument| argument == name)
    };
    for (name, measure) in PARTS {
        if wanted(name) {
            println!("== {name}");
            measure();
        }
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// `aitc --version`, and a plan for which no model is found, from start to end.
fn version() {
    let sandbox = Sandbox::new();
    sandbox.run(&["--version"]);
    let times: Vec<_> = (0..100).map(|_| sandbox.run(&["--version"])).collect();
    let slowest = times.iter().max().copied().unwrap_or_default();
    println!(
        "aitc --version: {:.1} ms, slowest of 100 {:.1} ms",
        ms(median(times)),
        ms(slowest)
    );
    let unanswered = || {
        let begun = std::time::Instant::now();
        let mut plan = sandbox.program(&["plan", "x"]);
        let status = plan.env_remove("AITC_DISCOVER").status().unwrap();
        assert_eq!(status.code(), Some(4), "nobody answers for the members");
        begun.elapsed()
    };
    let times = (0..20).map(|_| unanswered()).collect();
    println!("aitc plan without a model: {:.1} ms", ms(median(times)));
}

/// The demonstration, from start to end: into a pipe, and on a terminal, where it is slowed down so
/// that its answers can be read as they arrive.
fn demo() {
    for lang in ["en", "zh"] {
        let arguments = ["demo", "--lang", lang];
        // It never writes into a folder that is there.
        let piped = (0..5).map(|_| Sandbox::new().run(&arguments)).collect();
        let shown = (0..5).map(|_| Sandbox::new().run_on_terminal(&arguments));
        println!(
            "aitc demo --lang {lang}: {:.0} ms into a pipe, {:.0} ms on a terminal",
            ms(median(piped)),
            ms(median(shown.collect()))
        );
    }
}

/// A server with this latency, and a workshop that settles nothing before round `rounds`.
fn server(rounds: u32, latency: Duration) -> Fake {
    let script = WorkshopScript {
        needs: 6,
        rounds_to_converge: rounds,
        speech_words: 120,
        ..WorkshopScript::default()
    };
    let config = FakeConfig {
        latency,
        record: false,
        // A thousand runs on a busy machine take longer than the lifetime that tests need, and a
        // server that has stopped ends a run like any unavailable provider.
        life: Duration::from_secs(3600),
        ..FakeConfig::default()
    };
    Fake::with(config, fake::workshop(script))
}

/// Processor time of the program for each call of 20 rounds, and its peak memory.
fn calls() {
    const RUNS: u32 = 5;
    // Kept until the end: a file system that has just deleted files is slow to create new ones, and
    // that would count as the next run's time.
    let mut sandboxes = Vec::new();
    let mut plan = |url: &str| {
        let sandbox = Sandbox::new();
        let flags = [
            "--rounds",
            "20",
            "--model",
            "fake-1",
            "--questions",
            "assume",
        ];
        let order = ["plan", REQUIREMENT, "--base-url", url];
        let cost = sandbox.watch(&[&order[..], &flags[..]].concat());
        sandboxes.push(sandbox);
        cost
    };
    let fake = server(20, Duration::ZERO);
    let peak = plan(&fake.base_url()).peak_kib;
    let before_calls = answered(&fake);
    let before = children_cpu();
    let walls = (0..RUNS).map(|_| plan(&fake.base_url()).wall).collect();
    let cpu = children_cpu() - before;
    let calls = answered(&fake) - before_calls;
    println!(
        "20 rounds: {:.2} ms of processor time a call ({} calls in {RUNS} runs, {:.0} ms), wall {:.0} ms a run",
        ms(cpu) / calls as f64,
        calls,
        ms(cpu),
        ms(median(walls)),
    );
    println!(
        "20 rounds: peak memory {:.1} MB",
        peak as f64 * 1024.0 / 1e6
    );
}

/// Number of calls a server answered, without requests for its list of models.
fn answered(fake: &Fake) -> usize {
    let counts = fake.counts();
    let calls = counts.iter().filter(|(key, _)| *key != "models");
    calls.map(|(_, times)| times).sum()
}

/// A whole run of two rounds, from start to version.
fn plan() {
    const RUNS: u32 = 5;
    let fake = server(2, Duration::ZERO);
    let url = fake.base_url();
    let flags = ["--model", "fake-1", "--questions", "assume"];
    let order = ["plan", REQUIREMENT, "--base-url", &url];
    let plan = || Sandbox::new().watch(&[&order[..], &flags].concat());
    let before = children_cpu();
    let costs: Vec<_> = (0..RUNS).map(|_| plan()).collect();
    let cpu = (children_cpu() - before) / RUNS;
    let peak = costs.iter().map(|cost| cost.peak_kib).max().unwrap_or(0);
    println!(
        "plan of two rounds: {:.0} ms, {:.0} ms of it processor time, peak memory {:.1} MB",
        ms(median(costs.iter().map(|cost| cost.wall).collect())),
        ms(cpu),
        peak as f64 * 1024.0 / 1e6
    );
}

fn size() {
    println!("aitc: {:.2} MB", program::size() as f64 / 1e6);
}
