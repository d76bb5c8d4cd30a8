# Everything CI does, and its parts.

# The same as CI.
ci:
    bash .ci/run

# The tests of the README.
test:
    cargo test --workspace

# Whole workshops with a small real model; fetches it (about 100 MB) the first time.
test-real:
    scripts/local-model run cargo test --locked --test suite real_model -- --ignored --test-threads 1

# Lints and docs, as CI denies them.
lint:
    cargo fmt --all --check
    cargo clippy --workspace --all-targets --locked -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

# Archives of a release, with completions, manual pages and checksums.
package:
    scripts/package

# Lines of the program, its tests and the generated schemas, with their limits.
count:
    scripts/count

# Benchmarks; `docs/performance.md` says how to read them.
bench:
    cargo bench

# Accepts changed snapshots and published schemas after a look at the diff.
bless:
    AITC_BLESS=1 INSTA_UPDATE=always cargo test --workspace
