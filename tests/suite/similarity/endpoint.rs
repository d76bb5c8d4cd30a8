//! The embeddings endpoint: requests, answers, and a run that uses it.

use aitc::config::ProviderSettings;
use aitc::edge::model::{Dialect, EmbeddingModel, Embeddings, RemoteConfig, Timeouts, Vectors};
use aitc::machine::FailureKind;

use crate::support::binary::{Going, Place};
use crate::support::fake::{Embedding, Fake, FakeConfig, Reply, vector};

fn server(embedding: Embedding) -> Fake {
    let config = FakeConfig {
        embedding,
        ..FakeConfig::default()
    };
    Fake::with(config, |_| Reply::status(500, vec![], "no chat here"))
}

fn client(fake: &Fake, name: &str) -> Embeddings {
    let config = RemoteConfig {
        dialect: match name {
            "ollama" => Dialect::Ollama,
            _ => Dialect::OpenAi,
        },
        base_url: fake.base_url(),
        api_key: Some("sk-secret".to_owned()),
        timeouts: Timeouts::default(),
        route: Default::default(),
        habits: ProviderSettings::default(),
        name: name.to_owned(),
    };
    Embeddings::new(&config, "e5").unwrap()
}

fn embed(client: &Embeddings, texts: &[&str]) -> Result<Vectors, aitc::edge::model::CallFailure> {
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(client.embed(&texts))
}

fn narrow(vector: Vec<f64>) -> Vec<f32> {
    vector.into_iter().map(|one| one as f32).collect()
}

#[test]
fn both_dialects_bring_one_vector_a_text_in_order() {
    let fake = server(Embedding::Vectors);
    for (name, path) in [("openai", "/v1/embeddings"), ("ollama", "/api/embed")] {
        let answer = embed(&client(&fake, name), &["alpha", "你好"]).unwrap();
        assert_eq!(answer.tokens, 20);
        let wanted = [narrow(vector("alpha")), narrow(vector("你好"))];
        assert_eq!(answer.vectors, wanted, "{name}");
        let seen = fake.seen().pop().unwrap();
        assert_eq!(seen.path, path);
        assert_eq!(seen.body["model"], "e5");
        assert_eq!(seen.headers["authorization"], "Bearer sk-secret");
    }
}

#[test]
fn many_texts_go_in_batches_and_come_back_in_order() {
    let fake = server(Embedding::Vectors);
    let texts: Vec<String> = (0..150).map(|n| "x".repeat(n + 1)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let answer = embed(&client(&fake, "openai"), &texts).unwrap();
    assert_eq!(fake.calls("embeddings"), 3);
    let wanted: Vec<Vec<f32>> = texts.iter().map(|text| narrow(vector(text))).collect();
    assert_eq!(answer.vectors, wanted);
}

#[test]
fn every_way_to_fail_is_told_without_the_key() {
    for (embedding, kind, words) in [
        (
            Embedding::TooFew,
            FailureKind::Protocol,
            "1 vectors came back",
        ),
        (Embedding::Unknown, FailureKind::Refused, "no such model"),
        (Embedding::Broken, FailureKind::Server, "it broke"),
        (
            Embedding::Nonsense,
            FailureKind::Protocol,
            "no list of vectors",
        ),
    ] {
        let fake = server(embedding);
        let failure = embed(&client(&fake, "openai"), &["a", "b"]).unwrap_err();
        assert_eq!(failure.kind, kind, "{}", failure.detail);
        assert!(failure.detail.contains(words), "{}", failure.detail);
        assert!(!failure.detail.contains("sk-secret"));
    }
}

/// Runs a workshop that measures similarity with the server; returns the measurements in its
/// transcript.
fn measured(fake: &Fake) -> Vec<serde_json::Value> {
    let place = Place::new();
    let wish = "Export the orders as a CSV file. Sign in with a second factor.";
    let mut command = place.command(&["plan", "--questions", "assume", wish]);
    command
        .env("AITC_SIMILARITY_PROVIDER", "openai")
        .env("AITC_SIMILARITY_MODEL", "e5")
        .env("OPENAI_BASE_URL", fake.base_url())
        .env("OPENAI_API_KEY", "sk-secret")
        .env("AITC_PROVIDER", "vllm");
    Going::start(command).end().ends(0);
    let text = place.text("v1/planning_transcript.jsonl");
    assert!(!text.contains("sk-secret"));
    place.events("v1", "similarity_measured")
}

#[test]
fn a_run_asks_the_endpoint_once_a_round_and_records_what_it_said() {
    let fake = server(Embedding::Vectors);
    let measured = measured(&fake);
    assert_eq!(fake.calls("embeddings"), measured.len());
    assert!(!measured.is_empty());
    for line in &measured {
        assert_eq!(line["measure"], "embeddings:e5");
        assert_eq!(line["asked"]["provider"], "openai");
        let texts = line["asked"]["texts"].as_u64().unwrap();
        assert_eq!(line["asked"]["tokens"], texts * 10);
        assert!(line.get("fallback").is_none());
    }
}

#[test]
fn an_endpoint_that_fails_ends_no_run_and_the_record_says_so() {
    for (embedding, words) in [
        (Embedding::Broken, "it broke"),
        (Embedding::Zeros, "no direction"),
    ] {
        let measured = measured(&server(embedding));
        assert!(!measured.is_empty());
        for line in &measured {
            assert_eq!(line["measure"], "lexical");
            let reason = line["fallback"].as_str().unwrap();
            assert!(reason.contains(words), "{reason}");
        }
    }
}
