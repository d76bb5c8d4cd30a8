//! One reading of what is written as an answer, wherever it is written.

use crate::edge::ports::HumanAnswer;
use crate::fault::plans::{ANSWER_CONFLICT, OPTION_NONE};
use crate::fault::{Fault, values};
use crate::machine::{AnswerSource, Question, is_conflict_mark, said_by_word};

/// Reads what was written as an answer to `question`, alike wherever it was: nothing takes
/// the recommended one, `-` declines, a number picks an option, and one in quotation marks
/// is the answer itself.
///
/// # Errors
/// A number of none of its options, nor one itself: a slip of the keys more often than an answer, and on
/// record it could not be taken back. `quoted` is how it is meant after all.
pub fn understood(
    question: &Question,
    typed: &str,
    source: AnswerSource,
) -> Result<HumanAnswer, Fault> {
    let typed = typed.trim();
    if let Some(mark) = typed.lines().find(|line| is_conflict_mark(line)) {
        return Err(ANSWER_CONFLICT.with(values![question = question.id, line = mark.trim()]));
    }
    let options = question.current_options();
    let answer = |text: &str, source| {
        Ok(HumanAnswer {
            question: question.id,
            text: text.to_owned(),
            source,
            message: None,
        })
    };
    if let Some(meant) = unquoted(typed).filter(|meant| number(meant).is_some()) {
        return answer(meant, source);
    }
    let number = number(typed);
    let is_number = number.is_some() || PLACEHOLDERS.contains(&typed);
    let option = number
        .and_then(|digits| digits.parse::<usize>().ok())
        .and_then(|n| options.get(n.checked_sub(1)?));
    // Options may be numbers themselves.
    let is_option = option.is_some() || options.iter().any(|one| one.trim() == typed);
    if is_number && !is_option && !options.is_empty() {
        return Err(OPTION_NONE.with(values![
            question = question.id,
            n = typed,
            last = options.len()
        ]));
    }
    let by_word = said_by_word(typed);
    // Where an option is that very word, it is meant.
    let mut named = options
        .iter()
        .filter(|one| by_word.is_some() && said_by_word(one) == by_word);
    match (typed, option.or_else(|| named.next()), by_word) {
        ("", ..) => answer("", AnswerSource::Recommended),
        (_, Some(option), _) => answer(option, source),
        (.., Some(said)) => answer("", said),
        ("-", ..) => answer("", AnswerSource::Declined),
        _ => answer(typed, source),
    }
}

/// A number that was reported to pick no option and is typed again: the answer itself, as it is
/// written everywhere. None for what is no number.
pub fn quoted(typed: &str) -> Option<String> {
    let typed = typed.trim();
    number(typed).map(|_| format!("\"{typed}\""))
}

/// Quoted text.
fn unquoted(typed: &str) -> Option<&str> {
    let pairs = [('"', '"'), ('\'', '\''), ('“', '”'), ('「', '」')];
    let inner = |(open, close)| typed.strip_prefix(open)?.strip_suffix(close);
    pairs.into_iter().find_map(inner).map(str::trim)
}

/// Placeholders for an answer in a hint.
const PLACEHOLDERS: [&str; 3] = ["…", "...", "……"];

/// The digits of what is meant as the number of an option: `2`, `２`, `2.`, `option 2`.
/// A minus stays, so that it is a number of none.
fn number(typed: &str) -> Option<String> {
    let lower = typed.to_lowercase();
    let bare = ["option", "选项", "#"]
        .iter()
        .find_map(|word| lower.strip_prefix(word))
        .unwrap_or(&lower);
    let bare = bare.trim().trim_end_matches(['.', ')', '。', '、', '）']);
    let narrow = |c: char| match c {
        '０'..='９' => char::from_digit(c as u32 - '０' as u32, 10).unwrap_or(c),
        other => other,
    };
    let digits: String = bare.chars().map(narrow).collect();
    let plain = digits.strip_prefix('-').unwrap_or(&digits);
    let is_number = !plain.is_empty() && plain.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(digits)
}
