//! The `aitc` program; everything is in the library.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::PanicHookInfo;
use std::process::ExitCode;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(give_up));
    aitc::cli::run(std::env::args_os()).into()
}

/// A defect of the program: told, and the exit code that stands for it. What is
/// on disk is whole, as after a power cut.
fn give_up(panic: &PanicHookInfo<'_>) {
    eprintln!("error: internal error: {panic}");
    eprintln!("  why: a defect of aitc; what was recorded is kept");
    eprintln!("  fix: aitc resume, and please report it with the lines above");
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        eprintln!("{backtrace}");
    }
    #[expect(clippy::disallowed_methods, reason = "nothing is left to return to")]
    std::process::exit(1);
}
