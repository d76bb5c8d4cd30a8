//! `aitc check` of a version whose files were edited by hand.

use crate::support::binary::Place;
use crate::support::fake::{Fake, WorkshopScript, workshop};

fn version() -> Place {
    let place = Place::new();
    let fake = Fake::start(workshop(WorkshopScript::default()));
    place
        .run_with(&fake, &["plan", "Export it", "--questions", "assume"])
        .ends(0);
    let found = place.run(&["check", "v1"]);
    assert!(!found.out.contains("file-damaged"), "{found:#?}");
    assert!(!found.out.contains("was changed"), "{found:#?}");
    place
}

fn edit(place: &Place, path: &str, edit: impl FnOnce(String) -> String) {
    let text = edit(place.text(&format!("v1/{path}")));
    std::fs::write(place.outputs("v1").join(path), text).unwrap();
}

#[test]
fn a_report_edited_by_hand_is_found_with_its_name_and_the_command() {
    let place = version();
    edit(&place, "planning_report.md", |text| {
        text + "\nAlso in PDF.\n"
    });
    let found = place.run(&["check", "v1"]).ends(12);
    let told = "error: planning_report.md: `planning_report.md` was changed";
    assert!(found.out.contains(told), "{found:#?}");
    assert!(found.out.contains("aitc verify --out DIR"), "{found:#?}");
    let found = place.run(&["check", "v1", "--json"]).ends(12);
    let found: serde_json::Value = serde_json::from_str(&found.out).unwrap();
    assert_eq!(found["findings"][0]["rule"], "file-damaged");
}

#[test]
fn a_document_that_fits_no_schema_is_found_though_the_manifest_was_edited_too() {
    let place = version();
    edit(&place, "dev_plan.json", |text| {
        text.replace("\"work\"", "\"wrok\"")
    });
    let found = place.run(&["check", "v1"]).ends(12);
    for told in [
        "error: dev_plan.json: `dev_plan.json` was changed",
        "error: dev_plan.json: `dev_plan.json` does not fit its schema",
    ] {
        assert!(found.out.contains(told), "{found:#?}");
    }
    use sha2::{Digest, Sha256};
    let bytes = place.text("v1/dev_plan.json");
    edit(&place, "manifest.json", |text| {
        let mut manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
        let digest = Sha256::digest(bytes.as_bytes());
        let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        manifest["files"]["dev_plan.json"]["sha256"] = hex.into();
        manifest["files"]["dev_plan.json"]["size"] = bytes.len().into();
        manifest.to_string()
    });
    let found = place.run(&["check", "v1"]).ends(12);
    assert!(!found.out.contains("was changed"), "{found:#?}");
    assert!(found.out.contains("does not fit its schema"), "{found:#?}");
}

#[test]
fn a_file_that_is_gone_is_found() {
    let place = version();
    std::fs::remove_file(place.outputs("v1").join("test_plan.json")).unwrap();
    let found = place.run(&["check", "v1"]).ends(12);
    assert!(
        found.out.contains("`test_plan.json` is missing"),
        "{found:#?}"
    );
}
