//! Single sections of the report: what stands in which column, and what is listed.

use aitc::machine::{Lang, OFFLINE, QuestionStatus};

use super::report;
use crate::support::states;

/// The other answer is one that could be given; objections and reasons say what they are.
#[test]
fn the_column_for_the_other_answer_holds_no_other_thing_without_its_name() {
    for (lang, other, why, against) in [
        (
            Lang::En,
            "| All columns / A fixed list · Why it is asked: ",
            "| Why it is asked: ",
            "| Objected: ",
        ),
        (
            Lang::Zh,
            "| All columns / A fixed list · 提问缘由：",
            "| 提问缘由：",
            "| 反对意见：",
        ),
    ] {
        let mut state = states::revised(lang);
        state.questions[0].options.clear();
        assert!(report(&state).contains(why), "{}", report(&state));
        let taken = state.assumptions[0].text.clone();
        state.questions[0].options = ["All columns", &taken, "A fixed list"]
            .map(str::to_owned)
            .to_vec();
        assert!(report(&state).contains(other), "{}", report(&state));
        state.assumptions.clear();
        state.questions[0].status = QuestionStatus::Raised;
        state.questions[0].recommended = taken;
        assert!(report(&state).contains(other), "{}", report(&state));
        let mut open = states::unresolved(lang);
        open.report = None;
        assert!(report(&open).contains(against), "{}", report(&open));
    }
}

/// Checklists word rule and criterion from one sentence: the needs stand for the rules.
#[test]
fn a_plan_of_checklists_lists_what_was_agreed() {
    for (lang, head) in [
        (
            Lang::En,
            "Agreed, need by need; in full, 1 rule: `product_plan.json`.\n\n- ",
        ),
        (
            Lang::Zh,
            "逐项需求已达成一致，全文共 1 条规则，见 `product_plan.json`：\n\n- ",
        ),
    ] {
        let mut state = states::revised(lang);
        assert!(!report(&state).contains(head));
        state.inputs.model.provider = OFFLINE.to_owned();
        state.inputs.role_models.clear();
        let text = report(&state);
        let list = text.split_once(head).unwrap_or_else(|| panic!("{text}")).1;
        let list = list.split_once("\n\n").unwrap().0;
        for item in state.draft.standing() {
            assert!(list.contains(&item.id.to_string()), "{list}");
        }
        assert!(!list.contains("C-1"), "withdrawn: {list}");
    }
}
