//! Who alone may do something: how a point of feedback alters such a rule, or lifts it.

use std::collections::BTreeSet;

use super::text::{Matcher, is_han, stems, terms};

/// Words by which a need says that it holds for nobody else.
const EXCLUSIVE: [&str; 8] = [
    "only",
    "nobody but",
    "no one but",
    "none but",
    "只有",
    "只允许",
    "只能",
    "仅",
];
/// Words by which a text says who may do something.
const PERMITS: [&str; 11] = [
    "let",
    "让",
    "may",
    "can",
    "allowed",
    "permitted",
    "可以",
    "允许",
    "能",
    "才可",
    "有权",
];
/// Those of them behind which somebody is named before what they may do.
const LETS: [&str; 2] = ["let", "让"];
/// Words by which somebody joins those who may already.
const JOINS: [&str; 6] = ["too", "also", "as well", "也", "同样", "一并"];

/// Words behind which stands what somebody may do, in Chinese and English.
const DOES: [&str; 5] = [" may ", " can ", "可以", "才能", "能"];
/// Words for whoever there is.
const ANYBODY: [&str; 13] = [
    "everybody",
    "everyone",
    "anybody",
    "anyone",
    "all users",
    "every user",
    "any user",
    "所有人",
    "任何人",
    "每个人",
    "人人",
    "大家",
    "所有用户",
];

/// How a need that says who alone may do something reads after feedback that names somebody
/// else for the same thing: both together where the feedback joins them, else the feedback.
pub fn altered_rule(need: &str, feedback: &str) -> Option<String> {
    if !is_about(need, feedback) || lifts_rule(need, feedback) {
        return None;
    }
    let bare = |text: &str| text.trim_end_matches(['.', '。', ';', '；']).to_owned();
    Some(match joins(feedback) {
        true if need.chars().any(is_han) => format!("{}；{}", bare(need), bare(feedback)),
        true => format!("{}; {}", bare(need), bare(feedback)),
        false => bare(feedback),
    })
}

/// Does feedback let everybody do what a need says that only some may? Who says more of them
/// ("everyone in sales may export") makes another rule.
pub fn lifts_rule(need: &str, feedback: &str) -> bool {
    let beside = [ANYBODY.join(" "), PERMITS.join(" "), need.to_owned()].join(" ");
    is_about(need, feedback)
        && has(feedback, &ANYBODY)
        && !has(feedback, &EXCLUSIVE)
        && !joins(feedback)
        && names_nothing_but(feedback, &terms(&beside))
}

/// Does a text say that something comes beside what is there?
pub fn joins(text: &str) -> bool {
    has(text, &JOINS)
}

fn has(text: &str, words: &[&str]) -> bool {
    let text = Matcher::new(text);
    words.iter().any(|word| text.has(word))
}

/// Has a text no telling word but these? Pairs of Chinese characters that reach from one word
/// into the next tell nothing.
fn names_nothing_but(text: &str, known: &BTreeSet<String>) -> bool {
    let mut text = text.to_owned();
    for word in known.iter().filter(|word| word.contains(is_han)) {
        text = text.replace(word.as_str(), "\n");
    }
    terms(&text).is_subset(known)
}

/// Does feedback say who may do what a need says that only some may?
fn is_about(need: &str, feedback: &str) -> bool {
    let is_same = !terms(need).is_disjoint(&terms(feedback));
    is_same && has(need, &EXCLUSIVE) && has(feedback, &PERMITS) && is_same_act(need, feedback)
}

/// Is what feedback lets somebody do what the need is about? "Orders can be exported" says
/// what is done with them, and "admins can also see the log" is about something else.
fn is_same_act(need: &str, feedback: &str) -> bool {
    let lower = feedback.to_lowercase();
    let behind = DOES
        .iter()
        .find_map(|word| Some(lower.split_once(word)?.1.trim()));
    let Some(act) = behind else {
        // "Let managers export": where the act begins is not told, but it ends there.
        return !has(feedback, &LETS) || last(feedback) == last(need);
    };
    let (said, known) = (terms(act), terms(need));
    let shared = said.intersection(&known).count();
    let is_new = |word: &String| !word.contains(is_han) && !known.contains(word);
    let names_new = act.contains(is_han) && said.iter().any(is_new);
    !act.starts_with("be ") && shared > 0 && shared * 2 >= said.len() && !names_new
}

/// The last telling word of a text, or pair of Chinese characters.
fn last(text: &str) -> Option<String> {
    let bare = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    if bare.ends_with(is_han) {
        let start = bare.char_indices().rev().nth(1)?.0;
        return Some(bare[start..].to_owned());
    }
    let told = terms(
        &JOINS
            .iter()
            .fold(bare.to_lowercase(), |text, word| text.replace(word, " ")),
    );
    stems(bare)
        .into_iter()
        .rev()
        .find(|word| told.contains(word))
}
