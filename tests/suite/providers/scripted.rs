//! Recorded answers, and delays between attempts.

use std::time::Duration;

use aitc::chat::{ChatRequest, ChatResponse, FinishReason, Usage};
use aitc::edge::model::scripted::{Scripted, record};
use aitc::edge::model::{Backoff, ChatModel, backoff};

use super::request;

#[test]
fn waits_stay_within_their_bounds() {
    let ms = Duration::from_millis;
    let bounds = Backoff {
        base: ms(4),
        cap: ms(20),
        max_retry_after: Duration::from_secs(120),
    };
    for (attempt, bound) in [(1, 4), (2, 8), (3, 16), (4, 20), (u32::MAX, 20)] {
        let waits: Vec<_> = (0..200)
            .map(|_| backoff::delay(attempt, None, &bounds).unwrap())
            .collect();
        assert!(waits.iter().all(|wait| *wait <= ms(bound)), "{attempt}");
        assert!(waits.iter().any(|wait| *wait > ms(bound) / 2), "{attempt}");
        assert!(waits.iter().any(|wait| *wait < ms(bound) / 2), "{attempt}");
    }
    let asked = Duration::from_secs(120);
    let wait = backoff::delay(1, Some(asked), &bounds).unwrap();
    assert!((asked..=asked + ms(4)).contains(&wait), "{wait:?}");
    assert!(backoff::delay(1, Some(asked + ms(1)), &bounds).is_err());
    assert!(backoff::delay(1, Some(Duration::MAX), &Backoff::default()).is_err());
}

#[tokio::test]
async fn recorded_answers_are_replayed_by_the_name_of_the_call() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("fixtures");
    let request = request();
    let response = ChatResponse {
        finish: FinishReason::Length,
        usage: Usage {
            input: 3,
            output: 4,
            ..Usage::default()
        },
        ..ChatResponse::plain("{\"a\":\"计划\"}".to_owned(), &request.model)
    };
    record(&folder, &request.call, &response).unwrap();
    assert!(
        folder
            .join("root__speech__ProductPlanner__r1__t1__a1.json")
            .is_file()
    );
    let scripted = Scripted::load(&folder).unwrap();
    assert_eq!(scripted.chat(&request).await.unwrap(), response);

    let other = ChatRequest {
        call: request.call.with_attempt(2),
        ..request
    };
    let failure = scripted.chat(&other).await.unwrap_err();
    assert!(!failure.retryable);
    assert!(
        failure
            .detail
            .contains("root__speech__ProductPlanner__r1__t1__a2.json"),
        "{failure}"
    );

    std::fs::write(folder.join("bad.json"), "{").unwrap();
    assert!(
        Scripted::load(&folder)
            .unwrap_err()
            .to_string()
            .contains("bad.json")
    );
}

#[tokio::test]
async fn answers_written_by_hand_are_objects_and_cost_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let request = request();
    let file = dir
        .path()
        .join("root__speech__ProductPlanner__r1__t1__a1.json");
    std::fs::write(&file, r#"{"answer": {"analysis": "两行\n字"}}"#).unwrap();
    let scripted = Scripted::load(dir.path()).unwrap();
    let response = scripted.chat(&request).await.unwrap();
    assert_eq!(response.text, r#"{"analysis":"两行\n字"}"#);
    assert_eq!(response.usage, Usage::default());
    assert_eq!(response.finish, FinishReason::Stop);
    for bad in [r#"{}"#, r#"{"text": "a", "answer": {}}"#, r#"{"txt": "a"}"#] {
        std::fs::write(&file, bad).unwrap();
        let error = Scripted::load(dir.path()).unwrap_err().to_string();
        assert!(error.contains("`text` or `answer`"), "{error}");
    }
}

/// A failed attempt is not recorded, so a recording may start with a later one.
#[tokio::test]
async fn attempts_that_left_no_answer_are_passed_over() {
    let dir = tempfile::tempdir().unwrap();
    let request = request();
    let of = |attempt| ChatRequest {
        call: request.call.with_attempt(attempt),
        ..request.clone()
    };
    for attempt in [2, 4] {
        let file = format!("root__speech__ProductPlanner__r1__t1__a{attempt}.json");
        let text = format!("{{\"text\": \"try {attempt}\"}}");
        std::fs::write(dir.path().join(file), text).unwrap();
    }
    let scripted = Scripted::load(dir.path()).unwrap();
    for (attempt, wanted) in [(1, "try 2"), (2, "try 2"), (3, "try 4"), (4, "try 4")] {
        let response = scripted.chat(&of(attempt)).await.unwrap();
        assert_eq!(response.text, wanted);
    }
    assert!(scripted.chat(&of(5)).await.is_err());
}

/// Reading a named pipe would block forever.
#[test]
fn what_is_no_file_is_no_answer() {
    let dir = tempfile::tempdir().unwrap();
    let pipe = dir.path().join("pipe.json");
    crate::support::binary::mkfifo(&pipe);
    std::fs::create_dir(dir.path().join("folder.json")).unwrap();
    std::fs::write(dir.path().join("a.json"), r#"{"text": "a"}"#).unwrap();
    let (done, ended) = std::sync::mpsc::channel();
    let folder = dir.path().to_owned();
    // A blocked thread is left behind, and the test fails.
    std::thread::spawn(move || done.send(Scripted::load(&folder).is_ok()));
    let read = ended.recv_timeout(Duration::from_secs(60));
    assert_eq!(read, Ok(true));
    // A broken link with the name of an answer is reported as before.
    std::os::unix::fs::symlink("nowhere", dir.path().join("link.json")).unwrap();
    assert!(Scripted::load(dir.path()).is_err());
}

/// Recording replaces a link instead of writing to its target.
#[test]
fn a_recording_replaces_a_link_and_not_what_it_leads_to() {
    let dir = tempfile::tempdir().unwrap();
    let other = dir.path().join("other.txt");
    std::fs::write(&other, "mine").unwrap();
    let recording = dir.path().join("answers");
    std::fs::create_dir(&recording).unwrap();
    let call = request().call;
    let name = format!("{}.json", call.to_string().replace('/', "__"));
    std::os::unix::fs::symlink(&other, recording.join(&name)).unwrap();
    let response = ChatResponse::plain("said".to_owned(), "m");
    record(&recording, &call, &response).unwrap();
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "mine");
    let text = std::fs::read_to_string(recording.join(&name)).unwrap();
    assert!(text.contains("said"), "{text}");
}
