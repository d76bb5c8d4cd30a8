//! Which model a run uses.

use std::collections::BTreeMap;
use std::time::Duration;

use aitc::config::ProviderSettings;
use aitc::edge::model::providers::{LOCALS, Local};
use aitc::edge::model::{Choice, Dialect, FoundModel, Route, Wish, discover};
use aitc::fault::Fault;

use super::KEY;
use crate::support::fake::{Fake, FakeConfig, Reply};

/// If a service is chosen because of its key, the settings under its name apply; otherwise the key
/// would be sent to an address that the user did not intend.
#[tokio::test]
async fn a_service_found_by_its_key_is_the_one_that_is_described() {
    let mut wish = wish(Choice::default());
    let own = ProviderSettings {
        base_url: Some("https://gateway.example/v1".to_owned()),
        model: Some("own".to_owned()),
        dialect: Some("openai-responses".to_owned()),
        ..ProviderSettings::default()
    };
    wish.described.insert("openai".to_owned(), own);
    let env = [
        ("OPENAI_API_KEY", KEY),
        ("OPENAI_BASE_URL", "https://other.example/v1"),
    ];
    let found = find(wish.clone(), &env).await.unwrap();
    assert_eq!(
        endpoint(&found),
        ("https://gateway.example/v1", Some(KEY)),
        "a name's own address before the variable of the service"
    );
    assert_eq!(found.model, "own");
    let dialect = found.endpoint.unwrap().dialect;
    assert_eq!(dialect, Dialect::OpenAiResponses);
    wish.flag.model = Some("asked".to_owned());
    assert_eq!(find(wish.clone(), &env).await.unwrap().model, "asked");
    // The settings name another key for that address, so the service's key is not sent there.
    let own = wish.described.get_mut("openai").unwrap();
    own.api_key_env = Some("GATEWAY_KEY".to_owned());
    let found = find(wish.clone(), &env).await.unwrap();
    assert_eq!(endpoint(&found), ("https://gateway.example/v1", None));
    let both = [env[0], ("GATEWAY_KEY", "the gateway's")];
    let found = find(wish, &both).await.unwrap();
    let expected = ("https://gateway.example/v1", Some("the gateway's"));
    assert_eq!(endpoint(&found), expected);
}

/// A wish with these flags that does not search for local servers.
fn wish(flag: Choice) -> Wish {
    Wish {
        flag,
        config: Choice::default(),
        locals: Vec::new(),
        dialect: None,
        command: None,
        described: BTreeMap::new(),
        // The test machine may be busy.
        local_patience: Duration::from_secs(1),
        route: Route::default(),
    }
}

fn provider(name: &str) -> Choice {
    Choice {
        provider: Some(name.to_owned()),
        ..Choice::default()
    }
}

async fn find(wish: Wish, env: &[(&str, &str)]) -> Result<FoundModel, Fault> {
    let env: BTreeMap<String, String> = env
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    discover(&wish, &|name| env.get(name).cloned()).await
}

fn endpoint(found: &FoundModel) -> (&str, Option<&str>) {
    let endpoint = found.endpoint.as_ref().unwrap();
    (&endpoint.base_url, endpoint.api_key.as_deref())
}

/// A variable, the provider that its key belongs to, and the provider's address.
const USUAL: &str = "\
    OPENAI_API_KEY openai https://api.openai.com/v1
    ANTHROPIC_API_KEY anthropic https://api.anthropic.com/v1
    GEMINI_API_KEY gemini https://generativelanguage.googleapis.com/v1beta
    GOOGLE_API_KEY gemini https://generativelanguage.googleapis.com/v1beta
    DEEPSEEK_API_KEY deepseek https://api.deepseek.com/v1
    DASHSCOPE_API_KEY qwen https://dashscope.aliyuncs.com/compatible-mode/v1
    MOONSHOT_API_KEY moonshot https://api.moonshot.cn/v1
    ZHIPUAI_API_KEY zhipu https://open.bigmodel.cn/api/paas/v4
    OPENROUTER_API_KEY openrouter https://openrouter.ai/api/v1
    MISTRAL_API_KEY mistral https://api.mistral.ai/v1
    GROQ_API_KEY groq https://api.groq.com/openai/v1
    XAI_API_KEY xai https://api.x.ai/v1
    CEREBRAS_API_KEY cerebras https://api.cerebras.ai/v1";

#[tokio::test]
async fn every_usual_key_variable_finds_its_provider() {
    for line in USUAL.lines() {
        let [variable, name, host] =
            std::array::from_fn(|n| line.split_whitespace().nth(n).unwrap());
        let found = find(wish(Choice::default()), &[(variable, KEY)])
            .await
            .unwrap();
        assert_eq!(found.provider, name);
        assert_eq!(endpoint(&found), (host, Some(KEY)));
        assert!(!found.model.is_empty());
        assert!(
            found.why.en.contains(variable) && !found.why.en.contains(KEY),
            "{}",
            found.why.en
        );
        assert!(!format!("{found:?}").contains(KEY));
    }
}

#[tokio::test]
async fn what_was_asked_for_first_decides() {
    let keys = [
        ("OPENAI_API_KEY", "k-openai"),
        ("GROQ_API_KEY", "k-groq"),
        ("XAI_API_KEY", "k-xai"),
        ("AITC_PROVIDER", "xai"),
        ("AITC_MODEL", "env-model"),
    ];
    let mut both = wish(provider("groq"));
    both.config = provider("openai");
    let found = find(both.clone(), &keys).await.unwrap();
    assert_eq!(
        (found.provider.as_str(), found.model.as_str()),
        ("groq", "env-model")
    );
    assert_eq!(endpoint(&found).1, Some("k-groq"));

    both.flag = Choice::default();
    assert_eq!(find(both.clone(), &keys).await.unwrap().provider, "xai");
    both.config = provider("groq");
    assert_eq!(
        find(both.clone(), &keys[..3]).await.unwrap().provider,
        "groq"
    );
    both.config = Choice::default();
    assert_eq!(find(both, &keys[..3]).await.unwrap().provider, "openai");
}

/// Flag, then variable, then file; separately for each part of a choice.
#[tokio::test]
async fn each_part_comes_from_the_strongest_source_that_has_it() {
    let choice = |model: &str, url: &str| Choice {
        provider: Some("openai".to_owned()),
        model: Some(model.to_owned()),
        base_url: Some(format!("https://{url}.example/v1")),
    };
    let env = [
        ("AITC_PROVIDER", "openai"),
        ("AITC_MODEL", "of-env"),
        ("AITC_BASE_URL", "https://env.example/v1"),
    ];
    let (flag, file) = (choice("of-flag", "flag"), choice("of-file", "file"));
    for (flag, env, config, expected) in [
        (flag.clone(), &env[..], file.clone(), "flag"),
        (flag, &[], file.clone(), "flag"),
        (Choice::default(), &env[..], file.clone(), "env"),
        (Choice::default(), &[], file, "file"),
        (Choice::default(), &env[..], Choice::default(), "env"),
    ] {
        let wish = Wish {
            flag,
            config,
            ..wish(Choice::default())
        };
        let found = find(wish, env).await.unwrap();
        assert_eq!(found.model, format!("of-{expected}"));
        assert_eq!(endpoint(&found).0, format!("https://{expected}.example/v1"));
    }
}

#[tokio::test]
async fn a_provider_of_the_users_own_name_needs_an_address() {
    let own = Choice {
        model: Some("m".to_owned()),
        base_url: Some("https://mine.example/v1".to_owned()),
        ..provider("mine")
    };
    let found = find(wish(own), &[]).await.unwrap();
    assert_eq!(found.provider, "mine");
    assert_eq!(endpoint(&found).0, "https://mine.example/v1");
    let error = find(wish(provider("mine")), &[]).await.unwrap_err();
    assert_eq!(error.code, "E-provider-unknown");
}

#[tokio::test]
async fn a_key_is_never_sent_to_another_sources_address() {
    let env = [
        ("GROQ_API_KEY", "k-groq"),
        ("AITC_BASE_URL", "https://gateway.example/v1"),
        ("AITC_API_KEY", "k-gateway"),
        ("AITC_MODEL", "m"),
    ];
    let found = find(wish(provider("groq")), &env).await.unwrap();
    assert_eq!(
        endpoint(&found),
        ("https://api.groq.com/openai/v1", Some("k-groq"))
    );
    let found = find(wish(provider("openai")), &env).await.unwrap();
    assert_eq!(
        endpoint(&found),
        ("https://gateway.example/v1", Some("k-gateway"))
    );
    let flag = Choice {
        base_url: Some("https://mine.example/v1".to_owned()),
        ..Choice::default()
    };
    let found = find(wish(flag), &env).await.unwrap();
    assert_eq!(endpoint(&found), ("https://mine.example/v1", None));
}

#[tokio::test]
async fn an_own_address_is_used_with_the_key_that_fits() {
    let fake = Fake::start(|_| Reply::Empty);
    let url = fake.base_url();
    let env = [("OPENAI_API_KEY", KEY), ("OPENAI_BASE_URL", &url)];
    let found = find(wish(Choice::default()), &env).await.unwrap();
    assert_eq!(endpoint(&found), (url.as_str(), Some(KEY)));

    let at = Choice {
        base_url: Some(url.clone()),
        ..Choice::default()
    };
    let found = find(wish(at.clone()), &[("AITC_API_KEY", KEY)])
        .await
        .unwrap();
    assert_eq!(endpoint(&found), (url.as_str(), Some(KEY)));
    assert_eq!(found.model, "fake-1", "the first model it lists");
    let found = find(wish(at), &[]).await.unwrap();
    assert_eq!(endpoint(&found), (url.as_str(), None));
    assert_eq!(found.provider, "openai");
}

#[tokio::test]
async fn a_provider_asked_for_by_name_is_used_or_an_error() {
    let ask = async |name: &str, env: &[(&str, &str)]| find(wish(provider(name)), env).await;
    let missing = ask("groq", &[("OPENAI_API_KEY", KEY)]).await.unwrap_err();
    assert_eq!(missing.code, "E-key-missing");
    assert!(missing.fix().en.contains("GROQ_API_KEY"), "{missing:?}");
    for (name, dialect) in [
        ("anthropic", Dialect::Anthropic),
        ("claude", Dialect::Anthropic),
        ("gemini", Dialect::Gemini),
        ("openai-responses", Dialect::OpenAiResponses),
        ("kimi", Dialect::OpenAi),
    ] {
        let keys = [
            ("ANTHROPIC_API_KEY", KEY),
            ("GEMINI_API_KEY", KEY),
            ("OPENAI_API_KEY", KEY),
            ("MOONSHOT_API_KEY", KEY),
        ];
        let found = ask(name, &keys).await.unwrap();
        assert_eq!(found.endpoint.unwrap().dialect, dialect, "{name}");
    }
    for gone in ["opneai", "offline"] {
        let error = ask(gone, &[]).await.unwrap_err();
        assert_eq!(error.code, "E-provider-unknown", "{gone}");
    }
    assert_eq!(ask("scripted", &[]).await.unwrap().endpoint, None);
}

#[tokio::test]
async fn without_anything_there_is_nobody_and_it_is_said_what_was_looked_for() {
    let fault = find(wish(Choice::default()), &[]).await.unwrap_err();
    assert_eq!((fault.code, fault.exit.code()), ("E-model-none", 4));
    assert!(fault.why().en.starts_with("no key is set in"), "{fault:?}");
    for part in [
        "`OPENAI_API_KEY`",
        "`XAI_API_KEY`",
        "11434 (ollama)",
        "8000 (vllm)",
    ] {
        assert!(fault.why().en.contains(part), "{}", fault.why().en);
        assert!(fault.why().zh.contains(part), "{}", fault.why().zh);
    }
}

#[tokio::test]
async fn a_local_server_is_found_unless_that_is_switched_off() {
    let models = vec!["nomic-embed-text".to_owned(), "qwen3".to_owned()];
    let config = FakeConfig {
        models,
        ..FakeConfig::default()
    };
    let fake = Fake::with(config, |_| Reply::Empty);
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let locals = vec![
        Local {
            name: "ollama",
            dialect: Dialect::Ollama,
            port: silent.local_addr().unwrap().port(),
        },
        Local {
            name: "lmstudio",
            dialect: Dialect::OpenAi,
            port: fake.port(),
        },
    ];
    let wish = Wish {
        locals,
        ..wish(Choice::default())
    };
    let off = find(
        wish.clone(),
        &[("AITC_DISCOVER", "off"), ("OPENAI_API_KEY", KEY)],
    )
    .await;
    let why = off.unwrap_err().why().en.clone();
    assert!(why.starts_with("`AITC_DISCOVER` is off"), "{why}");
    assert_eq!(fake.calls("models"), 0);
    let found = find(wish.clone(), &[]).await.unwrap();
    assert_eq!(
        (found.provider.as_str(), found.model.as_str()),
        ("lmstudio", "qwen3")
    );
    let keyed = find(wish, &[("OPENAI_API_KEY", KEY)]).await.unwrap();
    assert_eq!(keyed.provider, "openai", "a key goes before loopback");
    assert_eq!(LOCALS[0].base_url(), "http://127.0.0.1:11434");
}

#[tokio::test]
async fn a_server_is_looked_for_where_its_own_variable_says() {
    let config = FakeConfig {
        models: vec!["qwen3:8b".to_owned()],
        ..FakeConfig::default()
    };
    let fake = Fake::with(config, |_| Reply::Empty);
    let host = format!("0.0.0.0:{}", fake.port());
    let here = format!("http://127.0.0.1:{}", fake.port());
    let env = [("OLLAMA_HOST", host.as_str())];
    for flag in [Choice::default(), provider("ollama")] {
        let wish = Wish {
            locals: LOCALS.to_vec(),
            ..wish(flag)
        };
        let found = find(wish, &env).await.unwrap();
        assert_eq!(
            (found.provider.as_str(), endpoint(&found).0),
            ("ollama", here.as_str())
        );
        assert_eq!(found.model, "qwen3:8b");
    }
    // A variable of a server that is not searched for has no effect.
    let wish = Wish {
        locals: LOCALS[1..].to_vec(),
        ..wish(Choice::default())
    };
    let found = find(wish, &env).await;
    assert!(!matches!(found, Ok(found) if found.provider == "ollama"));
}

#[tokio::test]
async fn models_are_listed_on_the_way_that_calls_take() {
    let config = FakeConfig {
        models: vec!["behind-the-proxy".to_owned()],
        ..FakeConfig::default()
    };
    let proxy = Fake::with(config, |_| Reply::Empty);
    let far = Choice {
        base_url: Some("http://no-such-host.invalid/v1".to_owned()),
        ..Choice::default()
    };
    let silent = find(wish(far.clone()), &[]).await.unwrap_err();
    assert_eq!(silent.code, "E-models-unasked", "{silent}");
    let wish = Wish {
        route: Route {
            proxy: Some(format!("http://127.0.0.1:{}", proxy.port())),
            ..Route::default()
        },
        ..wish(far)
    };
    let found = find(wish, &[]).await.unwrap();
    assert_eq!(found.model, "behind-the-proxy");
}
