//! Interprets a written answer, the same way wherever it was written.

use crate::edge::ports::UserAnswer;
use crate::fault::plans::{ANSWER_CONFLICT, OPTION_NONE};
use crate::fault::{Fault, values};
use crate::machine::{AnswerSource, Question, is_conflict_mark, said_by_word};

/// Interprets a text as an answer to `question`. An empty text takes the recommended answer, `-`
/// declines, a number chooses an option, and a number in quotation marks is the answer itself.
///
/// # Errors
/// The number matches no option. It is more often a typing error than an answer, and once recorded
/// it could not be taken back; `quoted` says how to give it as the answer anyway. Also a line that
/// git left in a merge conflict.
pub fn understood(
    question: &Question,
    typed: &str,
    source: AnswerSource,
) -> Result<UserAnswer, Fault> {
    let typed = typed.trim();
    if let Some(mark) = typed.lines().find(|line| is_conflict_mark(line)) {
        return Err(ANSWER_CONFLICT.with(values![question = question.id, line = mark.trim()]));
    }
    let options = question.current_options();
    let answer = |text: &str, source| {
        Ok(UserAnswer {
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
    let option = number
        .as_ref()
        .and_then(|digits| digits.parse::<usize>().ok())
        .and_then(|n| options.get(n.checked_sub(1)?));
    // The options themselves may be numbers.
    let is_option = option.is_some() || options.iter().any(|one| one.trim() == typed);
    if number.is_some() && !is_option && !options.is_empty() {
        return Err(OPTION_NONE.with(values![
            question = question.id,
            n = typed,
            last = options.len()
        ]));
    }
    let by_word = said_by_word(typed);
    // An option that is itself such a word has precedence.
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

/// A number in quotation marks, the spelling for a number that is itself the answer. Used for a
/// number that was reported as no option and is typed again. `None` if the text is not a number.
pub fn quoted(typed: &str) -> Option<String> {
    let typed = typed.trim();
    number(typed).map(|_| format!("\"{typed}\""))
}

/// The text inside a pair of quotation marks.
fn unquoted(typed: &str) -> Option<&str> {
    let pairs = [('"', '"'), ('\'', '\''), ('“', '”'), ('「', '」')];
    let inner = |(open, close)| typed.strip_prefix(open)?.strip_suffix(close);
    pairs.into_iter().find_map(inner).map(str::trim)
}

/// The digits of an option's number as people write it: `2`, `２`, `2.`. A minus sign is kept, so that
/// a negative number matches no option.
fn number(typed: &str) -> Option<String> {
    let bare = typed.trim_end_matches(['.', ')', '。', '、', '）']);
    let narrow = |c: char| match c {
        '０'..='９' => char::from_digit(c as u32 - '０' as u32, 10).unwrap_or(c),
        other => other,
    };
    let digits: String = bare.chars().map(narrow).collect();
    let plain = digits.strip_prefix('-').unwrap_or(&digits);
    let is_number = !plain.is_empty() && plain.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(digits)
}
