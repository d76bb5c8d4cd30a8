//! The `aitc` program; all code is in the library.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::PanicHookInfo;
use std::process::ExitCode;

use aitc::fault::MessageValue;
use aitc::fault::line::INTERNAL;
use aitc::machine::Lang;

fn main() -> ExitCode {
    // Trials run in stages of this same program: see `crates/sandbox`.
    if let Some(code) = sandbox::inner_main() {
        return code;
    }
    std::panic::set_hook(Box::new(give_up));
    aitc::cli::run(std::env::args_os()).code().into()
}

/// Reports a bug of the program and exits with the code for it. The files on disk are consistent,
/// as after a power cut.
fn give_up(panic: &PanicHookInfo<'_>) {
    aitc::ui::screen::restore();
    let what: &dyn MessageValue = &panic.to_string();
    // The user's language is not known here.
    eprint!("{}", INTERNAL.with(&[("what", what)]).text(Lang::En));
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        eprintln!("{backtrace}");
    }
    #[expect(clippy::disallowed_methods, reason = "nothing is left to return to")]
    std::process::exit(1);
}
