//! Streaming: answers are received while they are generated.

use std::sync::{Arc, Mutex};

use aitc::edge::model::{AnswerPiece, Listener, NoopListener, Rate, RateLimited};
use aitc::machine::CallId;

use super::*;
use crate::support::fake::Completion;

/// The received text and reasoning, separately.
#[derive(Default)]
struct RecordingListener {
    text: Mutex<Vec<String>>,
    thoughts: Mutex<Vec<String>>,
}

impl Listener for RecordingListener {
    fn on_piece(&self, call: &CallId, piece: AnswerPiece<'_>) {
        assert_eq!(*call, request().call);
        let (heard, text) = match piece {
            AnswerPiece::Text(text) => (&self.text, text),
            AnswerPiece::Thought(text) => (&self.thoughts, text),
        };
        assert!(!text.is_empty());
        heard.lock().unwrap().push(text.to_owned());
    }
}

#[tokio::test]
async fn every_dialect_lets_all_of_an_answer_be_heard() {
    let said = format!("{{\"analysis\":\"{}\"}}", "计划 word ".repeat(60));
    for dialect in dialects::ALL {
        for as_call in [false, true] {
            let reply = Completion {
                reasoning: Some("hm, let me think".to_owned()),
                as_call,
                ..Completion::new(&said)
            };
            let fake = Fake::start(move |_| Reply::Full(reply.clone()));
            // A wrapper around a model passes the stream on.
            let model = RateLimited::new(
                Arc::new(speaking(dialect, fake.base_url(), patient())),
                Rate::default(),
            );
            let listener = RecordingListener::default();
            let aloud = model.chat_streaming(&request(), &listener).await.unwrap();
            assert_eq!(
                listener.text.into_inner().unwrap().concat(),
                aloud.text,
                "{dialect:?}"
            );
            let thoughts = listener.thoughts.into_inner().unwrap().concat();
            assert_eq!(Some(thoughts), aloud.reasoning, "{dialect:?}");
            let silent = model
                .chat_streaming(&request(), &NoopListener)
                .await
                .unwrap();
            assert_eq!(silent.text, aloud.text, "{dialect:?}");
        }
    }
}
