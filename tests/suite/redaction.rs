//! The number of redacted secrets, without their content, is shown on the terminal, in `state.md`,
//! the report and `planning.ai.json`.

use serde_json::Value;

use crate::support::binary::Place;
use crate::support::fake::{Fake, Reply, WorkshopScript, workshop};

const WISH: &str = concat!(
    "Upload the export with AKIA",
    "Q7XN3VZ5T2RPLK4D, twice AKIA",
    "Q7XN3VZ5T2RPLK4D"
);
const SECRET: &str = concat!("AKIA", "Q7XN3VZ5T2RPLK4D");
/// A secret that only the model says.
const OTHER: &str = concat!("AKIA", "Z7Q4M2N8P5R3T6W9");

/// A team with a member that says a secret of its own and repeats a placeholder from the prompt.
fn telltale() -> Fake {
    let script = workshop(WorkshopScript::agreeing_in(1));
    Fake::start(move |seen| match script(seen) {
        Reply::Text(text) if seen.key == "speech/SystemDesigner/r1" => {
            let mut speech: Value = serde_json::from_str(&text).unwrap();
            speech["analysis"] = format!("Not {OTHER}, nor [redacted: AWS access key].").into();
            Reply::Text(speech.to_string())
        }
        reply => reply,
    })
}

#[test]
fn the_number_of_secrets_taken_out_is_told_once_everywhere() {
    let (place, fake) = (Place::new(), telltale());
    let ran = place.run_with(&fake, &["plan", WISH, "--questions", "assume"]);
    let ran = ran.ends(0);
    for secret in [SECRET, OTHER] {
        assert!(!ran.err.contains(secret), "{ran:#?}");
        for (path, bytes) in crate::support::binary::files_below(place.work()) {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            assert!(!text.contains(secret), "{path}");
        }
    }
    // Two in the requirement at the start; three at the end, with the one in a reply.
    let told = |words: &str| ran.err.matches(words).count();
    assert_eq!(told("2 secrets were removed"), 1, "{ran:#?}");
    assert_eq!(told("3 secrets were removed"), 1, "{ran:#?}");
    let plan = place.plan();
    assert_eq!(plan["redacted"], 3);
    let state = place.text("v1/state.md");
    assert!(state.contains("secrets_redacted: 3\n"), "{state}");
    let report = place.text("v1/planning_report.md");
    assert_eq!(report.matches("3 secrets were removed").count(), 1);
}

#[test]
fn nothing_is_said_where_nothing_was_taken_out() {
    let place = Place::new();
    let fake = Fake::start(workshop(WorkshopScript::default()));
    let ran = place.run_with(&fake, &["plan", "Export it", "--questions", "assume"]);
    let ran = ran.ends(0);
    assert!(!ran.err.contains("secret"), "{ran:#?}");
    for path in ["state.md", "planning_report.md", "planning.ai.json"] {
        let text = place.text(&format!("v1/{path}"));
        assert!(!text.contains("redacted"), "{path}");
    }
}
