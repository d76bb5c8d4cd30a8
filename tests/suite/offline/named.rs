//! What feedback says of a part of the plan that it names by an id.

use super::leaving::{MAIL_LOG_ZH, planned};
use super::removals::{MAIL, agreed, assert_sound};
use super::revisions::{document, fates, id_of, revised_again, titles};
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

/// Another figure for the same takes the place of the one that stood there, in this version
/// and in those that follow.
#[test]
fn another_figure_takes_the_place_of_the_old_one() {
    for (lang, requirement, feedback, was, now, again, last) in [
        (
            Lang::En,
            MAIL,
            "DEC-4: keep it for three days only",
            "for seven days",
            "for three days",
            "Keep exported files for 60 days",
            "for 60 days",
        ),
        (
            Lang::En,
            MAIL,
            "Keep exported files for 90 days",
            "for seven days",
            "for 90 days",
            "Log in JSON",
            "for 90 days",
        ),
        (
            Lang::Zh,
            MAIL_LOG_ZH,
            "导出文件保留30天",
            "保存七天",
            "保存30天",
            "日志用 JSON 格式",
            "保存30天",
        ),
    ] {
        let first = hold(requirement, offline_inputs(lang));
        let second = revised_again(lang, &first, feedback);
        let third = revised_again(lang, &second, again);
        for meeting in [&second, &third] {
            assert_sound(meeting);
            assert_eq!(fates(meeting)[0].1, "changed", "{feedback}");
        }
        assert!(planned(&first).contains(was), "{feedback}");
        for (meeting, says) in [(&second, now), (&third, last)] {
            let design = document(meeting, DocumentKind::SystemDesign)["decisions"].to_string();
            assert!(design.contains(says), "{feedback}: {design}");
            assert!(!planned(meeting).contains(was), "{feedback}");
            assert!(!agreed(meeting).contains(was), "{feedback}");
        }
        assert!(now == last || !agreed(&third).contains(now), "{again}");
        let decisions =
            |meeting: &Meeting| titles(meeting, DocumentKind::SystemDesign, "decisions").len();
        assert_eq!(decisions(&first), decisions(&second), "{feedback}");
    }
}

/// A figure of what was asked for is changed where it stands, with what it is known by.
#[test]
fn a_figure_of_a_need_is_changed_where_it_stands() {
    let requirement = "Keep invoices for 5 years. Show a list of invoices";
    let first = hold(requirement, offline_inputs(Lang::En));
    let second = revised_again(Lang::En, &first, "Keep invoices for ten years");
    assert_sound(&second);
    assert!(planned(&first).contains("5 years"));
    assert!(!agreed(&second).contains("5 years"), "{}", agreed(&second));
}

/// What a decision or a criterion is to read instead takes its place; what is joined to it
/// stands beside it.
#[test]
fn words_for_a_part_take_its_place() {
    for (kind, of, part, said, stays) in [
        (
            DocumentKind::SystemDesign,
            "decisions",
            "one query builder",
            "the export has a query of its own",
            false,
        ),
        (
            DocumentKind::ProductPlan,
            "criteria",
            "a header line and exactly",
            "the file has no header line",
            false,
        ),
        (
            DocumentKind::SystemDesign,
            "decisions",
            "one query builder",
            "also cache the columns",
            true,
        ),
    ] {
        let first = hold(MAIL, offline_inputs(Lang::En));
        let id = id_of(&first, kind, of, part);
        let feedback = format!("{id}: {said}");
        let second = revised_again(Lang::En, &first, &feedback);
        assert_sound(&second);
        assert_eq!(planned(&second).contains(part), stays, "{feedback}");
        assert!(planned(&second).contains(said), "{feedback}");
    }
}
