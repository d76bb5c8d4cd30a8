//! `aitc init`: what is made, what is kept, and that the workflow works.

use std::path::Path;
use std::process::Command;

use aitc::yaml::{self, Tree};

use super::{Sandbox, assert_fails, members, settings, status};

const AGENTS: [(&str, &str); 6] = [
    ("claude", ".claude/skills/aitc-plan/SKILL.md"),
    ("codex", ".agents/skills/aitc-plan/SKILL.md"),
    ("cursor", ".cursor/commands/aitc-plan.md"),
    ("gemini", ".gemini/commands/aitc-plan.toml"),
    ("copilot", ".github/prompts/aitc-plan.prompt.md"),
    ("goose", ".goose/recipes/aitc-plan.yaml"),
];

fn read(sandbox: &Sandbox, path: &str) -> String {
    let path = sandbox.folder.path().join("work").join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn a_workspace_is_made_and_a_second_time_nothing_changes() {
    let sandbox = Sandbox::new();
    let dry = sandbox.run(&["init", "--dry-run"]);
    assert!(dry.contains("config.yaml  created"), "{dry}");
    assert!(!sandbox.folder.path().join("work/.ai-tools-chain").exists());
    let block = sandbox.run(&["init"]);
    assert_eq!(status(&block), "0", "{block}");
    for file in [".gitignore", ".gitattributes", "config.yaml"] {
        read(&sandbox, &format!(".ai-tools-chain/{file}"));
    }
    let config = read(&sandbox, ".ai-tools-chain/config.yaml");
    assert!(config.contains("\n#   max_rounds: 10\n"), "{config}");
    assert!(sandbox.run(&["init"]).contains("config.yaml  unchanged"));
    assert_eq!(
        status(&sandbox.run(&["plan", "Export the list", "--questions", "assume"])),
        "0"
    );
}

/// The language that was chosen first stays, whoever is told of `aitc` later.
#[test]
fn a_second_time_keeps_the_language_of_the_first() {
    let sandbox = Sandbox::new();
    sandbox.run(&["init", "--lang", "zh"]);
    let first = read(&sandbox, ".ai-tools-chain/config.yaml");
    assert!(first.contains("\nlanguage: zh\ndoc_lang: zh\n"), "{first}");
    let block = sandbox.run(&["init", "--agents", "cursor"]);
    assert!(block.contains("语言 zh，与之前相同"), "{block}");
    assert_eq!(read(&sandbox, ".ai-tools-chain/config.yaml"), first);
    let block = sandbox.run(&["init", "--lang", "en"]);
    assert!(!block.contains("as it was"), "{block}");
    let second = read(&sandbox, ".ai-tools-chain/config.yaml");
    assert!(
        second.contains("\nlanguage: en\ndoc_lang: en\n"),
        "{second}"
    );
}

/// Every line of the file is right once its `#` is taken away.
#[test]
fn the_settings_are_right_when_they_are_switched_on() {
    for lang in ["en", "zh"] {
        let sandbox = Sandbox::new();
        sandbox.run(&["init", "--lang", lang]);
        let text = read(&sandbox, ".ai-tools-chain/config.yaml");
        assert!(text.contains(&format!("\ndoc_lang: {lang}\n")), "{text}");
        let on: String = text
            .lines()
            .filter(|line| !line.starts_with("language") && !line.starts_with("doc_lang"))
            .map(|line| line.strip_prefix("# ").unwrap_or(line))
            .filter(|line| {
                line.trim_start().starts_with('#') || line.contains(": ") || line.ends_with(':')
            })
            .filter(|line| {
                !line.contains(' ')
                    || line
                        .trim_start()
                        .starts_with(|c: char| c.is_ascii_lowercase())
            })
            .filter(|line| {
                line.split(':')
                    .next()
                    .unwrap()
                    .trim()
                    .chars()
                    .all(|c| c.is_ascii_lowercase() || c == '_')
            })
            .filter(|line| !line.starts_with("profile:") && !line.starts_with("model:"))
            .map(|line| format!("{line}\n"))
            .collect();
        sandbox.project(&on);
        let block = sandbox.run(&["config", "show", "--origin"]);
        assert_eq!(status(&block), "0", "{on}\n{block}");
        assert!(block.contains("config.yaml:"), "{block}");
    }
}

#[test]
fn agents_are_told_of_it_and_edited_files_are_kept() {
    for lang in ["en", "zh"] {
        let sandbox = Sandbox::new();
        let all = AGENTS.map(|(name, _)| name).join(",");
        let block = sandbox.run(&["init", "--agents", &all, "--lang", lang]);
        assert_eq!(status(&block), "0", "{block}");
        for (_, path) in AGENTS {
            let text = read(&sandbox, path);
            assert!(text.contains("--json"), "{path}");
            assert_eq!(text.contains("退出码"), lang == "zh", "{path}");
        }
        for path in [AGENTS[0].1, AGENTS[1].1] {
            let text = read(&sandbox, path);
            let front = text
                .strip_prefix("---\n")
                .unwrap()
                .split("\n---\n")
                .next()
                .unwrap();
            yaml::read(front, 4096).unwrap();
        }
        yaml::read(&read(&sandbox, AGENTS[5].1), 16384).unwrap();

        // Each of them edited by hand in turn: all but two are left as they are.
        let (gone, renewed) = (AGENTS[2].1, AGENTS[1].1);
        let ignored = ".ai-tools-chain/.gitignore";
        let agents = AGENTS.map(|(_, path)| path).into_iter();
        let edited: Vec<&str> = agents
            .filter(|path| ![gone, renewed].contains(path))
            .chain([ignored])
            .collect();
        for path in &edited {
            let text = format!("{}# mine\n", read(&sandbox, path));
            sandbox.write(&format!("work/{path}"), &text);
        }
        std::fs::remove_file(sandbox.folder.path().join("work").join(gone)).unwrap();
        // As an earlier version would have left it: whole, and different.
        let other = if lang == "en" { "zh" } else { "en" };
        let block = sandbox.run(&["init", "--agents", &all, "--lang", other]);
        let now = |path: &str, en: &str, zh: &str| {
            let said = if other == "en" { en } else { zh };
            assert!(
                block.contains(&format!("{path}  {said}")),
                "{path} {said}: {block}"
            );
        };
        for path in edited {
            assert!(read(&sandbox, path).ends_with("# mine\n"), "{path}");
            now(path, "kept, edited by hand", "保留（已手工修改）");
        }
        now(".ai-tools-chain/.gitattributes", "unchanged", "未变化");
        now(gone, "created", "已创建");
        now(renewed, "updated", "已更新");
    }
}

#[test]
fn a_link_that_leads_out_is_refused_before_anything_is_written() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.folder.path().join("elsewhere")).unwrap();
    let link = sandbox.folder.path().join("work/.claude");
    std::os::unix::fs::symlink(sandbox.folder.path().join("elsewhere"), link).unwrap();
    let block = sandbox.run(&["init", "--agents", "claude"]);
    assert_fails(&block, "3", &["leads out of the workspace"]);
    assert!(!sandbox.folder.path().join("work/.ai-tools-chain").exists());
}

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
    sandbox: &'a Sandbox,
    path: String,
}

impl<'a> Job<'a> {
    fn new(sandbox: &'a Sandbox) -> Self {
        let root = sandbox.folder.path();
        let gh = sandbox.write(
            "bin/gh",
            "#!/bin/sh\nprintf '%s\\n' \"$@\" >> \"$RUNNER_TEMP/gh.txt\"\n",
        );
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_aitc"), root.join("bin/aitc")).unwrap();
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(gh, mode).unwrap();
        std::fs::create_dir(root.join("temp")).unwrap();
        let path = format!("{}:/usr/bin:/bin", root.join("bin").display());
        let job = Self { sandbox, path };
        job.shell("git init -q -b main && git init -q --bare ../remote && git remote add origin ../remote", &[]);
        job
    }

    fn shell(&self, script: &str, variables: &[(&str, &str)]) -> String {
        let root = self.sandbox.folder.path();
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
    let sandbox = Sandbox::new();
    let job = Job::new(&sandbox);
    assert_eq!(status(&sandbox.run(&["init", "--ci", "github"])), "0");
    let text = read(&sandbox, ".github/workflows/aitc.yml");
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
    assert!(!sandbox.folder.path().join("hacked").exists());
    let asked = std::fs::read_to_string(sandbox.folder.path().join("temp/gh.txt")).unwrap();
    assert!(
        asked.starts_with("pr\ncreate\n--base\nmain\n--head\naitc/issue-5-77\n"),
        "{asked}"
    );
    let body = std::fs::read_to_string(sandbox.folder.path().join("temp/body.md")).unwrap();
    assert!(
        body.contains("A human is needed") && body.contains("Q-1"),
        "{body}"
    );
    let branch = job.shell("git -C ../remote rev-parse --verify aitc/issue-5-77", &[]);
    assert_eq!(branch.trim().len(), 40);

    let draft = ".ai-tools-chain/planning_outputs/v1.draft";
    while Path::new(&sandbox.folder.path().join("work").join(draft)).exists() {
        sandbox.run(&["answer", "--recommended", "--all"]);
        job.run(&workflow, "resume", &[]);
    }
    read(
        &sandbox,
        ".ai-tools-chain/planning_outputs/v1/planning_report.md",
    );
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
