//! Marks the words that were deleted and inserted between two texts.

use unicode_segmentation::UnicodeSegmentation as _;

use super::with_code;

/// Maximum number of pairs of words to compare; longer texts are treated as rewritten.
const MOST_PAIRS: usize = 1_000_000;

/// Which of the two texts contains a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum In {
    Both,
    Old,
    New,
}

/// The newer text as HTML, with deleted words in `<del>` before inserted ones in `<ins>`.
///
/// Both texts are escaped; text between backticks becomes code and counts as one word. If the texts
/// have little in common, the whole old text is followed by the whole new one.
pub(super) fn marked(old: &str, new: &str) -> String {
    let (old, new) = (words(old), words(new));
    let mut all = aligned(&old, &new);
    let kept = all.iter().filter(|(is_in, _)| *is_in == In::Both);
    let kept = kept.filter(|(_, word)| is_said(word)).count();
    let said = |words: &[&str]| words.iter().filter(|word| is_said(word)).count();
    if kept * 3 < said(&old).min(said(&new)) {
        all = apart(&old, &new);
    }
    html(&all)
}

fn is_said(word: &str) -> bool {
    word.contains(char::is_alphanumeric)
}

/// Splits a text into words, punctuation and spaces; an id, a path and a piece of code are one word
/// each.
fn words(mut text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    while !text.is_empty() {
        let (word, rest) = text.split_at(first(text));
        words.push(word);
        text = rest;
    }
    words
}

/// Length in bytes of the first word of a non-empty text.
fn first(text: &str) -> usize {
    let closed = text.strip_prefix('`').and_then(|rest| rest.find('`'));
    if let Some(code) = closed {
        return code + 2;
    }
    let bound = |text: &str| text.split_word_bounds().next().map_or(0, str::len);
    let mut len = bound(text);
    if is_said(&text[..len]) {
        while let Some(rest) = text[len..].strip_prefix(['-', '/', ':'])
            && rest.starts_with(|c: char| c.is_ascii_alphanumeric())
        {
            len += 1 + bound(rest);
        }
    }
    len
}

/// Merges the words of both texts in order, with as many common words as possible.
fn aligned<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(In, &'a str)> {
    let begin = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let ends = old[begin..].iter().rev().zip(new[begin..].iter().rev());
    let end = ends.take_while(|(a, b)| a == b).count();
    let kept = |words: &[&'a str]| -> Vec<(In, &'a str)> {
        words.iter().map(|word| (In::Both, *word)).collect()
    };
    let (gone, came) = (&old[begin..old.len() - end], &new[begin..new.len() - end]);
    let mut all = kept(&old[..begin]);
    all.extend(longest(gone, came));
    all.extend(kept(&old[old.len() - end..]));
    all
}

/// The same for the part between the first and the last differing word: the longest common
/// subsequence, in which words weigh more than punctuation and spaces.
fn longest<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(In, &'a str)> {
    if old.len() * new.len() > MOST_PAIRS {
        return apart(old, new);
    }
    let wide = new.len() + 1;
    // For each pair of positions, the weight of the common words from there on.
    let mut best = vec![0_u32; (old.len() + 1) * wide];
    let weight = |word: &str| if is_said(word) { 4 } else { 1 };
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let passed = best[(i + 1) * wide + j].max(best[i * wide + j + 1]);
            best[i * wide + j] = match old[i] == new[j] {
                true => passed.max(best[(i + 1) * wide + j + 1] + weight(old[i])),
                false => passed,
            };
        }
    }
    let (mut i, mut j, mut all) = (0, 0, Vec::new());
    while i < old.len() && j < new.len() {
        let here = best[i * wide + j];
        let is_both = old[i] == new[j] && here == best[(i + 1) * wide + j + 1] + weight(old[i]);
        if is_both {
            all.push((In::Both, old[i]));
            (i, j) = (i + 1, j + 1);
        } else if here == best[(i + 1) * wide + j] {
            all.push((In::Old, old[i]));
            i += 1;
        } else {
            all.push((In::New, new[j]));
            j += 1;
        }
    }
    all.extend(apart(&old[i..], &new[j..]));
    all
}

/// All old words, then all new ones.
fn apart<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<(In, &'a str)> {
    let gone = old.iter().map(|word| (In::Old, *word));
    gone.chain(new.iter().map(|word| (In::New, *word)))
        .collect()
}

/// Renders the words as HTML. Neighbouring changes become one, with a space or punctuation mark
/// between them as part of both texts.
fn html(all: &[(In, &str)]) -> String {
    let (mut out, mut gone, mut came) = (String::new(), String::new(), String::new());
    let mut between = String::new();
    for (is_in, word) in all.iter().chain(&[(In::Both, "")]) {
        let is_change = !(gone.is_empty() && came.is_empty());
        match is_in {
            In::Both if is_change && !word.is_empty() && !is_said(word) => between += word,
            In::Both => {
                // A space at the end of both texts did not change.
                while gone.ends_with(' ') && came.ends_with(' ') {
                    gone.pop();
                    came.pop();
                    between.insert(0, ' ');
                }
                for (tag, text) in [("del", &mut gone), ("ins", &mut came)] {
                    if !text.is_empty() {
                        out += &format!("<{tag}>{}</{tag}>", with_code(text));
                        text.clear();
                    }
                }
                out += &with_code(&std::mem::take(&mut between));
                out += &with_code(word);
            }
            In::Old | In::New => {
                let blank = std::mem::take(&mut between);
                gone += &blank;
                came += &blank;
                let text = if *is_in == In::Old {
                    &mut gone
                } else {
                    &mut came
                };
                *text += word;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_word_that_changed_is_marked_alone() {
        for (old, new, html) in [
            (
                "An account deleted 13 days ago.",
                "An account deleted 29 days ago.",
                "An account deleted <del>13</del><ins>29</ins> days ago.",
            ),
            ("C-3; A-1", "C-7; A-1", "<del>C-3</del><ins>C-7</ins>; A-1"),
            ("a b c", "a c", "a <del>b </del>c"),
            ("a, which are", "a are", "a<del>, which</del> are"),
            ("保留十天", "保留三周", "保留<del>十天</del><ins>三周</ins>"),
            (
                "Run `x -a` in src/a.rs:1 now",
                "Run `x -b` in src/b.rs:1 now",
                "Run <del><code>x -a</code></del><ins><code>x -b</code></ins> in \
                 <del>src&#x2f;a.rs:1</del><ins>src&#x2f;b.rs:1</ins> now",
            ),
            ("", "came", "<ins>came</ins>"),
            ("gone", "", "<del>gone</del>"),
            ("the same", "the same", "the same"),
        ] {
            assert_eq!(marked(old, new), html);
        }
    }

    #[test]
    fn what_is_written_anew_stands_whole() {
        assert_eq!(
            marked(
                "Both fail, and a job tries again",
                "Nobody tells a customer, and they wait"
            ),
            "<del>Both fail, and a job tries again</del>\
             <ins>Nobody tells a customer, and they wait</ins>"
        );
    }

    #[test]
    fn neither_markup_nor_length_does_harm() {
        assert_eq!(
            marked("<b> ` x", "<i> ` x"),
            "&lt;<del>b</del><ins>i</ins>&gt; ` x"
        );
        let long = |word: &str| format!("{word} ").repeat(3_000);
        let marked = marked(&long("old"), &long("new"));
        assert!(marked.starts_with("<del>old old") && marked.ends_with("new</ins> "));
    }
}
