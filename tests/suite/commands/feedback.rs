//! Feedback that answers a question by its id, or by that of what was assumed in its place.

use serde_json::Value;

use crate::support::binary::Place;

const WISH: &str = "Add CSV export of orders with a date filter. Only admins may export";

fn plan(place: &Place, version: &str) -> Value {
    serde_json::from_str(&place.text(&format!("{version}/planning.ai.json"))).unwrap()
}

fn question<'p>(plan: &'p Value, id: &str) -> &'p Value {
    let questions = plan["questions"].as_array().unwrap();
    questions.iter().find(|one| one["id"] == id).unwrap()
}

#[test]
fn feedback_answers_what_was_assumed() {
    let place = Place::new();
    place.run(&["plan", WISH, "--questions", "assume"]).ends(0);
    let first = plan(&place, "v1");
    let assumed = first["assumptions"].as_array().unwrap();
    assert_eq!(assumed.len(), 2, "{assumed:?}");
    // An option by its number, as everywhere else, and words of one's own.
    let feedback = "A-1: 2. Q-2: a new role for exports.";
    let ran = place.run(&["revise", "v1", feedback, "--questions", "assume"]);
    let ran = ran.ends(0);
    assert!(!ran.err.contains("assumed  A-"), "{ran:#?}");
    let second = plan(&place, "v2");
    assert_eq!(second["assumptions"], Value::Array(Vec::new()));
    assert_eq!(
        question(&second, "Q-2")["status"]["answer"],
        "a new role for exports"
    );
    let answer = &question(&second, "Q-1")["status"]["answer"];
    assert_eq!(*answer, "All columns of the record");
    assert_ne!(*answer, question(&first, "Q-1")["status"]["answer"]);
    let product = place.text("v2/product_plan.json");
    assert!(product.contains("As was answered: All columns of the record"));
    assert!(
        !product.contains("The columns people see today"),
        "{product}"
    );
    assert_eq!(second["feedback"][0]["fate"], "changed");
    place.run(&["check", "v2"]).ends(0);
    place.run(&["verify", "v2"]).ends(0);
    // The version after it takes the answers over.
    place
        .run(&["revise", "v2", "Log every export", "--questions", "assume"])
        .ends(0);
    let third = plan(&place, "v3");
    assert_eq!(
        question(&third, "Q-1")["status"]["answer"],
        "All columns of the record"
    );
    assert!(
        !third["assumptions"]
            .to_string()
            .contains("The columns people see")
    );
}

#[test]
fn what_is_approved_is_no_longer_assumed_and_what_is_declined_still_is() {
    let place = Place::new();
    place.run(&["plan", WISH, "--questions", "assume"]).ends(0);
    let feedback = "A-1: recommended. A-2: -. A-7: all of them";
    place
        .run(&["revise", "v1", feedback, "--questions", "assume"])
        .ends(0);
    let second = plan(&place, "v2");
    let assumed = second["assumptions"].as_array().unwrap();
    let ids: Vec<&str> = assumed
        .iter()
        .map(|one| one["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids, ["A-2"]);
    let first = plan(&place, "v1");
    assert_eq!(
        question(&second, "Q-1")["status"]["answer"],
        question(&first, "Q-1")["status"]["answer"]
    );
    assert_eq!(second["feedback"].as_array().unwrap().len(), 3);
}

/// People write lists: a text that begins with a dash and a blank is no flag.
#[test]
fn feedback_may_begin_as_a_list_does() {
    let place = Place::new();
    let list = "- Leave out the importer\n- Add a header line";
    place
        .run(&["plan", list, "--questions", "assume", "--quiet"])
        .ends(0);
    place
        .run(&["revise", "v1", list, "--questions", "assume", "--quiet"])
        .ends(0);
    let second = plan(&place, "v2");
    assert_eq!(second["feedback"].as_array().unwrap().len(), 2, "{second}");
    assert_eq!(second["feedback"][0]["text"], "Leave out the importer");
    place.run(&["revise", "- shorter", "--dry-run"]).ends(0);
    // What looks like a flag is none, and what to type is told whole.
    let ran = place.run(&["revise", "-No CSV, use XLSX"]);
    ran.fails(2, &["aitc revise -- \"-No CSV, use XLSX\""]);
    place
        .run(&["revise", "- shorter", "--colour"])
        .fails(2, &["no argument `--colour`"]);
}

#[test]
fn an_answer_may_begin_as_a_list_does() {
    let place = Place::new();
    let ran = place.run(&["plan", WISH, "--questions", "pause"]);
    ran.ends(8);
    place
        .run(&["answer", "Q-1", "- all of them\n- once a day"])
        .ends(0);
}

#[test]
fn an_id_of_an_earlier_version_is_told_with_that_version() {
    let place = Place::new();
    let wish = "Export the customer list as CSV. Only admins may export.";
    place.run(&["plan", wish, "--questions", "assume"]).ends(0);
    let first = plan(&place, "v1");
    let all = first["consensus"].as_array().unwrap();
    let id = all[0]["id"].as_str().unwrap();
    let feedback = format!("{id}: drop it, everybody may export");
    place
        .run(&["revise", "v1", &feedback, "--questions", "assume"])
        .ends(0);
    place
        .run(&["revise", "v2", "Add a header.", "--questions", "assume"])
        .ends(0);
    let ran = place.run(&["why", id, "--of", "v3"]);
    ran.fails(2, &[&format!("`aitc why {id} --of v1`")]);
    let ran = place.run(&["why", "C-99", "--of", "v3"]);
    assert!(ran.fails(2, &["did you mean"]).err.contains("--of v3"));
}
