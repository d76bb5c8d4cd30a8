//! Requests that are sent, and how answers are interpreted.

use aitc::chat::{AnswerFormat, ChatRole, FinishReason, Message};
use aitc::edge::model::{ChatModel, Dialect, Remote, RemoteConfig};
use aitc::machine::FailureKind;
use serde_json::json;

use super::dialects::ALL;
use super::{answer, config, model, patient, request, speaking};
use crate::support::fake::{Completion, Fake, Reply, Seen};

/// Groq does not stream answers that must follow a schema, and reports that as an error.
#[tokio::test]
async fn an_endpoint_that_cannot_stream_is_asked_for_the_whole_answer() {
    let refusal = "`response_format` does not support streaming";
    let script = |seen: &Seen| match seen.stream {
        true => Reply::error(400, refusal),
        false => Reply::Text("{\"analysis\": 1}".to_owned()),
    };
    for (name, asked) in [("gateway", 3), ("groq", 2)] {
        let fake = Fake::start(script);
        let model = Remote::new(RemoteConfig {
            name: name.to_owned(),
            api_key: None,
            ..config(Dialect::OpenAi, &fake.base_url())
        })
        .unwrap();
        for _ in 0..2 {
            let response = model.chat(&request()).await.unwrap();
            assert_eq!(response.format, Some(AnswerFormat::JsonSchema), "{name}");
            assert_eq!(response.text, "{\"analysis\": 1}");
        }
        let seen = fake.seen();
        assert_eq!(seen.len(), asked, "{name} is refused once, or never");
        let last = &seen[asked - 1].body;
        assert_eq!(last["stream"], false);
        assert!(last.get("stream_options").is_none(), "{last}");
    }
}

/// Some endpoints report "stop" although the limit cut the answer: an incomplete object that used
/// the whole limit counts as cut.
#[tokio::test]
async fn an_answer_that_took_its_whole_limit_is_cut_whatever_the_endpoint_says() {
    for dialect in ALL {
        for (text, wanted) in [
            ("{\"analysis\": \"hal", FinishReason::Length),
            ("{\"analysis\": 1}", FinishReason::Stop),
        ] {
            let reply = Completion {
                usage: Some(json!({"prompt_tokens": 30, "completion_tokens": 77})),
                ..Completion::new(text)
            };
            let fake = Fake::start(move |_| Reply::Full(reply.clone()));
            let model = speaking(dialect, fake.base_url(), patient());
            let response = model.chat(&request()).await.unwrap();
            assert_eq!(response.finish, wanted, "{dialect:?}: {text}");
        }
    }
}

/// Earlier answers of the model are sent back in the format in which it gave them.
#[tokio::test]
async fn an_earlier_answer_goes_back_as_the_models_own_words() {
    let fake = Fake::start(|_| Reply::Text("{}".to_owned()));
    let model = speaking(Dialect::OpenAiResponses, fake.base_url(), patient());
    let mut again = request();
    for (role, content) in [(ChatRole::Assistant, "{"), (ChatRole::User, "cut")] {
        again.messages.push(Message {
            role,
            content: content.into(),
        });
    }
    model.chat(&again).await.unwrap();
    let seen = fake.seen().remove(0);
    let input = seen.body["input"].as_array().unwrap();
    let said = json!({"type": "message", "role": "assistant",
        "content": [{"type": "output_text", "text": "{"}]});
    assert_eq!(input[2], said);
    assert_eq!(input[3]["content"], "cut");
    assert_eq!(seen.messages[2], ("assistant".to_owned(), "{".to_owned()));
}

#[tokio::test]
async fn tokens_nobody_counted_are_estimated() {
    let reply = Completion {
        usage: None,
        ..Completion::new("123456789")
    };
    let usage = answer(Reply::Full(reply)).await.unwrap().usage;
    assert_eq!((usage.input, usage.output), (2 + 1 + 1, 3));
}

#[tokio::test]
async fn comments_keep_a_stream_alive_and_done_ends_it() {
    let stream =
        b": wait\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\r\n\r\ndata: [DONE]\n\n";
    let response = answer(Reply::Raw(vec![stream.to_vec()])).await.unwrap();
    assert_eq!(
        (response.text.as_str(), response.finish),
        ("a", FinishReason::Other)
    );
}

/// Refuses any other answer format, with the error of a real endpoint.
fn picky(takes: &'static [Option<&'static str>]) -> impl Fn(&Seen) -> Reply {
    move |seen| {
        if takes.contains(&seen.format()) {
            return Reply::Text("{}".to_owned());
        }
        Reply::error(400, "This response_format type is unavailable now")
    }
}

#[tokio::test]
async fn an_endpoint_that_takes_no_form_at_all_is_given_up() {
    let fake = Fake::start(picky(&[]));
    let failure = model(&fake).chat(&request()).await.unwrap_err();
    assert_eq!(
        (failure.kind, failure.retryable),
        (FailureKind::Refused, false)
    );
    assert_eq!(fake.seen().len(), 4);
}
