//! The coach's words for the report: what they cite exists, and the plan in short is short.

use std::collections::BTreeSet;

use super::items::document_items;
use super::spelling::{REQUIREMENT, canonical_id, quoted};
use super::texts::TextNames;
use crate::ids::ConsensusId;
use crate::machine::{DraftLine, Note, SUMMARY_WORDS, State, words as count};
use crate::reply::{PlanText, ReportWords};

/// What the note is about on words that are too many.
const LONG: &str = "in_short";

/// What the notes are about on the plan as one text.
const PLAN: &str = "plan";

/// Why the words are asked for once more: the plan in short is too long, the plan as one text
/// is missing (unless it may be), cites what is not there, or leaves out what was agreed.
pub(in crate::machine) fn put_back(notes: &[Note], may_lack_plan: bool) -> Option<String> {
    let long = |note: &&Note| note.about == LONG && note.text.contains("asked for");
    let long = notes.iter().find(long);
    let long = long.map(|note| format!("`in_short` has {}", note.text));
    let plan = notes
        .iter()
        .filter(|note| note.about == PLAN && !may_lack_plan);
    let plan = plan.map(|note| format!("`plan`: {}", note.text));
    let why: Vec<String> = long.into_iter().chain(plan).collect();
    (!why.is_empty()).then(|| why.join("; "))
}

/// Agreed items of this version that a plan as one text does not cite.
pub fn untold(state: &State, plan: &PlanText) -> Vec<ConsensusId> {
    let parts = plan.parts();
    let told: BTreeSet<&str> = parts
        .into_iter()
        .flat_map(|(_, part)| marks(part))
        .collect();
    let standing = state.draft.standing().map(|item| item.id);
    standing
        .filter(|id| !told.contains(id.to_string().as_str()))
        .collect()
}

/// The ids that a text cites: those that stand in square brackets with nothing but ids.
fn marks(text: &str) -> impl Iterator<Item = &str> {
    let groups = text.split('[').skip(1).filter_map(|rest| {
        let (group, _) = rest.split_once(']')?;
        let is_id = |id: &str| canonical_id(id).is_some_and(|it| it == id.trim());
        group.split(',').all(is_id).then_some(group)
    });
    groups.flat_map(|group| group.split(',').map(str::trim))
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
    let plan = words.plan.take();
    let plan = plan.filter(|plan| state.writes_one_text() && plan.is_whole());
    let plan = plan.map(|plan| {
        plan.map(|field, part| {
            let mut part = names.put(&part);
            let lost = marks(&part).filter(|id| !known.contains(*id));
            for id in lost.map(str::to_owned).collect::<BTreeSet<_>>() {
                let text = format!("{id} in `{field}` does not exist; left out");
                notes.push(note(PLAN, text));
                part = without_mark(&part, &id);
            }
            part
        })
    });
    match &plan {
        Some(plan) => {
            let untold = untold(state, plan);
            let untold: Vec<String> = untold.iter().map(ToString::to_string).collect();
            if !untold.is_empty() {
                let text = format!("no part cites {}, which was agreed", untold.join(", "));
                notes.push(note(PLAN, text));
            }
        }
        None if state.writes_one_text() => {
            let text = "it is missing, or `behaviour`, `changes` or `order` is empty";
            notes.push(note(PLAN, text.to_owned()));
        }
        None => {}
    }
    words.plan = plan;
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
                let text = format!("`about`: {} does not exist; left out", quoted(cited));
                notes.push(note("report", text));
            }
            exists
        });
    }
    for (text, field) in [(&words.title, "title"), (&words.in_short, "in_short")] {
        if text.trim().is_empty() {
            notes.push(note(field, "the text is empty".to_owned()));
        }
    }
    let given = count(&words.in_short);
    if given > SUMMARY_WORDS {
        let text = format!("{given} words, where at most {SUMMARY_WORDS} were asked for");
        notes.push(note(LONG, text));
    }
    (words, notes)
}

fn note(about: &str, text: String) -> Note {
    Note {
        about: about.to_owned(),
        text,
        said: None,
    }
}

/// The text without an id in its square brackets, and without those it leaves empty.
fn without_mark(text: &str, id: &str) -> String {
    let mut out = text.to_owned();
    for (mark, left) in [
        (format!(" [{id}]"), ""),
        (format!("[{id}]"), ""),
        (format!("[{id}, "), "["),
        (format!(", {id}]"), "]"),
        (format!(", {id},"), ","),
    ] {
        out = out.replace(&mark, left);
    }
    out
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
    ids.extend(state.evidence.iter().map(|one| one.id.to_string()));
    ids.extend(state.trials.all.iter().map(|one| one.id.to_string()));
    ids.extend(state.review.findings.iter().map(|one| one.id.to_string()));
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
