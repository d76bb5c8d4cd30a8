//! Which differences a comparison shows.

use aitc::check::{Diff, Listed, PairedBy, diff, diff_of_one_line};
use aitc::machine::*;
use aitc::reply::*;

use super::plans::*;
use crate::support::meeting::{listed, style};

/// The good plan's revision with documents that continue its items.
fn second() -> State {
    let mut state = revised();
    for mut reply in replies() {
        match &mut reply {
            Document::ProductPlan(plan) => {
                plan.criteria[0].same_as = Some("AC-1".to_owned());
                plan.criteria[1].same_as = Some("AC-2".to_owned());
                plan.criteria
                    .push(criterion("c3", "fields are split by ;", &["C-3"]));
            }
            Document::SystemDesign(design) => {
                design.modules[0].same_as = Some("M-1".to_owned());
                design.decisions[0].same_as = Some("DEC-1".to_owned());
                design.decisions[0].choice = "streamed in pages".to_owned();
            }
            Document::DevPlan(plan) => {
                plan.work[0].same_as = Some("W-1".to_owned());
                plan.work[0].size = Size::L;
                plan.work[0].covers = list(&["AC-2", "AC-1"]);
                plan.work[1].same_as = Some("W-2".to_owned());
            }
            Document::TestPlan(plan) => {
                plan.cases[0].same_as = Some("T-1".to_owned());
                plan.cases.pop();
            }
            Document::RiskAssessment(plan) => {
                plan.risks[0].same_as = Some("R-1".to_owned());
                plan.risks[0].title = "Exports  are\nslow".to_owned();
            }
        }
        record(&mut state, reply);
    }
    state
}

fn names(diff: &Diff) -> Vec<&str> {
    diff.groups.iter().map(|group| group.name).collect()
}

/// A document that a draft has not written yet does not count as removed.
#[test]
fn what_is_not_written_yet_is_not_compared() {
    let mut draft = second();
    let written = [DocumentKind::ProductPlan, DocumentKind::SystemDesign];
    draft
        .documents
        .written
        .retain(|kind, _| written.contains(kind));
    let unwritten = ["work", "tests", "risks"];
    for (old, new) in [(good(), draft.clone()), (draft, good())] {
        let diff = diff(&old, &new);
        let names = names(&diff);
        assert!(names.contains(&"criteria"), "{names:?}");
        assert!(
            unwritten.iter().all(|name| !names.contains(name)),
            "{names:?}"
        );
        assert_eq!(diff.unwritten.len(), 1, "{diff:?}");
        assert_eq!(
            (diff.unwritten[0].version, &diff.unwritten[0].groups[..]),
            (2, &unwritten[..])
        );
        let told = listed("diff", &diff, Lang::En);
        let line = "not compared, since v2 has not written them yet: work, tests, risks";
        assert!(told.ends_with(line), "{told}");
        let told = listed("diff", &diff, Lang::Zh);
        assert!(
            told.ends_with("v2 尚未写出，因此没有比较：工作项、测试、风险"),
            "{told}"
        );
    }
}

#[test]
fn a_revision_shows_meaning_only() {
    let diff = diff(&good(), &second());
    assert!(diff.one_line);
    assert_eq!(
        listed("diff", &diff, Lang::En),
        "v1 → v2\n\
         \n\
         consensus\n  + C-3 Fields are split by semicolons\n\
         \n\
         issues\n  + I-3 Separator\n\
         \n\
         criteria\n  + AC-3 a list of orders the user presses Export fields are split by ;\n\
         \n\
         decisions\n  ~ DEC-1 How rows are written: streamed in pages\n      choice: streamed → streamed in pages\n\
         \n\
         work\n  ~ W-1 Step one\n      size: M → L\n      covers: AC-1 → AC-1; AC-2\n\
         \n\
         tests\n  - T-2 Case two"
            .replace("AC-1 → AC-1; AC-2", "AC-1 → AC-2; AC-1")
    );
}

/// For prose, only changed sentences are shown.
#[test]
fn prose_is_compared_sentence_by_sentence() {
    let with = |architecture: &str, data: &[&str], assumption: &str| {
        let mut state = good();
        for record in state.documents.written.values_mut() {
            match &mut record.content {
                Document::SystemDesign(design) => design.architecture = architecture.to_owned(),
                Document::TestPlan(plan) => plan.data = list(data),
                Document::RiskAssessment(plan) => {
                    plan.assumptions = vec![PlanAssumption {
                        text: assumption.to_owned(),
                        from: None,
                    }];
                }
                _ => {}
            }
        }
        state
    };
    let old = with(
        "Rows are streamed. One query reads all orders of a shop. Nothing is stored.",
        &["a shop"],
        "Sheets read CSV.",
    );
    let new = with(
        "Rows are streamed. One query reads the orders of a shop. It ends with the last row.",
        &["a shop", "a shop without orders"],
        "Sheets read CSV.",
    );
    let told = listed("diff", &diff(&old, &new), Lang::En);
    assert_eq!(
        told,
        "v1 → v1\n\n\
         architecture\n  + It ends with the last row.\n  - Nothing is stored.\n  \
         ~ One query reads all orders of a shop. → One query reads the orders of a shop.\n\n\
         test data\n  + a shop without orders"
    );
    let told = listed("diff", &diff(&new, &old), Lang::Zh);
    assert!(told.contains("\n架构\n  + Nothing is stored."), "{told}");
}

#[test]
fn order_and_white_space_do_not_show() {
    let mut other = good();
    for record in other.documents.written.values_mut() {
        match &mut record.content {
            Document::ProductPlan(plan) => {
                plan.criteria.reverse();
                plan.criteria[0].from.reverse();
                plan.understanding = plan.understanding.replace(' ', "\n ");
            }
            Document::SystemDesign(design) => {
                design.modules[0].covers.reverse();
                design.file_impacts.reverse();
                design.decisions[0].why = " memory\n".to_owned();
            }
            _ => {}
        }
    }
    assert_eq!(
        listed("diff", &diff(&good(), &other), Lang::En),
        "v1 → v1\nno change in meaning"
    );
}

#[test]
fn an_issue_shows_its_new_status() {
    let mut other = good();
    let origin = serde_json::json!({"is": "requirement"});
    let first = serde_json::to_value(other.ledger.find(IssueId(1)).unwrap()).unwrap();
    let mut second = issue(
        "I-2",
        "x",
        origin,
        serde_json::json!({"is": "open"}),
        vec![],
    );
    second["title"] = serde_json::json!("How large an export may be");
    other.ledger = ledger(&[first, second]);
    let diff = diff(&good(), &other);
    let fields: Vec<_> = diff.groups[0].changed[0]
        .fields
        .iter()
        .map(|f| (f.field, &*f.old, &*f.new))
        .collect();
    assert_eq!(diff.groups[0].name, "issues");
    assert_eq!(
        fields,
        [("status", "settled", "open"), ("became", "C-2", "")]
    );
}

#[test]
fn unrelated_plans_are_paired_by_text_whatever_their_ids() {
    let mut other = discussed();
    other.run.id = "somebody-elses".to_owned();
    for mut reply in replies() {
        if let Document::ProductPlan(plan) = &mut reply {
            plan.criteria.reverse();
            plan.criteria[1].then = "a CSV file of twelve lines is saved".to_owned();
        }
        // References use the numbers, so swap them in the same way.
        let turned = serde_json::to_string(&reply).unwrap();
        let turned = turned
            .replace("\"AC-1\"", "\"x\"")
            .replace("\"AC-2\"", "\"AC-1\"");
        record(
            &mut other,
            serde_json::from_str(&turned.replace("\"x\"", "\"AC-2\"")).unwrap(),
        );
    }
    let diff = diff(&good(), &other);
    assert!(!diff.one_line);
    assert_eq!(
        names(&diff),
        ["criteria"],
        "{}",
        listed("diff", &diff, Lang::En)
    );
    let changed = &diff.groups[0].changed;
    assert_eq!(changed.len(), 1);
    assert_eq!(
        (&*changed[0].id, changed[0].was.as_deref()),
        ("AC-2", Some("AC-1"))
    );
    assert_eq!(changed[0].paired_by, PairedBy::Similarity);
    let shown = listed("diff", &diff, Lang::En);
    assert!(shown.contains("matched by text"), "{shown}");
    assert!(shown.contains("~ AC-2 (was AC-1) "), "{shown}");
}

#[test]
fn a_phrase_may_change_but_not_the_matter() {
    let plan = |run: &str, texts: [&str; 2]| {
        let mut state = discussed();
        state.run.id = run.to_owned();
        let item = |text: &str| ScopeItem {
            text: text.to_owned(),
            from: Vec::new(),
        };
        let plan = ProductPlan {
            scope: texts.map(item).to_vec(),
            ..Default::default()
        };
        record(&mut state, Document::ProductPlan(plan));
        state
    };
    for (old, new) in [
        (
            ["订单可以导出为逗号分隔文件", "管理员可以删除用户"],
            ["订单可以导出为制表符分隔文件", "首页显示最近的新闻"],
        ),
        (
            [
                "Orders are exported as a CSV file",
                "Admins can delete a user",
            ],
            [
                "Orders are exported as a TSV file at night",
                "Guests can read the news",
            ],
        ),
    ] {
        let diff = diff(&plan("a", old), &plan("b", new));
        let group = &diff.groups[0];
        let text = |list: &[Listed]| list.iter().map(|l| l.text.clone()).collect::<Vec<_>>();
        assert_eq!(text(&group.added), [new[1]]);
        assert_eq!(text(&group.removed), [old[1]]);
        assert_eq!(group.changed[0].text, new[0]);
    }
}

#[test]
fn an_id_that_means_something_else_is_no_match() {
    let mut other = good();
    other.run.id = "somebody-elses".to_owned();
    let record = other
        .documents
        .written
        .get_mut(&DocumentKind::ProductPlan)
        .unwrap();
    let Document::ProductPlan(plan) = &mut record.content else {
        panic!("another kind");
    };
    plan.criteria[1] = Criterion {
        given: "somebody else".to_owned(),
        when: "nothing".to_owned(),
        then: "quite another matter".to_owned(),
        id: "AC-2".to_owned(),
        same_as: None,
        from: Vec::new(),
    };
    let unrelated = diff(&good(), &other);
    assert_eq!(unrelated.groups[0].added.len(), 1);
    // Items that cover the old AC-2 now cover something else.
    assert!(names(&unrelated).contains(&"tests"));
    // Within one series of versions an id identifies the same item, which was changed here.
    let related = diff_of_one_line(&good(), &other);
    assert_eq!(names(&related), ["criteria"]);
    assert_eq!(related.groups[0].changed[0].id, "AC-2");
}

#[test]
fn a_diff_is_fit_for_terminal_and_machine() {
    let mut other = good();
    other.task.requirement = "Export\u{1b}[31m everything".to_owned();
    let diff = diff(&good(), &other);
    assert!(!listed("diff", &diff, Lang::En).contains('\u{1b}'));
    let style = aitc::ui::view::Style {
        color: true,
        ..style(200)
    };
    let coloured = aitc::ui::view::list("diff", &diff, &style);
    assert!(coloured.contains("\u{1b}[33m") && !coloured.contains("\u{1b}[31m everything"));
    let json = serde_json::to_value(&diff).unwrap();
    assert_eq!(
        json["groups"][0]["changed"][0]["fields"][0]["field"],
        "requirement"
    );
    assert_eq!(json["groups"][0]["changed"][0]["paired_by"], "id");
}
