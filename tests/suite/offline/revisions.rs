//! What becomes of a plan that was not wanted so.

use aitc::workshop::{IssueRecord, Origin};

use super::*;

fn revised(feedback: &str) -> (Meeting, Meeting) {
    revised_from(ENGLISH, feedback)
}

fn revised_from(requirement: &str, feedback: &str) -> (Meeting, Meeting) {
    revised_in(Lang::En, requirement, feedback)
}

fn revised_in(lang: Lang, requirement: &str, feedback: &str) -> (Meeting, Meeting) {
    let first = hold(requirement, offline_inputs(lang));
    let previous = Previous::of(&first.state, "00");
    let items: Vec<FeedbackItem> = split_feedback(feedback, &previous.counters);
    let meeting = Meeting::open_with(Event::UserInput {
        content: requirement.to_owned(),
        run_id: "0190c0de-0000-7000-8000-000000000002".to_owned(),
        inputs: Box::new(Inputs {
            version: 2,
            ..offline_inputs(lang)
        }),
        from: Some(Box::new(previous)),
        feedback: items,
    });
    (first, finish(meeting))
}

#[test]
fn a_revision_puts_in_question_what_the_feedback_touches_and_keeps_ids() {
    let (first, second) =
        revised("The export may hold more than 50,000 rows: stream the file in the background");
    assert_clean(&second);
    assert_traceable(&second);
    let withdrawn: Vec<_> = first
        .state
        .draft
        .standing()
        .filter(|item| second.state.draft.is_withdrawn(item.id))
        .collect();
    assert!(!withdrawn.is_empty());
    assert!(withdrawn.len() < first.state.draft.standing().count());
    let ids = |meeting: &Meeting| {
        product(meeting)
            .criteria
            .iter()
            .map(|c| c.id.clone())
            .collect::<BTreeSet<_>>()
    };
    assert!(
        ids(&first).intersection(&ids(&second)).count() >= 3,
        "{:?} {:?}",
        ids(&first),
        ids(&second)
    );
}

#[test]
fn feedback_on_something_new_leaves_the_agreement_alone() {
    let (first, second) = revised("Also send an e-mail to the warehouse");
    assert_clean(&second);
    assert!(
        first
            .state
            .draft
            .standing()
            .all(|item| !second.state.draft.is_withdrawn(item.id))
    );
}

#[test]
fn a_revision_keeps_the_need_it_puts_in_question_and_leaves_out_what_it_rules_out() {
    let (_, second) = revised("make the file XLSX instead; no email sending");
    assert_clean(&second);
    assert_traceable(&second);
    let told = spoken(&second);
    // The export itself is still planned, and nothing about messages is.
    assert!(told.contains("exactly as many rows"));
    assert!(told.contains("Leave out: "));
    assert!(!told.contains("Notifier"));
    assert!(told.contains("XLSX"));
}

/// What is kept is no change, and what never stood there cannot be left out.
#[test]
fn feedback_that_asks_for_nothing_brings_nothing_and_says_why() {
    let (first, second) = revised(
        "Leave out the webhook; keep everything else. The rest stays as it is. Leave out the date filter.",
    );
    assert_clean(&second);
    assert_traceable(&second);
    let fates: Vec<_> = second
        .state
        .feedback
        .iter()
        .map(|item| {
            let of = |origin: &Origin| *origin == Origin::Feedback { feedback: item.id };
            let issue = second
                .state
                .ledger
                .iter()
                .find(|issue| of(&issue.origin))
                .unwrap();
            let reason = issue
                .history
                .last()
                .and_then(|change| change.reason.clone());
            (
                item.text.as_str(),
                issue.status == IssueStatus::Dropped,
                reason.unwrap_or_default(),
            )
        })
        .collect();
    let nothing = "Nothing in the plan speaks of it, so that there is nothing to leave out.";
    let kept = "It asks for no change: what was agreed before stands.";
    let is_dropped = |text: &str, why: &str| {
        fates
            .iter()
            .any(|(said, dropped, reason)| said.contains(text) && *dropped && reason == why)
    };
    assert!(is_dropped("webhook", nothing), "{fates:?}");
    assert!(is_dropped("keep everything else", kept), "{fates:?}");
    assert!(is_dropped("The rest stays", kept), "{fates:?}");
    let plan = serde_json::to_value(aitc::artifact::structured(&second.state)).unwrap();
    let fate = |part: &str| {
        let all = plan["feedback"].as_array().unwrap();
        let one = all
            .iter()
            .find(|one| one["text"].as_str().unwrap().contains(part));
        one.unwrap()["fate"].clone()
    };
    assert_eq!(fate("keep everything else"), "kept");
    assert_eq!(fate("The rest stays"), "kept");
    assert_eq!(fate("webhook"), "declined");
    let filter = fates.iter().find(|(said, ..)| said.contains("date filter"));
    assert!(filter.is_some_and(|(_, dropped, _)| !dropped), "{fates:?}");
    let told = spoken(&second);
    assert!(
        !told.contains("Change: keep") && !told.contains("webhook”; nothing of it"),
        "{told}"
    );
    assert!(first.state.draft.standing().count() > 2);
}

/// A word that is written in two ways is one word.
#[test]
fn what_the_plan_spells_otherwise_is_left_out_all_the_same() {
    let (_, second) = revised_from("Export orders as CSV; email the file", "Drop the e-mail");
    assert_clean(&second);
    let told = spoken(&second);
    assert!(!told.contains("there is nothing to leave out"), "{told}");
    assert!(told.contains("Leave out: "), "{told}");
}

/// "Other users" and "the rest of the team" ask for something; "the rest stays" does not.
#[test]
fn what_others_may_do_is_no_request_to_keep_the_rest() {
    for point in [
        "Other users may export their own orders, too",
        "The rest of the team gets read access",
        "其他用户也可以导出",
        "其他日志保留 30 天",
    ] {
        let (_, second) = revised(point);
        assert_clean(&second);
        let dropped = |issue: &&IssueRecord| issue.status == IssueStatus::Dropped;
        assert_eq!(second.state.ledger.iter().find(dropped), None, "{point}");
        assert!(spoken(&second).contains("Change: "), "{point}");
    }
}

/// In a requirement it is a limit of the work, and no feature to be tried out.
#[test]
fn a_requirement_that_keeps_the_rest_is_held_to_it() {
    let keeps = [
        (
            Lang::En,
            "Add CSV export of orders; keep everything else as it is",
        ),
        (Lang::Zh, "增加订单 CSV 导出；其他功能保持不变"),
    ];
    for (lang, requirement) in keeps {
        let meeting = hold(requirement, offline_inputs(lang));
        assert_clean(&meeting);
        let kept = "Nothing differs but what the other points ask for.";
        let then = |text: &str| product(&meeting).criteria.iter().any(|c| c.then == text);
        assert!(
            then(kept) || then("除其他各条所要求的之外没有差别。"),
            "{requirement}"
        );
    }
}

/// What takes the place of something is built, and never read as if it were ruled out, too.
#[test]
fn one_thing_in_the_place_of_another_is_an_exchange() {
    for (requirement, lang, feedback) in [
        (
            "Export the customer list as CSV",
            Lang::En,
            "No CSV: use XLSX",
        ),
        ("Export the customer list as CSV", Lang::En, "XLSX, not CSV"),
        (
            "Export the customer list as CSV",
            Lang::En,
            "Use XLSX instead of CSV",
        ),
        (
            "Export the customer list as CSV",
            Lang::En,
            "Replace CSV by XLSX",
        ),
        ("把客户列表导出为 CSV", Lang::Zh, "不要 CSV，改用 XLSX"),
        ("把客户列表导出为 CSV", Lang::Zh, "用 XLSX 代替 CSV"),
        (
            "导出客户列表，完成后发邮件通知",
            Lang::Zh,
            "不要邮件通知，改成站内消息",
        ),
    ] {
        let (_, second) = revised_in(lang, requirement, feedback);
        assert_clean(&second);
        let items = second.state.draft.standing().map(|item| item.text.as_str());
        let plan = product(&second);
        let criteria = plan
            .criteria
            .iter()
            .map(|c| format!("{} {}", c.when, c.then));
        let mut said: String = items.collect::<Vec<_>>().join("\n");
        said += &criteria.collect::<Vec<_>>().join("\n");
        for wrong in ["Left out as", "rules out. It", "按修订要求不做"] {
            assert!(!said.contains(wrong), "{feedback}: {said}");
        }
        let is_format = feedback.contains("XLSX");
        assert_eq!(
            is_format,
            said.contains("zeros") || said.contains("前导零"),
            "{feedback}: {said}"
        );
        assert!(!is_format || !said.contains("4180"), "{feedback}: {said}");
    }
    // What is only ruled out is still left out, and a sentence that says so by the way is none.
    let (_, second) = revised_from("Export the customer list as CSV and XLSX", "No CSV");
    let items = second.state.draft.standing();
    let said: Vec<&str> = items.map(|item| item.text.as_str()).collect();
    assert!(
        said.join("\n")
            .contains("Left out as the revision asks: “No CSV”")
    );
    let by_the_way = "The file should not include names";
    let (_, second) = revised_from("Export the customer list as CSV", by_the_way);
    let items = second.state.draft.standing();
    let said: Vec<&str> = items.map(|item| item.text.as_str()).collect();
    assert!(!said.join("\n").contains("Left out"));
}

/// Approval and a question for the reason ask for no change: they become no work.
#[test]
fn approval_and_questions_change_nothing() {
    for (feedback, fate) in [
        ("LGTM, thanks!", "kept"),
        ("Why is the date filter needed?", "declined"),
    ] {
        let (first, second) = revised(feedback);
        assert_clean(&second);
        let plan = serde_json::to_value(aitc::artifact::structured(&second.state)).unwrap();
        assert_eq!(plan["feedback"][0]["fate"], fate, "{feedback}");
        let texts = |meeting: &Meeting| -> Vec<String> {
            let items = meeting.state.draft.standing();
            items.map(|item| item.text.clone()).collect()
        };
        assert_eq!(texts(&first), texts(&second), "{feedback}");
        let told = spoken(&second);
        assert!(!told.contains("Change: "), "{told}");
    }
}
