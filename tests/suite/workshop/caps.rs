//! No limit is exceeded, whatever runs concurrently and fails, and every run ends.

use std::sync::{Arc, Mutex};

use aitc::chat::{ChatRequest, ChatResponse, FinishReason, Usage};
use aitc::driver::Outcome;
use aitc::edge::file_names::TRANSCRIPT;
use aitc::edge::fs::RealFs;
use aitc::edge::model::{Answering, CallFailure, ChatModel};
use aitc::machine::review::MissedPart;
use aitc::machine::{
    CallId, Event, FailureKind, FirstRound, OpenCall, Price, Purpose, Scope, StopReason, Usd,
    budget,
};
use aitc::prompt::prompt_bytes;
use aitc::role::RoleId;
use proptest::prelude::*;

use crate::support::meeting::{self, Meeting, holds};
use crate::support::run::{hold, inputs, replay};
use crate::support::team::Team;

#[test]
fn a_cap_in_a_blind_round_is_kept_and_ends_the_run_in_order() {
    let mut reasons = Vec::new();
    for cap in [
        1_000, 60_000, 180_000, 220_000, 260_000, 300_000, 340_000, 3_000_000,
    ] {
        let workspace = tempfile::tempdir().unwrap();
        let mut inputs = inputs(workspace.path());
        inputs.rules.first_round = FirstRound::Blind;
        inputs.rules.limits.max_tokens = Some(cap);
        let team = Arc::new(Team::blind());
        let outcome = hold(Arc::new(RealFs), workspace.path(), &inputs, &team);
        let Ok(Outcome::Published { path, stop, .. }) = outcome else {
            panic!("{cap}: {outcome:?}");
        };
        let mut lost = 0;
        let state = replay(&path.join(TRANSCRIPT), |before, entry, after| {
            let fires = matches!(entry.event, Event::DiscussionEnded { .. });
            lost += usize::from(fires && !before.calls.open.is_empty());
            assert!(after.calls.committed() <= cap, "{cap} passed");
        });
        assert_eq!(lost, 0, "{cap}: ended while somebody was still being asked");
        assert_eq!(state.documents.written.len(), 5, "{cap}");
        reasons.push(stop);
    }
    assert_eq!(reasons.first(), Some(&StopReason::Budget));
    assert_eq!(reasons.last(), Some(&StopReason::Consensus));
}

/// The fault of one call.
#[derive(Debug, Clone, Copy)]
enum Fault {
    None,
    Fails,
    Refused,
    Nonsense,
    Cut,
}

/// A team whose calls fail according to a repeated schedule. It adds up all costs, with the maximum
/// for failed calls.
struct Ledger {
    schedule: Vec<Fault>,
    /// Tokens per thousand bytes of prompt.
    ratio: u64,
    /// By how many percent the ratio of each prompt exceeds that; repeated.
    wobble: Vec<u64>,
    /// Output tokens per token of the limit.
    excess: u64,
    price: Price,
    spent: Mutex<(usize, u64, Usd)>,
}

impl ChatModel for Ledger {
    fn chat<'a>(&'a self, request: &'a ChatRequest) -> Answering<'a> {
        let mut spent = self.spent.lock().unwrap();
        let fault = self.schedule[spent.0 % self.schedule.len()];
        let more = self.wobble[spent.0 % self.wobble.len()];
        // A token has at least one byte.
        let ratio = (self.ratio * (100 + more) / 100).min(self.ratio.max(1000));
        let usage = Usage {
            input: (prompt_bytes(request) * ratio).div_ceil(1000),
            cached_input: 0,
            output: request.max_output_tokens * self.excess,
            reasoning: 0,
            estimated: false,
        };
        spent.0 += 1;
        spent.1 += usage.total();
        spent.2 = spent.2.saturating_add(self.price.cost(&usage));
        let failure = |kind, retryable| Err(CallFailure::new(kind, retryable, "it failed"));
        let reply = |text: String, finish| {
            Ok(ChatResponse {
                finish,
                usage,
                ..ChatResponse::plain(text, "team-1")
            })
        };
        let result = match fault {
            Fault::None => reply(Team::default().answer(request), FinishReason::Stop),
            Fault::Fails => failure(FailureKind::Network, true),
            Fault::Refused => failure(FailureKind::Refused, false),
            Fault::Nonsense => reply("The weather is fine.".to_owned(), FinishReason::Stop),
            Fault::Cut => reply("{\"analysis\": \"hal".to_owned(), FinishReason::Length),
        };
        // Concurrent calls are answered in another order.
        Box::pin(async move {
            if self.ratio.is_multiple_of(2) {
                tokio::task::yield_now().await;
            }
            result
        })
    }
}

fn any_fault() -> impl Strategy<Value = Fault> {
    prop_oneof![
        6 => Just(Fault::None),
        1 => Just(Fault::Fails),
        1 => Just(Fault::Refused),
        1 => Just(Fault::Nonsense),
        1 => Just(Fault::Cut),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(16) })]

    /// Whatever fails, is refused, is unusable or is cut, and however often the run is resumed:
    /// neither the token limit nor the budget is exceeded.
    #[test]
    fn no_schedule_of_faults_passes_a_cap(
        schedule in prop::collection::vec(any_fault(), 1..12),
        ratio in 100..=1000_u64,
        wobble in prop::collection::vec(0..=30_u64, 1..7),
        tokens in prop::option::of(20_000..1_500_000_u64),
        cents in prop::option::of(1..400_u64),
        blind in any::<bool>(),
    ) {
        let workspace = tempfile::tempdir().unwrap();
        let mut inputs = inputs(workspace.path());
        if blind {
            inputs.rules.first_round = FirstRound::Blind;
        }
        let price = Price {
            input: "2".parse().unwrap(),
            cached_input: Some("0.5".parse().unwrap()),
            output: "8".parse().unwrap(),
        };
        let budget = cents.map(|n| Usd::from_nanos(n * 10_000_000));
        inputs.model.price = Some(price);
        inputs.rules.limits.max_tokens = tokens;
        inputs.rules.limits.budget_usd = budget;
        inputs.rules.limits.max_failures = 3;
        let ledger = Arc::new(Ledger { schedule, ratio, wobble, excess: 1, price, spent: Mutex::default() });
        let mut ended = None;
        for _ in 0..30 {
            match hold(Arc::new(RealFs), workspace.path(), &inputs, &ledger).unwrap() {
                Outcome::Published { path, .. } => {
                    ended = Some(path);
                    break;
                }
                Outcome::ProviderUnavailable { .. } | Outcome::UnusableReply { .. } => {}
                other => panic!("{other:?}"),
            }
        }
        let (_, spent_tokens, spent_usd) = *ledger.spent.lock().unwrap();
        prop_assert!(tokens.is_none_or(|cap| spent_tokens <= cap), "{spent_tokens} of {tokens:?}");
        prop_assert!(budget.is_none_or(|cap| spent_usd <= cap), "{spent_usd} of {budget:?}");
        if let Some(path) = ended {
            let state = replay(&path.join(TRANSCRIPT), |_, _, after| {
                for (_, (figure, limit)) in budget::figures(after) {
                    assert!(figure <= limit, "{figure} of {limit}");
                }
            });
            prop_assert_eq!(budget::cost(&state).is_some(), state.calls.used.total() > 0);
        }
    }
}

/// A team whose first review is by far its most expensive call.
struct Dear(Team);

impl ChatModel for Dear {
    fn chat<'a>(&'a self, request: &'a ChatRequest) -> Answering<'a> {
        let call = &request.call;
        let is_dear = call.purpose == Purpose::Review && call.member.as_str() == "ProductPlanner";
        let answering = self.0.chat(request);
        Box::pin(async move {
            let mut answer = answering.await?;
            if is_dear {
                answer.usage.output = 400_000;
            }
            Ok(answer)
        })
    }
}

/// Findings made before the limit was reached are amended or reported, and reviewers that were not
/// asked are named.
#[test]
fn a_cap_between_two_reviews_drops_nothing_that_was_found() {
    let held = |cap: u64| {
        let workspace = tempfile::tempdir().unwrap();
        let mut inputs = inputs(workspace.path());
        inputs.rules.review = true;
        inputs.rules.limits.max_tokens = Some(cap);
        inputs.rules.limits.concurrency = 1;
        let team = Arc::new(Dear(Team::reviewing()));
        let outcome = hold(Arc::new(RealFs), workspace.path(), &inputs, &team).unwrap();
        let Outcome::Published { path, state, .. } = outcome else {
            panic!("{outcome:?}");
        };
        let mut last_review = 0;
        replay(&path.join(TRANSCRIPT), |before, entry, after| {
            if let Event::CallStarted { call, reserve, .. } = &entry.event
                && call.purpose == Purpose::Review
            {
                last_review = before.calls.committed() + 2 * reserve;
            }
            assert!(after.calls.committed() <= cap, "{cap} passed");
        });
        let report = std::fs::read_to_string(path.join("planning_report.md")).unwrap();
        (last_review, state, report)
    };
    let (needed, whole, _) = held(10_000_000);
    let (_, cut, report) = held(needed - 1);
    let left_out: Vec<_> = cut.review.missing.iter().collect();
    assert!(whole.review.missing.is_empty());
    assert!(left_out.iter().any(|one| one.part == MissedPart::Review));
    assert_eq!(cut.review.findings.len(), whole.review.findings.len());
    assert_eq!(cut.review.unheld, None);
    holds(
        &report,
        &["review: it was not asked, since the budget", "FI-1"],
    );
}

/// If a program adds its own context, or an endpoint ignores the output limit, the observed excess
/// is reserved for all later calls.
#[test]
fn what_a_model_takes_beyond_what_it_was_asked_for_is_expected_from_then_on() {
    for (ratio, excess) in [(2_500, 1), (300, 3), (1_800, 2)] {
        for cap in [120_000, 250_000, 500_000, 900_000] {
            let workspace = tempfile::tempdir().unwrap();
            let mut inputs = inputs(workspace.path());
            inputs.rules.limits.max_tokens = Some(cap);
            let price = Price {
                input: "2".parse().unwrap(),
                cached_input: None,
                output: "8".parse().unwrap(),
            };
            let schedule = vec![Fault::None];
            let ledger = Arc::new(Ledger {
                schedule,
                ratio,
                wobble: vec![0],
                excess,
                price,
                spent: Mutex::default(),
            });
            let outcome = hold(Arc::new(RealFs), workspace.path(), &inputs, &ledger).unwrap();
            assert!(matches!(outcome, Outcome::Published { .. }), "{outcome:?}");
            let (calls, spent, _) = *ledger.spent.lock().unwrap();
            assert!(spent <= cap, "{spent} of {cap} in {calls} calls");
        }
    }
}

/// A team with prompts and answers as long as those of a strong model on a real repository.
struct Usual {
    team: Team,
    written: u64,
}

impl ChatModel for Usual {
    fn chat<'a>(&'a self, request: &'a ChatRequest) -> Answering<'a> {
        Box::pin(async {
            let mut answer = self.team.chat(request).await?;
            answer.usage.input = prompt_bytes(request) / 4;
            answer.usage.output = self.written;
            Ok(answer)
        })
    }
}

/// The reserve for closing must not end a run that does not need it: reserves are estimated per
/// purpose, not from the largest possible answer.
#[test]
fn usual_runs_get_through_their_closing_under_a_cap_of_a_million_tokens() {
    for (padding, written, tokens) in [
        (0, 500, 250_000..350_000),
        (32_000, 3_500, 550_000..650_000),
    ] {
        let workspace = tempfile::tempdir().unwrap();
        let mut inputs = inputs(workspace.path());
        inputs.rules.limits.max_tokens = Some(1_000_000);
        inputs.rules.review = true;
        // Every prompt starts with this text.
        inputs.roles.coach.persona += &"Know this project. ".repeat(padding / 19);
        let team = Team::reviewing();
        let model = Arc::new(Usual { team, written });
        let outcome = hold(Arc::new(RealFs), workspace.path(), &inputs, &model).unwrap();
        let Outcome::Published { path, .. } = outcome else {
            panic!("{outcome:?}");
        };
        let state = replay(&path.join(TRANSCRIPT), |_, _, _| ());
        let used = state.calls.used.total();
        assert_eq!(
            state.ending.stop.unwrap().reason,
            StopReason::Consensus,
            "{used}"
        );
        assert_eq!(state.review.unheld, None, "{used}");
        assert!(
            state
                .documents
                .written
                .values()
                .all(|one| !one.without_model),
            "{used}"
        );
        assert!(tokens.contains(&used), "{used}");
    }
}

/// The reserve for closing is kept once, however many calls are concurrent, and is available to the
/// closing calls.
#[test]
fn the_closing_is_kept_back_once() {
    let reserve = budget::Reserve {
        tokens: 100,
        usd: Some(Usd::from_nanos(7)),
        closing_tokens: 1_000,
        closing_usd: Some(Usd::from_nanos(70)),
    };
    let both = reserve.and(reserve);
    assert_eq!((both.tokens, both.usd), (200, Some(Usd::from_nanos(14))));
    assert_eq!(
        (both.closing_tokens, both.closing_usd),
        (1_000, reserve.closing_usd)
    );
    let mut state = Meeting::open("two things", meeting::inputs()).state;
    for flying in 0..4u64 {
        let taken = flying * 100;
        for (cap, in_discussion, in_closing) in [
            (taken + 1_100, true, true),
            (taken + 1_099, false, true),
            (taken + 100, false, true),
            (taken + 99, false, false),
        ] {
            state.inputs.rules.limits.max_tokens = Some(cap);
            let may = (
                budget::allows_discussion(&state, reserve),
                budget::allows_closing(&state, reserve),
            );
            assert_eq!(may, (in_discussion, in_closing), "{flying} fly under {cap}");
        }
        let call = CallId::new(
            Scope::Root,
            Purpose::Speech,
            RoleId::from("ProductPlanner"),
            1,
            flying as u32 + 1,
        );
        let open = OpenCall {
            reserve: reserve.tokens,
            reserve_usd: Usd::default(),
            input_context: Default::default(),
        };
        state.calls.open.insert(call, open);
    }
}
