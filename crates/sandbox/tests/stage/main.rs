//! The program whose stages the tests run trials through.

fn main() -> std::process::ExitCode {
    sandbox::inner_main().unwrap_or(std::process::ExitCode::FAILURE)
}
