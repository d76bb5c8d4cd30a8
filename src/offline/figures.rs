//! Figures with their units: how people answer "how large", "how long" and "how many".

use std::ops::Range;

use super::text::{FIGURE, is_han, stems};

/// Figures written as words; "a" is none, since it stands before everything.
const WORDS: [&str; 20] = [
    "one", "two", "thre", "four", "fiv", "six", "seven", "eight", "nin", "ten", "twelv", "fifteen",
    "twenty", "thirty", "forty", "fifty", "sixty", "ninety", "hundr", "half",
];

/// Chinese figures.
const HAN: &str = "一二两三四五六七八九十百千万半几";

/// Stands for any figure among the words of a trigger.
const ANY: &str = "0";

/// Does a trigger with [`FIGURE`] occur in a text in lower case, whatever the figure and
/// however it is written: "2MB", "2 MB", "two days", “2 兆”, “三天”? `said` gives the text's
/// [`words`], which are asked for only where they are needed.
pub fn occurs<'t>(trigger: &str, lower: &str, said: impl FnOnce() -> &'t Vec<String>) -> bool {
    if trigger.contains(is_han) {
        let parts: Vec<&str> = trigger.split(FIGURE).map(str::trim).collect();
        let mut starts = lower.char_indices();
        return starts.any(|(at, _)| follows(&lower[at..], &parts));
    }
    let wanted = words(&trigger.to_lowercase().replace(FIGURE, ANY));
    let said = said();
    let fits =
        |(said, wanted): (&String, &String)| said == wanted || (wanted == ANY && is_figure(said));
    said.windows(wanted.len().max(1))
        .any(|run| run.iter().zip(&wanted).all(fits))
}

/// Stems of a text in lower case, with figure and unit taken apart where they are written as
/// one word.
pub fn words(lower: &str) -> Vec<String> {
    let mut apart = String::with_capacity(lower.len());
    let mut last = ' ';
    for c in lower.chars() {
        if last.is_ascii_digit() && c.is_ascii_alphabetic() {
            apart.push(' ');
        }
        match c {
            '%' => apart.push_str(" percent "),
            c => apart.push(c),
        }
        last = c;
    }
    stems(&apart)
}

/// A figure in a text with what it counts: "seven days", “30 天”.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// Where both stand.
    pub at: Range<usize>,
    /// What is counted, as a stem.
    pub unit: String,
}

/// What is counted in Chinese texts, where words are not told apart; the longer ones first.
const HAN_UNITS: [&str; 16] = [
    "个月", "分钟", "小时", "星期", "毫秒", "天", "日", "周", "月", "年", "秒", "次", "条", "行",
    "份", "页",
];

/// The figures of a text with what they count, in their order.
pub fn counted(text: &str) -> Vec<Counted> {
    let mut found: Vec<Counted> = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let one = match HAN.contains(c) {
            true => in_han(text, at),
            false => in_words(text, at).or_else(|| in_han(text, at)),
        };
        at = match one {
            Some(one) => {
                let end = one.at.end;
                found.push(one);
                end
            }
            // A word is looked at once, from its beginning.
            None => at + word_at(text, at).map_or(c.len_utf8(), str::len),
        };
    }
    found
}

/// The run of letters or of digits of another script than Chinese that begins here.
fn word_at(text: &str, at: usize) -> Option<&str> {
    let rest = &text[at..];
    let digits = rest.starts_with(|c: char| c.is_ascii_digit());
    let ends = |c: char| match digits {
        true => !(c.is_ascii_digit() || ",.".contains(c)),
        false => !c.is_alphabetic() || is_han(c),
    };
    let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
    let word = word.trim_end_matches([',', '.']);
    (!word.is_empty()).then_some(word)
}

fn in_words(text: &str, at: usize) -> Option<Counted> {
    let figure = word_at(text, at)?;
    let is_counted = stems(figure).iter().any(|word| is_figure(word));
    let behind = at + figure.len();
    let between = text[behind..].len() - text[behind..].trim_start_matches([' ', '-']).len();
    let unit = word_at(text, behind + between).filter(|_| is_counted)?;
    Some(Counted {
        at: at..behind + between + unit.len(),
        unit: stems(unit).pop().filter(|unit| !is_figure(unit))?,
    })
}

fn in_han(text: &str, at: usize) -> Option<Counted> {
    let rest = &text[at..];
    let ends = |c: char| !(c.is_ascii_digit() || HAN.contains(c));
    let figure = rest.find(ends).filter(|end| *end > 0)?;
    let spaces = rest[figure..].len() - rest[figure..].trim_start().len();
    let behind = &rest[figure + spaces..];
    let unit = HAN_UNITS.iter().find(|unit| behind.starts_with(**unit))?;
    Some(Counted {
        at: at..at + figure + spaces + unit.len(),
        unit: (*unit).to_owned(),
    })
}

fn is_figure(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) || WORDS.contains(&word)
}

/// Does a text begin with these parts, a figure between each two?
fn follows(text: &str, parts: &[&str]) -> bool {
    let mut rest = text;
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            let trimmed = rest.trim_start();
            let end = trimmed
                .find(|c: char| !(c.is_ascii_digit() || ".,".contains(c) || HAN.contains(c)));
            let end = end.unwrap_or(trimmed.len());
            if end == 0 {
                return false;
            }
            rest = trimmed[end..].trim_start();
        }
        let Some(after) = rest.strip_prefix(part) else {
            return false;
        };
        rest = after;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(trigger: &str, text: &str) -> bool {
        let lower = text.to_lowercase();
        let said = words(&lower);
        occurs(trigger, &lower, || &said)
    }

    #[test]
    fn what_a_figure_counts_is_told() {
        for (text, all) in [
            ("keeps it for seven days; a link", &["seven days"][..]),
            ("at most 10,000 rows, 2MB each", &["10,000 rows", "2MB"]),
            ("for three days only", &["three days"]),
            ("保存七天；每个链接", &["七天"]),
            ("保留 30 天，最多三个月", &["30 天", "三个月"]),
            ("the third day, version 2", &[]),
            ("今天导出", &[]),
        ] {
            let found: Vec<&str> = counted(text).into_iter().map(|one| &text[one.at]).collect();
            assert_eq!(found, all, "{text}");
        }
    }

    #[test]
    fn a_figure_is_found_however_it_is_written() {
        for (trigger, text) in [
            ("# mb", "at most 2MB each"),
            ("# mb", "at most two MB each"),
            ("# seconds", "in 1.5 seconds"),
            ("in # seconds", "starts in two seconds"),
            ("# percent", "95% of them"),
            ("#mb", "最大 2MB"),
            ("#兆", "最大 2 兆"),
            ("#天", "保留三十天"),
            ("每#分钟", "每 5 分钟运行"),
            ("#点", "早上8点"),
        ] {
            assert!(finds(trigger, text), "{trigger}: {text}");
        }
        for (trigger, text) in [
            ("# mb", "some mb"),
            ("# second", "the second page"),
            ("#天", "今天"),
            ("每#分钟", "每分钟"),
            ("# s", "2 steps"),
        ] {
            assert!(!finds(trigger, text), "{trigger}: {text}");
        }
    }
}
