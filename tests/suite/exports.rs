//! Exported plans: the formats that other programs import; hostile text in them stays text.

mod page;

use std::process::Command;

use aitc::artifact;
use aitc::export::{ExportFormat, export};
use aitc::machine::State;
use aitc::reply::Document;
use serde_json::{Value, json};

use crate::support::binary::Going;
use crate::support::openapi;
use crate::support::{checked, plans};

const HOSTILE: &str =
    "=cmd|'/C calc'!A0 <b>&\"x\" $(touch hacked) `touch hacked` ']]> \u{1b}[2J\n# head";

/// A valid plan in which every text contains markup or commands.
fn hostile() -> State {
    let words = json!(HOSTILE);
    let changes = [
        "dev_plan set /work/{n}/title",
        "dev_plan set /work/{n}/detail",
        "test_plan set /cases/{n}/title",
        "test_plan set /cases/{n}/steps",
        "product_plan set /criteria/{n}/then",
    ];
    let both = ["0", "1"].map(|n| changes.map(|it| format!("{} {words}", it.replace("{n}", n))));
    checked::broken(&plans::good(), &both.concat().join("; "))
}

fn text(state: &State, format: ExportFormat) -> String {
    export(&artifact::structured(state), format).unwrap().text
}

/// Parses the rows of a CSV table (RFC 4180).
fn rows(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let (mut quoted, mut chars) = (false, text.chars().peekable());
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => cell.push(chars.next().unwrap()),
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            c => cell.push(c),
        }
    }
    assert!(!quoted && cell.is_empty() && row.is_empty(), "a torn table");
    rows
}

#[test]
fn tables_are_whole_and_run_nothing() {
    for format in [ExportFormat::Csv, ExportFormat::Jira, ExportFormat::Linear] {
        let state = hostile();
        let table = rows(&text(&state, format));
        let Some(Document::DevPlan(dev)) = state
            .documents
            .written
            .values()
            .map(|record| &record.content)
            .find(|document| matches!(document, Document::DevPlan(_)))
        else {
            panic!("no work");
        };
        let more = if format == ExportFormat::Jira { 2 } else { 1 };
        assert_eq!(table.len(), dev.work.len() + more, "{format:?}");
        for row in &table {
            assert_eq!(row.len(), table[0].len(), "{row:?}");
            for cell in row {
                assert!(
                    !cell.trim_start().starts_with(['=', '+', '-', '@']),
                    "{cell:?}"
                );
                assert!(!cell.contains('\u{1b}'), "{cell:?}");
            }
        }
        let titles: Vec<_> = table[more..]
            .iter()
            .flatten()
            .filter(|cell| cell.contains("calc"))
            .collect();
        assert!(!titles.is_empty(), "{format:?}: the text itself stays");
    }
}

#[test]
fn jira_rows_point_at_rows_that_are_there() {
    let table = rows(&text(&plans::good(), ExportFormat::Jira));
    let head = &table[0];
    let ids: Vec<&str> = table[1..].iter().map(|row| row[0].as_str()).collect();
    let mut links = 0;
    for row in &table[2..] {
        assert_eq!(row[1], ids[0], "the parent is the epic");
        for (name, cell) in head.iter().zip(row) {
            if name == "Inward issue link (Blocks)" && !cell.is_empty() {
                assert!(ids.contains(&cell.as_str()), "{cell}");
                links += 1;
            }
        }
    }
    assert!(links > 0);
}

#[test]
fn taskmaster_has_numbers_that_hold() {
    let list: Value = serde_json::from_str(&text(&hostile(), ExportFormat::Taskmaster)).unwrap();
    let tasks = list["master"]["tasks"].as_array().unwrap();
    let mut seen = Vec::new();
    for task in tasks {
        for first in task["dependencies"].as_array().unwrap() {
            assert!(seen.contains(first), "{first} comes later");
        }
        seen.push(task["id"].clone());
        assert!(task["id"].is_u64());
        assert_eq!(task["status"], "pending");
        assert!(["high", "medium"].contains(&task["priority"].as_str().unwrap()));
        for field in ["title", "description", "details", "testStrategy"] {
            assert!(task[field].is_string(), "{field}");
        }
    }
}

#[test]
fn a_check_list_stays_a_list() {
    let text = text(&hostile(), ExportFormat::TasksMd);
    for line in text.lines().skip(1) {
        let known = ["- [ ] **W-", "  ", "> **"]
            .iter()
            .any(|start| line.starts_with(start));
        assert!(known || line.is_empty(), "{line}");
        assert!(
            !line.replace("\\<", "").contains('<') && !line.contains('\u{1b}'),
            "{line}"
        );
    }
    assert_eq!(text.matches("\n# ").count(), 0, "{text}");
}

#[test]
fn junit_is_well_formed_and_claims_no_run() {
    let text = text(&hostile(), ExportFormat::Junit);
    let cases = text.matches("<testcase ").count();
    assert!(cases > 0);
    assert_eq!(text.matches("<skipped ").count(), cases);
    assert!(text.contains(&format!(
        "tests=\"{cases}\" failures=\"0\" errors=\"0\" skipped=\"{cases}\""
    )));
    // Everything except our own tags is escaped and contains no control characters.
    for piece in text.split('<').skip(1) {
        let name: String = piece
            .trim_start_matches(['/', '?'])
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '-')
            .collect();
        let known = [
            "xml",
            "testsuites",
            "testsuite",
            "testcase",
            "properties",
            "property",
            "skipped",
            "system-out",
        ];
        assert!(known.contains(&name.as_str()), "<{piece}");
    }
    assert!(
        !text
            .replace("&amp;", "")
            .replace("&lt;", "")
            .replace("&gt;", "")
            .replace("&quot;", "")
            .contains('&')
    );
    assert!(!text.chars().any(|c| c.is_control() && c != '\n'));
}

/// Runs the script with a `gh` that records its arguments: one issue per item, later issues refer
/// to earlier numbers, no text is executed, and nothing is created twice.
#[test]
fn the_github_script_makes_issues_and_runs_no_text() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let script = text(&hostile(), ExportFormat::Github);
    std::fs::write(at("issues.sh"), &script).unwrap();
    std::fs::create_dir(at("bin")).unwrap();
    let gh = "#!/bin/sh\n[ \"$1\" = label ] && exit 0\nprintf '%s\\0' \"$@\" >> ../asked\n\
              n=$(tr -cd '\\001' < ../count 2>/dev/null | wc -c); printf '\\001' >> ../count\n\
              echo https://example.com/issues/$((n + 1))\n";
    std::fs::write(at("bin/gh"), gh).unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(at("bin/gh"), mode).unwrap();
    std::fs::create_dir(at("work")).unwrap();
    let run = || {
        let output = Command::new("sh")
            .arg("../issues.sh")
            .env("PATH", format!("{}:/usr/bin:/bin", at("bin").display()))
            .current_dir(at("work"))
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap()
    };
    let first = run();
    let items = script.matches("\nissue '").count();
    assert_eq!(first.lines().count(), items, "{first}");
    assert!(!at("work/hacked").exists() && !at("hacked").exists());
    let asked = std::fs::read_to_string(at("asked")).unwrap();
    assert!(asked.contains("$(touch hacked)"), "the text itself arrives");
    for issue in asked.split("issue\0create\0").skip(1) {
        let words: Vec<&str> = issue.split('\0').collect();
        let issue = json!({"title": words[1], "body": words[3], "labels": [words[5], words[7]]});
        openapi::takes("POST", "/repos/team/shop/issues", &issue);
    }
    assert!(
        asked.contains("- W-1: https://example.com/issues/1"),
        "{asked}"
    );
    assert_eq!(run(), "", "a second run makes nothing");
}

/// Every export of an unresolved plan says that it is unresolved.
#[test]
fn an_unresolved_plan_says_so() {
    for status in [
        artifact::PlanStatus::Agreed,
        artifact::PlanStatus::Unresolved,
    ] {
        let mut plan = artifact::structured(&plans::good());
        plan.status = status;
        for format in [
            ExportFormat::TasksMd,
            ExportFormat::Taskmaster,
            ExportFormat::Github,
            ExportFormat::Jira,
            ExportFormat::Linear,
        ] {
            let text = export(&plan, format).unwrap().text;
            let told = text.contains("Unresolved: ");
            assert_eq!(
                told,
                status == artifact::PlanStatus::Unresolved,
                "{format:?}"
            );
        }
    }
}

/// A plan with text that people write: names, numbers, addresses and a long title.
fn loud() -> State {
    let said =
        "Fixes #12 and GH-7 for @app, see https://example.com/a/b/issues/5 or www.example.com. ";
    let mut state = hostile();
    for record in state.documents.written.values_mut() {
        if let Document::DevPlan(plan) = &mut record.content {
            for item in &mut plan.work {
                item.title = said.repeat(5);
                item.detail = format!("{said}{LINKS}");
            }
        }
    }
    state
}

/// Other text that some tracker turns into a link, a notification or a picture.
const LINKS: &str = "Ask me@x.example or [~jo], AC-1, [AC-2], a/b#3, a/b@3f2a91c5, 1234567, \\@bob, \
    [here|http://y.example], [there](z.html), !map.png!, ![map](m.png), mailto:me@x.example, \
    <https://z.example>, {adf}{\"type\":\"mention\"}{adf}, {anchor:a}, ABC_D-9.";

/// Whether a forge or tracker would turn part of this text, outside of code, into a link or a
/// notification.
fn is_loud(text: &str) -> bool {
    let outside: String = text.split('`').step_by(2).collect();
    let signs = ["@app", "#12", "GH-7", "://e", "www."];
    signs.iter().any(|sign| outside.contains(sign))
}

#[test]
fn what_is_exported_notifies_and_links_nobody() {
    let state = loud();
    for line in text(&state, ExportFormat::TasksMd).lines() {
        assert!(!is_loud(line), "{line}");
    }
    let script = text(&state, ExportFormat::Github);
    let issues = script.split("\nissue ").skip(1);
    for issue in issues {
        assert!(!is_loud(issue), "{issue}");
        let title = issue.split('\'').nth(3).unwrap();
        assert!((200..=256).contains(&title.chars().count()), "{title}");
        // Five times in the whole title, which is repeated in the body, and once in the detail.
        let times = issue.matches("Fixes").count() - title.matches("Fixes").count();
        assert_eq!(times, 6, "{issue}");
    }
    for format in [ExportFormat::Jira, ExportFormat::Linear] {
        let table = rows(&text(&state, format));
        let cells = table.iter().flatten().filter(|cell| cell.contains("Fixes"));
        let cells: Vec<&String> = cells.collect();
        assert!(!cells.is_empty());
        for cell in cells {
            assert!(!is_loud(cell), "{cell}");
        }
    }
}

/// The trackers' own parsers find no links: Jira's wiki text, GitHub's Markdown, and Linear's
/// importer. `TRACKERS` names the folder with these packages.
#[test]
fn the_parsers_of_trackers_find_no_link_and_every_row() {
    let Some(modules) = std::env::var_os("TRACKERS") else {
        eprintln!(
            "skipped: TRACKERS names no folder with the packages of tests/support/trackers.mjs"
        );
        return;
    };
    let read = |kind: &str, text: &str| -> Value {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/trackers.mjs");
        let mut command = Command::new("node");
        command.arg(script).arg(&modules).arg(kind);
        let ran = Going::fed(command, &[text]).end().ends(0);
        serde_json::from_str(&ran.out).unwrap()
    };
    // The parsers do detect links in unescaped text.
    let found = |kind, text| read(kind, text).as_array().unwrap().len();
    assert!(found("wiki", LINKS) >= 7 && found("markdown", LINKS) >= 7);
    let state = loud();
    let jira = rows(&text(&state, ExportFormat::Jira));
    for row in &jira[1..] {
        assert_eq!(read("wiki", &row[4]), json!([]), "{}", row[4]);
    }
    assert_eq!(
        read("markdown", &text(&state, ExportFormat::TasksMd)),
        json!([])
    );
    let script = text(&state, ExportFormat::Github).replace(r"'\''", "\u{1}");
    for issue in script.split("\nissue ").skip(1) {
        let body = issue.split('\'').nth(5).unwrap().replace('\u{1}', "'");
        assert_eq!(read("markdown", &body), json!([]), "{body}");
    }
    for state in [state, hostile()] {
        let table = text(&state, ExportFormat::Linear);
        let told = read("csv", &table);
        let own = rows(&table);
        for (row, told) in own[1..].iter().zip(told.as_array().unwrap()) {
            for (name, cell) in own[0].iter().zip(row) {
                assert_eq!(told[name], cell.trim(), "{name}");
            }
        }
        assert_eq!(told.as_array().unwrap().len(), own.len() - 1);
    }
}

/// The programs can read the exports: Task Master lists the tasks with correct dependencies, and a
/// Python parser of JUnit reads each case.
#[test]
fn the_programs_it_is_for_read_it() {
    let state = hostile();
    match std::env::var_os("TASK_MASTER") {
        Some(program) => {
            let folder = tempfile::tempdir().unwrap();
            let tasks = folder.path().join(".taskmaster/tasks");
            std::fs::create_dir_all(&tasks).unwrap();
            std::fs::write(
                tasks.join("tasks.json"),
                text(&state, ExportFormat::Taskmaster),
            )
            .unwrap();
            let mut command = Command::new(program);
            command.arg("validate-dependencies").current_dir(&folder);
            let output = command.output().unwrap();
            let told = String::from_utf8_lossy(&output.stdout);
            assert!(told.contains("All Dependencies Are Valid"), "{told}");
        }
        None => eprintln!("skipped: TASK_MASTER names no task-master (npm install task-master-ai)"),
    }
    match std::env::var_os("JUNIT_PYTHON") {
        Some(python) => {
            let report = text(&state, ExportFormat::Junit);
            let cases = report.matches("<testcase ").count();
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("junit.xml"), report).unwrap();
            let script = "import junitparser; print(sum(len(list(suite)) for suite in junitparser.JUnitXml.fromfile('junit.xml')))";
            let mut command = Command::new(python);
            let output = command
                .args(["-c", script])
                .current_dir(&folder)
                .output()
                .unwrap();
            let told = String::from_utf8_lossy(&output.stdout);
            assert_eq!(told.trim(), cases.to_string(), "{output:?}");
        }
        None => eprintln!(
            "skipped: JUNIT_PYTHON names no python with junitparser (pip install junitparser)"
        ),
    }
}
