//! What is new in a member's speech, in one line.

use unicode_width::UnicodeWidthStr;

use super::layout::{dot, fit};
use super::text::{self, counted, say};
use super::{Style, clean, gist};
use crate::fault::{Text, values};
use crate::reply::{Contribution, Position, Stance};

/// Minimum columns for a reason; with fewer it is left out.
const LEAST: usize = 12;
/// Maximum number of ids listed; further ones are only counted.
const LISTED: usize = 4;

/// The member's agreements and objections with their first reason, and what the speech adds, in
/// `room` columns. Stances and counts are kept; the reason is cut to fit.
pub(super) fn told(speech: &Contribution, output: &str, room: usize, style: &Style) -> String {
    let of = |wanted: &dyn Fn(&Position) -> bool| -> Vec<&Position> {
        speech.positions.iter().filter(|one| wanted(one)).collect()
    };
    let groups = [
        (text::OBJECTS_ON, of(&|one| one.stance == Stance::Object)),
        (
            text::PROPOSES_ON,
            of(&|one| supports(one) && one.proposal.is_some()),
        ),
        (
            text::AGREES_ON,
            of(&|one| supports(one) && one.proposal.is_none()),
        ),
    ];
    let mut groups = groups.into_iter().filter(|(_, those)| !those.is_empty());
    let counts = [
        (
            speech.corrections.len(),
            text::ONE_CORRECTION,
            text::CORRECTIONS,
        ),
        (speech.questions.len(), text::ONE_QUESTION, text::QUESTIONS),
        (
            speech.new_issues.len(),
            text::ONE_NEW_ISSUE,
            text::NEW_ISSUES,
        ),
    ];
    let counts = counts.map(|(n, one, many)| counted(n, one, many, style.lang));
    let first = groups.next();
    let (head, text) = match &first {
        Some((template, those)) => (stands(*template, those, style), reason(those)),
        None => (String::new(), gist(output)),
    };
    let rest: String = groups
        .map(|(template, those)| stands(template, &those, style))
        .chain(counts.into_iter().flatten())
        .map(|part| format!("{}{part}", dot(style)))
        .collect();
    let join = if head.is_empty() {
        ""
    } else {
        text::COLON.of(style.lang)
    };
    let left = room.saturating_sub(head.width() + join.width() + rest.width());
    let line = if left < LEAST || text.is_empty() {
        format!("{head}{rest}")
    } else {
        format!("{head}{join}{}{rest}", fit(&text, left, style))
    };
    fit(line.trim_start_matches(dot(style)), room, style)
}

fn supports(position: &Position) -> bool {
    matches!(position.stance, Stance::Agree | Stance::Refine)
}

fn stands(template: Text, those: &[&Position], style: &Style) -> String {
    let mut ids: Vec<String> = those
        .iter()
        .take(LISTED)
        .map(|one| clean(&one.issue))
        .collect();
    if those.len() > LISTED {
        ids.push(format!("+{}", those.len() - LISTED));
    }
    say(style, template, values![ids = ids.join(", ")])
}

/// Why the member objects or agrees, or what it proposes.
fn reason(those: &[&Position]) -> String {
    let Some(first) = those.first() else {
        return String::new();
    };
    // The reason for changing one's mind is shown in a line of its own.
    let said = match (first.stance, &first.proposal) {
        (Stance::Object, _) | (_, None) => &first.why,
        (_, Some(proposal)) => proposal,
    };
    gist(said)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::samples;
    use super::*;
    use crate::machine::Lang;
    use crate::reply::{NewIssue, Severity};

    fn position(issue: &str, stance: Stance, proposal: Option<&str>) -> Position {
        Position {
            issue: issue.to_owned(),
            stance,
            proposal: proposal.map(str::to_owned),
            backs: None,
            against: None,
            why: "The \x1b[31mlog is missing. Nobody knows who took what.".to_owned(),
            changed_because: None,
        }
    }

    fn new_issue() -> NewIssue {
        NewIssue {
            key: "n".to_owned(),
            title: "t".to_owned(),
            detail: "d".to_owned(),
            severity: Severity::Minor,
        }
    }

    fn speech() -> Contribution {
        Contribution {
            positions: vec![
                position("I-2", Stance::Agree, None),
                position("I-1", Stance::Object, None),
                position("I-3", Stance::Refine, Some("Kept for 30 days.")),
                position("I-4", Stance::Abstain, None),
            ],
            ..Contribution::default()
        }
    }

    #[test]
    fn the_objection_comes_first_and_figures_are_kept() {
        let style = samples::style();
        let shown = told(&speech(), "Still open for me: I-1.", 75, &style);
        assert_eq!(
            shown,
            "objects on I-1: The log is missing. · proposes on I-3 · agrees on I-2"
        );
        let shown = told(&speech(), "", 62, &style);
        assert_eq!(
            shown,
            "objects on I-1: The log is… · proposes on I-3 · agrees on I-2"
        );
        let shown = told(&speech(), "", 50, &style);
        assert_eq!(shown, "objects on I-1 · proposes on I-3 · agrees on I-2");
    }

    #[test]
    fn one_and_many_have_their_own_words() {
        let mut speech = Contribution::default();
        let style = samples::style();
        let zh = Style {
            lang: Lang::Zh,
            ..style
        };
        assert_eq!(
            told(&speech, "All is said. More.", 60, &style),
            "All is said."
        );
        let correction = crate::reply::Correction {
            whom: "PP".to_owned(),
            about: "c".to_owned(),
        };
        speech.corrections = vec![correction];
        speech.new_issues = vec![new_issue(), new_issue()];
        assert_eq!(told(&speech, "", 60, &style), "1 correction · 2 new issues");
        assert_eq!(
            told(&speech, "说完了。", 60, &zh),
            "说完了。 · 1 处更正 · 2 个新议题"
        );
    }

    #[test]
    fn many_ids_are_counted_and_nothing_is_too_wide() {
        let mut speech = speech();
        for n in 5..12 {
            speech
                .positions
                .push(position(&format!("I-{n}"), Stance::Agree, None));
        }
        let style = samples::style();
        assert!(told(&speech, "", 100, &style).ends_with("agrees on I-2, I-5, I-6, I-7, +4"));
        for lang in [Lang::En, Lang::Zh] {
            for room in 60..120 {
                let shown = told(&speech, "", room, &Style { lang, ..style });
                assert!(shown.width() <= room, "{room}: {shown}");
                assert!(!shown.contains('\x1b'));
            }
        }
    }
}
