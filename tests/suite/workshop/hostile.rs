//! Garbage for a team: whatever comes back, the machine ends, refuses nothing
//! of its own making, and a replay is the same run.

use aitc::chat::FinishReason;
use aitc::workshop::{
    Action, AnswerSource, CallId, Entry, Event, FailureKind, FeedbackId, FeedbackItem, FirstRound,
    Previous, Purpose, QuestionMode, Scope, SpeakingOrder, Stage, State, StopReason, Survey, adopt,
    budget, budget::Reserve, check, event_of, next_actions,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::support::meeting::{Meeting, agreeable, document, inputs, receipt, started};

/// Numbers from a seed; no more is needed here.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }

    fn one_in(&mut self, sides: usize) -> bool {
        self.roll(sides) == 0
    }

    fn pick<T: Copy>(&mut self, among: &[T]) -> T {
        among[self.roll(among.len())]
    }
}

const WORDS: [&str; 24] = [
    "PP",
    "sd",
    "Coach",
    "nobody",
    "q",
    "x1",
    "",
    " ",
    "agree",
    "object",
    "```\n# x",
    "<!-- END -->",
    "<|im_start|>system",
    "\u{202e}txt\u{0}",
    "a\nb",
    "'",
    "\"",
    "{",
    "C-1",
    "Q-1",
    "F-1",
    "AC-1",
    "the same text",
    "null",
];

fn id(dice: &mut Dice, prefix: &str) -> String {
    match dice.roll(12) {
        0 => format!("{prefix}-0"),
        1 => format!("{prefix}-4294967295"),
        2 => format!("{prefix}-99999999999999999999"),
        3 => format!("[{}{}]", prefix.to_lowercase(), dice.roll(9)),
        4 => dice.pick(&WORDS).to_owned(),
        _ => format!("{prefix}-{}", 1 + dice.roll(9)),
    }
}

fn words(dice: &mut Dice) -> String {
    match dice.roll(400) {
        0 => "长".repeat(300_000),
        1 => "x\n".repeat(4_000),
        2..150 => dice.pick(&WORDS).to_owned(),
        n => format!("text {}", n % 9),
    }
}

fn maybe(dice: &mut Dice, make: impl Fn(&mut Dice) -> String) -> Value {
    if dice.one_in(3) {
        Value::Null
    } else {
        json!(make(dice))
    }
}

fn list(dice: &mut Dice, most: usize, make: impl Fn(&mut Dice) -> Value) -> Value {
    (0..dice.roll(most + 1)).map(|_| make(dice)).collect()
}

fn contribution(dice: &mut Dice) -> Value {
    let coach = |dice: &mut Dice| {
        let kinds = [
            "open", "settled", "settled", "refined", "merged", "dropped", "deferred",
        ];
        json!({
            "fates": list(dice, 8, |d| json!({
                "issue": id(d, "I"), "fate": d.pick(&kinds),
                "cites": maybe(d, |d| d.pick(&["PP", "SD", "Dev", "tp", "RP (r1)", "Coach"]).to_owned()),
                "wording": maybe(d, words),
                "into": list(d, 5, |d| if d.one_in(2) { json!(id(d, "I")) } else { json!(format!("k{}", d.roll(4))) }),
                "reason": maybe(d, words),
            })),
            "relays": list(dice, 3, |d| json!({
                "question": id(d, "Q"), "answer": maybe(d, words), "cites": maybe(d, words),
            })),
            "reminders": list(dice, 2, |d| json!({"member": words(d), "text": words(d)})),
            "withdraw": list(dice, 4, |d| json!({
                "item": id(d, "C"), "feedback": id(d, "F"), "reason": words(d),
            })),
        })
    };
    let most_asked = if dice.one_in(3) { 5 } else { 0 };
    let stances = ["agree", "agree", "refine", "object", "abstain"];
    json!({
        "analysis": words(dice),
        "positions": list(dice, 6, |d| json!({
            "issue": id(d, "I"), "stance": d.pick(&stances), "proposal": maybe(d, words),
            "why": words(d), "changed_because": maybe(d, words),
        })),
        "corrections": list(dice, 2, |d| json!({"whom": words(d), "about": words(d)})),
        "questions": list(dice, most_asked, |d| json!({
            "question": words(d), "why": words(d), "blocks": maybe(d, |d| id(d, "I")),
            "options": list(d, 3, |d| json!(words(d))), "recommended": words(d),
        })),
        "new_issues": list(dice, 4, |d| json!({
            "key": format!("k{}", d.roll(4)), "title": words(d), "detail": words(d),
            "severity": d.pick(&["blocking", "minor"]),
        })),
        "coach": if dice.one_in(4) { Value::Null } else { coach(dice) },
    })
}

fn anything(dice: &mut Dice, depth: usize) -> Value {
    match dice.roll(if depth > 5 { 6 } else { 9 }) {
        0 => Value::Null,
        1 => json!(dice.one_in(2)),
        2 => json!(u64::MAX - dice.roll(9) as u64),
        3 => json!(-1.5e300),
        4 | 5 => json!(words(dice)),
        6 => (0..dice.roll(4))
            .map(|_| anything(dice, depth + 1))
            .collect(),
        _ => {
            let keys = [
                "analysis",
                "positions",
                "coach",
                "fates",
                "issue",
                "id",
                "same_as",
                "work",
            ];
            let fields = 0..dice.roll(5);
            let map: Map<String, Value> = fields
                .map(|_| (dice.pick(&keys).to_owned(), anything(dice, depth + 1)))
                .collect();
            Value::Object(map)
        }
    }
}

/// Puts something else in the place of a node.
fn mutate(dice: &mut Dice, value: &mut Value) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            let key = map.keys().nth(dice.roll(map.len())).unwrap().clone();
            if dice.one_in(12) {
                map.remove(&key);
            } else {
                mutate(dice, &mut map[&key]);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            let at = dice.roll(items.len());
            if dice.one_in(4) {
                let twin = items[at].clone();
                items.push(twin);
            } else {
                mutate(dice, &mut items[at]);
            }
        }
        Value::String(text) => {
            let prefix = dice.pick(&["I", "C", "Q", "AC", "W", "M", "T"]);
            *text = if dice.one_in(2) {
                id(dice, prefix)
            } else {
                words(dice)
            };
        }
        leaf => *leaf = anything(dice, 4),
    }
}

fn answer(dice: &mut Dice, state: &State, call: &CallId) -> String {
    let valid = match call.purpose {
        Purpose::Document(kind) => document(kind),
        _ => agreeable(1 + dice.roll(3) as u32)(state, call),
    };
    let mut value: Value = serde_json::from_str(&valid).unwrap();
    let plain = matches!(call.purpose, Purpose::Document(_) | Purpose::Report);
    match dice.roll(20) {
        0 => anything(dice, 0).to_string(),
        1 => words(dice),
        2 => {
            let at = dice.roll(valid.len());
            valid.chars().take(at).collect()
        }
        3 => valid.replacen('{', "{\"analysis\": 1, \"analysis\": \"twice\",", 1),
        4 => format!("{}{valid}", "[{\"a\":".repeat(dice.roll(300))),
        5..=9 => valid,
        10..=16 if !plain => contribution(dice).to_string(),
        _ => {
            for _ in 0..=dice.roll(6) {
                mutate(dice, &mut value);
            }
            value.to_string()
        }
    }
}

fn open(dice: &mut Dice) -> Meeting {
    let mut inputs = inputs();
    inputs.limits.max_rounds = 1 + dice.roll(5) as u32;
    inputs.limits.max_follow_ups = dice.roll(3) as u32;
    inputs.limits.max_tokens = dice.one_in(3).then(|| 300 + dice.roll(4_000) as u64);
    inputs.light = dice.one_in(6);
    inputs.questions = dice.pick(&[QuestionMode::Assume, QuestionMode::Ask, QuestionMode::Pause]);
    if dice.one_in(2) {
        inputs.first_round = FirstRound::Blind;
    }
    if dice.one_in(2) {
        inputs.order = SpeakingOrder::Rotate;
    }
    let all = inputs.roles.members.len();
    if dice.one_in(3) {
        inputs.roles.members.rotate_left(dice.roll(all));
        inputs.roles.members.truncate(dice.roll(all + 1));
    }
    if dice.one_in(4) {
        for role in &mut inputs.roles.members {
            role.document = role.document.filter(|_| dice.one_in(2));
        }
    }
    if dice.one_in(2) {
        let mut meeting = Meeting::open("two things", inputs);
        meeting.step_ms = dice.pick(&[10, 10, 60_000, 600_000]);
        return meeting;
    }
    let mut first = Meeting::open("two things", crate::support::meeting::inputs());
    first.run(&mut agreeable(1 + dice.roll(12) as u32));
    let previous = Previous::of(&first.state, "head");
    inputs.version = 2;
    let points = dice.pick(&[0u32, 1, 3, 50]);
    let feedback = (1..=points)
        .map(|n| FeedbackItem {
            id: FeedbackId(n),
            text: words(dice),
        })
        .collect();
    Meeting::open_with(Event::UserInput {
        content: dice.pick(&["two things", "three things"]).to_owned(),
        run_id: "2".to_owned(),
        inputs: Box::new(inputs),
        from: Some(Box::new(previous)),
        feedback,
    })
}

/// What every call here may cost.
const HUNDRED: Reserve = Reserve {
    tokens: 100,
    usd: None,
};

/// What the driver does about the cap: true if the call was decided without being made.
fn beyond_cap(meeting: &mut Meeting, call: &CallId) -> bool {
    let state = &meeting.state;
    let event = match call.purpose {
        _ if !call.purpose.is_closing() => {
            if budget::allows_discussion(state, HUNDRED) {
                return false;
            }
            Event::GuardFired {
                guard: StopReason::Budget,
                value: state.calls.committed(),
                limit: state.inputs.limits.max_tokens.unwrap(),
            }
        }
        _ if budget::allows_closing(state, HUNDRED) => return false,
        Purpose::Document(kind) => Event::Document {
            receipt: None,
            kind,
            content: adopt(state, aitc::artifact::fallback_document(state, kind)).0,
            notes: Vec::new(),
        },
        _ => Event::Report {
            receipt: None,
            words: aitc::artifact::fallback_report(state),
        },
    };
    meeting.record(event);
    true
}

fn resumed() -> Event {
    Event::Resumed {
        tool: "0.0.1".to_owned(),
        accepted_drift: vec!["roles/pp.md".to_owned()],
    }
}

fn make_calls(dice: &mut Dice, meeting: &mut Meeting, calls: Vec<CallId>) {
    let mut flying = Vec::new();
    for call in calls {
        let allowed = if call.purpose.is_closing() {
            budget::allows_closing(&meeting.state, HUNDRED)
        } else {
            budget::allows_discussion(&meeting.state, HUNDRED)
        };
        if !allowed && !flying.is_empty() {
            break;
        }
        if beyond_cap(meeting, &call) {
            break;
        }
        meeting.record(started(&call));
        flying.push(call);
    }
    while !flying.is_empty() {
        let call = flying.swap_remove(dice.roll(flying.len()));
        if dice.one_in(40) {
            meeting.record(resumed());
            return;
        }
        let event = if dice.one_in(25) {
            Event::CallFailed {
                call,
                kind: FailureKind::Network,
                detail: words(dice),
                retryable: !dice.one_in(5),
                retry_after_ms: None,
                latency_ms: 1,
            }
        } else {
            let text = answer(dice, &meeting.state, &call);
            let finish = dice.pick(&[FinishReason::Stop, FinishReason::Stop, FinishReason::Other]);
            event_of(&meeting.state, receipt(&call), &text, finish)
        };
        meeting.record(event);
    }
}

fn reply_of_the_human(dice: &mut Dice, state: &State, id: aitc::workshop::QuestionId) -> Event {
    let question = state.question(id).unwrap();
    let mut sources = vec![
        AnswerSource::Terminal,
        AnswerSource::Command,
        AnswerSource::Recommended,
        AnswerSource::Declined,
    ];
    if state.inputs.questions == QuestionMode::Assume {
        sources = vec![AnswerSource::Assumed];
    }
    Event::UserClarificationDialogue {
        id,
        question: question.current_text().to_owned(),
        user_reply: words(dice),
        source: dice.pick(&sources),
        message: None,
    }
}

fn hold(seed: u64) {
    let dice = &mut Dice(seed | 1);
    let mut meeting = open(dice);
    let mut lives = 3;
    for steps in 0.. {
        assert!(steps < 3_000, "seed {seed}: the machine never ends");
        let actions = next_actions(&meeting.state);
        let calls: Vec<CallId> = actions
            .iter()
            .filter_map(|action| match action {
                Action::Call(call) => Some(call.clone()),
                _ => None,
            })
            .collect();
        if !calls.is_empty() {
            assert_eq!(calls.len(), actions.len(), "only calls run side by side");
            make_calls(dice, &mut meeting, calls);
        } else {
            assert!(actions.len() <= 1, "{actions:?}");
            match actions.into_iter().next() {
                Some(Action::Survey) => meeting.record(Event::KnowledgeSearch {
                    survey: Survey::default(),
                }),
                Some(Action::Record(event)) => meeting.record(*event),
                Some(Action::Measure) => meeting.measure_without_endpoint(),
                Some(Action::AskHuman(ids)) => {
                    let id = dice.pick(&ids);
                    let event = reply_of_the_human(dice, &meeting.state, id);
                    meeting.record(event);
                }
                Some(Action::Publish) => meeting.record(Event::Published {
                    stop: meeting.state.stop.clone().unwrap().reason,
                    blocking: meeting.state.ledger.blocking().map(|i| i.id).collect(),
                    open: meeting.state.ledger.open().map(|i| i.id).collect(),
                }),
                Some(Action::GiveUp(_)) if lives > 0 => {
                    lives -= 1;
                    meeting.record(resumed());
                }
                Some(Action::GiveUp(_)) => break,
                Some(Action::Call(_)) => unreachable!("calls were taken"),
                None => {
                    assert_eq!(meeting.state.stage, Stage::Published, "seed {seed}");
                    break;
                }
            }
        }
        if let Some(cap) = meeting.state.inputs.limits.max_tokens {
            assert!(meeting.state.calls.committed() <= cap, "seed {seed}");
        }
    }
    look_at(seed, &meeting);
}

fn look_at(seed: u64, meeting: &Meeting) {
    let state = &meeting.state;
    assert!(state.waiting_speeches.is_empty() || state.stage == Stage::Speaking);
    let agreed = state.is_agreed();
    assert!(
        !agreed || state.ledger.blocking().next().is_none(),
        "seed {seed}"
    );
    let last = state.ledger.iter().last().map_or(0, |issue| issue.id.0);
    assert_eq!(
        state.ledger.iter().count(),
        last as usize,
        "seed {seed}: an issue vanished"
    );
    let mut replayed: Option<State> = None;
    for entry in &meeting.entries {
        let line = serde_json::to_string(entry).unwrap();
        let entry: Entry = serde_json::from_str(&line).unwrap();
        match &mut replayed {
            None => replayed = State::open(&entry),
            Some(state) => {
                check(state, &entry.event).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
                state.apply(&entry);
            }
        }
    }
    assert!(
        replayed.as_ref() == Some(state),
        "seed {seed}: the replay differs"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(50) })]

    #[test]
    fn garbage_never_stops_the_machine_nor_fools_it(seed in any::<u64>()) {
        hold(seed);
    }
}

#[test]
#[ignore = "slow: 500 workshops of garbage"]
fn slow_garbage_of_five_hundred_workshops() {
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(500)
    });
    runner
        .run(&any::<u64>(), |seed| {
            hold(seed);
            Ok(())
        })
        .unwrap();
}

/// A question's scope is its own number: no call stands in for another's.
#[test]
fn a_call_is_started_under_its_own_name_only() {
    let mut meeting = Meeting::open("two things", inputs());
    let due = meeting.until(Purpose::Speech, &mut agreeable(1));
    let wrong = [
        CallId {
            scope: Scope::Question(1),
            ..due.clone()
        },
        CallId {
            member: "SystemDesigner".into(),
            ..due.clone()
        },
        CallId {
            turn: 2,
            ..due.clone()
        },
        CallId {
            round: 2,
            ..due.clone()
        },
        CallId {
            attempt: 2,
            ..due.clone()
        },
        CallId {
            purpose: Purpose::Summary,
            ..due.clone()
        },
        CallId {
            purpose: Purpose::Relay,
            ..due.clone()
        },
        CallId {
            purpose: Purpose::Report,
            ..due.clone()
        },
    ];
    for call in wrong {
        assert!(meeting.try_record(started(&call)).is_err(), "{call}");
    }
    meeting.record(started(&due));
    assert!(meeting.try_record(started(&due)).is_err(), "open already");
}
