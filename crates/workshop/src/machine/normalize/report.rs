//! The coach's words for the report: cited ids must exist, and the summary must be short.

use std::collections::BTreeSet;

use super::items::document_items;
use super::spelling::{ID_PREFIXES, REQUIREMENT, canonical_id, quoted, split_id};
use super::texts::TextNames;
use crate::fence::Fence;
use crate::ids::ConsensusId;
use crate::machine::{Note, SUMMARY_WORDS, State, words as count};
use crate::reply::{PlanText, ReportWords};

/// `about` of the note on a summary that is too long.
const LONG: &str = "in_short";

/// `about` of the notes on the plan as one text.
const PLAN: &str = "plan";

/// Returns why the words are requested again: the summary is too long, or the plan as one text is
/// missing (unless it may be), cites something that does not exist, or leaves out an agreed item.
pub(in crate::machine) fn put_back(notes: &[Note], may_lack_plan: bool) -> Option<String> {
    let long = |note: &&Note| note.about == LONG && note.text.contains("asked for");
    if let Some(note) = notes.iter().find(long) {
        return Some(format!("`in_short` has {}", note.text));
    }
    let plan = notes
        .iter()
        .filter(|note| note.about == PLAN && !may_lack_plan);
    let why: Vec<&str> = plan.map(|note| note.text.as_str()).collect();
    (!why.is_empty()).then(|| why.join("; "))
}

/// Returns the agreed items in force that a plan as one text does not cite.
pub fn untold(state: &State, plan: &PlanText) -> Vec<ConsensusId> {
    let mut told = BTreeSet::new();
    for part in plan.parts() {
        with_marks(part, |id| {
            told.insert(id.to_owned());
            true
        });
    }
    let standing = state.draft.standing().map(|item| item.id);
    standing
        .filter(|id| !told.contains(&id.to_string()))
        .collect()
}

/// Returns the text with only those citations that `stays` accepts. A citation is one or more ids
/// in square brackets. Brackets in code are not citations, and words that are not the engine's ids
/// stay.
fn with_marks(text: &str, mut stays: impl FnMut(&str) -> bool) -> String {
    const BETWEEN: [char; 5] = [',', ';', '，', '、', '；'];
    let mut marks = |group: &str| {
        let (ids, words): (Vec<&str>, Vec<&str>) = group
            .split(BETWEEN)
            .map(str::trim)
            .partition(|it| is_mark(it));
        let all = ids.len();
        let kept: Vec<&str> = ids.into_iter().filter(|id| stays(id)).collect();
        (kept.len() < all).then(|| [kept, words].concat().join(", "))
    };
    let mut fence = Fence::default();
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        if fence.holds(line) {
            out.push_str(rest);
            continue;
        }
        while let Some(at) = rest.find(['[', '`']) {
            let (before, from) = rest.split_at(at);
            out.push_str(before);
            let end = if from.starts_with('`') { '`' } else { ']' };
            let Some(length) = from[1..].find(end) else {
                // An opening sign without its closing one; a citation may still follow it.
                out.push_str(&from[..1]);
                rest = &from[1..];
                continue;
            };
            let (group, tail) = from.split_at(length + 2);
            let changed = (end == ']').then(|| marks(&group[1..=length])).flatten();
            match changed {
                None => out.push_str(group),
                Some(left) if left.is_empty() => out.truncate(out.trim_end_matches(' ').len()),
                Some(left) => out.push_str(&format!("[{left}]")),
            }
            rest = tail;
        }
        out.push_str(rest);
    }
    out
}

/// Returns whether the word is an id in the engine's spelling.
fn is_mark(word: &str) -> bool {
    let prefixes = || ID_PREFIXES.into_iter().chain(["D"]);
    split_id(word).is_some_and(|(prefix, _)| prefixes().any(|known| known == prefix))
}

/// Removes ids that do not exist from the coach's words, with a note for each. Words that are not
/// ids, such as the name of a component, stay.
pub fn normalize_report(state: &State, mut words: ReportWords) -> (ReportWords, Vec<Note>) {
    let known = ids(state);
    let names = TextNames::of(state);
    let mut notes = Vec::new();
    for text in [&mut words.title, &mut words.in_short] {
        *text = names.put(text);
    }
    let is_withdrawn = |id: &str| {
        let id = id.parse();
        id.is_ok_and(|id: ConsensusId| state.draft.is_withdrawn(id))
    };
    let plan = words.plan.take();
    let plan = plan.filter(|plan| state.writes_one_text() && plan.is_whole());
    let mut lost = BTreeSet::new();
    let plan = plan.map(|plan| {
        plan.map(|part| {
            with_marks(&names.put(&part), |id| {
                let stands = known.contains(id) && !is_withdrawn(id);
                if !stands {
                    lost.insert(id.to_owned());
                }
                stands
            })
        })
    });
    let listed = |ids: Vec<String>| ids.join(", ");
    if !lost.is_empty() {
        let lost = listed(lost.into_iter().collect());
        let text = format!("`plan` cites {lost}, which is not agreed; left out");
        notes.push(Note::new(PLAN, text));
    }
    match &plan {
        Some(plan) => {
            let untold = untold(state, plan);
            if !untold.is_empty() {
                let untold = listed(untold.iter().map(ToString::to_string).collect());
                let text = format!("`plan` cites nowhere {untold}, which was agreed");
                notes.push(Note::new(PLAN, text));
            }
        }
        None if state.writes_one_text() => {
            let text = "`plan` is missing, or its `behaviour`, `changes` or `order` is empty";
            notes.push(Note::new(PLAN, text.to_owned()));
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
                notes.push(Note::new("report", text));
            }
            exists
        });
    }
    for (text, field) in [(&words.title, "title"), (&words.in_short, "in_short")] {
        if text.trim().is_empty() {
            notes.push(Note::new(field, "the text is empty".to_owned()));
        }
    }
    let given = count(&words.in_short);
    if given > SUMMARY_WORDS {
        let text = format!("{given} words, where at most {SUMMARY_WORDS} were asked for");
        notes.push(Note::new(LONG, text));
    }
    (words, notes)
}

/// Returns every id assigned by this version or the previous one.
fn ids(state: &State) -> BTreeSet<String> {
    let documents = state.documents.written.values();
    let mut ids: BTreeSet<String> = BTreeSet::from([REQUIREMENT.to_owned()]);
    ids.extend(state.ledger.iter().map(|issue| issue.id.to_string()));
    ids.extend(state.draft.agreed().map(|item| item.id.to_string()));
    ids.extend(state.questions.asked.iter().map(|one| one.id.to_string()));
    ids.extend(state.sources());
    ids.extend(state.review.findings.iter().map(|one| one.id.to_string()));
    ids.extend(state.debates.held.iter().map(|one| one.id.to_string()));
    ids.extend(documents.flat_map(|record| {
        let items = document_items(&record.content);
        items
            .into_iter()
            .map(|item| item.id.to_owned())
            .collect::<Vec<_>>()
    }));
    ids
}
