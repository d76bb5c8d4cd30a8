//! Words that indicate agreement or disagreement, and whether disagreement has ended.
//!
//! English indicators match whole words, so "disagree" does not contain "agree"; for Chinese the
//! longest indicator matches first, so "不同意" does not contain "同意". A negation before an agreement
//! makes it a disagreement ("not agreed"); before a disagreement it cancels it ("no objection",
//! "没有异议"). Questions, quotes and code do not state a member's opinion and are left out.
//!
//! This is only an indicator for people. Agreement is counted from stances.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::normal::{Token, each_run, narrow};
use super::speech_text;
use crate::fence::Fence;
use crate::lang::Lang;
use crate::machine::inputs::Inputs;
use crate::machine::state::State;
use crate::machine::templates::TemplateCache;
use crate::yaml::{self, Tree};

/// Key of the list in a run's templates.
pub const KEYWORDS: &str = "keywords.yaml";

const EN: &str = include_str!("keywords.en.yaml");
const ZH: &str = include_str!("keywords.zh.yaml");

/// Returns the built-in list of a language, which a workspace may replace by a template of
/// the name [`KEYWORDS`].
pub fn built_in_keywords(lang: Lang) -> &'static str {
    match lang {
        Lang::En => EN,
        Lang::Zh => ZH,
    }
}

/// Maximum size of a list, in bytes.
const MAX_BYTES: usize = 16 * 1024;
/// How many words, or Chinese characters, before an indicator of disagreement are searched for a
/// negation.
const NEAR: usize = 3;
/// The same for an indicator of agreement: "not reached any kind of consensus", 「没有就此达成任何共识」. A
/// wrong disagreement costs a round, a wrong agreement costs a plan.
const FAR: usize = 8;

/// A list that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line} of `keywords.yaml`: {what}; write lists under `agreement`, `disagreement` and `negation`"
)]
pub struct BadKeywords {
    /// Line number, from 1.
    pub line: u64,
    /// What is wrong.
    pub what: String,
}

/// Indicator words and phrases, in lower case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Keywords {
    agreement: Phrases,
    disagreement: Phrases,
    negation: Phrases,
}

/// Entries by their first word, each with its remaining words; in a Chinese entry every character
/// is a word. Indexed by first word because a text has thousands of words, few of which begin an
/// entry.
type Phrases = BTreeMap<String, Vec<Vec<String>>>;

/// The lists in use, by language and configured additions.
static READ: TemplateCache<(Lang, [Vec<String>; 3]), Keywords> = TemplateCache::new();

/// How often indicators occur in a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct KeywordCounts {
    /// Indicators of agreement.
    pub agreement: u32,
    /// Indicators of disagreement, including negated agreement.
    pub disagreement: u32,
}

/// Indicators over the last rounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Convergence {
    /// Indicators of disagreement in the earlier rounds of the window; 0 if the last round alone
    /// shows that nothing has converged.
    pub before: u32,
    /// Indicators in the last round.
    pub now: KeywordCounts,
    /// Speeches of the last round with an indicator of agreement.
    pub agreeing: u32,
    /// Speeches of the last round.
    pub speaking: u32,
}

impl Convergence {
    /// Returns whether disagreement ended and more than half of the speeches agree. A round that
    /// was never preceded by disagreement has not converged.
    pub fn is_reached(&self) -> bool {
        self.before > 0 && self.reads_agreed()
    }

    /// Returns whether the last round by itself reads as agreement.
    fn reads_agreed(&self) -> bool {
        self.now.disagreement == 0 && self.agreeing * 2 > self.speaking
    }
}

/// Returns the indicators of disagreement over the last `lookback` rounds, at least 2; `None` if
/// there were fewer rounds.
pub fn convergence(state: &State, keywords: &Keywords, lookback: u32) -> Option<Convergence> {
    let first = (state.round + 1).checked_sub(lookback.max(2))?;
    if first == 0 {
        return None;
    }
    let counts = |round| {
        let texts = state
            .discussion
            .speeches_of(round)
            .map(|s| speech_text(&s.speech));
        texts
            .map(|text| keywords.count(&text))
            .collect::<Vec<KeywordCounts>>()
    };
    let last = counts(state.round);
    let now = KeywordCounts {
        agreement: last.iter().map(|here| here.agreement).sum(),
        disagreement: last.iter().map(|here| here.disagreement).sum(),
    };
    let agreeing = last.iter().filter(|here| here.agreement > 0).count();
    let mut seen = Convergence {
        before: 0,
        now,
        agreeing: agreeing as u32,
        speaking: last.len() as u32,
    };
    if seen.reads_agreed() {
        let earlier = (first..state.round).flat_map(counts);
        seen.before = earlier.map(|here| here.disagreement).sum();
    }
    Some(seen)
}

impl Keywords {
    /// Returns the keywords of a run: the frozen list of its language, the built-in list of the
    /// other language, and the configured additions. Runs with the same lists share them.
    ///
    /// # Errors
    /// The list of the workspace cannot be read.
    pub fn of(inputs: &Inputs) -> Result<Arc<Self>, BadKeywords> {
        let added = [
            &inputs.rules.similarity.agreement_words,
            &inputs.rules.ending.convergence_indicator,
            &inputs.rules.similarity.disagreement_words,
        ];
        let key = (inputs.doc_lang, added.map(Vec::clone));
        READ.held(&inputs.templates, key, || Self::new(inputs))
    }

    fn new(inputs: &Inputs) -> Result<Self, BadKeywords> {
        let (own, other) = match inputs.doc_lang {
            Lang::En => (EN, ZH),
            Lang::Zh => (ZH, EN),
        };
        let own = inputs.templates.get(KEYWORDS).map_or(own, String::as_str);
        let mut all = Self::default();
        all.read(own)?;
        all.read(other)?;
        let add = |list: &mut Phrases, more: &[String]| {
            for text in more {
                enter(list, text);
            }
        };
        add(&mut all.agreement, &inputs.rules.similarity.agreement_words);
        add(
            &mut all.agreement,
            &inputs.rules.ending.convergence_indicator,
        );
        add(
            &mut all.disagreement,
            &inputs.rules.similarity.disagreement_words,
        );
        Ok(all)
    }

    fn read(&mut self, text: &str) -> Result<(), BadKeywords> {
        let bad = |line, what: &str| BadKeywords {
            line,
            what: what.to_owned(),
        };
        let root = yaml::read(text, MAX_BYTES).map_err(|e| bad(e.line, &e.what.en))?;
        let Tree::Map(lists) = root.value else {
            return Err(bad(root.line, "it is no mapping"));
        };
        for (name, line, node) in lists {
            let list = match name.as_str() {
                "agreement" => &mut self.agreement,
                "disagreement" => &mut self.disagreement,
                "negation" => &mut self.negation,
                _ => return Err(bad(line, "this is no list of keywords")),
            };
            let Tree::List(items) = node.value else {
                return Err(bad(line, "this must be a list"));
            };
            for item in items {
                match item.value {
                    Tree::Text(text) => enter(list, &text),
                    _ => return Err(bad(item.line, "this must be a word")),
                }
            }
        }
        Ok(())
    }

    /// Counts the indicators in a text.
    pub fn count(&self, text: &str) -> KeywordCounts {
        let mut counts = KeywordCounts::default();
        for clause in clauses(text) {
            self.count_clause(&words(&clause), &mut counts);
        }
        counts
    }

    fn count_clause(&self, words: &[String], counts: &mut KeywordCounts) {
        let mut at = 0;
        while at < words.len() {
            let disagrees = longest(&self.disagreement, words, at);
            let agrees = longest(&self.agreement, words, at);
            if disagrees.max(agrees) == 0 {
                at += 1;
                continue;
            }
            // A tie counts as disagreement, for the reason given at `FAR`.
            let is_against = disagrees >= agrees;
            let negated = self.is_negated(words, at, if is_against { NEAR } else { FAR });
            match (is_against, negated) {
                (true, false) | (false, true) => counts.disagreement += 1,
                (false, false) => counts.agreement += 1,
                (true, true) => {}
            }
            at += disagrees.max(agrees);
        }
    }

    fn is_negated(&self, words: &[String], at: usize, reach: usize) -> bool {
        // Only within the clause: "not yet agreed", "尚未达成共识".
        (at.saturating_sub(reach)..at).any(|start| {
            words[start].ends_with("n't") || longest(&self.negation, &words[..at], start) > 0
        })
    }
}

/// Returns the number of words of the longest entry that matches at `at`; 0 if none does.
fn longest(list: &Phrases, words: &[String], at: usize) -> usize {
    let Some((first, rest)) = words[at..].split_first() else {
        return 0;
    };
    list.get(first)
        .into_iter()
        .flatten()
        .filter(|after| rest.starts_with(after))
        .map(|after| 1 + after.len())
        .max()
        .unwrap_or(0)
}

/// Adds an entry; an entry without a word is ignored.
fn enter(list: &mut Phrases, text: &str) {
    let mut words = words(text).into_iter();
    if let Some(first) = words.next() {
        list.entry(first).or_default().push(words.collect());
    }
}

/// Splits a text into lower-case words. Every Chinese character is a word of its own, so that the
/// longest entry can be found without a dictionary.
fn words(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    each_run(text, |run| match run {
        Token::Word(word) => all.push(word.to_owned()),
        Token::Han(han) => all.extend(han.chars().map(String::from)),
    });
    all
}

/// Returns the clauses of a text that are statements, without code, quotes and questions.
fn clauses(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut fence = Fence::default();
    for line in text.lines().map(str::trim_start) {
        if fence.holds(line) || line.starts_with('>') {
            continue;
        }
        let mut sentence = Vec::new();
        let mut clause = String::new();
        for c in line.chars().map(narrow).chain(['\n']) {
            match c {
                '?' => {
                    sentence.clear();
                    clause.clear();
                }
                '.' | '!' | '\n' | '。' => {
                    sentence.push(std::mem::take(&mut clause));
                    all.append(&mut sentence);
                }
                ',' | ';' | ':' | '、' | '—' => sentence.push(std::mem::take(&mut clause)),
                _ => clause.push(c),
            }
        }
    }
    all
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn keywords() -> Keywords {
        let mut all = Keywords::default();
        all.read(EN).unwrap();
        all.read(ZH).unwrap();
        all
    }

    #[test]
    fn indicators_are_whole_words_and_know_negation() {
        let keywords = keywords();
        for (text, agreement, disagreement) in [
            ("I agree.", 1, 0),
            ("I disagree.", 0, 1),
            ("This is not agreed yet.", 0, 1),
            ("We don’t agree.", 0, 1),
            ("I have no objection.", 0, 0),
            ("I withdraw my objection.", 1, 0),
            ("No, I agree.", 1, 0),
            ("Do we agree?", 0, 0),
            ("> I object\n\nThe objective is clear.", 0, 0),
            ("```\nreject\n```\nAgreed, exactly.", 1, 0),
            ("CSV support is what the support team wants.", 0, 0),
            ("We support the proposal.", 1, 0),
            ("We have not reached any kind of consensus.", 0, 1),
            ("That does not at all change that I object.", 0, 1),
            ("我们没有达成共识。", 0, 1),
            ("并没有就此达成任何一致。", 0, 1),
            ("我同意。", 1, 0),
            ("我不同意。", 0, 1),
            ("我没有异议，同意。", 1, 0),
            ("目前尚未达成共识，分歧还在。", 0, 2),
            ("大家尚未同意。", 0, 1),
            ("同意吗？反对！", 0, 1),
            ("我撤回反对。", 1, 0),
            ("ＡＧＲＥＥＤ，没有分歧", 1, 0),
        ] {
            let wanted = KeywordCounts {
                agreement,
                disagreement,
            };
            assert_eq!(keywords.count(text), wanted, "{text}");
        }
    }

    #[test]
    fn lists_with_mistakes_are_refused_with_their_line() {
        for (text, line) in [
            ("agreement:\n  - yes\nother:\n  - no\n", 3),
            ("agreement: yes\n", 1),
            ("agreement:\n  - [a]\n", 2),
        ] {
            let bad = Keywords::default().read(text).unwrap_err();
            assert_eq!(bad.line, line, "{text}: {bad}");
        }
    }
}
