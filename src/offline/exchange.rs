//! What a point of feedback puts in the place of something else ("SMS instead of mail",
//! “用短信代替邮件”), and how a need reads after it.

use super::text::{holds_together, in_one_name, is_han, spellings, stems, terms};

/// One thing in the place of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// What no longer holds.
    out: String,
    /// What comes in its place.
    put: String,
    /// Does the point itself say that the one stands for the other? "Drop the mail and add a
    /// log" names two things that need not be of one kind.
    pub is_said: bool,
}

/// Words of a name, at most: a longer one is half a sentence.
const MAX_WORDS: usize = 3;
/// Characters of a Chinese name, at most.
const MAX_HAN: usize = 8;

/// What stands between the new and the old.
#[rustfmt::skip]
const FOR: [&str; 5] = [
    " instead of ", " rather than ", " in place of ", ", not ", " and not ",
];
/// Words that open a point which names the old first, with what stands before the new.
const TURNED: [(&str, &[&str]); 4] = [
    ("replace ", &[" by ", " with "]),
    ("swap ", &[" for "]),
    ("exchange ", &[" for "]),
    ("switch from ", &[" to "]),
];
/// Words that open a point which takes out the old.
const DROPS: [&str; 6] = ["drop ", "remove ", "skip ", "no ", "without ", "leave out "];
/// What then opens the new.
#[rustfmt::skip]
const ADDS: [&str; 8] = [
    " and add ", " and use ", " and send ", ": use ", ", use ", ", add ", ", send ", "; use ",
];
/// Verbs by which the new is asked for.
#[rustfmt::skip]
const ASKS: [&str; 12] = [
    "please", "use", "send", "add", "build", "offer", "show", "have", "make", "give", "write", "take",
];
const ARTICLES: [&str; 5] = ["a", "an", "the", "some", "any"];
#[rustfmt::skip]
const PREPOSITIONS: [&str; 9] = [
    "by", "with", "via", "as", "in", "on", "at", "through", "without",
];
/// Words that end a name.
#[rustfmt::skip]
const ENDS: [&str; 14] = [
    "when", "if", "to", "for", "of", "from", "after", "before", "while", "because", "where", "that", "once", "until",
];
/// Words that say no more of a thing than what it is: "the mail notification".
#[rustfmt::skip]
const KINDS: [&str; 15] = [
    "notification", "notifications", "message", "messages", "export", "file", "files", "format", "reminder", "通知", "消息", "导出", "文件", "格式", "提醒",
];

impl Exchange {
    /// What a point exchanges; none where it says no two names for it.
    pub fn of(point: &str) -> Option<Self> {
        let point = point.trim().trim_end_matches(['.', '。', '!', '！']);
        match point.contains(is_han) {
            true => in_chinese(point),
            false => in_english(point),
        }
    }

    /// How a need reads after it; none where it does not name the old as a thing of its own, or
    /// names the new already.
    pub fn reads(&self, need: &str) -> Option<String> {
        let named = terms(&self.put);
        if !named.is_empty() && named.is_subset(&terms(need)) {
            return None;
        }
        match need.contains(is_han) {
            true => self.reads_in_chinese(need),
            false => self.reads_in_english(need),
        }
    }

    /// The old and the new.
    pub fn sides(&self) -> (&str, &str) {
        (&self.out, &self.put)
    }

    fn new(out: &str, put: &str, is_said: bool) -> Option<Self> {
        let is_kind = |name: &str| KINDS.contains(&name.to_lowercase().as_str());
        let is_name = |name: &str| !name.is_empty() && !is_kind(name) && !terms(name).is_empty();
        let is_short = |name: &str| match name.contains(is_han) {
            true => name.chars().count() <= MAX_HAN,
            false => name.split_whitespace().count() <= MAX_WORDS + 1,
        };
        let (out, put) = less_kind(out.trim(), put.trim());
        let is_fit = is_name(out) && is_name(put) && is_short(out) && is_short(put);
        (is_fit && terms(out) != terms(put)).then(|| Self {
            out: out.to_owned(),
            put: put.to_owned(),
            is_said,
        })
    }

    fn reads_in_english(&self, need: &str) -> Option<String> {
        let wanted: Vec<&str> = self.out.split_whitespace().collect();
        let words = words_at(need);
        let is_run = |at: usize| {
            let run = words.get(at..at + wanted.len());
            run.is_some_and(|run| {
                let mut pairs = run.iter().zip(&wanted);
                pairs.all(|((_, word), wanted)| is_word(word, wanted))
                    && ends_name(need, &words, at + wanted.len())
            })
        };
        // The first word of a need is what is done.
        let at = (1..words.len()).find(|at| is_run(*at))?;
        let last = at + wanted.len() - 1;
        let end = words[last].0 + words[last].1.len();
        let (before, article) = words[at - 1];
        let (start, put) = match article.to_lowercase().as_str() {
            "a" | "an" => (before, with_article(&self.put)),
            _ => (words[at].0, less_article(&self.put).to_owned()),
        };
        Some(format!("{}{put}{}", &need[..start], &need[end..]))
    }

    fn reads_in_chinese(&self, need: &str) -> Option<String> {
        let need = in_one_name(need);
        let out = in_one_name(&self.out);
        let at = need.find(&out).filter(|at| *at > 0)?;
        let (before, behind) = (&need[..at], &need[at + out.len()..]);
        let next = behind.trim_start().chars().next();
        let is_end = next.is_none_or(|c| !c.is_alphanumeric() || holds_together(c));
        let is_kind = KINDS
            .iter()
            .any(|kind| behind.trim_start().starts_with(kind));
        let touches = before.ends_with(|c: char| c.is_ascii_alphanumeric())
            && out.starts_with(|c: char| c.is_ascii_alphanumeric());
        ((is_end || is_kind) && !touches).then(|| format!("{before}{}{behind}", self.put))
    }
}

fn in_english(point: &str) -> Option<Exchange> {
    let lower = point.to_ascii_lowercase();
    let from = |at: usize| &point[at..];
    let polite = lower.strip_prefix("please ").unwrap_or(&lower);
    let point = from(lower.len() - polite.len());
    for (opening, joints) in TURNED {
        if let Some(rest) = polite.strip_prefix(opening) {
            let cut = |joint: &&str| Some((rest.find(*joint)?, joint.len()));
            let (at, length) = joints.iter().filter_map(cut).min()?;
            let rest = &point[opening.len()..];
            return Exchange::new(name(&rest[..at]), asked(&rest[at + length..]), true);
        }
    }
    if let Some(rest) = polite.strip_prefix("instead of ") {
        let at = rest.find(", ")?;
        let rest = &point["instead of ".len()..];
        return Exchange::new(name(&rest[..at]), asked(&rest[at + 2..]), true);
    }
    for joint in FOR {
        if let Some(at) = polite.find(joint) {
            return sides(&point[..at], &point[at + joint.len()..]);
        }
    }
    let opening = DROPS.iter().find(|opening| polite.starts_with(**opening))?;
    let cut = |joint: &&str| Some((polite.find(*joint)?, joint.len()));
    let (at, length) = ADDS.iter().filter_map(cut).min()?;
    let is_said = opening == &"no ";
    Exchange::new(
        name(point.get(opening.len()..at)?),
        asked(&point[at + length..]),
        is_said,
    )
}

/// The new and the old, as "by SMS" and "by mail", or as "SMS" and "mail".
fn sides(put: &str, out: &str) -> Option<Exchange> {
    let words: Vec<&str> = out.split_whitespace().collect();
    let is_led = |word: &str| PREPOSITIONS.contains(&word.to_lowercase().as_str());
    let is_doing = words.first()?.ends_with("ing") || words.last()?.ends_with("ly");
    let new = words_at(put);
    let lead = new.iter().rposition(|(_, word)| is_led(word));
    if is_doing {
        return None;
    }
    match (is_led(words[0]), lead) {
        (true, Some(lead)) => {
            let of_new = new[lead].1.to_lowercase();
            let of_old = words[0].to_lowercase();
            match of_new == of_old {
                true => Exchange::new(
                    name(&words[1..].join(" ")),
                    name(&put[new[lead + 1..].first()?.0..]),
                    true,
                ),
                false => Exchange::new(until_end(out), &put[new[lead].0..], true),
            }
        }
        (true, None) => None,
        (false, Some(lead)) => {
            let after = new.get(lead + 1)?.0;
            Exchange::new(name(out), name(&put[after..]), true)
        }
        (false, None) => Exchange::new(name(out), asked(put), true),
    }
}

fn in_chinese(point: &str) -> Option<Exchange> {
    let point = point.strip_prefix('请').unwrap_or(point);
    let behind = |text: &str, leads: &[&str]| -> Option<String> {
        let lead = leads.iter().find(|lead| text.starts_with(**lead))?;
        Some(text[lead.len()..].to_owned())
    };
    // “用短信代替邮件”
    for joint in ["来代替", "代替", "取代", "而不是", "而非"] {
        if let Some((put, out)) = point.split_once(joint) {
            let put = behind(put, &["改用", "使用", "用", "以", "发"])?;
            return Exchange::new(han_name(out), han_name(&put), true);
        }
    }
    // “把邮件换成短信”
    for joint in ["替换成", "替换为", "换成", "换为"] {
        if let Some((out, put)) = point.split_once(joint) {
            let out = behind(out, &["把", "将"])?;
            return Exchange::new(han_name(&out), han_name(put), true);
        }
    }
    // “不要邮件，改用短信”
    let drops = ["不要", "不用", "去掉", "取消", "删掉", "不需要", "不再用"];
    let (out, put) = point.split_once(['，', ','])?;
    let out = behind(out, &drops)?;
    let says = behind(put, &["改用", "改为", "改成", "换成", "而用"]);
    let is_said = says.is_some();
    let put = says.or_else(|| behind(put, &["增加", "添加", "加上", "加", "用"]))?;
    Exchange::new(han_name(&out), han_name(&put), is_said)
}

/// A Chinese name without what only leads to it or ends the sentence.
fn han_name(text: &str) -> &str {
    let mut text = text.trim();
    for lead in ["发送", "发", "使用", "用", "一条", "一个", "一封"] {
        text = text.strip_prefix(lead).unwrap_or(text);
    }
    text.trim_end_matches(['吧', '了', '的', '。'])
}

/// A name without the verb that asks for it.
fn asked(text: &str) -> &str {
    let mut text = text.trim();
    while let Some((word, rest)) = text.split_once(' ') {
        if !ASKS.contains(&word.to_lowercase().as_str()) {
            break;
        }
        text = rest.trim_start();
    }
    until_end(text).trim_end_matches([',', ';'])
}

/// A name without its article and a preposition before it, up to where it ends.
fn name(text: &str) -> &str {
    let mut text = less_article(text.trim());
    if let Some((word, rest)) = text.split_once(' ')
        && PREPOSITIONS.contains(&word.to_lowercase().as_str())
    {
        text = rest;
    }
    less_article(until_end(text))
}

fn until_end(text: &str) -> &str {
    let is_end = |word: &str| ENDS.contains(&word.to_lowercase().as_str());
    let words = words_at(text);
    let at = words.iter().find(|(_, word)| is_end(word));
    let text = at.map_or(text, |(at, _)| &text[..*at]);
    let end = text.find([',', ';', '.', ':', '(']).unwrap_or(text.len());
    text[..end].trim()
}

fn less_article(text: &str) -> &str {
    match text.split_once(' ') {
        Some((word, rest)) if ARTICLES.contains(&word.to_lowercase().as_str()) => rest.trim_start(),
        _ => text,
    }
}

/// A name as it stands where the old one had "a" before it.
fn with_article(name: &str) -> String {
    let bare = less_article(name);
    let last = bare.rsplit(' ').next().unwrap_or(bare);
    let is_many = last.ends_with('s') && !last.ends_with("ss") && last.to_lowercase() == last;
    if is_many {
        return bare.to_owned();
    }
    let first = bare.split(' ').next().unwrap_or(bare);
    // Letters that are spelled out begin as they are said: an SMS, a USB.
    let is_spelled = first.len() > 1 && first.chars().all(|c| c.is_ascii_uppercase());
    let vowels = if is_spelled {
        "AEFHILMNORSX"
    } else {
        "AEIOaeio"
    };
    let article = match first.starts_with(|c| vowels.contains(c)) {
        true => "an",
        false => "a",
    };
    format!("{article} {bare}")
}

/// Both names without the word for their kind that ends the old one.
fn less_kind<'t>(out: &'t str, put: &'t str) -> (&'t str, &'t str) {
    let less = |name: &'t str| {
        let cut = |kind: &&str| name.strip_suffix(*kind).map(str::trim_end);
        let cut = KINDS.iter().find_map(cut);
        cut.filter(|rest| !rest.is_empty() && (name.contains(is_han) || name.contains(' ')))
    };
    match less(out) {
        Some(short) => (short, less(put).unwrap_or(put)),
        None => (out, put),
    }
}

/// The words of a text, each with where it begins.
fn words_at(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        let is_in = c.is_alphanumeric() || c == '-' || c == '\'';
        match (is_in, start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                found.push((from, &text[from..at]));
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// Are two words the same, however they are written?
fn is_word(word: &str, wanted: &str) -> bool {
    let (word, wanted) = (stems(word), stems(wanted));
    let is_same = |one: &String, other: &String| {
        one == other
            || spellings(other).any(|way| way == one)
            || spellings(one).any(|way| way == other)
    };
    word.len() == wanted.len() && word.iter().zip(&wanted).all(|(a, b)| is_same(a, b))
}

/// Does a name end before this word, or go on with a word for its kind alone? "The mail
/// address" is no mail.
fn ends_name(text: &str, words: &[(usize, &str)], at: usize) -> bool {
    let Some((next, word)) = words.get(at) else {
        return true;
    };
    let (last, length) = (words[at - 1].0, words[at - 1].1.len());
    let word = word.to_lowercase();
    text[last + length..*next].contains([',', ';', '.', ':', '('])
        || [ARTICLES.as_slice(), &PREPOSITIONS, &ENDS, &KINDS]
            .iter()
            .any(|set| set.contains(&&*word))
        || [
            "and", "or", "every", "each", "is", "are", "must", "may", "can",
        ]
        .contains(&&*word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads(need: &str, point: &str) -> Option<String> {
        Exchange::of(point)?.reads(need)
    }

    const SEND: &str = "Send a mail when the export is finished";

    #[test]
    fn a_need_reads_as_exchanged() {
        for (need, point, reading) in [
            (
                SEND,
                "Notify by SMS instead of mail",
                "Send an SMS when the export is finished",
            ),
            (
                SEND,
                "Drop the mail and add an SMS",
                "Send an SMS when the export is finished",
            ),
            (
                SEND,
                "Replace the e-mail by a push message",
                "Send a push message when the export is finished",
            ),
            (
                SEND,
                "Please send push messages rather than emails",
                "Send push messages when the export is finished",
            ),
            (
                SEND,
                "Send an SMS, not a mail",
                "Send an SMS when the export is finished",
            ),
            (
                SEND,
                "Swap the mail notification for an SMS notification.",
                "Send an SMS when the export is finished",
            ),
            (
                SEND,
                "Instead of the mail, send an SMS",
                "Send an SMS when the export is finished",
            ),
            (
                "Add CSV export of orders",
                "No CSV: use XLSX",
                "Add XLSX export of orders",
            ),
            (
                "Sort orders by name",
                "Sort by date instead of by name",
                "Sort orders by date",
            ),
            (
                "导出完成后发邮件通知",
                "用短信代替邮件",
                "导出完成后发短信通知",
            ),
            (
                "导出完成后发电子邮件",
                "请把邮件换成短信",
                "导出完成后发短信",
            ),
            ("订单导出 CSV", "不要 CSV，改用 XLSX", "订单导出 XLSX"),
            (
                "导出完成后发邮件通知",
                "去掉邮件通知，增加短信",
                "导出完成后发短信通知",
            ),
            (
                "导出完成后发邮件通知",
                "发短信而不是邮件",
                "导出完成后发短信通知",
            ),
        ] {
            let put = reads(need, point);
            let put = put
                .or_else(|| Exchange::of(point.strip_prefix('发').unwrap_or(point))?.reads(need));
            assert_eq!(put.as_deref(), Some(reading), "{point}");
        }
    }

    #[test]
    fn what_exchanges_no_names_leaves_a_need_as_it_reads() {
        for (need, point) in [
            (SEND, "Send it at night, not immediately"),
            (SEND, "Retry 8 times, not 5"),
            (SEND, "Show an error instead of sending a mail"),
            (SEND, "Use this instead of that"),
            (SEND, "Drop the export and add an import"),
            (SEND, "Also send an SMS"),
            (
                SEND,
                "Send a mail and not only a note in the log of the whole system",
            ),
            ("Check the mail address", "Use SMS instead of mail"),
            ("Log every export", "Use a counter instead of the log"),
            (
                "Send a mail or an SMS when it is shipped",
                "SMS instead of mail",
            ),
            (
                "Fix the crash on import",
                "Show an error instead of crashing",
            ),
            ("邮件地址要校验", "用短信代替邮件"),
            ("检查邮件地址", "用短信代替邮件"),
            ("导出完成后发邮件通知", "把颜色换成蓝色"),
            ("导出完成后发邮件通知", "导出改用 XLSX"),
            ("导出完成后发邮件或短信", "用短信代替邮件"),
            ("导出完成后发邮件通知", "用户代替管理员填写"),
        ] {
            assert_eq!(reads(need, point), None, "{need}: {point}");
        }
    }
}
