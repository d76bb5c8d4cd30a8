//! Whole workshops with a real, very small language model behind a real server.
//!
//! Such a model answers nonsense at a speed that depends on the machine, so only the form is
//! checked: a run ends in one of the possible ways, and its files are consistent. `just test-real`
//! downloads the model, starts it and runs these tests; otherwise they are ignored.
//!
//! On two cores a small model reads some hundred tokens a second and writes some tens. So a run has
//! two members with short answers, and the longest templates are replaced by short ones of the
//! workspace, `fixtures/local-model/`: the part that all prompts share, and in Chinese every task
//! too, since this model needs two or three tokens for a Han character.

use std::time::{Duration, Instant};

use aitc::chat::{ChatRequest, ChatRole, FinishReason, Message};
use aitc::config::ProviderSettings;
use aitc::edge::model::{
    AnswerPiece, ChatModel, Dialect, Listener, Remote, RemoteConfig, Route, Timeouts,
};
use aitc::machine::CallId;
use aitc::reply::contribution_schema;
use serde_json::Value;

use crate::support::binary::{Going, Place, Ran, json_lines};
use crate::support::tap::Tap;

/// A timeout against hanging, not a performance limit: even the slowest machine has to finish
/// within it.
const PATIENCE: Duration = Duration::from_secs(3 * 60 * 60);

/// The model for the tests.
struct Real {
    address: String,
    model: String,
}

/// Finds the model in the variables of `scripts/local-model run`; without them the tests fail,
/// because they were requested explicitly.
fn real() -> Real {
    let variable = |name| std::env::var(name).ok();
    let url = variable("AITC_BASE_URL").zip(variable("AITC_MODEL"));
    let (url, model) = url.expect("no local model is running: `just test-real` starts one");
    let address = url.trim_start_matches("http://").trim_end_matches("/v1");
    Real {
        address: address.to_owned(),
        model,
    }
}

/// A place whose runs request short answers, with the templates of a folder of
/// `fixtures/local-model`.
fn place(language: &str) -> Place {
    let place = Place::new();
    let limits = "limits:\n  max_output_tokens: 400\n  max_duration_minutes: 1440\n";
    place.configure_project(limits);
    // A busy machine may need minutes to read a prompt.
    place.configure(
        "providers:\n  llamacpp:\n    timeout_ms: 3600000\n    idle_timeout_ms: 3600000\n",
    );
    let folder = std::path::Path::new("fixtures/local-model").join(language);
    for file in folder.read_dir().unwrap().flatten() {
        let name = file.file_name().into_string().unwrap();
        let text = std::fs::read_to_string(file.path()).unwrap();
        place.write(&format!(".ai-tools-chain/templates/prompt/{name}"), &text);
    }
    place
}

fn start(place: &Place, real: &Real, base_url: &str, arguments: &[&str]) -> Going {
    let mut command = place.command(arguments);
    command
        .env("AITC_PROVIDER", "llamacpp")
        .env("AITC_BASE_URL", base_url)
        .env("AITC_MODEL", &real.model);
    Going::start(command)
}

fn plan(wish: &'static str, more: &[&'static str]) -> Vec<&'static str> {
    let fixed = [
        "plan",
        wish,
        "--questions",
        "assume",
        "--seed",
        "7",
        "--roles",
        "PP,TP",
    ];
    [&fixed[..], more].concat()
}

fn lines(place: &Place, version: &str) -> Vec<Value> {
    place.transcript(version)
}

fn of<'a>(lines: &'a [Value], phase: &str) -> Vec<&'a Value> {
    lines.iter().filter(|line| line["phase"] == phase).collect()
}

/// The run ended with code 0 or 7, and all its output agrees with that.
#[track_caller]
fn is_whole(place: &Place, ran: &Ran, members: usize, rounds: u64) {
    assert!([0, 7].contains(&ran.code), "{ran:#?}");
    let agreed = ran.code == 0;
    for command in ["verify", "list", "status"] {
        place.run(&[command, "--json"]).ends(0);
    }
    let lines = lines(place, "v1");
    let published = lines.last().unwrap();
    assert_eq!(published["phase"], "published");
    assert_eq!(published["stop"] == "consensus", agreed);
    assert_eq!(published["blocking"].as_array().unwrap().is_empty(), agreed);
    let plan = place.plan();
    assert_eq!(plan["status"] == "agreed", agreed);
    let report = place.text("v1/planning_report.md");
    let marks = ["> **Unresolved", "> **未达成一致"];
    assert_eq!(marks.iter().any(|mark| report.contains(mark)), !agreed);

    let held = of(&lines, "round_started").len();
    assert!(held as u64 <= rounds, "{held} rounds");
    let spoken = of(&lines, "speaking").len() + of(&lines, "call_given_up").len();
    assert_eq!(spoken, held * members);
    assert_eq!(of(&lines, "consensus_summary").len(), held);
    assert_eq!(of(&lines, "report").len(), 1);
    let documents = of(&lines, "document").len();
    let files = place.outputs("v1").read_dir().unwrap().flatten();
    let json = files.filter(|file| {
        let name = file.file_name().into_string().unwrap();
        name.ends_with(".json") && !["planning.ai.json", "manifest.json"].contains(&&*name)
    });
    assert_eq!(documents, json.count());
}

/// Receipts of all answers, usable or not, in order.
fn receipts(lines: &[Value]) -> Vec<&Value> {
    let receipts = lines.iter().map(|line| match &line["receipt"] {
        Value::Null => line,
        receipt => receipt,
    });
    receipts.filter(|line| line["usage"].is_object()).collect()
}

/// Token counts come from the server, and the shared prefix was cached.
#[track_caller]
fn is_counted(place: &Place, version: &str) {
    let lines = lines(place, version);
    let receipts = receipts(&lines);
    let usage = |line: &Value, field: &str| line["usage"][field].as_u64().unwrap();
    let (mut input, mut cached) = (0, 0);
    for (n, receipt) in receipts.iter().enumerate() {
        assert!(usage(receipt, "input") > 200, "{receipt}");
        assert!(usage(receipt, "output") > 0, "{receipt}");
        if n > 0 {
            assert!(usage(receipt, "cached_input") > 0, "{receipt}");
            input += usage(receipt, "input");
            cached += usage(receipt, "cached_input");
        }
    }
    assert!(cached * 2 > input, "{cached} of {input}");
}

#[test]
#[ignore = "needs a local model: just test-real"]
fn a_light_workshop_in_english() {
    let real = real();
    let place = place("en");
    let tap = Tap::before(&real.address);
    let wish = plan(
        "Users can mute a conversation",
        &["--light", "--rounds", "1"],
    );
    let ran = start(&place, &real, &tap.base_url(), &wish).end_within(PATIENCE);
    is_whole(&place, &ran, 2, 1);
    is_counted(&place, "v1");
    streams(&tap);
}

/// Answers were streamed in pieces, and the last piece contained the usage.
#[track_caller]
fn streams(tap: &Tap) {
    let heard = tap.heard();
    let find = |bytes: &[u8], part: &str| String::from_utf8_lossy(bytes).matches(part).count();
    let streams: Vec<_> = heard
        .iter()
        .filter(|(bytes, _)| find(bytes, "text/event-stream") > 0)
        .collect();
    let answers: usize = streams
        .iter()
        .map(|(b, _)| find(b, "text/event-stream"))
        .sum();
    let pieces: usize = streams.iter().map(|(_, pieces)| pieces).sum();
    let counted: usize = streams
        .iter()
        .map(|(b, _)| find(b, "\"prompt_tokens\""))
        .sum();
    // Judgment, two speeches, summary, two documents, report.
    assert!(answers >= 7, "{answers} streams");
    assert!(
        pieces > 10 * answers,
        "{pieces} pieces of {answers} answers"
    );
    assert!(counted >= answers, "{counted} of {answers} counted");
}

#[test]
#[ignore = "needs a local model: just test-real"]
fn a_light_workshop_in_chinese() {
    let real = real();
    let place = place("zh");
    let url = format!("http://{}/v1", real.address);
    let wish = plan("用户可以把会话设为免打扰", &["--light", "--rounds", "1"]);
    let ran = start(&place, &real, &url, &wish).end_within(PATIENCE);
    is_whole(&place, &ran, 2, 1);
    is_counted(&place, "v1");
}

/// A run of two rounds that is killed and resumed.
#[test]
#[ignore = "needs a local model: just test-real"]
fn a_workshop_of_two_rounds_that_was_killed() {
    two_rounds_and_a_kill("en", "Users can mute a conversation");
}

#[test]
#[ignore = "needs a local model: just test-real"]
fn a_workshop_of_two_rounds_in_chinese_that_was_killed() {
    two_rounds_and_a_kill("zh", "用户可以把会话设为免打扰");
}

fn two_rounds_and_a_kill(language: &str, wish: &'static str) {
    let real = real();
    let place = place(language);
    let url = format!("http://{}/v1", real.address);
    let wish = plan(wish, &["--rounds", "2"]);
    let mut going = start(&place, &real, &url, &wish);
    let late = Instant::now() + PATIENCE;
    // Kill it during the third answer: two are recorded, one is lost.
    let answers = || match place.lines("v1.draft") {
        0 => 0,
        n => {
            let text = place.text("v1.draft/planning_transcript.jsonl");
            let whole: Vec<_> = text.lines().take(n).collect();
            receipts(&json_lines(&(whole.join("\n") + "\n"))).len()
        }
    };
    while answers() < 2 && !going.is_over() {
        assert!(Instant::now() < late, "nothing comes");
        std::thread::sleep(Duration::from_millis(100));
    }
    going.kill();
    let before = place.text("v1.draft/planning_transcript.jsonl");
    let (ran, resumed) = resume(&place, &real, &url);
    is_whole(&place, &ran, 2, 2);
    is_counted(&place, "v1");
    let after = place.text("v1/planning_transcript.jsonl");
    let kept = &before[..=before.rfind('\n').unwrap()];
    assert!(after.starts_with(kept), "what was recorded stands");
    // Recorded answers are not requested again, and lost ones only once. An unusable reply counts
    // as an answer: the next attempt has another id.
    let lines = lines(&place, "v1");
    assert_eq!(of(&lines, "resumed").len(), resumed);
    let mut answered: Vec<String> = receipts(&lines)
        .iter()
        .map(|receipt| receipt["call"].to_string())
        .collect();
    let all = answered.len();
    answered.sort();
    answered.dedup();
    assert_eq!(answered.len(), all, "no call was answered twice");
    let ended = |lines: &[Value]| receipts(lines).len() + of(lines, "call_failed").len();
    let lost = of(&lines, "call_started").len() - ended(&lines);
    let before = json_lines(kept);
    let flew = of(&before, "call_started").len() - ended(&before);
    assert_eq!(lost, flew, "what flew when it was killed, and nothing else");
    assert!(flew <= 1 && ended(&before) >= 2, "{before:?}");
}

/// Resumes the run until it ends, and returns how often. A model of this size often overruns its
/// limit three times in a row. That stops the run with code 6, and resuming it tries again.
fn resume(place: &Place, real: &Real, url: &str) -> (Ran, usize) {
    const MOST: usize = 6;
    let mut times = 1;
    loop {
        let ran = start(place, real, url, &["resume"]).end_within(PATIENCE);
        if ran.code != 6 || times == MOST {
            return (ran, times);
        }
        assert!(ran.err.contains("E-reply-unusable"), "{ran:#?}");
        place.run(&["verify"]).ends(0);
        times += 1;
    }
}

/// Counts the pieces of an answer.
#[derive(Default)]
struct CountingListener(std::sync::atomic::AtomicUsize);

impl Listener for CountingListener {
    fn on_piece(&self, _: &CallId, _: AnswerPiece<'_>) {
        self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
    }
}

fn said(role: ChatRole, content: &str) -> Message {
    Message {
        role,
        content: content.into(),
    }
}

/// The server implements three dialects. In two of them it ignores the schema, so the answers would
/// be unusable in a workshop; streaming and usage work in all of them.
#[tokio::test]
#[ignore = "needs a local model: just test-real"]
async fn every_dialect_the_server_speaks() {
    let real = real();
    for dialect in [
        Dialect::OpenAi,
        Dialect::OpenAiResponses,
        Dialect::Anthropic,
    ] {
        let model = Remote::new(RemoteConfig {
            name: "llamacpp".to_owned(),
            dialect,
            base_url: format!("http://{}/v1", real.address),
            api_key: None,
            timeouts: Timeouts {
                idle: PATIENCE,
                call: PATIENCE,
                ..Timeouts::default()
            },
            route: Route::default(),
            habits: ProviderSettings::default(),
        })
        .unwrap();
        let mut request = ChatRequest {
            call: "root/judgment/Coach/r0/t1/a1".parse().unwrap(),
            model: real.model.clone(),
            messages: vec![
                said(ChatRole::System, &"Be brief. ".repeat(60)),
                said(ChatRole::User, "Count to a thousand."),
            ],
            schema: contribution_schema(),
            max_output_tokens: 24,
            temperature: Some(0.2),
            seed: Some(7),
            known: Default::default(),
        };
        for again in [false, true] {
            let listener = CountingListener::default();
            let mut answer = model.chat_streaming(&request, &listener).await;
            // The server may close an idle connection just when it is used again: repeat the call
            // once, as a run does.
            if answer.as_ref().is_err_and(|failure| failure.retryable) {
                answer = model.chat_streaming(&request, &listener).await;
            }
            let answer = answer.unwrap();
            let heard = listener.0.load(std::sync::atomic::Ordering::SeqCst);
            assert!(heard > 1, "{dialect:?}: {heard} pieces");
            assert!(!answer.text.is_empty(), "{dialect:?}");
            // No valid object is this short, so with a schema the answer is cut; without one it may
            // be complete.
            let tokens = answer.usage.output;
            let is_cut = answer.finish == FinishReason::Length;
            assert_eq!(is_cut, tokens == 24, "{dialect:?}: {answer:?}");
            assert!((1..=24).contains(&tokens), "{dialect:?}: {answer:?}");
            assert!(is_cut || dialect != Dialect::OpenAi, "{answer:?}");
            assert!(answer.usage.input > 120, "{dialect:?}: {:?}", answer.usage);
            if again {
                let cached = answer.usage.cached_input;
                assert!(cached > 120, "{dialect:?}: {:?}", answer.usage);
            }
            // As in another attempt: the previous answer, and what was wrong with it.
            request
                .messages
                .push(said(ChatRole::Assistant, &answer.text));
            request.messages.push(said(ChatRole::User, "That was cut."));
        }
    }
}
