//! Single sections of the report: what stands in which column, and what is listed.

use aitc::machine::{Lang, QuestionStatus};
use aitc::reply::{Change, Document, DocumentKind};

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

#[test]
fn a_file_that_is_renamed_is_told_with_its_new_path() {
    for (lang, line) in [
        (
            Lang::En,
            "- **`src/orders/export.rs`** → `src/list.rs` (rename; new `export_orders`): The export service.",
        ),
        (
            Lang::Zh,
            "- **`src/orders/export.rs`** → `src/list.rs`（改名）：导出服务。",
        ),
    ] {
        let mut state = states::revised(lang);
        let record = state.documents.get_mut(&DocumentKind::SystemDesign);
        let Document::SystemDesign(design) = &mut record.unwrap().content else {
            panic!("another kind");
        };
        design.file_impacts[0].change = Change::Rename;
        design.file_impacts[0].to = Some("src/list.rs".to_owned());
        assert!(report(&state).contains(line), "{}", report(&state));
    }
}
