//! `aitc init`: the workflow that it creates works.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use aitc::yaml::{self, Tree};
use serde_json::{Value, json};

use crate::support::binary::{Place, program};
use crate::support::fake::{members, settings};
use crate::support::openapi;

/// Steps of a job: the name and the script of each.
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

/// A fake of the forge's API on loopback that stores comments, pull requests and check runs.
struct Forge {
    address: String,
    kept: Arc<Mutex<Kept>>,
    server: Option<JoinHandle<()>>,
}

/// The stored objects.
#[derive(Default)]
struct Kept {
    comments: Vec<(u64, String)>,
    pulls: Vec<Value>,
    checks: Vec<Value>,
    is_over: bool,
}

impl Forge {
    fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let kept = Arc::new(Mutex::new(Kept::default()));
        let of_server = Arc::clone(&kept);
        let server = std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut kept = of_server.lock().unwrap();
                if kept.is_over {
                    return;
                }
                answer(stream.unwrap(), &mut kept);
            }
        });
        let server = Some(server);
        Self {
            address,
            kept,
            server,
        }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The only comment, without the characters that prevent notifications.
    fn comment(&self) -> String {
        let kept = self.kept();
        assert_eq!(kept.comments.len(), 1, "{:?}", kept.comments);
        kept.comments[0].1.clone()
    }
}

impl Drop for Forge {
    fn drop(&mut self) {
        self.kept().is_over = true;
        drop(TcpStream::connect(&self.address));
        let ended = self.server.take().unwrap().join();
        assert!(ended.is_ok() || std::thread::panicking());
    }
}

fn answer(mut stream: TcpStream, kept: &mut Kept) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if line.trim().is_empty() {
            break;
        }
        head.push(line.trim().to_owned());
    }
    assert!(
        head.iter()
            .any(|line| line == "Authorization: Bearer token"),
        "{head:?}"
    );
    let length = head.iter().find_map(|line| {
        line.to_lowercase()
            .strip_prefix("content-length: ")?
            .parse()
            .ok()
    });
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).unwrap();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let mut words = head[0].split(' ');
    let (method, path) = (words.next().unwrap(), words.next().unwrap());
    if !body.is_null() {
        openapi::takes(method, path, &body);
    }
    let path = path.strip_prefix("/repos/team/shop/").unwrap();
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let said = |(id, body): &(u64, String)| json!({"id": id, "body": body, "user": {"login": "github-actions[bot]"}});
    let answer = match (method, path) {
        ("GET", "collaborators/alice/permission") => json!({"permission": "write"}),
        ("GET", "collaborators/mallory/permission") => json!({"permission": "read"}),
        ("GET", "pulls/7") => {
            json!({"head": {"ref": "feature", "repo": {"full_name": "team/shop"}}})
        }
        ("GET", "pulls/8") => {
            json!({"head": {"ref": "main", "repo": {"full_name": "mallory/shop"}}})
        }
        ("GET", "pulls") => {
            let query = query.to_lowercase().replace("%3a", ":").replace("%2f", "/");
            let head = query.strip_prefix("head=team:").unwrap();
            let of_head = kept.pulls.iter().filter(|pull| pull["head"] == head);
            of_head.cloned().collect()
        }
        ("POST", "pulls") => {
            let mut pull = body;
            pull["number"] = (41 + kept.pulls.len()).into();
            kept.pulls.push(pull.clone());
            pull
        }
        ("GET", path) if path.ends_with("/comments") => match query.ends_with("page=1") {
            // A comment of another user that looks like ours.
            true => {
                let other = json!({"id": 1, "body": "<!-- aitc -->", "user": {"login": "mallory"}});
                [other]
                    .into_iter()
                    .chain(kept.comments.iter().map(said))
                    .collect()
            }
            false => json!([]),
        },
        ("POST", path) if path.ends_with("/comments") => {
            let comment = (
                2 + kept.comments.len() as u64,
                body["body"].as_str().unwrap().to_owned(),
            );
            kept.comments.push(comment);
            body
        }
        ("PATCH", path) => {
            let id: u64 = path.rsplit('/').next().unwrap().parse().unwrap();
            let comment = kept
                .comments
                .iter_mut()
                .find(|(one, _)| *one == id)
                .unwrap();
            comment.1 = body["body"].as_str().unwrap().to_owned();
            body
        }
        ("POST", "check-runs") => {
            kept.checks.push(body.clone());
            body
        }
        other => panic!("nobody answers {other:?}"),
    };
    let text = answer.to_string();
    write!(
        stream,
        "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
        text.len()
    )
    .unwrap();
}

/// A repository with a remote, and the environment of a job.
struct Job<'a> {
    place: &'a Place,
    forge: &'a Forge,
    workflow: Tree,
    path: String,
}

impl<'a> Job<'a> {
    fn new(place: &'a Place, forge: &'a Forge) -> Self {
        let root = place.home().parent().unwrap().to_owned();
        std::fs::create_dir(root.join("bin")).unwrap();
        std::os::unix::fs::symlink(program(), root.join("bin/aitc")).unwrap();
        std::fs::create_dir(root.join("temp")).unwrap();
        place.run(&["init", "--ci", "github"]).ends(0);
        let text = place.work().join(".github/workflows/aitc.yml");
        let text = std::fs::read_to_string(text).unwrap();
        let workflow = yaml::read(&text, 64 * 1024).unwrap().value;
        let path = format!("{}:/usr/bin:/bin", root.join("bin").display());
        let job = Self {
            place,
            forge,
            workflow,
            path,
        };
        job.shell("git init -q -b main && git init -q --bare ../remote && git remote add origin ../remote && git add -A && git commit -q -m base && git push -q origin main", &[]);
        job
    }

    fn temp(&self, name: &str) -> String {
        let path = self.place.home().parent().unwrap().join("temp").join(name);
        std::fs::read_to_string(path).unwrap_or_default()
    }

    fn shell(&self, script: &str, variables: &[(&str, &str)]) -> String {
        self.ends(script, variables).unwrap()
    }

    /// The output of a script, or its error output if it fails.
    fn ends(&self, script: &str, variables: &[(&str, &str)]) -> Result<String, String> {
        let root = self.place.home().parent().unwrap().to_owned();
        let output = Command::new("bash")
            .args(["-e", "-c", script])
            .env_clear()
            .env("PATH", &self.path)
            .env("HOME", root.join("home"))
            .env("RUNNER_TEMP", root.join("temp"))
            .env("GITHUB_OUTPUT", root.join("temp/output"))
            .env("GITHUB_API_URL", format!("http://{}", self.forge.address))
            .env("GITHUB_SERVER_URL", "https://forge.example")
            .env("GITHUB_REPOSITORY", "team/shop")
            .env("GITHUB_RUN_ID", "77")
            .env("GH_TOKEN", "token")
            .env("OUTPUTS", ".ai-tools-chain/planning_outputs")
            .env("BASE", "main")
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
        let told = String::from_utf8_lossy(&output.stderr);
        match output.status.success() {
            true => Ok(String::from_utf8(output.stdout).unwrap()),
            false => Err(format!("{script}\n{told}")),
        }
    }

    /// Runs the steps of a job until one fails.
    fn run(&self, job: &str, variables: &[(&str, &str)]) -> Result<(), String> {
        for (name, script) in steps(&self.workflow, job) {
            assert!(!script.contains("${{"), "{name} puts text into a script");
            if !script.is_empty() && name != "Install aitc" {
                self.ends(&script, variables)?;
            }
        }
        Ok(())
    }

    /// Whether a comment of this user starts the workflow.
    fn hears(&self, who: &str, comment: &str) -> bool {
        self.shell("rm -f \"$GITHUB_OUTPUT\"", &[]);
        self.run("allowed", &[("WHO", who), ("COMMENT", comment)])
            .unwrap();
        self.temp("output").trim() == "write=true"
    }

    /// Runs the job for a comment on issue or pull request `number`, in a fresh checkout.
    fn says(&self, number: &str, is_pull: &str, comment: &str, title: &str) -> Result<(), String> {
        self.shell("git switch -q main", &[]);
        self.run(
            "plan",
            &[
                ("EVENT", "issue_comment"),
                ("REF", "main"),
                ("NUMBER", number),
                ("IS_PULL", is_pull),
                ("COMMENT", comment),
                ("TITLE", title),
                ("BODY", HOSTILE),
            ],
        )
    }

    fn files(&self, branch: &str) -> String {
        self.shell(
            &format!("git -C ../remote ls-tree -r --name-only {branch}"),
            &[],
        )
    }
}

const HOSTILE: &str =
    "Export users\n\n$(touch ../hacked) `touch ../hacked` ${{ github.token }} @everybody #1";

/// Runs the workflow's scripts with git and a fake forge: an issue becomes a draft with a question
/// on a branch, the answer completes the version, and feedback creates the next one. A single
/// comment reports all of it.
#[test]
fn the_workflow_plans_pauses_resumes_and_revises() {
    let (place, forge) = (Place::new(), Forge::open());
    let root = place.home().parent().unwrap().to_owned();
    let job = Job::new(&place, &forge);
    assert!(job.hears("alice", "/plan") && job.hears("alice", "/plan feedback: tabs"));
    assert!(job.hears("alice", "/plan\r\nmore"));
    for (who, comment) in [
        ("mallory", "/plan"),
        ("alice", "/planet"),
        ("x/../alice", "/plan"),
        ("", "/plan"),
    ] {
        assert!(!job.hears(who, comment), "{who}: {comment}");
    }

    job.says("5", "false", "/plan", "Export users").unwrap();
    assert!(!root.join("hacked").exists());
    let said = forge.comment();
    assert!(
        said.starts_with("<!-- aitc -->\n**Questions wait.**") && said.contains("Q-1"),
        "{said}"
    );
    let edit = "https://forge.example/team/shop/edit/aitc/issue-5/.ai-tools-chain/planning_outputs/v1.draft/questions.md";
    assert!(said.contains(edit), "{said}");
    let pull = json!({"head": "aitc/issue-5", "base": "main", "title": "Plan for issue 5",
        "body": "What came of it stands in its one comment.", "number": 41});
    assert_eq!(forge.kept().pulls, [pull]);
    assert!(job.files("aitc/issue-5").contains("v1.draft/questions.md"));

    while place.outputs("v1.draft").exists() {
        place.run(&["answer", "--recommended", "--all"]);
        job.shell(
            "git add -A && git commit -q -m answers && git push -q origin aitc/issue-5",
            &[],
        );
        let push = [
            ("EVENT", "push"),
            ("REF", "aitc/issue-5"),
            ("NUMBER", ""),
            ("BEFORE", ""),
        ];
        job.run("plan", &push).unwrap();
    }
    let said = forge.comment();
    assert!(
        said.contains("**Agreed.**") && said.contains("| # | Decide |"),
        "{said}"
    );
    let files = job.files("aitc/issue-5");
    assert!(
        files.contains("v1/manifest.json") && !files.contains("v1.draft"),
        "{files}"
    );
    let check = forge.kept().checks.last().unwrap().clone();
    let head = job.shell("git -C ../remote rev-parse aitc/issue-5", &[]);
    assert_eq!(
        (&check["head_sha"], &check["conclusion"]),
        (&json!(head.trim()), &json!("success"))
    );
    assert!(job.temp("aitc/junit.xml").contains("<testcase "));
    job.run("check", &[("BASE_SHA", "main")]).unwrap();
    assert!(job.temp("aitc/v1.xml").contains("<testsuite"));

    job.says(
        "5",
        "false",
        "/plan feedback Use tabs, @alice, see #12",
        "Export users",
    )
    .unwrap();
    let mut said = forge.comment();
    for _ in 0..8 {
        if !said.contains("**Questions wait.**") {
            break;
        }
        place.run(&["answer", "--recommended", "--all"]);
        job.shell(
            "git add -A && git commit -q -m answers && git push -q origin aitc/issue-5",
            &[],
        );
        job.run(
            "plan",
            &[
                ("EVENT", "push"),
                ("REF", "aitc/issue-5"),
                ("NUMBER", ""),
                ("BEFORE", ""),
            ],
        )
        .unwrap();
        said = forge.comment();
    }
    assert!(
        said.contains("### [v2](https://forge.example/team/shop/blob/aitc/issue-5/"),
        "{said}"
    );
    let is_loud = |sign: char| {
        said.match_indices(sign)
            .any(|(at, _)| said[at + 1..].starts_with(char::is_alphanumeric))
    };
    assert!(!is_loud('@') && !is_loud('#'), "{said}");
    assert_eq!(forge.kept().pulls.len(), 1);

    // Findings of the check are attached to their lines, up to the limit of one request.
    let found = |severity: &str, about: &str| {
        json!({"rule": "a-rule", "severity": severity, "about": about,
            "text": "$(touch ../hacked)", "fix": "::add-mask::x"})
    };
    let mut findings = vec![
        found("warning", "planning_report.md"),
        found("warning", "no/such+file"),
    ];
    findings.extend((0..60).map(|_| found("error", "AC-1")));
    let aitc = root.join("bin/aitc");
    std::fs::remove_file(&aitc).unwrap();
    place.write("../bin/aitc", &format!(
        "#!/bin/sh\n[ \"$1\" = check ] || exec {} \"$@\"\n[ \"$3\" != --json ] || cat ../found.json\nexit 12\n",
        program().display()
    ));
    job.shell("chmod +x ../bin/aitc", &[]);
    let push = [
        ("EVENT", "push"),
        ("REF", "aitc/issue-5"),
        ("NUMBER", ""),
        ("BEFORE", ""),
    ];
    let told = |findings: &[Value]| {
        place.write("../found.json", &json!({"findings": findings}).to_string());
        job.run("plan", &push).unwrap();
        let check = forge.kept().checks.last().unwrap().clone();
        assert_eq!(check["conclusion"], "failure");
        let title = check["output"]["title"].as_str().unwrap();
        assert!(
            title.starts_with(&format!("v2: {} findings, ", findings.len())),
            "{title}"
        );
        check["output"]["annotations"].as_array().unwrap().clone()
    };
    let notes = told(&findings);
    assert_eq!(notes.len(), 50);
    let report = place.text("v2/planning_report.md");
    let line = report
        .lines()
        .position(|line| line.contains("AC-1"))
        .unwrap()
        + 1;
    let page = ".ai-tools-chain/planning_outputs/v2/planning_report.md";
    let note = |level: &str, about: &str, line: usize| {
        json!({"path": page, "start_line": line, "end_line": line, "annotation_level": level,
            "title": format!("a-rule: {about}"), "message": "$(touch ../hacked)\n::add-mask::x"})
    };
    assert_eq!(
        notes[49],
        note("failure", "AC-1", line),
        "errors come first"
    );
    let notes = told(&findings[..2]);
    let wanted = ["planning_report.md", "no/such+file"].map(|about| note("warning", about, 1));
    assert_eq!(notes, wanted);
    assert!(!root.join("hacked").exists());
}

/// The plan for a pull request is committed to its branch; a pull request from another repository
/// is left unchanged.
#[test]
fn a_pull_request_gets_its_plan_on_its_branch() {
    let (place, forge) = (Place::new(), Forge::open());
    let job = Job::new(&place, &forge);
    job.shell("git switch -q -c feature && git commit -q --allow-empty -m x && git push -q origin feature", &[]);
    let open = json!({"head": "feature", "number": 7});
    forge.kept().pulls.push(open.clone());
    job.says("7", "true", "/plan", "Export users").unwrap();
    assert_eq!(forge.kept().pulls, [open]);
    assert!(job.files("feature").contains("v1.draft/questions.md"));
    forge.kept().comments.clear();
    let ended = job.says("8", "true", "/plan feedback nothing", "Export users");
    assert!(ended.is_err());
    let said = forge.comment();
    assert!(
        said.contains("**The run failed**") && said.contains("begin with /plan"),
        "{said}"
    );
    assert!(!job.files("main").contains("planning_outputs/v1"));
}

/// The required format of skills: the name equals the folder's, and the description is within its
/// limit.
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
