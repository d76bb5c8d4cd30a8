//! The part of a text that is compared: letters and digits, without mark-up and filler words.

/// English function words, which carry no meaning of their own. Negations are not among them
/// because they change the meaning. Sorted for the binary search.
const FILLER: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "been", "but", "by", "for", "from", "had", "has",
    "have", "i", "if", "in", "into", "is", "it", "its", "of", "on", "or", "our", "should", "so",
    "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those",
    "to", "us", "was", "we", "were", "which", "will", "with", "would", "you", "your",
];

/// Length of the longest filler word, in bytes.
const LONGEST_FILLER: usize = 6;

/// Han characters that are only function words.
const FILLER_HAN: &str = "的了着地得吧呢吗啊也就都而与和及并且";

/// English words that negate a sentence; so does every word that ends in `n't`.
const NEGATING: &[&str] = &[
    "against", "cannot", "neither", "never", "no", "nobody", "none", "nor", "not", "nothing",
    "object", "reject", "without",
];

/// Han characters that negate; `OBJECTING_HAN` is a word that negates without one of them.
const NEGATING_HAN: &str = "不没无未非勿";
const OBJECTING_HAN: &str = "反对";

/// Counts the negations in a run.
pub(super) fn negations(token: Token<'_>) -> usize {
    match token {
        Token::Word(word) => usize::from(NEGATING.contains(&word) || word.ends_with("n't")),
        Token::Han(han) => {
            let negating = han.chars().filter(|c| NEGATING_HAN.contains(*c)).count();
            negating + han.matches(OBJECTING_HAN).count()
        }
    }
}

/// A run of letters and digits of one script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// A word of a script with spaces between words, in lower case.
    Word(&'a str),
    /// A run of Han, Kana or Hangul.
    Han(&'a str),
}

/// Calls `see` with the runs of a text that [`each_run`] finds, without filler.
pub(super) fn each_token(text: &str, mut see: impl FnMut(Token<'_>)) {
    let mut kept = String::new();
    each_run(text, |run| match run {
        Token::Word(word) => {
            // An apostrophe is part of a word only inside it: `don't`, but not `'quoted'`.
            let whole = word.trim_matches('\'');
            let is_filler = whole.len() <= LONGEST_FILLER && FILLER.binary_search(&whole).is_ok();
            if !whole.is_empty() && !is_filler {
                see(Token::Word(whole));
            }
        }
        Token::Han(han) => {
            kept.clear();
            kept.extend(han.chars().filter(|c| !FILLER_HAN.contains(*c)));
            if !kept.is_empty() {
                see(Token::Han(&kept));
            }
        }
    });
}

/// Calls `see` with the runs of a text, in order: lower case, full-width forms made narrow, without
/// punctuation and mark-up.
pub(super) fn each_run(text: &str, mut see: impl FnMut(Token<'_>)) {
    let (mut word, mut han) = (String::new(), String::new());
    for c in text.chars().map(narrow).chain([' ']) {
        let ideograph = is_ideograph(c);
        if !ideograph && !han.is_empty() {
            see(Token::Han(&han));
            han.clear();
        }
        let wordly = !ideograph && is_wordly(c);
        if !wordly && !word.is_empty() {
            see(Token::Word(&word));
            word.clear();
        }
        if ideograph {
            han.push(c);
        } else if wordly && c.is_ascii() {
            word.push(c.to_ascii_lowercase());
        } else if wordly {
            word.extend(c.to_lowercase());
        }
    }
}

/// Returns the narrow form of full-width Latin letters, digits and signs.
pub(super) fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{2019}' => '\'',
        _ => c,
    }
}

/// Returns whether the character's script puts no spaces between words.
pub(in crate::machine) fn is_ideograph(c: char) -> bool {
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
    match c.is_ascii() {
        true => c.is_ascii_alphanumeric() || c == '\'',
        false => c.is_alphanumeric(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Vec<String> {
        let mut seen = Vec::new();
        each_token(text, |token| match token {
            Token::Word(text) | Token::Han(text) => seen.push(text.to_owned()),
        });
        seen
    }

    #[test]
    fn filler_is_in_order_and_no_longer_than_is_said() {
        assert!(FILLER.is_sorted());
        let longest = FILLER.iter().map(|word| word.len()).max();
        assert_eq!(longest, Some(LONGEST_FILLER));
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
