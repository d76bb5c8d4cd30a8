//! The golden runs: their requirements and scripts.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::binary::{Going, Place};
use crate::support::fake::{Fake, Reply, Seen, WorkshopScript, workshop};
use crate::support::quarrel::turned;
use crate::support::review;

const WISH: &str = "Export the customer list as CSV";
const TASK: &str = "Compare ways to store receipts; personal data must be erasable";

/// A workspace with files to look at. Calls are made one at a time, so that lines are in the order
/// of the calls.
fn place() -> Place {
    let place = Place::new();
    place.write("docs/limits.md", "# Limits\n\nNo limit holds for a case.\n");
    place.write(
        "src/customers.rs",
        "/// The customer list, by name.\npub fn list() -> Vec<Customer> {\n    Vec::new()\n}\n",
    );
    place.configure("limits:\n  concurrency: 1\n");
    place
}

fn plan_with(script: WorkshopScript, flags: &[&str], code: i32) -> (Place, PathBuf) {
    let (place, fake) = (place(), Fake::start(workshop(script)));
    let arguments = [&["plan", WISH, "--questions", "assume"], flags].concat();
    place.run_with(&fake, &arguments).ends(code);
    let version = place.outputs("v1");
    (place, version)
}

pub fn plan() -> (Place, PathBuf) {
    plan_with(WorkshopScript::default(), &[], 0)
}

/// The coach, SD and the writer of the design look before they answer, SD twice; SD's evidence is
/// rejected once.
pub fn looks() -> (Place, PathBuf) {
    let script = workshop(WorkshopScript::default());
    let fake = Fake::start(move |seen| match wishes(&seen.key, seen.times) {
        Some(looks) => Reply::Text(json!({ "looks": looks }).to_string()),
        None => match script(seen) {
            Reply::Text(text) => Reply::Text(grounded(seen, &text)),
            other => other,
        },
    });
    let place = place();
    let arguments = ["plan", WISH, "--questions", "assume"];
    let ran = place.run_with(&fake, &arguments).ends(0);
    ran.says(&[
        "Coach looks at src: 1 place\n",
        "SD looks at src/customers.rs:1-3, \u{201c}limit\u{201d}",
    ]);
    let version = place.outputs("v1");
    (place, version)
}

/// SD's evidence; the first time its quote is not in the cited lines.
fn grounded(seen: &Seen, text: &str) -> String {
    if seen.key != "speech/SystemDesigner/r1" {
        return text.to_owned();
    }
    let mut said: Value = serde_json::from_str(text).unwrap();
    let quote = ["pub fn list(all: bool)", "pub fn list() -> Vec<Customer>"];
    said["evidence"] = json!([{
        "claim": "The list is there, and is not sorted.", "path": "src/customers.rs",
        "from": 1, "to": 1, "quote": quote[usize::from(seen.times > 3)], "run": null,
    }, {
        "claim": "Nobody else reads it.", "path": null, "from": null, "to": null,
        "quote": "", "run": null,
    }]);
    said.to_string()
}

fn wishes(key: &str, times: usize) -> Option<Value> {
    let read = json!({"kind": "read", "what": "src/customers.rs", "from": 1, "to": 3});
    match (key, times) {
        ("judgment/Coach", 1) => Some(json!([{"kind": "outline", "what": "src"}])),
        ("speech/SystemDesigner/r1", 1) => Some(json!([
            read,
            {"kind": "search", "what": "limit", "glob": "docs/**"},
            {"kind": "read", "what": "lib/customers.rs"},
        ])),
        ("speech/SystemDesigner/r1", 2) => Some(json!([
            {"kind": "symbol", "what": "customers::list"},
            {"kind": "search", "what": "no such thing (anywhere"},
        ])),
        ("system_design/SystemDesigner", 1) => Some(json!([read])),
        _ => None,
    }
}

/// The review finds two problems: one is fixed, the other is declined and withdrawn.
pub fn review() -> (Place, PathBuf) {
    let arguments = ["plan", WISH, "--questions", "assume", "--review", "on"];
    let fake = reviewed(WorkshopScript::default());
    held(&fake, &arguments, "planning_outputs/v1")
}

fn reviewed(script: WorkshopScript) -> Fake {
    let script = workshop(script);
    Fake::start(move |seen| match review::answer(&seen.text()) {
        Some(text) => Reply::Text(text),
        None => script(seen),
    })
}

/// In Chinese. The run pauses, is answered from the command line, and is resumed.
pub fn question() -> (Place, PathBuf) {
    let fake = Fake::start(workshop(WorkshopScript {
        questions: 1,
        rounds_to_converge: 1,
        ..WorkshopScript::default()
    }));
    let place = place();
    place
        .run_with(&fake, &["plan", "将客户列表导出为 CSV"])
        .ends(8);
    place.run_with(&fake, &["answer", "Q-1", "2"]).ends(0);
    place.run_with(&fake, &["resume"]).ends(0);
    let version = place.outputs("v1");
    (place, version)
}

/// A review of the issues; then PP and SD object to each other on I-1, and the coach's ruling is
/// used.
pub fn debate() -> (Place, PathBuf) {
    let script = workshop(WorkshopScript {
        needs: 3,
        ..WorkshopScript::default()
    });
    let fake = Fake::start(move |seen| match script(seen) {
        Reply::Text(text) => Reply::Text(turned(&seen.key, "D-2", &text)),
        other => other,
    });
    let place = place();
    let flags = ["plan", WISH, "--questions", "assume", "--review-debate"];
    place.run_with(&fake, &flags).ends(0);
    let version = place.outputs("v1");
    (place, version)
}

/// Two points of feedback, one of which withdraws an agreed item.
pub fn revision() -> (Place, PathBuf) {
    let (place, _) = plan();
    let fake = Fake::start(workshop(WorkshopScript {
        withdraw: vec![("C-1".to_owned(), "F-1".to_owned())],
        rounds_to_converge: 1,
        ..WorkshopScript::default()
    }));
    let feedback = "Use tabs in place of commas.\n\nName the file after the day.";
    let arguments = ["revise", "v1", feedback, "--questions", "assume"];
    place.run_with(&fake, &arguments).ends(0);
    let version = place.outputs("v2");
    (place, version)
}

pub fn unresolved() -> (Place, PathBuf) {
    let script = WorkshopScript {
        objector: Some(("RiskPlanner".to_owned(), 9)),
        rounds_to_converge: 9,
        ..WorkshopScript::default()
    };
    plan_with(script, &["--rounds", "3"], 7)
}

/// Answers that are not JSON, a server that fails once, an answer cut by its length limit, a member
/// that is passed over, and a run that stops and is resumed.
pub fn faults() -> (Place, PathBuf) {
    let script = workshop(WorkshopScript {
        bad_replies: [
            "judgment/Coach",
            "speech/SystemDesigner/r1",
            "summary/Coach/r2",
        ]
        .map(str::to_owned)
        .to_vec(),
        ..WorkshopScript::default()
    });
    let fake = Fake::start(move |seen| match (seen.key.as_str(), seen.times) {
        ("speech/ProductPlanner/r1", 1) => {
            let soon = vec![("retry-after", "0".to_owned())];
            Reply::status(503, soon, r#"{"error":{"message":"overloaded"}}"#)
        }
        ("speech/RiskPlanner/r1", 1) => Reply::Length("{\"analysis\":\"So".to_owned()),
        ("speech/TestPlanner/r2", _) | ("test_plan/TestPlanner", 1 | 2) => {
            Reply::Text("I would rather talk about the weather.".to_owned())
        }
        _ => script(seen),
    });
    let place = place();
    let arguments = ["plan", WISH, "--questions", "assume"];
    place.run_with(&fake, &arguments).ends(6);
    place.run_with(&fake, &["resume"]).ends(0);
    let version = place.outputs("v1");
    (place, version)
}

/// The plan of phases is corrected once, a result is debated, and the synthesis is reviewed.
pub fn team() -> (Place, PathBuf) {
    let script = WorkshopScript {
        bad_replies: vec!["judgment/Coach".to_owned()],
        disputed: Some("P-2".to_owned()),
        ..WorkshopScript::default()
    };
    let arguments = ["team", TASK, "--review", "on"];
    held(&reviewed(script), &arguments, "planning_outputs/team/v1")
}

pub fn board() -> (Place, PathBuf) {
    let fake = Fake::start(workshop(WorkshopScript::default()));
    held(&fake, &["board", TASK], "planning_outputs/board/v1")
}

fn held(fake: &Fake, arguments: &[&str], version: &str) -> (Place, PathBuf) {
    let place = place();
    place.run_with(fake, arguments).ends(0);
    let version = place.work().join(".ai-tools-chain").join(version);
    (place, version)
}

/// Two messages of a chat; the second continues the first.
pub fn party() -> (Place, PathBuf) {
    let (place, fake) = (
        place(),
        Fake::start(workshop(WorkshopScript {
            needs: 1,
            rounds_to_converge: 1,
            ..WorkshopScript::default()
        })),
    );
    let chat = place.command_with(&fake, &["chat", "--questions", "assume"]);
    let lines = [
        "Should receipts be stored as photos or as text?",
        "Personal data must be erasable.",
        "/save",
        "quit",
    ];
    Going::fed(chat, &lines).end().ends(0);
    let version = place
        .work()
        .join(".ai-tools-chain/planning_outputs/chat/v2");
    (place, version)
}
