//! How a need reads after feedback that puts one thing in the place of another.

use super::leaving::{MAIL_LOG_ZH, planned};
use super::removals::{MAIL, agreed, assert_sound};
use super::revisions::{revised_again, titles};
use super::*;

fn work(meeting: &Meeting) -> String {
    titles(meeting, DocumentKind::DevPlan, "work").join("\n")
}

/// The need goes on with the new thing: its work and criteria name that one, in this version
/// and the next, and what only the old one needed goes.
#[test]
fn a_need_goes_on_with_what_takes_the_place() {
    for (lang, feedback, before, after, again) in [
        (
            Lang::En,
            "Notify by SMS instead of mail",
            "Send a mail when the export",
            "Send an SMS when the export",
            "Log failed exports, too",
        ),
        (
            Lang::En,
            "Drop the mail and add an SMS",
            "Send a mail when the export",
            "Send an SMS when the export",
            "Log failed exports, too",
        ),
        (
            Lang::En,
            "No CSV: use XLSX",
            "Add CSV export of orders",
            "Add XLSX export of orders",
            "Log failed exports, too",
        ),
        (
            Lang::Zh,
            "用短信代替邮件",
            "导出完成后发邮件通知",
            "导出完成后发短信通知",
            "失败的导出也要记日志",
        ),
        (
            Lang::Zh,
            "把邮件换成短信",
            "导出完成后发邮件通知",
            "导出完成后发短信通知",
            "失败的导出也要记日志",
        ),
    ] {
        let first = hold(requirement(lang), offline_inputs(lang));
        let second = revised_again(lang, &first, feedback);
        let third = revised_again(lang, &second, again);
        assert!(planned(&first).contains(before), "{before}");
        for meeting in [&second, &third] {
            assert_sound(meeting);
            let now = planned(meeting);
            assert!(!now.contains(before), "{feedback}");
            assert!(
                work(meeting).contains(after),
                "{feedback}: {}",
                work(meeting)
            );
        }
        let works = |meeting: &Meeting| titles(meeting, DocumentKind::DevPlan, "work").len();
        assert_eq!(works(&second), works(&first) + 1, "{feedback}");
    }
    let first = hold(MAIL, offline_inputs(Lang::En));
    let second = revised_again(Lang::En, &first, "Replace the mail by a webhook");
    assert_sound(&second);
    for gone in ["Notifier", "choice by event and channel"] {
        assert!(planned(&first).contains(gone) && !planned(&second).contains(gone));
    }
    assert!(work(&second).contains("Build: Send a webhook when"));
}

fn requirement(lang: Lang) -> &'static str {
    match lang {
        Lang::En => MAIL,
        Lang::Zh => MAIL_LOG_ZH,
    }
}

/// What names no two things, or two that need not be of one kind, words nothing anew.
#[test]
fn what_exchanges_nothing_leaves_the_needs_as_they_read() {
    for (lang, feedback) in [
        (Lang::En, "Drop the log and add a filter by status"),
        (
            Lang::En,
            "Show the mail address instead of the phone number",
        ),
        (Lang::En, "Use XLSX rather than ODS"),
        (Lang::En, "Log the time of the export, not only the name"),
        (Lang::Zh, "用姓名代替编号"),
        (Lang::Zh, "导出改用后台任务"),
    ] {
        let first = hold(requirement(lang), offline_inputs(lang));
        let second = revised_again(lang, &first, feedback);
        assert_sound(&second);
        let told = agreed(&second);
        let mail = ["Send a mail when the export", "导出完成后发邮件通知"];
        assert!(
            mail.iter().any(|need| told.contains(need)),
            "{feedback}: {told}"
        );
        let works = work(&second);
        let export = ["Add CSV export of orders", "导出 CSV"];
        assert!(
            export.iter().any(|need| works.contains(need)),
            "{feedback}: {works}"
        );
    }
}

/// Of two needs that name the old thing only the one is meant that the point speaks of.
#[test]
fn of_several_needs_the_one_spoken_of_is_meant() {
    let requirement = "Users sign in with mail and password. Send a mail when an order is paid.";
    let first = hold(requirement, offline_inputs(Lang::En));
    let second = revised_again(Lang::En, &first, "Send an SMS instead of a mail");
    assert_sound(&second);
    let told = work(&second);
    assert!(told.contains("sign in with mail"), "{told}");
    assert!(told.contains("Send an SMS when an order is paid"), "{told}");
}
