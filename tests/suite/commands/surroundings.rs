//! What the environment says: proxies, locale, the time of making.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};

use super::{Sandbox, status};
use crate::support::binary::{Going, Place, Ran};
use crate::support::fake::{Fake, WorkshopScript, workshop};

/// Resolved by nobody, so that only a proxy leads there.
const HOST: &str = "no-such-host.invalid";
const PLAN: [&str; 5] = ["plan", "Export orders", "--light", "--questions", "assume"];

fn proxy() -> Fake {
    Fake::start(workshop(WorkshopScript {
        rounds_to_converge: 1,
        ..WorkshopScript::default()
    }))
}

fn run(place: &Place, base_url: &str, variables: &[(&str, &str)]) -> Ran {
    let mut command = place.command(&PLAN);
    command
        .env("AITC_PROVIDER", "openai")
        .env("AITC_BASE_URL", base_url)
        .env("AITC_MODEL", "fake-1")
        .env("AITC_API_KEY", "k")
        .env("AITC_MAX_FAILURES", "1")
        .envs(variables.iter().copied());
    Going::start(command).end()
}

/// `cat "$(aitc plan …)/planning_report.md"` has to find it, wherever it is typed.
#[test]
fn a_path_that_is_printed_leads_there_from_where_it_was_typed() {
    let place = Place::new();
    place.write(".git/HEAD", "ref: refs/heads/main\n");
    place.write("src/deep/notes.md", "notes");
    let (top, deep) = (place.work().to_owned(), place.work().join("src/deep"));
    let outside = place.home();
    let there = top.to_str().unwrap();
    for (folder, typed, path) in [
        (&top, None, ".ai-tools-chain/planning_outputs/v1"),
        (&deep, None, "../../.ai-tools-chain/planning_outputs/v2"),
        (
            &deep,
            Some("../.."),
            "../../.ai-tools-chain/planning_outputs/v3",
        ),
        (&outside, Some(there), ""),
    ] {
        let mut command = place.command(&PLAN);
        command.current_dir(folder);
        if let Some(typed) = typed {
            command.args(["-C", typed]);
        }
        let ran = Going::start(command).end();
        let printed = ran.out.trim_end();
        assert!(
            folder.join(printed).join("planning_report.md").is_file(),
            "{ran:#?}"
        );
        // Where neither folder lies in the other it is whole.
        assert!(path == printed || path.is_empty(), "{ran:#?}");
    }
    let mut within = place.command(&["status", "v1", "--json"]);
    within.current_dir(place.outputs("v1"));
    let status = Going::start(within).end().out;
    assert!(
        status.contains("\"path\": \".\"") || status.contains("\"path\":\".\""),
        "{status}"
    );
    let mut damaged = place.command(&["status", "v2"]);
    damaged.current_dir(&deep);
    let transcript = place.outputs("v2/planning_transcript.jsonl");
    let whole = std::fs::read_to_string(&transcript).unwrap();
    let cut: Vec<&str> = whole.split_inclusive('\n').take(5).collect();
    std::fs::write(transcript, cut.concat()).unwrap();
    let fix = "git checkout -- ../../.ai-tools-chain/planning_outputs/v2";
    Going::start(damaged).end().fails(10, &[fix]);
}

/// The server stands for a proxy: it answers what is asked of a host it is not.
#[test]
fn a_call_goes_through_the_proxy_of_the_environment() {
    for name in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
        let (place, proxy) = (Place::new(), proxy());
        let address = proxy.base_url().replace("/v1", "");
        run(&place, &format!("http://{HOST}/v1"), &[(name, &address)]).ends(0);
        assert_eq!(proxy.calls("judgment/Coach"), 1, "{name}");
        let seen = proxy.seen();
        assert_eq!(seen[0].headers["host"], HOST, "{name}");
    }
}

#[test]
fn no_call_goes_through_the_proxy_to_a_host_that_is_excepted() {
    for (name, hosts) in [
        ("NO_PROXY", HOST),
        ("no_proxy", HOST),
        ("NO_PROXY", "other.example,.invalid"),
        ("NO_PROXY", "*"),
    ] {
        let (place, proxy) = (Place::new(), proxy());
        let address = proxy.base_url().replace("/v1", "");
        let variables = [("HTTP_PROXY", &*address), (name, hosts)];
        run(&place, &format!("http://{HOST}/v1"), &variables).fails(5, &[HOST]);
        assert_eq!(proxy.connections(), 0, "{name}={hosts}");
    }
}

/// Whatever the environment says: a key for a server of this machine stays on it.
#[test]
fn a_server_of_this_machine_is_not_reached_through_a_proxy() {
    let (place, proxy, server) = (Place::new(), proxy(), proxy());
    let address = proxy.base_url().replace("/v1", "");
    for name in ["HTTP_PROXY", "ALL_PROXY"] {
        run(&place, &server.base_url(), &[(name, &address)]).ends(0);
    }
    assert_eq!(proxy.connections(), 0);
}

/// A proxy that is asked for tunnels and gives none; what was asked for.
fn tunnels() -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (tell, told) = channel();
    // It ends with the process: a test hears all it wants of it.
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut line = String::new();
            BufReader::new(&stream).read_line(&mut line).unwrap();
            let _ = stream.write_all(b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n");
            if tell.send(line).is_err() {
                return;
            }
        }
    });
    (address, told)
}

#[test]
fn a_secure_call_asks_the_proxy_for_a_tunnel() {
    for name in ["HTTPS_PROXY", "https_proxy", "ALL_PROXY"] {
        let (place, (address, told)) = (Place::new(), tunnels());
        let base_url = format!("https://{HOST}/v1");
        run(&place, &base_url, &[(name, &address)]).fails(5, &[HOST]);
        let line = told.try_recv().unwrap_or_default();
        assert!(
            line.starts_with(&format!("CONNECT {HOST}:443 ")),
            "{name}: {line}"
        );
    }
    // The variable for plain calls is not meant for these.
    let (place, (address, told)) = (Place::new(), tunnels());
    run(
        &place,
        &format!("https://{HOST}/v1"),
        &[("HTTP_PROXY", &address)],
    )
    .ends(5);
    assert!(told.try_recv().is_err());
}

#[test]
fn of_the_locales_the_strongest_that_is_set_holds() {
    let sandbox = Sandbox::new();
    for (variables, chinese) in [
        (
            &[("LC_ALL", "zh_CN.UTF-8"), ("LANG", "en_US.UTF-8")][..],
            true,
        ),
        (&[("LC_ALL", "en_US.UTF-8"), ("LANG", "zh_CN.UTF-8")], false),
        (&[("LC_ALL", "C"), ("LC_MESSAGES", "zh_TW.UTF-8")], false),
        (&[("LC_MESSAGES", "zh_TW.UTF-8"), ("LANG", "C")], true),
        (&[("LC_ALL", ""), ("LANG", "zh_CN.UTF-8")], true),
        (&[("LC_CTYPE", "zh_CN.UTF-8")], false),
        (&[("LC_ALL", "zh_CN.UTF-8"), ("AITC_LANG", "en")], false),
        (&[("LC_ALL", "C.UTF-8"), ("AITC_LANG", "zh")], true),
    ] {
        for line in [&["config", "show"][..], &["help", "plan"], &["plan", " "]] {
            let mut command = sandbox.command(line);
            command.envs(variables.iter().copied());
            let block = sandbox.block(command);
            let found = ["未设置", "用法", "错误"]
                .iter()
                .any(|it| block.contains(it));
            assert_eq!(found, chinese, "{variables:?}: {block}");
        }
    }
}

/// Nothing that can be made again holds the time of its making, so that
/// `SOURCE_DATE_EPOCH` has nothing to set: a second later every byte is the same.
#[test]
fn what_is_made_again_holds_no_time_of_its_making() {
    let sandbox = Sandbox::new();
    sandbox.run(&["plan", "Export the list", "--questions", "assume"]);
    // What is there already is told otherwise than what is made.
    made_again(&sandbox);
    let first = made_again(&sandbox);
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    let second = made_again(&sandbox);
    assert_eq!(first.len(), second.len());
    for (first, second) in first.iter().zip(&second) {
        assert!(first == second, "{} is not the same", first.0);
    }
    assert_eq!(status(&sandbox.run(&["verify"])), "0");
}

/// What commands print that make something from a version, and the files they leave.
fn made_again(sandbox: &Sandbox) -> Vec<(String, Vec<u8>)> {
    let again = sandbox.folder.path().join("work/again");
    let _ = std::fs::remove_dir_all(&again);
    let mut made = Vec::new();
    for line in [
        "man",
        "man plan",
        "completions bash",
        "show report",
        "show design",
        "why C-1",
        "status",
        "check",
        "verify",
        "verify --out again",
        "init --agents claude,codex --ci github",
        "export html",
        "export md",
        "export json",
        "export junit",
        "export csv",
        "export jira",
        "export linear",
        "export github",
        "export taskmaster",
        "export tasks-md",
        "config schema",
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        let output = sandbox.command(&arguments).output().unwrap();
        assert!(
            [Some(0), Some(12)].contains(&output.status.code()),
            "{line}: {output:?}"
        );
        made.push((line.to_owned(), output.stdout));
    }
    assert!(again.join("planning_report.md").exists());
    for file in walkdir::WalkDir::new(sandbox.folder.path()).sort_by_file_name() {
        let file = file.unwrap();
        if file.file_type().is_file() {
            let bytes = std::fs::read(file.path()).unwrap();
            made.push((file.path().display().to_string(), bytes));
        }
    }
    made
}
