//! Benchmarks of the workshop; `docs/performance.md` says how to read them.
fn main() {}
