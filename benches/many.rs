//! A thousand concurrent workshops in one process, against a server that takes 50 ms a call.

use std::time::Duration;

use crate::program::{Sandbox, children_cpu};
use crate::{answered, ms, server};

const RUNS: usize = 1000;
const LATENCY: Duration = Duration::from_millis(50);

/// Peak memory and wall time of `batch --jobs 1000`; `BENCH_RUNS` sets another number.
pub fn measure() {
    let runs = std::env::var("BENCH_RUNS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(RUNS);
    // The server runs in this process, so its side of every connection is an open file here.
    let files = aitc::edge::limits::raise_open_files();
    let fake = server(2, LATENCY);
    let sandbox = Sandbox::new();
    let lines: String = (0..runs)
        .map(|n| format!("\"Export list number {n} as CSV, and import it again.\"\n"))
        .collect();
    std::fs::write(sandbox.work().join("many.jsonl"), lines).unwrap();
    let jobs = runs.to_string();
    let url = fake.base_url();
    let before = children_cpu();
    let cost = sandbox.watch(&[
        "batch",
        "many.jsonl",
        "--jobs",
        &jobs,
        "--base-url",
        &url,
        "--model",
        "fake-1",
        "--questions",
        "assume",
    ]);
    let cpu = children_cpu() - before;
    let calls = answered(&fake);
    println!(
        "{runs} workshops at a time: {calls} calls in {:.1} s, {:.1} s of processor time, peak memory {:.0} MB, {} files allowed",
        ms(cost.wall) / 1e3,
        ms(cpu) / 1e3,
        cost.peak_kib as f64 * 1024.0 / 1e6,
        files.map_or_else(|| "no end of".to_owned(), |n| n.to_string()),
    );
}
