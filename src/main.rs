//! The `aitc` program; everything is in the library.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::PanicHookInfo;
use std::process::ExitCode;

use aitc::fault::Value;
use aitc::fault::line::INTERNAL;
use aitc::machine::Lang;

fn main() -> ExitCode {
    // A trial runs through stages of this program: `crates/sandbox`.
    if let Some(code) = sandbox::inner_main() {
        return code;
    }
    std::panic::set_hook(Box::new(give_up));
    aitc::cli::run(std::env::args_os()).code().into()
}

/// A defect of the program: told, and the exit code that stands for it. What is
/// on disk is whole, as after a power cut.
fn give_up(panic: &PanicHookInfo<'_>) {
    aitc::ui::screen::restore();
    let what: &dyn Value = &panic.to_string();
    // Nobody knows any more in which language the user is spoken to.
    eprint!("{}", INTERNAL.with(&[("what", what)]).text(Lang::En));
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        eprintln!("{backtrace}");
    }
    #[expect(clippy::disallowed_methods, reason = "nothing is left to return to")]
    std::process::exit(1);
}
