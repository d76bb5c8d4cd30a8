//! Limits the rate of calls to an endpoint: concurrent calls, calls per minute, tokens per minute.
//!
//! An endpoint that is called too often answers 429, and a run that depends on retries is slow and
//! ends early. So the user may set the limits that the endpoint grants, and calls wait here until
//! they fit. Without a setting there is no limit.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::sleep;

use super::{Answering, CallFailure, ChatModel, Listener, estimate_tokens};
use crate::chat::{ChatRequest, ChatResponse};
use crate::edge::locked;

const MINUTE: Duration = Duration::from_secs(60);

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
/// Waiting is bounded: a minute after a call has started, its share of the limits is free again. A
/// call that exceeds the tokens of a whole minute runs alone. A dropped call frees its place at
/// once.
pub struct RateLimited {
    inner: Arc<dyn ChatModel>,
    places: Option<Semaphore>,
    calls: Option<Arc<Semaphore>>,
    /// The tokens available per minute, and a semaphore with those not in use.
    tokens: Option<(u32, Arc<Semaphore>)>,
}

impl RateLimited {
    /// Limits the calls of `inner` to `rate`.
    pub fn new(inner: Arc<dyn ChatModel>, rate: Rate) -> Self {
        let permits = |n: u64| u32::try_from(n.max(1)).unwrap_or(u32::MAX);
        let semaphore = |n: u32| Arc::new(Semaphore::new(n as usize));
        Self {
            inner,
            places: rate.concurrent.map(|n| Semaphore::new(n.max(1))),
            calls: rate.requests_per_minute.map(|n| semaphore(permits(n))),
            tokens: rate
                .tokens_per_minute
                .map(|n| (permits(n), semaphore(permits(n)))),
        }
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
        let call = match &self.calls {
            Some(calls) => permits(calls, 1).await,
            None => None,
        };
        let tokens = match &self.tokens {
            Some((most, tokens)) => {
                let messages = request.messages.iter();
                let prompt: u64 = messages.map(|one| estimate_tokens(&one.content)).sum();
                let needed = prompt.saturating_add(request.max_output_tokens);
                let needed = u32::try_from(needed).unwrap_or(u32::MAX).min(*most);
                permits(tokens, needed).await
            }
            None => None,
        };
        // The minute starts with the call.
        let _ = call.map(for_a_minute);
        let taken = tokens.map(for_a_minute);
        let result = self.inner.chat_streaming(request, listener).await;
        if let Ok(response) = &result
            && let Some(taken) = taken
            && let Some(permit) = locked(&taken).as_mut()
        {
            let used = usize::try_from(response.usage.total()).unwrap_or(usize::MAX);
            drop(permit.split(permit.num_permits().saturating_sub(used)));
        }
        result
    }
}

/// Waits for this many permits. `None` only if the semaphore is closed, which never happens.
async fn permits(of: &Arc<Semaphore>, permits: u32) -> Option<OwnedSemaphorePermit> {
    Arc::clone(of).acquire_many_owned(permits).await.ok()
}

/// Keeps permits for one minute from now, even if the call ends earlier.
fn for_a_minute(permit: OwnedSemaphorePermit) -> Arc<Mutex<Option<OwnedSemaphorePermit>>> {
    let taken = Arc::new(Mutex::new(Some(permit)));
    let kept = Arc::clone(&taken);
    tokio::spawn(async move {
        sleep(MINUTE).await;
        locked(&kept).take();
    });
    taken
}

impl ChatModel for RateLimited {
    fn chat_streaming<'a>(
        &'a self,
        request: &'a ChatRequest,
        listener: &'a dyn Listener,
    ) -> Answering<'a> {
        Box::pin(self.ask(request, listener))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::StreamExt;
    use futures_util::stream::FuturesUnordered;
    use proptest::prelude::*;

    use tokio::time::Instant;

    use super::*;
    use crate::machine::FailureKind;
    use crate::reply::contribution_schema;

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    /// Counts its calls: started, in flight, maximum in flight.
    #[derive(Default)]
    struct Counting {
        begun: AtomicUsize,
        flying: AtomicUsize,
        most: AtomicUsize,
        /// Tokens of each answer; `None` makes every call fail.
        takes: Option<u64>,
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
                let limited = CallFailure::new(FailureKind::RateLimited, true, "");
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

    /// Records when each call starts, in seconds; a call takes a time and tokens of its own.
    struct TimedModel {
        begun: Instant,
        starts: Mutex<Vec<(u64, u64)>>,
    }

    impl ChatModel for TimedModel {
        fn chat<'a>(&'a self, request: &'a ChatRequest) -> Answering<'a> {
            Box::pin(async move {
                let used = request.max_output_tokens / 2;
                locked(&self.starts).push((self.begun.elapsed().as_secs(), used));
                // The seed stands for the seconds that the call takes.
                sleep(seconds(request.seed.unwrap_or_default())).await;
                let mut response = ChatResponse::plain(String::new(), &request.model);
                response.usage.output = used;
                Ok(response)
            })
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        /// Calls that come and end at any time, some longer than a minute.
        #[test]
        fn no_minute_is_overdrawn(
            rpm in 1..5_u64,
            tpm in 20..200_u64,
            calls in prop::collection::vec((0..90_u64, 1..150_u64, 0..100_u64), 1..12),
        ) {
            let rate = Rate {
                concurrent: None,
                requests_per_minute: Some(rpm),
                tokens_per_minute: Some(tpm),
            };
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_time()
                .start_paused(true)
                .build()
                .unwrap();
            let starts = runtime.block_on(async {
                let timed = Arc::new(TimedModel {
                    begun: Instant::now(),
                    starts: Mutex::default(),
                });
                let limited = &RateLimited::new(Arc::clone(&timed) as _, rate);
                let all = calls.iter().map(async |&(comes, tokens, lasts)| {
                    sleep(seconds(comes)).await;
                    let mut request = request(tokens);
                    request.seed = Some(lasts);
                    limited.chat(&request).await.unwrap();
                });
                futures_util::future::join_all(all).await;
                locked(&timed.starts).clone()
            });
            prop_assert_eq!(starts.len(), calls.len());
            for (at, _) in &starts {
                let within: Vec<u64> = starts
                    .iter()
                    .filter(|(other, _)| other <= at && other + 60 > *at)
                    .map(|(_, used)| *used)
                    .collect();
                prop_assert!(within.len() as u64 <= rpm, "{starts:?}");
                // A call that exceeds the tokens of a minute starts only if no other call used
                // tokens in that minute.
                let is_alone = within.iter().filter(|used| **used > 0).count() == 1;
                prop_assert!(within.iter().sum::<u64>() <= tpm || is_alone, "{starts:?}");
            }
        }
    }
}
