//! How ids, paths and words are normalised. References and whole documents are played in
//! `tests/played/documents.md`.

use std::collections::BTreeMap;

use aitc::machine::*;
use aitc::reply::*;

use super::plans::*;
use crate::support::fake::one_text;

fn texts(notes: &[Note]) -> String {
    let lines: Vec<String> = notes
        .iter()
        .map(|n| format!("{}: {}", n.about, n.text))
        .collect();
    lines.join("\n")
}

#[test]
fn spellings_of_ids() {
    for (text, id) in [
        ("AC-1", Some("AC-1")),
        ("AC1", Some("AC-1")),
        ("ac-01", Some("AC-1")),
        (" [ac 7] ", Some("AC-7")),
        ("`DEC_3`", Some("DEC-3")),
        ("AC-1: The file is saved", Some("AC-1")),
        ("C－２", Some("C-2")),
        ("requirement", Some("Requirement")),
        ("需求", Some("Requirement")),
        ("AC-0", None),
        ("AC-1.2", None),
        ("AC-1-b", None),
        ("AC-1b", None),
        ("X-1", None),
        ("AC", None),
        ("AC-99999999999", None),
        ("", None),
    ] {
        assert_eq!(canonical_id(text).as_deref(), id, "{text:?}");
    }
}

#[test]
fn numbers_of_ancestors_are_not_given_again() {
    let mut state = revised();
    state.run.counters.documents.clear();
    state
        .task
        .previous
        .as_mut()
        .unwrap()
        .counters
        .documents
        .insert("AC".to_owned(), 40);
    let reply = Document::ProductPlan(ProductPlan {
        criteria: vec![criterion("a", "one", &[])],
        ..Default::default()
    });
    let (Document::ProductPlan(plan), _) = normalize_document(&state, reply) else {
        panic!("another kind came out");
    };
    assert_eq!(plan.criteria[0].id, "AC-41");
}

#[test]
fn numbers_that_a_writer_gave_stay() {
    let reply = Document::DevPlan(DevPlan {
        work: vec![
            work("W-3", Size::S, &[], &["W-4"]),
            work("W-4", Size::S, &[], &[]),
            work("W-1", Size::S, &[], &[]),
        ],
        ..Default::default()
    });
    let (Document::DevPlan(plan), _) = normalize_document(&good(), reply) else {
        panic!("another kind came out");
    };
    // W-1 belongs to the earlier plan, which this document replaces.
    assert_eq!(plan.work[0].depends_on, list(&["W-4"]));
    assert_eq!(plan.order, list(&["W-4", "W-3", "W-1"]));
}

#[test]
fn paths_stay_in_the_repository() {
    for (text, path) in [
        ("src/a.rs", Ok("src/a.rs")),
        ("./src//a.rs", Ok("src/a.rs")),
        ("src\\win\\a.rs", Ok("src/win/a.rs")),
        (" `src/a.rs` ", Ok("src/a.rs")),
        (
            "src/../../etc/passwd",
            Err("the path leaves the repository"),
        ),
        ("..\\secret", Err("the path leaves the repository")),
        ("/etc/passwd", Err("the path is absolute")),
        ("C:\\boot.ini", Err("the path is absolute")),
        ("~/.ssh/id", Err("the path is absolute")),
        ("./~/.ssh/id", Err("the path is absolute")),
        ("https://host/x", Err("the path is absolute")),
        (
            "src/a\u{1b}[31m.rs",
            Err("the path holds control characters"),
        ),
        ("src/\u{202e}sr.a", Err("the path holds control characters")),
        ("  ", Err("the path is empty")),
        ("./.", Err("the path is empty")),
    ] {
        assert_eq!(repository_path(text), path.map(str::to_owned), "{text:?}");
    }
}

#[test]
fn only_a_file_that_is_renamed_has_a_new_path() {
    use Change::{Modify, Rename};
    for (change, to) in [
        (Rename, None),
        (Modify, Some("b.rs")),
        (Rename, Some("./b.rs")),
    ] {
        let impact = FileImpact {
            path: "src/a.rs".to_owned(),
            change,
            to: to.map(str::to_owned),
            what: "moves".to_owned(),
            symbols: Vec::new(),
            modules: Vec::new(),
        };
        let design = SystemDesign {
            file_impacts: vec![impact],
            ..Default::default()
        };
        let refused = check_document(&good(), &Document::SystemDesign(design));
        assert!(refused.is_err(), "{change:?} {to:?}");
    }
}

#[test]
fn check_document_refuses_what_adopt_would_not_make() {
    let state = {
        let mut state = good();
        state.documents.written.remove(&DocumentKind::DevPlan);
        state
    };
    let reply = Document::DevPlan(DevPlan {
        work: vec![
            work("a", Size::S, &["AC-1"], &[]),
            work("b", Size::M, &[], &["a"]),
        ],
        ..DevPlan::default()
    });
    let (whole, _) = normalize_document(&state, reply);
    assert_eq!(check_document(&state, &whole), Ok(()));
    type Break = fn(&mut DevPlan);
    let breaks: [(&str, Break); 8] = [
        ("appears twice", |p| p.work[1].id = p.work[0].id.clone()),
        ("is no id", |p| p.work[0].id = "w1".to_owned()),
        ("should be `W-3` or later", |p| {
            p.work[0].id = "W-999".to_owned()
        }),
        ("cannot be the same", |p| {
            p.work[0].same_as = Some("W-3".to_owned())
        }),
        ("does not exist", |p| p.work[0].covers = list(&["AC-9"])),
        ("in a circle", |p| p.work[0].depends_on = list(&["W-4"])),
        ("the order should be", |p| p.order.reverse()),
        ("the critical path should be", |p| p.critical_path.clear()),
    ];
    for (message, edit) in breaks {
        let Document::DevPlan(mut plan) = whole.clone() else {
            panic!("another kind came out");
        };
        edit(&mut plan);
        let error = check_document(&state, &Document::DevPlan(plan)).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
}

/// The plan as one text must cite existing ids and every agreed item; omissions are noted, and the
/// omitted items are printed beside it.
#[test]
fn the_plan_as_one_text_cites_what_there_is_and_all_that_was_agreed() {
    let mut state = good();
    state.inputs.templates = BTreeMap::from([(ONE_TEXT.to_owned(), String::new())]).into();
    let standing: Vec<String> = state.draft.standing().map(|it| it.id.to_string()).collect();
    let [first, rest @ ..] = standing.as_slice() else {
        panic!("nothing is agreed");
    };
    let words = |plan: Option<PlanText>| ReportWords {
        title: "A plan".to_owned(),
        in_short: "In short.".to_owned(),
        decide: Vec::new(),
        plan,
    };
    let all = one_text(&standing);
    assert_eq!(
        normalize_report(&state, words(Some(all.clone()))),
        (words(Some(all.clone())), Vec::new())
    );
    // Brackets in code are ignored, and so are brackets without ids of the plan; ids may be
    // separated by different punctuation.
    let written = format!(
        "- A ` rule. [{first}，C-99] [E-98]\n- `a[E-97]`, [see W-77] [UTF-8] [D-7、{first}]\n```\nb[E-96]\n```"
    );
    let plan = PlanText {
        behaviour: written,
        // Citations in the folded part do not count as mentioning an agreed item.
        corners: format!("- A corner. [{}, T-95]", rest.join(", ")),
        ..all.clone()
    };
    let (adopted, notes) = normalize_report(&state, words(Some(plan)));
    let plan = adopted.plan.unwrap();
    let left = format!(
        "- A ` rule. [{first}]\n- `a[E-97]`, [see W-77] [UTF-8] [{first}]\n```\nb[E-96]\n```"
    );
    assert_eq!(plan.behaviour, left);
    assert_eq!(plan.corners, format!("- A corner. [{}]", rest.join(", ")));
    assert_eq!(untold(&state, &plan).len(), rest.len());
    let told = texts(&notes);
    for part in ["cites C-99, D-7, E-98, T-95, which", &rest.join(", ")] {
        assert!(told.contains(part), "{part} in {told}");
    }
    for note in &notes {
        assert!(aitc::fault::recorded::is_known(&note.text), "{note:?}");
    }
    for lacks in [
        None,
        Some(PlanText {
            order: " ".to_owned(),
            ..all.clone()
        }),
    ] {
        let (adopted, notes) = normalize_report(&state, words(lacks));
        assert_eq!((adopted.plan, notes.len()), (None, 1), "{notes:?}");
    }
    // The templates do not request it.
    state.inputs.templates = Templates::default();
    assert_eq!(
        normalize_report(&state, words(Some(all))),
        (words(None), Vec::new())
    );
}

/// The short version is read alone, so it is limited in length and reported if missing.
#[test]
fn the_plan_in_short_is_kept_whole_and_told_of_where_it_is_long_or_empty() {
    let report = |in_short: &str| ReportWords {
        title: "A plan".to_owned(),
        in_short: in_short.to_owned(),
        decide: Vec::new(),
        plan: None,
    };
    for long in ["three little words ".repeat(60), "三个小词".repeat(80)] {
        let (words, notes) = normalize_report(&good(), report(&long));
        assert_eq!(words.in_short, long);
        assert!(
            texts(&notes).ends_with("words, where at most 150 were asked for"),
            "{notes:?}"
        );
    }
    let fits = "word ".repeat(150);
    assert_eq!(
        normalize_report(&good(), report(&fits)),
        (report(&fits), Vec::new())
    );
    let (_, notes) = normalize_report(&good(), report(" "));
    assert_eq!(texts(&notes), "in_short: the text is empty");
}
