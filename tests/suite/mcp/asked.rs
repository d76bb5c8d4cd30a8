//! Questions that the client shows to its user as a form.

use rmcp::model::ProtocolVersion;
use serde_json::{Value, json};

use super::{Client, Connected};
use crate::support::binary::Place;
use crate::support::fake::{Fake, WorkshopScript, workshop};

/// Runs a workshop with a question whose form is filled in with `filled`. Returns the tool's
/// result, the forms, and the transcript.
async fn put(
    version: Option<ProtocolVersion>,
    filled: Option<Value>,
) -> (Value, Vec<Value>, String) {
    let place = Place::new();
    let fake = Fake::start(workshop(WorkshopScript::asking(1)));
    let client = Client {
        user: Some(filled),
        ..Client::default()
    };
    let client = Connected::by(client, version, &place, Some(&fake)).await;
    let wanted = json!({"requirement": "Export the list"});
    client.call("plan_start", wanted).await;
    let asks = |run: &Value| run["next"] == "plan_questions";
    client.follow("v1", asks).await;
    let answered = client.call("plan_answer", json!({"id": "v1"})).await;
    if answered["answered"] == true {
        client.follow("v1", |run| run["published"] == true).await;
    }
    let forms = client.client.service().forms.lock().unwrap().clone();
    client.leaves().await;
    let folder = match place.outputs("v1").exists() {
        true => "v1",
        false => "v1.draft",
    };
    let words = place.text(&format!("{folder}/planning_transcript.jsonl"));
    (answered, forms, words)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_is_filled_in_by_either_protocol() {
    for version in [None, Some(ProtocolVersion::V_2026_07_28)] {
        let filled = json!({"words": "Nobody but auditors"});
        let (answered, forms, words) = put(version, Some(filled)).await;
        assert_eq!(answered["answered"], true);
        let [form] = &forms[..] else {
            panic!("{forms:?}");
        };
        let message = form["message"].as_str().unwrap();
        assert!(message.contains("Q-1"), "{message}");
        let fields = &form["requestedSchema"]["properties"];
        assert!(fields["words"].is_object(), "{form}");
        assert!(words.contains("Nobody but auditors"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_is_put_away_answers_nothing() {
    for version in [None, Some(ProtocolVersion::V_2026_07_28)] {
        let (answered, forms, _) = put(version, None).await;
        assert_eq!(forms.len(), 1);
        assert_eq!(answered["answered"], false);
        assert_eq!(answered["run"]["next"], "plan_questions");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_without_forms_is_told_to_ask() {
    let place = Place::new();
    let fake = Fake::start(workshop(WorkshopScript::asking(1)));
    let client = Connected::to(&place, Some(&fake)).await;
    let wanted = json!({"requirement": "Export the list"});
    client.call("plan_start", wanted).await;
    let asks = |run: &Value| run["next"] == "plan_questions";
    client.follow("v1", asks).await;
    let told = client.refused("plan_answer", json!({"id": "v1"})).await;
    assert!(told.contains("put the question to them yourself"), "{told}");
    let two = json!({"id": "v1", "answer": "yes", "decline": true});
    assert!(client.refused("plan_answer", two).await.contains("one of"));
}
