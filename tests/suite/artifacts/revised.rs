//! How a revision's report and plan account for feedback and for earlier agreements.

use aitc::machine::{
    AnswerSource, ConsensusId, DraftLine, IssueId, IssueStatus, IssueText, Lang, ProposalId, State,
    Supporter, TextId,
};
use aitc::reply::{Document, DocumentKind, PlanAssumption, Stance};
use aitc::role::RoleId;
use serde_json::{Value, json};

use super::{json as parsed, render, report};
use crate::support::states;

/// v2 in which the status of the issue made from F-1, or the text of its item, is changed.
fn revised_with(status: Option<IssueStatus>, text: Option<&str>) -> Value {
    parsed(
        &render(&revised_state(Lang::En, status, text)),
        "planning.ai.json",
    )
}

fn revised_state(lang: Lang, status: Option<IssueStatus>, text: Option<&str>) -> State {
    let mut state = states::revised(lang);
    let mut issues: Vec<_> = state.ledger.iter().cloned().collect();
    if let Some(status) = status {
        issues[2].status = status;
    }
    state.ledger = states::ledger(issues);
    let mut lines = state.draft.lines().to_vec();
    for line in &mut lines {
        if let (DraftLine::Agreed { item }, Some(text)) = (line, text)
            && item.id == ConsensusId(3)
        {
            item.text = text.to_owned();
        }
    }
    state.draft = states::draft(lines);
    state
}

#[test]
fn what_was_agreed_again_is_not_told_as_untouched() {
    let told = [
        (
            Lang::En,
            "\nAgreed before and unchanged: C-2.\n\n\
             - **C-1** agreed again in the same words as C-3",
        ),
        (
            Lang::Zh,
            "\n沿用上一版的共识：C-2。\n\n- **C-1** 以相同文字再次达成一致，编号 C-3",
        ),
    ];
    for (lang, told) in told {
        let before = states::revised(lang);
        let same = before.draft.find(ConsensusId(1)).unwrap().text.clone();
        let text = report(&revised_state(lang, None, Some(&same)));
        assert!(text.contains(told), "{text}");
        let text = report(&before);
        assert!(text.contains(told.lines().nth(1).unwrap()), "{text}");
        assert!(!text.contains(told.lines().nth(3).unwrap()), "{text}");
    }
}

#[test]
fn documents_that_were_carried_over_are_named_with_the_version_that_wrote_them() {
    let told = [
        (
            Lang::En,
            "\nCarried over as written: test plan (v1), risk assessment (v1).\n",
        ),
        (Lang::Zh, "\n原样沿用：测试计划（v1）、风险评估（v1）。\n"),
    ];
    for (lang, told) in told {
        let mut state = states::revised(lang);
        assert!(!report(&state).contains(told));
        for kind in [DocumentKind::TestPlan, DocumentKind::RiskAssessment] {
            state.documents.written.get_mut(&kind).unwrap().carried = Some(1);
        }
        assert!(report(&state).contains(told), "{}", report(&state));
    }
}

#[test]
fn feedback_and_what_it_touched_are_followed_to_their_end() {
    let fates = |plan: &Value| {
        let fate = |list: &str, i: usize| plan[list][i]["fate"].as_str().unwrap().to_owned();
        [fate("feedback", 0), fate("carried", 0), fate("carried", 1)]
    };
    let settled = revised_with(None, None);
    assert_eq!(fates(&settled), ["changed", "superseded", "kept"]);
    assert_eq!(settled["feedback"][1]["fate"], "declined");
    assert!(settled["feedback"][1]["reason"].is_string());
    assert_eq!(settled["feedback"][2]["fate"], "superseded");
    assert_eq!(settled["feedback"][2]["went_on_in"][0], "I-6");
    assert_eq!(settled["carried"][0]["now"][0], "C-3");

    let same = "One row an order, with a header.";
    let again = revised_with(None, Some(same));
    assert_eq!(fates(&again), ["kept", "agreed_again", "kept"]);
    assert_eq!(again["carried"][0]["now"], json!(["C-3"]));
    let open = revised_with(Some(IssueStatus::Open), None);
    assert_eq!(fates(&open), ["open", "open", "kept"]);
    let dropped = revised_with(Some(IssueStatus::Dropped), None);
    assert_eq!(fates(&dropped), ["declined", "withdrawn", "kept"]);
    // A cycle of merges, which the rules do not allow, must not cause an endless loop.
    let into = IssueId(3);
    let circle = revised_with(Some(IssueStatus::Merged { into }), None);
    assert_eq!(fates(&circle), ["declined", "withdrawn", "kept"]);
}

/// A row shows its feedback completely. A heading that would have to cut the feedback shows its id
/// instead.
#[test]
fn an_item_made_of_long_feedback_is_headed_by_its_id() {
    for (lang, head, short) in [
        (
            Lang::En,
            "- **C-3** *F-1*: ",
            "*Amounts need their currency*",
        ),
        (Lang::Zh, "- **C-3** *F-1*", "金额"),
    ] {
        let mut state = states::revised(lang);
        assert!(report(&state).contains(short), "{}", report(&state));
        let long = "Amounts need their currency, ".repeat(6);
        let mut issues: Vec<_> = state.ledger.iter().cloned().collect();
        issues[2].title = format!("{}…", &long[..120]);
        issues[2].detail = long.clone();
        state.task.feedback[0].text = long.clone();
        // The report shows an open issue with its full text.
        issues[3].status = IssueStatus::Open;
        issues[3].title = "Make the…".to_owned();
        state.ledger = states::ledger(issues);
        let text = report(&state);
        let open = format!("I-4 {}", state.task.feedback[1].text);
        for told in [head, long.trim_end(), &open] {
            assert!(text.contains(told), "{told}: {text}");
        }
    }
}

/// A row of feedback names the plan items that resulted from it.
#[test]
fn feedback_is_followed_to_the_items_that_came_of_it() {
    for (lang, told) in [
        (Lang::En, "| changed | C-3 → AC-3, W-3, T-3 "),
        (Lang::Zh, "C-3 → AC-3、W-3、T-3（"),
    ] {
        let mut state = states::revised(lang);
        let new = "AC-3".to_owned();
        for record in state.documents.written.values_mut() {
            match &mut record.content {
                Document::ProductPlan(plan) => {
                    plan.criteria.retain(|one| one.id != new);
                    let mut one = plan.criteria[0].clone();
                    (one.id, one.from) = (new.clone(), vec!["C-3".to_owned()]);
                    plan.criteria.push(one);
                }
                Document::DevPlan(plan) => {
                    let mut one = plan.work[0].clone();
                    (one.id, one.covers) = ("W-3".to_owned(), vec![new.clone()]);
                    plan.work.push(one);
                }
                Document::TestPlan(plan) => {
                    let mut one = plan.cases[0].clone();
                    (one.id, one.covers) = ("T-3".to_owned(), vec![new.clone()]);
                    plan.cases.push(one);
                    // This case is unchanged, so it is not a result of the feedback.
                    plan.cases[0].covers.push(new.clone());
                }
                _ => {}
            }
        }
        let before = state.task.previous.as_mut().unwrap();
        if let Some(Document::TestPlan(plan)) = before.documents.get_mut(&DocumentKind::TestPlan) {
            plan.cases[0].covers.push(new);
        }
        let text = report(&state);
        assert!(text.contains(told), "{text}");
    }
}

/// A changed part without an id is identified by its position.
#[test]
fn parts_without_ids_that_changed_are_named() {
    for (lang, told) in [
        (
            Lang::En,
            "\nAlso changed: `system_design.architecture`, `test_plan.data`.\n",
        ),
        (
            Lang::Zh,
            "\n此外有变化的：`system_design.architecture`、`test_plan.data`。\n",
        ),
    ] {
        let mut state = states::revised(lang);
        let documents = state.documents.written.clone();
        let before = documents
            .into_iter()
            .map(|(kind, record)| (kind, record.content));
        state.task.previous.as_mut().unwrap().documents = before.collect();
        assert!(!report(&state).contains("test_plan.data"));
        for record in state.documents.written.values_mut() {
            match &mut record.content {
                Document::TestPlan(plan) => plan.data.push("Invoices of a whole year.".to_owned()),
                Document::SystemDesign(design) => design.architecture.push_str(" More."),
                Document::DevPlan(plan) => plan.critical_path.reverse(),
                Document::ProductPlan(plan) => plan.criteria[0].then.push('!'),
                Document::RiskAssessment(_) => {}
            }
        }
        assert!(report(&state).contains(told), "{}", report(&state));
    }
}

/// An assumption among the risks is listed with its question and any later answer.
#[test]
fn what_is_taken_for_granted_stands_with_its_question() {
    for (lang, asked, answered) in [
        (
            Lang::En,
            "The question was: ",
            "You have answered since: 20,000",
        ),
        (Lang::Zh, "对应的提问：", "您后来回答：20,000"),
    ] {
        let mut state = states::revised(lang);
        let question = state.questions.asked[0].text.clone();
        let assumed = PlanAssumption {
            text: "Exports are small.".to_owned(),
            from: Some(state.questions.assumptions[0].id.to_string()),
        };
        let risks = state
            .documents
            .written
            .get_mut(&DocumentKind::RiskAssessment);
        let Document::RiskAssessment(risks) = &mut risks.unwrap().content else {
            panic!("no risks");
        };
        risks.assumptions = vec![assumed];
        // Feedback has answered it, so it is no longer an assumption and no row asks about it.
        state.questions.assumptions.clear();
        let before = state.task.previous.as_mut().unwrap();
        before.answer(before.questions[0].id, AnswerSource::Feedback, "20,000");
        state.questions.asked.clear();
        let text = report(&state);
        let row = text
            .lines()
            .find(|line| line.contains("Exports are small."));
        let row = row.unwrap_or_else(|| panic!("{text}"));
        for told in [asked, &question, answered] {
            assert!(row.contains(told), "{row}");
        }
    }
}

/// An objection names the text it refers to: by the item with that text, or by quoting the text.
#[test]
fn dissent_names_the_text_that_it_is_to() {
    for (lang, to_item, to_text) in [
        (
            Lang::En,
            " Against C-1.",
            " Against SD's text: A page of its own.",
        ),
        (
            Lang::Zh,
            "反对的是 C-1。",
            "反对的是 SD 的文本：A page of its own.",
        ),
    ] {
        let mut state = states::unresolved(lang);
        let agreed = state.draft.find(ConsensusId(1)).unwrap().text_id;
        let mut issues: Vec<_> = state.ledger.iter().cloned().collect();
        let lost = IssueText {
            id: TextId::Proposed(ProposalId(77)),
            text: "A page of its own.".to_owned(),
            authors: vec![Supporter {
                member: RoleId::from("SystemDesigner"),
                round: 1,
            }],
            from: Vec::new(),
            at: 0,
        };
        let own = issues[0].text(agreed).cloned().unwrap();
        issues[1].texts.extend([lost.clone(), own]);
        for (against, told) in [
            (None, ""),
            (Some(agreed), to_item),
            (Some(lost.id), to_text),
        ] {
            let mut positions = issues[1].positions.to_vec();
            for position in positions
                .iter_mut()
                .filter(|it| it.stance == Stance::Object)
            {
                position.against = against;
            }
            issues[1].positions = positions.into();
            state.ledger = states::ledger(issues.clone());
            let text = report(&state);
            for other in [to_item, to_text] {
                assert_eq!(text.contains(other), other == told, "{told}: {text}");
            }
        }
    }
}
