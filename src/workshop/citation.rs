//! Does a citation name something that is on record?
//!
//! The coach may answer a question from what was said or found, with the place
//! where it stands. A place nobody can look up is no citation: the question
//! then goes to the human.

use super::adopt::{REQUIREMENT, canonical_id};
use super::question::QuestionStatus;
use super::state::State;

/// Does `cites` name the requirement, an id of this run, a member who spoke, or
/// a file of the survey?
pub(super) fn is_on_record(state: &State, cites: &str) -> bool {
    names_requirement(state, cites)
        || words(cites).any(|word| is_known_id(state, word) || is_speaker(state, word))
        || is_found(state, cites)
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
    let Some(survey) = &state.survey else {
        return false;
    };
    let hits = survey.hits.iter().map(|hit| hit.path.as_str());
    let passages = survey.knowledge.iter().map(|passage| passage.path.as_str());
    let tree = survey.tree.iter().map(String::as_str);
    hits.chain(passages)
        .chain(tree)
        .any(|path| !path.is_empty() && cites.contains(path))
}
