//! Whole workshops in every dialect: the built binary, real TCP, the same script.

use std::process::Command;

use serde_json::Value;

use crate::support::binary::{Going, KEY, Place, files_below, transcript_in};
use crate::support::fake::{
    Completion, Fake, FakeConfig, Reply, Seen, WorkshopScript, settings, workshop,
};

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

fn receipts(place: &Place) -> Vec<Value> {
    place
        .transcript("v1")
        .into_iter()
        // The receipt is in its own field if it is optional.
        .map(|line| match &line["receipt"] {
            Value::Object(_) => line["receipt"].clone(),
            _ => line,
        })
        .filter(|receipt| receipt["usage"].is_object())
        .collect()
}

/// A complete version, with the usage of every call and without the key; returns the number of
/// calls.
fn whole(place: &Place, format: &str) -> usize {
    assert_eq!(place.versions(), ["v1"]);
    place.run(&["verify"]).ends(0);
    let receipts = receipts(place);
    for receipt in &receipts {
        assert_eq!(receipt["answer_format"], format, "{receipt}");
        assert!(receipt["usage"]["input"].as_u64().unwrap() > 0, "{receipt}");
        assert!(
            receipt["usage"]["output"].as_u64().unwrap() > 0,
            "{receipt}"
        );
    }
    for (path, bytes) in files_below(place.work()) {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(KEY), "{path} holds the key");
    }
    receipts.len()
}

/// Runs a workshop with one provider; returns its requests.
fn held(provider: &str) -> Vec<Seen> {
    let (fake, place) = (team(), Place::new());
    let mut command = plan(&place);
    command.envs(settings(&fake)).env("AITC_PROVIDER", provider);
    Going::start(command).end().ends(0);
    let calls = fake.chats();
    assert_eq!(whole(&place, "json_schema"), calls.len());
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
fn a_workshop_through_every_dialect() {
    let bearer = format!("Bearer {KEY}");
    for (provider, path, header, key) in [
        (
            "openai",
            "/v1/chat/completions",
            "authorization",
            bearer.as_str(),
        ),
        (
            "openai-responses",
            "/v1/responses",
            "authorization",
            &bearer,
        ),
        ("gemini", ":streamGenerateContent", "x-goog-api-key", KEY),
    ] {
        for seen in held(provider) {
            assert!(seen.path.ends_with(path), "{}", seen.path);
            assert_eq!(seen.headers[header], key);
        }
    }
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

/// A role may be answered by a provider that only the user's own file describes. Its prompts go to
/// no other one, wherever it is named; a model's name may still contain a colon.
#[test]
fn a_role_is_answered_by_the_users_own_provider_that_is_named_before_the_colon() {
    let pausing = || Fake::start(workshop(WorkshopScript::asking(1)));
    let named = "RP=gateway:large:1";
    for (file, variable, begun, resumed) in [
        ("role_models: {RP: \"gateway:large:1\"}", None, None, None),
        ("", Some(named), None, None),
        ("", None, Some(named), None),
        ("", None, None, Some(named)),
    ] {
        let (local, gateway, place) = (pausing(), pausing(), Place::new());
        place.configure(&format!(
            "provider: local\nproviders:\n  local: {{base_url: {}, model: \"small:2\"}}\n  \
             gateway: {{base_url: {}}}\n{file}\n",
            local.base_url(),
            gateway.base_url()
        ));
        let run = |arguments: &[&str], model: Option<&str>| {
            let mut command = place.command_without_model(arguments);
            command.args(model.iter().flat_map(|named| ["--model", named]));
            command.envs(variable.map(|pair| ("AITC_ROLE_MODELS", pair)));
            Going::start(command).end()
        };
        run(&["plan", WISH, "--review", "off"], begun).ends(8);
        run(&["resume", "--questions", "assume"], resumed).ends(0);
        assert!(gateway.chats().len() > 1);
        for (server, model, is_own) in [(gateway, "large:1", true), (local, "small:2", false)] {
            for seen in server.chats() {
                assert_eq!(seen.key.contains("RiskPlanner"), is_own, "{}", seen.key);
                assert_eq!(seen.body["model"], model, "{}", seen.key);
            }
        }
    }
}

/// A request that an endpoint refuses is made only once in a run.
#[test]
fn a_run_remembers_what_its_endpoint_takes() {
    let script = workshop(WorkshopScript {
        rounds_to_converge: 1,
        ..WorkshopScript::default()
    });
    let fake = Fake::start(move |seen| match seen.format() {
        Some("tool_call") => match script(seen) {
            Reply::Text(text) => Reply::Full(Completion {
                as_call: true,
                ..Completion::new(&text)
            }),
            other => other,
        },
        _ => Reply::status(
            400,
            vec![],
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"output_config: Extra inputs are not permitted"}}"#,
        ),
    });
    let place = Place::new();
    let mut command = plan(&place);
    command
        .envs(settings(&fake))
        .env("AITC_PROVIDER", "anthropic");
    Going::start(command).end().ends(0);
    let calls = fake.chats();
    assert_eq!(whole(&place, "tool_call") + 1, calls.len());
    for seen in &calls[1..] {
        assert_eq!(seen.format(), Some("tool_call"));
        assert!(seen.schema.is_some());
    }
}

/// Answers of a very small model in a real run (`smollm2-135m` with a grammar, two members, one
/// round): realistic nonsense. Replaying them gives the same result.
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
    // Two answers were unusable and requested again; no answer was used twice, and none was left
    // over.
    let lines = place.transcript("v1");
    let of = |phase: &str| lines.iter().filter(|line| line["phase"] == phase).count();
    assert_eq!(of("reply_rejected"), 2);
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

/// The events without times and data of the endpoint.
fn told(place: &Place, folder: &str) -> Vec<Value> {
    let version = format!(".ai-tools-chain/{folder}/v1");
    let lines = transcript_in(&place.work().join(version)).into_iter();
    let parts = ["phase", "actor", "call", "output", "changes", "resolution"];
    // Without the first line, which contains the model.
    lines
        .skip(1)
        .map(|line| {
            let call = line["receipt"]["call"].clone();
            let kept = parts.map(|part| line[part].clone());
            Value::from([&kept[..], &[call]].concat())
        })
        .collect()
}

/// Calls of debates and teams are named by debate and phase: a recording contains each of them, and
/// a replay finds each.
#[test]
fn a_recording_of_every_format_is_replayed_word_for_word() {
    let debate = ["plan", WISH, "--review-debate", "--roles", "PP,SD"];
    let team = ["team", "Compare ways to store receipts", "--review-debate"];
    let board = ["board", "One service or several?", "--members", "PP,SD"];
    for (arguments, outputs, needs, holds) in [
        (&debate[..], "planning_outputs", 3, "D-1__argument"),
        (&team[..], "planning_outputs/team", 2, "P-2__step"),
        (&board[..], "planning_outputs/board", 2, "root__speech"),
    ] {
        let script = WorkshopScript {
            needs,
            rounds_to_converge: 1,
            ..WorkshopScript::default()
        };
        let fake = Fake::start(workshop(script));
        let [place, again] = [Place::new(), Place::new()];
        for place in [&place, &again] {
            // Concurrent answers would be recorded in order of arrival.
            place.configure_project("limits:\n  concurrency: 1\n");
        }
        let fixed = [arguments, &["--questions", "assume"]].concat();
        place
            .run_with(&fake, &[&fixed[..], &["--record", "answers"]].concat())
            .ends(0);
        drop(fake);
        let folder = place.work().join("answers");
        let recorded = files_below(&folder);
        assert!(
            recorded.iter().any(|(name, _)| name.starts_with(holds)),
            "{:?}",
            recorded.iter().map(|(name, _)| name).collect::<Vec<_>>()
        );
        let answers = ["--provider", "scripted", "--fixtures"];
        let folder = [folder.to_str().unwrap()];
        again.run(&[&fixed[..], &answers, &folder].concat()).ends(0);
        assert_eq!(told(&place, outputs), told(&again, outputs), "{outputs}");
    }
}
