//! Tests of files, variables, flags and their precedence.

use super::*;
use crate::machine::similarity::Score;
use crate::machine::{FirstRound, Lang, Limits, QuestionMode};

fn project(text: &str) -> Result<Layer, Fault> {
    let source = ConfigSource::Project {
        path: "config.yaml".to_owned(),
        user_file: "~/.config/aitc/config.yaml".to_owned(),
    };
    parse(text, &source)
}

fn user(text: &str) -> Result<Layer, Fault> {
    let path = "user.yaml".to_owned();
    parse(text, &ConfigSource::User { path })
}

#[test]
fn empty_and_commented_files_say_nothing() {
    for text in ["", "\n\n", "# nothing\n", "---\n", "\u{feff}# bom\n"] {
        assert_eq!(project(text).expect(text), Layer::default(), "{text:?}");
    }
}

#[test]
fn every_key_is_read_under_its_name_aliases_and_hyphens() {
    let text = "lang: zh\ndoc-language: en\nquestions: assume\nfirst-round: blind\norder: rotate\n\
                roles: [PP, SD]\nprovider: openai\nmodel: m1\nrole_models:\n  TP: m2\n\
                knowledge:\n  - docs\nwarn_at: 3\nlimits:\n  max-rounds: 4\n  max_duration: 9\n  max_tokens: 1_000_000\n";
    let config = Config::resolve(&[project(text).expect("valid")]);
    assert_eq!(config.language, Some(Lang::Zh));
    assert_eq!(config.doc_lang, Some(Lang::En));
    assert_eq!(config.questions, Some(QuestionMode::Assume));
    assert_eq!(config.rules.first_round, FirstRound::Blind);
    assert_eq!(
        config.roles.as_deref(),
        Some(&["PP".to_owned(), "SD".to_owned()][..])
    );
    assert_eq!(config.role_models["TP"], "m2");
    assert_eq!(config.knowledge, ["docs"]);
    let limits = &config.rules.limits;
    assert_eq!((limits.max_rounds, limits.warn_at_rounds), (4, 3));
    assert_eq!(
        (limits.max_duration_minutes, limits.warn_at_minutes),
        (9, 9)
    );
    assert_eq!(limits.max_tokens, Some(1_000_000));
}

#[test]
fn every_dotted_name_may_be_written_as_a_mapping() {
    for key in KEYS.iter() {
        for name in &key.spellings {
            let Some((group, leaf)) = name.split_once('.') else {
                continue;
            };
            let text = format!("{group}:\n  {leaf}: '{}'\n", key.kind.example);
            let layer = user(&text).expect(&text);
            assert!(layer.value(key.name).is_some(), "{name}: {layer:?}");
        }
    }
}

#[test]
fn a_raised_limit_takes_its_warning_with_it() {
    let warned = |lines: &str| {
        let limits = Config::resolve(&[project(lines).expect("valid")])
            .rules
            .limits;
        (limits.warn_at_rounds, limits.warn_at_minutes)
    };
    assert_eq!(warned(""), (8, 25));
    let raised = "limits:\n  max_rounds: 20\n  max_duration_minutes: 1440\n";
    assert_eq!(warned(raised), (18, 1435));
    let lowered = "limits:\n  max_rounds: 4\n  max_duration_minutes: 9\n";
    assert_eq!(warned(lowered), (4, 9));
    let said = "limits:\n  max_rounds: 20\n  warn_at_rounds: 3\n";
    assert_eq!(warned(said).0, 3);
}

#[test]
fn nothing_set_means_the_built_in_values() {
    let config = Config::resolve(&[]);
    assert_eq!(config.rules.limits, Limits::default());
    assert_eq!(config.question_mode(true), QuestionMode::Ask);
    assert_eq!(config.question_mode(false), QuestionMode::Pause);
}

#[test]
fn a_user_file_describes_providers_but_holds_no_key() {
    let text = "providers:\n  my-local:\n    base-url: http://127.0.0.1:8080/v1\n    timeout_ms: 5000\n    api_key_env: MY_KEY\n";
    let config = Config::resolve(&[user(text).expect("valid")]);
    let provider = &config.providers["my-local"];
    assert_eq!(
        provider.base_url.as_deref(),
        Some("http://127.0.0.1:8080/v1")
    );
    assert_eq!(
        (provider.timeout_ms, provider.api_key_env.as_deref()),
        (Some(5000), Some("MY_KEY"))
    );

    for text in [
        "providers:\n  x:\n    api_key_env: sk-secret-1\n",
        "providers:\n  x:\n    api_key: sk-secret-1\n",
        "providers:\n  x:\n    base_url: https://me:sk-secret-1@host/\n",
    ] {
        let error = user(text).expect_err(text);
        let whole = format!("{error} {} {}", error.why().en, error.fix().en);
        assert!(!whole.contains("sk-secret-1"), "{whole}");
        assert!(whole.starts_with("user.yaml:3: "), "{whole}");
    }
}

#[test]
fn layers_win_in_order_and_tables_join() {
    let mut flags = Layer::default();
    let (env, remarks) = Layer::from_env(
        [
            ("AITC_MODEL", "from-env"),
            ("AITC_PROVIDER", "from-env"),
            ("AITC_ROLES", "PP, SD"),
            ("AITC_MODLE", "typo"),
            ("AITC_DISCOVER", "off"),
            ("AITC_ORDER", ""),
            ("PATH", "/bin"),
        ],
        &[],
    )
    .expect("valid");
    flags.flag("--model", "model", "from-flag").expect("valid");
    flags
        .flag("--model", "role_models.TP", "tp")
        .expect("valid");
    let project =
        project("model: from-project\nprovider: p\norder: rotate\nrole_models: {TP: x, SD: y}\n")
            .expect("valid");
    let user = user("model: from-user\norder: fixed\ndoc_lang: zh\n").expect("valid");
    let config = Config::resolve(&[flags, env, project, user]);
    assert_eq!(config.text("model", |_| true).as_deref(), Some("from-flag"));
    assert_eq!(config.provider.as_deref(), Some("from-env"));
    assert_eq!(config.settings["order"].origin.to_string(), "config.yaml:3");
    assert_eq!(config.doc_lang, Some(Lang::Zh));
    assert_eq!(config.role_models["TP"], "tp");
    assert_eq!(config.role_models["SD"], "y");
    assert_eq!(config.roles.map(|roles| roles.len()), Some(2));
    assert_eq!(
        remarks[0].en,
        "the variable `AITC_MODLE` means nothing to aitc; did you mean `AITC_MODEL`?"
    );
}

#[test]
fn every_key_has_a_variable_of_its_own() {
    let mut variables: Vec<_> = KEYS.iter().map(Key::variable).collect();
    variables.sort();
    variables.dedup();
    assert_eq!(variables.len(), KEYS.len());
}

#[test]
fn a_profile_lies_over_the_rest_of_its_own_file_only() {
    let mine =
        "order: rotate\nquestions: ask\nprofiles:\n  quick:\n    questions: pause\n    rounds: 2\n";
    let theirs = "rounds: 7\nprofiles:\n  quick:\n    order: fixed\n";
    let mut flags = Layer::default();
    flags.flag("--profile", "profile", "quick").expect("a text");
    let files = vec![project(theirs).expect("valid"), user(mine).expect("valid")];
    let layers = [vec![flags], files].concat();
    let config = Config::resolve(&with_profile(layers).expect("both have it"));
    assert_eq!(config.rules.order, crate::machine::SpeakingOrder::Fixed);
    assert_eq!(config.questions, Some(QuestionMode::Pause));
    // The project's own line has precedence over a profile of the user's file.
    assert_eq!(config.rules.limits.max_rounds, 7);
    assert_eq!(config.settings["order"].origin.to_string(), "config.yaml:4");
}

/// A user's profile may name a program: a cloned project must not activate it.
#[test]
fn a_project_switches_on_no_profile_of_the_users() {
    let mine = "profiles:\n  agent:\n    order: rotate\n";
    let theirs = "profile: agent\nprofiles:\n  agent:\n    rounds: 2\n";
    let files = vec![project(theirs).expect("valid"), user(mine).expect("valid")];
    let config = Config::resolve(&with_profile(files).expect("its own"));
    assert_eq!(config.rules.limits.max_rounds, 2);
    assert_eq!(config.rules.order, crate::machine::SpeakingOrder::Fixed);
    let files = vec![
        project("profile: agent\n").expect("valid"),
        user(mine).expect("valid"),
    ];
    assert!(
        with_profile(files).is_err(),
        "the user's is not the project's"
    );
}

#[test]
fn a_variable_has_the_spellings_of_its_key_and_tables_have_one_too() {
    let set = [
        ("AITC_ROUNDS", "9"),
        ("AITC_MAX_ROUNDS", "4"),
        ("AITC_LANG", "zh"),
        ("AITC_ROLE_MODELS", "RP=m1, SD=openai:m2"),
    ];
    for order in [set.to_vec(), set.iter().rev().copied().collect()] {
        let (layer, remarks) = Layer::from_env(order, &[]).expect("valid");
        assert!(remarks.is_empty(), "{remarks:?}");
        let config = Config::resolve(&[layer]);
        assert_eq!(
            config.rules.limits.max_rounds, 4,
            "the key's own name counts"
        );
        assert_eq!(config.language, Some(Lang::Zh));
        assert_eq!(config.role_models["SD"], "openai:m2");
    }
    assert!(Layer::from_env([("AITC_ROLE_MODELS", "m1")], &[]).is_err());
}

#[test]
fn no_two_keys_share_a_variable() {
    let mut seen = std::collections::BTreeMap::new();
    for key in KEYS.iter() {
        for spelling in &key.spellings {
            let other = seen.insert(keys::variable(spelling), key.name);
            let is_same = other.is_none_or(|other| other == key.name);
            assert!(is_same, "`{spelling}` means `{other:?}` and `{}`", key.name);
        }
    }
}

/// The parser accepts what the schema allows, and refuses everything else.
#[test]
fn the_schema_for_editors_says_what_the_parser_does() {
    let validator = |user| jsonschema::validator_for(&schema(user)).expect("a schema");
    let (for_project, for_user) = (validator(false), validator(true));
    for (text, in_project, in_user) in [
        (
            r#"{"questions": "ask", "limits": {"max_rounds": 3}}"#,
            true,
            true,
        ),
        (
            r#"{"roles": ["PP"], "role_models": {"PP": "m"}}"#,
            true,
            true,
        ),
        (
            r#"{"roles": "PP,SD", "profile": "q", "profiles": {"q": {"order": "fixed"}}}"#,
            true,
            true,
        ),
        (
            r#"{"providers": {"a": {"base_url": "https://h", "api_key_env": "K"}}}"#,
            false,
            true,
        ),
        (r#"{"providers": {"a": {"api_key": "x"}}}"#, false, false),
        (r#"{"limits": {"max_rounds": 0}}"#, false, false),
        (r#"{"questions": "never"}"#, false, false),
        (r#"{"ordr": "fixed"}"#, false, false),
        (r#"{"base_url": "https://h"}"#, false, false),
        (r#"{"profiles": {"q": {"profile": "x"}}}"#, false, false),
        (r#"{"profiles": {"q": {"order": "never"}}}"#, false, false),
    ] {
        let value = serde_json::from_str(text).expect(text);
        assert_eq!(
            for_project.is_valid(&value),
            in_project,
            "schema of a project: {text}"
        );
        assert_eq!(
            for_user.is_valid(&value),
            in_user,
            "schema of a user: {text}"
        );
        assert_eq!(project(text).is_ok(), in_project, "project: {text}");
        assert_eq!(user(text).is_ok(), in_user, "user: {text}");
    }
}

#[test]
fn similarity_is_chosen_in_a_section_of_its_own_and_by_variables() {
    let text = "similarity:\n  provider: ollama\n  model: e5\n  threshold: 0.9\n  \
                silence-threshold: 0.955\n  disagreement_words: [veto]\n";
    let similarity = Config::resolve(&[project(text).expect("valid")])
        .rules
        .similarity;
    assert_eq!(similarity.embeddings(), Some(("ollama", "e5")));
    let thousandths = |score: Option<Score>| score.map(Score::thousandths);
    assert_eq!(thousandths(similarity.consensus), Some(900));
    assert_eq!(thousandths(similarity.silence), Some(955));
    assert_eq!(thousandths(similarity.duplicate), None);
    assert_eq!(similarity.disagreement_words, ["veto"]);

    let (layer, remarks) =
        Layer::from_env([("AITC_SIMILARITY_THRESHOLD", "0.8")], &[]).expect("valid");
    assert!(remarks.is_empty(), "{remarks:?}");
    let similarity = Config::resolve(&[layer]).rules.similarity;
    assert_eq!(thousandths(similarity.consensus), Some(800));
}

/// Every example value in a key's message is valid in a variable.
#[test]
fn every_example_of_a_variable_is_taken() {
    for key in KEYS.iter() {
        let (name, example) = (key.variable(), &key.kind.example);
        let read = Layer::from_env([(name.as_str(), example.as_str())], &[]);
        assert!(read.is_ok(), "{name}={example}: {read:?}");
    }
}

/// Every value in a key's range, ends included, fits the field it sets, and changes the resolved
/// configuration.
#[test]
fn every_key_sets_a_field() {
    let usual = Config::resolve(&[]);
    for key in KEYS.iter().filter(|key| key.name != "profile") {
        let schema = &key.kind.schema;
        let words = key.kind.words().into_iter().map(str::to_owned);
        let mut values: Vec<_> = words.chain([key.kind.example.clone()]).collect();
        if schema["type"] == "integer" {
            values.extend(["minimum", "maximum"].map(|bound| schema[bound].to_string()));
        }
        let set = values.iter().map(|value| {
            let read = Layer::from_env([(key.variable().as_str(), value.as_str())], &[]);
            let mut config = Config::resolve(&[read.expect(key.name).0]);
            config.settings.clear();
            config
        });
        // These are read as settings, with their origin, where models are discovered.
        let sets_a_field = !["model", "base_url", "command", "fixtures"].contains(&key.name);
        assert_eq!(
            set.filter(|one| *one != usual).count() > 0,
            sets_a_field,
            "{}",
            key.name
        );
    }
    for key in PROVIDER_KEYS.iter() {
        let name = provider_variable("openai", key.name);
        let example = &key.kind.example;
        let read = Layer::from_env([(name.as_str(), example.as_str())], &["openai"]);
        let config = Config::resolve(&[read.expect(key.name).0]);
        let is_set = config.providers["openai"] != ProviderSettings::default();
        assert_eq!(is_set, key.name != "fixtures", "{}", key.name);
    }
}

/// Every example value in a message is valid in a file.
#[test]
fn every_example_in_a_file_is_taken() {
    let nested = |name: &str, line: &str| {
        let groups: Vec<&str> = name.split('.').collect();
        let mut text = String::new();
        for (depth, group) in groups[..groups.len() - 1].iter().enumerate() {
            text += &format!("{}{group}:\n", "  ".repeat(depth));
        }
        text + &format!("{}{line}\n", "  ".repeat(groups.len() - 1))
    };
    for key in KEYS.iter() {
        let leaf = key.name.rsplit('.').next().unwrap();
        // Tables have a different error; here only the value is wrong.
        if key.kind.is_table() || !key.in_files {
            continue;
        }
        let wrong = nested(key.name, &format!("{leaf}: [{{a: {{b: c}}}}]"));
        let error = user(&wrong).expect_err(key.name);
        let fix = &error.fix().en;
        let example = fix.split_once('`').expect(fix).1;
        let right = nested(key.name, example.trim_end_matches('`'));
        assert!(user(&right).is_ok(), "{right}: {:?}", user(&right));
    }
}

#[test]
fn a_variable_may_name_the_group_of_its_key() {
    let (layer, remarks) = Layer::from_env([("AITC_LIMITS_MAX_ROUNDS", "3")], &[]).unwrap();
    assert!(remarks.is_empty());
    assert_eq!(layer.value("limits.max_rounds"), Some(&3.into()));
}

#[test]
fn what_is_mistyped_most_is_told_in_words_of_our_own() {
    for (text, said) in [
        ("language: en\nlanguage: zh\n", "键 `language` 出现了两次"),
        ("language: [\n", "括号 `[` 没有闭合"),
    ] {
        let read = crate::yaml::read(text, 1 << 14).unwrap_err();
        assert_eq!(read.what.of(Lang::Zh), said);
    }
}
