//! Delays before a failed call is repeated.

use std::time::Duration;

use crate::machine::LONGEST_WAIT;

/// Limits of the delays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    /// Upper bound of the delay after the first failure; doubles with each further one. Default 500
    /// ms.
    pub base: Duration,
    /// Maximum delay, unless the provider asks for one. Default 30 s.
    pub cap: Duration,
    /// Longest delay that a provider may ask for; beyond it the run stops and can be resumed later.
    /// Default 120 s.
    pub max_retry_after: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Self {
            base: Duration::from_millis(500),
            cap: Duration::from_secs(30),
            max_retry_after: LONGEST_WAIT,
        }
    }
}

/// The provider asks for a longer delay than a run accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "the provider asks to wait {} s, more than the {} s a run waits; go on later with `aitc resume`",
    asked.as_secs(),
    longest.as_secs()
)]
pub struct TooLong {
    /// The requested delay.
    pub asked: Duration,
    /// The maximum.
    pub longest: Duration,
}

/// The delay after failed attempt number `attempt`, from 1.
///
/// Without a request of the provider: a random time up to `base * 2^(attempt - 1)`, at most `cap`,
/// so that runs which failed together do not all call again at the same time. With one: that time
/// plus a random time of at most `base`.
///
/// # Errors
/// The provider asks for more than `max_retry_after`.
pub fn delay(
    attempt: u32,
    retry_after: Option<Duration>,
    backoff: &Backoff,
) -> Result<Duration, TooLong> {
    match retry_after {
        Some(asked) if asked > backoff.max_retry_after => Err(TooLong {
            asked,
            longest: backoff.max_retry_after,
        }),
        Some(asked) => Ok(asked.saturating_add(up_to(backoff.base))),
        None => {
            let doublings = attempt.saturating_sub(1).min(31);
            let bound = backoff.base.saturating_mul(1 << doublings);
            Ok(up_to(bound.min(backoff.cap)))
        }
    }
}

fn up_to(bound: Duration) -> Duration {
    bound.mul_f64(fastrand::f64())
}
