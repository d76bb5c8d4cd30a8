//! How long a text is, in any language.

/// Words of the plan in short, at most.
pub const SUMMARY_WORDS: usize = 150;

/// The beginning of a text that has more than `limit` words, with an ellipsis; none if it
/// has no more.
pub fn first_words(text: &str, limit: usize) -> Option<String> {
    if words(text) <= limit {
        return None;
    }
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    let ends: Vec<usize> = ends.collect();
    // How many words a beginning has only grows with it.
    let fits = ends.partition_point(|end| words(&text[..*end]) <= limit);
    let end = fits.checked_sub(1).map_or(0, |last| ends[last]);
    let head = &text[..end];
    let is_inside = |c: char| c.is_alphanumeric() && !is_cjk(c);
    // Not in the middle of a word.
    let whole = match text[end..].starts_with(is_inside) {
        true => head.trim_end_matches(is_inside),
        false => head,
    };
    Some(format!("{}…", whole.trim_end()))
}

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

/// Is it a character that stands for a word or syllable of its own?
fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
        && c != '・'
}
