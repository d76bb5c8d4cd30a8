//! The command line: one file a subcommand, wiring only.
