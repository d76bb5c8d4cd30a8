//! An answer, assembled from the pieces of a stream or read from one body.

use super::counts::Counts;
use crate::chat::{AnswerFormat, AnswerSchema, FinishReason};
use crate::reply;

/// The part of an answer that has arrived.
#[derive(Default)]
pub(super) struct StreamedAnswer {
    pub(super) text: String,
    pub(super) reasoning: String,
    /// Arguments of the tool that the model had to call.
    pub(super) arguments: String,
    /// Name of the called tool, if it was sent.
    pub(super) tool: String,
    pub(super) finish: Option<FinishReason>,
    pub(super) counts: Counts,
    pub(super) model: String,
    pub(super) id: String,
    /// The end was announced; later data is ignored.
    pub(super) done: bool,
    pub(super) begun: bool,
    /// Whether the model declined in a separate field.
    pub(super) declined: bool,
}

impl StreamedAnswer {
    /// Whether the end of the answer has arrived.
    pub(super) fn is_whole(&self) -> bool {
        self.done || self.finish.is_some()
    }

    pub(super) fn finish(&self) -> FinishReason {
        if self.declined && self.text.is_empty() {
            return FinishReason::ContentFilter;
        }
        self.finish.unwrap_or(FinishReason::Other)
    }

    /// Treats an answer as cut off if it used the whole token limit and contains no complete
    /// object, although the endpoint calls it finished (as llama.cpp's responses API does).
    pub(super) fn doubt_end(&mut self, limit: u64) {
        let is_full = self.counts.output.is_some_and(|output| output >= limit);
        if is_full && self.finish() == FinishReason::Stop && !reply::holds_object(&self.text) {
            self.finish = Some(FinishReason::Length);
        }
    }

    /// Moves reasoning in `<think>` tags from the text to its field.
    pub(super) fn set_thinking_apart(&mut self) {
        let Some(rest) = self.text.trim_start().strip_prefix("<think>") else {
            return;
        };
        let Some((thinking, text)) = rest.split_once("</think>") else {
            return;
        };
        self.reasoning.push_str(thinking.trim());
        self.text = text.trim_start().to_owned();
    }

    /// Uses the arguments of a call of the tool `wanted` as the text. If the answer was put into
    /// another field, that is used instead: the arguments of another tool, or the reasoning of a
    /// model that sent nothing else. A call of another tool that is not an answer becomes the text
    /// unchanged, with name and arguments.
    pub(super) fn set_in_place(&mut self, wanted: AnswerSchema) {
        let is_answer = |text: &str| reply::answers(text, wanted.schema);
        let is_foreign = !self.tool.is_empty() && self.tool != wanted.name;
        let called = !self.arguments.trim().is_empty();
        if called && (!is_foreign || (self.is_mute() && is_answer(&self.arguments))) {
            self.text = std::mem::take(&mut self.arguments);
        } else if self.is_mute() && is_answer(&self.reasoning) {
            self.text = std::mem::take(&mut self.reasoning);
        } else if self.is_mute() && is_foreign {
            let called = serde_json::json!({"name": self.tool, "arguments": self.arguments});
            self.text = called.to_string();
        }
    }

    /// Whether the field of the answer is empty.
    fn is_mute(&self) -> bool {
        self.text.trim().is_empty() && self.finish() != FinishReason::ContentFilter
    }

    /// Whether only an endpoint that ignores `format` could have written this.
    pub(super) fn ignores(&self, format: AnswerFormat) -> bool {
        let text = self.text.trim_start();
        // A content filter writes its own text, whatever the format.
        format != AnswerFormat::Prompt
            && self.finish() != FinishReason::ContentFilter
            && !text.is_empty()
            && !text.starts_with(['{', '['])
    }
}

/// Sets the field once, to the first non-empty value.
pub(super) fn set_once(field: &mut String, value: &str) {
    if field.is_empty() {
        field.push_str(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saying(text: &str) -> StreamedAnswer {
        StreamedAnswer {
            text: text.to_owned(),
            finish: Some(FinishReason::Stop),
            ..StreamedAnswer::default()
        }
    }

    #[test]
    fn thinking_marks_are_taken_out_of_the_text() {
        let mut whole = saying("<think>hm</think>\n{}");
        whole.set_thinking_apart();
        assert_eq!(
            (whole.text.as_str(), whole.reasoning.as_str()),
            ("{}", "hm")
        );
        let mut open = saying("<think>hm");
        open.set_thinking_apart();
        assert_eq!(open.text, "<think>hm");
    }

    #[test]
    fn only_text_that_no_held_endpoint_writes_shows_that_it_was_not_held() {
        assert!(saying("Sure! Here it is").ignores(AnswerFormat::JsonSchema));
        assert!(saying("```json\n{}").ignores(AnswerFormat::JsonObject));
        assert!(!saying("Sure!").ignores(AnswerFormat::Prompt));
        assert!(!saying(" {\"a\":1").ignores(AnswerFormat::JsonSchema));
        assert!(!saying("").ignores(AnswerFormat::JsonSchema));
        for (finish, ignores) in [
            (FinishReason::Length, true),
            (FinishReason::ContentFilter, false),
        ] {
            let mut cut = saying("Sure");
            cut.finish = Some(finish);
            assert_eq!(cut.ignores(AnswerFormat::JsonSchema), ignores, "{finish:?}");
        }
    }

    #[test]
    fn an_answer_that_took_all_there_was_is_whole_only_if_it_can_be_read() {
        for (text, output, wanted) in [
            ("{\"a\":", Some(40), FinishReason::Length),
            ("{\"a\":", Some(39), FinishReason::Stop),
            ("{\"a\":", None, FinishReason::Stop),
            (" {\"a\":1}\n", Some(40), FinishReason::Stop),
            (
                "Here:\n```json\n{'a': 1,}\n```",
                Some(41),
                FinishReason::Stop,
            ),
            (
                "Here:\n```json\n{\"a\": [{}, 1",
                Some(40),
                FinishReason::Length,
            ),
        ] {
            let mut answer = saying(text);
            answer.counts.output = output;
            answer.doubt_end(40);
            assert_eq!(answer.finish(), wanted, "{text} {output:?}");
        }
        let mut refused = saying("I would rather not");
        refused.finish = Some(FinishReason::ContentFilter);
        refused.counts.output = Some(40);
        refused.doubt_end(40);
        assert_eq!(refused.finish(), FinishReason::ContentFilter);
    }
}
