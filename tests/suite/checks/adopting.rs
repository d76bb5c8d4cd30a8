//! How ids, references and paths of a document reply are normalised.

use std::collections::BTreeMap;

use aitc::machine::*;
use aitc::reply::*;

use super::plans::*;
use crate::support::fake::one_text;

fn product(state: &State, mut plan: ProductPlan) -> (ProductPlan, Vec<Note>) {
    plan.understanding = "Understood.".to_owned();
    match normalize_document(state, Document::ProductPlan(plan)) {
        (Document::ProductPlan(plan), notes) => (plan, notes),
        _ => panic!("another kind came out"),
    }
}

fn dev(work: Vec<WorkItem>) -> (DevPlan, Vec<Note>) {
    let plan = DevPlan {
        work,
        feasibility: "Easy.".to_owned(),
        ..DevPlan::default()
    };
    match normalize_document(&good(), Document::DevPlan(plan)) {
        (Document::DevPlan(plan), notes) => (plan, notes),
        _ => panic!("another kind came out"),
    }
}

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
fn references_are_understood_in_many_spellings() {
    for (text, ids) in [
        ("C-1", &["C-1"][..]),
        ("c1", &["C-1"]),
        ("C-01", &["C-1"]),
        ("C-1, C-2 and A-1", &["C-1", "C-2", "A-1"]),
        ("C-1: CSV, with a header", &["C-1"]),
        ("C-1、Q-1", &["C-1", "Q-1"]),
        ("I-2", &["C-2"]),
        ("REQUIREMENT", &["Requirement"]),
        ("null", &[]),
    ] {
        let criteria = vec![criterion("k", "seen", &[text])];
        let (plan, notes) = product(
            &discussed(),
            ProductPlan {
                criteria,
                ..Default::default()
            },
        );
        assert_eq!(plan.criteria[0].from, list(ids), "{text:?}");
        assert_eq!(texts(&notes), "", "{text:?}");
    }
}

#[test]
fn invented_references_are_left_out_with_a_note() {
    let criteria = vec![criterion(
        "k",
        "seen",
        &["C-9", "C-1", "see `x`\nthere", "I-9"],
    )];
    let (plan, notes) = product(
        &discussed(),
        ProductPlan {
            criteria,
            ..Default::default()
        },
    );
    assert_eq!(plan.criteria[0].from, list(&["C-1"]));
    assert_eq!(
        texts(&notes),
        "AC-1: `from`: `C-9` does not exist; left out\n\
         AC-1: `from`: `see  x  there` does not exist; left out\n\
         AC-1: `from`: `I-9` does not exist; left out"
    );
}

#[test]
fn a_risk_may_affect_what_was_agreed() {
    let mut assessment = RiskAssessment {
        risks: vec![Risk {
            id: "R-1".to_owned(),
            same_as: None,
            title: "Exports are slow".to_owned(),
            chance: Level::Low,
            impact: Level::High,
            mitigation: "measured first".to_owned(),
            early_sign: "over a minute".to_owned(),
            affects: list(&["C-1", "AC-1", "C-9"]),
        }],
        ..Default::default()
    };
    let given = Document::RiskAssessment(assessment.clone());
    let (normalized, notes) = normalize_document(&good(), given);
    assessment.risks[0].affects = list(&["C-1", "AC-1"]);
    assert_eq!(normalized, Document::RiskAssessment(assessment));
    assert_eq!(
        texts(&notes),
        "R-1: `affects`: `C-9` does not exist; left out"
    );
}

#[test]
fn withdrawn_items_and_open_questions_carry_nothing() {
    let mut state = discussed();
    let withdrawn =
        serde_json::json!({"is": "withdrawn", "item": "C-2", "feedback": null, "reason": "no"});
    state.draft = draft(&[agreed("C-2", "I-2", "Rows are streamed"), withdrawn]);
    state.questions.asked[0].status = QuestionStatus::Raised;
    let criteria = vec![criterion("k", "seen", &["C-2", "I-2", "Q-1"])];
    let (plan, notes) = product(
        &state,
        ProductPlan {
            criteria,
            ..Default::default()
        },
    );
    assert_eq!(plan.criteria[0].from, list(&[]));
    assert_eq!(notes.len(), 3);
}

#[test]
fn same_as_keeps_an_id_once_and_new_numbers_go_on() {
    let state = revised();
    let mut criteria = vec![
        criterion("a", "one", &[]),
        criterion("b", "two", &[]),
        criterion("c", "three", &[]),
        criterion("d", "four", &[]),
        criterion("e", "five", &[]),
    ];
    criteria[0].same_as = Some("ac2".to_owned());
    criteria[1].same_as = Some("AC-2".to_owned());
    criteria[2].same_as = Some("AC-7".to_owned());
    criteria[3].same_as = Some(" none ".to_owned());
    let (plan, notes) = product(
        &state,
        ProductPlan {
            criteria,
            ..Default::default()
        },
    );
    let ids: Vec<_> = plan
        .criteria
        .iter()
        .map(|c| (&*c.id, c.same_as.as_deref()))
        .collect();
    assert_eq!(
        ids,
        [
            ("AC-2", Some("AC-2")),
            ("AC-3", None),
            ("AC-4", None),
            ("AC-5", None),
            ("AC-6", None)
        ]
    );
    assert_eq!(
        texts(&notes),
        "criteria 2: `same_as`: `AC-2` is continued by an earlier item; taken as new\n\
         criteria 3: `same_as`: `AC-7` is no item of the previous version; taken as new"
    );
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
    let criteria = vec![criterion("a", "one", &[])];
    let (plan, _) = product(
        &state,
        ProductPlan {
            criteria,
            ..Default::default()
        },
    );
    assert_eq!(plan.criteria[0].id, "AC-41");
}

#[test]
fn duplicate_keys_get_ids_of_their_own_and_references_mean_the_first() {
    let (plan, notes) = dev(vec![
        work("w1", Size::S, &[], &[]),
        work("w1", Size::S, &[], &[]),
        work("w2", Size::S, &[], &["w1"]),
    ]);
    let ids: Vec<&str> = plan.work.iter().map(|w| &*w.id).collect();
    // The good plan already has W-1 and W-2.
    assert_eq!(ids, ["W-3", "W-4", "W-5"]);
    assert_eq!(plan.work[2].depends_on, list(&["W-3"]));
    assert_eq!(
        texts(&notes),
        "W-4: the key `w1` appears twice; references to it mean the first"
    );
}

#[test]
fn numbers_that_a_writer_gave_stay() {
    let (plan, _) = dev(vec![
        work("W-3", Size::S, &[], &["W-4"]),
        work("W-4", Size::S, &[], &[]),
        work("W-1", Size::S, &[], &[]),
    ]);
    // W-1 belongs to the earlier plan, which this document replaces.
    assert_eq!(plan.work[0].depends_on, list(&["W-4"]));
    assert_eq!(plan.order, list(&["W-4", "W-3", "W-1"]));
}

#[test]
fn the_edge_that_closes_a_circle_goes() {
    let (plan, notes) = dev(vec![
        work("a", Size::S, &[], &["c"]),
        work("b", Size::S, &[], &["a", "b"]),
        work("c", Size::S, &[], &["b"]),
    ]);
    assert_eq!(
        texts(&notes),
        "W-4: `depends_on`: `W-4` closes a cycle; left out\n\
         W-5: `depends_on`: `W-4` closes a cycle; left out"
    );
    assert_eq!(plan.order, list(&["W-5", "W-3", "W-4"]));
    assert_eq!(plan.critical_path, plan.order);
}

#[test]
fn the_critical_path_is_weighed_by_size() {
    let (plan, _) = dev(vec![
        work("a", Size::S, &[], &[]),
        work("b", Size::S, &[], &["a"]),
        work("c", Size::S, &[], &["b"]),
        work("d", Size::L, &[], &["a"]),
        work("e", Size::M, &[], &["c", "d"]),
        work("f", Size::M, &[], &["d"]),
    ]);
    // The paths a-d-e and a-d-f both weigh 8; e appears first.
    assert_eq!(plan.critical_path, list(&["W-3", "W-6", "W-7"]));
    assert_eq!(
        plan.order,
        list(&["W-3", "W-4", "W-5", "W-6", "W-7", "W-8"])
    );
}

#[test]
fn empty_items_are_left_out() {
    let mut nameless = work("w2", Size::S, &[], &[]);
    nameless.title = " \n".to_owned();
    let (plan, notes) = dev(vec![nameless, work("w1", Size::S, &[], &["w2"])]);
    assert_eq!(plan.work.len(), 1);
    assert_eq!(
        texts(&notes),
        "work 1: `title` says nothing; left out\nW-3: `depends_on`: `w2` does not exist; left out"
    );
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
    let file = |change: Change, to: Option<&str>| FileImpact {
        path: "src/a.rs".to_owned(),
        change,
        to: to.map(str::to_owned),
        what: "moves".to_owned(),
        symbols: Vec::new(),
        modules: Vec::new(),
    };
    let none_told = "src/a.rs: `to` names no other path; taken as `modify`";
    let alone = "src/a.rs: `to` is for `rename` alone: `b.rs`; left out";
    use Change::{Delete, Modify, Rename};
    for (given, to, change, kept, told) in [
        (Rename, Some("./src//b.rs"), Rename, Some("src/b.rs"), ""),
        (Rename, Some("../b.rs"), Modify, None, none_told),
        (Rename, Some("./src/a.rs"), Modify, None, none_told),
        (Rename, None, Modify, None, none_told),
        (Modify, Some("null"), Modify, None, ""),
        (Modify, Some("src/a.rs"), Modify, None, ""),
        (Delete, Some("b.rs"), Delete, None, alone),
    ] {
        let design = SystemDesign {
            architecture: "One part.".to_owned(),
            file_impacts: vec![file(given, to)],
            ..Default::default()
        };
        let (adopted, notes) = normalize_document(&good(), Document::SystemDesign(design));
        assert_eq!(check_document(&good(), &adopted), Ok(()));
        let Document::SystemDesign(design) = adopted else {
            panic!("another kind came out");
        };
        assert_eq!(
            design.file_impacts,
            [file(change, kept)],
            "{given:?} {to:?}"
        );
        assert_eq!(texts(&notes), told, "{given:?} {to:?}");
    }
    for (change, to) in [
        (Rename, None),
        (Modify, Some("b.rs")),
        (Rename, Some("./b.rs")),
    ] {
        let design = SystemDesign {
            file_impacts: vec![file(change, to)],
            ..Default::default()
        };
        let refused = check_document(&good(), &Document::SystemDesign(design));
        assert!(refused.is_err(), "{change:?} {to:?}");
    }
}

#[test]
fn an_arrow_has_two_ends_and_a_diagram_has_an_arrow() {
    let arrow = |source: &str, target: &str| Arrow {
        source: source.to_owned(),
        target: target.to_owned(),
        label: String::new(),
    };
    for (arrows, kept) in [
        (vec![arrow("A", "B"), arrow(" ", "B"), arrow("A", "")], 1),
        (vec![arrow("", "B")], 0),
        (Vec::new(), 0),
    ] {
        let notes = arrows.len() - kept;
        let design = SystemDesign {
            diagram: Some(Diagram {
                kind: DiagramKind::Flow,
                arrows,
            }),
            ..Default::default()
        };
        let (Document::SystemDesign(design), told) =
            normalize_document(&good(), Document::SystemDesign(design))
        else {
            panic!("another kind came out");
        };
        let left = design.diagram.map_or(0, |diagram| diagram.arrows.len());
        assert_eq!(left, kept);
        let told = told.iter().filter(|note| note.about.starts_with("arrows"));
        assert_eq!(told.count(), notes);
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

/// The coach may cite ids that do not exist: they are removed from its text, with a note. Text that
/// is not an id is kept.
#[test]
fn ids_in_the_words_of_the_report_exist() {
    let state = good();
    let issue = state.ledger.iter().next().unwrap().id.to_string();
    let words = ReportWords {
        title: "A plan".to_owned(),
        in_short: "In short.".to_owned(),
        decide: vec![ToDecide {
            what: "Whether".to_owned(),
            recommended: "Yes".to_owned(),
            otherwise: "No".to_owned(),
            about: ["C-99", &issue, "AC-1", "the export", "Q 77"]
                .map(str::to_owned)
                .to_vec(),
        }],
        plan: None,
    };
    let (words, notes) = normalize_report(&state, words);
    assert_eq!(words.decide[0].about, [&*issue, "AC-1", "the export"]);
    let told = texts(&notes);
    assert_eq!(notes.len(), 2, "{told}");
    assert!(told.contains("`C-99` does not exist; left out"), "{told}");
    assert!(told.contains("`Q 77` does not exist; left out"), "{told}");
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
