//! What feedback leaves out by its words: every thing it names goes with its rules, decisions,
//! work, tests and risks, and nothing that was asked for beside it goes along.

use super::removals::{MAIL, agreed, assert_sound};
use super::revisions::{document, fates, revised_again, revised_in, titles};
use super::*;

pub const MAIL_LOG_ZH: &str = "订单列表支持按日期筛选并导出 CSV；只有管理员可以导出。导出完成后发邮件通知。每次导出都要记日志。";

/// All that the documents say, less what they say is left out.
pub fn planned(meeting: &Meeting) -> String {
    use DocumentKind::*;
    let all = [ProductPlan, SystemDesign, DevPlan, TestPlan, RiskAssessment];
    let all = all.into_iter().map(|kind| {
        let mut document = document(meeting, kind);
        let fields = document.as_object_mut().unwrap();
        for told in [
            "understanding",
            "non_goals",
            "assumptions",
            "dependencies",
            "data",
        ] {
            fields.remove(told);
        }
        document.to_string()
    });
    all.collect::<Vec<_>>().join("\n")
}

pub fn count(meeting: &Meeting) -> usize {
    product(meeting).criteria.len()
}

const NOTIFIER: [&str; 4] = [
    "Notifier",
    "thousands of messages",
    "mail service is down",
    "worker sends it",
];
const LOG: [&str; 4] = [
    "Event log",
    "Alerts that nobody",
    "alert fires",
    "structured events",
];
const NOTIFIER_ZH: [&str; 4] = ["通知器", "成千上万条消息", "邮件服务中断", "由后台进程发出"];
const LOG_ZH: [&str; 4] = ["事件日志", "没人再信的告警", "告警会触发", "请求编号贯穿"];

/// However it is worded, what is named is left out with all that was there for it.
#[test]
fn what_is_left_out_takes_all_that_was_there_for_it() {
    let first = hold(MAIL, offline_inputs(Lang::En));
    let first_zh = hold(MAIL_LOG_ZH, offline_inputs(Lang::Zh));
    for (lang, feedback, mail, log) in [
        (
            Lang::En,
            "Drop the mail notification and the logging.",
            true,
            true,
        ),
        (Lang::En, "Remove the e-mail.", true, false),
        (Lang::En, "Remove the notifications", true, false),
        (Lang::En, "The mail is not needed", true, false),
        (Lang::En, "We do not need the log", false, true),
        (Lang::En, "Drop the log of failed exports", false, false),
        (Lang::En, "Drop the push notification", false, false),
        (Lang::Zh, "去掉邮件通知和日志", true, true),
        (Lang::Zh, "去掉电子邮件", true, false),
        (Lang::Zh, "不需要邮件通知", true, false),
        (Lang::Zh, "把日志去掉", false, true),
        (Lang::Zh, "日志不需要了", false, true),
        (Lang::Zh, "去掉失败导出的日志", false, false),
    ] {
        let (first, mail_says, log_says) = match lang {
            Lang::En => (&first, NOTIFIER, LOG),
            Lang::Zh => (&first_zh, NOTIFIER_ZH, LOG_ZH),
        };
        let second = revised_again(lang, first, feedback);
        assert_sound(&second);
        assert_eq!(fates(&second)[0].1, "changed", "{feedback}");
        let (before, after) = (planned(first), planned(&second));
        for (says, is_gone) in [(mail_says, mail), (log_says, log)] {
            for part in says {
                assert!(before.contains(part), "{part}");
                assert_eq!(!after.contains(part), is_gone, "{feedback}: {part}");
            }
        }
        let gone = 2 * (usize::from(mail) + usize::from(log));
        assert_eq!(count(&second), count(first) - gone + 1, "{feedback}");
        let told = agreed(&second);
        let revision = told.contains("as the revision asks") || told.contains("按修订要求不做");
        assert!(revision, "{feedback}: {told}");
    }
}

/// A part of a need goes with its topic; the rest of the need stays, and so does what an
/// objection won for it.
#[test]
fn a_part_of_a_need_goes_with_its_topic_alone() {
    for (lang, requirement, feedback, gone, stays) in [
        (
            Lang::En,
            MAIL,
            "Without the date filter",
            [
                "allow-list",
                "List query",
                "Edges of a filter",
                "wide filter",
            ],
            "as at the start, no row twice",
        ),
        (
            Lang::Zh,
            MAIL_LOG_ZH,
            "去掉日期筛选",
            ["白名单", "列表查询", "筛选的边界", "宽筛选"],
            "与开始时一致，没有重复",
        ),
    ] {
        let (first, second) = revised_in(lang, requirement, feedback);
        assert_sound(&second);
        let (before, after) = (planned(&first), planned(&second));
        for part in gone {
            assert!(
                before.contains(part) && !after.contains(part),
                "{feedback}: {part}"
            );
        }
        assert!(
            before.contains(stays) && after.contains(stays),
            "{feedback}"
        );
        assert_eq!(count(&second), count(&first) - 2 + 1, "{feedback}");
        let work = titles(&second, DocumentKind::DevPlan, "work").join("\n");
        assert!(work.contains("CSV"), "{work}");
    }
}

/// What feedback puts in question is settled anew with every sentence it had, in their order,
/// and with no rule that neither was there before nor is asked for now.
#[test]
fn what_is_settled_anew_loses_nothing_and_gains_nothing() {
    for (lang, requirement, feedback) in [
        (Lang::En, MAIL, "Keep exported files for 90 days"),
        (Lang::Zh, MAIL_LOG_ZH, "导出文件保留30天"),
    ] {
        let (first, second) = revised_in(lang, requirement, feedback);
        assert_sound(&second);
        assert_eq!(count(&second), count(&first) + 1, "{feedback}");
        let third = revised_again(lang, &second, feedback);
        assert_sound(&third);
        for criterion in &product(&first).criteria {
            let all = &product(&third).criteria;
            let is_there = all.iter().any(|known| known.id == criterion.id);
            assert!(is_there, "{feedback}: {}", criterion.then);
        }
        let order = |meeting: &Meeting| -> Vec<String> {
            let all = product(meeting).criteria.iter();
            all.map(|c| c.then.clone())
                .filter(|then| product(&first).criteria.iter().any(|c| c.then == *then))
                .collect()
        };
        let sorted = |mut all: Vec<String>| {
            all.sort();
            all
        };
        assert_eq!(sorted(order(&first)), sorted(order(&second)), "{feedback}");
    }
}

/// What a point asks for beside what it leaves out is never left out along with it, and keeps
/// what it needs.
#[test]
fn what_is_asked_for_beside_is_not_left_out() {
    let first = hold(MAIL, offline_inputs(Lang::En));
    let first_zh = hold(MAIL_LOG_ZH, offline_inputs(Lang::Zh));
    for (lang, feedback, mail) in [
        (Lang::En, "Skip the email but keep the log", false),
        (Lang::En, "Drop the mail and add an SMS", true),
        (Lang::En, "Please get rid of the mail", false),
        (Lang::Zh, "不要邮件，但保留日志", false),
        (Lang::Zh, "去掉邮件通知，增加短信", true),
        (Lang::Zh, "请把邮件通知去掉", false),
    ] {
        let (first, mail_says, log_says) = match lang {
            Lang::En => (&first, NOTIFIER, LOG),
            Lang::Zh => (&first_zh, NOTIFIER_ZH, LOG_ZH),
        };
        let second = revised_again(lang, first, feedback);
        assert_sound(&second);
        let after = planned(&second);
        assert!(
            mail_says.iter().all(|part| after.contains(part) == mail),
            "{feedback}"
        );
        assert!(
            log_says.iter().all(|part| after.contains(part)),
            "{feedback}"
        );
        let told = agreed(&second);
        let is_mixed = [" but ", " and ", "，"]
            .iter()
            .any(|joint| feedback.contains(joint));
        let left_out = told.contains("Left out as the revision") || told.contains("按修订要求不做");
        assert_eq!(left_out, !is_mixed, "{feedback}: {told}");
    }
}

/// What was left out once is no reason to keep what it shared with something else.
#[test]
fn what_was_left_out_before_is_not_counted_again() {
    let requirement = "Send a mail when an order is paid. Send an SMS when it is shipped";
    let (first, second) = revised_in(Lang::En, requirement, "Drop the mail");
    let third = revised_again(Lang::En, &second, "Drop the SMS");
    assert!(planned(&first).contains("Notifier"));
    assert!(planned(&second).contains("Notifier"));
    assert!(!planned(&third).contains("Notifier"), "{}", agreed(&third));
}
