//! Comments, answers that can be taken, and approvals, as a part of a plan's page.

use serde_json::{Value, json};

use super::{Place, add, cleaned, frame, no_json, rendered, whole};
use crate::artifact::{self, Artifact};
use crate::check;
use crate::fault::Fault;
use crate::machine::{Lang, State};
use crate::thread::{Approval, Shown};

/// The review files next to a version.
#[derive(Debug, Default)]
pub struct Review {
    /// Its threads, in the order of the plan.
    pub threads: Vec<Shown>,
    /// Those of the versions it revises, the nearest version first.
    pub before: Vec<Shown>,
    /// How many of its threads a revision would take.
    pub waiting: usize,
    /// The reader of the page, by git: they may withdraw their own threads. None if unknown.
    pub user: Option<String>,
    /// Who approved it, or earlier bytes of it.
    pub approvals: Vec<Approval>,
    /// Digest of the version as it is.
    pub digest: String,
    /// Why none of it can be read; then the rest is empty.
    pub unread: Option<String>,
}

/// The part of the page, as it is put in anew when something was said.
///
/// # Errors
/// A part of it has no JSON form.
pub fn threads(state: &State, review: &Review, lang: Lang) -> Result<String, Fault> {
    let place = Place::Served(None);
    let mut context = frame(state, place, lang, "plan");
    add(&mut context, of(state, review, place)?);
    rendered("threads", &context)
}

/// The words of a plan, in its files and on its page as they are selected there. Letters and
/// digits alone: the signs between them are marks in one and are not seen in the other.
pub struct Wording(String);

impl Wording {
    /// Of a plan with the files that its transcript gives.
    ///
    /// # Errors
    /// The plan has no page.
    pub fn of(state: &State, files: &[Artifact]) -> Result<Self, Fault> {
        let texts = files
            .iter()
            .map(|file| String::from_utf8_lossy(&file.bytes));
        let mut parts: Vec<String> = texts.map(|text| letters(&text)).collect();
        for lang in [Lang::En, Lang::Zh] {
            let page = whole(state, files, None, Place::Served(None), lang)?;
            parts.push(letters(&seen(&page)));
        }
        Ok(Self(parts.join("\n")))
    }

    /// Returns whether the text holds these words, one after the other.
    pub fn has(&self, words: &str) -> bool {
        let words = letters(words);
        !words.is_empty() && self.0.contains(&words)
    }
}

fn letters(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// A page without its tags, with entities replaced.
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

/// Template values in addition to those of every page.
pub(super) fn of(state: &State, review: &Review, place: Place) -> Result<Value, Fault> {
    let json = |value: &Vec<Shown>| serde_json::to_value(value).map(cleaned).map_err(no_json);
    let approvals = serde_json::to_value(&review.approvals).map_err(no_json)?;
    Ok(json!({
        // Nobody says anything beside what cannot be read.
        "served": place != Place::File && review.unread.is_none(),
        "unread": review.unread,
        "threads": json(&review.threads)?,
        "earlier": json(&review.before)?,
        "waiting": review.waiting,
        "user": review.user,
        "approvals": cleaned(approvals),
        "digest": review.digest,
        "items": check::items(state),
        "choices": choices(state),
    }))
}

/// The rows of “What you decide” that have another answer, each with the answers that a
/// revision can take.
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
        (!answers.is_empty()).then(|| cleaned(row))
    });
    rows.collect()
}
