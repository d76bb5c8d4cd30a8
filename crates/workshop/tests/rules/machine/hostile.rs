//! Garbage answers of a team: whatever is answered, the run ends, the machine accepts all its own
//! events, and a replay gives the same state.

mod dice;

use std::sync::OnceLock;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use workshop::chat::FinishReason;
use workshop::machine::*;

use crate::dice::Dice;
use crate::support::meeting::*;
use crate::support::search::{next_inquiry, survey};
use dice::{anything, contribution, mutate, words};

fn answer(dice: &mut Dice, state: &State, call: &CallId) -> String {
    let valid = match call.purpose {
        Purpose::Document(kind) => document(kind),
        _ => agreeable(1 + dice.roll(3) as u32)(state, call),
    };
    let mut value: Value = serde_json::from_str(&valid).unwrap();
    let plain = matches!(call.purpose, Purpose::Document(_) | Purpose::Report);
    match dice.roll(24) {
        20 => String::new(),
        21 | 22 => valid.replacen("\",\"positions", "\\n<!-- END -->\",\"positions", 1),
        23 => "{\"analysis\":\"I have nothing to add.\"}".to_owned(),
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
    inputs.rules.limits.max_rounds = 1 + dice.roll(5) as u32;
    inputs.rules.limits.max_follow_ups = dice.roll(3) as u32;
    inputs.rules.limits.max_tokens = dice.one_in(3).then(|| 300 + dice.roll(4_000) as u64);
    inputs.light = dice.one_in(6);
    inputs.questions = dice.pick(&[QuestionMode::Assume, QuestionMode::Ask, QuestionMode::Pause]);
    if dice.one_in(2) {
        inputs.rules.first_round = FirstRound::Blind;
    }
    if dice.one_in(2) {
        inputs.rules.order = SpeakingOrder::Rotate;
    }
    rules(dice, &mut inputs);
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
    let step_ms = dice.pick(&[10, 10, 60_000, 600_000]);
    if dice.one_in(2) {
        let mut meeting = Meeting::open("two things", inputs);
        meeting.step_ms = step_ms;
        return meeting;
    }
    let previous = previous(1 + dice.roll(12));
    inputs.version = 2;
    let points = dice.pick(&[0u32, 1, 3, 50]);
    let feedback = (1..=points)
        .map(|n| FeedbackItem::said(FeedbackId(n), words(dice)))
        .collect();
    let mut meeting = Meeting::open_with(Event::UserInput {
        content: dice.pick(&["two things", "three things"]).to_owned(),
        run_id: "2".to_owned(),
        inputs: Box::new(inputs),
        from: Some(Box::new(previous)),
        feedback,
    });
    meeting.step_ms = step_ms;
    meeting
}

/// A plan that `issues` issues led to. Each is made once, and many workshops revise it.
fn previous(issues: usize) -> PreviousVersion {
    static MADE: [OnceLock<PreviousVersion>; 12] = [const { OnceLock::new() }; 12];
    let made = MADE[issues - 1].get_or_init(|| {
        let mut first = Meeting::open("two things", crate::support::meeting::inputs());
        first.run(&mut agreeable(issues as u32));
        PreviousVersion::of(&first.state, "head")
    });
    made.clone()
}

/// The reserve of every call here.
const HUNDRED: budget::Reserve = budget::Reserve {
    tokens: 100,
    usd: None,
    closing_tokens: 600,
    closing_usd: None,
};

/// Decides about a call like the driver does at the token limit: true if the call is replaced by an
/// event.
fn beyond_cap(meeting: &mut Meeting, call: &CallId) -> bool {
    let state = &meeting.state;
    let event = match call.purpose {
        _ if !call.purpose.is_closing() => {
            if budget::allows_discussion(state, HUNDRED) {
                return false;
            }
            budget_fires(state)
        }
        _ if budget::allows_closing(state, HUNDRED) => return false,
        Purpose::Document(kind) => Event::Document {
            receipt: None,
            kind,
            content: normalize_document(state, workshop::artifact::fallback_document(state, kind))
                .0,
            carried: None,
            evidence: Vec::new(),
            accounts: Vec::new(),
            notes: Vec::new(),
        },
        _ => Event::Report {
            receipt: None,
            words: workshop::artifact::fallback_report(state),
            notes: Vec::new(),
        },
    };
    meeting.record(event);
    true
}

fn resumed() -> Event {
    Event::Resumed {
        tool: "0.0.1".to_owned(),
        accepted_drift: vec!["roles/pp.md".to_owned()],
        attended: false,
        models: None,
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

fn reply_of_the_user(dice: &mut Dice, state: &State, id: workshop::machine::QuestionId) -> Event {
    let question = state.questions.find(id).unwrap();
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

fn end_of_the_user(dice: &mut Dice, state: &State, guard: StopReason) -> Event {
    match dice.roll(6) {
        0 => decision(guard, true, DecidedBy::Terminal, 0),
        1 => nobody_decides(state, guard),
        2 => decision(
            guard,
            false,
            DecidedBy::Message,
            ending::extension(state, guard),
        ),
        _ => intervention::declined(state, guard, words(dice), Channel::Terminal, None),
    }
}

/// A message to the run; one that comes too late is refused, as by the driver.
fn interrupt(dice: &mut Dice, meeting: &mut Meeting) {
    let intents = [
        Intent::Say,
        Intent::Say,
        Intent::Debate,
        Intent::Debate,
        Intent::Reopen,
        Intent::Reopen,
        Intent::VoteToEnd,
        Intent::AutoExitOn,
        Intent::AutoExitOff,
        Intent::Stop,
    ];
    let intent = dice.pick(&intents);
    let said = match intent {
        Intent::Debate => format!("/debate {}", words(dice)),
        Intent::Reopen => format!("/reopen C-{} {}", 1 + dice.roll(6), words(dice)),
        _ => words(dice),
    };
    let event = intervention::when_asked(&meeting.state, intent, said, Channel::Message, None);
    let _ = meeting.try_record(event);
}

/// Random settings for ending and nudges.
fn rules(dice: &mut Dice, inputs: &mut Inputs) {
    inputs.rules.ending.auto_exit_enabled = dice.one_in(3);
    inputs.rules.ending.marker.require_confirmation = !dice.one_in(3);
    inputs.rules.ending.marker.auto_end = dice.one_in(3);
    inputs.rules.ending.marker.enable_detection = !dice.one_in(6);
    if dice.one_in(4) {
        inputs.rules.ending.firm.insert(StopReason::RoundLimit);
    }
    if dice.one_in(2) {
        let nudge = dice.pick(&["Go on.", "Go on.", "", "第一行\n<!-- x -->"]);
        inputs
            .templates
            .insert("diligence.md".to_owned(), nudge.to_owned());
        let roles = std::iter::once(&inputs.roles.coach).chain(&inputs.roles.members);
        for role in roles {
            if dice.one_in(3) {
                let pushes = dice.pick(&[-1, 0, 1, 2]);
                inputs
                    .rules
                    .ending
                    .diligence_push_max
                    .insert(role.id.clone(), pushes);
            }
        }
    }
}

fn hold(seed: u64) {
    let dice = &mut Dice::of(seed);
    let mut meeting = open(dice);
    let mut lives = 3;
    for steps in 0.. {
        assert!(steps < 3_000, "seed {seed}: the machine never ends");
        if dice.one_in(40) {
            interrupt(dice, &mut meeting);
        }
        let actions = next_actions(&meeting.state);
        let calls = calls_due(&meeting.state);
        if !calls.is_empty() {
            assert_eq!(calls.len(), actions.len(), "only calls run side by side");
            make_calls(dice, &mut meeting, calls);
        } else {
            assert!(actions.len() <= 1, "{actions:?}");
            match actions.into_iter().next() {
                Some(Action::Survey) => meeting.record(Event::KnowledgeSearch { survey: survey() }),
                Some(Action::Verify) => {
                    let held = evidence::due(&meeting.state)
                        .iter()
                        .map(|_| Err("no".to_owned()));
                    let event = evidence::checked(&meeting.state, held.collect());
                    meeting.record(event);
                }
                Some(Action::Inquire(_)) => meeting.record(next_inquiry(&meeting.state)),
                Some(Action::Record(event)) => meeting.record(*event),
                Some(Action::CheckPlan) => meeting.check_plan(),
                Some(Action::Measure) => meeting.measure_without_endpoint(),
                Some(Action::AskUser(ids)) => {
                    let id = dice.pick(&ids);
                    let event = reply_of_the_user(dice, &meeting.state, id);
                    meeting.record(event);
                }
                Some(Action::AskEnd(guard)) => {
                    let event = end_of_the_user(dice, &meeting.state, guard);
                    meeting.record(event);
                }
                Some(Action::Complete) => meeting.record(Event::Published {
                    stop: meeting.state.ending.stop.unwrap().reason,
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
        if let Some(cap) = meeting.state.inputs.rules.limits.max_tokens {
            assert!(meeting.state.calls.committed() <= cap, "seed {seed}");
        }
    }
    look_at(seed, &meeting);
}

/// Without a user, no round starts after the time limit.
fn within_time(seed: u64, state: &State, event: &Event) {
    let limits = &state.inputs.rules.limits;
    let most = u64::from(limits.max_duration_minutes) + state.ending.granted_minutes;
    let begins = matches!(event, Event::RoundStarted { .. });
    assert!(
        !begins || state.ending.attended || state.run.active_ms < most * 60_000,
        "seed {seed}: a round begins {} ms into {most} minutes",
        state.run.active_ms
    );
}

fn look_at(seed: u64, meeting: &Meeting) {
    let state = &meeting.state;
    assert!(state.discussion.waiting_speeches.is_empty() || state.stage == Stage::Speaking);
    let agreed = state.ending.is_agreed();
    assert!(
        !agreed || state.ledger.blocking().next().is_none(),
        "seed {seed}"
    );
    let least = match state.inputs.light {
        true => state.inputs.rules.limits.max_rounds.min(2),
        false => state.inputs.rules.limits.max_rounds,
    };
    assert!(state.round <= max_rounds(state), "seed {seed}");
    assert!(
        state.ending.granted_rounds > 0 || state.round <= least,
        "seed {seed}: a round too many"
    );
    for (member, used) in &state.ending.diligence.used {
        let most = diligence::push_max(&state.inputs, member);
        assert!(
            *used <= most,
            "seed {seed}: `{member}` was pushed too often"
        );
    }
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
                within_time(seed, state, &entry.event);
                state
                    .apply(&entry)
                    .unwrap_or_else(|why| panic!("seed {seed}: {why}"));
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
    let part = || {
        let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::with_cases(125)
        });
        let held = runner.run(&any::<u64>(), |seed| {
            hold(seed);
            Ok(())
        });
        held.unwrap();
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(part);
        }
    });
}

/// The machine accepts the start of a call only under the exact id that is due.
#[test]
fn a_call_is_started_under_its_own_name_only() {
    let mut meeting = Meeting::open("two things", inputs());
    let due = meeting.until(Purpose::Speech, &mut agreeable(1));
    let wrong: [fn(&mut CallId); 8] = [
        |call| call.scope = Scope::Question(1),
        |call| call.member = "SystemDesigner".into(),
        |call| call.turn = 2,
        |call| call.round = 2,
        |call| call.attempt = 2,
        |call| call.purpose = Purpose::Summary,
        |call| call.purpose = Purpose::Relay,
        |call| call.purpose = Purpose::Report,
    ];
    for change in wrong {
        let mut call = due.clone();
        change(&mut call);
        assert!(meeting.try_record(started(&call)).is_err(), "{call}");
    }
    meeting.record(started(&due));
    assert!(meeting.try_record(started(&due)).is_err(), "open already");
}
