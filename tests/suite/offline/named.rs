//! What feedback says of a part of the plan that it names by an id.

use super::leaving::MAIL_LOG_ZH;
use super::removals::{MAIL, agreed, assert_sound};
use super::revisions::{fates, id_of, revised_again, titles};
use super::*;

/// What only follows from something else is not told as changed: the point is declined, with
/// what to say instead, and the plan is the one it was.
#[test]
fn what_only_follows_is_not_told_as_changed() {
    for (lang, requirement, kind, of, part, said, why) in [
        (
            Lang::En,
            MAIL,
            DocumentKind::RiskAssessment,
            "risks",
            "leaves the system",
            "raise the chance to high",
            "is not changed by itself",
        ),
        (
            Lang::En,
            MAIL,
            DocumentKind::TestPlan,
            "cases",
            "50,000 rows",
            "use 100,000 rows and mail the file",
            "is not changed by itself",
        ),
        (
            Lang::Zh,
            MAIL_LOG_ZH,
            DocumentKind::RiskAssessment,
            "risks",
            "文件离开系统",
            "可能性改为高",
            "不能单独更改",
        ),
    ] {
        let first = hold(requirement, offline_inputs(lang));
        let id = id_of(&first, kind, of, part);
        let feedback = format!("{id}: {said}");
        let second = revised_again(lang, &first, &feedback);
        assert_sound(&second);
        assert_eq!(fates(&second)[0].1, "declined", "{feedback}");
        assert_eq!(agreed(&first), agreed(&second), "{feedback}");
        assert_eq!(
            titles(&first, kind, of),
            titles(&second, kind, of),
            "{feedback}"
        );
        let mut issues = second.state.ledger.iter();
        let issue = issues.find(|issue| issue.title.starts_with(&id)).unwrap();
        let reason = issue
            .history
            .last()
            .and_then(|change| change.reason.clone());
        assert!(
            reason.is_some_and(|reason| reason.contains(why)),
            "{feedback}"
        );
    }
}

/// Praise and a question for the reason change nothing, of whatever part they are.
#[test]
fn praise_of_a_part_changes_nothing() {
    let first = hold(MAIL, offline_inputs(Lang::En));
    let id = id_of(
        &first,
        DocumentKind::SystemDesign,
        "decisions",
        "seven days",
    );
    for (said, fate) in [("looks good", "kept"), ("why seven days?", "declined")] {
        let second = revised_again(Lang::En, &first, &format!("{id}: {said}"));
        assert_sound(&second);
        assert_eq!(fates(&second)[0].1, fate, "{said}");
        assert_eq!(agreed(&first), agreed(&second), "{said}");
    }
}
