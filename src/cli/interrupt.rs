//! Runs a future until it completes or the user interrupts it.

use std::future::Future;
use std::sync::mpsc;
use std::time::Duration;
use std::{io, thread};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::{Handle, Signals};
use signal_hook::low_level::emulate_default_handler;
use tokio::sync::{oneshot, watch};

use super::internal;
use super::{Exit, Fault};
use crate::edge::env::outlives_the_terminal;
use anyhow::Context as _;

/// Time that work has to end after the second signal.
const GRACE: Duration = Duration::from_secs(1);

/// Runs `work` on a runtime of its own. The first Ctrl-C, SIGTERM or SIGHUP is passed to it, so
/// that it ends in good order; a second one drops it, which aborts the calls in flight. What was
/// recorded by then is kept.
///
/// # Errors
/// As `work`, or the runtime cannot be created.
pub fn run_until_interrupted<W>(
    work: impl FnOnce(watch::Receiver<Option<i32>>) -> W,
) -> Result<Exit, Fault>
where
    W: Future<Output = Result<Exit, Fault>>,
{
    // One thread does everything: passing a call between threads costs two switches for each piece
    // of its answer, and there is nothing to compute concurrently.
    run_on_threads(1, work)
}

/// Runs work that needs no cleanup: the first signal ends it.
///
/// # Errors
/// Those of `work`, and a runtime that cannot be had.
pub fn run_until_signal(work: impl Future<Output = Result<Exit, Fault>>) -> Result<Exit, Fault> {
    run_until_interrupted(|mut told| async move {
        let signal = async {
            match told.wait_for(Option::is_some).await {
                Ok(signal) => Exit::of_signal(signal.unwrap_or_default()),
                Err(_) => std::future::pending().await,
            }
        };
        tokio::select! {
            result = work => result,
            exit = signal => Ok(exit),
        }
    })
}

/// Serves on this many threads until the first signal; Ctrl-C is the normal way to end a server.
///
/// # Errors
/// Those of `serving`, and a runtime that cannot be had.
pub fn serve_until_signal(
    threads: usize,
    serving: impl Future<Output = Result<Exit, Fault>>,
) -> Result<Exit, Fault> {
    run_on_threads(threads, |mut told| async move {
        tokio::select! {
            served = serving => served,
            signal = told.wait_for(Option::is_some) => Ok(match signal.map(|signal| *signal) {
                Ok(Some(15)) => Exit::Terminated,
                _ => Exit::Done,
            }),
        }
    })
}

/// As [`run_until_interrupted`], on this many threads.
pub fn run_on_threads<W>(
    threads: usize,
    work: impl FnOnce(watch::Receiver<Option<i32>>) -> W,
) -> Result<Exit, Fault>
where
    W: Future<Output = Result<Exit, Fault>>,
{
    let mut builder = match threads {
        0 | 1 => tokio::runtime::Builder::new_current_thread(),
        _ => tokio::runtime::Builder::new_multi_thread(),
    };
    let runtime = had(builder.worker_threads(threads.max(1)).enable_all().build())?;
    let (tell, told) = watch::channel(None);
    let (insist, insisted) = oneshot::channel();
    let mut insist = Some(insist);
    // Handlers are installed before the work begins, so that no signal is missed.
    let _listening = had(listen(move |exit| {
        if tell.borrow().is_none() {
            let signal = if exit == Exit::Terminated { 15 } else { 2 };
            tell.send_replace(Some(signal));
        } else if let Some(insist) = insist.take() {
            let _ = insist.send(exit);
        }
    }))?;
    let result = runtime.block_on(async {
        tokio::select! {
            result = work(told) => result,
            Ok(exit) = insisted => Ok(exit),
        }
    });
    // A thread that waits for a line of the terminal cannot be joined.
    runtime.shutdown_background();
    result
}

/// The error that the system refuses a runtime, the handler of a signal, or a thread.
fn had<T>(result: io::Result<T>) -> Result<T, Fault> {
    let result = result.context("runtime");
    result.map_err(|error| internal(&error))
}

/// Waits for `work`, which blocks, or for a signal; after a signal the work is abandoned.
///
/// # Errors
/// A thread cannot be created.
pub fn unless_signalled<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<Result<T, Exit>, Fault> {
    let (tell, told) = mpsc::channel();
    let signalled = tell.clone();
    let _listening = had(listen(move |exit| drop(signalled.send(Err(exit)))))?;
    had(thread::Builder::new().spawn(move || tell.send(Ok(work()))))?;
    had(told.recv().map_err(io::Error::other))
}

/// Calls `told` with each signal, on a thread of its own, because work that never waits would block
/// it, until the guard is dropped. Work that is blocked, as by a pipe that nobody reads, cannot be
/// dropped: if the guard is still there some time after the second signal, the process ends.
fn listen(mut told: impl FnMut(Exit) + Send + 'static) -> io::Result<Listening> {
    // With a handler, writing to a file that may not grow fails, which is reported like a full disk.
    // Otherwise the signal would end the process.
    let mut wanted = vec![SIGINT, SIGTERM, SIGXFSZ];
    if !outlives_the_terminal() {
        wanted.push(SIGHUP);
    }
    let mut signals = Signals::new(wanted)?;
    let listening = Listening(signals.handle());
    let handle = signals.handle();
    let listen = move || {
        let mut is_second = false;
        for signal in signals.forever().filter(|signal| *signal != SIGXFSZ) {
            told(match signal {
                SIGINT => Exit::Interrupted,
                _ => Exit::Terminated,
            });
            if is_second {
                thread::sleep(GRACE);
                if !handle.is_closed() {
                    let _ = emulate_default_handler(signal);
                }
            }
            is_second = true;
        }
    };
    thread::Builder::new()
        .name("signals".to_owned())
        .spawn(listen)?;
    Ok(listening)
}

struct Listening(Handle);

impl Drop for Listening {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Members without a model answer at once, so such a run gives no other task its turn.
    #[test]
    fn work_that_never_waits_is_told_of_a_signal() {
        let exit = run_until_interrupted(|told| async move {
            let own = rustix::process::getpid();
            rustix::process::kill_process(own, rustix::process::Signal::INT).unwrap();
            for _ in 0..2_000 {
                if told.borrow().is_some() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(10));
            }
            let told = *told.borrow();
            Ok(told.map_or(Exit::Done, |_| Exit::Interrupted))
        });
        assert_eq!(exit.unwrap(), Exit::Interrupted);
    }
}
