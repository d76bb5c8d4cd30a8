//! `aitc config`, profiles, variables, and the conventions of the environment.

use serde_json::Value;

use super::{Sandbox, assert_fails, status};

fn json(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    let output = sandbox.command(arguments).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn every_setting_is_shown_with_where_it_comes_from() {
    let sandbox = Sandbox::new();
    sandbox.project("# ours\nquestions: pause\nlimits:\n  max_rounds: 4\nroles: [PP, SD]\n");
    sandbox.user("questions: ask\nproviders:\n  local:\n    base_url: http://127.0.0.1:1/v1\n");
    let line = ["config", "show", "--origin", "--profile", "quick"];
    let mut command = sandbox.command_without_model(&line);
    command.env("AITC_MAX_TOKENS", "5000");
    sandbox.write(
        "home/.config/aitc/config.yaml",
        "questions: ask\nprofiles:\n  quick:\n    order: rotate\n\
         providers:\n  local:\n    base_url: http://127.0.0.1:1/v1\n",
    );
    insta::assert_snapshot!(sandbox.block(command));
}

#[test]
fn one_setting_is_read_under_any_of_its_names() {
    let sandbox = Sandbox::new();
    sandbox.project("rounds: 4\n");
    for name in ["limits.max_rounds", "rounds", "max-rounds"] {
        let block = sandbox.run(&["config", "get", name]);
        assert_eq!(block, "status: 0\n--- stdout\n4\n--- stderr\n");
    }
    let document = json(&sandbox, &["config", "get", "rounds", "--json"]);
    assert_eq!(document["setting"]["value"], 4);
    assert_eq!(document["setting"]["origin"]["line"], 1);
    let built_in = json(&sandbox, &["config", "get", "order", "--json"]);
    assert_eq!(built_in["setting"]["origin"]["kind"], "built_in");
    assert_fails(
        &sandbox.run(&["config", "get", "ronds"]),
        "2",
        &["unknown key `ronds`", "did you mean `limits.max_rounds`?"],
    );
}

#[test]
fn a_key_in_an_address_is_never_printed() {
    let sandbox = Sandbox::new();
    sandbox.user("providers:\n  a:\n    base_url: https://h/v1?api-version=1&api_key=s3cret\n");
    for arguments in [
        &["config", "show"][..],
        &["config", "show", "--origin", "--json"],
        &["config", "get", "base_url"],
        &["config", "get", "base_url", "--json"],
    ] {
        let mut command = sandbox.command(arguments);
        command.env("AITC_BASE_URL", "http://h/v1?key=s3cret");
        let block = sandbox.block(command);
        assert_eq!(status(&block), "0", "{block}");
        assert!(!block.contains("s3cret"), "{block}");
        assert!(block.contains("[redacted: key]"), "{block}");
    }
    let block = sandbox.run(&["config", "show"]);
    let shown = "api-version=1&api_key=[redacted: key]";
    assert!(block.contains(shown), "{block}");
    // The file keeps what is not shown.
    let set = ["config", "set", "--user", "providers.b.base_url"];
    let block = sandbox.run(&[&set[..], &["https://h?token=s3cret"]].concat());
    assert!(block.contains("token=[redacted: key]"), "{block}");
    let file = sandbox.folder.path().join("home/.config/aitc/config.yaml");
    let kept = std::fs::read_to_string(file).unwrap();
    assert!(kept.contains("token=s3cret"), "{kept}");
    // Who logs in never gets that far, and is not repeated.
    for login in ["https://me:s3cret@h", "https://s3cret@h"] {
        let mut command = sandbox.command(&["config", "show"]);
        command.env("AITC_BASE_URL", login);
        let block = sandbox.block(command);
        assert!(!block.contains("s3cret"), "{block}");
    }
}

/// What a file says below `providers` a variable can say, too, for providers of the
/// file and for new ones.
#[test]
fn a_provider_is_described_by_variables() {
    let sandbox = Sandbox::new();
    sandbox.user("providers:\n  my-gateway:\n    model: m\n    timeout_ms: 5\n");
    let shown = |arguments: &[&str]| {
        let mut command = sandbox.command(arguments);
        command.env("AITC_PROVIDERS_MY_GATEWAY_TIMEOUT_MS", "70000");
        command.env("AITC_PROVIDERS_NEW_URL", "http://127.0.0.1:1/v1");
        command.env("AITC_PROVIDERS_NEW_PRICES", "m.input=1,m.output=2");
        sandbox.block(command)
    };
    let block = shown(&["config", "show", "--origin"]);
    for (key, value, origin) in [
        ("my-gateway.model", "m", "config.yaml:3"),
        (
            "my-gateway.timeout_ms",
            "70000",
            "AITC_PROVIDERS_MY_GATEWAY_TIMEOUT_MS",
        ),
        (
            "new.base_url",
            "http://127.0.0.1:1/v1",
            "AITC_PROVIDERS_NEW_URL",
        ),
        ("new.prices.m.output", "2", "AITC_PROVIDERS_NEW_PRICES"),
    ] {
        let line = block.lines().find(|line| line.contains(key));
        let line = line.unwrap_or_else(|| panic!("no {key} in {block}"));
        assert!(line.contains(value) && line.ends_with(origin), "{line}");
    }
    let price = shown(&["config", "get", "providers.new.prices.m.input"]);
    assert_eq!(price, "status: 0\n--- stdout\n1\n--- stderr\n");
}

/// One that a variable describes as a program is the user's own, too: a cloned project
/// may not choose it.
#[test]
fn a_project_may_not_choose_a_program_of_a_variable() {
    let sandbox = Sandbox::new();
    sandbox.project("provider: mine\n");
    let mut command = sandbox.command(&["config", "show"]);
    command.env("AITC_PROVIDERS_MINE_COMMAND", "touch pwned");
    assert_fails(&sandbox.block(command), "3", &["mine", "config.yaml:1"]);
}

#[test]
fn a_setting_is_changed_and_the_rest_of_the_file_is_not() {
    let sandbox = Sandbox::new();
    sandbox.project("# ours\nquestions: ask # for now\n");
    let file = sandbox
        .folder
        .path()
        .join("work/.ai-tools-chain/config.yaml");
    let block = sandbox.run(&["config", "set", "questions", "pause"]);
    assert!(
        block.contains("config.yaml: questions is now pause"),
        "{block}"
    );
    sandbox.run(&["config", "set", "limits.max_rounds", "3"]);
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(
        text,
        "# ours\nquestions: pause # for now\nlimits:\n  max_rounds: 3\n"
    );
    sandbox.run(&["config", "set", "--unset", "questions"]);
    assert!(
        !std::fs::read_to_string(&file)
            .unwrap()
            .contains("questions")
    );
    let same = json(&sandbox, &["config", "set", "rounds", "3", "--json"]);
    assert_eq!(same["changed"], false);

    let own = [
        "config",
        "set",
        "--user",
        "providers.local.base_url",
        "http://h/v1",
    ];
    assert_eq!(status(&sandbox.run(&own)), "0");
    let text = std::fs::read_to_string(sandbox.folder.path().join("home/.config/aitc/config.yaml"));
    assert_eq!(
        text.unwrap(),
        "providers:\n  local:\n    base_url: \"http://h/v1\"\n"
    );
}

#[test]
fn what_may_not_stand_in_a_file_is_not_put_there() {
    let sandbox = Sandbox::new();
    for (arguments, code, part) in [
        (&["set", "ronds", "3"][..], "2", "unknown key `ronds`"),
        (
            &["set", "rounds", "0"],
            "2",
            "a whole number from 1 to 100, not `0`",
        ),
        (
            &["set", "base_url", "http://h"],
            "2",
            "`base_url` stands in no file",
        ),
        (
            &["set", "role_models", "x"],
            "2",
            "`role_models` is a table",
        ),
        (
            &["set", "providers.x.base_url", "http://h"],
            "3",
            "may not set",
        ),
        (&["set", "rounds"], "2", "<VALUE>"),
    ] {
        let arguments = [&["config"], arguments].concat();
        let block = sandbox.run(&arguments);
        assert_fails(&block, code, &[part]);
    }
    assert!(!sandbox.folder.path().join("work/.ai-tools-chain").exists());
    // A value that may be a secret is not repeated.
    let block = sandbox.run(&[
        "config",
        "set",
        "--user",
        "providers.x.api_key_env",
        "sk-1234-secret",
    ]);
    assert_fails(&block, "2", &["never a key itself"]);
    assert!(!block.contains("sk-1234"), "{block}");
}

#[test]
fn a_link_out_of_the_workspace_is_not_written_through() {
    let sandbox = Sandbox::new();
    let outside = sandbox.write("outside.yaml", "order: fixed\n");
    std::fs::create_dir(sandbox.folder.path().join("work/.ai-tools-chain")).unwrap();
    let link = sandbox
        .folder
        .path()
        .join("work/.ai-tools-chain/config.yaml");
    std::os::unix::fs::symlink(&outside, &link).unwrap();
    let block = sandbox.run(&["config", "set", "order", "rotate"]);
    assert_fails(&block, "3", &["leads out of the workspace"]);
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), "order: fixed\n");
    // The user's own file may be a link: that is how people keep their dotfiles.
    std::fs::create_dir_all(sandbox.folder.path().join("home/.config/aitc")).unwrap();
    let own = sandbox.folder.path().join("home/.config/aitc/config.yaml");
    std::os::unix::fs::symlink(&outside, &own).unwrap();
    assert_eq!(
        status(&sandbox.run(&["config", "set", "--user", "order", "rotate"])),
        "0"
    );
    assert_eq!(
        std::fs::read_to_string(&outside).unwrap(),
        "order: rotate\n"
    );
    assert!(own.is_symlink());
}

#[test]
fn the_schema_is_the_published_one() {
    let sandbox = Sandbox::new();
    for (arguments, file) in [
        (&["config", "schema"][..], "config.schema.json"),
        (&["config", "schema", "--user"], "user-config.schema.json"),
    ] {
        let output = sandbox.command(arguments).output().unwrap();
        let path = format!("{}/schemas/{file}", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("AITC_BLESS").is_some() {
            std::fs::write(&path, &output.stdout).unwrap();
        }
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(
            std::fs::read_to_string(&path).unwrap() == printed,
            "{file} is not what is printed: {printed}"
        );
    }
}

#[test]
fn a_profile_that_is_nowhere_is_told() {
    let sandbox = Sandbox::new();
    sandbox.project("profiles:\n  quick:\n    rounds: 2\n");
    let block = sandbox.run(&["config", "get", "rounds", "--profile", "quick"]);
    assert_eq!(block, "status: 0\n--- stdout\n2\n--- stderr\n");
    let block = sandbox.run(&["plan", "x", "--profile", "quik"]);
    assert_fails(&block, "2", &["no profile `quik`", "did you mean `quick`?"]);
    let mut command = sandbox.command(&["plan", "x"]);
    command.env("AITC_PROFILE", "quik");
    assert_fails(
        &sandbox.block(command),
        "3",
        &["AITC_PROFILE: there is no profile"],
    );
}

/// Colour is an escape sequence on stderr; `plan --rounds 0` would end before any.
#[test]
fn colour_follows_the_conventions() {
    type Case = (
        &'static [(&'static str, &'static str)],
        &'static [&'static str],
        bool,
    );
    let cases: [Case; 8] = [
        (&[], &[], false),
        (&[("CLICOLOR_FORCE", "1")], &[], true),
        (&[("CLICOLOR_FORCE", "0")], &[], false),
        (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[], false),
        (&[("CLICOLOR_FORCE", "1"), ("TERM", "dumb")], &[], false),
        (&[("CLICOLOR_FORCE", "1")], &["--color", "never"], false),
        (&[("NO_COLOR", "1")], &["--color", "always"], true),
        (&[("CLICOLOR_FORCE", "1")], &["--plain"], false),
    ];
    for (variables, flags, colour) in cases {
        let sandbox = Sandbox::new();
        let line = ["plan", "Export the list as CSV", "--questions", "assume"];
        let mut command = sandbox.command(&[&line[..], flags].concat());
        command.envs(variables.iter().copied());
        let block = sandbox.block(command);
        assert_eq!(status(&block), "0", "{block}");
        assert_eq!(block.contains('\u{1b}'), colour, "{variables:?} {flags:?}");
    }
}

#[test]
fn messages_speak_the_language_that_was_asked_for() {
    let sandbox = Sandbox::new();
    for (variables, flags) in [
        (&[("AITC_LANG", "zh")][..], &[][..]),
        (&[("AITC_LANGUAGE", "zh")], &[]),
        (&[("LANG", "zh_CN.UTF-8")], &[]),
        (
            &[("LANG", "zh_CN.UTF-8"), ("AITC_LANG", "en")],
            &["--lang", "zh"],
        ),
    ] {
        let mut command = sandbox.command(&[&["config", "show"][..], flags].concat());
        command.envs(variables.iter().copied());
        let block = sandbox.block(command);
        assert!(block.contains("未设置"), "{variables:?}: {block}");
    }
}
