//! Figures with their units: how people answer "how large", "how long" and "how many".

use super::text::{FIGURE, is_han, stems};

/// Figures written as words; "a" is none, since it stands before everything.
const WORDS: [&str; 20] = [
    "one", "two", "three", "four", "fiv", "six", "seven", "eight", "nin", "ten", "twelv",
    "fifteen", "twenty", "thirty", "forty", "fifty", "sixty", "ninety", "hundr", "half",
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
