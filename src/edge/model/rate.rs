//! Limits the rate of calls to an endpoint: concurrent calls, calls per minute, tokens per minute.
//!
//! An endpoint that is called too often answers 429, and a run that depends on retries is slow and
//! ends early. So the user may set the limits that the endpoint grants, and calls wait here until
//! they fit. Without a setting there is no limit.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, Semaphore};
use tokio::time::{Instant, sleep_until};

use super::{Answering, CallFailure, ChatModel, Listener, NoopListener, estimate_tokens};
use crate::chat::{ChatRequest, ChatResponse};
use crate::machine::FailureKind;

/// The time window of the limits.
const MINUTE: Duration = Duration::from_secs(60);

/// The longest requested delay that holds back other calls. A run does not wait out a longer one
/// but pauses, and calls held back until then would only delay that.
const LONGEST_HOLD: Duration = Duration::from_secs(120);

/// Rate limits of an endpoint; without any, calls are not delayed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rate {
    /// Maximum concurrent calls, at least 1.
    pub concurrent: Option<usize>,
    /// Maximum calls started in any 60 seconds, at least 1.
    pub requests_per_minute: Option<u64>,
    /// Maximum tokens sent and received in any 60 seconds, at least 1. A call counts with its
    /// prompt and largest possible answer until it ends, then with its actual usage.
    pub tokens_per_minute: Option<u64>,
}

/// Applies a rate to a model; shared by all calls of an endpoint.
///
/// Waiting is bounded: a window is empty after a minute, and a call that exceeds the tokens of a
/// whole minute is admitted alone. A dropped call frees its place at once.
pub struct RateLimited {
    inner: Arc<dyn ChatModel>,
    places: Option<Semaphore>,
    window: Mutex<Window>,
    /// Notified when a call used fewer tokens than reserved, so that others may fit.
    settled: Notify,
    begun: Instant,
}

impl RateLimited {
    /// Limits the calls of `inner` to `rate`.
    pub fn new(inner: Arc<dyn ChatModel>, rate: Rate) -> Self {
        Self {
            inner,
            places: rate.concurrent.map(|n| Semaphore::new(n.max(1))),
            window: Mutex::new(Window::new(rate)),
            settled: Notify::new(),
            begun: Instant::now(),
        }
    }

    /// Waits until a call of this many tokens fits.
    async fn admit(&self, tokens: u64) -> Ticket {
        loop {
            // Created before the window is read, so that a call that settles in between is not missed.
            let settled = self.settled.notified();
            let admitted = self.with(|window| window.admit(self.begun.elapsed(), tokens));
            match admitted {
                Ok(ticket) => return ticket,
                Err(until) => tokio::select! {
                    () = sleep_until(self.begun + until) => {}
                    () = settled => {}
                },
            }
        }
    }

    fn with<T>(&self, act: impl FnOnce(&mut Window) -> T) -> T {
        // A panic cannot leave the window inconsistent.
        act(&mut self.window.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn ask(
        &self,
        request: &ChatRequest,
        listener: &dyn Listener,
    ) -> Result<ChatResponse, CallFailure> {
        let _place = match &self.places {
            Some(places) => places.acquire().await.ok(),
            None => None,
        };
        let prompt: u64 = request
            .messages
            .iter()
            .map(|message| estimate_tokens(&message.content))
            .sum();
        let ticket = self
            .admit(prompt.saturating_add(request.max_output_tokens))
            .await;
        let result = self.inner.chat_streaming(request, listener).await;
        match &result {
            Ok(response) => {
                self.with(|window| window.settle(ticket, response.usage.total()));
                self.settled.notify_waiters();
            }
            Err(failure) if failure.kind == FailureKind::RateLimited => {
                let wait = failure.retry_after.unwrap_or_default();
                if wait <= LONGEST_HOLD {
                    self.with(|window| window.hold(self.begun.elapsed() + wait));
                }
            }
            Err(_) => {}
        }
        result
    }
}

impl ChatModel for RateLimited {
    fn chat<'a>(&'a self, request: &'a ChatRequest) -> Answering<'a> {
        self.chat_streaming(request, &NoopListener)
    }

    fn chat_streaming<'a>(
        &'a self,
        request: &'a ChatRequest,
        listener: &'a dyn Listener,
    ) -> Answering<'a> {
        Box::pin(self.ask(request, listener))
    }
}

/// Number of an admitted call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Ticket(u64);

/// Calls of the last minute. Times are relative to any fixed moment.
#[derive(Debug)]
struct Window {
    rate: Rate,
    /// Ticket, start time and tokens of each call; oldest first.
    calls: VecDeque<(Ticket, Duration, u64)>,
    next: u64,
    /// No call is admitted before this time.
    held_until: Duration,
}

impl Window {
    fn new(rate: Rate) -> Self {
        Self {
            rate,
            calls: VecDeque::new(),
            next: 0,
            held_until: Duration::ZERO,
        }
    }

    /// Admits a call; otherwise the error is the time at which to ask again.
    fn admit(&mut self, now: Duration, tokens: u64) -> Result<Ticket, Duration> {
        if now < self.held_until {
            return Err(self.held_until);
        }
        while self
            .calls
            .front()
            .is_some_and(|(_, at, _)| *at + MINUTE <= now)
        {
            self.calls.pop_front();
        }
        if let (false, Some((_, oldest, _))) = (self.fits(tokens), self.calls.front()) {
            return Err(*oldest + MINUTE);
        }
        let ticket = Ticket(self.next);
        self.next += 1;
        self.calls.push_back((ticket, now, tokens));
        Ok(ticket)
    }

    fn fits(&self, tokens: u64) -> bool {
        let taken = self
            .calls
            .iter()
            .fold(0_u64, |sum, (_, _, n)| sum.saturating_add(*n));
        let calls = self.calls.len() as u64;
        self.rate
            .requests_per_minute
            .is_none_or(|most| calls < most)
            && self
                .rate
                .tokens_per_minute
                .is_none_or(|most| taken.saturating_add(tokens) <= most)
    }

    /// Replaces the reserved tokens of a call by its usage.
    fn settle(&mut self, ticket: Ticket, tokens: u64) {
        if let Some(call) = self.calls.iter_mut().find(|(one, _, _)| *one == ticket) {
            call.2 = tokens;
        }
    }

    fn hold(&mut self, until: Duration) {
        self.held_until = self.held_until.max(until);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::StreamExt;
    use futures_util::stream::FuturesUnordered;
    use proptest::prelude::*;

    use super::*;
    use crate::reply::contribution_schema;

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn a_minute_takes_so_many_calls() {
        let mut window = Window::new(Rate {
            requests_per_minute: Some(2),
            ..Rate::default()
        });
        window.admit(seconds(0), 9).unwrap();
        window.admit(seconds(10), 9).unwrap();
        assert_eq!(window.admit(seconds(20), 9), Err(seconds(60)));
        window.admit(seconds(60), 9).unwrap();
        assert_eq!(window.admit(seconds(61), 9), Err(seconds(70)));
    }

    #[test]
    fn a_minute_takes_so_many_tokens_and_what_was_not_used_is_free_again() {
        let mut window = Window::new(Rate {
            tokens_per_minute: Some(100),
            ..Rate::default()
        });
        let first = window.admit(seconds(0), 80).unwrap();
        assert_eq!(window.admit(seconds(1), 30), Err(seconds(60)));
        window.settle(first, 70);
        window.admit(seconds(2), 30).unwrap();
        // A call larger than a minute's tokens is admitted alone.
        assert!(window.admit(seconds(3), 500).is_err());
        window.admit(seconds(62), 500).unwrap();
    }

    #[test]
    fn a_provider_that_asks_to_wait_is_left_alone_by_all_calls() {
        let mut window = Window::new(Rate::default());
        window.hold(seconds(5));
        assert_eq!(window.admit(seconds(1), 1), Err(seconds(5)));
        window.admit(seconds(5), 1).unwrap();
    }

    /// Counts its calls: started, in flight, most in flight.
    #[derive(Default)]
    struct Counting {
        begun: AtomicUsize,
        flying: AtomicUsize,
        most: AtomicUsize,
        /// Tokens of each answer; `None` makes every call fail.
        takes: Option<u64>,
        /// The delay that a failing call asks for.
        asks_to_wait: Option<Duration>,
    }

    impl ChatModel for Counting {
        fn chat<'a>(&'a self, request: &'a ChatRequest) -> Answering<'a> {
            Box::pin(async move {
                self.begun.fetch_add(1, Ordering::SeqCst);
                let now = self.flying.fetch_add(1, Ordering::SeqCst) + 1;
                self.most.fetch_max(now, Ordering::SeqCst);
                for _ in 0..8 {
                    tokio::task::yield_now().await;
                }
                self.flying.fetch_sub(1, Ordering::SeqCst);
                let limited = CallFailure {
                    retry_after: self.asks_to_wait,
                    ..CallFailure::new(FailureKind::RateLimited, true, "")
                };
                let mut response = ChatResponse::plain(String::new(), &request.model);
                response.usage.output = self.takes.ok_or(limited)?;
                Ok(response)
            })
        }
    }

    fn request(max_output_tokens: u64) -> ChatRequest {
        ChatRequest {
            call: "root/judgment/Coach/r0/t1/a1".parse().unwrap(),
            model: "m".to_owned(),
            messages: Vec::new(),
            schema: contribution_schema(),
            max_output_tokens,
            temperature: None,
            seed: None,
            known: Default::default(),
        }
    }

    /// Makes five concurrent calls and stops when `wanted` are answered and the others could have
    /// started, or after half a minute. Returns the number of answered calls.
    fn five(counting: &Arc<Counting>, rate: Rate, tokens: u64, wanted: usize) -> usize {
        let request = request(tokens);
        let inner: Arc<dyn ChatModel> = Arc::clone(counting) as _;
        let limited = RateLimited::new(inner, rate);
        let mut answered = 0;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        runtime.block_on(async {
            let mut calls: FuturesUnordered<_> = (0..5).map(|_| limited.chat(&request)).collect();
            let enough = async {
                while answered < wanted && calls.next().await.is_some() {
                    answered += 1;
                }
                for _ in 0..64 {
                    let more = futures_util::FutureExt::now_or_never(calls.next());
                    answered += usize::from(more.flatten().is_some());
                    tokio::task::yield_now().await;
                }
            };
            // The remaining calls are dropped.
            let _ = tokio::time::timeout(MINUTE / 2, enough).await;
        });
        answered
    }

    #[test]
    fn no_more_calls_fly_than_the_endpoint_bears() {
        for (concurrent, expected) in [(Some(1), 1), (Some(3), 3), (None, 5)] {
            let counting = Arc::new(Counting::default());
            let rate = Rate {
                concurrent,
                ..Rate::default()
            };
            assert_eq!(five(&counting, rate, 1, 5), 5);
            assert_eq!(counting.most.load(Ordering::SeqCst), expected);
        }
    }

    #[test]
    fn of_calls_side_by_side_no_more_begin_than_a_minute_takes() {
        let counting = Arc::new(Counting::default());
        let rate = Rate {
            requests_per_minute: Some(2),
            ..Rate::default()
        };
        assert_eq!(five(&counting, rate, 1, 2), 2);
        assert_eq!(counting.begun.load(Ordering::SeqCst), 2);
    }

    /// Each call reserves 60 of 100 tokens and uses 10, so that the next one fits as soon as it has
    /// ended, and not a minute later.
    #[test]
    fn what_a_call_did_not_take_is_given_to_those_that_wait() {
        let counting = Arc::new(Counting {
            takes: Some(10),
            ..Counting::default()
        });
        let rate = Rate {
            tokens_per_minute: Some(100),
            ..Rate::default()
        };
        assert_eq!(five(&counting, rate, 60, 5), 5);
        assert_eq!(counting.most.load(Ordering::SeqCst), 1);
    }

    /// A run does not wait for a day, so the other calls can learn the same at once.
    #[test]
    fn only_a_wait_that_is_waited_out_holds_other_calls_back() {
        for (wait, begun) in [(LONGEST_HOLD, 1), (LONGEST_HOLD + seconds(1), 5)] {
            let counting = Arc::new(Counting {
                asks_to_wait: Some(wait),
                ..Counting::default()
            });
            let rate = Rate {
                concurrent: Some(1),
                ..Rate::default()
            };
            five(&counting, rate, 1, begun);
            assert_eq!(counting.begun.load(Ordering::SeqCst), begun, "{wait:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// However calls are timed, no window of a minute exceeds the limits.
        #[test]
        fn no_minute_is_overdrawn(
            rpm in 1..6_u64, tpm in 1..500_u64,
            asked in prop::collection::vec((0..30_u64, 1..200_u64), 1..40),
        ) {
            let mut window = Window::new(Rate {
                concurrent: None,
                requests_per_minute: Some(rpm),
                tokens_per_minute: Some(tpm),
            });
            let (mut now, mut begun) = (Duration::ZERO, Vec::new());
            for (gap, tokens) in asked {
                now += seconds(gap);
                while let Err(until) = window.admit(now, tokens) {
                    prop_assert!(until > now && until <= now + MINUTE);
                    now = until;
                }
                begun.push((now, tokens));
            }
            for (start, _) in &begun {
                let within: Vec<_> = begun
                    .iter()
                    .filter(|(at, _)| at >= start && *at < *start + MINUTE)
                    .collect();
                let tokens: u64 = within.iter().map(|(_, n)| n).sum();
                prop_assert!(within.len() as u64 <= rpm);
                prop_assert!(tokens <= tpm || within.len() == 1);
            }
        }
    }
}
