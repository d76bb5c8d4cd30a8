//! `sh` blocks: commands for readers to copy, which need a key, a model or something else of the
//! reader's.
//!
//! Each block is one session in a project that a reader would have at that point: a git repository,
//! `requirement.md`, a published v1. Every service and local server is a server of this test,
//! configured by variables; the services require the key. Programs such as `claude` are on the path
//! and call the same server. Placeholders are replaced: `…` after `=` by the key, `"…"` by a
//! requirement, the address of `--base-url`, and `cargo` by a function, see [`CARGO`]. Every
//! command must exit with code 0.

use aitc::config::provider_variable;
use aitc::edge::model::Dialect;
use aitc::edge::model::providers::{LOCALS, PROVIDERS};

use super::page::{self, Block};
use super::server::ready;
use super::session::{Done, Shell};
use super::{is, name, pages, read, side_by_side};
use crate::support::binary::{Going, KEY, copy, program, wait_until};
use crate::support::fake::{Fake, FakeConfig, Reply, Seen, WorkshopScript, members, workshop};
use crate::support::programs::go_between;

/// Blocks that are not run, by page and first command, with the reason.
const NOT_RUN: &[(&str, &str, &str)] = &[
    (
        "README.md",
        "cargo test --workspace",
        "it is what runs this",
    ),
    (
        "README.zh.md",
        "cargo test --workspace",
        "it is what runs this",
    ),
    (
        "docs/guide/first-plan.md",
        "cargo install --path .",
        "it builds everything once more; the packaged files are built by .ci/run",
    ),
    (
        "docs/zh/first-plan.md",
        "cargo install --path .",
        "it builds everything once more; the packaged files are built by .ci/run",
    ),
    (
        "docs/plan-quality.md",
        "git clone --quiet https://example.com/project.git case/repository",
        "it takes a project of the reader's; tests/suite/study.rs runs the script",
    ),
    (
        "docs/performance.md",
        "AITC_LOCAL_THREADS=2 OMP_WAIT_POLICY=passive scripts/prefix-figures",
        "it measures with a model that has to be fetched",
    ),
];

/// Blocks that are run while a workshop is running in another terminal, by page and first command,
/// with their exit code.
const WHILE_ONE_RUNS: &[(&str, &str, i32)] = &[(
    "docs/guide/intervening.md",
    "aitc say \"leave the mobile app out\"",
    7,
)];

/// Replaces cargo: `cargo run` starts the program, which is already built; `cargo test FILTER`
/// checks that such tests exist.
const CARGO: &str = r#"cargo() {
    verb=$1; shift
    case $verb in
        run)
            while [ "$1" != -- ]; do shift; done; shift
            aitc "$@" ;;
        test)
            case "$1 $2" in
                "--test suite") "$SUITE" --list "$3" | grep -q ': test$' ;;
                "-p aitc-workshop") grep -Eqr "^ *(async )?fn $3\(\)" "$RULES" ;;
                *) echo "no such tests: $*"; return 1 ;;
            esac ;;
        *) echo "no cargo $verb here"; return 1 ;;
    esac
}"#;

/// The servers that answer the workshops of a block.
struct Models {
    /// Behind every service; requires the key.
    services: Fake,
    /// Behind every local server.
    locals: Fake,
}

impl Models {
    fn start() -> Self {
        let script = || workshop(WorkshopScript::agreeing_in(1));
        let play = script();
        let config = FakeConfig {
            key: Some(KEY.to_owned()),
            ..FakeConfig::default()
        };
        let held = move |seen: &Seen| {
            if seen.turn.is_none() {
                // The call of `aitc doctor --online`.
                return ready(seen);
            }
            let reply = play(seen);
            // The workshop in the other terminal waits at this call.
            match seen.text().contains(HELD) && seen.key == SECOND {
                true => Reply::Held(Box::new(reply)),
                false => reply,
            }
        };
        Self {
            services: Fake::with(config, held),
            locals: Fake::start(script()),
        }
    }

    fn were_asked(&self) -> bool {
        self.services.connections() + self.locals.connections() > 0
    }
}

const REQUIREMENT: &str = "Add CSV export of orders with a date filter";
/// The requirement of the workshop in the other terminal.
const HELD: &str = "Show the stock of every shop";
/// The call at which that workshop waits.
const SECOND: &str = "speech/SystemDesigner/r1";

/// A project as readers have prepared it.
fn project() -> Shell {
    let shell = Shell::new(program().parent().unwrap());
    let begin = [
        "git init --quiet --initial-branch=main",
        &format!("echo '{REQUIREMENT}' > requirement.md"),
        &format!(
            "aitc plan -f requirement.md --base-url {} --model m --questions assume --quiet",
            members().base_url()
        ),
        "git add . && git commit --quiet --message begin",
    ];
    for (command, done) in begin.iter().zip(shell.run(&begin)) {
        assert_eq!(done.status, 0, "{command}: {}", done.printed);
    }
    shell
}

/// A reader's shell in a copy of `project`.
fn shell(models: &Models, project: &Shell) -> Shell {
    let mut shell = Shell::new(program().parent().unwrap());
    copy(&project.work(), &shell.work());
    let services = PROVIDERS
        .iter()
        .map(|it| (it.name, it.dialect, &models.services));
    let locals = LOCALS
        .iter()
        .map(|it| (it.name, it.dialect, &models.locals));
    for (name, dialect, fake) in services.chain(locals) {
        let address = match dialect {
            Dialect::Gemini | Dialect::Ollama => fake.base_url().replace("/v1", ""),
            _ => fake.base_url(),
        };
        shell.set(&provider_variable(name, "base_url"), &address);
    }
    let price = "gpt-6-luna.input=0.10,gpt-6-luna.output=0.50";
    shell.set(&provider_variable("openai", "prices"), price);
    for agent in ["claude", "codex"] {
        go_between(&shell.home(), agent, &models.locals, "");
    }
    let suite = std::env::current_exe().unwrap();
    shell.set("SUITE", suite.to_str().unwrap());
    let rules = crate::support::project("crates/workshop/tests/rules");
    shell.set("RULES", rules.to_str().unwrap());
    shell.set("AITC_DISCOVER", "on");
    shell
}

/// The command with its placeholders replaced.
fn filled(command: &str, models: &Models) -> String {
    let command = command
        .replace("=…", &format!("={KEY}"))
        .replace("\"…\"", &format!("\"{REQUIREMENT}\""));
    let Some((before, rest)) = command.split_once("--base-url ") else {
        return command;
    };
    let (address, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let fake = match address.starts_with("https:") {
        true => &models.services,
        false => &models.locals,
    };
    format!("{before}--base-url {} {rest}", fake.base_url())
}

/// Runs a block in a copy of `project`; returns what went wrong.
fn copied(project: &Shell, page: &str, commands: &[(usize, String)]) -> Option<String> {
    let models = Models::start();
    let mut shell = shell(&models, project);
    let texts: Vec<&str> = commands.iter().map(|(_, text)| text.as_str()).collect();
    if !texts.iter().any(|text| text.starts_with("export ")) {
        for name in ["OPENAI_API_KEY", "DEEPSEEK_API_KEY"] {
            shell.set(name, KEY);
        }
    }
    let meanwhile = WHILE_ONE_RUNS
        .iter()
        .find(|(of, first, _)| *of == page && *first == texts[0])
        .map(|(.., code)| (begun(&shell, &models), *code));
    let script = texts.iter().map(|text| filled(text, &models));
    let script: Vec<String> = [CARGO.to_owned()].into_iter().chain(script).collect();
    let done = shell.run(&script.iter().map(String::as_str).collect::<Vec<_>>());
    if let Some((going, code)) = meanwhile {
        models.services.lets_go();
        going.end().ends(code);
    }
    let failed = |(done, (line, text)): (&Done, &(usize, String))| {
        let told = format!("{page}:{}: `{text}` ended with {}", line + 1, done.status);
        (done.status != 0).then(|| format!("{told}:\n{}", done.printed))
    };
    let fault = done[1..].iter().zip(commands).find_map(failed);
    let plans = texts.iter().any(|text| text.starts_with("aitc plan "));
    fault.or_else(|| {
        let unasked = plans && !models.were_asked();
        unasked.then(|| format!("{page}: no model was asked by {texts:?}"))
    })
}

/// Starts a workshop in another terminal, and waits until its second speaker is asked.
fn begun(shell: &Shell, models: &Models) -> Going {
    let mut command = shell.command(program().to_str().unwrap());
    command.args(["plan", HELD, "--questions", "assume"]);
    let mut going = Going::start(command);
    let called = || models.services.calls(SECOND) == 1 || going.is_over();
    wait_until("the second speaker", called);
    match models.services.calls(SECOND) {
        1 => going,
        _ => panic!("it ended before anybody spoke: {:#?}", going.end()),
    }
}

/// Commands of every `sh` block, with their zero-based lines, by page.
fn blocks() -> Vec<(String, Vec<(usize, String)>)> {
    let mut all = Vec::new();
    for path in pages() {
        let text = read(&path);
        let lines: Vec<&str> = text.lines().collect();
        let blocks = page::blocks(&lines);
        let copied = blocks.iter().filter(|block: &&Block| is(block, "sh"));
        all.extend(copied.map(|block| (name(&path), page::commands(&lines, block))));
    }
    all
}

fn is_run(page: &str, commands: &[(usize, String)]) -> bool {
    let first = &commands[0].1;
    !NOT_RUN
        .iter()
        .any(|(of, command, _)| *of == page && command == first)
}

#[test]
fn what_is_shown_to_be_copied_works() {
    if !super::session::has("git") {
        eprintln!("skipped: the projects of readers need git");
        return;
    }
    let blocks = blocks();
    let run: Vec<_> = blocks
        .iter()
        .filter(|(page, it)| is_run(page, it))
        .collect();
    assert!(run.len() > 15, "{} blocks", run.len());
    let project = project();
    let wrong = side_by_side(&run, |(page, commands)| copied(&project, page, commands));
    let wrong: Vec<_> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn what_is_said_of_a_block_is_said_of_one_that_is_there() {
    let there = |page: &str, first: &str| {
        let same =
            |(of, commands): &(String, Vec<(usize, String)>)| of == page && commands[0].1 == first;
        assert!(blocks().iter().any(same), "{page} has no block `{first}`");
    };
    for (page, first, why) in NOT_RUN {
        there(page, first);
        assert!(!why.is_empty());
    }
    for (page, first, _) in WHILE_ONE_RUNS {
        there(page, first);
    }
}

/// Commands are only in blocks that are run.
#[test]
fn no_command_hides_in_a_block_that_is_not_run() {
    const KNOWN: &[&str] = &["console", "sh", "text", "yaml", "rust", ""];
    for path in pages() {
        let text = read(&path);
        let lines: Vec<&str> = text.lines().collect();
        for block in page::blocks(&lines) {
            let at = format!("{}:{}", name(&path), block.lines.start);
            assert!(KNOWN.iter().any(|word| is(&block, word)), "{at}: {block:?}");
            if is(&block, "console") || is(&block, "sh") {
                continue;
            }
            for line in &lines[block.lines.clone()] {
                let typed = ["aitc ", "$ ", "cargo ", "git "];
                let is_command = typed.iter().any(|start| line.starts_with(start));
                assert!(!is_command, "{at}: `{line}` is not run");
            }
        }
    }
}
