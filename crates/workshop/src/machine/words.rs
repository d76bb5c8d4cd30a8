//! The length of a text in words, in any language.

use super::similarity::is_ideograph;
use crate::fence::Fence;

/// Maximum number of words in the summary of a plan.
pub const SUMMARY_WORDS: usize = 150;

/// Counts the words of a text: runs between spaces with a letter or digit, and five words for eight
/// Han, kana or hangul characters. Fenced code does not count.
pub fn words(text: &str) -> usize {
    let mut fence = Fence::default();
    let prose = text.lines().filter(|line| !fence.holds(line));
    prose.map(words_of_line).sum()
}

fn words_of_line(line: &str) -> usize {
    let (mut count, mut wide, mut in_word) = (0, 0, false);
    for c in line.chars() {
        if is_ideograph(c) && c != '・' {
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
