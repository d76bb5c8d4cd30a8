//! What a revision's report and plan say became of feedback and of what was agreed before.

use aitc::machine::{ConsensusId, DraftLine, IssueId, IssueStatus, Lang, State};
use aitc::reply::DocumentKind;
use serde_json::{Value, json};

use super::{json as parsed, render, report};
use crate::support::states;

/// v2 with the status of the issue of F-1 changed, and the text of its item.
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
            "\nAgreed before and untouched: C-2.\n\n\
             - **C-1** agreed again in the same words as C-3",
        ),
        (
            Lang::Zh,
            "\n先前已同意且未受触动：C-2。\n\n- **C-1** 以相同文字再次同意，编号 C-3",
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
            state.documents.get_mut(&kind).unwrap().carried = Some(1);
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
    // A circle of merges, which no rule admits, ends all the same.
    let into = IssueId(3);
    let circle = revised_with(Some(IssueStatus::Merged { into }), None);
    assert_eq!(fates(&circle), ["declined", "withdrawn", "kept"]);
}
