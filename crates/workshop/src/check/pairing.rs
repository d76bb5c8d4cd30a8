//! Pairs the things of one plan with those of another.

use std::collections::BTreeMap;

use super::diff::PairedBy;
use super::things::Entry;
use crate::machine::similarity::{Lexical, Score, Similarity as _};

/// Minimum lexical similarity of two texts that count as the same thing. Low enough that a sentence
/// with one phrase replaced still matches, and high enough that sentences that only share their
/// phrasing do not.
const SIMILAR: Score = Score::from_thousandths(600);

/// A pair: index in the first list, index in the second, how the match was found.
pub(super) type Pair = (usize, usize, PairedBy);

/// Pairs two lists by id where ids mean the same, otherwise by text. Each thing is paired at most
/// once.
pub(super) fn pair(old: &[Entry], new: &[Entry], by_id: bool) -> Vec<Pair> {
    let mut pairing = Pairing {
        old: vec![false; old.len()],
        new: vec![false; new.len()],
        pairs: Vec::new(),
    };
    if by_id {
        pairing.equal(old, new, PairedBy::Id, |entry| entry.id.clone());
    }
    let nameless = |list: &[Entry]| list.iter().all(|entry| entry.id.is_empty());
    if !by_id || (nameless(old) && nameless(new)) {
        pairing.equal(old, new, PairedBy::Text, |entry| normal(&entry.text));
        pairing.similar(old, new);
    }
    pairing.pairs.sort_by_key(|(i, j, _)| (*j, *i));
    pairing.pairs
}

struct Pairing {
    old: Vec<bool>,
    new: Vec<bool>,
    pairs: Vec<Pair>,
}

impl Pairing {
    fn equal(&mut self, old: &[Entry], new: &[Entry], how: PairedBy, key: fn(&Entry) -> String) {
        let mut places: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (i, entry) in old.iter().enumerate().rev() {
            places.entry(key(entry)).or_default().push(i);
        }
        for (j, entry) in new.iter().enumerate() {
            let key = key(entry);
            if key.is_empty() {
                continue;
            }
            if let Some(i) = places.get_mut(&key).and_then(Vec::pop) {
                self.take(i, j, how);
            }
        }
    }

    /// Pairs the most similar things first. Ties go to the pair whose texts sort first, so that
    /// both directions give the same pairs.
    fn similar(&mut self, old: &[Entry], new: &[Entry]) {
        let mut candidates = Vec::new();
        let measure = Lexical::default();
        for (i, a) in old.iter().enumerate().filter(|(i, _)| !self.old[*i]) {
            let a = normal(&a.text);
            for (j, b) in new.iter().enumerate().filter(|(j, _)| !self.new[*j]) {
                let b = normal(&b.text);
                let alike = measure.score(&a, &b).max(measure.score(&b, &a));
                if alike >= SIMILAR && !a.is_empty() && !b.is_empty() {
                    let texts = if a <= b {
                        (a.clone(), b)
                    } else {
                        (b, a.clone())
                    };
                    candidates.push((alike, texts, i, j));
                }
            }
        }
        candidates.sort_by(|x, y| {
            y.0.cmp(&x.0)
                .then_with(|| (&x.1, x.2, x.3).cmp(&(&y.1, y.2, y.3)))
        });
        for (_, _, i, j) in candidates {
            if !self.old[i] && !self.new[j] {
                self.take(i, j, PairedBy::Similarity);
            }
        }
    }

    fn take(&mut self, i: usize, j: usize, how: PairedBy) {
        self.old[i] = true;
        self.new[j] = true;
        self.pairs.push((i, j, how));
    }
}

/// A text in comparable form: lower case, letters and digits, one space between words.
fn normal(text: &str) -> String {
    let kept: String = text
        .chars()
        .map(|c| if c.is_alphanumeric() { c } else { ' ' })
        .collect();
    let words: Vec<&str> = kept.split_whitespace().collect();
    words.join(" ").to_lowercase()
}
