//! Does a citation name something that is on record?
//!
//! The coach may answer a question from what was said or found, with the place
//! where it stands. A place nobody can look up is no citation: the question
//! then goes to the human.

use super::adopt::{REQUIREMENT, canonical_id};
use super::question::{Question, QuestionStatus};
use super::similarity::{Lexical, Score, Similarity};
use super::state::State;

/// Does `cites` name the requirement, an id of this run, a member who spoke, or
/// a file of the survey or of an inquiry?
pub(super) fn is_on_record(state: &State, cites: &str) -> bool {
    if is_found(state, cites) {
        return true;
    }
    !denies(cites)
        && (names_requirement(state, cites)
            || words(cites).any(|word| is_known_id(state, word) || is_speaker(state, word)))
}

/// Does it say, outside of what it quotes, that the answer stands nowhere: "the requirement
/// does not say, it is my guess"?
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

/// From here on an answer says what a recommendation says.
const SAYS_THE_SAME: Score = Score::from_thousandths(500);

/// Is the answer nothing but what the asker would take, with no place but the asker's own
/// words, or a requirement that says something else? Small models answer a question with
/// the recommendation that stands under it, in their words, and call that the requirement.
pub(super) fn only_echoes(state: &State, question: &Question, answer: &str, cites: &str) -> bool {
    let asker = state.inputs.roles.code(&question.asked_by);
    let is_asker = |word: &str| {
        asker.eq_ignore_ascii_case(word) || question.asked_by.as_str().eq_ignore_ascii_case(word)
    };
    let by_others = |word| is_known_id(state, word) || (is_speaker(state, word) && !is_asker(word));
    if words(cites).any(by_others) || is_found(state, cites) {
        return false;
    }
    let subject = state.subject();
    let sentences = subject.split(['.', '!', '?', ';', '\n', '。', '！', '？', '；']);
    let required = sentences
        .map(|sentence| Lexical.score(sentence, answer))
        .max();
    let recommended = Lexical.score(&question.recommended, answer);
    recommended >= SAYS_THE_SAME
        && required.is_none_or(|required| required < recommended)
        && !folded(&subject).contains(&folded(answer))
}

/// A text without case, spaces and marks.
fn folded(text: &str) -> String {
    let letters = text.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

fn words(cites: &str) -> impl Iterator<Item = &str> {
    cites
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_')
        .filter(|word| !word.is_empty())
}

fn names_requirement(state: &State, cites: &str) -> bool {
    let folded = cites.to_lowercase();
    let named = folded.contains(&REQUIREMENT.to_lowercase()) || cites.contains("需求");
    // Its own words, quoted, are as good as its name.
    let quoted = cites
        .trim()
        .trim_matches(['"', '\'', '`', '“', '”', '「', '」']);
    named || (quoted.chars().count() >= 8 && state.subject().contains(quoted))
}

fn is_known_id(state: &State, word: &str) -> bool {
    let Some(id) = canonical_id(word) else {
        return false;
    };
    let issue = || state.ledger.iter().any(|issue| issue.id.to_string() == id);
    let agreed = || state.draft.standing().any(|item| item.id.to_string() == id);
    let answered = || {
        state.questions.iter().any(|question| {
            question.id.to_string() == id
                && matches!(question.status, QuestionStatus::Closed { .. })
        })
    };
    let assumed = || state.assumptions.iter().any(|a| a.id.to_string() == id);
    let feedback = || state.feedback.iter().any(|item| item.id.to_string() == id);
    issue() || agreed() || answered() || assumed() || feedback()
}

fn is_speaker(state: &State, word: &str) -> bool {
    state.speeches.iter().any(|speech| {
        let code = state.inputs.roles.code(&speech.member);
        code.eq_ignore_ascii_case(word) || speech.member.as_str().eq_ignore_ascii_case(word)
    })
}

fn is_found(state: &State, cites: &str) -> bool {
    let survey = state.survey.iter();
    let hits = survey.clone().flat_map(|survey| &survey.hits);
    let passages = survey.clone().flat_map(|survey| &survey.knowledge);
    let tree = survey.flat_map(|survey| &survey.tree);
    let looked = state.looked.values().flatten();
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
