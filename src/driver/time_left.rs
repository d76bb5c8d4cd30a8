//! The time left of the discussion for a call that counts towards its limit.

use std::pin::pin;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use crate::chat::ChatResponse;
use crate::edge::model::CallFailure;
use crate::machine::FailureKind;

/// Time that a sequence of calls may still take. It does not decrease while the clock of the
/// discussion is paused.
pub(super) struct TimeLeft {
    /// `None`: unlimited.
    left: Option<Duration>,
    stands: watch::Receiver<bool>,
}

impl TimeLeft {
    /// `stands` says whether the clock is paused.
    pub(super) fn new(left: Option<Duration>, stands: watch::Receiver<bool>) -> Self {
        Self { left, stands }
    }

    /// Waits for the answer, at most for the time that is left.
    pub(super) async fn of(
        &mut self,
        answered: impl Future<Output = Result<ChatResponse, CallFailure>>,
    ) -> Result<ChatResponse, CallFailure> {
        let Some(mut left) = self.left else {
            return answered.await;
        };
        let mut answered = pin!(answered);
        loop {
            let (stands, begun) = (*self.stands.borrow_and_update(), Instant::now());
            let came = tokio::select! {
                biased;
                answer = &mut answered => Some(answer),
                () = sleep(left), if !stands => Some(Err(cut())),
                Ok(()) = self.stands.changed() => None,
            };
            if !stands {
                left = left.saturating_sub(begun.elapsed());
                self.left = Some(left);
            }
            if let Some(answer) = came {
                return answer;
            }
        }
    }
}

fn cut() -> CallFailure {
    let what = "no whole answer came before the time of the discussion was up";
    CallFailure::new(FailureKind::Timeout, true, what)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_call_is_cut_by_the_clock_of_the_discussion_and_by_no_other() {
        let (clock, stands) = watch::channel(true);
        let mut left = TimeLeft::new(Some(Duration::ZERO), stands);
        let call = tokio::spawn(async move { left.of(std::future::pending()).await });
        // Longer than the timer would run if it were not paused.
        for _ in 0..3 {
            sleep(Duration::from_millis(2)).await;
        }
        assert!(!call.is_finished(), "the clock stands still");
        clock.send_replace(false);
        let cut = call.await.unwrap().unwrap_err();
        assert_eq!(cut.kind, FailureKind::Timeout);
    }
}
