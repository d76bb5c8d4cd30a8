//! Replays complete answers piece by piece, as if they were just being written.

use std::sync::Arc;
use std::time::Duration;

use super::{AnswerPiece, Answering, ChatModel, Listener};
use crate::chat::ChatRequest;

/// Number of pieces of an answer; each frame shows one or two.
const PIECES: usize = 8;

/// A model that slows down its answers.
pub struct SlowReplay {
    inner: Arc<dyn ChatModel>,
    takes: Duration,
}

impl SlowReplay {
    /// Makes every answer of `inner` take this long, whatever its length.
    pub fn new(inner: Arc<dyn ChatModel>, takes: Duration) -> Self {
        Self { inner, takes }
    }
}

impl ChatModel for SlowReplay {
    fn chat_streaming<'a>(
        &'a self,
        request: &'a ChatRequest,
        listener: &'a dyn Listener,
    ) -> Answering<'a> {
        Box::pin(async move {
            let response = self.inner.chat(request).await?;
            let letters: Vec<char> = response.text.chars().collect();
            for piece in letters.chunks(letters.len().div_ceil(PIECES).max(1)) {
                let piece: String = piece.iter().collect();
                listener.on_piece(&request.call, AnswerPiece::Text(&piece));
                tokio::time::sleep(self.takes / PIECES as u32).await;
            }
            Ok(response)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::chat::ChatResponse;
    use crate::machine::CallId;
    use crate::reply::contribution_schema;

    struct FixedModel(ChatResponse);

    impl ChatModel for FixedModel {
        fn chat<'a>(&'a self, _request: &'a ChatRequest) -> Answering<'a> {
            Box::pin(std::future::ready(Ok(self.0.clone())))
        }
    }

    #[derive(Default)]
    struct RecordingListener(Mutex<Vec<String>>);

    impl Listener for RecordingListener {
        fn on_piece(&self, _call: &CallId, piece: AnswerPiece<'_>) {
            if let AnswerPiece::Text(text) = piece {
                self.0.lock().unwrap().push(text.to_owned());
            }
        }
    }

    #[tokio::test]
    async fn all_of_an_answer_is_heard_in_a_few_pieces() {
        for text in ["", "导出", "The export is a stream of rows, said slowly."] {
            let response = ChatResponse::plain(text.to_owned(), "m");
            let request = ChatRequest {
                call: "root/speech/PP/r1/t1/a1".parse().unwrap(),
                model: "m".to_owned(),
                messages: Vec::new(),
                schema: contribution_schema(),
                max_output_tokens: 1,
                temperature: None,
                seed: None,
                known: Default::default(),
            };
            let slow_replay =
                SlowReplay::new(Arc::new(FixedModel(response.clone())), Duration::ZERO);
            let listener = RecordingListener::default();
            assert_eq!(
                slow_replay
                    .chat_streaming(&request, &listener)
                    .await
                    .unwrap(),
                response
            );
            let heard = listener.0.into_inner().unwrap();
            assert_eq!(heard.concat(), text);
            assert!(heard.len() <= PIECES, "{heard:?}");
        }
    }
}
