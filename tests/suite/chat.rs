//! `aitc chat` with lines from a pipe and on a terminal.

mod small;
mod terminal;

use crate::support::binary::{Going, Place};
use crate::support::fake::{Fake, WorkshopScript, workshop};

#[test]
fn a_run_of_a_program_named_at_the_start_is_resumed_from_there() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    let program = place.work().join("member.sh");
    // The program's answers contain no JSON object, so every run fails.
    let text = "#!/bin/sh\ncat > /dev/null\necho asked >> asked.log\necho no object\n";
    std::fs::write(&program, text).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = place.command(&["chat", "--provider", "command"]);
    command.env("AITC_COMMAND", program.to_str().unwrap());
    let lines = ["/plan Export the list", "/resume", "/resume v1"];
    let ran = Going::fed(command, &lines).end();
    assert_eq!(ran.code, 6, "{ran:#?}");
    assert!(!ran.err.contains("E-program-not-chosen"), "{ran:#?}");
    assert_eq!(ran.err.matches("E-reply-unusable").count(), 3, "{ran:#?}");
}

#[test]
fn a_line_goes_on_after_a_backslash_and_flags_stand_for_all_runs() {
    let place = Place::new();
    let fake = Fake::start(workshop(WorkshopScript::agreeing_in(9)));
    let arguments = ["chat", "--rounds", "1", "--order", "rotate"];
    let lines = [
        "/plan Export the list \\",
        "and the orders",
        "/board --rounds 2 Photos or text?",
    ];
    let ran = Going::fed(place.command_with(&fake, &arguments), &lines).end();
    assert_eq!(ran.code, 7, "the limit ends both: {ran:#?}");
    let transcript = place.text("v1/planning_transcript.jsonl");
    assert!(transcript.contains(r"Export the list \nand the orders"));
    assert_eq!(fake.calls("speech/RiskPlanner/r1"), 2);
    assert_eq!(
        fake.calls("speech/RiskPlanner/r2"),
        1,
        "what is said for one run holds"
    );
}
