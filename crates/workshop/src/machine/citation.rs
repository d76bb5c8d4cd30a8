//! Checks whether a citation refers to something on record.
//!
//! The coach may answer a question from what was said or found, and cites the place. If nobody can
//! look that place up, the citation does not count and the question goes to the user.

use std::collections::BTreeSet;

use super::normalize::{REQUIREMENT, canonical_id};
use super::question::Question;
use super::similarity::{Lexical, Score, Similarity, is_ideograph, speech_text};
use super::state::State;
use crate::clean::letters;
use crate::role::RoleId;

/// Returns whether `cites` names the requirement, an id of this run, a member who spoke, or a file
/// of the survey or of an inquiry.
pub(super) fn is_on_record(state: &State, cites: &str) -> bool {
    if is_found(state, cites) {
        return true;
    }
    !denies(cites)
        && (names_requirement(state, cites)
            || words(cites).any(|word| is_known_id(state, word) || is_speaker(state, word)))
}

/// Returns whether it says, outside of quotations, that there is no source for the answer: "the
/// requirement does not say, it is my guess".
fn denies(cites: &str) -> bool {
    const DENIALS: [&str; 9] = [
        "not", "nowhere", "nothing", "never", "none", "guess", "guessing", "assumed", "doesn",
    ];
    const HAN_DENIALS: [&str; 7] = ["没有", "并未", "未说", "未提", "不含", "猜", "推测"];
    let is_quote = |c: char| "\"`“”「」".contains(c);
    let own: String = cites
        .split(is_quote)
        .step_by(2)
        .collect::<Vec<_>>()
        .join(" ");
    words(&own).any(|word| DENIALS.contains(&word.to_lowercase().as_str()))
        || HAN_DENIALS.iter().any(|word| own.contains(word))
}

/// Minimum score at which an answer counts as repeating a recommendation.
const SAYS_THE_SAME: Score = Score::from_thousandths(500);

/// Returns whether the answer only repeats the asker's recommendation, and cites nothing but the
/// asker's own words, or a requirement that says something else. Small models answer a question
/// with the recommendation printed below it, in the same words, and cite the requirement for it.
pub(super) fn only_echoes(state: &State, question: &Question, answer: &str, cites: &str) -> bool {
    let is_asker = |word: &str| is_called(state, &question.asked_by, word);
    let by_others = |word| is_known_id(state, word) || (is_speaker(state, word) && !is_asker(word));
    if words(cites).any(by_others) || is_found(state, cites) {
        return false;
    }
    let subject = state.subject();
    let sentences = subject.split(['.', '!', '?', ';', '\n', '。', '！', '？', '；']);
    let measure = Lexical::default();
    let required = sentences
        .map(|sentence| measure.score(sentence, answer))
        .max();
    let recommended = measure.score(&question.recommended, answer);
    recommended >= SAYS_THE_SAME
        && required.is_none_or(|required| required < recommended)
        && !letters(&subject).contains(&letters(answer))
}

/// Returns whether the citation names only members, and none of their speeches contains a
/// significant word of the answer.
///
/// The test is lenient: one word with any ending, or two adjacent Han characters, in any speech of
/// the named members is enough. Small models paraphrase, and a wrong refusal costs the user a
/// question. An answer without a significant word (`yes`, `no`) is not tested.
pub(super) fn is_unsaid(state: &State, answer: &str, cites: &str) -> bool {
    let has_place = is_found(state, cites)
        || names_requirement(state, cites)
        || words(cites).any(|word| is_known_id(state, word));
    let wanted = telling(answer);
    if has_place || wanted.is_empty() {
        return false;
    }
    let speakers: Vec<&str> = words(cites)
        .filter(|word| is_speaker(state, word))
        .collect();
    let by_them = |member: &RoleId| speakers.iter().any(|word| is_called(state, member, word));
    let mut speeches = state.discussion.speeches.iter();
    !speakers.is_empty()
        && !speeches.any(|speech| {
            by_them(&speech.member) && !telling(&speech_text(&speech.speech)).is_disjoint(&wanted)
        })
}

/// Returns the significant words of a text: first letters of words, since endings differ; numbers;
/// and pairs of Han characters.
fn telling(text: &str) -> BTreeSet<String> {
    const STEM: usize = 5;
    const EMPTY: [&str; 40] = [
        "the", "and", "for", "with", "that", "this", "from", "into", "are", "was", "has", "have",
        "not", "yes", "none", "any", "all", "each", "every", "only", "also", "will", "would",
        "should", "could", "can", "may", "must", "there", "here", "they", "them", "their", "you",
        "your", "our", "but", "its", "which", "where",
    ];
    let lower = text.to_lowercase();
    let spoken = lower.split(|c: char| !c.is_ascii_alphanumeric());
    let is_telling = |word: &&str| {
        let is_figure = word.starts_with(|c: char| c.is_ascii_digit());
        is_figure || (word.len() >= 3 && !EMPTY.contains(word))
    };
    let stem = |word: &str| word[..word.len().min(STEM)].to_owned();
    let chars: Vec<char> = text.chars().collect();
    let pairs = chars
        .windows(2)
        .filter(|pair| pair.iter().all(|c| is_ideograph(*c)));
    spoken
        .filter(is_telling)
        .map(stem)
        .chain(pairs.map(|pair| pair.iter().collect()))
        .collect()
}

fn words(cites: &str) -> impl Iterator<Item = &str> {
    cites
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_')
        .filter(|word| !word.is_empty())
}

fn names_requirement(state: &State, cites: &str) -> bool {
    let folded = cites.to_lowercase();
    let named = folded.contains(&REQUIREMENT.to_lowercase()) || cites.contains("需求");
    // A quotation from the requirement counts like its name.
    let quoted = cites
        .trim()
        .trim_matches(['"', '\'', '`', '“', '”', '「', '」']);
    named || (quoted.chars().count() >= 8 && state.subject().contains(quoted))
}

fn is_known_id(state: &State, word: &str) -> bool {
    let Some(id) = canonical_id(word) else {
        return false;
    };
    let mut issues = state.ledger.iter();
    issues.any(|issue| issue.id.to_string() == id) || state.sources().contains(&id)
}

fn is_speaker(state: &State, word: &str) -> bool {
    let mut speeches = state.discussion.speeches.iter();
    speeches.any(|speech| is_called(state, &speech.member, word))
}

fn is_called(state: &State, member: &RoleId, word: &str) -> bool {
    let code = state.inputs.roles.code(member);
    code.eq_ignore_ascii_case(word) || member.as_str().eq_ignore_ascii_case(word)
}

fn is_found(state: &State, cites: &str) -> bool {
    let survey = state.grounding.survey.iter();
    let hits = survey.clone().flat_map(|survey| &survey.hits);
    let passages = survey.clone().flat_map(|survey| &survey.knowledge);
    let tree = survey.flat_map(|survey| &survey.tree);
    let inquired = state.grounding.looked.values().flatten();
    let seen = state.grounding.looks.seen();
    let looked = inquired.chain(seen.flat_map(|one| &one.found));
    hits.map(|hit| &hit.path)
        .chain(passages.map(|passage| &passage.path))
        .chain(tree)
        .chain(looked.map(|find| &find.path))
        .any(|path| !path.is_empty() && cites.contains(path.as_str()))
}

#[cfg(test)]
mod tests {
    use super::denies;

    #[test]
    fn a_citation_that_says_it_stands_nowhere_is_none() {
        for sham in [
            "nowhere: the requirement does not say, it is my guess",
            "the requirement doesn't say",
            "SD did not object",
            "需求没有说明，推测",
        ] {
            assert!(denies(sham), "{sham}");
        }
        for sound in [
            "requirement",
            "the requirement: \"must not exceed 5 MB\"",
            "C-1, SD",
            "需求：“没有登录的用户”",
        ] {
            assert!(!denies(sound), "{sound}");
        }
    }
}
