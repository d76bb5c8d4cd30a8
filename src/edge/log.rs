//! Log lines (`tracing`) of one run as text.
//!
//! There is no global logger: each run of a batch, and each part of a terminal display, has its
//! own, which the driver activates while it logs an entry.

use std::io;

use tracing::Dispatch;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt::MakeWriter;

/// Formats log events as lines; each is passed to `print` without its line break.
///
/// `verbose` is the number of `-v` flags: 0 logs nothing, 1 unusual events, 2 and more every call.
/// Lines have no time; the transcript has.
pub fn lines(verbose: u8, print: impl Fn(&str) + Send + Sync + 'static) -> Dispatch {
    let most = match verbose {
        0 => return Dispatch::none(),
        1 => LevelFilter::INFO,
        _ => LevelFilter::DEBUG,
    };
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(most)
        .with_ansi(false)
        .without_time()
        .with_writer(Lines(print))
        .finish();
    Dispatch::new(subscriber)
}

struct Lines<P>(P);

impl<'a, P: Fn(&str) + 'a> MakeWriter<'a> for Lines<P> {
    type Writer = Line<'a, P>;

    fn make_writer(&'a self) -> Self::Writer {
        Line(&self.0)
    }
}

struct Line<'a, P>(&'a P);

impl<P: Fn(&str)> io::Write for Line<'_, P> {
    // The formatter writes an event in one piece.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        (self.0)(text.trim_end());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    fn logged(verbose: u8) -> Vec<String> {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let ear = Arc::clone(&heard);
        let log = lines(verbose, move |line| {
            ear.lock().unwrap().push(line.to_owned())
        });
        tracing::dispatcher::with_default(&log, || {
            tracing::debug!(target: "aitc::call", call = "speech/P/r1", "started");
            tracing::info!(target: "aitc::ending", guard = "proposal", "fired");
            tracing::warn!(target: "aitc::call", detail = ?"two\nlines \u{1b}[31m", "failed");
        });
        drop(log);
        heard.lock().unwrap().clone()
    }

    #[test]
    fn each_v_logs_more() {
        assert_eq!(logged(0), [""; 0]);
        let some = logged(1);
        assert_eq!(some.len(), 2, "{some:?}");
        assert_eq!(
            some[0].trim_start(),
            r#"INFO aitc::ending: fired guard="proposal""#
        );
        assert_eq!(logged(2).len(), 3);
    }

    #[test]
    fn what_is_logged_is_one_line_and_steers_no_terminal() {
        let trouble = logged(1).pop().unwrap();
        assert!(trouble.starts_with(" WARN aitc::call: failed"), "{trouble}");
        assert!(!trouble.contains(['\n', '\u{1b}']), "{trouble}");
    }
}
