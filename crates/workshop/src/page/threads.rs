//! Comments, answers that can be taken, and approvals, as a part of a plan's page.

use serde_json::{Value, json};

use super::{Place, add, cleaned, frame, no_json, rendered};
use crate::artifact;
use crate::check;
use crate::fault::Fault;
use crate::machine::{Lang, State};
use crate::thread::{Approval, Shown};

/// What lies beside a version for its review.
#[derive(Debug, Default)]
pub struct Review {
    /// Its threads, in the order of the plan.
    pub threads: Vec<Shown>,
    /// Those of the versions it revises, the nearest version first.
    pub before: Vec<Shown>,
    /// How many of its threads a revision would take.
    pub waiting: usize,
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

/// What the template is given beside what every page has.
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
