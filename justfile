# Everything CI does, and its parts.

# The same as CI.
ci:
    bash .ci/run

# The tests of the README.
test:
    cargo test

# Lints and docs, as CI denies them.
lint:
    cargo fmt --all --check
    cargo clippy --all-targets --locked -- -D warnings
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --locked

# Benchmarks; `docs/performance.md` says how to read them.
bench:
    cargo bench

# Accepts changed snapshots and published schemas after a look at the diff.
bless:
    AITC_BLESS=1 INSTA_UPDATE=always cargo test
