//! Partial answers of running calls, kept in a file beside the transcript for readers in other
//! processes, such as `aitc view`. They are not recorded, and the text of a call is removed once
//! its answer is complete.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use crate::edge::locked;
use crate::machine::CallId;
use crate::reply::PartialAnswer;

const KEY_BEGINS: &str = "-----BEGIN ";
const KEY_ENDS: &str = "-----END ";

/// Text received so far for each call in flight.
#[derive(Default)]
pub(super) struct PartialAnswers(Mutex<PartialTexts>);

#[derive(Default)]
struct PartialTexts {
    calls: BTreeMap<CallId, PartialAnswer>,
    /// Whether `calls` changed since the last [`PartialAnswers::news`].
    is_new: bool,
    was_told: bool,
}

impl PartialAnswers {
    fn lock_texts(&self) -> MutexGuard<'_, PartialTexts> {
        locked(&self.0)
    }

    /// Appends the next piece of an answer.
    pub fn append(&self, call: &CallId, piece: &str) {
        let mut said = self.lock_texts();
        said.is_new = true;
        said.calls.entry(call.clone()).or_default().take(piece);
    }

    /// Removes the call's text: its answer is complete, or the call failed.
    pub fn ends(&self, call: &CallId) {
        let mut said = self.lock_texts();
        said.is_new |= said.calls.remove(call).is_some();
    }

    /// Returns the text so far of every call, or `None` if nothing changed since the last time.
    pub fn news(&self) -> Option<BTreeMap<CallId, String>> {
        let mut said = self.lock_texts();
        if !std::mem::take(&mut said.is_new) {
            return None;
        }
        said.was_told = true;
        let words = said.calls.iter().map(|(call, heard)| {
            let text = heard.whole();
            // A private key is recognised by its last line, which has not arrived yet.
            let text = match text.rfind(KEY_BEGINS) {
                Some(at) if !text[at..].contains(KEY_ENDS) => &text[..at],
                _ => &text[..],
            };
            // An incomplete word may be the first half of a secret, so it is left out.
            let whole = text.trim_end_matches(|c: char| c.is_ascii_graphic());
            (call.clone(), whole.trim_end().to_owned())
        });
        Some(words.collect())
    }

    /// Whether [`news`](Self::news) ever returned anything.
    pub fn was_told(&self) -> bool {
        self.lock_texts().was_told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_are_told_once() {
        let call: CallId = "root/judgment/Coach/r0/t1/a1".parse().unwrap();
        let partial = PartialAnswers::default();
        assert_eq!(partial.news(), None);
        for (piece, told) in [
            ("{\"analysis\":\"The key is sk-a", "The key is"),
            ("bcdef, say ", "The key is sk-abcdef, say"),
            ("导出", "The key is sk-abcdef, say 导出"),
            (
                " -----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBg ",
                "The key is sk-abcdef, say 导出",
            ),
        ] {
            partial.append(&call, piece);
            let words = BTreeMap::from([(call.clone(), told.to_owned())]);
            assert_eq!(partial.news(), Some(words));
            assert_eq!(partial.news(), None);
        }
        partial.ends(&call);
        assert_eq!(partial.news(), Some(BTreeMap::new()));
    }
}
