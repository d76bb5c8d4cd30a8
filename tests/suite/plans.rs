//! Ways to hold a plan, through the built binary and over TCP: a blind first round,
//! rotation, an earlier version with feedback, and how many calls are in flight.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::support::binary::{Place, wait_until};
use crate::support::fake::{Fake, Reply, Seen, WorkshopScript, workshop};

const WISH: &str = "Export the customer list as CSV";

/// A team that agrees in round `n`.
fn agreeing_in(n: u32) -> Fake {
    Fake::start(workshop(WorkshopScript {
        rounds_to_converge: n,
        ..WorkshopScript::default()
    }))
}

fn json(place: &Place, path: &str) -> Value {
    serde_json::from_str(&place.text(path)).unwrap()
}

fn events(place: &Place, version: &str, phase: &str) -> Vec<Value> {
    let text = place.text(&format!("{version}/planning_transcript.jsonl"));
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines
        .filter(|line: &Value| line["phase"] == phase)
        .collect()
}

/// Who spoke, in order of the transcript, with the round.
fn speakers(place: &Place, version: &str) -> Vec<(u64, String)> {
    let speeches = events(place, version, "speaking").into_iter();
    let who = |line: Value| {
        let round = line["round"].as_u64().unwrap();
        (round, line["actor"].as_str().unwrap().to_owned())
    };
    speeches.map(who).collect()
}

/// The calls of one key that came.
fn prompt(fake: &Fake, key: &str) -> String {
    let seen = fake.seen();
    let found: Vec<&Seen> = seen.iter().filter(|seen| seen.key == key).collect();
    assert_eq!(found.len(), 1, "{key}");
    found[0].text()
}

#[test]
fn in_a_blind_first_round_nobody_hears_the_others_and_in_the_second_everybody_does() {
    let (place, fake) = (Place::new(), agreeing_in(2));
    let plan = [
        "plan",
        WISH,
        "--first-round",
        "blind",
        "--questions",
        "assume",
    ];
    place.run_with(&fake, &plan).ends(0);
    let first = "ProductPlanner in round 1 on";
    for member in [
        "SystemDesigner",
        "SeniorDeveloper",
        "TestPlanner",
        "RiskPlanner",
    ] {
        let blind = prompt(&fake, &format!("speech/{member}/r1"));
        assert!(!blind.contains(first), "{member} heard the first speaker");
        let later = prompt(&fake, &format!("speech/{member}/r2"));
        assert!(later.contains("ProductPlanner in round 2 on"), "{member}");
    }
    assert!(prompt(&fake, "summary/Coach/r1").contains(first));
    // They are told in speaking order, however they arrived.
    let plan = json(&place, "v1/planning.ai.json");
    assert_eq!(plan["rounds"].as_array().unwrap().len(), 2);
    let frozen = &events(&place, "v1", "user_input")[0];
    assert_eq!(frozen["inputs"]["first_round"], "blind");
    place.run(&["check", "v1"]);
    place.run(&["verify", "v1"]).ends(0);
}

#[test]
fn with_rotation_another_member_opens_every_round() {
    let (place, fake) = (Place::new(), agreeing_in(3));
    let plan = ["plan", WISH, "--order", "rotate", "--questions", "assume"];
    place.run_with(&fake, &plan).ends(0);
    let spoke = speakers(&place, "v1");
    let round = |n: u64| -> Vec<&str> {
        let of_round = spoke.iter().filter(|(round, _)| *round == n);
        of_round.map(|(_, who)| who.as_str()).collect()
    };
    let usual = [
        "ProductPlanner",
        "SystemDesigner",
        "SeniorDeveloper",
        "TestPlanner",
        "RiskPlanner",
    ];
    assert_eq!(round(1), usual);
    for n in [2, 3] {
        let mut turned = usual;
        turned.rotate_left(n as usize - 1);
        assert_eq!(round(n), turned, "round {n}");
        // Who opens has heard nobody, who closes everybody.
        let opened = prompt(&fake, &format!("speech/{}/r{n}", turned[0]));
        let closed = prompt(&fake, &format!("speech/{}/r{n}", turned[4]));
        let said = |who: &str| format!("{who} in round {n} on");
        assert!(!opened.contains(&said(turned[4])), "round {n}");
        assert!(closed.contains(&said(turned[0])), "round {n}");
    }
    place.run(&["verify", "v1"]).ends(0);
}

#[test]
fn a_plan_from_an_earlier_version_keeps_what_the_feedback_leaves_alone() {
    let (place, fake) = (Place::new(), agreeing_in(2));
    place
        .run_with(&fake, &["plan", WISH, "--questions", "assume"])
        .ends(0);
    let before = crate::support::binary::files_below(&place.outputs("v1"));
    place.write(
        "feedback.md",
        "- Use tabs.\n- Name the file after the day.\n",
    );
    let script = WorkshopScript {
        rounds_to_converge: 1,
        withdraw: vec![("C-1".to_owned(), "F-1".to_owned())],
        ..WorkshopScript::default()
    };
    let again = Fake::start(workshop(script));
    let plan = ["plan", "--from", "v1", "--feedback", "@feedback.md"];
    let more = ["--questions", "assume"];
    place.run_with(&again, &[&plan[..], &more].concat()).ends(0);

    let plan = json(&place, "v2/planning.ai.json");
    assert_eq!(plan["from"]["version"], 1);
    let fates = |list: &str| -> Vec<(String, String)> {
        let all = plan[list].as_array().unwrap().iter();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        all.map(|one| (text(&one["id"]), text(&one["fate"])))
            .collect()
    };
    let own = |list: &[(&str, &str)]| -> Vec<(String, String)> {
        let own = list.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned()));
        own.collect()
    };
    assert_eq!(
        fates("feedback"),
        own(&[("F-1", "changed"), ("F-2", "changed")])
    );
    assert_eq!(
        fates("carried"),
        own(&[("C-1", "superseded"), ("C-2", "kept")])
    );
    let report = place.text("v2/planning_report.md");
    for told in ["**F-1** Use tabs.", "**F-2** Name the file after the day."] {
        assert!(report.contains(told), "{report}");
    }
    assert!(place.text("v2/feedback.md").contains("Use tabs."));
    let asked = prompt(&again, "judgment/Coach");
    assert!(
        asked.contains("Use tabs.") && asked.contains("C-2"),
        "{asked}"
    );
    let after = crate::support::binary::files_below(&place.outputs("v1"));
    assert!(before == after, "v1 was touched");
    place.run(&["verify", "v2"]).ends(0);
}

/// What of a version left unresolved becomes of it in the next, with no word of feedback.
#[test]
fn what_a_version_left_unresolved_is_followed_in_the_next() {
    let (place, fake) = (Place::new(), agreeing_in(9));
    let plan = ["plan", WISH, "--rounds", "1", "--questions", "assume"];
    place.run_with(&fake, &plan).ends(7);
    let again = agreeing_in(1);
    let revise = ["revise", "v1", "Go on.", "--questions", "assume"];
    place.run_with(&again, &revise).ends(0);
    let plan = json(&place, "v2/planning.ai.json");
    let inherited = plan["inherited"].as_array().unwrap().iter();
    let told: Vec<_> = inherited.map(|one| (&one["id"], &one["fate"])).collect();
    let (settled, ids) = (Value::from("settled"), [Value::from("I-1"), "I-2".into()]);
    assert_eq!(told, [(&ids[0], &settled), (&ids[1], &settled)]);
    let report = place.text("v2/planning_report.md");
    for id in [
        "| **I-1** Need number 1 | settled |",
        "| **I-2** Need number 2 | settled |",
    ] {
        assert!(report.contains(id), "{report}");
    }
}

/// Which calls are held, by the beginning of their keys.
fn holding(held: &'static [&'static str]) -> Fake {
    let script = workshop(WorkshopScript {
        rounds_to_converge: 1,
        ..WorkshopScript::default()
    });
    Fake::start(move |seen| match script(seen) {
        reply if held.iter().any(|start| seen.key.starts_with(start)) => {
            Reply::Held(Box::new(reply))
        }
        reply => reply,
    })
}

/// Keys that begin like one of `held`, in order of names.
fn arrived(fake: &Fake, held: &[&str]) -> BTreeSet<String> {
    let keys = fake.counts().into_keys();
    keys.filter(|key| held.iter().any(|start| key.starts_with(start)))
        .collect()
}

/// Calls of those that the draft's transcript says were started: all that are in flight
/// or answered, since a start is on disk before its call goes out.
fn started(place: &Place, held: &[&str]) -> usize {
    let calls = events(place, "v1.draft", "call_started").into_iter();
    let calls = calls.map(|line| line["call"].as_str().unwrap().to_owned());
    let is_held = |call: &String| {
        let mut names = held.iter();
        names.any(|name| call.contains(&format!("/{name}")))
    };
    calls.filter(is_held).count()
}

/// Holds every call of a batch: exactly `limit` of them come, and another one comes only
/// for one that is answered.
fn in_flight(limit: usize, all: usize, held: &'static [&'static str], more: &[&str]) {
    let (place, fake) = (Place::new(), holding(held));
    place.configure(&format!("limits:\n  concurrency: {limit}\n"));
    let plan = ["plan", WISH, "--questions", "assume"];
    let going = place.start_with(&fake, &[&plan[..], more].concat());
    let mut answered: BTreeSet<String> = BTreeSet::new();
    while answered.len() < all {
        let due = all.min(answered.len() + limit);
        wait_until("the calls", || arrived(&fake, held).len() >= due);
        let come = arrived(&fake, held);
        assert_eq!(come.len(), due, "{come:?}");
        assert_eq!(started(&place, held), due, "with {come:?}");
        let next = come.difference(&answered).next().unwrap().clone();
        fake.lets_go_of(&next);
        answered.insert(next);
    }
    going.end().ends(0);
    assert_eq!(arrived(&fake, held).len(), all);
}

#[test]
fn so_many_speeches_of_a_blind_round_are_in_flight_and_no_more() {
    in_flight(2, 5, &["speech/"], &["--first-round", "blind"]);
    in_flight(4, 5, &["speech/"], &["--first-round", "blind"]);
}

#[test]
fn so_many_documents_are_in_flight_and_no_more() {
    const LAYER: &[&str] = &["dev_plan/", "test_plan/", "risk_assessment/"];
    in_flight(2, 3, LAYER, &[]);
    in_flight(1, 3, LAYER, &[]);
}
