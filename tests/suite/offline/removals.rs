//! What feedback takes out goes, with all that was there for it, and nothing else does.

use aitc::check::{World, check};

use super::revisions::{document, fates, id_of, revised_again, revised_in, titles};
use super::*;

pub const MAIL: &str = "Add CSV export of orders with a date filter; only admins may export. \
                    Send a mail when the export is finished. Log every export.";
const MAIL_ZH: &str =
    "订单列表支持按日期导出 CSV。只有管理员可以导出。导出完成后发邮件通知。客服在客户页上贴便签。";

/// Nothing was refused, and `aitc check --strict` finds nothing.
pub fn assert_sound(meeting: &Meeting) {
    assert_clean(meeting);
    let world = World {
        exists: &|path| survey().hits.iter().any(|hit| hit.path == path),
        report: None,
        files: &BTreeMap::new(),
        damage: &[],
        strict: true,
    };
    let findings = check(&meeting.state, &world);
    assert!(findings.is_empty(), "{findings:?}");
}

/// The texts of what was agreed and stands.
pub fn agreed(meeting: &Meeting) -> String {
    let items = meeting.state.draft.standing();
    items
        .map(|item| item.text.as_str())
        .collect::<Vec<_>>()
        .join("\n")
}

fn criteria(meeting: &Meeting) -> String {
    document(meeting, DocumentKind::ProductPlan)["criteria"].to_string()
}

fn work(meeting: &Meeting) -> String {
    titles(meeting, DocumentKind::DevPlan, "work").join("\n")
}

/// What several criteria ask to be seen is taken out of the one that was named.
#[test]
fn a_criterion_goes_alone_though_others_ask_for_the_same() {
    for (lang, requirement, opening, mail, log) in [
        (
            Lang::En,
            MAIL,
            "Remove",
            "“Send a mail",
            "“Log every export”",
        ),
        (
            Lang::Zh,
            MAIL_ZH,
            "去掉",
            "“导出完成后发邮件",
            "“客服在客户页上贴便签”",
        ),
    ] {
        let first = hold(requirement, offline_inputs(lang));
        let id = id_of(&first, DocumentKind::ProductPlan, "criteria", mail);
        let (_, second) = revised_in(lang, requirement, &format!("{opening} {id}"));
        assert_sound(&second);
        let count = |meeting: &Meeting| product(meeting).criteria.len();
        assert_eq!(count(&second), count(&first) - 1, "{}", criteria(&second));
        assert!(criteria(&first).contains(mail) && criteria(&first).contains(log));
        assert!(!criteria(&second).contains(mail), "{}", criteria(&second));
        assert!(criteria(&second).contains(log), "{}", criteria(&second));
        let third = revised_again(lang, &second, "XLSX");
        assert!(!criteria(&third).contains(mail) && criteria(&third).contains(log));
    }
}

/// An agreed item goes with every sentence of it, and so does all that was agreed on an issue.
#[test]
fn what_was_agreed_is_taken_out_by_its_id() {
    for (lang, requirement, opening, rule, enforce) in [
        (
            Lang::En,
            MAIL,
            "Remove",
            "What the rule “Only admins",
            "Enforce:",
        ),
        (Lang::Zh, MAIL_ZH, "去掉", "凡“只有管理员", "落实规则："),
    ] {
        let first = hold(requirement, offline_inputs(lang));
        let mut items = first.state.draft.standing();
        let item = items.find(|item| item.text.contains(rule)).unwrap();
        for id in [item.id.to_string(), item.issue.to_string()] {
            let (_, second) = revised_in(lang, requirement, &format!("{opening} {id}"));
            assert_sound(&second);
            assert!(agreed(&first).contains(rule) && work(&first).contains(enforce));
            assert!(!agreed(&second).contains(rule), "{}", agreed(&second));
            assert!(!work(&second).contains(enforce), "{}", work(&second));
            let whole = id.starts_with('I');
            let policy = if lang == Lang::En {
                "One policy"
            } else {
                "策略函数"
            };
            assert_eq!(agreed(&second).contains(policy), !whole);
            assert_eq!(fates(&second)[0].1, "changed");
        }
    }
}

/// Of several ids those that stay are named, and what names nothing is declined as that.
#[test]
fn what_is_not_taken_out_is_told() {
    let first = hold(MAIL, offline_inputs(Lang::En));
    let groundwork = id_of(&first, DocumentKind::DevPlan, "work", "permission table");
    let (_, second) = revised_in(
        Lang::En,
        MAIL,
        &format!("Remove {groundwork} and T-3. R-99 is not needed"),
    );
    assert_sound(&second);
    let told =
        "Not taken out, since it follows from criteria, decisions or answers that stand: T-3.";
    assert!(agreed(&second).contains(told), "{}", agreed(&second));
    assert!(!work(&second).contains("permission table"));
    assert_eq!(fates(&second)[1].1, "declined");
}

/// An answer says what was asked: its words call up no rules about something else.
#[test]
fn an_answer_brings_nothing_but_itself() {
    let first = hold(MAIL, offline_inputs(Lang::En));
    let (_, second) = revised_in(Lang::En, MAIL, "A-1: a fixed list named by the owner");
    assert_sound(&second);
    let count = |meeting: &Meeting| product(meeting).criteria.len();
    assert_eq!(count(&second), count(&first) + 1, "{}", criteria(&second));
    assert!(!work(&second).contains("A-1"), "{}", work(&second));
}

/// Praise in any words and a question for the reason change nothing.
#[test]
fn praise_and_questions_in_other_words_change_nothing() {
    for (lang, requirement, feedback) in [
        (Lang::En, MAIL, "Looks great, thank you! Why so many tests?"),
        (Lang::Zh, MAIL_ZH, "写得不错，谢谢"),
    ] {
        let (first, second) = revised_in(lang, requirement, feedback);
        assert_clean(&second);
        assert_eq!(agreed(&first), agreed(&second), "{feedback}");
    }
}
