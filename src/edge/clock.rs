//! The system clock.

use std::time::Instant;

use super::ports::Clock;

/// Wall-clock time for people, monotonic time for decisions.
///
/// A change of the wall clock affects only timestamps, which decide nothing.
#[derive(Debug, Clone)]
pub struct SystemClock {
    began: Instant,
}

impl SystemClock {
    /// Creates a clock whose monotonic time starts at 0 now.
    pub fn new() -> Self {
        Self {
            began: Instant::now(),
        }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn timestamp(&self) -> String {
        timestamp()
    }

    fn monotonic_ms(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// The current time, RFC 3339 in UTC with milliseconds, such as `2026-01-31T08:00:00.000Z`.
pub(super) fn timestamp() -> String {
    format!("{:.3}", jiff::Timestamp::now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_has_milliseconds_and_zulu_time() {
        let text = SystemClock::new().timestamp();
        assert_eq!(text.len(), "2026-01-31T08:00:00.000Z".len(), "{text}");
        assert!(text.ends_with('Z') && text.as_bytes().get(19) == Some(&b'.'));
    }
}
