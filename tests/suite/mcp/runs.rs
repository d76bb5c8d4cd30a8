//! Runs through tools: started, followed, answered, played by hand, left running, and found again.

use serde_json::json;

use super::{Client, Connected, no_arguments};
use crate::support::binary::{Going, Place, wait_until};
use crate::support::by_hand::Hand;
use crate::support::fake::{Fake, WorkshopScript, workshop};

const REQUIREMENT: &str = "Export the customer list as CSV";

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_from_its_start_to_its_revision() {
    let place = Place::new();
    let fake = Fake::start(workshop(WorkshopScript::asking(1)));
    let client = Connected::to(&place, Some(&fake)).await;
    let begun = client
        .call("plan_start", json!({"requirement": REQUIREMENT}))
        .await;
    assert_eq!(
        (&begun["id"], &begun["published"]),
        (&json!("v1"), &json!(false))
    );

    let asking = client
        .follow("v1", |run| run["next"] == "plan_questions")
        .await;
    assert_eq!(asking["status"]["waiting"], json!(["Q-1"]));
    let asked = client.call("plan_questions", json!({"id": "v1"})).await;
    assert_eq!(asked["questions"][0]["id"], "Q-1");
    let answer = json!({"id": "v1", "question": "Q-1", "answer": "Administrators alone"});
    let answered = client.call("plan_answer", answer.clone()).await;
    assert_eq!(answered["answered"], true);
    assert_eq!(
        answered["run"]["status"]["answered"],
        json!([]),
        "it is taken in"
    );

    let done = client.follow("v1", |run| run["published"] == true).await;
    assert_eq!(
        (&done["agreed"], &done["next"]),
        (&json!(true), &json!("plan_result"))
    );
    let late = client.refused("plan_answer", answer).await;
    assert!(late.starts_with("error[E-question"), "{late}");
    let transcript = place.text("v1/planning_transcript.jsonl");
    assert!(transcript.contains("Administrators alone"));

    let report = client.call("plan_result", json!({"id": "v1"})).await;
    let text = report["text"].as_str().unwrap();
    assert_eq!(text, place.text("v1/planning_report.md"));
    let design = client
        .call("plan_result", json!({"id": "v1", "part": "design"}))
        .await;
    assert!(design["content"].is_object(), "{design}");
    let why = client.call("plan_why", json!({"item": "C-1"})).await;
    assert_eq!(why["trace"]["id"], "C-1");
    let check = client.call("plan_check", json!({"id": "v1"})).await;
    assert_eq!(check["check"]["version"], 1);
    let unknown = client
        .refused("plan_check", json!({"against": "main..HEAD"}))
        .await;
    assert!(unknown.contains("error[E-"), "{unknown}");

    let listed = client.client.list_all_resources().await.unwrap();
    let listed: Vec<_> = listed.iter().map(|one| one.uri.as_str()).collect();
    assert_eq!(
        listed,
        [
            "aitc://versions",
            "aitc://v1/report",
            "aitc://v1/transcript"
        ]
    );
    assert_eq!(client.resource("aitc://v1/report").await.unwrap(), text);
    let read = client.resource("aitc://v1/transcript").await.unwrap();
    assert_eq!(read, transcript);

    let comment = json!({"id": "v1", "item": "C-1", "text": "Which accounts?"});
    let written = client.call("plan_comment", comment).await;
    let thread = &written["threads"][0]["thread"];
    assert_eq!(thread["item"], "C-1", "{written}");
    assert_eq!(thread["author"], "a-client", "{written}");

    let thread = thread["id"].as_str().unwrap();
    let reply = json!({"id": "v1", "thread": thread, "text": "Those of shops"});
    let replied = client.call("plan_comment", reply).await;
    let said = &replied["threads"][0]["thread"]["replies"][0];
    assert_eq!(said["text"], "Those of shops", "{replied}");
    assert_eq!(said["author"], "a-client", "{replied}");
    let listed = client.call("plan_comment", json!({"id": "v1"})).await;
    assert_eq!(listed["threads"], replied["threads"], "all there is");
    for wrong in [
        json!({"id": "v1", "thread": "nobody", "text": "Yes"}),
        json!({"id": "v1", "thread": thread}),
    ] {
        let refused = client.refused("plan_comment", wrong).await;
        assert!(refused.starts_with("error[E-"), "{refused}");
    }

    let revised = json!({"id": "v1", "feedback": "No CSV: use XLSX"});
    assert_eq!(client.call("plan_revise", revised).await["id"], "v2");
    client
        .follow("v2", |run| run["next"] != "plan_status")
        .await;
    let all = client.call("plan_status", no_arguments()).await;
    assert_eq!(all["versions"][0]["version"], 1);
    client.leaves().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_clients_own_model_holds_a_workshop() {
    let place = Place::new();
    let hand = Hand::playing(WorkshopScript::asking(1));
    let client = Connected::to(&place, None).await;
    let start = json!({"requirement": REQUIREMENT, "by_hand": true, "assume": true});
    client.call("plan_start", start).await;
    let mut step = client.call("plan_next", json!({"id": "v1"})).await;
    let bad = json!({"id": "v1", "number": 1, "reply": "I would rather talk about the weather."});
    let refused = client.refused("plan_reply", bad).await;
    assert!(refused.starts_with("error[E-reply-bad]"), "{refused}");
    let mut replies = 0;
    while step["run"]["published"] == false {
        let Some(page) = step["prompt"]["prompt"].as_str() else {
            step = client.call("plan_next", json!({"id": "v1"})).await;
            continue;
        };
        let reply: serde_json::Value = serde_json::from_str(&hand.reply(page)).unwrap();
        let reply = json!({"id": "v1", "number": step["prompt"]["number"], "reply": reply});
        step = client.call("plan_reply", reply).await;
        replies += 1;
        assert!(replies < 200, "{step}");
    }
    assert_eq!(step["run"]["agreed"], true, "{step}");
    let calls = place.events("v1", "call_started").len();
    assert_eq!(replies, calls, "a reply for each call");
    let plan = place.text("v1/planning_transcript.jsonl");
    assert!(
        plan.contains(r#""model":"a-client""#),
        "who replied is on record"
    );
    place.run(&["verify", "v1"]).ends(0);
}

/// A run continues after its client has cancelled calls and disconnected; a new client finds it.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_goes_on_without_its_client() {
    let place = Place::new();
    let fake = Fake::holding(WorkshopScript::default(), &["judgment"]);
    let first = Connected::to(&place, Some(&fake)).await;
    // The tool returns the id before the first call is answered.
    let begun = first
        .call("plan_start", json!({"requirement": REQUIREMENT}))
        .await;
    assert_eq!(begun["running"], true);
    fake.awaits("judgment/Coach", 1);
    let wait = first.try_call("plan_status", json!({"id": "v1", "wait_seconds": 600}));
    tokio::select! {
        result = wait => panic!("{result:?}"),
        // The client cancels the call and notifies the server.
        () = tokio::time::sleep(std::time::Duration::from_millis(300)) => (),
    }
    let still = first.call("plan_status", json!({"id": "v1"})).await;
    assert_eq!(still["runs"][0]["running"], true);
    let wait = first.try_call("plan_status", json!({"id": "v1", "wait_seconds": 10}));
    let mut wait = Box::pin(wait);
    let begun = tokio::time::timeout(std::time::Duration::from_millis(300), &mut wait).await;
    assert!(begun.is_err(), "it waits");
    drop(wait);
    first.leaves().await;

    let second = Connected::to(&place, Some(&fake)).await;
    let found = second.call("plan_status", no_arguments()).await;
    assert_eq!(
        (&found["runs"][0]["id"], &found["runs"][0]["running"]),
        (&json!("v1"), &json!(true))
    );
    fake.lets_go();
    let done = second.follow("v1", |run| run["published"] == true).await;
    assert_eq!(done["agreed"], true);
    assert_eq!(fake.calls("judgment/Coach"), 1, "nothing was asked again");
    assert_eq!(place.versions(), ["v1"]);
}

/// The run continues after its server was terminated by a signal or killed.
#[test]
fn a_run_goes_on_when_its_server_is_ended() {
    for (signal, code) in [("TERM", 143), ("KILL", -9)] {
        let place = Place::new();
        let fake = Fake::holding(WorkshopScript::default(), &["judgment"]);
        let greeting = json!({"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "bare", "version": "1"}});
        let start = json!({"name": "plan_start", "arguments": {"requirement": REQUIREMENT}});
        let lines = [
            json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": greeting}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": start}),
        ];
        let server = Going::told(place.command_with(&fake, &["mcp"]), &lines);
        fake.awaits("judgment/Coach", 1);
        server.signal(signal);
        assert_eq!(server.end().code, code, "{signal}");
        fake.lets_go();
        wait_until("the version", || place.versions() == ["v1"]);
        assert_eq!(fake.calls("judgment/Coach"), 1, "nothing was asked again");
    }
}

/// The error of a stopped run is reported, and the run can be resumed.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_stopped_is_taken_up_again() {
    let place = Place::new();
    place.configure("retry_cap_ms: 1\n");
    let mut fake = Fake::start(workshop(WorkshopScript::default()));
    let client = Connected::to(&place, Some(&fake)).await;
    fake.closes();
    client
        .call("plan_start", json!({"requirement": REQUIREMENT}))
        .await;
    let stopped = client.follow("v1", |run| run["running"] == false).await;
    let said = stopped["said"].as_str().unwrap();
    assert!(said.starts_with("error[E-"), "{said}");
    assert_eq!(stopped["next"], "plan_next");
    fake.opens();
    client.call("plan_next", json!({"id": "v1"})).await;
    let done = client.follow("v1", |run| run["published"] == true).await;
    assert_eq!(done["said"], json!(null));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_waits_is_told_how_far_it_is() {
    let place = Place::new();
    let fake = Fake::holding(WorkshopScript::default(), &["speech/ProductPlanner/r1"]);
    let client = Connected::to(&place, Some(&fake)).await;
    client
        .call("plan_start", json!({"requirement": REQUIREMENT}))
        .await;
    fake.awaits("speech/ProductPlanner/r1", 1);
    client
        .call("plan_status", json!({"id": "v1", "wait_seconds": 1}))
        .await;
    wait_until("progress", || {
        !client.client.service().progress.lock().unwrap().is_empty()
    });
    let told = client.client.service().progress.lock().unwrap().clone();
    let message = told[0].message.clone().unwrap();
    assert!(message.starts_with("v1: "), "{message}");
    assert!(
        told.windows(2)
            .all(|pair| pair[0].progress < pair[1].progress),
        "{told:?}"
    );
    fake.lets_go();
    client.follow("v1", |run| run["published"] == true).await;
}

/// Arguments from a client's model cannot access files outside the workspace, choose a program or
/// address, or enable commands.
#[tokio::test(flavor = "multi_thread")]
async fn no_tool_leads_out_of_the_workspace() {
    let place = Place::new();
    let fake = Fake::start(workshop(WorkshopScript::default()));
    let client = Connected::to(&place, Some(&fake)).await;
    for key in "provider model base_url config directory trials knowledge file".split(' ') {
        let mut start = json!({"requirement": REQUIREMENT});
        start[key] = json!("/elsewhere");
        let refused = client.refused("plan_start", start).await;
        assert!(
            refused.contains(&format!("unknown field `{key}`")),
            "{refused}"
        );
    }
    for id in ["../v1", "/etc", "v1/../../..", "v0", ""] {
        for tool in [
            "plan_status",
            "plan_result",
            "plan_check",
            "plan_next",
            "plan_questions",
        ] {
            let refused = client.refused(tool, json!({"id": id})).await;
            assert!(refused.contains("do not fit"), "{tool} {id}: {refused}");
        }
    }
    for uri in [
        "file:///etc/passwd",
        "aitc://../report",
        "aitc://v1/../report",
        "aitc://v1/report",
    ] {
        assert!(client.resource(uri).await.is_err(), "{uri}");
    }
    assert!(
        client
            .try_call("plan_delete", no_arguments())
            .await
            .is_err()
    );
    assert_eq!(place.versions(), Vec::<String>::new());

    // Text is only text, even if it would have a meaning on a command line.
    for (n, words) in (1..).zip(["@/etc/passwd", "-", "--trials"]) {
        let id = format!("v{n}");
        let begun = client
            .call("plan_start", json!({"requirement": words}))
            .await;
        assert_eq!(begun["id"], *id);
        client.follow(&id, |run| run["published"] == true).await;
        let first = &place.transcript(&id)[0];
        assert_eq!(first["content"], words);
        assert_ne!(first["inputs"]["trials"], true);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_is_told_before_anything_is_on_disk() {
    let place = Place::new();
    let client = Connected::to(&place, None).await;
    let nobody = client
        .refused("plan_start", json!({"requirement": REQUIREMENT}))
        .await;
    assert!(
        nobody.starts_with("error[E-model-missing]") || nobody.starts_with("error[E-"),
        "{nobody}"
    );
    let empty = client
        .refused("plan_start", json!({"requirement": "  "}))
        .await;
    assert!(empty.starts_with("error[E-text-missing]"), "{empty}");
    let none = client
        .refused("plan_revise", json!({"id": "v3", "feedback": "less"}))
        .await;
    assert!(
        none.starts_with("error[E-version-none]") || none.starts_with("error[E-"),
        "{none}"
    );
    let none = client.refused("plan_result", json!({"id": "v3"})).await;
    assert!(none.starts_with("error[E-"), "{none}");
    assert_eq!(place.versions(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_are_few_and_short() {
    let place = Place::new();
    let client = Connected::by(Client::default(), None, &place, None).await;
    let names: Vec<_> = client.tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names.len(), 11, "{names:?}");
    let mut bytes = 0;
    for tool in &client.tools {
        let about = tool.description.as_deref().unwrap();
        assert!(about.len() < 220, "{}: {about}", tool.name);
        let whole = serde_json::to_string(tool).unwrap();
        bytes += whole.len();
    }
    assert!(bytes < 50_000, "{bytes}");
}
