//! How items of plans are paired. Which differences are shown is played in
//! `tests/played/comparisons.md`.

use aitc::check::{Diff, Listed, PairedBy, diff, diff_of_one_line};
use aitc::machine::*;
use aitc::reply::*;

use super::plans::*;
use crate::support::meeting::{listed, style};

fn names(diff: &Diff) -> Vec<&str> {
    diff.groups.iter().map(|group| group.name).collect()
}

/// Nor does a document count as new that an older draft had not written.
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
fn what_an_older_draft_had_not_written_is_not_compared() {
    let mut draft = good();
    let written = [DocumentKind::ProductPlan, DocumentKind::SystemDesign];
    let documents = &mut draft.documents.written;
    documents.retain(|kind, _| written.contains(kind));
    let diff = diff(&draft, &good());
    assert_eq!(diff.unwritten.len(), 1, "{diff:?}");
    assert_eq!(diff.unwritten[0].groups, ["work", "tests", "risks"]);
    assert!(!names(&diff).contains(&"work"), "{diff:?}");
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
