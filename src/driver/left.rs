//! What is left of the discussion for a call that goes on in it.

use std::pin::pin;
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use crate::chat::ChatResponse;
use crate::edge::model::CallFailure;
use crate::machine::FailureKind;

/// How long calls may still wait, one after the other. Nothing of it goes by while the clock
/// of the discussion stands still.
pub(super) struct Left {
    /// None: however long they take.
    left: Option<Duration>,
    stands: watch::Receiver<bool>,
}

impl Left {
    /// So much by a clock that tells whether it stands still.
    pub(super) fn new(left: Option<Duration>, stands: watch::Receiver<bool>) -> Self {
        Self { left, stands }
    }

    /// The answer, if it is whole while something is left.
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
        let mut left = Left::new(Some(Duration::ZERO), stands);
        let call = tokio::spawn(async move { left.of(std::future::pending()).await });
        // Long enough for any timer that runs.
        for _ in 0..3 {
            sleep(Duration::from_millis(2)).await;
        }
        assert!(!call.is_finished(), "the clock stands still");
        clock.send_replace(false);
        let cut = call.await.unwrap().unwrap_err();
        assert_eq!(cut.kind, FailureKind::Timeout);
    }
}
