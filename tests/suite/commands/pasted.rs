//! The command of a fix is run as it stands: it does what the fix says.

use crate::support::binary::{Place, Ran};

const WISH: &str = "Export the customer list as CSV";

/// The command of the fix: last on its line, or in backquotes.
#[track_caller]
fn command(ran: &Ran) -> String {
    let fix = ran.err.rsplit_once("fix: ").unwrap().1.trim_end();
    let quoted = || fix.split('`').nth(1);
    let last = fix.rsplit_once(": ").map(|(_, last)| last);
    let command = last.filter(|last| !last.contains('`')).or_else(quoted);
    command.unwrap().to_owned()
}

/// Runs it, its words being free of blanks but in quotes at its end.
#[track_caller]
fn pasted(place: &Place, command: &str) -> Ran {
    let (words, quoted) = command.split_once('"').unwrap_or((command, ""));
    let quoted = quoted.strip_suffix('"').filter(|text| !text.is_empty());
    let words: Vec<&str> = words.split_whitespace().chain(quoted).collect();
    assert_eq!(words[0], "aitc", "{command}");
    place.run(&words[1..])
}

#[test]
fn the_repair_of_a_sound_version_names_what_looks_at_it() {
    let place = Place::new();
    let plan = ["plan", WISH, "--questions", "assume"];
    place.run(&plan).ends(0);
    let refused = place
        .run(&["verify", "--repair"])
        .fails(2, &["E-version-published"]);
    assert_eq!(command(&refused), "aitc verify v1");
    pasted(&place, &command(&refused)).ends(0);
}

#[test]
fn a_role_that_is_there_names_one_that_is_not() {
    let place = Place::new();
    for (taken, free) in [
        ("PP", "PP2 --code PP2"),
        ("ProductPlanner", "ProductPlanner2 --code PP2"),
        ("PopPlanner", "PopPlanner --code PP2"),
    ] {
        let refused = place
            .run(&["roles", "new", taken])
            .fails(2, &["E-role-taken"]);
        let fix = command(&refused);
        assert_eq!(fix, format!("aitc roles new {free}"));
        pasted(&place, &fix).ends(0);
        std::fs::remove_dir_all(place.work().join(".ai-tools-chain/roles")).unwrap();
    }
}

#[test]
fn an_answer_to_a_question_that_is_not_there_is_given_to_one_that_is() {
    for said in [&["nobody"][..], &["--recommended"], &["--decline"]] {
        let place = Place::new();
        place.run(&["plan", WISH]).ends(8);
        let line = [&["answer", "Q-9"], said].concat();
        let refused = place.run(&line).fails(2, &["E-question-not-waiting"]);
        let fix = command(&refused);
        assert!(fix.starts_with("aitc answer Q-1 "), "{fix}");
        pasted(&place, &fix).ends(0);
    }
    let place = Place::new();
    place.run(&["plan", WISH]).ends(8);
    place
        .run(&["answer", "Q-9", "for $5"])
        .fails(2, &["`aitc answer Q-1 \"…\"`"]);
}

#[test]
fn a_program_that_is_not_named_is_named_by_the_fix() {
    let place = Place::new();
    let plan = ["plan", WISH, "--provider", "command"];
    let refused = place.run(&plan).fails(2, &["E-program-unnamed"]);
    let fix = command(&refused).replace("PROGRAM", "no-such-program");
    pasted(&place, &fix).ends(0);
    place
        .run(&plan)
        .fails(5, &["E-program-missing", "no-such-program"]);
}

#[test]
fn a_folder_that_is_not_there_is_made_by_the_fix() {
    let place = Place::new();
    let refused = place.run(&["-C", "no such", "list"]);
    assert_eq!(command(&refused), "mkdir -p \"no such\"");
    std::fs::create_dir(place.work().join("no such")).unwrap();
    place.run(&["-C", "no such", "list"]).ends(0);
}

#[test]
fn a_file_that_is_not_there_is_no_advice_on_what_to_write() {
    let place = Place::new();
    place
        .run(&["plan", WISH, "--answers", "none.yaml"])
        .fails(3, &["E-answers", "leave out `--answers`"]);
    place
        .run(&["plan", "-f", "none.md"])
        .fails(2, &["E-input-unreadable", "the text itself in quotes"]);
}
