//! Single sections of the report: their columns and lists.

use aitc::artifact;
use aitc::machine::{Lang, QuestionMode, QuestionStatus, normalize_document, normalize_report};
use aitc::page::{self, Place};
use aitc::reply::{Change, Document, DocumentKind};

use super::report;
use crate::support::fake::one_text;
use crate::support::meeting::{Meeting, agreeable};
use crate::support::states;

/// The column for alternatives contains possible answers; objections and reasons in it are
/// labelled.
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
        state.questions.asked[0].options.clear();
        assert!(report(&state).contains(why), "{}", report(&state));
        let taken = state.questions.assumptions[0].text.clone();
        state.questions.asked[0].options = ["All columns", &taken, "A fixed list"]
            .map(str::to_owned)
            .to_vec();
        assert!(report(&state).contains(other), "{}", report(&state));
        state.questions.assumptions.clear();
        state.questions.asked[0].status = QuestionStatus::Raised;
        state.questions.asked[0].recommended = taken;
        assert!(report(&state).contains(other), "{}", report(&state));
        let mut open = states::unresolved(lang);
        open.documents.report = None;
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
        let record = state.documents.written.get_mut(&DocumentKind::SystemDesign);
        let Document::SystemDesign(design) = &mut record.unwrap().content else {
            panic!("another kind");
        };
        design.file_impacts[0].change = Change::Rename;
        design.file_impacts[0].to = Some("src/list.rs".to_owned());
        assert!(report(&state).contains(line), "{}", report(&state));
    }
}

/// A plan never refers to a proposed text by that text's own id: a reason names the agreed item or
/// the author of the text.
#[test]
fn reasons_name_no_text_by_an_id_that_nobody_can_look_up() {
    for (lang, told) in [
        (Lang::En, "SD's text would let it start, C-2 does not."),
        (Lang::Zh, "SD 的文本 would let it start, C-2 does not."),
    ] {
        let mut inputs = states::inputs(lang);
        inputs.questions = QuestionMode::Assume;
        let mut meeting = Meeting::open("two things", inputs);
        meeting.run(&mut agreeable(1));
        let mut state = meeting.state;
        let said = "`X-9` would let it start, X-2 does not.";
        let mut ledger = serde_json::to_value(&state.ledger).unwrap();
        for issue in ledger["issues"].as_object_mut().unwrap().values_mut() {
            for position in issue["positions"].as_array_mut().unwrap() {
                position["why"] = said.into();
            }
        }
        let other = serde_json::json!({
            "id": "X-9", "text": "another way",
            "authors": [{"member": "SystemDesigner", "round": 1}],
        });
        let texts = &mut ledger["issues"]["I-1"]["texts"];
        texts.as_array_mut().unwrap().push(other);
        state.ledger = serde_json::from_value(ledger).unwrap();
        let design = state.documents.written[&DocumentKind::SystemDesign]
            .content
            .clone();
        let Document::SystemDesign(mut design) = design else {
            panic!("no design");
        };
        design.architecture = said.to_owned();
        let (design, _) = normalize_document(&state, Document::SystemDesign(design));
        assert!(
            serde_json::to_string(&design).unwrap().contains(told),
            "{design:?}"
        );
        let mut words = state.documents.report.clone().unwrap();
        words.in_short = said.to_owned();
        let (words, _) = normalize_report(&state, words);
        assert_eq!(words.in_short, told);
        state.documents.report = Some(words);
        let files = artifact::render(&state).unwrap();
        let page = page::whole(&state, &files, None, Place::File, lang).unwrap();
        let plan = serde_json::to_value(artifact::structured(&state)).unwrap();
        let shown = [
            report(&state),
            page.replace("&#x27;", "'"),
            plan["consensus"].to_string(),
        ];
        for text in shown {
            assert!(text.contains(told) && !text.contains("X-9"), "{text}");
        }
    }
}

/// An assumption made in the user's place is shown once outside the folded part: where the user
/// decides on it.
#[test]
fn an_assumption_stands_in_one_open_place() {
    for (lang, unasked, assumed, fold) in [
        (
            Lang::En,
            "| Nobody was asked: ",
            "Assumed (A-1)",
            "<summary>Background",
        ),
        (
            Lang::Zh,
            "| 未经询问：",
            "假设（A-1）",
            "<summary>规划的由来",
        ),
    ] {
        let mut state = states::revised(lang);
        let id = state.questions.assumptions[0].id.to_string();
        // It works for rows of the coach and for rows of the program.
        for named in [false, true] {
            if named {
                let words = state.documents.report.as_mut().unwrap();
                words.decide[0].about.push(id.clone());
            }
            let report = report(&state);
            let (open, folded) = report.split_once(fold).unwrap();
            assert_eq!(open.matches(unasked).count(), 1, "{report}");
            assert!(!open.contains(assumed), "{report}");
            assert!(folded.contains(assumed), "{report}");
        }
    }
}

/// The plan written as one text comes first. Below it, folded, all items are printed by id; agreed
/// items that the text omits are listed beside it. Of its markup only lists, tables, code and
/// lower-level headings take effect.
#[test]
fn the_plan_as_one_text_stands_open_and_its_items_folded() {
    for lang in [Lang::En, Lang::Zh] {
        let mut state = states::agreed(lang);
        let items = report(&state);
        let open = aitc::artifact::open_words(&items);
        let standing = state.draft.standing().map(|it| it.id.to_string());
        let standing: Vec<String> = standing.collect();
        let mut plan = one_text(&standing[1..]);
        plan.changes += "\n\n```rust\nfn plain() {}\n\n\nfn more() {}\n```";
        plan.risks = "# Forged\n\n<details>\n\n- [x](http://x)".to_owned();
        state.documents.report.as_mut().unwrap().plan = Some(plan);
        let told = report(&state);
        let (text, folded) = told.split_once("\n<details>\n").unwrap();
        for heading in items.lines().filter(|line| line.starts_with("## ")) {
            let lower = format!("\n#{heading}\n");
            let is_open = text.contains(&format!("\n{heading}\n"));
            assert!(folded.contains(&lower) || is_open, "{heading} in {told}");
        }
        let also = text.lines().filter(|line| line.starts_with("- **C-"));
        assert_eq!(also.count(), 1, "{text}");
        let code = "\n```rust\nfn plain() {}\n\n\nfn more() {}\n```\n";
        assert!(text.contains(code), "{text}");
        assert!(text.contains("\n### Forged\n\n\\<details>\n"), "{text}");
        let now = aitc::artifact::open_words(&told);
        assert!(now > 60 && now < open, "{now} of {open}: {told}");
    }
}
