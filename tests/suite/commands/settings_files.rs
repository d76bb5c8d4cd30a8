//! Configuration files and variables, right and wrong.

use super::*;

#[test]
fn a_project_file_may_not_redirect_a_key_or_run_a_command() {
    for line in [
        "providers:\n  openai:\n    base_url: http://127.0.0.1:1/v1",
        "base_url: http://127.0.0.1:1/v1",
        "base-url: http://127.0.0.1:1/v1",
        "proxy: http://127.0.0.1:1",
        "headers: {x: y}",
        "api_key_env: HOME",
        "command: touch pwned",
    ] {
        let sandbox = Sandbox::new();
        sandbox.project(&format!("order: fixed\n{line}\n"));
        let place = ".ai-tools-chain/config.yaml:2: a project's file may not set";
        // What is no key of one's own file either is said in another way there.
        let own_file = match line.starts_with("providers") {
            true => "[DIR]/home/.config/aitc/config.yaml",
            false => "aitc config set --user providers.my.",
        };
        assert_fails(&sandbox.run(&["plan", "x"]), "3", &[place, own_file]);
    }
}

#[test]
fn every_layer_is_read_and_its_faults_are_placed() {
    let sandbox = Sandbox::new();
    sandbox.project("questions: never\n");
    let project = ".ai-tools-chain/config.yaml:1: `questions` must be one of";
    assert_fails(&sandbox.run(&["plan", "x"]), "3", &[project]);

    let sandbox = Sandbox::new();
    sandbox.user("# mine\nquestions: never\n");
    let user = "[DIR]/home/.config/aitc/config.yaml:2: `questions` must be one of";
    assert_fails(&sandbox.run(&["plan", "x"]), "3", &[user]);

    let sandbox = Sandbox::new();
    sandbox.project("order: fixed\nroles: [PP, XX]\n");
    let nobody = ".ai-tools-chain/config.yaml:2: there is no role `XX`";
    assert_fails(&sandbox.run(&["plan", "x", "--dry-run"]), "3", &[nobody]);

    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["plan", "x"]);
    command.env("AITC_MAX_ROUNDS", "lots");
    assert_fails(
        &sandbox.block(command),
        "3",
        &["AITC_MAX_ROUNDS: `limits.max_rounds` must be"],
    );

    let sandbox = Sandbox::new();
    sandbox.write("xdg/aitc/config.yaml", "ordr: fixed\n");
    let mut command = sandbox.command(&["plan", "x"]);
    command.env("XDG_CONFIG_HOME", sandbox.folder.path().join("xdg"));
    assert_fails(
        &sandbox.block(command),
        "3",
        &["xdg/aitc/config.yaml:1: unknown key `ordr`", "`order`"],
    );
}

#[test]
fn a_named_configuration_stands_in_for_the_users() {
    let sandbox = Sandbox::new();
    sandbox.user("questions: never\n");
    sandbox.write("work/other.yaml", "order: never\n");
    let block = sandbox.run(&["plan", "x", "--config", "other.yaml"]);
    assert_fails(&block, "3", &["other.yaml:1: `order` must be"]);
    let block = sandbox.run(&["plan", "x", "--config", "missing.yaml"]);
    assert_fails(&block, "3", &["missing.yaml: "]);
}

#[test]
fn the_workspace_is_found_upwards_within_a_repository_only() {
    let sandbox = Sandbox::new();
    sandbox.project("questions: never\n");
    for folder in ["outside", "inside"] {
        std::fs::create_dir(sandbox.folder.path().join("work").join(folder)).unwrap();
    }
    let block = sandbox.run(&["-C", "outside", "list"]);
    assert_eq!(status(&block), "0", "{block}");
    let outside = sandbox.run(&["-C", "outside", "plan", "x", "--json"]);
    assert!(!outside.contains("config.yaml"), "{outside}");
    sandbox.write("work/.git/HEAD", "");
    let inside = sandbox.run(&["-C", "inside", "plan", "x"]);
    assert_fails(&inside, "3", &["config.yaml:1: `questions`"]);
}

#[test]
fn a_secret_in_a_file_is_refused_and_not_repeated() {
    let sandbox = Sandbox::new();
    sandbox.user("providers:\n  openai:\n    api_key: sk-very-secret\n");
    let block = sandbox.run(&["plan", "x"]);
    assert_fails(
        &block,
        "3",
        &[
            "config.yaml:3: `api_key` would keep a secret",
            "api_key_env",
        ],
    );
    assert!(!block.contains("sk-very-secret"), "{block}");
}

#[test]
fn a_variable_that_means_nothing_is_told() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["plan", "x", "--rounds", "0"]);
    command.env("AITC_MODLE", "x");
    // The flag is refused first; without it the variable is only remarked on.
    assert!(!sandbox.block(command).contains("AITC_MODLE"));
    let mut command = sandbox.command(&["plan", "x", "--questions", "ask"]);
    command.env("AITC_MODLE", "x");
    let block = sandbox.block(command);
    assert!(
        block.contains(
            "note: the variable `AITC_MODLE` means nothing to aitc; did you mean `AITC_MODEL`?\n"
        ),
        "{block}"
    );
}

#[test]
fn a_file_that_is_nearly_one_of_ours_is_told() {
    let sandbox = Sandbox::new();
    sandbox.write("work/.ai-tools-chain/config.yml", "rounds: 2\n");
    let block = sandbox.run(&["config", "get", "rounds"]);
    let told = "note: `.ai-tools-chain/config.yml` is not read; its name must end with `.yaml`";
    assert!(block.contains(told), "{block}");
    assert!(block.contains("--- stdout\n10\n"), "{block}");
}

#[test]
fn a_slip_in_a_value_a_key_or_a_name_is_answered_with_what_is_meant() {
    for (text, meant) in [
        ("divergence: of\n", "write it like `divergence: off`"),
        ("questions: pauze\n", "write it like `questions: pause`"),
        ("minuts: 3\n", "did you mean `minutes`?"),
        ("limits:\n  minuts: 3\n", "did you mean `minutes`?"),
    ] {
        let sandbox = Sandbox::new();
        sandbox.project(text);
        assert_fails(&sandbox.run(&["plan", "x"]), "3", &[meant]);
    }
    let sandbox = Sandbox::new();
    let block = sandbox.run(&["plan", "x", "--first-round", "blnd"]);
    assert!(block.contains("blind"), "{block}");
    let block = sandbox.run(&["plan", "x", "--provider", "openia"]);
    assert!(block.contains("did you mean `openai`?"), "{block}");
    let mut command = sandbox.command(&["config", "get", "rounds"]);
    command.env("AITC_ROUNDZ", "3");
    let block = sandbox.block(command);
    assert!(block.contains("did you mean `AITC_ROUNDS`?"), "{block}");
}
