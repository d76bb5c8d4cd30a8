//! Splits a text into words for comparison: parts of identifiers, reduced to their stem.

use std::collections::HashMap;

use rust_stemmers::{Algorithm, Stemmer};

use super::super::names::other_names;

const MAX_WORDS: usize = 300;
/// Maximum length of a word in characters.
const MAX_WORD: usize = 64;
/// Weight of a word in the first line, compared with the rest.
const FIRST_LINE: f64 = 2.0;
/// Additional weight of each repetition.
const REPEATED: f64 = 0.3;
/// Weight of the scope before a first line.
const SCOPE: f64 = 2.0;

/// Words that occur everywhere, or name an action rather than a place.
const STOP: &[&str] = &[
    "a", "about", "add", "added", "adds", "after", "all", "allow", "also", "an", "and", "any",
    "are", "as", "at", "be", "because", "been", "before", "being", "but", "by", "can", "chore",
    "could", "did", "do", "does", "doesn", "don", "each", "every", "feat", "fix", "fixed", "fixes",
    "for", "from", "get", "give", "had", "has", "have", "how", "if", "in", "instead", "into", "is",
    "isn", "it", "its", "just", "let", "like", "ll", "make", "may", "more", "must", "need", "new",
    "no", "not", "now", "of", "on", "one", "only", "or", "our", "out", "please", "re", "refactor",
    "shall", "should", "show", "so", "some", "such", "support", "test", "tests", "than", "that",
    "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "up", "use",
    "used", "user", "users", "uses", "using", "ve", "want", "was", "we", "were", "what", "when",
    "where", "which", "while", "who", "why", "will", "with", "without", "would", "you", "your",
];

/// Han characters with a grammatical function only.
const STOP_HAN: &str =
    "的了和与或在是也都就要能可以我们你他它这那个及并把被只有为对从到等中上下不得";

/// The words of a requirement with their weights.
pub struct Query {
    text: String,
    places: HashMap<String, u16>,
    /// Weights in the order of first occurrence.
    pub weights: Vec<f64>,
    /// Whether a word starts with these two bytes: excludes most other words quickly.
    starts: Vec<bool>,
    stemmer: Stemmer,
}

/// How often the words of a query occur in a text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Counts {
    /// Total number of words in the text.
    pub words: u32,
    /// Index and count of each word of the query that occurs, in order.
    pub of: Vec<(u16, u32)>,
}

impl Query {
    /// The query of a requirement or a commit message.
    pub fn of(text: &str) -> Self {
        let mut query = Self {
            text: text.to_owned(),
            places: HashMap::new(),
            weights: Vec::new(),
            starts: vec![false; 1 << 16],
            stemmer: Stemmer::create(Algorithm::English),
        };
        let text = text.trim();
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let (scope, first) = scope(first);
        query.add(scope, FIRST_LINE * SCOPE);
        query.add(first, FIRST_LINE);
        query.add(rest, 1.0);
        let names: Vec<&str> = other_names(text).collect();
        query.add(&names.join(" "), 1.0);
        query
    }

    fn add(&mut self, text: &str, weight: f64) {
        let mut words: Vec<String> = Vec::new();
        each_word(text, &mut |word| {
            let is_number = word.bytes().all(|b| b.is_ascii_digit());
            if word.len() > 1 && !is_number && !STOP.contains(&word) {
                words.push(self.stemmed(word));
            }
        });
        for word in words {
            if let Some(place) = self.places.get(&word) {
                self.weights[usize::from(*place)] += REPEATED;
            } else if let Ok(place) = u16::try_from(self.weights.len())
                && self.weights.len() < MAX_WORDS
            {
                self.starts[start(&word)] = true;
                self.places.insert(word, place);
                self.weights.push(weight);
            }
        }
    }

    fn stemmed(&self, word: &str) -> String {
        match word.is_ascii() {
            true => self.stemmer.stem(word).into_owned(),
            false => word.to_owned(),
        }
    }

    /// Whether the text names the file, including its extension.
    pub fn names(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.contains('.') && name.len() > 3 && self.text.contains(name)
    }

    /// Its words in the order of first occurrence.
    pub fn words(&self) -> Vec<String> {
        let mut words: Vec<(&u16, &String)> =
            self.places.iter().map(|(word, at)| (at, word)).collect();
        words.sort_unstable();
        words.into_iter().map(|(_, word)| word.clone()).collect()
    }

    /// Counts its words in `text`.
    pub fn count(&self, text: &str) -> Counts {
        let mut words = 0;
        let mut seen: Vec<u32> = vec![0; self.weights.len()];
        // Looking up a known word is cheaper than stemming it again.
        let mut known: HashMap<String, Option<u16>> = HashMap::new();
        each_word(text, &mut |word| {
            words += 1;
            if !self.starts[start(word)] {
                return;
            }
            let place = known.get(word).copied().unwrap_or_else(|| {
                let place = self.places.get(&self.stemmed(word)).copied();
                known.insert(word.to_owned(), place);
                place
            });
            if let Some(place) = place {
                seen[usize::from(place)] += 1;
            }
        });
        let of = (0..).zip(seen).filter(|(_, often)| *often > 0);
        Counts {
            words,
            of: of.collect(),
        }
    }
}

/// Splits `type(scope): rest` and `scope: rest` into scope and rest.
fn scope(line: &str) -> (&str, &str) {
    let Some((before, rest)) = line.split_once(": ") else {
        return ("", line);
    };
    let before = before.trim_end_matches('!');
    let inner = before.strip_suffix(')').and_then(|it| it.split_once('('));
    match inner {
        Some((kind, scope)) if !kind.contains(' ') => (scope, rest),
        _ if before.len() <= 30 && before.split(' ').count() <= 2 => (before, rest),
        _ => ("", line),
    }
}

fn start(word: &str) -> usize {
    let mut bytes = word.bytes();
    let mut next = || usize::from(bytes.next().unwrap_or_default());
    next() << 8 | next()
}

/// Calls `tell` for every word in lower case: the parts of an identifier, then the whole identifier
/// if it has several; for Han characters, pairs.
fn each_word(text: &str, tell: &mut dyn FnMut(&str)) {
    let mut whole = String::new();
    // Start of the current part, and the number of parts before it.
    let (mut from, mut parts) = (0, 0);
    let mut before = '\0';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let is_han = is_han(c);
        let is_word = !is_han && (c.is_alphanumeric() || c == '_');
        if is_word && c != '_' {
            // A new part starts in `getList` before `List`, in `HTTPServer` before `Server`.
            let hump = c.is_uppercase()
                && (before.is_lowercase()
                    || before.is_ascii_digit()
                    || (before.is_uppercase()
                        && chars.peek().is_some_and(|next| next.is_lowercase())));
            if hump && from < whole.len() {
                tell(&whole[from..]);
                parts += 1;
                from = whole.len();
            }
            match whole.len() < MAX_WORD {
                true if c.is_ascii() => whole.push(c.to_ascii_lowercase()),
                true => whole.extend(c.to_lowercase()),
                false => {}
            }
        } else {
            if from < whole.len() {
                tell(&whole[from..]);
                parts += 1;
                from = whole.len();
            }
            if !is_word {
                if parts > 1 {
                    tell(&whole);
                }
                whole.clear();
                (from, parts) = (0, 0);
            }
        }
        let is_pair = is_han && self::is_han(before);
        if is_pair && !STOP_HAN.contains(c) && !STOP_HAN.contains(before) {
            tell(&String::from_iter([before, c]));
        }
        before = c;
    }
    if from < whole.len() {
        tell(&whole[from..]);
        parts += 1;
    }
    if parts > 1 {
        tell(&whole);
    }
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let mut words = Vec::new();
        each_word(text, &mut |word| words.push(word.to_owned()));
        words
    }

    #[test]
    fn identifiers_give_parts_and_the_whole() {
        for (text, wanted) in [
            ("getOrderList", "get order list getorderlist"),
            ("order_service.rs", "order service orderservice rs"),
            ("HTTPServer, x", "http server httpserver x"),
            ("sha256Sum utf8", "sha256 sum sha256sum utf8"),
            ("__init__ a-b", "init a b"),
            ("导出订单 CSV", "导出 出订 订单 csv"),
            ("Größe", "größe"),
            ("", ""),
        ] {
            assert_eq!(words(text).join(" "), wanted, "{text}");
        }
    }

    #[test]
    fn a_query_weighs_its_first_line_scope_and_repeats() {
        let query = Query::of("fix(http): retry the requests\n\nRetries of clients.\n");
        let weight = |word: &str| {
            query
                .places
                .get(word)
                .map(|at| query.weights[usize::from(*at)])
        };
        assert_eq!(weight("http"), Some(4.0));
        assert_eq!(weight("retri"), Some(2.3));
        assert_eq!(weight("request"), Some(2.0));
        assert_eq!(weight("client"), Some(1.0));
        assert_eq!(weight("fix"), None);
        assert_eq!(weight("the"), None);
        let counts = query.count("struct HttpClient; // retried requests of clients");
        assert_eq!(counts.words, 8);
        let seen: Vec<u32> = counts.of.iter().map(|(_, often)| *often).collect();
        assert_eq!(seen, [1, 1, 1, 2]);
        assert!(Query::of("please add the new").weights.is_empty());
        assert!(!Query::of("把订单导出").weights.is_empty());
        assert_eq!(
            Query::of("导出").count("fn export() {} // 导出").of.len(),
            2
        );
    }
}
