//! How long a text is, in any language.

/// Words of the plan in short, at most.
pub const SUMMARY_WORDS: usize = 150;

/// Words of a text: runs between spaces that hold a letter or digit, and five for
/// eight Han, kana or hangul characters. Fenced code does not count.
pub fn words(text: &str) -> usize {
    let mut fenced = false;
    let mut count = 0;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            count += words_of_line(line);
        }
    }
    count
}

fn words_of_line(line: &str) -> usize {
    let (mut count, mut wide, mut in_word) = (0, 0, false);
    for c in line.chars() {
        if is_cjk(c) {
            wide += 1;
            in_word = false;
        } else if c.is_alphanumeric() {
            count += usize::from(!in_word);
            in_word = true;
        } else if c.is_whitespace() {
            in_word = false;
        }
    }
    count + wide * 5 / 8
}

/// Returns whether the character is a word or syllable of its own.
fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
        && c != '・'
}
