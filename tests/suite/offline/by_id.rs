//! What feedback names by its id.

use super::revisions::*;
use super::*;

/// What feedback takes out by its id goes, alone, and does not come back.
#[test]
fn what_feedback_names_by_its_id_is_taken_out() {
    for (lang, requirement, opening, header, again) in [
        (
            Lang::En,
            EXPORT,
            "Remove",
            "header line",
            "Also log every export",
        ),
        (Lang::Zh, EXPORT_ZH, "去掉", "表头", "导出也要记日志"),
    ] {
        let first = hold(requirement, offline_inputs(lang));
        let risk = titles(&first, DocumentKind::RiskAssessment, "risks");
        let risk_id = id_of(&first, DocumentKind::RiskAssessment, "risks", &risk[0]);
        let criterion = id_of(&first, DocumentKind::ProductPlan, "criteria", header);
        let feedback = format!("{opening} {criterion}; {opening} {risk_id}");
        let (_, second) = revised_in(lang, requirement, &feedback);
        assert_clean(&second);
        assert_traceable(&second);
        let holds = |meeting: &Meeting| {
            let plan = document(meeting, DocumentKind::ProductPlan)["criteria"].to_string();
            let risks = titles(meeting, DocumentKind::RiskAssessment, "risks");
            plan.contains(header) || risks.contains(&risk[0])
        };
        assert!(holds(&first) && !holds(&second), "{feedback}");
        assert!(fates(&second).iter().all(|(_, fate)| fate == "changed"));
        let count = |meeting: &Meeting| product(meeting).criteria.len();
        assert_eq!(count(&second), count(&first) - 1, "{feedback}");
        // The plan says what is gone, and no work is made of it.
        let aside = document(&second, DocumentKind::ProductPlan)["non_goals"].to_string();
        assert!(
            aside.contains(&criterion) && aside.contains(&risk_id),
            "{aside}"
        );
        let work = |meeting: &Meeting| titles(meeting, DocumentKind::DevPlan, "work");
        assert_eq!(work(&first), work(&second), "{feedback}");
        let third = revised_again(lang, &second, again);
        assert_clean(&third);
        assert!(!holds(&third), "{feedback}, then {again}");
    }
}

/// A decision goes with what it says; what follows from something that stands does not.
#[test]
fn what_the_plan_rests_on_is_told_from_what_follows_from_it() {
    let first = hold(EXPORT, offline_inputs(Lang::En));
    let builder = "one query builder";
    let decision = id_of(&first, DocumentKind::SystemDesign, "decisions", builder);
    let build = id_of(&first, DocumentKind::DevPlan, "work", "Build: ");
    let groundwork = id_of(&first, DocumentKind::DevPlan, "work", "permission table");
    let feedback =
        format!("{decision} is not needed. Drop {build}. Drop {groundwork}. Remove AC-99");
    let (_, second) = revised_from(EXPORT, &feedback);
    assert_clean(&second);
    assert_traceable(&second);
    let design = document(&second, DocumentKind::SystemDesign)["decisions"].to_string();
    assert!(!design.contains(builder), "{design}");
    let work = titles(&second, DocumentKind::DevPlan, "work");
    let has = |part: &str| work.iter().any(|title| title.contains(part));
    assert!(has("Build: ") && !has("permission table"), "{work:?}");
    let fates = fates(&second);
    let fates: Vec<&str> = fates.iter().map(|(_, fate)| fate.as_str()).collect();
    assert_eq!(fates, ["changed", "declined", "changed", "declined"]);
    let why = |part: &str| {
        second.state.ledger.iter().any(|issue| {
            let last = issue
                .history
                .last()
                .and_then(|change| change.reason.as_deref());
            issue.title.contains(&build) && last.is_some_and(|reason| reason.contains(part))
        })
    };
    assert!(why("name those by their ids"));
}
