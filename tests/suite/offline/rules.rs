//! How feedback alters or lifts a rule on who alone may do something.

use super::leaving::{MAIL_LOG_ZH, planned};
use super::removals::{MAIL, agreed, assert_sound};
use super::revisions::{revised_again, titles};
use super::*;

/// Where everybody may, nobody is refused: the rule goes with all that enforced it.
#[test]
fn a_rule_that_is_lifted_goes_with_what_enforced_it() {
    for (lang, requirement, feedback, gone) in [
        (
            Lang::En,
            MAIL,
            "Everybody may export",
            [
                "Only admins",
                "Access policy",
                "permission table",
                "Permission matrix",
                "skips the check",
            ],
        ),
        (
            Lang::En,
            MAIL,
            "Anyone can export.",
            [
                "Only admins",
                "Access policy",
                "permission table",
                "Permission matrix",
                "skips the check",
            ],
        ),
        (
            Lang::Zh,
            MAIL_LOG_ZH,
            "所有人都可以导出",
            ["只有管理员", "访问策略", "权限表", "权限矩阵", "绕过检查"],
        ),
    ] {
        let first = hold(requirement, offline_inputs(lang));
        let second = revised_again(lang, &first, feedback);
        assert_sound(&second);
        for part in gone {
            assert!(planned(&first).contains(part), "{part}");
            assert!(!planned(&second).contains(part), "{feedback}: {part}");
        }
        let work = |meeting: &Meeting| titles(meeting, DocumentKind::DevPlan, "work").len();
        assert_eq!(work(&second), work(&first) - 2 + 1, "{feedback}");
    }
}

/// Whoever may instead is what the rule says, and the rule is enforced as it was.
#[test]
fn a_rule_that_names_somebody_else_is_enforced() {
    for (lang, requirement, feedback, rule, work) in [
        (
            Lang::En,
            MAIL,
            "Only accountants may export",
            "What the rule “Only accountants may export”",
            "Enforce: Only accountants may export",
        ),
        (
            Lang::En,
            MAIL,
            "Everyone in sales may export",
            "What the rule “Everyone in sales may export”",
            "Enforce: Everyone in sales may export",
        ),
        (
            Lang::Zh,
            MAIL_LOG_ZH,
            "只有会计可以导出",
            "凡“只有会计可以导出”",
            "落实规则：只有会计可以导出",
        ),
        (
            Lang::Zh,
            MAIL_LOG_ZH,
            "会计才能导出",
            "凡“会计才能导出”",
            "落实规则：会计才能导出",
        ),
    ] {
        let first = hold(requirement, offline_inputs(lang));
        let second = revised_again(lang, &first, feedback);
        assert_sound(&second);
        assert!(
            agreed(&second).contains(rule),
            "{feedback}: {}",
            agreed(&second)
        );
        let titles = titles(&second, DocumentKind::DevPlan, "work");
        assert!(titles.iter().any(|title| title == work), "{titles:?}");
        assert!(
            !titles.iter().any(|title| title.starts_with("Build: Only")),
            "{titles:?}"
        );
    }
    let first = hold(
        "Only accountants may export the ledger",
        offline_inputs(Lang::En),
    );
    let titles = titles(&first, DocumentKind::DevPlan, "work").join("\n");
    assert!(titles.contains("Enforce: Only accountants"), "{titles}");
}

/// Whoever is let is named before the act, and joins the rule as well.
#[test]
fn who_is_let_joins_the_rule() {
    for (lang, requirement, feedback, is_rule) in [
        (Lang::En, MAIL, "Let managers export as well", true),
        (
            Lang::En,
            MAIL,
            "Let people filter the export by customer as well",
            false,
        ),
        (Lang::Zh, MAIL_LOG_ZH, "也让经理导出", true),
        (Lang::Zh, MAIL_LOG_ZH, "让导出的文件也带客户姓名", false),
    ] {
        let first = hold(requirement, offline_inputs(lang));
        let second = revised_again(lang, &first, feedback);
        assert_sound(&second);
        let rule = ["export; ", "导出；"]
            .iter()
            .any(|joint| agreed(&second).contains(&format!("{joint}{feedback}")));
        assert_eq!(rule, is_rule, "{feedback}: {}", agreed(&second));
    }
}

/// What may be done with something, or somebody may do beside, leaves the rule alone.
#[test]
fn what_is_about_something_else_leaves_the_rule_alone() {
    for (lang, requirement, feedback, rule) in [
        (
            Lang::En,
            MAIL,
            "Orders can be exported as XLSX",
            "What the rule “Only admins may export” does",
        ),
        (
            Lang::En,
            MAIL,
            "Admins can also see the log",
            "What the rule “Only admins may export” does",
        ),
        (
            Lang::Zh,
            MAIL_LOG_ZH,
            "订单可以导出为 XLSX",
            "凡“只有管理员可以导出”不允许",
        ),
        (
            Lang::Zh,
            MAIL_LOG_ZH,
            "管理员也可以查看日志",
            "凡“只有管理员可以导出”不允许",
        ),
    ] {
        let first = hold(requirement, offline_inputs(lang));
        let second = revised_again(lang, &first, feedback);
        assert_sound(&second);
        assert!(
            agreed(&second).contains(rule),
            "{feedback}: {}",
            agreed(&second)
        );
    }
}
