//! `aitc models` and `aitc doctor`: what is available, what is missing, and how to fix it.

use serde_json::{Value, json};

use crate::support::binary::{Going, KEY, Place, Ran};
use crate::support::fake::{
    AUTHORITY, Completion, Fake, FakeConfig, Reply, Seen, WorkshopScript, untrusted_before,
    workshop,
};

fn endpoint(script: impl Fn(&Seen) -> Reply + Send + Sync + 'static) -> Fake {
    let config = FakeConfig {
        key: Some(KEY.to_owned()),
        models: vec!["fake-1".to_owned(), "fake-2".to_owned()],
        ..FakeConfig::default()
    };
    Fake::with(config, script)
}

/// A valid answer; with `caches`, repeated input is reported as cached.
fn ready(caches: bool) -> impl Fn(&Seen) -> Reply + Send + Sync + 'static {
    move |seen| {
        let text = json!({"analysis": "ready", "positions": [], "corrections": [], "questions": [],
            "new_issues": [], "coach": null});
        let cached = if caches && seen.body.to_string().contains("same question again") {
            900
        } else {
            0
        };
        Reply::Full(Completion {
            usage: Some(json!({"prompt_tokens": 1000, "completion_tokens": 50,
                "prompt_tokens_details": {"cached_tokens": cached}})),
            ..Completion::new(&text.to_string())
        })
    }
}

fn run(place: &Place, fake: &Fake, provider: &str, key: &str, arguments: &[&str]) -> Ran {
    let mut command = place.command_at(provider, &fake.base_url(), arguments);
    command.env("AITC_API_KEY", key);
    let ran = Going::start(command).end();
    assert!(!ran.out.contains(KEY) && !ran.err.contains(KEY), "{ran:#?}");
    ran
}

fn document(ran: &Ran) -> Value {
    let document: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(document["v"], 1);
    document
}

/// Status, text and fix of the findings with this name.
fn findings(document: &Value, name: &str) -> Vec<(String, String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    document["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["name"] == name)
        .map(|one| (text(&one["status"]), text(&one["what"]), text(&one["fix"])))
        .collect()
}

#[test]
fn models_are_listed_with_what_each_role_would_use() {
    for provider in [
        "openai",
        "openai-responses",
        "anthropic",
        "gemini",
        "ollama",
    ] {
        let (place, fake) = (Place::new(), endpoint(ready(false)));
        let arguments = ["models", "--json", "--model", "TP=fake-2"];
        let ran = run(&place, &fake, provider, KEY, &arguments).ends(0);
        let document = document(&ran);
        let offer = &document["providers"][0];
        assert_eq!(offer["provider"], provider);
        assert_eq!(offer["answer"], "models");
        assert_eq!(offer["why"], Value::Null);
        assert_eq!(offer["models"], json!(["fake-1", "fake-2"]), "{provider}");
        let roles = document["roles"].as_array().unwrap();
        assert_eq!(roles.len(), 6);
        for role in roles {
            let own = role["code"] == "TP";
            assert_eq!(role["own"], own, "{role}");
            assert_eq!(role["model"], if own { "fake-2" } else { "fake-1" });
            assert!(
                role["why"]
                    .as_str()
                    .unwrap()
                    .contains("set in the environment")
            );
        }
        assert!(place.versions().is_empty());
    }
}

#[test]
fn models_for_people_mark_what_is_used() {
    let (place, fake) = (Place::new(), endpoint(ready(false)));
    let ran = run(&place, &fake, "openai", KEY, &["models"]).ends(0);
    assert!(ran.out.contains("\n* fake-1\n  fake-2\n"), "{}", ran.out);
    assert!(
        ran.out.contains("\nPP     fake-1 of openai\n"),
        "{}",
        ran.out
    );
    let ran = run(
        &place,
        &fake,
        "openai",
        KEY,
        &["models", "--model", "other"],
    )
    .ends(0);
    assert!(ran.out.contains("not among them: other"), "{}", ran.out);
}

#[test]
fn models_say_what_is_wrong_with_an_endpoint() {
    let (place, fake) = (Place::new(), endpoint(ready(false)));
    let ran = run(&place, &fake, "anthropic", "wrong", &["models", "--json"]).ends(4);
    assert_eq!(document(&ran)["providers"][0]["answer"], "refused");
    let gone = endpoint(ready(false)).base_url();
    let arguments = [
        "models",
        "--json",
        "--provider",
        "openai",
        "--model",
        "m",
        "--base-url",
        &gone,
    ];
    let ran = place.run_without_model(&arguments).ends(5);
    let offer = &document(&ran)["providers"][0];
    assert_eq!(offer["answer"], "silent");
    let why = offer["why"].as_str().unwrap();
    assert!(why.contains("no connection (Connection refused"), "{why}");
}

/// A company's gateway with a certificate of the company's own authority.
#[test]
fn models_are_listed_and_runs_go_on_where_a_file_vouches_for_the_endpoint() {
    let script = WorkshopScript {
        rounds_to_converge: 1,
        ..WorkshopScript::default()
    };
    let fake = Fake::start(workshop(script));
    let place = Place::new();
    let url = untrusted_before(&fake);
    let gateway = |more: &str| {
        let settings = format!("    base_url: {url}\n    api_key_env: GATEWAY_KEY\n{more}");
        place.configure(&format!(
            "provider: gateway\nproviders:\n  gateway:\n{settings}"
        ));
    };
    let run = |arguments: &[&str]| {
        let mut command = place.command_without_model(arguments);
        command.env("GATEWAY_KEY", KEY);
        Going::start(command).end()
    };
    // The certificate is not trusted, so nothing is sent.
    gateway("    model: fake-1\n");
    let ran = run(&["models", "--json"]).ends(5);
    let offer = &document(&ran)["providers"][0];
    assert_eq!(offer["answer"], "untrusted");
    let why = offer["why"].as_str().unwrap();
    assert!(why.contains("certificate is not trusted"), "{why}");
    let ran = run(&["models", "--lang", "zh"]).ends(5);
    assert!(ran.out.contains("证书不受信任"), "{ran:#?}");
    let ran = run(&["doctor", "--online", "--json"]);
    let (status, what, fix) = findings(&document(&ran), "reach").remove(0);
    assert_eq!(status, "fail");
    assert!(what.contains("certificate is not trusted"), "{what}");
    assert!(fix.contains("`ca_file`"), "{fix}");
    assert_eq!(fake.seen().len(), 0, "the key least of all");

    std::fs::write(place.home().join("roots.pem"), AUTHORITY).unwrap();
    let file = place.home().join("roots.pem");
    gateway(&format!("    ca_file: {}\n", file.display()));
    let ran = run(&["models", "--json"]).ends(0);
    let offer = &document(&ran)["providers"][0];
    assert_eq!(offer["answer"], "models");
    assert_eq!(offer["why"], Value::Null);
    assert_eq!(offer["models"], json!(["fake-1"]));
    let asked = fake.seen();
    assert_eq!(asked[0].headers["authorization"], format!("Bearer {KEY}"));
    assert!(asked.iter().all(|seen| seen.key == "models"));

    // Without a model name, the only listed model is used, by `models` and by a run.
    let wish = [
        "plan",
        "Users can mute a conversation",
        "--questions",
        "assume",
    ];
    let ran = run(&wish).ends(0);
    assert!(ran.err.contains("fake-1"), "{ran:#?}");
    assert_eq!(fake.calls("judgment/Coach"), 1, "{:?}", fake.counts());
}

#[test]
fn a_doctor_without_a_model_says_how_to_get_one() {
    let place = Place::new();
    let ran = place.run_without_model(&["doctor", "--json"]).ends(12);
    let document = document(&ran);
    assert_eq!(document["sound"], false);
    let (status, _, fix) = findings(&document, "model").remove(0);
    assert_eq!(status, "fail");
    for way in ["aitc plan --base-url", "aitc plan --provider hand"] {
        assert!(fix.contains(way), "{fix}");
    }
    let (status, _, fix) = findings(&document, "repository").remove(0);
    assert_eq!(status, "warn");
    assert!(fix.starts_with("git init"), "{fix}");
    assert_eq!(findings(&document, "writing")[0].0, "ok");
    // Doctor leaves no files.
    assert_eq!(std::fs::read_dir(place.work()).unwrap().count(), 0);
}

#[test]
fn a_doctor_asks_nobody_unless_told() {
    let (place, fake) = (Place::new(), endpoint(ready(true)));
    run(&place, &fake, "openai", KEY, &["doctor"]).ends(0);
    assert!(fake.seen().is_empty(), "{:?}", fake.counts());
}

/// If there is a sandbox, a trial tests it; otherwise doctor says what to install.
#[test]
fn a_doctor_runs_a_trial_and_says_what_one_could_read() {
    let (place, fake) = (Place::new(), endpoint(ready(true)));
    let ran = run(&place, &fake, "openai", KEY, &["doctor", "--json"]).ends(0);
    let trials = findings(&document(&ran), "trials");
    let (status, what, fix) = &trials[0];
    if status == "warn" {
        eprintln!("SKIPPED: {what}");
        assert!(fix.contains("install bubblewrap"), "{fix}");
        return;
    }
    assert!(what.starts_with("the sandbox works"), "{what}");
    assert!(trials[1].1.contains(", /usr"), "{trials:?}");
}

#[test]
fn a_doctor_online_tells_what_the_endpoint_can() {
    // Ollama does not report cached tokens.
    for (provider, cached) in [
        ("openai", "ok"),
        ("openai-responses", "ok"),
        ("anthropic", "ok"),
        ("gemini", "ok"),
        ("ollama", "warn"),
    ] {
        let (place, fake) = (Place::new(), endpoint(ready(true)));
        let ran = run(
            &place,
            &fake,
            provider,
            KEY,
            &["doctor", "--online", "--json"],
        )
        .ends(0);
        let document = document(&ran);
        let one = |name: &str| findings(&document, name).remove(0);
        assert_eq!(one("reach").0, "ok", "{document}");
        assert!(
            one("answers")
                .1
                .contains("takes a JSON Schema, and the answer was valid"),
            "{document}"
        );
        assert!(
            one("speed").1.starts_with("50 tokens written"),
            "{document}"
        );
        let (status, what, _) = one("cache");
        assert_eq!(status, cached, "{provider}: {document}");
        let known = "900 of 1000 tokens";
        assert_eq!(what.contains(known), cached == "ok", "{provider}: {what}");
        assert!(what.contains("took 2100 tokens"), "{provider}: {what}");
    }
}

/// The schema must be as narrow as in a run: with a grammar, a small model would fill every list of
/// a wide schema until the answer is cut.
#[test]
fn a_doctor_online_holds_a_grammar_as_a_run_does() {
    let (place, fake) = (Place::new(), endpoint(ready(true)));
    let arguments = ["doctor", "--online"];
    run(&place, &fake, "llamacpp", KEY, &arguments).ends(0);
    let asked = fake.seen();
    let calls = asked.iter().filter(|seen| seen.key != "models");
    let schemas: Vec<_> = calls
        .map(|seen| &seen.body["response_format"]["json_schema"]["schema"]["properties"])
        .collect();
    assert_eq!(schemas.len(), 2);
    for fields in schemas {
        assert_eq!(
            fields["positions"]["maxItems"], 0,
            "no position before a round"
        );
        assert!(fields["analysis"]["maxLength"].is_u64());
    }
}

#[test]
fn a_doctor_online_tells_what_is_wrong_and_what_to_do() {
    let place = Place::new();
    let fake = endpoint(ready(false));
    let ran = run(
        &place,
        &fake,
        "openai",
        "wrong",
        &["doctor", "--online", "--json"],
    )
    .ends(12);
    let told = document(&ran);
    assert_eq!(told["sound"], false);
    let (status, what, fix) = findings(&told, "reach").remove(0);
    assert_eq!(status, "fail");
    assert!(
        what.contains("401") && fix == "export OPENAI_API_KEY=…",
        "{what} {fix}"
    );

    let weak = endpoint(|seen| match seen.format() {
        None => Reply::Text("I would rather talk about the weather.".to_owned()),
        Some(_) => Reply::error(400, "response_format is unknown"),
    });
    let ran = run(
        &place,
        &weak,
        "openai",
        KEY,
        &["doctor", "--online", "--json"],
    )
    .ends(0);
    let told = document(&ran);
    let (status, what, fix) = findings(&told, "answers").remove(0);
    assert_eq!(status, "warn");
    assert!(
        what.contains("in the prompt only, and the answer was not valid"),
        "{what}"
    );
    assert!(fix.contains("--model"), "{fix}");
    assert_eq!(findings(&told, "cache")[0].0, "warn");
}

#[test]
fn a_doctor_finds_what_is_broken_on_this_machine() {
    let place = Place::new();
    place.run(&[
        "plan",
        "Export the list",
        "--light",
        "--questions",
        "assume",
    ]);
    let report = place.outputs("v1/planning_report.md");
    std::fs::write(&report, "changed").unwrap();
    std::fs::create_dir_all(place.outputs("v2.draft")).unwrap();
    place.configure_project("max_ronds: 3\n");
    let ran = place.run_without_model(&["doctor", "--json"]).ends(12);
    let document = document(&ran);
    let versions = findings(&document, "versions");
    assert!(
        versions[1].1.contains("v1 is not as it was published"),
        "{document}"
    );
    assert!(versions[2].2 == "aitc verify v2 --repair", "{document}");
    let (status, what, fix) = findings(&document, "configuration").remove(0);
    assert_eq!(status, "fail");
    assert!(
        what.contains("config.yaml:1") && fix.contains("max_rounds"),
        "{what} {fix}"
    );
    let text = place.run_without_model(&["doctor"]).ends(12).out;
    assert!(text.contains("\nfail  configuration"), "{text}");
    assert!(
        text.contains("\n                    fix: did you mean"),
        "{text}"
    );
}

/// What the installed agents would be allowed to do, according to their help.
#[test]
fn the_agents_of_this_machine_are_told_with_what_they_may_do() {
    use crate::support::programs::script;
    let place = Place::new();
    let says = |name: &str, version: &str, help: &str| {
        let text =
            format!("case \"$*\" in *--version) echo '{version}' ;; *) echo '{help}' ;; esac");
        script(&place.home(), name, &text);
    };
    let all = "-p, --print  --output-format  --no-session-persistence  --setting-sources \
        --strict-mcp-config --disable-slash-commands --tools --permission-mode --settings --model";
    says("claude", "2.1.332 (Claude Code)", all);
    says(
        "codex",
        "codex-cli 0.1.0",
        "-c, --config --sandbox --model --skip-git-repo-check",
    );
    says(
        "qwen",
        "0.24.4",
        "--safe-mode --approval-mode --include-directories --model",
    );
    script(&place.home(), "gemini", "echo no terminal >&2; exit 1");
    // Stand-ins for the programs that Claude Code's sandbox needs.
    for program in ["bwrap", "socat"] {
        script(&place.home(), program, "exit 0");
    }
    place.configure("providers: {qwen-code: {reads_workspace: false}}\n");
    let mut command = place.command(&["doctor", "--json"]);
    command.env("PATH", format!("{}:/usr/bin:/bin", place.home().display()));
    let document = document(&Going::start(command).end());
    let told: Vec<String> = findings(&document, "agent")
        .into_iter()
        .map(|(status, what, fix)| format!("{status}: {what}; {fix}"))
        .collect();
    assert_eq!(
        told,
        [
            "ok: Claude Code 2.1.332 can be used with `--provider claude-code`: it may read the \
             repository if you allow it, and cannot change it; started there without its settings \
             for agents; with trials on it works in a copy, which it may change; ",
            "warn: Codex 0.1.0 does not support --ephemeral, --ignore-rules, \
             which aitc needs to keep it from writing; npm install -g @openai/codex@latest",
            "warn: Gemini CLI did not list its options in time; \
             npm install -g @google/gemini-cli@latest",
            "ok: Qwen Code 0.24.4 can be used with `--provider qwen-code`: it sees only what aitc \
             shows every model, as set by `providers.qwen-code.reads_workspace`; ",
        ]
    );
}
