//! Tools the tests share.

pub mod binary;
pub mod by_hand;
pub mod divided;
pub mod fake;
pub mod fault;
pub mod meeting;
pub mod normal;
#[cfg(unix)]
pub mod programs;
pub mod run;
pub mod sample;
pub mod schemas;
pub mod search;
pub mod states;
pub mod tap;
pub mod team;
#[cfg(unix)]
pub mod terminal;

/// What is said in tests, in Chinese; `chinese.jsonl` has a line for each.
pub fn chinese(english: &str) -> &'static str {
    use std::{collections::BTreeMap, sync::LazyLock};
    static WORDS: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
        let lines = include_str!("chinese.jsonl").lines();
        let pairs = lines.map(|line| serde_json::from_str(line).unwrap());
        pairs.collect()
    });
    let found = WORDS.get(english);
    found.unwrap_or_else(|| panic!("no Chinese for `{english}`"))
}
