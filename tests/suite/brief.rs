//! `aitc brief`: prints what members are shown, without a model and without writing files.

use serde_json::Value;

use crate::support::binary::{Going, KEY, Place};
use crate::support::fake::{Fake, WorkshopScript, workshop};

const WISHES: [(&str, &str); 2] = [
    ("en", "Export the invoices as CSV"),
    ("zh", "把发票（invoices）导出为 CSV"),
];

/// A small repository with a knowledge folder; one matching line contains a secret.
fn repository() -> Place {
    let place = Place::new();
    place.write("Cargo.toml", "[package]\nname = \"shop\"\n");
    place.write(
        "src/invoices.rs",
        &format!("/// Lists invoices.\npub fn invoices() {{}}\n// invoices export {KEY}\n"),
    );
    place.write("src/mail.rs", "pub fn send() {}\n");
    place.write(
        "notes/tax.md",
        "# Invoices\n\nAn export of invoices as CSV names the tax rate of each line.\n",
    );
    place
}

/// `brief` and a run use the same search and the same text, so their output is identical.
#[test]
fn it_prints_what_a_run_records_and_every_member_is_shown() {
    for (lang, wish) in WISHES {
        let place = repository();
        let line = ["brief", wish, "--knowledge", "notes"];
        let mut command = place.command(&line);
        command.env("AITC_API_KEY", KEY);
        let shown = Going::start(command).end().ends(0);
        assert!(shown.out.contains("src/invoices.rs"), "{shown:#?}");
        assert!(shown.out.contains("names the tax rate"), "{shown:#?}");
        assert!(!shown.out.contains(KEY), "{shown:#?}");

        let fake = Fake::start(workshop(WorkshopScript::default()));
        let plan = [
            "plan",
            wish,
            "--knowledge",
            "notes",
            "--questions",
            "assume",
        ];
        place.run_with(&fake, &plan).ends(0);
        let mut seen = fake.seen();
        seen.retain(|one| one.turn.is_some());
        assert!(seen.len() > 10);
        for one in &seen {
            let told = one.body["messages"][1]["content"].as_str().unwrap();
            assert!(told.starts_with(&shown.out), "{lang}: {told}");
        }
        let text = place.text("v1/planning_transcript.jsonl");
        let mut lines = text.lines().map(|l| serde_json::from_str(l).unwrap());
        let survey = lines.find_map(|l: Value| l.get("survey").cloned()).unwrap();
        let mut command = place.command(&[&line[..], &["--json"]].concat());
        command.env("AITC_API_KEY", KEY);
        let ran = Going::start(command).end().ends(0);
        let document: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(document["survey"], survey);
        assert_eq!(document["text"], shown.out);
        assert_eq!(document["requirement"], wish);
        assert_eq!(document["doc_lang"], lang);
        assert_eq!(document["format"], "workshop");
    }
}

#[test]
fn a_long_requirement_stays_whole() {
    let place = Place::new();
    let mut wish = "Keep every line, fences too:\n```\n".to_owned();
    for n in 0..5_000 {
        wish += &format!("Requirement number {n} of many.\n");
    }
    wish += "```";
    place.write("wish.md", &wish);
    let ran = place.run(&["brief", "-f", "wish.md"]).ends(0);
    assert!(ran.out.contains(&format!("````requirement\n{wish}\n````")));
    let fed = Going::fed(place.command(&["brief", "-"]), &[&wish]).end();
    assert!(fed.ends(0).out.contains(&wish));
}
