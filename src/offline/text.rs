//! Words: folding, matching, likeness, cutting and filling in, in English and Chinese.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::figures;
use crate::machine::only_keeps;

/// Is `c` a Han character?
pub fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// The words of a text in lower case, English endings taken off; Han runs are left out.
pub fn stems(text: &str) -> Vec<String> {
    // Both ways to write it are one word.
    let joined = text.to_lowercase().replace("e-mail", "email");
    joined
        .split(|c: char| !(c.is_alphanumeric() || c == '\'') || is_han(c))
        .map(|word| word.trim_matches('\''))
        .filter(|word| !word.is_empty())
        .map(stem)
        .collect()
}

/// A word in lower case without the endings of plurals and verbs.
///
/// Light on purpose: both sides of a comparison go through it, so it need not
/// give dictionary forms, only the same form. No ending is taken off where a
/// word that only holds a sentence together would be left: a `theme` is no `them`.
pub fn stem(word: &str) -> String {
    let word = word.to_lowercase();
    let word = word.strip_suffix("'s").unwrap_or(&word);
    if let Some((_, own)) = OWN.iter().find(|(form, _)| *form == word) {
        return (*own).to_owned();
    }
    for ending in ["ing", "ed", "es", "s", "e"] {
        let root = word.strip_suffix(ending);
        let Some(root) = root.filter(|root| is_root(root, ending)) else {
            continue;
        };
        let is_verb = matches!(ending, "ing" | "ed");
        let root = if is_verb { undoubled(root) } else { root };
        match (HOLDS.contains(&root), is_verb) {
            (false, _) => return single_l(root).to_owned(),
            (true, true) => return format!("{root}e"),
            (true, false) => {}
        }
    }
    single_l(word).to_owned()
}

/// Forms whose ending belongs to the word: without it they would be another one, such as
/// `local`, `book` or `strip`.
const OWN: [(&str, &str); 8] = [
    ("locale", "locale"),
    ("locales", "locale"),
    ("booking", "booking"),
    ("bookings", "booking"),
    ("stripe", "stripe"),
    ("seconds", "seconds"),
    ("embed", "embed"),
    // A price is fixed, and a fault is not.
    ("fixed", "fixed"),
];

/// Words that hold a sentence together.
const HOLDS: [&str; 38] = [
    "the", "them", "then", "than", "not", "nor", "for", "but", "and", "any", "all", "our", "out",
    "off", "her", "him", "his", "who", "why", "how", "can", "may", "was", "are", "has", "had",
    "did", "now", "yet", "too", "via", "per", "its", "you", "she", "with", "from", "will",
];

/// May a word lose this ending, so that this is left of it?
fn is_root(root: &str, ending: &str) -> bool {
    let has_vowel = root.contains(|c| "aeiouy".contains(c));
    root.len() >= 3
        && match ending {
            "s" => !root.ends_with(['s', 'u', 'i']),
            "ed" => !root.ends_with('e') && has_vowel,
            "ing" => has_vowel,
            _ => true,
        }
}

/// `stopp` of "stopped" is `stop`; `pass` and `roll` are written so.
fn undoubled(root: &str) -> &str {
    let mut chars = root.chars().rev();
    let (last, before) = (chars.next(), chars.next());
    let is_doubled = last == before && last.is_some_and(|c| c.is_ascii() && !"lsz".contains(c));
    match is_doubled && root.len() > 3 {
        true => &root[..root.len() - 1],
        false => root,
    }
}

/// `cancelled` and `install` in the spelling of either side of the ocean.
fn single_l(root: &str) -> &str {
    match root.len() > 5 && root.ends_with("ll") {
        true => &root[..root.len() - 1],
        false => root,
    }
}

/// Words between the sides of a trigger with `…`, at most, and Han characters.
const MAX_GAP: usize = 6;
const MAX_GAP_HAN: usize = 24;

/// A text made ready to be matched against many triggers.
pub struct Matcher {
    lower: String,
    stems: Vec<String>,
    /// With which two letters its words begin.
    openings: Openings,
    /// The words among which figures are looked for; made when the first is.
    figures: OnceCell<Vec<String>>,
}

/// Stands in a trigger for a figure: `# mb` is in "2MB" and "two MB", `#天` in “30 天”.
pub const FIGURE: &str = "#";

impl Matcher {
    /// Prepares `text`.
    pub fn new(text: &str) -> Self {
        let stems = stems(text);
        Self {
            lower: text.to_lowercase(),
            openings: Openings::of(&stems),
            stems,
            figures: OnceCell::new(),
        }
    }

    /// Does the trigger occur: a Han trigger anywhere, any other as whole words?
    /// After `^` it only counts where the text begins, politeness aside, before `$` where it ends; around `…` both sides count where
    /// they follow each other closely, and `^` asks of the first side that the text begins with it.
    /// A `#` in it stands for a figure: "2", "two", “两”.
    pub fn has(&self, trigger: &str) -> bool {
        // `as csv !import`: the words before it, in a text that has none of those behind it.
        if let Some((wanted, other)) = trigger.rsplit_once(" !") {
            return self.has(wanted) && !self.has(other);
        }
        if trigger.contains(FIGURE) {
            let said = || figures::words(&self.lower);
            return figures::occurs(trigger, &self.lower, || self.figures.get_or_init(said));
        }
        if let Some((one, other)) = trigger.split_once('…') {
            let (first, other) = (one.strip_prefix('^'), other.trim());
            return first.is_none_or(|first| self.begins_with(first))
                && self.has_both(first.unwrap_or(one).trim(), other);
        }
        if let Some(first) = trigger.strip_prefix('^') {
            return self.begins_with(first);
        }
        if let Some(last) = trigger.strip_suffix('$') {
            return self.ends_with(last);
        }
        if trigger.chars().any(is_han) {
            return self.lower.contains(&trigger.to_lowercase());
        }
        if !self.openings.may_hold(trigger) {
            return false;
        }
        let wanted = stems(trigger);
        !wanted.is_empty() && self.stems.windows(wanted.len()).any(|run| run == wanted)
    }

    /// The text less these phrases: what is left on either side of one is not neighbours.
    pub fn without(&self, phrases: &[String]) -> Self {
        let mut less = Self {
            lower: self.lower.clone(),
            stems: self.stems.clone(),
            openings: self.openings,
            figures: OnceCell::new(),
        };
        for phrase in phrases {
            if phrase.chars().any(is_han) {
                less.lower = less.lower.replace(&phrase.to_lowercase(), "\n");
                continue;
            }
            let wanted = stems(phrase);
            let mut at = 0;
            while !wanted.is_empty() && at + wanted.len() <= less.stems.len() {
                if less.stems[at..at + wanted.len()] == wanted[..] {
                    less.stems[at..at + wanted.len()].fill(String::new());
                }
                at += 1;
            }
        }
        less
    }

    /// Does every line of it only say that something stays as it is?
    pub fn only_keeps(&self) -> bool {
        self.lower.lines().all(only_keeps)
    }

    /// Does one occur, and soon after it the other?
    fn has_both(&self, one: &str, other: &str) -> bool {
        if [one, other].iter().any(|side| side.contains(is_han)) {
            let (one, other) = (one.to_lowercase(), other.to_lowercase());
            return self.lower.match_indices(&one).any(|(at, _)| {
                let after = &self.lower[at + one.len()..];
                let ends = |c: char| "。！？；;\n".contains(c);
                let sentence = after.split(ends).next().unwrap_or_default();
                let place = sentence.find(&other);
                place.is_some_and(|end| sentence[..end].chars().count() <= MAX_GAP_HAN)
            });
        }
        if ![one, other].iter().all(|side| self.openings.may_hold(side)) {
            return false;
        }
        let (one, other) = (stems(one), stems(other));
        let runs = |words: &[String], run: &[String]| words.windows(run.len()).any(|w| w == run);
        !one.is_empty()
            && !other.is_empty()
            && self.stems.windows(one.len()).enumerate().any(|(at, w)| {
                let after = &self.stems[at + one.len()..];
                let near = &after[..after.len().min(MAX_GAP + other.len())];
                w == one && runs(near, &other)
            })
    }

    fn begins_with(&self, words: &str) -> bool {
        if words.chars().any(is_han) {
            let said = self.lower.trim_start();
            let said = said.strip_prefix('请').unwrap_or(said);
            return said.starts_with(&words.to_lowercase());
        }
        let said = self.stems.as_slice();
        let said = said.strip_prefix(&["pleas".to_owned()]).unwrap_or(said);
        if !Openings::of(said.get(..1).unwrap_or_default()).may_hold(words) {
            return false;
        }
        let wanted = stems(words);
        !wanted.is_empty() && said.starts_with(&wanted)
    }

    fn ends_with(&self, words: &str) -> bool {
        if words.contains(is_han) {
            let said = self.lower.trim_end_matches(|c: char| !c.is_alphanumeric());
            return said.ends_with(&words.to_lowercase());
        }
        let wanted = stems(words);
        !wanted.is_empty() && self.stems.ends_with(&wanted)
    }

    /// How many of the triggers occur.
    pub fn count(&self, triggers: &[String]) -> usize {
        triggers.iter().filter(|trigger| self.has(trigger)).count()
    }

    /// Does any of them occur?
    pub fn any(&self, triggers: &[String]) -> bool {
        triggers.iter().any(|trigger| self.has(trigger))
    }
}

/// The first two letters of words. No ending is so long that a stem would lose one of them, so
/// that most triggers are told to be absent without being taken apart.
#[derive(Clone, Copy, Default)]
struct Openings([u64; 11]);

impl Openings {
    fn of(stems: &[String]) -> Self {
        let mut openings = Self::default();
        for (at, bit) in stems.iter().filter_map(|stem| Self::place(stem)) {
            openings.0[at] |= bit;
        }
        openings
    }

    /// May words hold the first of these? Whatever does not begin with two letters may be there.
    fn may_hold(&self, words: &str) -> bool {
        Self::place(words).is_none_or(|(at, bit)| self.0[at] & bit != 0)
    }

    fn place(word: &str) -> Option<(usize, u64)> {
        let letter = |byte: &u8| {
            let lower = byte.to_ascii_lowercase();
            lower
                .is_ascii_lowercase()
                .then(|| usize::from(lower - b'a'))
        };
        let [one, other] = word.trim_start().as_bytes().first_chunk()?;
        let place = letter(one)? * 26 + letter(other)?;
        Some((place / 64, 1 << (place % 64)))
    }
}

/// How alike two texts are, from 0 to 1: shared pairs of neighbouring characters
/// among all such pairs, case and punctuation aside.
pub fn likeness(a: &str, b: &str) -> f64 {
    let (a, b) = (pairs(a), pairs(b));
    if a.is_empty() || b.is_empty() {
        return 0.0;
    }
    let shared = a.intersection(&b).count();
    shared as f64 / (a.len() + b.len() - shared) as f64
}

fn pairs(text: &str) -> BTreeSet<(char, char)> {
    let chars: Vec<char> = text
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric())
        .collect();
    chars.windows(2).map(|pair| (pair[0], pair[1])).collect()
}

/// Words that tell something: content stems and pairs of Han characters; words for the same
/// thing are one.
pub fn terms(text: &str) -> BTreeSet<String> {
    let mut terms: BTreeSet<String> = stems(text)
        .into_iter()
        .filter(|word| word.chars().count() >= 3 && !STOP.contains(&word.as_str()))
        .map(|word| match SAME.iter().find(|(other, _)| *other == word) {
            Some((_, one)) => (*one).to_owned(),
            None => word,
        })
        .collect();
    let chars: Vec<char> = in_one_name(text).chars().collect();
    terms.extend(
        chars
            .windows(2)
            .filter(|pair| {
                pair.iter().all(|c| is_han(*c)) && !pair.iter().any(|c| STOP_HAN.contains(c))
            })
            .map(|pair| pair.iter().collect::<String>()),
    );
    terms
}

/// Words that mean the same wherever somebody says them: the other one, and the one it is.
const SAME: [(&str, &str); 3] = [("email", "mail"), ("电子邮件", "邮件"), ("电邮", "邮件")];

/// A text that calls each thing by one of its Chinese names.
pub fn in_one_name(text: &str) -> String {
    let names = SAME.iter().filter(|(other, _)| other.contains(is_han));
    names.fold(text.to_owned(), |text, (other, one)| {
        text.replace(other, one)
    })
}

/// All ways to write a word of [`terms`].
pub fn spellings(term: &str) -> impl Iterator<Item = &str> {
    let others = SAME.iter().filter(move |(_, one)| *one == term);
    std::iter::once(term).chain(others.map(|(other, _)| *other))
}

/// Does a Han character only hold a sentence together?
pub fn holds_together(c: char) -> bool {
    STOP_HAN.contains(&c)
}

/// English stems that say nothing about a subject.
const STOP: [&str; 78] = [
    "the", "and", "for", "with", "that", "this", "thes", "thos", "from", "into", "onto", "our",
    "your", "their", "they", "them", "then", "than", "when", "wher", "which", "what", "who",
    "will", "would", "should", "could", "can", "may", "must", "might", "shall", "not", "only",
    "also", "any", "all", "each", "every", "som", "such", "very", "just", "lik", "mak", "add",
    "allow", "let", "need", "want", "pleas", "new", "use", "us", "user", "hav", "has", "had",
    "are", "was", "were", "been", "being", "but", "nor", "out", "off", "too", "via", "per",
    "about", "after", "befor", "there", "her", "how", "why", "support",
];

/// Han characters that only hold a sentence together.
const STOP_HAN: [char; 36] = [
    '的', '了', '和', '与', '或', '在', '是', '也', '都', '就', '要', '能', '可', '我', '们', '你',
    '他', '它', '这', '那', '个', '及', '并', '把', '被', '只', '以', '为', '对', '从', '将', '该',
    '让', '给', '再', '还',
];

/// At most `max` characters, cut at a word's end where there is one, with `…` if cut.
pub fn cut(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    let kept: String = text.chars().take(max.saturating_sub(1)).collect();
    let end = match kept.rfind(' ') {
        Some(space) if space * 2 > kept.len() => space,
        _ => kept.len(),
    };
    format!(
        "{}…",
        kept[..end].trim_end_matches([',', ';', ' ', '，', '；', '、'])
    )
}

/// A label such as `Build: {need}` on a need, whose own first word is not said twice: "Build a
/// tool" is labelled already.
pub fn labelled(label: &str, need: &str) -> String {
    let (before, verb) = match label.split_once("{need}") {
        Some((before, "")) => (
            before,
            before.split([':', '：', ',', '，', '（', '(']).next(),
        ),
        _ => (label, None),
    };
    let starts = |verb: &str| need.to_lowercase().starts_with(&verb.to_lowercase());
    let rest = verb
        .filter(|verb| !verb.is_empty() && starts(verb))
        .and_then(|verb| need.get(verb.len()..))
        .filter(|rest| rest.starts_with(|c: char| c.is_whitespace() || is_han(c)));
    match (
        rest,
        before.trim_end().trim_end_matches([':', '：']) == verb.unwrap_or_default(),
    ) {
        (Some(_), true) => need.to_owned(),
        (Some(rest), false) => format!("{before}{}", rest.trim_start()),
        (None, _) => fill(label, &[("need", need)]),
    }
}

/// Puts values in the place of `{name}`, and of `{name:one|many}` the word that
/// fits the figure; an unknown name stays as it is, and a value is never looked
/// into again.
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some(open) = rest.find('{') {
        out.push_str(&rest[..open]);
        rest = &rest[open..];
        let known = rest.find('}').and_then(|close| {
            let (name, forms) = match rest[1..close].split_once(':') {
                Some((name, forms)) => (name, forms.split_once('|')),
                None => (&rest[1..close], None),
            };
            let value = values.iter().find(|(known, _)| *known == name)?.1;
            let form = forms.map(|(one, many)| if value == "1" { one } else { many });
            Some((close, form.unwrap_or(value)))
        });
        match known {
            Some((close, value)) => {
                out.push_str(value);
                rest = &rest[close + 1..];
            }
            None => {
                out.push('{');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// Words for a word limit: runs of other letters count one, Han characters one each.
pub fn word_count(text: &str) -> usize {
    let han = text.chars().filter(|c| is_han(*c)).count();
    han + text
        .split(|c: char| !c.is_alphanumeric() || is_han(c))
        .filter(|word| !word.is_empty())
        .count()
}

#[cfg(test)]
mod tests {
    use super::labelled;

    #[test]
    fn a_label_is_not_said_twice() {
        for (label, need, labelled_so) in [
            ("Build: {need}", "A list of links", "Build: A list of links"),
            (
                "Build: {need}",
                "Build a list of links",
                "Build a list of links",
            ),
            (
                "Build: {need}",
                "Buildings have a map",
                "Build: Buildings have a map",
            ),
            (
                "Build, with its limit: {need}",
                "Build a pass valid for 3 days",
                "Build, with its limit: a pass valid for 3 days",
            ),
            (
                "Leave out: {need}",
                "Leave out the mail",
                "Leave out the mail",
            ),
            (
                "Leave out: {need}",
                "The mail is not needed",
                "Leave out: The mail is not needed",
            ),
            ("实现：{need}", "实现登录", "实现登录"),
            (
                "实现（含时限）：{need}",
                "实现三天有效的通行证",
                "实现（含时限）：三天有效的通行证",
            ),
        ] {
            assert_eq!(labelled(label, need), labelled_so);
        }
    }
}
