//! The official inspector, whose command line is another client.

use std::process::Command;

use serde_json::Value;

use crate::support::binary::{Place, program};

/// The output of the inspector for a method.
fn inspect(place: &Place, inspector: &str, arguments: &[&str]) -> Value {
    let output = Command::new(inspector)
        .args(["--cli", program().to_str().unwrap(), "mcp"])
        .args(arguments)
        .env("AITC_DISCOVER", "off")
        .env("HOME", place.home())
        .current_dir(place.work())
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {err}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// `MCP_INSPECTOR` is the program `mcp-inspector` of npm's `@modelcontextprotocol/inspector`.
#[test]
fn the_inspector_lists_and_calls() {
    let Ok(program) = std::env::var("MCP_INSPECTOR") else {
        println!("skipped: MCP_INSPECTOR names no program");
        return;
    };
    let place = Place::new();
    let tools = inspect(&place, &program, &["--method", "tools/list"]);
    assert_eq!(tools["tools"].as_array().unwrap().len(), 11, "{tools}");
    let call = ["--method", "tools/call", "--tool-name", "plan_start"];
    let arguments = [
        "--tool-arg",
        "requirement=Export the list",
        "--tool-arg",
        "by_hand=true",
    ];
    let begun = inspect(&place, &program, &[&call[..], &arguments].concat());
    assert_eq!(begun["structuredContent"]["id"], "v1", "{begun}");
    let resources = inspect(&place, &program, &["--method", "resources/list"]);
    assert_eq!(
        resources["resources"][1]["uri"], "aitc://v1/transcript",
        "{resources}"
    );
}
