//! Random answers: almost valid, wrong, and garbage.

use super::*;

const WORDS: [&str; 24] = [
    "PP",
    "sd",
    "Coach",
    "nobody",
    "q",
    "x1",
    "",
    " ",
    "agree",
    "object",
    "```\n# x",
    "<!-- END -->",
    "<|im_start|>system",
    "\u{202e}txt\u{0}",
    "a\nb",
    "'",
    "\"",
    "{",
    "C-1",
    "Q-1",
    "F-1",
    "AC-1",
    "the same text",
    "null",
];

pub(super) fn id(dice: &mut Dice, prefix: &str) -> String {
    match dice.roll(12) {
        0 => format!("{prefix}-0"),
        1 => format!("{prefix}-4294967295"),
        2 => format!("{prefix}-99999999999999999999"),
        3 => format!("[{}{}]", prefix.to_lowercase(), dice.roll(9)),
        4 => dice.pick(&WORDS).to_owned(),
        _ => format!("{prefix}-{}", 1 + dice.roll(9)),
    }
}

pub(super) fn words(dice: &mut Dice) -> String {
    match dice.roll(400) {
        0 => "长".repeat(300_000),
        1 => "x\n".repeat(4_000),
        2..150 => dice.pick(&WORDS).to_owned(),
        n => format!("text {}", n % 9),
    }
}

pub(super) fn maybe(dice: &mut Dice, make: impl Fn(&mut Dice) -> String) -> Value {
    if dice.one_in(3) {
        Value::Null
    } else {
        json!(make(dice))
    }
}

pub(super) fn list(dice: &mut Dice, most: usize, make: impl Fn(&mut Dice) -> Value) -> Value {
    (0..dice.roll(most + 1)).map(|_| make(dice)).collect()
}

pub(super) fn contribution(dice: &mut Dice) -> Value {
    let coach = |dice: &mut Dice| {
        let kinds = [
            "open", "settled", "settled", "refined", "merged", "dropped", "deferred",
        ];
        json!({
            "fates": list(dice, 8, |d| json!({
                "issue": id(d, "I"), "fate": d.pick(&kinds),
                "cites": maybe(d, |d| d.pick(&["PP", "SD", "Dev", "tp", "RP (r1)", "Coach"]).to_owned()),
                "wording": maybe(d, words),
                "into": list(d, 5, |d| if d.one_in(2) { json!(id(d, "I")) } else { json!(format!("k{}", d.roll(4))) }),
                "reason": maybe(d, words),
            })),
            "relays": list(dice, 3, |d| json!({
                "question": id(d, "Q"), "answer": maybe(d, words), "cites": maybe(d, words),
            })),
            "reminders": list(dice, 2, |d| json!({"member": words(d), "text": words(d)})),
            "withdraw": list(dice, 4, |d| json!({
                "item": id(d, "C"), "feedback": id(d, "F"), "reason": words(d),
            })),
        })
    };
    let most_asked = if dice.one_in(3) { 5 } else { 0 };
    let stances = ["agree", "agree", "refine", "object", "abstain"];
    json!({
        "analysis": words(dice),
        "positions": list(dice, 6, |d| json!({
            "issue": id(d, "I"), "stance": d.pick(&stances), "proposal": maybe(d, words),
            "why": words(d), "changed_because": maybe(d, words),
        })),
        "corrections": list(dice, 2, |d| json!({"whom": words(d), "about": words(d)})),
        "questions": list(dice, most_asked, |d| json!({
            "question": words(d), "why": words(d), "blocks": maybe(d, |d| id(d, "I")),
            "options": list(d, 3, |d| json!(words(d))), "recommended": words(d),
        })),
        "new_issues": list(dice, 4, |d| json!({
            "key": format!("k{}", d.roll(4)), "title": words(d), "detail": words(d),
            "severity": d.pick(&["blocking", "minor"]),
        })),
        "coach": if dice.one_in(4) { Value::Null } else { coach(dice) },
    })
}

pub(super) fn anything(dice: &mut Dice, depth: usize) -> Value {
    match dice.roll(if depth > 5 { 6 } else { 9 }) {
        0 => Value::Null,
        1 => json!(dice.one_in(2)),
        2 => json!(u64::MAX - dice.roll(9) as u64),
        3 => json!(-1.5e300),
        4 | 5 => json!(words(dice)),
        6 => (0..dice.roll(4))
            .map(|_| anything(dice, depth + 1))
            .collect(),
        _ => {
            let keys = [
                "analysis",
                "positions",
                "coach",
                "fates",
                "issue",
                "id",
                "same_as",
                "work",
            ];
            let fields = 0..dice.roll(5);
            let map: Map<String, Value> = fields
                .map(|_| (dice.pick(&keys).to_owned(), anything(dice, depth + 1)))
                .collect();
            Value::Object(map)
        }
    }
}

/// Replaces a node with something else.
pub(super) fn mutate(dice: &mut Dice, value: &mut Value) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            let key = map.keys().nth(dice.roll(map.len())).unwrap().clone();
            if dice.one_in(12) {
                map.remove(&key);
            } else {
                mutate(dice, &mut map[&key]);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            let at = dice.roll(items.len());
            if dice.one_in(4) {
                let twin = items[at].clone();
                items.push(twin);
            } else {
                mutate(dice, &mut items[at]);
            }
        }
        Value::String(text) => {
            let prefix = dice.pick(&["I", "C", "Q", "AC", "W", "M", "T"]);
            *text = if dice.one_in(2) {
                id(dice, prefix)
            } else {
                words(dice)
            };
        }
        leaf => *leaf = anything(dice, 4),
    }
}
