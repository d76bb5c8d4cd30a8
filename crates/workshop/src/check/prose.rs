//! Checks ids in running text: a reader who sees `AC-55` looks it up.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Findings, Rule};
use crate::clean::each_text;
use crate::machine::State;

pub(super) fn find(state: &State, findings: &mut Findings<'_>) {
    let given = given(state);
    let documents = state.documents.written.iter().map(|(kind, record)| {
        let content = serde_json::to_value(&record.content).unwrap_or_default();
        (kind.name(), content)
    });
    let words = state.documents.report.iter().map(|words| {
        let content = serde_json::to_value(words).unwrap_or_default();
        ("report", content)
    });
    for (about, mut content) in documents.chain(words) {
        let mut cited = BTreeSet::new();
        // Other rules check the fields that are meant for ids.
        each_text(&mut content, &mut |text| {
            if text.contains(char::is_whitespace) || !text.is_ascii() {
                cited.extend(unknown(text, &given));
            }
        });
        for id in cited {
            findings.add(Rule::UnknownIdInText, about, &[("cited", &id)]);
        }
    }
}

/// The largest number ever given to each kind of id that this line of versions uses.
fn given(state: &State) -> BTreeMap<String, u32> {
    let counters = &state.run.counters;
    let mut given = counters.documents.clone();
    given.extend(
        [
            ("I", counters.issue),
            ("C", counters.consensus),
            ("Q", counters.question),
            ("A", counters.assumption),
            ("F", counters.feedback),
            ("D", counters.debate),
        ]
        .map(|(prefix, last)| (prefix.to_owned(), last)),
    );
    // A letter that no id here uses is ignored: a plan may mention A-4 paper.
    given.retain(|_, last| *last > 0);
    given
}

/// Returns the ids in a text whose number was never assigned.
fn unknown(text: &str, given: &BTreeMap<String, u32>) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let words = text.split(|c: char| !is_part(c));
    let unknown = words.filter(|word| {
        let Some((prefix, number)) = word.split_once('-') else {
            return false;
        };
        let last = given.get(prefix);
        let number = number.parse::<u32>().ok();
        matches!((last, number), (Some(last), Some(number)) if number > *last)
    });
    unknown.map(str::to_owned).collect()
}
