//! Whole workshops in every dialect: the built binary, real TCP, the same script.

use std::process::Command;

use crate::support::binary::{Going, KEY, Place, files_below};
use crate::support::fake::{Fake, FakeConfig, Seen, WorkshopScript, settings, workshop};

const WISH: &str = "Export the customer list as CSV. Only admins may export.";

/// A team that requires the key in the right header.
fn team() -> Fake {
    let config = FakeConfig {
        key: Some(KEY.to_owned()),
        ..FakeConfig::default()
    };
    let script = WorkshopScript {
        rounds_to_converge: 1,
        ..WorkshopScript::default()
    };
    Fake::with(config, workshop(script))
}

fn plan(place: &Place) -> Command {
    place.command(&["plan", WISH, "--light", "--questions", "assume"])
}

/// Runs a workshop with one provider; returns its requests.
fn held(provider: &str) -> Vec<Seen> {
    let (fake, place) = (team(), Place::new());
    let mut command = plan(&place);
    command.envs(settings(&fake)).env("AITC_PROVIDER", provider);
    Going::start(command).end().ends(0);
    let calls = fake.chats();
    for seen in &calls {
        assert_eq!(
            seen.format(),
            Some("json_schema"),
            "{provider} {}",
            seen.key
        );
        assert!(seen.stream, "{provider} {}", seen.key);
        assert!(seen.turn.is_some(), "{provider}: {}", seen.text());
        assert!(!seen.body.to_string().contains(KEY));
    }
    assert!(
        calls
            .iter()
            .any(|seen| seen.key == "product_plan/ProductPlanner")
    );
    calls
}

#[test]
fn a_workshop_through_anthropic_is_marked_for_its_cache() {
    let calls = held("anthropic");
    for seen in &calls {
        assert_eq!(seen.headers["x-api-key"], KEY);
        assert!(!seen.headers.contains_key("authorization"));
        let marks = seen.body.to_string().matches("cache_control").count();
        assert!((2..=4).contains(&marks), "{}: {marks} marks", seen.key);
        let blocks = seen.body["messages"][0]["content"].as_array().unwrap();
        assert!(blocks.first().unwrap().get("cache_control").is_some());
        assert!(blocks.last().unwrap().get("cache_control").is_some());
    }
    // The part of a speaker's prompt up to the last cache mark is repeated in the next speaker's
    // prompt, byte for byte.
    let speech = |member: &str| {
        let key = format!("speech/{member}/r1");
        let seen = calls.iter().find(|seen| seen.key == key).unwrap();
        let blocks = seen.body["messages"][0]["content"].as_array().unwrap();
        blocks
            .iter()
            .map(|block| block["text"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let (first, second) = (speech("ProductPlanner"), speech("SystemDesigner"));
    assert_eq!(second[..first.len()], first[..]);
}

#[test]
fn a_workshop_through_ollama_asks_for_enough_context() {
    let mut largest = 0;
    for seen in held("ollama") {
        let context = seen.body["options"]["num_ctx"].as_u64().unwrap();
        let needed = seen.text().len() as u64 / 3;
        assert!(context > needed, "{}: {context} for {needed}", seen.key);
        assert!(context >= largest, "a smaller context loads the model anew");
        largest = context;
    }
}

/// Answers of a small model in a real run (`qwen2.5-coder-0.5b` with a grammar, two members, one
/// round, `--seed 7 --record`): realistic nonsense. Replaying them gives the same result.
#[test]
fn a_recording_of_a_real_model_is_replayed_to_the_same_end() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/recorded/en");
    let place = Place::new();
    place.configure_project("limits:\n  max_output_tokens: 400\n");
    let fixed = [
        "plan",
        "Users can mute a conversation",
        "--questions",
        "assume",
    ];
    let size = ["--roles", "PP,TP", "--light", "--rounds", "1"];
    let answers = ["--provider", "scripted", "--fixtures", folder];
    let ran = place.run(&[&fixed[..], &size, &answers].concat()).ends(7);
    assert!(ran.err.contains("round limit after 1 round"), "{ran:#?}");
    // One answer cited what does not exist and was requested again. No answer was used twice, and
    // none was left over.
    let lines = place.transcript("v1");
    let of = |phase: &str| lines.iter().filter(|line| line["phase"] == phase).count();
    assert_eq!(of("reply_rejected"), 1);
    let mut asked: Vec<String> = lines
        .iter()
        .filter(|line| line["phase"] == "call_started")
        .map(|line| line["call"].as_str().unwrap().replace('/', "__") + ".json")
        .collect();
    asked.sort();
    let recorded = files_below(std::path::Path::new(folder)).into_iter();
    assert_eq!(asked, recorded.map(|(name, _)| name).collect::<Vec<_>>());
    for command in [&["verify"][..], &["show", "report"]] {
        place.run(command).ends(0);
    }
}
