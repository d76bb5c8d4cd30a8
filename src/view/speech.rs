//! What is new in a member's speech, in one line.

use unicode_width::UnicodeWidthStr;

use super::layout::{dot, fit};
use super::text::{counted, say, words};
use super::{Style, clean, gist};
use crate::reply::{Contribution, Position, Stance};

/// Fewest columns in which a reason says anything.
const LEAST: usize = 12;
/// Ids that are listed before the rest is only counted.
const LISTED: usize = 4;

/// Who agrees or objects, on what and why, and what the speech brings up, in
/// `room` columns. Stances and figures are kept; reasons are cut to fit.
pub(super) fn told(speech: &Contribution, output: &str, room: usize, style: &Style) -> String {
    let words = words(style.lang);
    let of = |wanted: &dyn Fn(&Position) -> bool| -> Vec<&Position> {
        speech.positions.iter().filter(|one| wanted(one)).collect()
    };
    let groups = [
        (words.objects_on, of(&|one| one.stance == Stance::Object)),
        (
            words.proposes_on,
            of(&|one| supports(one) && one.proposal.is_some()),
        ),
        (
            words.agrees_on,
            of(&|one| supports(one) && one.proposal.is_none()),
        ),
    ];
    let mut groups = groups.into_iter().filter(|(_, those)| !those.is_empty());
    let counts = [
        counted(
            speech.corrections.len(),
            words.one_correction,
            words.corrections,
        ),
        counted(speech.questions.len(), words.one_question, words.questions),
        counted(
            speech.new_issues.len(),
            words.one_new_issue,
            words.new_issues,
        ),
    ];
    let first = groups.next();
    let (head, text) = match &first {
        Some((template, those)) => (stands(template, those, style), reason(those)),
        None => (String::new(), gist(output)),
    };
    let rest: String = groups
        .map(|(template, those)| stands(template, &those, style))
        .chain(counts.into_iter().flatten())
        .map(|part| format!("{}{part}", dot(style)))
        .collect();
    let join = if head.is_empty() { "" } else { words.colon };
    let left = room.saturating_sub(head.width() + join.width() + rest.width());
    let line = if left < LEAST || text.is_empty() {
        format!("{head}{rest}")
    } else {
        format!("{head}{join}{}{rest}", fit(&text, left, style))
    };
    line.trim_start_matches(dot(style)).to_owned()
}

fn supports(position: &Position) -> bool {
    matches!(position.stance, Stance::Agree | Stance::Refine)
}

fn stands(template: &str, those: &[&Position], style: &Style) -> String {
    let mut ids: Vec<String> = those
        .iter()
        .take(LISTED)
        .map(|one| clean(&one.issue))
        .collect();
    if those.len() > LISTED {
        ids.push(format!("+{}", those.len() - LISTED));
    }
    say(style, template, &[("ids", &ids.join(", "))])
}

/// Why somebody objects; what somebody proposes; why somebody agrees.
fn reason(those: &[&Position]) -> String {
    let Some(first) = those.first() else {
        return String::new();
    };
    let said = match (first.stance, &first.changed_because, &first.proposal) {
        (Stance::Object, ..) => &first.why,
        (_, Some(changed), _) => changed,
        (_, None, Some(proposal)) => proposal,
        (_, None, None) => &first.why,
    };
    gist(said)
}
