//! Which model a run uses.

use std::collections::BTreeMap;
use std::time::Duration;

use aitc::config::ProviderSettings;
use aitc::edge::model::providers::{LOCALS, Local};
use aitc::edge::model::{Choice, Dialect, FoundModel, ModelRequest, Route, discover};
use aitc::fault::Fault;

use super::KEY;
use crate::support::fake::{Fake, FakeConfig, Reply};

/// A case of `choices.txt`: what is set, and what is chosen or the code of the error.
///
/// | line | what it sets |
/// | --- | --- |
/// | `flag provider=groq` | a flag; so `file` for the configuration |
/// | `env AITC_MODEL=m` | variables |
/// | `own openai model=m` | the description of a provider |
/// | `= groq m https://host KEY openai` | what comes of it: name, model, address, key or `-`, dialect; `*` stands for any |
///
/// `SERVER` stands for the address of a server that lists the model `fake-1`.
struct Case<'a> {
    name: &'a str,
    wish: ModelRequest,
    env: Vec<(&'a str, &'a str)>,
    expected: Vec<&'a str>,
}

impl<'a> Case<'a> {
    fn read(text: &'a str) -> Self {
        let (name, lines) = text.split_once('\n').unwrap();
        let mut case = Self {
            name,
            wish: wish(Choice::default()),
            env: Vec::new(),
            expected: Vec::new(),
        };
        for line in lines.lines().filter(|line| !line.is_empty()) {
            let (word, rest) = line.split_once(' ').unwrap();
            let pairs = rest.split(' ').filter_map(|pair| pair.split_once('='));
            match word {
                "env" => case.env = pairs.collect(),
                "=" => case.expected = rest.split(' ').collect(),
                "own" => {
                    let mut own = ProviderSettings::default();
                    for (field, value) in pairs {
                        let field = match field {
                            "base_url" => &mut own.base_url,
                            "model" => &mut own.model,
                            "dialect" => &mut own.dialect,
                            "api_key_env" => &mut own.api_key_env,
                            other => panic!("{other}"),
                        };
                        *field = Some(value.to_owned());
                    }
                    let name = rest.split(' ').next().unwrap();
                    case.wish.described.insert(name.to_owned(), own);
                }
                _ => {
                    let mut choice = Choice::default();
                    for (part, value) in pairs {
                        let part = match part {
                            "provider" => &mut choice.provider,
                            "model" => &mut choice.model,
                            "base_url" => &mut choice.base_url,
                            other => panic!("{other}"),
                        };
                        *part = Some(value.to_owned());
                    }
                    match word {
                        "flag" => case.wish.flag = choice,
                        "file" => case.wish.config = choice,
                        other => panic!("{other}"),
                    }
                }
            }
        }
        assert!(!case.expected.is_empty(), "{name}");
        case
    }
}

/// What is chosen is what the strongest source says; a key is never sent to another's address.
#[tokio::test]
async fn what_is_set_decides_which_model_is_used() {
    let fake = Fake::start(|_| Reply::Empty);
    let cases = include_str!("discovery/choices.txt");
    let cases = cases.replace("SERVER", &fake.base_url());
    for text in cases.split("# ").skip(1) {
        let case = Case::read(text);
        let found = match find(case.wish, &case.env).await {
            Ok(found) => found,
            Err(fault) => {
                let [code, fix @ ..] = &case.expected[..] else {
                    panic!("{}: {fault}", case.name);
                };
                assert_eq!(fault.code, *code, "{}", case.name);
                assert!(fault.fix().en.contains(&fix.join(" ")), "{}", case.name);
                continue;
            }
        };
        let endpoint = found.endpoint.as_ref();
        let dialect = endpoint.map(|it| it.dialect.name());
        let is = [
            Some(found.provider.as_str()),
            Some(&found.model),
            endpoint.map(|it| it.base_url.as_str()),
            endpoint.and_then(|it| it.api_key.as_deref()),
            dialect,
        ];
        let is = is.map(|part| part.unwrap_or("-"));
        for (is, expected) in is.iter().zip(&case.expected) {
            assert!(is == expected || *expected == "*", "{}: {is}", case.name);
        }
    }
}

/// A wish with these flags that does not search for local servers.
fn wish(flag: Choice) -> ModelRequest {
    ModelRequest {
        flag,
        config: Choice::default(),
        locals: Vec::new(),
        dialect: None,
        command: None,
        described: BTreeMap::new(),
        // The test machine may be busy.
        local_patience: Duration::from_secs(1),
        route: Route::default(),
        takes_general_key: true,
    }
}

fn provider(name: &str) -> Choice {
    Choice {
        provider: Some(name.to_owned()),
        ..Choice::default()
    }
}

async fn find(wish: ModelRequest, env: &[(&str, &str)]) -> Result<FoundModel, Fault> {
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
    CEREBRAS_API_KEY cerebras https://api.cerebras.ai/v1
    CO_API_KEY cohere https://api.cohere.com/v2
    COHERE_API_KEY cohere https://api.cohere.com/v2";

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
    let wish = ModelRequest {
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
        let wish = ModelRequest {
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
    let wish = ModelRequest {
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
    let wish = ModelRequest {
        route: Route {
            proxy: Some(format!("http://127.0.0.1:{}", proxy.port())),
            ..Route::default()
        },
        ..wish(far)
    };
    let found = find(wish, &[]).await.unwrap();
    assert_eq!(found.model, "behind-the-proxy");
}
