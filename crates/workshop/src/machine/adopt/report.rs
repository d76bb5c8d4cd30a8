//! The coach's words for the report: what they cite exists, and the plan in short is short.

use std::collections::BTreeSet;

use super::items::document_items;
use super::spelling::{REQUIREMENT, canonical_id, quoted};
use super::texts::TextNames;
use crate::machine::{DraftLine, Note, SUMMARY_WORDS, State, words as count};
use crate::reply::ReportWords;

/// What the note is about on words that are too many.
const LONG: &str = "in_short";

/// Why the words are asked for once more: the plan in short is too long.
pub(in crate::machine) fn too_long(notes: &[Note]) -> Option<String> {
    let long = |note: &&Note| note.about == LONG && note.text.contains("asked for");
    let note = notes.iter().find(long)?;
    Some(format!("`in_short` has {}", note.text))
}

/// Leaves out of the coach's words the ids that do not exist, each with a note. Words that
/// are no id, such as the name of a part, stay.
pub fn adopt_report(state: &State, mut words: ReportWords) -> (ReportWords, Vec<Note>) {
    let known = ids(state);
    let names = TextNames::of(state);
    let mut notes = Vec::new();
    for text in [&mut words.title, &mut words.in_short] {
        *text = names.put(text);
    }
    for choice in &mut words.decide {
        for text in [
            &mut choice.what,
            &mut choice.recommended,
            &mut choice.otherwise,
        ] {
            *text = names.put(text);
        }
        choice.about.retain(|cited| {
            let exists = canonical_id(cited).is_none_or(|id| known.contains(&id));
            if !exists {
                notes.push(Note {
                    about: "report".to_owned(),
                    text: format!("`about`: {} does not exist; left out", quoted(cited)),
                    said: None,
                });
            }
            exists
        });
    }
    for (text, field) in [(&words.title, "title"), (&words.in_short, "in_short")] {
        if text.trim().is_empty() {
            notes.push(Note {
                about: field.to_owned(),
                text: "the text is empty".to_owned(),
                said: None,
            });
        }
    }
    let given = count(&words.in_short);
    if given > SUMMARY_WORDS {
        notes.push(Note {
            about: LONG.to_owned(),
            text: format!("{given} words, where at most {SUMMARY_WORDS} were asked for"),
            said: None,
        });
    }
    (words, notes)
}

/// Every id that this version or the one before it gave.
fn ids(state: &State) -> BTreeSet<String> {
    let consensus = state.draft.lines().iter().filter_map(|line| match line {
        DraftLine::Agreed { item } => Some(item.id),
        _ => None,
    });
    let documents = state.documents.values();
    let mut ids: BTreeSet<String> = BTreeSet::from([REQUIREMENT.to_owned()]);
    ids.extend(state.ledger.iter().map(|issue| issue.id.to_string()));
    ids.extend(consensus.map(|id| id.to_string()));
    ids.extend(state.questions.iter().map(|one| one.id.to_string()));
    ids.extend(state.assumptions.iter().map(|one| one.id.to_string()));
    ids.extend(state.feedback.iter().map(|one| one.id.to_string()));
    ids.extend(state.debates.iter().map(|one| one.id.to_string()));
    ids.extend(documents.flat_map(|record| {
        let items = document_items(&record.content);
        items
            .into_iter()
            .map(|item| item.id.to_owned())
            .collect::<Vec<_>>()
    }));
    ids
}
