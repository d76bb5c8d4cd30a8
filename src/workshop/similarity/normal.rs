//! What of a text is compared: letters and digits, without mark-up and filler.

/// Words that hold an English sentence together and say nothing of its subject.
/// Negations are not among them: they are the subject. In order, for the search.
const FILLER: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "been", "but", "by", "for", "from", "had", "has",
    "have", "i", "if", "in", "into", "is", "it", "its", "of", "on", "or", "our", "should", "so",
    "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those",
    "to", "us", "was", "we", "were", "which", "will", "with", "would", "you", "your",
];

/// Han characters that only hold a sentence together.
const FILLER_HAN: &str = "的了着地得吧呢吗啊也就都而与和及并且";

/// English words that turn a sentence round; so does every word that ends in `n't`.
const NEGATING: &[&str] = &[
    "against", "cannot", "neither", "never", "no", "nobody", "none", "nor", "not", "nothing",
    "object", "reject", "without",
];

/// Han characters that do, and words that do without one of them.
const NEGATING_HAN: &str = "不没无未非勿";
const OBJECTING_HAN: &str = "反对";

/// How often a run negates.
pub(super) fn negations(token: &Token) -> usize {
    match token {
        Token::Word(word) => {
            usize::from(NEGATING.contains(&word.as_str()) || word.ends_with("n't"))
        }
        Token::Han(han) => {
            let negating = han.chars().filter(|c| NEGATING_HAN.contains(*c)).count();
            negating + han.matches(OBJECTING_HAN).count()
        }
    }
}

/// A run of letters and digits of one script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A word of a script that puts spaces between words, in lower case.
    Word(String),
    /// A run of Han, Kana or Hangul, filler left out.
    Han(String),
}

/// The runs of a text, in order: lower case, full-width forms made narrow,
/// punctuation and mark-up dropped, filler left out.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let (mut word, mut han) = (String::new(), String::new());
    for c in text.chars().map(narrow).chain([' ']) {
        let ideograph = is_ideograph(c);
        if !ideograph {
            flush_han(&mut han, &mut tokens);
        }
        if ideograph || !is_wordly(c) {
            flush_word(&mut word, &mut tokens);
        }
        if ideograph {
            han.push(c);
        } else if c.is_ascii() && is_wordly(c) {
            word.push(c.to_ascii_lowercase());
        } else if is_wordly(c) {
            word.extend(c.to_lowercase());
        }
    }
    tokens
}

fn flush_word(word: &mut String, tokens: &mut Vec<Token>) {
    if word.is_empty() {
        return;
    }
    // An apostrophe belongs to a word only within it: `don't`, but not `'quoted'`.
    let whole = word.trim_matches('\'');
    if !whole.is_empty() && FILLER.binary_search(&whole).is_err() {
        tokens.push(Token::Word(whole.to_owned()));
    }
    word.clear();
}

fn flush_han(han: &mut String, tokens: &mut Vec<Token>) {
    if han.is_empty() {
        return;
    }
    han.retain(|c| !FILLER_HAN.contains(c));
    if !han.is_empty() {
        tokens.push(Token::Han(std::mem::take(han)));
    }
}

/// Full-width Latin letters, digits and signs as their narrow forms.
pub(super) fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{2019}' => '\'',
        _ => c,
    }
}

/// Is it a character of a script that puts no spaces between words?
pub(super) fn is_ideograph(c: char) -> bool {
    !c.is_ascii()
        && matches!(
            c,
            '\u{3040}'..='\u{30ff}'
                | '\u{3400}'..='\u{4dbf}'
                | '\u{4e00}'..='\u{9fff}'
                | '\u{ac00}'..='\u{d7af}'
                | '\u{f900}'..='\u{faff}'
                | '\u{20000}'..='\u{323af}'
        )
}

fn is_wordly(c: char) -> bool {
    c.is_alphanumeric() || c == '\''
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Vec<String> {
        tokens(text)
            .into_iter()
            .map(|token| match token {
                Token::Word(text) | Token::Han(text) => text,
            })
            .collect()
    }

    #[test]
    fn filler_is_in_order() {
        assert!(FILLER.is_sorted());
    }

    #[test]
    fn markup_case_and_width_do_not_matter() {
        let one = "We should **cache** the `Session`-token, 2 min.";
        let other = "- cache session token (２ ＭＩＮ)";
        assert_eq!(plain(one), ["cache", "session", "token", "2", "min"]);
        assert_eq!(plain(one), plain(other));
    }

    #[test]
    fn scripts_are_told_apart_and_filler_is_dropped() {
        assert_eq!(
            plain("我们用 Redis 做缓存，并且限制60秒。"),
            ["我们用", "redis", "做缓存", "限制", "60", "秒"]
        );
    }

    #[test]
    fn negations_are_kept() {
        assert_eq!(
            plain("We don’t agree; 'not' now"),
            ["don't", "agree", "not", "now"]
        );
        assert_eq!(plain("不同意的"), ["不同意"]);
    }
}
