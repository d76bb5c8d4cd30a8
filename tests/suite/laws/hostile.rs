//! Law 11, R10 to R12, R14: output of a model, provider or cloned repository controls neither
//! terminal nor disk, and no secret is written to a file.

use serde_json::Value;

use crate::support::binary::{Going, KEY, Place, Ran, files_below};
use crate::support::fake::{Fake, FakeConfig, Reply, Seen, WorkshopScript, workshop};

const WISH: &str = "Export the customer list as CSV";

/// C0 and C1 control characters, escape sequences, bidirectional and invisible characters.
const NASTY: &str = "a\u{1b}[2Jb\u{1b}]0;pwned\u{7}c\u{9b}31md\u{202e}e\u{200b}f\u{8}g\rh\u{85}i\u{0}j\u{7f}k\u{2066}l";

/// Parts of a version that are files for programs.
const DOCUMENTS: [&str; 6] = ["product", "design", "dev", "test", "risk", "transcript"];

/// Fields that contain text rather than ids.
const WORDS: [&str; 27] = [
    "analysis",
    "why",
    "proposal",
    "title",
    "detail",
    "question",
    "reason",
    "understanding",
    "text",
    "architecture",
    "name",
    "purpose",
    "choice",
    "what",
    "feasibility",
    "strategy",
    "steps",
    "expected",
    "in_short",
    "otherwise",
    "given",
    "when",
    "then",
    "mitigation",
    "early_sign",
    "repayment",
    "label",
];

/// A server that plays the workshop and puts `words` into every text.
fn saying(words: &'static str) -> impl Fn(&Seen) -> Reply + Send + Sync + 'static {
    let script = workshop(WorkshopScript {
        questions: 1,
        ..WorkshopScript::default()
    });
    move |seen| match script(seen) {
        Reply::Text(text) => {
            let mut answer: Value = serde_json::from_str(&text).unwrap();
            put(&mut answer, words);
            Reply::Text(answer.to_string())
        }
        other => other,
    }
}

fn put(value: &mut Value, words: &str) {
    match value {
        Value::Object(map) => {
            for (key, inner) in map.iter_mut() {
                match inner {
                    Value::String(text) if WORDS.contains(&key.as_str()) => {
                        *text = format!("{text} {words}");
                    }
                    inner => put(inner, words),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| put(item, words)),
        _ => {}
    }
}

/// The first character that is not allowed in a page or on a terminal, with its position.
fn first_bad(text: &str) -> Option<(usize, char)> {
    text.char_indices().find(|(_, c)| {
        (c.is_control() && *c != '\n')
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
    })
}

#[track_caller]
fn assert_harmless(what: &str, text: &str) {
    if let Some((at, c)) = first_bad(text) {
        let line = text[..at].rsplit('\n').next().unwrap();
        panic!("{what} holds {c:?} after {line:?}");
    }
}

#[track_caller]
fn assert_both_harmless(what: &str, ran: &Ran) {
    assert_harmless(&format!("stdout of {what}"), &ran.out);
    assert_harmless(&format!("stderr of {what}"), &ran.err);
}

#[test]
fn r12_no_control_byte_of_a_model_reaches_terminal_or_speeches() {
    let config = FakeConfig {
        models: vec![format!("fake{NASTY}")],
        ..FakeConfig::default()
    };
    let (place, fake) = (Place::new(), Fake::with(config, saying(NASTY)));
    // The model's name comes from the server too.
    let mut command = place.command_with(&fake, &["plan", WISH, "-v"]);
    command.env_remove("AITC_MODEL");
    let ran = Going::start(command).end().ends(8);
    assert_both_harmless("plan", &ran);
    assert_harmless("questions.md", &place.text("v1.draft/questions.md"));
    assert_both_harmless("questions", &place.run(&["questions"]).ends(0));
    let ran = place.run_with(&fake, &["resume", "--questions", "assume"]);
    assert_both_harmless("resume", &ran.ends(0));
    for reading in [
        &["show"][..],
        &["show", "report"],
        &["show", "product"],
        &["show", "design"],
        &["show", "dev"],
        &["show", "test"],
        &["show", "risk"],
        &["show", "transcript"],
        &["show", "round", "1"],
        &["show", "I-1"],
        &["why", "AC-1"],
        &["status"],
        &["list"],
        &["check"],
        &["questions", "--all"],
    ] {
        let ran = place.run(reading);
        // `show` writes a requested file unchanged to a pipe.
        let is_file = |part: &&str| DOCUMENTS.contains(part);
        if !reading.iter().any(is_file) {
            assert_both_harmless(&reading.join(" "), &ran);
        }
        let json = place.run(&[reading, &["--json"]].concat());
        assert_both_harmless(&format!("{} --json", reading.join(" ")), &json);
    }
    for (path, bytes) in files_below(&place.outputs("v1")) {
        if path.starts_with("speeches/") || path.ends_with(".md") {
            assert_harmless(&path, &String::from_utf8(bytes).unwrap());
        }
    }
}

#[test]
fn r12_nor_through_the_stream_for_programs() {
    let (place, fake) = (Place::new(), Fake::start(saying(NASTY)));
    let arguments = [
        "plan",
        WISH,
        "--questions",
        "assume",
        "--output-format",
        "stream-json",
    ];
    let ran = place.run_with(&fake, &arguments).ends(0);
    assert_both_harmless("plan --output-format stream-json", &ran);
    for line in ran.out.lines() {
        let _: Value = serde_json::from_str(line).unwrap();
    }
    assert!(ran.out.contains("\\u001b"), "escaped, not lost");
}

#[test]
fn r12_nor_through_errors() {
    let body = serde_json::json!({"error": {"message": NASTY}}).to_string();
    for (reply, code) in [
        (Reply::status(400, vec![], &body), 5),
        (Reply::status(400, vec![], NASTY), 5),
        (Reply::Text(NASTY.to_owned()), 6),
    ] {
        let (place, fake) = (Place::new(), Fake::start(move |_| reply.clone()));
        let ran = place.run_with(&fake, &["plan", WISH]).ends(code);
        assert_both_harmless("a failed plan", &ran);
        assert!(ran.err.contains("error[E-"));
    }
}

#[test]
fn r10_paths_of_a_model_are_data() {
    let script = workshop(WorkshopScript::default());
    let fake = Fake::start(move |seen| match script(seen) {
        Reply::Text(text) => Reply::Text(
            text.replace("src/core_of_the_plan.rs", "../../../x/outside.rs")
                .replace("\"m1\"", "\"../../m1\""),
        ),
        other => other,
    });
    let place = Place::new();
    place.write("src/lib.rs", "// mine\n");
    let around = place.work().parent().unwrap().to_owned();
    let outside = || {
        let mut files = files_below(&around);
        files.retain(|(path, _)| !path.starts_with("work/.ai-tools-chain/"));
        files
    };
    let before = outside();
    place.run_with(&fake, &["plan", WISH]);
    assert_eq!(place.versions(), ["v1"]);
    for command in ["check", "show", "verify"] {
        place.run(&[command]);
    }
    place.run(&["verify", "--out", "there"]).ends(0);
    let after: Vec<_> = outside()
        .into_iter()
        .filter(|(path, _)| !path.starts_with("work/there/"))
        .collect();
    assert_eq!(after, before);
    assert!(!around.join("x").exists() && !around.parent().unwrap().join("x/outside.rs").exists());
}

#[test]
fn r10_a_link_in_a_cloned_repository_leads_nowhere() {
    for link in [".ai-tools-chain", ".ai-tools-chain/planning_outputs"] {
        let fake = Fake::start(workshop(WorkshopScript::default()));
        let (place, elsewhere) = (Place::new(), tempfile::tempdir().unwrap());
        let at = place.work().join(link);
        std::fs::create_dir_all(at.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), &at).unwrap();
        let ran = place.run_with(&fake, &["plan", WISH]);
        ran.fails(11, &[]);
        let found = files_below(elsewhere.path());
        assert!(found.is_empty(), "{link}: {found:?}");
    }
}

#[test]
fn r11_no_secret_reaches_a_file() {
    const TOKEN: &str = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
    let script =
        saying("with sk-fake-7Q2mZr81LxTn4vWc9bKe and ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let fake = Fake::start(move |seen| {
        let first = seen.times == 1;
        match seen.key.as_str() {
            "speech/TestPlanner/r1" if first => Reply::status(
                500,
                vec![],
                &format!(r#"{{"error":{{"message":"{KEY} {TOKEN}"}}}}"#),
            ),
            "speech/RiskPlanner/r1" if first => Reply::Text(format!("{KEY} {TOKEN}")),
            _ => script(seen),
        }
    });
    let place = Place::new();
    place.write(
        "docs/customer_export.md",
        &format!("Export the customer list with {KEY} or {TOKEN}\n"),
    );
    let wish = format!("{WISH}. Use {KEY} or {TOKEN}.");
    let ran = place.run_with(&fake, &["plan", &wish]).ends(8);
    let mut said = ran.out + &ran.err;
    place
        .run(&["answer", "Q-1", &format!("Take {TOKEN}")])
        .ends(0);
    for sent in ["say", "debate"] {
        place.run(&[sent, &format!("Not {TOKEN}")]).ends(0);
    }
    // The draft may be committed while its messages are waiting.
    for (path, bytes) in files_below(&place.work().join(".ai-tools-chain")) {
        let text = String::from_utf8(bytes).unwrap();
        assert!(
            !text.contains(TOKEN) && !text.contains(KEY),
            "{path}: {text}"
        );
    }
    let ran = place.run_with(&fake, &["resume"]).ends(0);
    said += &(ran.out + &ran.err);
    let feedback = format!("Rather {TOKEN}");
    let ran = place.run_with(&fake, &["revise", &feedback, "--questions", "assume"]);
    said += &(ran.out + &ran.err);
    assert_eq!(place.versions(), ["v1", "v2"]);
    for (path, bytes) in files_below(&place.work().join(".ai-tools-chain")) {
        let text = String::from_utf8(bytes).unwrap();
        for secret in [KEY, TOKEN] {
            let at = text.find(secret).unwrap_or(text.len());
            let before: String = text[..at].chars().rev().take(200).collect();
            let before: String = before.chars().rev().collect();
            assert!(!text.contains(secret), "{path} after {before}");
        }
    }
    assert!(!said.contains(KEY) && !said.contains(TOKEN), "{said}");
    // The secret was not sent to a model either.
    for seen in fake.seen() {
        assert!(!seen.text().contains(TOKEN), "{}", seen.key);
    }
}

#[test]
fn r14_a_cloned_repository_cannot_redirect_a_key() {
    let evil = Fake::start(workshop(WorkshopScript::default()));
    let good = Fake::start(workshop(WorkshopScript::default()));
    let url = evil.base_url();
    for line in [
        format!("base_url: {url}"),
        format!("providers:\n  openai:\n    base_url: {url}"),
        format!("proxy: {url}"),
        "command: touch pwned".to_owned(),
    ] {
        let place = Place::new();
        place.configure_project(&format!("{line}\n"));
        let ran = place.run_with(&good, &["plan", WISH]);
        ran.fails(3, &[".ai-tools-chain/config.yaml:1: ", "fix: "]);
        assert!(place.versions().is_empty());
        assert!(!place.work().join("pwned").exists());
    }
    assert_eq!(evil.connections(), 0);
    assert_eq!(good.connections(), 0);
}
