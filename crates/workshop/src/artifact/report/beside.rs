//! What stands as it was and speaks of the same as a point of feedback.
//!
//! Whether it still holds is for a reader to say: words are compared here, and no
//! meaning. A point that is told as changed, while an old item says the contrary in the
//! same words, would otherwise be found by chance.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::lang::{is_han, terms};

/// Items by id, as JSON.
type Items = [(String, Value)];

/// Most ids that are named.
const MOST: usize = 6;
/// Fields that hold no words of an item's own.
const REFERENCES: [&str; 12] = [
    "id",
    "same_as",
    "covers",
    "from",
    "depends_on",
    "modules",
    "affects",
    "size",
    "level",
    "chance",
    "impact",
    "change",
];
/// Words that say that something is wanted otherwise, and not what.
const ASKING: [&str; 35] = [
    "add", "also", "and", "change", "drop", "for", "instead", "keep", "leave", "need", "not",
    "nothing", "only", "out", "remove", "should", "skip", "the", "too", "use", "want", "when",
    "with", "without", "may", "can", "must", "who", "more", "all", "any", "are", "than", "what",
    "which",
];

/// Ids of items that were in the version before, stand in the same words, and share at least
/// half of the words by which a point can be told from the rest of the plan, and no small
/// part of all its words.
pub(super) fn same_words(point: &str, before: &Items, now: &Items) -> Vec<String> {
    let old: BTreeMap<&str, String> = before
        .iter()
        .map(|(id, item)| (id.as_str(), own_words(item)))
        .collect();
    let standing: Vec<(&str, BTreeSet<String>)> = now
        .iter()
        .map(|(id, item)| (id.as_str(), own_words(item)))
        .filter(|(id, words)| old.get(id) == Some(words))
        .map(|(id, words)| (id, terms(&words)))
        .collect();
    // What nearly everything speaks of tells nothing.
    let common = (standing.len() / 4).max(4);
    let is_telling = |word: &String| {
        let holders = standing.iter().filter(|(_, words)| words.contains(word));
        (1..=common).contains(&holders.count())
    };
    let asking = terms(&ASKING.join(" "));
    let said: BTreeSet<String> = terms(point).difference(&asking).cloned().collect();
    // A pair of Han characters is often no word: of those fewer tell anything.
    let part = match point.contains(is_han) {
        true => 5,
        false => 3,
    };
    let told: BTreeSet<&String> = said.iter().filter(|word| is_telling(word)).collect();
    let shares = |words: &BTreeSet<String>| {
        let shared = told.iter().filter(|word| words.contains(**word)).count();
        shared > 0 && shared * 2 >= told.len() && shared * part >= said.len()
    };
    let alike = standing.iter().filter(|(_, words)| shares(words));
    alike.map(|(id, _)| (*id).to_owned()).take(MOST).collect()
}

/// All that an item says in words.
fn own_words(item: &Value) -> String {
    match item {
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let texts: Vec<String> = items.iter().map(own_words).collect();
            texts.join("\n")
        }
        Value::Object(map) => {
            let own = map
                .iter()
                .filter(|(key, _)| !REFERENCES.contains(&key.as_str()));
            let texts: Vec<String> = own.map(|(_, value)| own_words(value)).collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn items(work: &[(&str, &str)]) -> Vec<(String, Value)> {
        let item = |(id, title): &(&str, &str)| {
            let covers = json!(["AC-1"]);
            (
                (*id).to_owned(),
                json!({ "title": title, "covers": covers }),
            )
        };
        work.iter().map(item).collect()
    }

    #[test]
    fn what_stands_and_speaks_of_the_same_is_named() {
        let before = items(&[
            ("W-1", "Build: export orders as PDF"),
            ("W-2", "Build: send a reminder mail 3 days before"),
            ("W-3", "每天早上发送日报邮件"),
            ("W-4", "Write the permission table"),
        ]);
        let mut now = before.clone();
        now[1].1["covers"] = json!([]);
        now.push((
            "W-5".to_owned(),
            json!({ "title": "Leave out: Remove the reminder mail" }),
        ));
        let named = |point: &str| same_words(point, &before, &now);
        assert_eq!(named("Remove the reminder mail."), ["W-2"]);
        assert_eq!(named("Nobody needs the PDF."), ["W-1"]);
        assert_eq!(named("不需要日报了。"), ["W-3"]);
        assert!(named("Support staff may log in, too.").is_empty());
        // What was worded anew is no old item any more.
        now[1].1["title"] = json!("Build: send a reminder text 3 days before");
        assert!(same_words("Remove the reminder mail.", &before, &now).is_empty());
    }
}
