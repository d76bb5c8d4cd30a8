//! `aitc brief`: what members are shown, without a model and without a trace on disk.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::binary::{Going, KEY, Place, files_below};
use crate::support::fake::{Fake, WorkshopScript, workshop};

const WISHES: [(&str, &str); 2] = [
    ("en", "Export the invoices as CSV"),
    ("zh", "把发票（invoices）导出为 CSV"),
];

/// A small repository with a knowledge folder, and a secret in a line that fits.
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

fn document(place: &Place, line: &[&str]) -> Value {
    let ran = place.run(&[&["brief", "--json"], line].concat()).ends(0);
    assert_eq!(ran.err, "");
    serde_json::from_str(&ran.out).unwrap()
}

/// No second search and no second wording: a run records and sends the very same.
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
fn it_is_the_same_every_time_and_writes_nothing() {
    let place = repository();
    // A model that is configured, and cannot be had.
    place.configure("provider: openai\nmodel: some-model\n");
    let before = (files_below(place.work()), files_below(&place.home()));
    let first = place.run(&["brief", WISHES[0].1]).ends(0);
    let second = place.run(&["brief", WISHES[0].1]).ends(0);
    assert_eq!((&first.out, &first.err), (&second.out, &second.err));
    assert_eq!(first.err, "");
    assert_eq!(
        before,
        (files_below(place.work()), files_below(&place.home()))
    );
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

#[test]
fn language_of_the_documents_and_format_are_those_of_a_run() {
    let place = repository();
    let english = document(&place, &["Export it", "--lang", "zh"]);
    assert_eq!(english["doc_lang"], "en");
    let chinese = document(&place, &["Export it", "--doc-lang", "zh"]);
    assert_eq!(chinese["doc_lang"], "zh");
    assert!(chinese["text"].as_str().unwrap().starts_with("# 需求"));
    let board = document(&place, &["@board[SD,RP] One service or several?"]);
    assert_eq!(board["format"], "board");
    assert_eq!(board["requirement"], "One service or several?");
    assert!(board["text"].as_str().unwrap().starts_with("# The topic"));
}

#[test]
fn another_folder_can_be_looked_at() {
    let place = repository();
    let inside = document(&place, &["Export the invoices"]);
    let work = place.work().to_str().unwrap().to_owned();
    let elsewhere = Place::new();
    let outside = document(&elsewhere, &["Export the invoices", "-C", &work]);
    assert_eq!(inside, outside);
    assert_ne!(inside["survey"]["hits"], json!([]));
    let empty = document(&elsewhere, &["Export the invoices"]);
    assert_eq!(empty["survey"]["hits"], json!([]));
}

#[test]
fn what_cannot_be_read_as_a_requirement_is_refused() {
    let place = repository();
    let before = files_below(place.work());
    for (line, code, says) in [
        (&[][..], 2, "aitc brief \""),
        (&["  \n"], 2, "aitc brief \""),
        (&["-"], 2, "aitc brief \""),
        (&["@bord One service or several?"], 2, "@board"),
        (&["-f", "missing.md"], 2, "missing.md"),
        (&["x", "--doc-lang", "fr"], 2, "--doc-lang en"),
        (&["x", "--rounds", "3"], 2, "--rounds"),
    ] {
        for lang in ["en", "zh"] {
            let line = [&["brief", "--lang", lang], line].concat();
            let ran = place.run(&line).ends(code).says(&[says, "[E-"]);
            assert_eq!(ran.out, "");
        }
    }
    place.write(".ai-tools-chain/templates/prompt/brief.j2", "{{ nothing }}");
    place.run(&["brief", "x"]).fails(3, &["brief.j2"]);
    std::fs::remove_dir_all(place.work().join(".ai-tools-chain")).unwrap();
    assert_eq!(before, files_below(Path::new(place.work())));
}
