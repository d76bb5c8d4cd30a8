//! Which words of a requirement are worth searching for.

use super::names::other_names;

/// Terms searched for, at most.
const MAX_TERMS: usize = 40;

/// English words that occur everywhere.
const STOP: &[&str] = &[
    "a", "about", "add", "added", "after", "all", "allow", "also", "an", "and", "any", "are", "as",
    "at", "be", "been", "before", "but", "by", "can", "could", "do", "does", "each", "every",
    "for", "from", "get", "give", "has", "have", "how", "if", "in", "into", "is", "it", "its",
    "let", "like", "make", "may", "more", "must", "need", "new", "no", "not", "of", "on", "one",
    "only", "or", "our", "out", "please", "shall", "should", "show", "so", "some", "such",
    "support", "than", "that", "the", "their", "them", "then", "there", "they", "this", "to", "up",
    "use", "used", "user", "users", "using", "want", "was", "we", "were", "what", "when", "where",
    "which", "who", "why", "will", "with", "without", "would", "you", "your",
];

/// Han characters that only hold a sentence together.
const STOP_HAN: &str =
    "的了和与或在是也都就要能可以我们你他它这那个及并把被只有为对从到等中上下不得";

/// The terms of a text, in order, none twice: identifiers as they are and in
/// their parts, English words without stop words by their stem, pairs of Han
/// characters, and the English names of common Chinese words. At most 40.
pub fn terms(text: &str) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    let mut add = |term: String| {
        if terms.len() < MAX_TERMS && !terms.contains(&term) {
            terms.push(term);
        }
    };
    other_names(text).for_each(|name| add(name.to_owned()));
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    for word in text
        .split(|c: char| !is_word(c))
        .filter(|word| !word.is_empty())
    {
        let parts = parts(word);
        if parts.len() > 1 {
            add(word.to_lowercase());
        }
        for part in parts {
            let lower = part.to_lowercase();
            if lower.len() >= 2
                && !lower.bytes().all(|b| b.is_ascii_digit())
                && !STOP.contains(&lower.as_str())
            {
                add(stem(&lower));
            }
        }
    }
    let chars: Vec<char> = text.chars().collect();
    for pair in chars.windows(2) {
        if pair.iter().all(|c| is_han(*c) && !STOP_HAN.contains(*c)) {
            add(pair.iter().collect());
        }
    }
    terms
}

/// The parts of an identifier: at `_`, `-` and where upper case begins.
fn parts(word: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut was_lower = false;
    for c in word.chars() {
        let boundary = c == '_' || c == '-' || (c.is_ascii_uppercase() && was_lower);
        if boundary {
            parts.push(String::new());
        }
        was_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        if c != '_'
            && c != '-'
            && let Some(part) = parts.last_mut()
        {
            part.push(c);
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The shortest form that all forms of the word begin with.
fn stem(word: &str) -> String {
    for (ending, put) in [
        ("ies", "y"),
        ("ing", ""),
        ("ers", "er"),
        ("ed", ""),
        ("es", "e"),
        ("s", ""),
    ] {
        if let Some(root) = word.strip_suffix(ending)
            && root.len() + put.len() >= 4
            && !word.ends_with("ss")
            && !word.ends_with("us")
        {
            let doubled = ["nn", "tt", "pp", "mm", "gg", "bb", "rr"];
            if ending == "ing" && doubled.iter().any(|pair| root.ends_with(pair)) {
                return root[..root.len() - 1].to_owned();
            }
            return format!("{root}{put}");
        }
    }
    word.to_owned()
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}')
}
