//! What becomes of a plan that was not wanted so.

use aitc::machine::{IssueRecord, Origin};

use super::*;

pub fn revised(feedback: &str) -> (Meeting, Meeting) {
    revised_from(ENGLISH, feedback)
}

pub fn revised_from(requirement: &str, feedback: &str) -> (Meeting, Meeting) {
    revised_in(Lang::En, requirement, feedback)
}

pub fn revised_in(lang: Lang, requirement: &str, feedback: &str) -> (Meeting, Meeting) {
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

pub const EXPORT: &str = "Add CSV export of orders with a date filter. Only admins may export";
pub const EXPORT_ZH: &str = "订单支持按日期导出 CSV；只有管理员可以导出";

/// A revision of a plan that may be a revision itself.
pub fn revised_again(lang: Lang, first: &Meeting, feedback: &str) -> Meeting {
    let previous = Previous::of(&first.state, "00");
    let items = split_feedback(feedback, &previous.counters);
    finish(Meeting::open_with(Event::UserInput {
        content: previous.requirement.clone(),
        run_id: "0190c0de-0000-7000-8000-000000000003".to_owned(),
        inputs: Box::new(Inputs {
            version: previous.version + 1,
            ..offline_inputs(lang)
        }),
        from: Some(Box::new(previous)),
        feedback: items,
    }))
}

pub fn fates(meeting: &Meeting) -> Vec<(String, String)> {
    let plan = serde_json::to_value(aitc::artifact::structured(&meeting.state)).unwrap();
    let all = plan["feedback"].as_array().unwrap();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    all.iter()
        .map(|one| (text(&one["text"]), text(&one["fate"])))
        .collect()
}

pub fn document(meeting: &Meeting, kind: DocumentKind) -> serde_json::Value {
    serde_json::to_value(&meeting.state.documents[&kind].content).unwrap()
}

/// The titles of what a document lists under a name.
pub fn titles(meeting: &Meeting, kind: DocumentKind, of: &str) -> Vec<String> {
    let document = document(meeting, kind);
    let list = document[of].as_array().unwrap().iter();
    list.map(|one| one["title"].as_str().unwrap().to_owned())
        .collect()
}

/// The id and words of the first thing a document lists under a name that says `part`.
pub fn id_of(meeting: &Meeting, kind: DocumentKind, of: &str, part: &str) -> String {
    let document = document(meeting, kind);
    let mut list = document[of].as_array().unwrap().iter();
    let one = list.find(|one| one.to_string().contains(part));
    one.unwrap_or_else(|| panic!("{part} in {document}"))["id"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// Whoever joins those who may is part of the rule; what is built besides stays.
#[test]
fn who_else_may_is_part_of_the_rule() {
    for (lang, requirement, feedback, both) in [
        (
            Lang::En,
            EXPORT,
            "Support staff may export, too.",
            "“Only admins may export; Support staff may export, too”",
        ),
        (
            Lang::Zh,
            EXPORT_ZH,
            "客服也可以导出。",
            "“只有管理员可以导出；客服也可以导出”",
        ),
    ] {
        let (first, second) = revised_in(lang, requirement, feedback);
        assert_clean(&second);
        assert_traceable(&second);
        let items: Vec<&str> = second
            .state
            .draft
            .standing()
            .map(|item| item.text.as_str())
            .collect();
        let said = items.join("\n");
        assert!(said.contains(both), "{said}");
        let alone = both.split(['；', ';']).next().unwrap();
        assert_eq!(said.matches(alone).count(), 1, "{said}");
        // Nothing of the export was put in question, and its work is still there.
        let work = titles(&second, DocumentKind::DevPlan, "work");
        let before = titles(&first, DocumentKind::DevPlan, "work");
        let kept = before.iter().filter(|title| work.contains(title)).count();
        assert_eq!(kept, before.len() - 1, "{work:?} {before:?}");
        assert_eq!(work.len(), before.len() + 1, "{work:?}");
    }
    let (_, second) = revised_from(EXPORT, "Only managers may export");
    let items: Vec<&str> = second
        .state
        .draft
        .standing()
        .map(|item| item.text.as_str())
        .collect();
    let said = items.join("\n");
    assert!(
        said.contains("“Only managers may export”") && !said.contains("Only admins"),
        "{said}"
    );
}

/// A need that is left out takes its work along; a part of one does not take the rest.
#[test]
fn a_need_that_is_left_out_leaves_no_work() {
    let requirement = "Write a JSON log in the daemon. The log level can be changed at runtime";
    let (first, second) = revised_from(requirement, "Drop the level change.");
    assert_clean(&second);
    assert_traceable(&second);
    let has = |meeting: &Meeting| {
        let work = titles(meeting, DocumentKind::DevPlan, "work");
        work.iter()
            .any(|title| title == "Build: The log level can be changed at runtime")
    };
    assert!(has(&first) && !has(&second));
    let (_, second) = revised_from(EXPORT, "Leave out the date filter.");
    let work = titles(&second, DocumentKind::DevPlan, "work");
    let build = "Build: Add CSV export of orders with a date filter";
    assert!(work.iter().any(|title| title == build), "{work:?}");
}

/// That no checklist knows the subject stays true whatever a revision adds.
#[test]
fn a_skeleton_stays_one_when_a_revision_adds_what_is_known() {
    let stamps = "Add a loyalty stamp board to the bakery counter";
    let (first, second) = revised_from(stamps, "Show a date filter");
    assert_clean(&second);
    let understanding = |meeting: &Meeting| product(meeting).understanding.clone();
    let said = "No checklist knows this subject";
    assert!(
        understanding(&first).contains(said),
        "{}",
        understanding(&first)
    );
    assert!(
        understanding(&second).contains(said),
        "{}",
        understanding(&second)
    );
}

/// What only a document says is still part of the plan.
#[test]
fn what_a_document_speaks_of_can_be_left_out() {
    let (first, second) = revised_from(EXPORT, "Leave out the matrix");
    let cases = titles(&first, DocumentKind::TestPlan, "cases");
    assert!(
        cases.iter().any(|title| title.contains("matrix")),
        "{cases:?}"
    );
    let agreed: Vec<&str> = first
        .state
        .draft
        .standing()
        .map(|item| item.text.as_str())
        .collect();
    assert!(!agreed.join(" ").contains("matrix"));
    let told = spoken(&second);
    assert!(!told.contains("Nothing in the plan speaks of it"), "{told}");
}

/// What an assumption bears on stays told where feedback has put that in question, in this
/// version and the next, and a part of the system is the same one whatever it serves.
#[test]
fn what_an_assumption_bears_on_is_told_in_every_version() {
    let (first, second) = revised_from(EXPORT, "Support staff may export, too.");
    let third = revised_again(Lang::En, &second, "Also log every export");
    let affects = |meeting: &Meeting| {
        let risks = document(meeting, DocumentKind::RiskAssessment)["risks"].clone();
        let mut risks = risks.as_array().unwrap().clone().into_iter();
        let risk = risks.find(|risk| risk["title"].as_str().unwrap().contains("A-1"));
        risk.unwrap()["affects"].to_string()
    };
    for meeting in [&second, &third] {
        assert!(affects(meeting).contains("AC-1"), "{}", affects(meeting));
        assert_eq!(
            id_of(
                &first,
                DocumentKind::SystemDesign,
                "modules",
                "The change itself"
            ),
            id_of(
                meeting,
                DocumentKind::SystemDesign,
                "modules",
                "The change itself"
            ),
        );
    }
}
