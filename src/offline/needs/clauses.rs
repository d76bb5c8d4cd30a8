//! Clauses: where in a sentence a second need begins.

use super::super::text::is_han;
use super::words::{
    HAN_ANEW, HAN_CONDITIONS, HAN_DEPENDENT, HAN_JOINS, HAN_MARKS, HAN_OPENINGS, HAN_RULES,
    HAN_TIMES, HAN_VERBS, MODALS, VERBS,
};
use crate::machine::only_keeps;

/// Cuts a sentence where a clause with its own verb begins.
pub fn clauses(sentence: &str) -> Vec<String> {
    let mut clauses = vec![String::new()];
    for piece in pieces(sentence) {
        let is_forbidden = |before: &String| HAN_FORBIDS.iter().any(|word| before.contains(word));
        // What is done stands apart from what must not be.
        let is_deed = does_something_in_han(&piece.text)
            && clauses.last().is_some_and(is_forbidden)
            && !is_forbidden(&piece.text);
        let starts_own = (stands_alone(&piece.text) || is_deed)
            && (piece.joint != Joint::Colon || forbids(&piece.text))
            && clauses.last().is_some_and(|before| is_whole(before))
            && !(piece.joint == Joint::And
                && (is_verb_pair(clauses.last(), &piece.text)
                    || shares_subject(clauses.last(), &piece.text)));
        match clauses.last_mut() {
            Some(last) if !starts_own => {
                last.push_str(&piece.glue);
                last.push_str(&piece.text);
            }
            _ => clauses.push(piece.text),
        }
    }
    clauses
}

/// How a piece is joined to the one before it.
#[derive(Clone, Copy, PartialEq)]
enum Joint {
    And,
    Comma,
    /// What stands behind it tells more of what stands before.
    Colon,
}

/// A piece of a sentence with the words that stood between it and the one before.
struct Piece {
    glue: String,
    text: String,
    joint: Joint,
}

/// Cuts at commas and "and", keeping what was cut out; brackets are not entered.
fn pieces(sentence: &str) -> Vec<Piece> {
    const JOINTS: [(&str, Joint); 11] = [
        (": ", Joint::Colon),
        (", and then ", Joint::Comma),
        (", and ", Joint::Comma),
        (", but ", Joint::Comma),
        (" and then ", Joint::And),
        (" and also ", Joint::And),
        (" and ", Joint::And),
        (", ", Joint::Comma),
        ("，", Joint::Comma),
        ("以及", Joint::Comma),
        ("并且", Joint::Comma),
    ];
    let mut pieces = Vec::new();
    let (mut start, mut depth, mut at) = (0, 0i32, 0);
    let (mut glue, mut joint) = ("", Joint::Comma);
    while let Some(c) = sentence[at..].chars().next() {
        match c {
            '(' | '（' | '[' | '"' if c != '"' => depth += 1,
            ')' | '）' | ']' => depth -= 1,
            _ => {}
        }
        let found = (depth <= 0)
            .then(|| {
                JOINTS
                    .iter()
                    .find(|(word, _)| sentence[at..].starts_with(word))
            })
            .flatten()
            .or_else(|| (depth <= 0 && is_han_comma(sentence, at)).then_some(&HAN_COMMA));
        let Some((word, kind)) = found else {
            at += c.len_utf8();
            continue;
        };
        let text = sentence[start..at].to_owned();
        pieces.push(Piece {
            glue: glue.to_owned(),
            text,
            joint: std::mem::replace(&mut joint, *kind),
        });
        glue = word;
        at += word.len();
        start = at;
    }
    pieces.push(Piece {
        glue: glue.to_owned(),
        text: sentence[start..].to_owned(),
        joint,
    });
    pieces
}

/// A comma of a Latin keyboard in a Chinese sentence.
const HAN_COMMA: (&str, Joint) = (",", Joint::Comma);

fn is_han_comma(sentence: &str, at: usize) -> bool {
    let (before, rest) = sentence.split_at(at);
    rest.strip_prefix(',')
        .is_some_and(|rest| before.ends_with(is_han) || rest.trim_start().starts_with(is_han))
}

/// Does a Chinese piece read as a clause of its own: one that opens with a verb, or that
/// has one, or a rule, amid words that hold a sentence together? A list of nouns has none.
fn stands_alone_in_han(piece: &str) -> bool {
    let opens = |words: &[&str]| words.iter().any(|word| piece.starts_with(word));
    let holds = |words: &[&str]| words.iter().any(|word| piece.contains(word));
    let letters = piece.chars().filter(|c| c.is_alphanumeric()).count();
    if opens(HAN_OPENINGS) {
        return letters >= 4;
    }
    letters >= 6
        && (!opens(HAN_DEPENDENT) || opens(HAN_ANEW))
        && !opens(HAN_CONDITIONS)
        && (holds(HAN_RULES) || (holds(HAN_VERBS) && holds(HAN_MARKS)))
}

/// By which a Chinese clause forbids.
const HAN_FORBIDS: [&str; 4] = ["不能", "不得", "不允许", "禁止"];

/// Is something done in a Chinese piece of some length, whatever it lacks to be a sentence?
pub fn does_something_in_han(piece: &str) -> bool {
    const DEEDS: [&str; 8] = [
        "去重", "返回", "完成", "处理", "退回", "计算", "提示", "报错",
    ];
    let piece = strip_joins(piece.trim());
    let opens = |words: &[&str]| words.iter().any(|word| piece.starts_with(word));
    let holds = |words: &[&str]| words.iter().any(|word| piece.contains(word));
    piece.chars().filter(|c| is_han(*c)).count() >= 6
        && !opens(HAN_DEPENDENT)
        && !opens(HAN_CONDITIONS)
        && (holds(HAN_VERBS) || holds(&DEEDS))
}

/// Does the piece read as a clause of its own?
pub fn stands_alone(piece: &str) -> bool {
    let piece = strip_joins(piece.trim());
    // It limits the whole work, and is no part of the clause before.
    if only_keeps(piece) {
        return true;
    }
    if piece.contains(is_han) {
        return stands_alone_in_han(piece);
    }
    let words: Vec<String> = words(piece);
    let opens = words.iter().find(|word| {
        !matches!(
            word.as_str(),
            "also" | "then" | "please" | "always" | "never" | "automatically"
        )
    });
    words.len() >= 3
        && !goes_on_in_passive(&words)
        && !is_noun_here(&words)
        && (opens.is_some_and(|word| VERBS.contains(&word.as_str()))
            || words
                .iter()
                .skip(1)
                .take(4)
                .any(|word| MODALS.contains(&word.as_str())))
        && !is_dependent(&words)
}

/// "Visitors must never reach the settings": a rule of its own, or what it details would be
/// forbidden with it.
pub fn forbids(piece: &str) -> bool {
    let words = words(piece);
    let not = |word: &str| matches!(word, "not" | "never");
    words
        .windows(2)
        .any(|pair| MODALS.contains(&pair[0].as_str()) && not(&pair[1]))
        || words.iter().any(|word| word == "cannot")
}

/// Words that open a clause which another one holds.
const DEPENDENT: [&str; 10] = [
    "which", "that", "who", "where", "what", "so", "because", "if", "when", "unless",
];

/// "… are retried and then parked where an operator can see them": the subject stands before.
fn goes_on_in_passive(words: &[String]) -> bool {
    const LINKS: [&str; 14] = [
        "where", "when", "by", "with", "to", "in", "on", "at", "until", "after", "for", "from",
        "as", "into",
    ];
    let [deed, link, ..] = words else {
        return false;
    };
    deed.len() > 4 && deed.ends_with("ed") && LINKS.contains(&link.as_str())
}

/// "(usage per month and) group goes to accounting": what else would be a verb is a thing that
/// does something.
fn is_noun_here(words: &[String]) -> bool {
    const FOLLOWS: [&str; 9] = [
        "goes", "gets", "comes", "is", "are", "has", "stays", "of", "per",
    ];
    words
        .get(1)
        .is_some_and(|word| FOLLOWS.contains(&word.as_str()))
        && VERBS.contains(&words[0].as_str())
}

/// Is it a clause that another one holds: "if …", "during which the user can cancel it"?
fn is_dependent(words: &[String]) -> bool {
    let is_among = |at: usize, list: &[&str]| words.get(at).is_some_and(|w| list.contains(&&**w));
    is_among(0, &DEPENDENT) || is_among(1, &["which", "whom", "whose"])
}

/// Does half a sentence of some length set a rule, however late: "an invitation is valid for
/// seven days and can be revoked"?
pub fn holds_rule(piece: &str) -> bool {
    let words = words(piece);
    words.len() >= 6
        && !is_dependent(&words)
        && words.iter().any(|word| MODALS.contains(&word.as_str()))
}

/// "In the mobile app", "On the order page": a place or a time, and nothing that is done there.
fn is_place(words: &[String]) -> bool {
    const OPENINGS: [&str; 8] = ["in", "on", "at", "during", "before", "from", "with", "as"];
    words
        .first()
        .is_some_and(|word| OPENINGS.contains(&word.as_str()))
        && !words.iter().any(|word| VERBS.contains(&word.as_str()))
}

/// Is what stands before large enough to be a need?
fn is_whole(before: &str) -> bool {
    let han = before.chars().filter(|c| is_han(*c)).count();
    let conditional = [
        "when ",
        "if ",
        "while ",
        "after ",
        "once ",
        "as soon as ",
        "for ",
        "to ",
        "in order ",
    ];
    let start = before.trim().to_lowercase();
    let opens_condition = conditional.iter().any(|word| start.starts_with(word))
        || HAN_CONDITIONS.iter().any(|word| start.starts_with(word))
        || HAN_TIMES.iter().any(|word| start.ends_with(word));
    let words = words(before);
    (han >= 4 || words.len() >= 3) && !opens_condition && !is_place(&words)
}

/// "search and filter products": the verb before "and" has no object of its own yet.
fn is_verb_pair(before: Option<&String>, piece: &str) -> bool {
    let last = before
        .map(|text| words(text))
        .and_then(|words| words.last().cloned());
    let first = words(piece).first().cloned();
    matches!((last, first), (Some(last), Some(first))
        if VERBS.contains(&last.as_str()) && VERBS.contains(&first.as_str()))
}

/// "Staff can look up a card and block it": the second verb has the subject of the first.
fn shares_subject(before: Option<&String>, piece: &str) -> bool {
    let before = before.map(|text| words(text)).unwrap_or_default();
    let has_subject = before
        .iter()
        .skip(1)
        .take(3)
        .any(|word| MODALS.contains(&word.as_str()));
    let first = words(piece).into_iter().next();
    has_subject && first.is_some_and(|word| VERBS.contains(&word.as_str()))
}

/// Words in lower case; Han runs are left out.
pub fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '\'' || c == '-') || is_han(c))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Takes off a word that joins two Chinese clauses.
pub fn strip_joins(text: &str) -> &str {
    HAN_JOINS
        .iter()
        .find_map(|join| text.strip_prefix(join))
        .map_or(text, |rest| rest.trim_start_matches(['，', ' ']))
}
