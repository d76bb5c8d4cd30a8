//! What is said of a diff as a whole, and how the values in it are worded.

use super::comparable::{WHOLE, is_word};
use super::diff::{Diff, UnwrittenGroups};
use crate::fault::{Text, texts};
use crate::machine::Lang;
use crate::words::name_or_key;

/// A note to show before the diff: that nothing changed, or that ids may differ.
pub fn note(diff: &Diff) -> Option<Text> {
    match (diff.is_empty(), diff.one_line) {
        (true, _) => Some(SAME),
        (false, false) => Some(TWO_LINES),
        (false, true) => None,
    }
}

/// What the diff leaves out because a plan has not written it yet, one sentence per plan.
pub fn uncompared(diff: &Diff, lang: Lang) -> Vec<String> {
    let sentence = |unwritten: &UnwrittenGroups| {
        let groups = unwritten.groups.iter();
        let groups: Vec<&str> = groups
            .map(|name| name_or_key("group", name, lang))
            .collect();
        let (n, groups) = (unwritten.version.to_string(), groups.join(LIST.of(lang)));
        UNWRITTEN.with(lang, &[("n", &n), ("groups", &groups)])
    };
    diff.unwritten.iter().map(sentence).collect()
}

/// The display form of a field's value: recorded enum values have display names.
pub fn worded<'t>(field: &str, text: &'t str, lang: Lang) -> &'t str {
    match is_word(field) || text == WHOLE {
        true => name_or_key("value", text, lang),
        false => text,
    }
}

texts! {
    SAME: "no change in meaning", "含义没有变化";
    TWO_LINES: "neither version revises the other: the same id may mean something else", "两个版本之间没有修订关系：同一编号可能指不同的内容";
    UNWRITTEN: "not compared, since v{n} has not written them yet: {groups}", "v{n} 尚未写出，因此没有比较：{groups}";
    LIST: ", ", "、";
}
