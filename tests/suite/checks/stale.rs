//! A plan's evidence after the tree has changed: reported, but not an error.

use std::fs;

use serde_json::Value;

use crate::golden::runs;

#[test]
fn evidence_that_moved_or_went_is_told_and_fails_nothing() {
    let (place, _) = runs::looks();
    let file = place.work().join("src/customers.rs");
    let text = fs::read_to_string(&file).unwrap();
    let sound = place.run(&["check", "v1", "--strict"]);
    for (then, told) in [
        (Some(text.clone()), None),
        (
            Some(format!("// One line more.\n\n{text}")),
            Some((true, "E-1 has moved: now at src/customers.rs:4")),
        ),
        (
            Some(text.replace("fn list", "fn all")),
            Some((
                false,
                "E-1 no longer matches the files: `src/customers.rs:2`: the lines \
                 do not hold the quote",
            )),
        ),
        (
            None,
            Some((
                false,
                "E-1 no longer matches the files: `src/customers.rs:2`: there is \
                 no such file, or none that may be read",
            )),
        ),
    ] {
        match then {
            Some(text) => fs::write(&file, text).unwrap(),
            None => fs::remove_file(&file).unwrap(),
        }
        let ran = place.run(&["check", "v1", "--strict"]).ends(sound.code);
        let notes: Vec<&str> = ran
            .out
            .lines()
            .filter(|line| line.contains("E-1"))
            .collect();
        let wanted = told.map(|(_, told)| format!("note: {told}"));
        assert_eq!(notes, Vec::from_iter(wanted.as_deref()), "{}", ran.out);
        let json = place.run(&["check", "v1", "--json"]).out;
        let json: Value = serde_json::from_str(&json).unwrap();
        let moved = told.map(|(moved, _)| Value::from(moved));
        assert_eq!(json["stale"].get(0).map(|it| it["moved"].clone()), moved);
    }
}
