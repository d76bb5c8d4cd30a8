//! Every way in which an endpoint can fail, and the resulting error.

use std::time::Duration;

use aitc::edge::model::{ChatModel, Dialect, Remote, RemoteConfig, Route};
use aitc::machine::FailureKind;

use super::{KEY, answer, config, failure, model, model_at, patient, request};
use crate::support::fake::{Fake, Reply, untrusted_base_url};

#[tokio::test]
async fn every_way_to_spoil_an_answer_is_told_apart() {
    use FailureKind::{Protocol, TooLarge};
    for (reply, wanted) in [
        (
            Reply::Raw(vec![b"data: \xff\xfe\n\n".to_vec()]),
            (Protocol, true),
        ),
        (
            Reply::Raw(vec![vec![b'x'; (1 << 20) + 1]]),
            (TooLarge, false),
        ),
        (
            Reply::Raw(vec![b": ping\n\n".repeat(1 << 17); 9]),
            (TooLarge, false),
        ),
    ] {
        let shown = format!("{reply:?}").chars().take(60).collect::<String>();
        assert_eq!(failure(reply).await, wanted, "{shown}");
    }
}

#[tokio::test]
async fn retry_after_is_read_in_both_forms() {
    let limited = |value: String| Reply::status(429, vec![("retry-after", value)], "slow down");
    let asked = answer(limited("7".to_owned()))
        .await
        .unwrap_err()
        .retry_after;
    assert_eq!(asked, Some(Duration::from_secs(7)));

    let date = jiff::Timestamp::now() + jiff::SignedDuration::from_secs(100);
    let date = jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&date);
    let asked = answer(limited(date.unwrap()))
        .await
        .unwrap_err()
        .retry_after
        .unwrap();
    assert!((50..=100).contains(&asked.as_secs()), "{asked:?}");

    assert_eq!(
        answer(limited("later".to_owned()))
            .await
            .unwrap_err()
            .retry_after,
        None
    );
}

#[tokio::test]
async fn no_failure_holds_the_key_or_a_control_character() {
    let echo = format!(
        "{{\"error\":{{\"message\":\"\u{1b}[2J bad key {KEY} \\u0007{}\"}}}}",
        "x".repeat(9000)
    );
    let frame = format!("data: {{\"error\":{{\"message\":\"bad key {KEY}\"}}}}\n\n");
    for reply in [
        Reply::status(401, vec![], &echo),
        Reply::status(500, vec![], &format!("plain \u{1b}[2J {KEY}")),
        Reply::Raw(vec![frame.into_bytes()]),
        Reply::Cut(KEY.to_owned()),
    ] {
        let fake = Fake::start(move |_| reply.clone());
        let model = model_at(format!("{}?token=hidden", fake.base_url()), patient());
        let failure = model.chat(&request()).await.unwrap_err();
        let shown = format!("{failure} {failure:?}");
        assert!(!shown.contains(KEY) && !shown.contains("hidden"), "{shown}");
        assert!(!failure.detail.chars().any(char::is_control), "{shown}");
        assert!(failure.detail.len() < 600, "{shown}");
    }
}

#[tokio::test]
async fn a_redirect_to_another_origin_is_not_followed() {
    let thief = Fake::start(|_| Reply::Text("{}".to_owned()));
    let to = format!("{}/chat/completions", thief.base_url());
    for status in [301, 302, 307, 308] {
        let headers = vec![("location", to.clone())];
        let reply = Reply::status(status, headers, "");
        assert_eq!(
            failure(reply).await,
            (FailureKind::Refused, false),
            "{status}"
        );
    }
    assert!(
        thief.seen().is_empty(),
        "neither key nor prompt goes elsewhere"
    );
}

#[tokio::test]
async fn a_redirect_within_the_origin_is_followed() {
    let fake = Fake::start(|seen| {
        if seen.times == 1 {
            let here = vec![("location", "/v1/chat/completions".to_owned())];
            return Reply::status(307, here, "");
        }
        Reply::Text("{}".to_owned())
    });
    assert_eq!(model(&fake).chat(&request()).await.unwrap().text, "{}");
    assert_eq!(
        fake.seen()[1].headers["authorization"],
        format!("Bearer {KEY}")
    );
}

#[test]
fn what_cannot_be_reached_is_refused_at_once() {
    for (base_url, key) in [
        ("nonsense", "k"),
        ("ftp://host", "k"),
        ("http://host", "a\nb"),
    ] {
        let config = RemoteConfig {
            api_key: Some(key.to_owned()),
            ..config(Dialect::OpenAi, base_url)
        };
        assert!(Remote::new(config).is_err(), "{base_url}");
    }
    let secure = RemoteConfig {
        api_key: None,
        ..config(Dialect::OpenAi, "https://host.invalid/v1")
    };
    assert!(Remote::new(secure).is_ok());
}

#[tokio::test]
async fn a_certificate_nobody_vouches_for_is_not_asked_twice() {
    let model = model_at(untrusted_base_url(), patient());
    let failure = model.chat(&request()).await.unwrap_err();
    assert_eq!(
        (failure.kind, failure.retryable),
        (FailureKind::Network, false),
        "{failure}"
    );
    assert!(failure.detail.contains("certificate"), "{failure}");
}

#[tokio::test]
async fn extra_certificates_are_trusted_and_only_where_they_are_certificates() {
    let config = |extra_roots: &[u8]| RemoteConfig {
        api_key: None,
        route: Route {
            extra_roots: Some(extra_roots.to_vec()),
            ..Route::default()
        },
        ..config(Dialect::OpenAi, &untrusted_base_url())
    };
    for text in ["", "no certificate", "-----BEGIN CERTIFICATE-----\n!\n"] {
        assert!(Remote::new(config(text.as_bytes())).is_err(), "{text:?}");
    }
    // With the authority's file the connection succeeds, but the server does not answer.
    let pem = include_bytes!("../../support/fake/untrusted/authority.pem");
    let failure = Remote::new(config(pem))
        .unwrap()
        .chat(&request())
        .await
        .unwrap_err();
    assert!(!failure.detail.contains("certificate"), "{failure}");
}
