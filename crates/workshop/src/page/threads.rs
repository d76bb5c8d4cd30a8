//! The review on a plan's page: comments, answers that can be chosen, and approvals.

use serde_json::{Value, json};

use super::{PageTarget, add, cleaned, frame, rendered, whole};
use crate::artifact::{self, Artifact};
use crate::check;
use crate::clean::letters;
use crate::fault::Fault;
use crate::machine::{Lang, State};
use crate::thread::{Approval, ThreadView};

/// The review files beside a version.
#[derive(Debug, Default)]
pub struct ReviewFiles {
    /// Its threads, in the order of the plan.
    pub threads: Vec<ThreadView>,
    /// Threads of the versions it revises, nearest version first.
    pub before: Vec<ThreadView>,
    /// Number of its threads that a revision would take up.
    pub waiting: usize,
    /// The reader's name according to git; readers may withdraw their own threads. `None` if
    /// unknown.
    pub user: Option<String>,
    /// Approvals of this version, or of an earlier state of its files.
    pub approvals: Vec<Approval>,
    /// Digest of the version's current state.
    pub digest: String,
    /// Why the review files cannot be read; the other fields are empty then.
    pub unread: Option<String>,
}

/// The review part of the page, which replaces the old one after a change.
///
/// # Errors
/// A part of it cannot be serialised as JSON.
pub fn threads(state: &State, review: &ReviewFiles, lang: Lang) -> Result<String, Fault> {
    let place = PageTarget::Served(None);
    let mut context = frame(state, place, lang, "plan");
    add(&mut context, of(state, review, place)?);
    rendered("threads", &context)
}

/// The text of a plan, as in its files and as selected on its page. Only letters and digits are
/// compared: punctuation may be Markdown syntax in a file and be invisible on the page.
pub struct Wording(String);

impl Wording {
    /// The text of a plan with the files made from its transcript.
    ///
    /// # Errors
    /// The plan's page cannot be rendered.
    pub fn of(state: &State, files: &[Artifact]) -> Result<Self, Fault> {
        let texts = files
            .iter()
            .map(|file| String::from_utf8_lossy(&file.bytes));
        let mut parts: Vec<String> = texts.map(|text| letters(&text)).collect();
        for lang in [Lang::En, Lang::Zh] {
            let page = whole(state, files, None, PageTarget::Served(None), lang)?;
            parts.push(letters(&seen(&page)));
        }
        Ok(Self(parts.join("\n")))
    }

    /// Whether the text contains these words in order.
    pub fn has(&self, words: &str) -> bool {
        let words = letters(words);
        !words.is_empty() && self.0.contains(&words)
    }
}

/// The text of a page: without tags, and with entities removed.
fn seen(page: &str) -> String {
    let parts = page
        .split('<')
        .map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    let text: String = parts.collect();
    let mut parts = text.split('&');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |seen, part| {
        seen + part.split_once(';').map_or(part, |(_, text)| text)
    })
}

/// Template values of the review, in addition to those of every page.
pub(super) fn of(state: &State, review: &ReviewFiles, place: PageTarget) -> Result<Value, Fault> {
    Ok(json!({
        // If the files cannot be read, nothing can be added to them.
        "served": place != PageTarget::File && review.unread.is_none(),
        "unread": review.unread,
        "threads": cleaned(&review.threads)?,
        "earlier": cleaned(&review.before)?,
        "waiting": review.waiting,
        "user": review.user,
        "approvals": cleaned(&review.approvals)?,
        "digest": review.digest,
        "items": check::items(state),
        "choices": cleaned(&choices(state))?,
    }))
}

/// The decisions that have another answer, each with the answers that a revision can take.
fn choices(state: &State) -> Vec<Value> {
    let lang = state.inputs.doc_lang;
    let rows = (1..).zip(artifact::decide(state));
    let rows = rows.filter_map(|(n, row): (usize, _)| {
        let letters = ('a'..='z').zip(&row.answers);
        let letters = letters.filter(|(letter, _)| row.taken(*letter, lang).is_some());
        let answers: Vec<Value> = letters
            .map(|(letter, text)| json!({"take": format!("{n}={letter}"), "text": text}))
            .collect();
        let row = json!({"row": n, "what": row.what, "answers": answers});
        (!answers.is_empty()).then_some(row)
    });
    rows.collect()
}
