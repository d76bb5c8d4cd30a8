//! The built-in measure: character n-grams, for English and Chinese alike.
//!
//! No dictionary, no model, no state: two texts give one number, on every
//! machine the same. Only additions and square roots are used, which every
//! processor rounds alike, and sums run in the order of the grams.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::normal::{Token, negations, tokens};
use super::{Score, Similarity};

/// Name of the lexical measure.
pub const LEXICAL: &str = "lexical";

/// Lengths of grams within a word, its ends marked.
const WORD_GRAMS: [usize; 3] = [3, 4, 5];
/// Lengths of grams within a run of Han.
const HAN_GRAMS: [usize; 3] = [1, 2, 3];
/// Containment counts in full only when the shorter text is at least this share of the longer.
const FULL_CONTAINMENT: f64 = 0.5;

/// What is left of a score when one text says "not" more often than the other: one
/// small word makes the opposite of a long sentence.
const OTHER_SIGN: f64 = 0.7;

/// Cosine over the square roots of gram counts, or containment of the later text
/// in the earlier one, whichever is higher; less if the number of negations differs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Lexical;

impl Similarity for Lexical {
    fn name(&self) -> &str {
        LEXICAL
    }

    fn score(&self, earlier: &str, later: &str) -> Score {
        compare(&Grams::of(earlier), &Grams::of(later))
    }
}

/// The lexical measure of many pairs among the same texts: each is taken apart once.
#[derive(Debug, Default)]
pub struct LexicalMemo {
    seen: RefCell<HashMap<String, Rc<Grams>>>,
}

impl LexicalMemo {
    fn grams(&self, text: &str) -> Rc<Grams> {
        if let Some(grams) = self.seen.borrow().get(text) {
            return Rc::clone(grams);
        }
        let grams = Rc::new(Grams::of(text));
        let kept = Rc::clone(&grams);
        self.seen.borrow_mut().insert(text.to_owned(), kept);
        grams
    }
}

impl Similarity for LexicalMemo {
    fn name(&self) -> &str {
        LEXICAL
    }

    fn score(&self, earlier: &str, later: &str) -> Score {
        compare(&self.grams(earlier), &self.grams(later))
    }
}

fn compare(earlier: &Grams, later: &Grams) -> Score {
    // Two texts without a letter are alike, one without is like none.
    match (earlier.is_empty(), later.is_empty()) {
        (true, true) => Score::ONE,
        (false, false) => {
            let same_sign = earlier.negations == later.negations;
            let factor = if same_sign { 1.0 } else { OTHER_SIGN };
            Score::from_ratio(factor * earlier.cosine(later).max(earlier.containment(later)))
        }
        _ => Score::ZERO,
    }
}

/// How often each gram occurs in a text.
#[derive(Debug)]
struct Grams {
    counts: BTreeMap<String, u32>,
    /// Words and characters that negate.
    negations: usize,
}

impl Grams {
    fn of(text: &str) -> Self {
        let mut counts = BTreeMap::new();
        let tokens = tokens(text);
        let negations = tokens.iter().map(negations).sum();
        for token in tokens {
            let (chars, lengths): (Vec<char>, _) = match token {
                // The ends tell `form` from the middle of `reformat`.
                Token::Word(word) => (format!("^{word}$").chars().collect(), WORD_GRAMS),
                Token::Han(han) => (han.chars().collect(), HAN_GRAMS),
            };
            for gram in lengths.iter().flat_map(|n| chars.windows(*n)) {
                *counts.entry(gram.iter().collect()).or_default() += 1;
            }
        }
        Self { counts, negations }
    }

    fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Cosine of the two, each gram weighted by the square root of its count: a
    /// word said five times does not weigh five times.
    fn cosine(&self, other: &Self) -> f64 {
        let shared: f64 = self
            .counts
            .iter()
            .filter_map(|(gram, count)| Some((count, other.counts.get(gram)?)))
            .map(|(a, b)| f64::from(*a).sqrt() * f64::from(*b).sqrt())
            .sum();
        // The squares of the weights are the counts themselves.
        let (mine, others) = (self.total(), other.total());
        shared / (f64::from(mine) * f64::from(others)).sqrt()
    }

    /// Which share of `later` stands in `self`; less for a text that is much
    /// shorter, whose grams occur in any long text.
    fn containment(&self, later: &Self) -> f64 {
        let held: u32 = later
            .counts
            .iter()
            .map(|(gram, count)| (*count).min(self.counts.get(gram).copied().unwrap_or(0)))
            .sum();
        let share = f64::from(held) / f64::from(later.total());
        let length = f64::from(later.total()) / f64::from(self.total());
        share * (length / FULL_CONTAINMENT).min(1.0)
    }

    fn total(&self) -> u32 {
        self.counts.values().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(earlier: &str, later: &str) -> u64 {
        Lexical.score(earlier, later).thousandths()
    }

    #[test]
    fn what_is_remembered_changes_no_score() {
        let texts = [
            "Cache the token for a minute.",
            "缓存令牌一分钟。",
            "",
            "Never cache it.",
        ];
        let memo = LexicalMemo::default();
        for earlier in texts {
            for later in texts {
                assert_eq!(memo.score(earlier, later), Lexical.score(earlier, later));
            }
        }
    }

    #[test]
    fn a_text_is_like_itself_whatever_its_markup() {
        for text in ["Cache the token for a minute.", "缓存令牌一分钟。", "", "!"] {
            assert_eq!(score(text, text), 1000, "{text}");
        }
        assert_eq!(score("Cache the *token*!", "- cache Token"), 1000);
        assert_eq!(score("缓存，令牌", "缓存、令牌。"), 1000);
    }

    #[test]
    fn nothing_in_common_is_zero() {
        assert_eq!(score("Cache the token", "缓存令牌"), 0);
        assert_eq!(score("", "Cache the token"), 0);
        assert_eq!(score("...", "缓存"), 0);
    }

    #[test]
    fn what_is_shortened_says_nothing_new_and_what_is_added_does() {
        let short = "Keep the export in one file per month, written in the background.";
        let long = format!("{short} The finance team also needs a column for the tax rate.");
        assert_eq!(score(&long, short), 1000);
        assert!(score(short, &long) < 850, "{}", score(short, &long));
    }

    #[test]
    fn a_negation_more_or_less_is_no_repeat() {
        let said = "We keep the interface as it is and add a second version beside it.";
        let opposite = "We do not keep the interface as it is and add no second version beside it.";
        assert!(score(said, opposite) < 750, "{}", score(said, opposite));
        assert!(score("接口保持不变，增加第二版", "接口保持变，不增加第二版") > 750);
        assert!(score("由管理员邀请新成员", "不由管理员邀请新成员") < 750);
    }

    #[test]
    fn a_word_or_two_of_a_long_speech_is_no_repeat_of_it() {
        let long =
            "Keep the export in one file per month. Write it in the background and mail a link.";
        assert!(
            score(long, "The export.") < 500,
            "{}",
            score(long, "The export.")
        );
    }
}
