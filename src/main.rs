//! The `aitc` program; everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    aitc::cli::run(std::env::args_os()).into()
}
