//! The synthesis is reviewed by the members who did the work: `reviews.md` below
//! `crates/workshop/tests/played` plays who reviews and what becomes of a finding.

use serde_json::Value;

use super::TASK;
use crate::support::binary::Place;
use crate::support::fake::{Fake, Reply, WorkshopScript, workshop};

/// A finding that is declined and withdrawn has no effect; one that is upheld leads to exit code 7
/// and is shown on the terminal, in the report and in the structured file.
#[test]
fn a_finding_that_stands_is_exit_code_7() {
    for upholds in [false, true] {
        let script = workshop(WorkshopScript::default());
        let fake = Fake::start(move |seen| {
            let answer = crate::support::review::answer(&seen.text());
            match answer.map(|text| serde_json::from_str::<Value>(&text).unwrap()) {
                Some(mut said) if upholds && said["verdicts"].is_array() => {
                    said["verdicts"][0]["upholds"] = true.into();
                    Reply::Text(said.to_string())
                }
                Some(said) => Reply::Text(said.to_string()),
                None => script(seen),
            }
        });
        let place = Place::new();
        let ran = place.run_with(&fake, &["team", TASK, "--review", "on"]);
        let ran = ran.ends(if upholds { 7 } else { 0 });
        assert!(ran.err.contains("findings 2, fixed 1"), "{}", ran.err);
        let report = place.text("team/v1/team_report.md");
        assert!(report.contains("As reviewed."), "{report}");
        assert!(report.contains("reviewed: 2 findings, 1 fixed"), "{report}");
        let disputed = "**Unresolved: the synthesis is disputed.**";
        assert_eq!(report.contains(disputed), upholds, "{report}");
        let structured: Value = serde_json::from_str(&place.text("team/v1/team.ai.json")).unwrap();
        let fate = if upholds { "upheld" } else { "withdrawn" };
        assert_eq!(structured["review"]["findings"][1]["fate"], fate);
        place.run(&["verify", "team/v1"]).ends(0);
    }
}
