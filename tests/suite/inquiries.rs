//! Inquiries: a member's question is answered from a file that the requirement does not name, so
//! the user is not asked. For every format.

use std::sync::Arc;

use aitc::driver::Outcome;
use aitc::edge::fs::RealFs;
use aitc::machine::Purpose;
use serde_json::{Value, json};

use crate::exits::published;
use crate::support::binary::{Going, Place, Ran, files_below, json_lines};
use crate::support::fake::{Fake, Reply, WorkshopScript, workshop};
use crate::support::run::{During, hold_signalled, inputs};
use crate::support::team::Team;

const WISH: &str = "Export the customer list as CSV.";
const LIMITS: &str = "# Limits\n\nThe limit that holds for case 1 is 10 rows.\nSmaller ones are \
                      never split.\n";

const CODE: &str = "pub fn export_customer_list() {}\n";

/// A team whose ProductPlanner asks "Which limit holds for case 1?". If `answers`, its coach
/// answers with the file that the inquiry found; all other questions go to the user.
fn team(answers: bool) -> Fake {
    let script = workshop(WorkshopScript {
        rounds_to_converge: 1,
        questions: 1,
        ..WorkshopScript::default()
    });
    Fake::start(move |seen| match (script(seen), &seen.turn) {
        (Reply::Text(text), Some(turn)) if turn.purpose == Purpose::Relay && answers => {
            let mut relayed: Value = serde_json::from_str(&text).unwrap();
            for relay in relayed["coach"]["relays"].as_array_mut().unwrap() {
                let id = relay["question"].as_str().unwrap();
                if turn
                    .task
                    .contains(&format!("{id}: docs/limits.md:3-4\n  The limit that"))
                {
                    relay["answer"] = "10 rows".into();
                    relay["cites"] = "docs/limits.md".into();
                }
            }
            Reply::Text(relayed.to_string())
        }
        (Reply::Text(text), Some(turn)) if turn.purpose == Purpose::Step => {
            let mut step: Value = serde_json::from_str(&text).unwrap();
            step["questions"] = json!([{
                "question": format!("Which limit holds for case 1 of {}?", turn.key()),
                "why": "The design depends on it.", "blocks": null,
                "options": [], "recommended": "100",
            }]);
            Reply::Text(step.to_string())
        }
        (reply, _) => reply,
    })
}

fn plan(place: &Place, fake: &Fake, more: &[&str]) -> Ran {
    place.run_with(fake, &[&["plan", WISH, "--light"], more].concat())
}

#[test]
fn a_question_is_answered_from_a_file_the_requirement_does_not_name() {
    let (place, fake) = (Place::new(), team(true));
    place.write("docs/limits.md", LIMITS);
    // No user is present, so an unanswered question would pause the run.
    let ran = plan(&place, &fake, &[]).ends(0);
    published(&place, &ran);
    assert!(
        ran.err
            .contains("PP looked for Q-1: 1 place: docs/limits.md:3-4\n"),
        "{ran:#?}"
    );
    assert!(place.events("v1", "user_clarification_needed").is_empty());
    let survey = &place.events("v1", "knowledge_search")[0]["survey"];
    assert_eq!(survey["hits"], json!([]), "the requirement finds nothing");
    let inquiry = &place.events("v1", "inquiry")[0];
    assert_eq!(inquiry["actor"], "ProductPlanner");
    assert_eq!(inquiry["files"], 1);
    let looked = &inquiry["looked"][0];
    assert_eq!(looked["id"], "Q-1");
    let text = "The limit that holds for case 1 is 10 rows.\nSmaller ones are never split.";
    let find = json!({"path": "docs/limits.md", "from": 3, "to": 4, "text": text});
    assert_eq!(looked["finds"], json!([find]));
    let relayed = &place.events("v1", "clarification_relayed")[0];
    let decision = json!({"id": "Q-1", "answer": "10 rows", "cites": "docs/limits.md"});
    assert_eq!(relayed["decisions"], json!([decision]));
    // The inquiry comes before the coach's call, and needs no call of its own.
    let phases: Vec<String> = place
        .transcript("v1")
        .iter()
        .map(|line| line["phase"].as_str().unwrap().to_owned())
        .collect();
    let at = phases.iter().position(|phase| phase == "inquiry").unwrap();
    let around = &phases[at - 1..=at + 2];
    assert_eq!(
        around,
        [
            "speaking",
            "inquiry",
            "call_started",
            "clarification_relayed"
        ]
    );
    place.run(&["verify"]).ends(0);
}

#[test]
fn where_nothing_is_found_the_human_is_asked_as_before() {
    let (place, fake) = (Place::new(), team(true));
    place.write("docs/mail.md", "Mails hold no pictures.\n");
    let ran = plan(&place, &fake, &[]).ends(8);
    assert!(!ran.err.contains("looked for"), "{ran:#?}");
    let inquiry = &place.events("v1.draft", "inquiry")[0];
    assert_eq!(inquiry["looked"][0]["finds"], json!([]));
    let page = place.text("v1.draft/questions.md");
    assert!(page.contains("Which limit holds for case 1?") && !page.contains("Looked at"));
    // `-v` reports an inquiry without result.
    let (place, fake) = (Place::new(), team(true));
    place.write("docs/mail.md", "Mails hold no pictures.\n");
    let ran = plan(&place, &fake, &["-v"]).ends(8);
    let told = "PP looked for Q-1: no match";
    assert!(ran.err.contains(told), "{ran:#?}");
}

#[test]
fn who_is_asked_all_the_same_sees_where_was_looked() {
    for (lang, told, page) in [
        (
            "en",
            "PP looked for Q-1: 1 place",
            "- Looked at before asking: docs/limits.md:3-4\n",
        ),
        (
            "zh",
            "PP 为 Q-1 查找了资料：1 处",
            "- 提问前查过：docs/limits.md:3-4\n",
        ),
    ] {
        let (place, fake) = (Place::new(), team(false));
        place.write("docs/limits.md", LIMITS);
        place.configure(&format!("doc_lang: {lang}\n"));
        let ran = plan(&place, &fake, &["--lang", lang]).ends(8);
        assert!(ran.err.contains(told), "{ran:#?}");
        let questions = place.text("v1.draft/questions.md");
        assert!(questions.contains(page), "{questions}");
        let state = place.text("v1.draft/state.md");
        assert!(state.contains("    inquiries: 1\n"), "{state}");
        let asked = place.run(&["questions", "--json"]).ends(0);
        let asked: Value = serde_json::from_str(&asked.out).unwrap();
        let looked = &asked["questions"][0]["looked_at"];
        assert_eq!(*looked, json!(["docs/limits.md:3-4"]));
        let asked = place.run(&["questions"]).ends(0);
        assert!(asked.out.contains("docs/limits.md:3-4"), "{asked:#?}");
        place.run(&["answer", "Q-1", "10 rows"]).ends(0);
        let ran = place.run_with(&fake, &["resume"]).ends(0);
        published(&place, &ran);
        assert_eq!(place.events("v1", "inquiry").len(), 1, "looked once");
    }
}

/// A folder outside of the repository; the matching line contains a secret.
#[test]
fn a_knowledge_folder_is_looked_through_and_its_secrets_are_taken_out() {
    const SECRET: &str = concat!("AKIA", "Q7XN3VZ5T2RPLK4D");
    let (place, fake) = (Place::new(), team(false));
    let notes = place.home().join("notes");
    std::fs::create_dir_all(&notes).unwrap();
    let line = format!("The limit that holds for case 1 is told to {SECRET}.\n");
    std::fs::write(notes.join("limits.md"), line).unwrap();
    let folder = notes.to_str().unwrap();
    let ran = plan(
        &place,
        &fake,
        &["--knowledge", folder, "--questions", "assume"],
    );
    let ran = ran.ends(0);
    let inquiry = &place.events("v1", "inquiry")[0];
    let find = &inquiry["looked"][0]["finds"][0];
    assert_eq!(find["path"], format!("{folder}/limits.md"));
    let text = find["text"].as_str().unwrap();
    assert!(text.contains("[redacted: "), "{text}");
    for (path, bytes) in files_below(place.work()) {
        assert!(!String::from_utf8_lossy(&bytes).contains(SECRET), "{path}");
    }
    assert!(fake.seen().iter().all(|seen| !seen.text().contains(SECRET)));
    assert!(!ran.err.contains(SECRET));
    let state = place.text("v1/state.md");
    assert!(state.contains("secrets_redacted: 1\n"), "{state}");
}

/// A passage of a knowledge folder is shown to the member that raises the topic, in any form, and
/// to later speakers.
#[test]
fn a_topic_is_looked_up_as_an_issue_as_a_question_and_as_a_look() {
    const PASSAGE: &str = "The limit that holds for case 1 is 10 rows.";
    let question = "Which limit holds for case 1?";
    let issue = json!([{"key": "a", "title": "The limit of case 1", "detail": question, "severity": "minor"}]);
    let asked = json!([{"for": "repository", "question": question, "why": "The design depends on it.",
        "blocks": null, "options": [], "recommended": "100"}]);
    let look = json!([{"kind": "search", "what": "limit that holds"}]);
    for (form, raised) in [("new_issues", issue), ("questions", asked), ("looks", look)] {
        let script = workshop(WorkshopScript::default());
        let fake = Fake::start(move |seen| match (script(seen), &*seen.key, seen.times) {
            (Reply::Text(text), "speech/ProductPlanner/r1", 1) => {
                let mut said: Value = serde_json::from_str(&text).unwrap();
                said[form] = raised.clone();
                Reply::Text(said.to_string())
            }
            (reply, ..) => reply,
        });
        let place = Place::new();
        let notes = place.home().join("notes");
        std::fs::create_dir_all(&notes).unwrap();
        std::fs::write(notes.join("limits.md"), LIMITS).unwrap();
        let notes = notes.to_str().unwrap();
        let flags = ["--first-round", "sequential", "--knowledge", notes];
        plan(&place, &fake, &flags).ends(0);
        let said = fake.asked("speech/");
        assert!(!said[0].text().contains(PASSAGE), "{form}");
        // Results of looks are shown for one round, results for issues and questions while these
        // are open.
        let later = &said[1..];
        let later = later
            .iter()
            .filter(|seen| form != "looks" || seen.key.ends_with("/r1"));
        let later: Vec<_> = later.collect();
        assert!(
            later
                .iter()
                .any(|seen| seen.key.starts_with("speech/ProductPlanner/"))
        );
        for seen in later {
            assert_eq!(
                seen.text().matches(PASSAGE).count(),
                1,
                "{form}: {}",
                seen.key
            );
        }
        assert!(place.events("v1", "user_clarification_needed").is_empty());
        let inquiries = place.events("v1", "inquiry").len();
        assert_eq!(
            inquiries,
            usize::from(form != "looks"),
            "{form}: looked once"
        );
        place.run(&["verify"]).ends(0);
    }
}

/// All lines of the only transcript below a workspace.
fn lines(place: &Place) -> Vec<Value> {
    let mut all = files_below(place.work());
    all.retain(|(path, _)| path.ends_with("planning_transcript.jsonl"));
    assert_eq!(all.len(), 1, "one run");
    json_lines(&String::from_utf8(all.remove(0).1).unwrap())
}

#[test]
fn members_are_shown_the_map_and_look_in_every_kind_of_meeting() {
    for command in ["board", "team", "chat", "blind"] {
        let (place, fake) = (Place::new(), team(true));
        place.write("docs/limits.md", LIMITS);
        place.write("src/customers.rs", CODE);
        let ran = match command {
            "chat" => Going::fed(place.command_with(&fake, &["chat"]), &[WISH, "/save"]).end(),
            "blind" => plan(&place, &fake, &["--first-round", "blind"]),
            _ => place.run_with(&fake, &[command, WISH]),
        };
        let ran = ran.ends(0);
        let said = [fake.asked("speech/"), fake.asked("step/")].concat();
        let of_map = said.iter().filter(|seen| seen.text().contains(CODE.trim()));
        assert!(!said.is_empty(), "{command}");
        assert_eq!(of_map.count(), said.len(), "{command}: the map");
        let lines = lines(&place);
        let of = |phase: &str| -> Vec<&Value> {
            let those = lines.iter().filter(|line| line["phase"] == phase);
            those.collect()
        };
        assert!(!of("inquiry").is_empty(), "{command}: {ran:#?}");
        for inquiry in of("inquiry") {
            let asker = inquiry["actor"].as_str().unwrap();
            assert!(
                asker != "Coach" && asker != "engine",
                "{command}: {inquiry}"
            );
        }
        let relayed = of("clarification_relayed");
        let decisions = relayed.iter().flat_map(|line| line["decisions"].as_array());
        for decision in decisions.flatten() {
            assert_eq!(decision["cites"], "docs/limits.md", "{command}");
        }
        assert!(of("user_clarification_needed").is_empty(), "{command}");
        assert_eq!(of("published").len(), 1, "{command}: {ran:#?}");
    }
}

/// A search in a large repository takes time: a signal interrupts it, and the next process repeats
/// it.
#[test]
fn a_search_ends_with_the_signal_and_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let (fs, team) = (Arc::new(RealFs), Arc::new(Team::default()));
    let inputs = inputs(folder.path());
    let hold = |signal| hold_signalled(fs.clone(), folder.path(), &inputs, &team, signal);
    let recorded = |phase: &str| {
        let draft = folder
            .path()
            .join(".ai-tools-chain/planning_outputs/v1.draft");
        let text = std::fs::read_to_string(draft.join("planning_transcript.jsonl")).unwrap();
        text.contains(&format!("\"phase\":\"{phase}\""))
    };
    for (during, phase) in [
        (During::Survey, "knowledge_search"),
        (During::Inquiry, "inquiry"),
    ] {
        let outcome = hold(Some(during)).unwrap();
        assert_eq!(outcome, Outcome::Interrupted { signal: 2 }, "{during:?}");
        assert!(!recorded(phase), "{during:?}");
    }
    // The calls before the second search are not lost.
    assert!(recorded("knowledge_search") && recorded("speaking"));
    assert!(matches!(hold(None), Ok(Outcome::Published { .. })));
}
