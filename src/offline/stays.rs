//! What a text names only to say that it stays as it is, or that it is left out.

/// The text less what it says only stays as it is, or is left out: "without breaking the
/// login" and "with no billing" speak of both, and ask for nothing there.
pub fn less_what_stays(text: &str) -> String {
    const STAYS: [&str; 36] = [
        "without breaking ",
        "without touching ",
        "without affecting ",
        "without changing ",
        "without disturbing ",
        "must not break ",
        "must not change ",
        "must not touch ",
        "do not change ",
        "do not touch ",
        "don't change ",
        "don't touch ",
        "no changes to ",
        "不要改变",
        "不要改动",
        "不要修改",
        "不要改",
        "不动",
        "不影响",
        "不破坏",
        "不改变",
        "不得影响",
        "不能影响",
        "不要影响",
        // What is left out is no subject either.
        "without billing",
        "without payment",
        "without logging in",
        "without signing in",
        "without a login",
        "without an account",
        "无需登录",
        "不用登录",
        "不做",
        "不含",
        "不包括",
        "不包含",
    ];
    let ends = |c: char| ",.;，。；、！!\n".contains(c);
    let mut left = text.to_owned();
    for phrase in STAYS {
        while let Some(at) = left.to_ascii_lowercase().find(phrase) {
            let rest = &left[at..];
            let end = rest.find(ends).unwrap_or(rest.len());
            left.replace_range(at..at + end, "");
        }
    }
    less_what_is_ruled_out(&left)
}

/// Words behind "no" by which it is a rule ("no user may …"), or a promise ("no downtime"),
/// and nothing that is left out.
const RULES: [&str; 36] = [
    "may",
    "must",
    "can",
    "could",
    "shall",
    "should",
    "will",
    "would",
    "is",
    "are",
    "be",
    "was",
    "gets",
    "sees",
    "loses",
    "has",
    "more",
    "less",
    "later",
    "longer",
    "fewer",
    "one",
    "two",
    "downtime",
    "loss",
    "interruption",
    "outage",
    "duplicate",
    "duplicates",
    "error",
    "errors",
    "network",
    "internet",
    "connection",
    "signal",
    "matter",
];

/// Words that may stand before a "no" that opens a part of a sentence.
const BEFORE: [&str; 5] = ["and", "but", "with", "please", "there"];

/// Words before a verb that turn it round.
const NEGATIONS: [&str; 7] = [
    "do not ",
    "don't ",
    "does not ",
    "doesn't ",
    "never ",
    "must not ",
    "should not ",
];
/// What is not to be done there is no subject: nothing is said on how to do it well.
const DEEDS: [&str; 17] = [
    "send",
    "sign",
    "use",
    "support",
    "add",
    "log",
    "record",
    "track",
    "collect",
    "cache",
    "paginate",
    "introduce",
    "integrate",
    "print",
    "notify",
    "email",
    "mail",
];
/// The same in one word, in Chinese.
const HAN_DEEDS: [&str; 12] = [
    "不使用",
    "不采用",
    "不发送",
    "不发",
    "不支持",
    "不记录",
    "不分页",
    "不缓存",
    "不提供",
    "不接入",
    "不引入",
    "不推送",
];

/// The text less what stands behind a "no" that opens a part of it: "recovery codes; no SMS",
/// and behind what is not to be done: "never send push notifications".
fn less_what_is_ruled_out(text: &str) -> String {
    let is_end = |c: char| ",.;:，。；：、！!()\n".contains(c);
    let mut left = String::with_capacity(text.len());
    for part in text.split_inclusive(is_end) {
        left.push_str(match ruled_out(part).or_else(|| undone(part)) {
            Some(at) => &part[..at],
            None => part,
        });
    }
    left
}

/// Where in a part of a sentence begins what it rules out.
fn ruled_out(part: &str) -> Option<usize> {
    let at = part.to_ascii_lowercase().find("no ")?;
    let (before, behind) = part.split_at(at);
    let is_word = before.is_empty() || before.ends_with(char::is_whitespace);
    let opens = before
        .split_whitespace()
        .next_back()
        .is_none_or(|word| BEFORE.contains(&word.to_ascii_lowercase().as_str()));
    let words = || behind.split(|c: char| !c.is_alphanumeric() && c != '-');
    let is_rule = words().any(|word| RULES.contains(&word.to_ascii_lowercase().as_str()));
    (is_word && opens && !is_rule).then_some(at)
}

/// Where in a part of a sentence begins what is not to be done.
fn undone(part: &str) -> Option<usize> {
    if let Some(at) = HAN_DEEDS.iter().filter_map(|deed| part.find(deed)).min() {
        return Some(at);
    }
    let lower = part.to_ascii_lowercase();
    let negation = |word: &&str| Some((lower.find(*word)?, word.len()));
    let (at, length) = NEGATIONS.iter().filter_map(negation).min()?;
    let behind = &lower[at + length..];
    let mut words = behind.split(|c: char| !c.is_alphanumeric() && c != '-');
    let is_deed = words.next().is_some_and(|verb| DEEDS.contains(&verb));
    let is_word = lower[..at]
        .chars()
        .next_back()
        .is_none_or(char::is_whitespace);
    (is_word && is_deed && !words.any(|word| RULES.contains(&word))).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ruled_out_is_no_subject() {
        for (text, left) in [
            (
                "TOTP for staff; recovery codes; no SMS.",
                "TOTP for staff; recovery codes; ",
            ),
            (
                "A form with no billing, and a list",
                "A form with  and a list",
            ),
            ("No camera access.", ""),
            ("See it without logging in, by a link", "See it , by a link"),
            ("No CSV: use XLSX.", " use XLSX."),
            (
                "No user may see another's mail",
                "No user may see another's mail",
            ),
            ("It works with no network", "It works with no network"),
            ("Deploy with no downtime", "Deploy with no downtime"),
            ("Say yes or no to mail", "Say yes or no to mail"),
            ("Never send push notifications.", ""),
            ("A webhook, and do not sign the payload", "A webhook, and "),
            (
                "Never send more than one mail a day",
                "Never send more than one mail a day",
            ),
            ("商品列表不分页，一次显示全部", "商品列表一次显示全部"),
            ("a piano recital by mail", "a piano recital by mail"),
        ] {
            assert_eq!(less_what_stays(text), left);
        }
    }
}
