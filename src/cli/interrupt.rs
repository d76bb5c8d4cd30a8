//! Runs a future until it is done or the user has had enough.

use std::future::Future;

use super::{CliError, Exit};

/// Runs `work` on a runtime of its own; Ctrl-C or SIGTERM drop it, which
/// aborts the calls in flight. What was recorded by then stays.
///
/// # Errors
/// Those of `work`, and a runtime that cannot be had.
pub fn run_until_interrupted(
    work: impl Future<Output = Result<Exit, CliError>>,
) -> Result<Exit, CliError> {
    let internal =
        |error: std::io::Error| CliError::new(Exit::Internal, format!("runtime: {error}"), "", "");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(internal)?;
    let result = runtime.block_on(async {
        // Handlers stand before the work begins, so that no signal is missed.
        let signal = signalled().map_err(internal)?;
        tokio::select! {
            biased;
            exit = signal => Ok(exit),
            result = work => result,
        }
    });
    // A thread that waits for a line of the terminal would never be joined.
    runtime.shutdown_background();
    result
}

#[cfg(unix)]
fn signalled() -> std::io::Result<impl Future<Output = Exit>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => Exit::Interrupted,
            _ = terminate.recv() => Exit::Terminated,
        }
    })
}

#[cfg(not(unix))]
fn signalled() -> std::io::Result<impl Future<Output = Exit>> {
    Ok(async {
        match tokio::signal::ctrl_c().await {
            Ok(()) => Exit::Interrupted,
            // Without a handler the work goes on.
            Err(_) => std::future::pending().await,
        }
    })
}
