//! `aitc init`: the workflow it lays out works.

use std::process::Command;

use aitc::yaml::{self, Tree};

use crate::support::binary::{Going, Place};
use crate::support::fake::{members, settings};

/// Steps of a job: name, and the script it runs.
fn steps(workflow: &Tree, job: &str) -> Vec<(String, String)> {
    let field = |tree: &Tree, name: &str| match tree {
        Tree::Map(pairs) => pairs
            .iter()
            .find(|(key, ..)| key == name)
            .map(|(.., node)| node.value.clone()),
        _ => None,
    };
    let text = |tree: Option<Tree>| match tree {
        Some(Tree::Text(text)) => text,
        _ => String::new(),
    };
    let job = field(&field(workflow, "jobs").unwrap(), job).unwrap();
    let Tree::List(steps) = field(&job, "steps").unwrap() else {
        panic!("no steps");
    };
    steps
        .iter()
        .map(|step| {
            (
                text(field(&step.value, "name")),
                text(field(&step.value, "run")),
            )
        })
        .collect()
}

/// A repository with a remote, a `gh` that writes down what it is asked, and
/// the variables of a job.
struct Job<'a> {
    place: &'a Place,
    path: String,
}

impl<'a> Job<'a> {
    fn new(place: &'a Place) -> Self {
        let root = place.home().parent().unwrap().to_owned();
        let gh = root.join("bin/gh");
        std::fs::create_dir(root.join("bin")).unwrap();
        std::fs::write(
            &gh,
            "#!/bin/sh\nprintf '%s\\n' \"$@\" >> \"$RUNNER_TEMP/gh.txt\"\n",
        )
        .unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_aitc"), root.join("bin/aitc")).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(gh, mode).unwrap();
        std::fs::create_dir(root.join("temp")).unwrap();
        let path = format!("{}:/usr/bin:/bin", root.join("bin").display());
        let job = Self { place, path };
        job.shell("git init -q -b main && git init -q --bare ../remote && git remote add origin ../remote", &[]);
        job
    }

    fn shell(&self, script: &str, variables: &[(&str, &str)]) -> String {
        let root = self.place.home().parent().unwrap().to_owned();
        let output = Command::new("bash")
            .args(["-e", "-c", script])
            .env_clear()
            .env("PATH", &self.path)
            .env("HOME", root.join("home"))
            .env("RUNNER_TEMP", root.join("temp"))
            .env("GITHUB_RUN_ID", "77")
            .env("AITC_DISCOVER", "off")
            .envs(settings(members()))
            .env("GIT_AUTHOR_NAME", "a")
            .env("GIT_AUTHOR_EMAIL", "a@example.com")
            .env("GIT_COMMITTER_NAME", "a")
            .env("GIT_COMMITTER_EMAIL", "a@example.com")
            .envs(variables.iter().copied())
            .current_dir(root.join("work"))
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{script}\n{err}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn run(&self, workflow: &Tree, job: &str, variables: &[(&str, &str)]) {
        for (name, script) in steps(workflow, job) {
            assert!(!script.contains("${{"), "{name} puts text into a script");
            if !script.is_empty() && name != "Install aitc" {
                self.shell(&script, variables);
            }
        }
    }
}

/// The scripts of the workflow, run: an issue whose text tries to be a script
/// becomes a draft with a question on a branch; answered, it becomes a version.
#[test]
fn the_workflow_plans_pauses_resumes_and_checks() {
    let place = Place::new();
    let root = place.home().parent().unwrap().to_owned();
    let job = Job::new(&place);
    place.run(&["init", "--ci", "github"]).ends(0);
    let text = std::fs::read_to_string(place.work().join(".github/workflows/aitc.yml")).unwrap();
    let workflow = yaml::read(&text, 64 * 1024).unwrap().value;
    job.shell(
        "git add -A && git commit -q -m base && git push -q origin main",
        &[],
    );
    let hostile = "Export users\n\n$(touch ../hacked) `touch ../hacked` ${{ github.token }}";
    job.run(
        &workflow,
        "plan",
        &[
            ("TITLE", "Export users"),
            ("BODY", hostile),
            ("SUBJECT", "issue 5"),
            ("BASE", "main"),
        ],
    );
    assert!(!root.join("hacked").exists());
    let asked = std::fs::read_to_string(root.join("temp/gh.txt")).unwrap();
    assert!(
        asked.starts_with("pr\ncreate\n--base\nmain\n--head\naitc/issue-5-77\n"),
        "{asked}"
    );
    let body = std::fs::read_to_string(root.join("temp/body.md")).unwrap();
    assert!(
        body.contains("A human is needed") && body.contains("Q-1"),
        "{body}"
    );
    let branch = job.shell("git -C ../remote rev-parse --verify aitc/issue-5-77", &[]);
    assert_eq!(branch.trim().len(), 40);

    while place.outputs("v1.draft").exists() {
        place.run(&["answer", "--recommended", "--all"]);
        job.run(&workflow, "resume", &[]);
    }
    place.text("v1/planning_report.md");
    let files = job.shell(
        "git -C ../remote ls-tree -r --name-only aitc/issue-5-77",
        &[],
    );
    assert!(
        files.contains("planning_outputs/v1/manifest.json"),
        "{files}"
    );
    assert!(!files.contains("v1.draft"), "{files}");
    job.run(&workflow, "check", &[]);
}

/// Settings of a repository lie at its root, wherever `init` is typed.
#[test]
fn what_init_makes_is_named_from_where_it_is_typed() {
    let place = Place::new();
    place.write("sub/dir/keep", "");
    place.write(".git/HEAD", "ref: refs/heads/main\n");
    let mut init = place.command_without_model(&["init"]);
    init.current_dir(place.work().join("sub/dir"));
    let ran = Going::start(init).end().ends(0);
    let made = "../../.ai-tools-chain/config.yaml  created";
    assert!(ran.out.contains(made), "{ran:#?}");
}

#[test]
fn doctor_says_where_git_ignores_what_is_published() {
    for (rules, is_told) in [
        (".*\n", true),
        (".ai-tools-chain\n", true),
        (".*\n!/.ai-tools-chain/\n", false),
        ("*.log\n", false),
    ] {
        let place = Place::new();
        place.write(".git/HEAD", "ref: refs/heads/main\n");
        place.write(".gitignore", rules);
        let ran = place.run_without_model(&["doctor"]);
        let told = ran.out.contains("git ignores .ai-tools-chain");
        assert_eq!(told, is_told, "{rules}: {ran:#?}");
    }
}

/// The form that agents know: a name that is the folder's, a description within its bound.
#[test]
fn skills_have_the_form_that_agents_read() {
    for lang in ["en", "zh"] {
        let place = Place::new();
        let all = "claude,codex,cursor,gemini,copilot,opencode,goose";
        place
            .run(&["init", "--agents", all, "--lang", lang])
            .ends(0);
        for folder in [".claude", ".agents"] {
            let path = place.work().join(folder).join("skills/aitc-plan/SKILL.md");
            let text = std::fs::read_to_string(path).unwrap();
            let (head, body) = text
                .strip_prefix("---\n")
                .unwrap()
                .split_once("\n---\n")
                .unwrap();
            let Tree::Map(fields) = yaml::read(head, 4096).unwrap().value else {
                panic!("{head}");
            };
            let field = |name: &str| match fields.iter().find(|(key, ..)| key == name) {
                Some((.., node)) => match &node.value {
                    Tree::Text(text) => text.clone(),
                    other => panic!("{other:?}"),
                },
                None => panic!("no {name} in {head}"),
            };
            assert_eq!(field("name"), "aitc-plan");
            let about = field("description").chars().count();
            assert!((1..=1024).contains(&about) && fields.len() == 2, "{head}");
            assert!(
                body.lines().count() < 500 && body.len() < 16_000,
                "{}",
                body.len()
            );
            for code in ["`0`", "`7`", "`8`", "`12`"] {
                assert!(body.contains(code), "nothing is said of {code}");
            }
        }
    }
}
