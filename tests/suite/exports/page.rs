//! The page for a browser: complete, self-contained, in the plan's language, and with all foreign
//! text escaped.

use std::collections::BTreeSet;

use aitc::artifact;
use aitc::machine::look::{LookRecord, LookResult};
use aitc::machine::{Lang, State};
use aitc::page::{self, PageTarget as Where};
use serde_json::json;

use crate::support::binary::Place;
use crate::support::states;

use crate::artifacts::hostile::{HOSTILE, hostile};

fn page(state: &State) -> String {
    let files = artifact::render(state).unwrap();
    page::whole(state, &files, None, Where::File, state.inputs.doc_lang).unwrap()
}

/// Elements without an end tag.
const VOID: [&str; 5] = ["meta", "br", "hr", "img", "link"];

/// Tags of a page in order, end tags with a slash; fails if they do not match. Style is skipped.
fn tags(page: &str) -> Vec<String> {
    let (before, rest) = page.split_once("<style>").unwrap();
    let (_, after) = rest.split_once("</style>").unwrap();
    let (mut open, mut all) = (Vec::new(), Vec::new());
    for part in format!("{before}{after}").split('<').skip(1) {
        let (tag, _) = part.split_once('>').expect("a tag has an end");
        let name = tag.split([' ', '\n']).next().unwrap();
        all.push(tag.to_owned());
        match name.strip_prefix('/') {
            Some(ended) => assert_eq!(open.pop().as_deref(), Some(ended), "{part:.80}"),
            None if VOID.contains(&name) || name == "!doctype" || tag.ends_with('/') => {}
            None => open.push(name.to_owned()),
        }
    }
    assert_eq!(open, Vec::<String>::new());
    all
}

/// Values of an attribute.
fn values<'a>(tags: &'a [String], attribute: &str) -> Vec<&'a str> {
    let begins = format!(" {attribute}=\"");
    let found = tags
        .iter()
        .filter_map(|tag| Some(tag.split_once(&begins)?.1.split_once('"')?.0));
    found.collect()
}

#[test]
fn every_link_leads_to_something_that_is_there_once() {
    for lang in [Lang::En, Lang::Zh] {
        for state in [
            states::of("agreed", lang),
            states::of("unresolved", lang),
            states::of("revised", lang),
        ] {
            let page = page(&state);
            let tags = tags(&page);
            let ids = values(&tags, "id");
            let known: BTreeSet<&str> = ids.iter().copied().collect();
            assert_eq!(known.len(), ids.len(), "an id stands twice: {ids:?}");
            for to in values(&tags, "href") {
                let within = to.strip_prefix('#').expect("nothing leads outside");
                assert!(known.contains(within), "{to} leads nowhere");
            }
        }
    }
}

#[test]
fn nothing_is_loaded_and_nothing_runs() {
    for state in [
        states::of("agreed", Lang::En),
        hostile(Lang::En),
        hostile(Lang::Zh),
    ] {
        let page = page(&state);
        for tag in tags(&page) {
            let name = tag.split(' ').next().unwrap();
            let may = [
                "script", "img", "link", "iframe", "object", "form", "input", "base", "svg",
            ];
            let is_drawing = tag.starts_with("svg class=\"diagram\"");
            assert!(is_drawing || !may.contains(&name), "{tag}");
            let handler = tag.split_whitespace().any(|word| word.starts_with("on"));
            assert!(!handler && !tag.contains(" src="), "{tag}");
        }
        assert!(page.contains("default-src 'none'"));
        let style = page.split("</style>").next().unwrap();
        assert!(!style.contains("@import") && !style.contains("url("));
    }
}

#[test]
fn what_members_wrote_is_text() {
    let clean = tags(&page(&states::of("unresolved", Lang::En)));
    let page = page(&hostile(Lang::En));
    let hostile = tags(&page);
    assert!(!page.contains(HOSTILE) && !page.contains(['\u{1b}', '\u{202e}']));
    assert!(
        page.contains("&lt;script&gt;alert(1)"),
        "the text itself stays"
    );
    let count = |tags: &[String], name: &str| tags.iter().filter(|tag| *tag == name).count();
    for name in ["script", "details", "h3", "h2", "iframe"] {
        assert_eq!(count(&hostile, name), count(&clean, name), "{name}");
    }
}

#[test]
fn the_page_speaks_the_language_of_the_plan_and_says_what_it_is() {
    for (lang, code, said) in [
        (Lang::En, "en", ["Unresolved", "Still open:", "Consensus"]),
        (Lang::Zh, "zh-CN", ["未达成一致", "未决议题：", "共识"]),
    ] {
        let page = page(&states::of("unresolved", lang));
        assert!(page.contains(&format!("<html lang=\"{code}\">")));
        for words in said {
            assert!(page.contains(words), "{words}");
        }
        assert!(page.contains("class=\"verdict unresolved\""));
        assert!(!self::page(&states::of("agreed", lang)).contains("class=\"verdict unresolved\""));
    }
}

#[test]
fn the_diagram_of_the_design_is_drawn_in_the_report() {
    for lang in [Lang::En, Lang::Zh] {
        let page = page(&states::of("agreed", lang));
        assert_eq!(page.matches("<svg class=\"diagram\"").count(), 1);
        assert!(!page.contains("language-mermaid"));
    }
}

#[test]
fn the_same_version_gives_the_same_page() {
    let place = Place::new();
    let wish = "Export every row of the customer list as CSV in the request, at any size";
    place.run(&["plan", wish, "--questions", "assume", "-q"]);
    place.run(&["export", "html", "--out", "plan.html"]).ends(0);
    let page = std::fs::read_to_string(place.work().join("plan.html")).unwrap();
    assert_eq!(place.run(&["export", "html", "v1"]).ends(0).out, page);
    let tags = tags(&page);
    let ids = values(&tags, "id");
    for wanted in ["report", "round-1", "I-1", "C-1", "documents", "cost"] {
        assert!(ids.contains(&wanted), "no {wanted} in {ids:?}");
    }
    // The page contains the whole speech.
    let speech = place.text("v1/speeches/PP_speak_r1.txt");
    let mut said = speech.lines().skip(1).filter(|line| !line.is_empty());
    let first = said.next().unwrap();
    assert!(page.contains(first), "{first}");
    let reasons: Vec<&str> = said
        .filter_map(|line| line.strip_prefix("  Why: "))
        .collect();
    assert!(!reasons.is_empty());
    for reason in reasons {
        assert!(page.contains(reason), "{reason}");
    }
}

#[test]
fn teams_boards_and_drafts_are_pages_too() {
    let place = Place::new();
    let task = "Compare ways to store receipts; personal data must be erasable";
    place
        .run(&["team", task, "--questions", "assume", "-q"])
        .ends(0);
    place
        .run(&[
            "board",
            "One service or two?",
            "--questions",
            "assume",
            "-q",
        ])
        .ends(0);
    for (run, wanted, said) in [
        ("team/v1", &["report", "phases", "P-1", "cost"][..], "Team"),
        (
            "board/v1",
            &["report", "round-1", "I-1", "consensus", "cost"],
            "Board",
        ),
    ] {
        let page = place.run(&["export", "html", run]).ends(0).out;
        let tags = tags(&page);
        let ids = values(&tags, "id");
        for id in wanted {
            assert!(ids.contains(id), "{run}: no {id} in {ids:?}");
        }
        let known: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(known.len(), ids.len(), "{run}: an id stands twice: {ids:?}");
        for to in values(&tags, "href") {
            assert!(known.contains(to.strip_prefix('#').unwrap()), "{run}: {to}");
        }
        assert!(page.contains(&format!("{said} · ")) && page.len() < 1_000_000);
        assert!(!page.contains("<script") && page.contains("default-src 'none'"));
    }
}

#[test]
fn a_run_that_goes_on_is_a_page_of_what_there_is() {
    let place = Place::new();
    place
        .run(&["plan", "Export the list", "--questions", "assume", "-q"])
        .ends(0);
    let all = place.text("v1/planning_transcript.jsonl");
    let speech = all
        .lines()
        .position(|line| line.contains("\"phase\":\"speaking\""))
        .unwrap();
    let begun: String = all.split_inclusive('\n').take(speech + 1).collect();
    std::fs::remove_dir_all(place.outputs("v1")).unwrap();
    place.write(
        ".ai-tools-chain/planning_outputs/v1.draft/planning_transcript.jsonl",
        &begun,
    );
    for arguments in [&["export", "html"][..], &["export", "html", "v1"]] {
        let page = place.run(arguments).ends(0).out;
        for part in [
            "In progress",
            "The report is written after",
            "id=\"I-1\"",
            "id=\"round-1\"",
        ] {
            assert!(page.contains(part), "no {part}");
        }
        assert!(
            !page.contains("verdict unresolved"),
            "it is not decided yet"
        );
    }
}

#[test]
fn a_file_is_kept_below_a_megabyte_and_says_what_it_leaves_out() {
    let text = "let row = rows.next();\n".repeat(200);
    let seen: LookResult = serde_json::from_value(json!({
        "kind": "read", "what": "src/rows.rs",
        "found": [{"path": "src/rows.rs", "from": 1, "to": 200, "text": text}],
    }))
    .unwrap();
    let mut state = states::of("agreed", Lang::En);
    let look = LookRecord {
        call: "root/speech/SeniorDeveloper/r1/t1/a1".parse().unwrap(),
        seen: vec![seen],
        issue: None,
    };
    state.grounding.looks.all = vec![look; 10];
    let whole = page(&state);
    assert!(whole.contains("rows.next()") && !whole.contains("Kept below 1 MB"));
    state.grounding.looks.all = vec![state.grounding.looks.all[0].clone(); 400];
    let short = page(&state);
    assert!(short.len() < 1_000_000 && short.contains("Kept below 1 MB"));
    assert!(!short.contains("rows.next()") && short.contains("src/rows.rs"));
    state.discussion.speeches[0].speech.analysis = "There is room for this.".to_owned();
    assert!(page(&state).contains("There is room for this."));
    for speech in &mut state.discussion.speeches {
        speech.speech.analysis = "word ".repeat(200_000);
    }
    let shorter = page(&state);
    assert!(shorter.len() < 1_000_000 && shorter.contains("the analyses of speeches are left out"));
    // Every file is served completely.
    let files = artifact::render(&state).unwrap();
    let served = page::whole(&state, &files, None, Where::Served(None), Lang::En).unwrap();
    assert!(served.len() > 2_000_000 && !served.contains("Kept below"));
}
