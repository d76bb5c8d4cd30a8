//! Comparison of a plan with the changes of commits.

use aitc::check::{
    ChangeStatus, CommitChanges, CommitComparison, SourceDefinition, TouchedFile, against, junit,
};
use aitc::reply::{Change as What, Document};
use serde_json::json;

use crate::support::binary::{Place, git};
use crate::support::checked::broken;
use crate::support::plans::good;
use crate::support::schemas;

fn defined(names: &[(&str, &str)]) -> Vec<SourceDefinition> {
    let all = names
        .iter()
        .zip(1..)
        .map(|((name, text), line)| SourceDefinition {
            name: (*name).to_owned(),
            line,
            is_function: true,
            text: (*text).to_owned(),
        });
    all.collect()
}

fn touched(
    path: &str,
    change: What,
    before: &[(&str, &str)],
    after: &[(&str, &str)],
) -> TouchedFile {
    TouchedFile {
        path: path.to_owned(),
        change,
        is_test: path.starts_with("tests/"),
        before: defined(before),
        after: defined(after),
    }
}

fn held(files: Vec<TouchedFile>) -> CommitComparison {
    let symbols = json!([
        {"name": "Orders::list", "change": "modify"}, {"name": "Orders.same", "change": "modify"},
        {"name": "export", "change": "new"}, {"name": "old", "change": "remove"},
        {"name": "LIMIT", "change": "modify"},
    ]);
    let changes = format!(
        "system_design set /file_impacts/0/symbols {symbols}; \
         test_plan set /cases/1/title \"Rows keep the order of the list\""
    );
    let state = broken(&good(), &changes);
    let whole = CommitChanges {
        files,
        is_whole: true,
        ..CommitChanges::default()
    };
    against(&state, whole)
}

#[test]
fn what_was_planned_and_what_was_done_stand_side_by_side() {
    let state = good();
    let covers = state
        .documents
        .written
        .values()
        .find_map(|record| match &record.content {
            Document::TestPlan(plan) => Some(&plan.cases[1].covers),
            _ => None,
        });
    assert_eq!(covers.unwrap(), &["AC-2"]);
    let found = held(vec![
        touched(
            "src/orders.rs",
            What::Modify,
            &[("Orders.list", "1"), ("Orders.same", "x"), ("old", "")],
            &[("Orders.list", "2"), ("Orders.same", "x"), ("export", "")],
        ),
        touched("src/other.rs", What::Delete, &[], &[]),
        touched(
            "tests/orders.rs",
            What::Modify,
            &[("test_ac_1_was_there", "")],
            &[
                ("test_ac_1_was_there", ""),
                ("streams", "// AC-1\nfn streams()"),
                ("test_t_2_empty", ""),
                ("keeps_the_order_of_rows", ""),
                ("something_else", "// AC-11"),
            ],
        ),
        touched(
            ".ai-tools-chain/planning_outputs/v1/x",
            What::Create,
            &[],
            &[],
        ),
    ]);
    let paths = |all: Vec<&String>| all.into_iter().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(
        paths(found.done.iter().map(|one| &one.path).collect()),
        "src/orders.rs"
    );
    assert_eq!(
        paths(found.not_touched.iter().map(|one| &one.path).collect()),
        "src/export.rs"
    );
    let others = found.not_planned.iter().map(|one| &one.path).collect();
    assert_eq!(paths(others), "src/other.rs tests/orders.rs");
    let states: Vec<ChangeStatus> = found.symbols.iter().map(|one| one.state).collect();
    use ChangeStatus::{Done as Made, NotDone, Unknown};
    assert_eq!(states, [Made, NotDone, Made, Made, Unknown]);
    let tests: Vec<String> = found
        .criteria
        .iter()
        .map(|one| {
            format!(
                "{} {}",
                one.id,
                paths(one.tests.iter().map(|test| &test.name).collect())
            )
        })
        .collect();
    assert_eq!(tests, ["AC-1 streams", "AC-2 test_t_2_empty"]);
    assert_eq!(
        paths(found.other_tests.iter().map(|test| &test.name).collect()),
        "keeps_the_order_of_rows something_else"
    );
    assert!(found.differs());
    let report = junit(&found, 1);
    assert!(
        report.contains("tests=\"11\" failures=\"4\" errors=\"0\" skipped=\"1\""),
        "{report}"
    );
    assert!(
        report.contains(
            "name=\"src/orders.rs Orders.same\"><failure message=\"planned, not done\"/>"
        ),
        "{report}"
    );
    // Everything that was planned is done, and nothing else.
    let mut found = found;
    (found.not_touched, found.not_planned) = (Vec::new(), Vec::new());
    found.symbols.retain(|one| one.state != NotDone);
    assert!(!found.differs());
}

/// Commits do not record renames: the file is deleted at one path and created at another.
#[test]
fn a_file_that_was_renamed_as_planned_is_one_file() {
    let state = broken(
        &good(),
        "system_design set /file_impacts/0/change \"rename\"; \
         system_design set /file_impacts/0/to \"src/list.rs\"; \
         system_design set /file_impacts/0/symbols [{\"name\": \"same\", \"change\": \"modify\"}, \
         {\"name\": \"export\", \"change\": \"new\"}]",
    );
    let held = |files: Vec<TouchedFile>| {
        let found = against(
            &state,
            CommitChanges {
                files,
                is_whole: true,
                ..CommitChanges::default()
            },
        );
        let done = found.done.iter().map(|one| one.was).collect::<Vec<_>>();
        let left = found.not_touched.iter().map(|one| one.path.clone());
        let others = found.not_planned.iter().map(|one| one.path.clone());
        let states = found.symbols.iter().map(|one| one.state);
        let told = (left.collect::<Vec<_>>(), others.collect::<Vec<_>>());
        (done, told, states.collect::<Vec<_>>(), junit(&found, 1))
    };
    let old = || touched("src/orders.rs", What::Delete, &[("same", "1")], &[]);
    let after = [("same", "1"), ("export", "")];
    let new = || touched("src/list.rs", What::Create, &[], &after);
    let missing = || vec!["src/export.rs".to_owned()];
    use ChangeStatus::{Done as Made, NotDone};
    let (done, told, states, junit) = held(vec![new(), old()]);
    assert_eq!(done, [What::Rename]);
    assert_eq!(told, (missing(), vec![]));
    assert_eq!(states, [NotDone, Made]);
    assert!(
        junit.contains("\"src/orders.rs -&gt; src/list.rs\""),
        "{junit}"
    );
    // The file was copied; then it was deleted without a new one.
    let (done, told, ..) = held(vec![new()]);
    assert_eq!((done, told), (vec![What::Create], (missing(), vec![])));
    let other = touched("src/other.rs", What::Create, &[], &after);
    let (done, told, ..) = held(vec![old(), other]);
    let others = vec!["src/other.rs".to_owned()];
    assert_eq!((done, told), (vec![What::Delete], (missing(), others)));
}

/// `tests/typed/checks.md` tests the text output.
#[test]
fn the_document_of_a_comparison_fits_its_schema() {
    let place = Place::new();
    let plan = ["plan", "Delete users", "--questions", "assume"];
    place.run(&plan).ends(0);
    for line in ["init -q", "add -A", "commit -q -m plan"] {
        git(place.work(), &line.split(' ').collect::<Vec<_>>());
    }
    let line = ["check", "v1", "--against", "HEAD..HEAD", "--json"];
    let told: serde_json::Value = serde_json::from_str(&place.run(&line).ends(0).out).unwrap();
    assert_eq!(told["differs"], true, "{told}");
    let schema = schemas::validator("commands/check-against");
    assert!(schema.is_valid(&told), "{told}");
}
