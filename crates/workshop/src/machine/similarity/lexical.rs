//! The built-in measure: character n-grams, for both English and Chinese.
//!
//! It needs no dictionary and no model, and gives the same number for the same two texts on every
//! machine. It uses only additions and square roots, which every processor rounds alike, and adds
//! in the order of the grams.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::rc::Rc;

use super::normal::{Token, each_token, negations};
use super::{Score, Similarity};

/// Name of the lexical measure.
pub const LEXICAL: &str = "lexical";

/// Lengths of grams within a word, including its end markers.
const WORD_GRAMS: [usize; 3] = [3, 4, 5];
/// Lengths of grams within a run of Han characters.
const HAN_GRAMS: [usize; 3] = [1, 2, 3];
/// Containment counts in full only if the shorter text has at least this share of the longer text's
/// length.
const FULL_CONTAINMENT: f64 = 0.5;

/// Factor for a score if the two texts have different numbers of negations: one small word reverses
/// a long sentence.
const OTHER_SIGN: f64 = 0.7;

/// The higher of two ratios: the cosine over the square roots of gram counts, and the share of the
/// later text that the earlier one contains. Reduced if the number of negations differs. Each text
/// is split into grams once, however many texts it is compared with.
#[derive(Debug, Default)]
pub struct Lexical {
    seen: RefCell<HashMap<String, Rc<Grams>>>,
    /// Grams from the previous measurement.
    before: HashMap<String, Rc<Grams>>,
}

impl Lexical {
    /// Measures with the grams of this thread's previous measurement as a cache: three of four
    /// texts of a round were already compared in the round before. Older grams are dropped.
    pub fn recent<T>(measure: impl FnOnce(&Self) -> T) -> T {
        thread_local! {
            static LAST: RefCell<HashMap<String, Rc<Grams>>> = RefCell::default();
        }
        let memo = Self {
            seen: RefCell::default(),
            before: LAST.take(),
        };
        let measured = measure(&memo);
        LAST.set(memo.seen.into_inner());
        measured
    }

    fn grams(&self, text: &str) -> Rc<Grams> {
        if let Some(grams) = self.seen.borrow().get(text) {
            return Rc::clone(grams);
        }
        let grams = self.before.get(text).cloned();
        let grams = grams.unwrap_or_else(|| Rc::new(Grams::of(text)));
        let kept = Rc::clone(&grams);
        self.seen.borrow_mut().insert(text.to_owned(), kept);
        grams
    }
}

impl Similarity for Lexical {
    fn name(&self) -> &str {
        LEXICAL
    }

    fn score(&self, earlier: &str, later: &str) -> Score {
        compare(&self.grams(earlier), &self.grams(later))
    }
}

fn compare(earlier: &Grams, later: &Grams) -> Score {
    // Two texts without letters are equal; a text without letters has nothing in common with one
    // that has some.
    match (earlier.is_empty(), later.is_empty()) {
        (true, true) => Score::ONE,
        (false, false) => {
            let same_sign = earlier.negations == later.negations;
            let factor = if same_sign { 1.0 } else { OTHER_SIGN };
            Score::from_ratio(factor * earlier.holds(later))
        }
        _ => Score::ZERO,
    }
}

/// A gram packed into a number: five characters of a word at 12 bits each, which distinguishes the
/// letters of most alphabets and nearly all others, or three Han characters at 21 bits. The highest
/// bit says which.
type Gram = u64;

const WORD_BITS: u32 = 12;
const HAN_BITS: u32 = 21;
const IS_HAN: Gram = 1 << 63;

/// How often each gram occurs in a text.
#[derive(Debug)]
struct Grams {
    /// Each distinct gram with its count, in order.
    counts: Vec<(Gram, u32)>,
    total: u32,
    /// Number of words and characters that negate.
    negations: usize,
}

impl Grams {
    fn of(text: &str) -> Self {
        let mut negating = 0;
        let mut grams: Vec<Gram> = Vec::with_capacity(text.len() * 2);
        each_token(text, |token| {
            negating += negations(token);
            match token {
                // The end markers distinguish `form` from the middle of `reformat`.
                Token::Word(word) => {
                    let marked = ['^'].into_iter().chain(word.chars()).chain(['$']);
                    pack(marked, WORD_GRAMS, WORD_BITS, |run| grams.push(run));
                }
                Token::Han(han) => {
                    pack(han.chars(), HAN_GRAMS, HAN_BITS, |run| {
                        grams.push(IS_HAN | run);
                    });
                }
            }
        });
        grams.sort_unstable();
        let total = u32::try_from(grams.len()).unwrap_or(u32::MAX);
        let runs = grams.chunk_by(|a, b| a == b);
        let counts = runs
            .filter_map(|run| Some((*run.first()?, u32::try_from(run.len()).ok()?)))
            .collect();
        Self {
            counts,
            total,
            negations: negating,
        }
    }

    fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Returns the cosine of the two, each gram weighted by the square root of its count, so that a
    /// word said five times does not weigh five times as much; or, if higher, the share of `later`
    /// that `self` contains, reduced for a much shorter text, whose grams occur in any long text.
    fn holds(&self, later: &Self) -> f64 {
        let (mut product, mut held) = (0.0, 0_u32);
        self.shared(later, |mine, theirs| {
            product += f64::from(mine).sqrt() * f64::from(theirs).sqrt();
            held += mine.min(theirs);
        });
        // The weights are square roots, so their squares are the counts.
        let (mine, theirs) = (f64::from(self.total), f64::from(later.total));
        let cosine = product / (mine * theirs).sqrt();
        let share = f64::from(held) / theirs;
        let containment = share * (theirs / mine / FULL_CONTAINMENT).min(1.0);
        cosine.max(containment)
    }

    /// Calls `see` with the counts of each gram that both have, in the order of the grams.
    fn shared(&self, other: &Self, mut see: impl FnMut(u32, u32)) {
        let (mut mine, mut theirs) = (self.counts.iter(), other.counts.iter());
        let (mut one, mut another) = (mine.next(), theirs.next());
        while let (Some((a, count)), Some((b, others))) = (one, another) {
            match a.cmp(b) {
                Ordering::Less => one = mine.next(),
                Ordering::Greater => another = theirs.next(),
                Ordering::Equal => {
                    see(*count, *others);
                    (one, another) = (mine.next(), theirs.next());
                }
            }
        }
    }
}

/// Calls `see` with every run of adjacent characters of the given lengths, packed at `bits` per
/// character.
fn pack(
    chars: impl Iterator<Item = char>,
    lengths: [usize; 3],
    bits: u32,
    mut see: impl FnMut(Gram),
) {
    let low = |bits: u32| (1 << bits) - 1;
    let masks = lengths.map(|length| (length, low(bits * length as u32)));
    let one = low(bits);
    let mut packed: Gram = 0;
    for (before, c) in chars.enumerate() {
        packed = packed << bits | (Gram::from(u32::from(c)) & one);
        for (length, mask) in masks {
            if before + 1 >= length {
                see(packed & mask);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(earlier: &str, later: &str) -> u64 {
        Lexical::default().score(earlier, later).thousandths()
    }

    #[test]
    fn what_is_remembered_changes_no_score() {
        let texts = [
            "Cache the token for a minute.",
            "缓存令牌一分钟。",
            "",
            "Never cache it.",
        ];
        let compare = |memo: &Lexical| {
            for earlier in texts {
                for later in texts {
                    let anew = Lexical::default().score(earlier, later);
                    assert_eq!(memo.score(earlier, later), anew);
                }
            }
        };
        compare(&Lexical::default());
        // The second run uses the grams cached by the first.
        Lexical::recent(compare);
        Lexical::recent(|memo| {
            assert_eq!(memo.before.len(), texts.len());
            compare(memo);
        });
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
