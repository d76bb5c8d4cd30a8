//! Without a configured model: the error that lists possible ones, and the question on a terminal.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::binary::{Going, Place, wait_until};
use crate::support::fake::{Fake, WorkshopScript, workshop};
use crate::support::programs::{go_between, script};
use crate::support::terminal::OnTerminal;

const WISH: &str = "Export the customer list as CSV";
const QUESTION: &str = "Who answers for the members?";
const CONSENT: &str = "May Claude Code read ";

/// A command without a model, with the programs of `bin` on its `PATH`.
fn command(place: &Place, arguments: &[&str]) -> Command {
    let mut command = place.command_without_model(arguments);
    let path = format!("{}:/usr/bin:/bin", bin(place).display());
    command.env("PATH", path);
    command
}

fn bin(place: &Place) -> PathBuf {
    let bin = place.home().with_file_name("bin");
    std::fs::create_dir_all(&bin).unwrap();
    bin
}

/// A coding agent that leaves a file when it is run.
fn untouched_agent(place: &Place) -> PathBuf {
    let mark = bin(place).join("was-run");
    script(&bin(place), "claude", &format!("touch {}", mark.display()));
    mark
}

fn agreeing() -> Fake {
    Fake::start(workshop(WorkshopScript::agreeing_in(1)))
}

#[test]
fn it_takes_no_time_to_find_nobody() {
    let place = Place::new();
    let took = (0..8).map(|_| {
        let begun = Instant::now();
        Going::start(command(&place, &["plan", WISH])).end().ends(4);
        begun.elapsed()
    });
    // A busy machine may slow down some runs, but not all.
    let best = took.min().unwrap();
    assert!(best < Duration::from_millis(100), "{best:?}");
}

#[test]
fn on_a_terminal_it_is_asked_who_answers() {
    for (lang, question, consent) in [
        ("en", QUESTION, CONSENT),
        ("zh", "由谁替成员回答？", "是否允许 Claude Code 自行读取"),
    ] {
        let (place, fake) = (Place::new(), agreeing());
        go_between(&bin(&place), "claude", &fake, "");
        let line = ["plan", WISH, "--questions", "assume", "--lang", lang];
        let mut terminal = OnTerminal::sized(command(&place, &line), (100, 30));
        terminal.sees(question);
        terminal.sees("[1] ");
        terminal.types("one");
        terminal.types("1");
        terminal.sees(consent);
        terminal.types("y");
        let closed = terminal.closes_with(0);
        assert!(closed.was_restored);
        assert_eq!(place.versions(), ["v1"]);
        // The answer is not stored.
        assert!(!place.home().join(".config/aitc/config.yaml").exists());
        let again = Going::start(command(&place, &["plan", WISH])).end();
        again.fails(4, &["E-model-none"]);
    }
}

#[test]
fn always_writes_the_users_own_configuration() {
    let (place, fake) = (Place::new(), agreeing());
    go_between(&bin(&place), "claude", &fake, "");
    place.configure_project("language: en\n");
    place.configure("# mine\nheartbeat_ms: 60000\n");
    let line = ["plan", WISH, "--questions", "assume"];
    let mut terminal = OnTerminal::sized(command(&place, &line), (100, 30));
    terminal.sees("[1] Claude Code, on this machine");
    terminal.sees("[2] a model server: --base-url");
    terminal.sees("[a]lways");
    terminal.types("1a");
    terminal.sees(CONSENT);
    terminal.types("perhaps");
    terminal.types("ya");
    assert_eq!(terminal.closes().code, 0);
    let own = std::fs::read_to_string(place.home().join(".config/aitc/config.yaml")).unwrap();
    assert_eq!(
        own,
        "# mine\nheartbeat_ms: 60000\nprovider: claude-code\nproviders:\n  claude-code:\n    reads_workspace: true\n"
    );
    let project = std::fs::read_to_string(place.work().join(".ai-tools-chain/config.yaml"));
    assert_eq!(project.unwrap(), "language: en\n");
    // The stored choice also applies without a terminal, because the user named the program.
    Going::start(command(&place, &line)).end().ends(0);
    assert_eq!(place.versions(), ["v1", "v2"]);
}

#[test]
fn a_server_is_named_by_its_address() {
    for kept in [false, true] {
        let (place, fake) = (Place::new(), agreeing());
        let line = ["plan", WISH, "--questions", "assume", "--model", "fake-1"];
        let mut terminal = OnTerminal::sized(command(&place, &line), (100, 30));
        terminal.sees("[1] a model server: --base-url");
        terminal.types(if kept { "1a" } else { "1" });
        terminal.sees("Address of the server");
        terminal.types(&fake.base_url());
        terminal.closes_with(0);
        let own = std::fs::read_to_string(place.home().join(".config/aitc/config.yaml"));
        assert_eq!(own.is_ok(), kept);
        let code = Going::start(command(&place, &line)).end().code;
        assert_eq!(code, if kept { 0 } else { 4 });
    }
}

#[test]
fn nobody_is_asked_twice_in_a_chat() {
    let (place, fake) = (Place::new(), agreeing());
    go_between(&bin(&place), "claude", &fake, "");
    let line = ["chat", "--questions", "assume"];
    let mut terminal = OnTerminal::all_of(command(&place, &line), (100, 40));
    terminal.sees("/help");
    terminal.types("Photos or text?");
    terminal.sees(QUESTION);
    terminal.types("1");
    terminal.sees(CONSENT);
    terminal.types("n");
    terminal.sees("`/save` keeps");
    terminal.types("Photos, then.");
    terminal.sees("Party v2");
    wait_until("the second answer", || {
        let rows = terminal.rows();
        rows.iter()
            .filter(|row| row.contains("`/save` keeps"))
            .count()
            == 2
    });
    terminal.types("/save");
    terminal.sees("chat/v2");
    terminal.types("quit");
    let closed = terminal.closes_with(0);
    assert_eq!(closed.bytes.matches(QUESTION).count(), 1);
    assert_eq!(closed.bytes.matches(CONSENT).count(), 1);
}

/// If a named agent has no setting for it, the user is asked whether it may read the workspace; it
/// may only if the answer is yes.
#[test]
fn an_agent_reads_the_workspace_if_the_user_says_so() {
    let line = [
        "plan",
        WISH,
        "--questions",
        "assume",
        "--provider",
        "claude-code",
    ];
    for (answer, own, more, is_asked, reads) in [
        (Some("y"), "", &[][..], true, true),
        (Some("n"), "", &[], true, false),
        // Ctrl-D counts as no.
        (None, "", &[], true, false),
        (
            None,
            "providers: {claude-code: {reads_workspace: true}}\n",
            &[],
            false,
            true,
        ),
        (
            None,
            "providers: {claude-code: {reads_workspace: false}}\n",
            &[],
            false,
            false,
        ),
        (None, "", &["--grounding", "map"], false, false),
    ] {
        let (place, fake) = (Place::new(), agreeing());
        let seen = place.home().with_file_name("where");
        let speaker = go_between(&bin(&place), "speaker", &fake, "");
        let text = format!("pwd >> {}; {} \"$@\"", seen.display(), speaker.display());
        script(&bin(&place), "claude", &text);
        if !own.is_empty() {
            place.configure(own);
        }
        let line = [&line[..], more].concat();
        let mut terminal = OnTerminal::sized(command(&place, &line), (100, 30));
        if is_asked {
            terminal.sees(CONSENT);
            terminal.sees("[a]lways");
            match answer {
                Some(answer) => terminal.types(answer),
                None => terminal.presses("\x04"),
            }
        }
        let closed = terminal.closes();
        assert_eq!(closed.code, 0, "{:#?}", closed.rows);
        assert_eq!(closed.bytes.contains(CONSENT), is_asked, "{answer:?} {own}");
        let work = place.work().canonicalize().unwrap();
        let seen = std::fs::read_to_string(seen).unwrap();
        let mut places = seen.lines().map(std::path::Path::new);
        assert!(
            places.all(|place| (place == work) == reads),
            "{answer:?} {own} {seen}"
        );
    }
}

#[test]
fn nobody_has_consented_who_interrupts() {
    let place = Place::new();
    let mark = untouched_agent(&place);
    let line = ["plan", WISH, "--provider", "claude-code"];
    let terminal = OnTerminal::sized(command(&place, &line), (100, 30));
    terminal.sees("[a]lways");
    terminal.is_heard();
    terminal.signal("INT");
    assert_eq!(terminal.closes().code, 130);
    assert!(place.versions().is_empty());
    assert!(!mark.exists());
}

#[test]
fn who_answers_is_left_open_by_ctrl_c_and_ctrl_d() {
    for (key, code) in [("\x03", 130), ("\x04", 4)] {
        let place = Place::new();
        let mark = untouched_agent(&place);
        let mut terminal = OnTerminal::sized(command(&place, &["plan", WISH]), (100, 30));
        terminal.sees("[a]lways");
        terminal.is_heard();
        match code {
            // The test's terminal is not the controlling terminal, so send the signal.
            130 => terminal.signal("INT"),
            _ => terminal.presses(key),
        }
        let closed = terminal.closes();
        assert_eq!(closed.code, code, "{:#?}", closed.rows);
        assert!(place.versions().is_empty());
        assert!(!mark.exists());
    }
    let place = Place::new();
    let unasked = command(&place, &["plan", WISH, "--no-input"]);
    let closed = OnTerminal::sized(unasked, (80, 24)).closes();
    assert_eq!(closed.code, 4);
    assert!(!closed.bytes.contains(QUESTION));
}

#[test]
fn whoever_answers_by_hand_gets_the_first_prompt() {
    let place = Place::new();
    let mut terminal = OnTerminal::sized(command(&place, &["plan", WISH]), (100, 30));
    terminal.sees("[2] you, or your coding agent, through files");
    terminal.types("2");
    terminal.closes_with(8);
    assert!(place.outputs("v1.draft/calls/001.prompt.md").exists());
}
