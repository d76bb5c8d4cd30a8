//! The plan is reviewed before it is published; a blocking finding that is upheld prevents
//! agreement.

use std::collections::BTreeMap;

use aitc::artifact::{DecideKind, decide};
use aitc::chat::FinishReason;
use aitc::machine::review::{Finding, FindingFate, MissedPart, ReviewClosed, Unreviewed};
use aitc::machine::*;
use aitc::reply::{
    Change, CoachPart, Document, DocumentKind, FileImpact, FindingAnswer, FindingKind,
    FindingVerdict, PlanAssumption, PlanFinding, ReportWords, Symbol, SymbolChange, WorkSize,
    Written,
};

use crate::support::fake::one_text;
use crate::support::meeting::*;

use crate::support::search::{reading, survey};
use crate::support::states;
use crate::teams::synthesis;

use FindingFate::{Declined, LeftToHuman, Mended, Open, Upheld, Withdrawn};

/// A finding about an item of the plan.
pub fn found(about: &str, blocking: bool) -> PlanFinding {
    PlanFinding {
        about: about.to_owned(),
        kind: FindingKind::Wrong,
        text: format!("{about} does not hold"),
        mend: format!("say of {about} what holds"),
        blocking,
    }
}

/// A review with these findings.
pub fn reviewing(findings: Vec<PlanFinding>) -> String {
    let mut said = contribution("I read it as if I had to build it.");
    said.findings = findings;
    text(&said)
}

/// The amendment of a document by its writer: the changed document, with an answer to each finding.
pub fn amendment(
    state: &State,
    call: &CallId,
    change: impl FnOnce(&mut Document),
    mended: impl Fn(&Finding) -> bool,
) -> String {
    let Purpose::Document(kind) = call.purpose else {
        panic!("{call} amends nothing");
    };
    let mut document = state.documents.written[&kind].content.clone();
    change(&mut document);
    let put = state.review.put_by(call);
    let findings = put.map(|one| FindingAnswer {
        finding: one.id.to_string(),
        mended: mended(one),
        because: format!("{} was looked at", one.id),
    });
    let before = serde_json::to_value(&state.documents.written[&kind].content).unwrap();
    let mut content = serde_json::to_value(&document).unwrap();
    let stays = keys(&content);
    let gone = keys(&before).into_iter().filter(|key| !stays.contains(key));
    let gone: Vec<_> = gone
        .map(
            |key| serde_json::json!({"id": key, "used_in": null, "left_out_because": "not needed"}),
        )
        .collect();
    content.as_object_mut().unwrap().remove("document");
    let mut written = serde_json::to_value(Written::new(content)).unwrap();
    written["findings"] = serde_json::to_value(findings.collect::<Vec<_>>()).unwrap();
    written["accounts"] = gone.into();
    written.to_string()
}

/// The ids and paths of a document's items.
fn keys(document: &serde_json::Value) -> Vec<String> {
    let lists = document.as_object().unwrap().values();
    let items = lists.filter_map(|list| list.as_array()).flatten();
    let keys = items.filter_map(|item| item.get("id").or(item.get("path"))?.as_str());
    keys.map(str::to_owned).collect()
}

/// A reviewer's verdicts on all findings that were declined.
pub fn verdicts(state: &State, call: &CallId, upholds: bool) -> String {
    let put = state.review.put_back_to(&call.member);
    let verdicts = put.map(|one| FindingVerdict {
        finding: one.id.to_string(),
        upholds,
        why: "that is how it is".to_owned(),
    });
    let mut said = contribution("I looked again.");
    said.verdicts = verdicts.collect();
    text(&said)
}

/// A change that works for every document.
pub fn reworded(document: &mut Document) {
    match document {
        Document::ProductPlan(plan) => plan.understanding.push_str(" Put right."),
        Document::SystemDesign(design) => design.architecture.push_str(" Put right."),
        Document::DevPlan(plan) => plan.feasibility.push_str(" Put right."),
        Document::TestPlan(plan) => plan.strategy.push_str(" Put right."),
        Document::RiskAssessment(risks) => risks.assumptions.push(PlanAssumption {
            text: "Put right.".to_owned(),
            from: None,
        }),
    }
}

fn reviewed() -> Inputs {
    let mut inputs = inputs();
    inputs.review = true;
    inputs
}

fn held(script: Script<'_>) -> Meeting {
    held_with(reviewed(), script)
}

fn held_with(inputs: Inputs, script: Script<'_>) -> Meeting {
    let mut meeting = Meeting::open("two things", inputs);
    meeting.run(script);
    assert_eq!(meeting.state.stage, Stage::Published, "it gave up");
    meeting
}

fn fates(meeting: &Meeting) -> Vec<FindingFate> {
    let all = meeting.state.review.findings.iter();
    all.map(|finding| finding.fate).collect()
}

fn asked(meeting: &Meeting) -> Vec<String> {
    let calls = meeting.entries.iter().filter_map(|entry| {
        let Event::CallStarted { call, .. } = &entry.event else {
            return None;
        };
        let code = meeting.state.inputs.roles.code(&call.member);
        let own = match call.purpose {
            Purpose::Review | Purpose::Verdict => true,
            Purpose::Report => false,
            _ => call.amends(),
        };
        own.then(|| format!("{code} {} {}", call.purpose.name(), call.turn))
    });
    calls.collect()
}

/// The turns of the calls that wrote the report's opening.
fn words_written(meeting: &Meeting) -> Vec<u32> {
    let written = meeting.entries.iter();
    let written = written.filter_map(|entry| match &entry.event {
        Event::Report { receipt, .. } => Some(receipt.as_ref().unwrap().call.turn),
        _ => None,
    });
    written.collect()
}

fn code<'a>(state: &'a State, call: &'a CallId) -> &'a str {
    state.inputs.roles.code(&call.member)
}

/// Answers of a run in which `finder` has one finding, the writer fixes or declines it, and the
/// finder upholds or withdraws it.
fn one_finding(
    finder: &'static str,
    finding: PlanFinding,
    mended: bool,
    upholds: bool,
) -> impl FnMut(&State, &CallId) -> String {
    let mut basics = agreeable(1);
    move |state, call| match call.purpose {
        Purpose::Review if code(state, call) == finder => reviewing(vec![finding.clone()]),
        Purpose::Document(_) if call.amends() => {
            let change = |document: &mut Document| {
                if mended {
                    reworded(document);
                }
            };
            amendment(state, call, change, |_| mended)
        }
        Purpose::Verdict => verdicts(state, call, upholds),
        _ => basics(state, call),
    }
}

/// A run whose only finding is declined and withdrawn.
pub fn withdrawn() -> Meeting {
    held(&mut one_finding("TP", found("W-1", true), false, false))
}

#[test]
fn a_plan_in_which_nothing_is_found_is_published_as_it_is() {
    let meeting = held(&mut agreeable(1));
    let members = ["PP", "SD", "Dev", "TP", "RP"].map(|code| format!("{code} review 1"));
    assert_eq!(asked(&meeting), members);
    assert!(meeting.state.ending.is_agreed());
    assert_eq!(meeting.state.review.unheld, None);
}

/// A file named in a design, with symbols.
fn impact(path: &str, change: Change, symbols: &[(&str, SymbolChange)]) -> FileImpact {
    let symbol = |(name, change): &(&str, SymbolChange)| Symbol {
        name: (*name).to_owned(),
        change: *change,
    };
    FileImpact {
        path: path.to_owned(),
        change,
        to: None,
        what: "changes".to_owned(),
        symbols: symbols.iter().map(symbol).collect(),
        modules: Vec::new(),
    }
}

fn renamed(path: &str, to: &str) -> FileImpact {
    FileImpact {
        to: Some(to.to_owned()),
        ..impact(path, Change::Rename, &[])
    }
}

/// A design that names these files, otherwise unchanged.
fn naming(impacts: &[FileImpact], written: &str) -> String {
    let mut written: serde_json::Value = serde_json::from_str(written).unwrap();
    written["file_impacts"] = serde_json::to_value(impacts).unwrap();
    written.to_string()
}

/// A design's statements about the code are compared with the code, and its writer fixes them.
#[test]
fn a_design_that_does_not_fit_the_tree_is_put_to_its_writer() {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in [
        (
            "src/store.py",
            "class Table:\n    def upsert(self, row):\n        return row\n",
        ),
        (
            "src/api.py",
            "def put(table, row):\n    table.upsert(row)\n",
        ),
        ("src/jobs.py", "def nightly(table):\n    table.upsert(1)\n"),
        ("tests/test_store.py", "def test_table():\n    pass\n"),
    ] {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let wrong = [
        impact(
            "src/tables.py",
            Change::Create,
            &[("Table", SymbolChange::New)],
        ),
        impact("src/gone.py", Change::Modify, &[]),
        impact("src/api.py", Change::Create, &[]),
        renamed("src/old.py", "src/jobs"),
        renamed("docs.md", "src/store.py"),
        impact(
            "src/store.py",
            Change::Modify,
            &[
                ("Table.upsert", SymbolChange::Modify),
                ("Table.drop", SymbolChange::Remove),
            ],
        ),
    ];
    let right = [
        impact(
            "src/store.py",
            Change::Modify,
            &[("Table.upsert", SymbolChange::Modify)],
        ),
        renamed("src/api.py", "src/http.py"),
        impact("tests/test_store.py", Change::Modify, &[]),
    ];
    let mut basics = agreeable(1);
    let mut meeting = Meeting::open("two things", reviewed());
    meeting.tree = Some(dir.path().to_owned());
    meeting.run(&mut |state, call| match call.purpose {
        Purpose::Document(DocumentKind::SystemDesign) if !call.amends() => {
            naming(&wrong, &basics(state, call))
        }
        Purpose::Document(_) if call.amends() => {
            let change = |document: &mut Document| {
                if let Document::SystemDesign(design) = document {
                    design.file_impacts = right.to_vec();
                    design.architecture = "Not looked at: src/jobs.py.".to_owned();
                }
            };
            amendment(state, call, change, |_| true)
        }
        _ => basics(state, call),
    });
    let found = meeting.state.review.findings.iter();
    let found: Vec<String> = found
        .map(|one| format!("{}: {}", one.about, one.text))
        .collect();
    assert_eq!(
        found,
        [
            "src/gone.py: `src/gone.py` is to be changed but does not exist",
            "src/old.py: `src/old.py` is to be changed but does not exist",
            "docs.md: `docs.md` is to be changed but does not exist",
            "src/api.py: `src/api.py` is to be created but exists",
            "src/store.py: `src/store.py` is to be created but exists",
            "src/tables.py: `Table` of `src/tables.py` is to be new but is there already: `src/store.py:1`",
            "src/store.py: `Table.drop` is to be changed or removed but is not in `src/store.py`",
            "src/store.py: the plan changes or removes `Table.upsert` in `src/store.py` without naming all callers: `src/jobs.py`",
            "src/store.py: `src/store.py` changes, and the plan does not name its tests: `tests/test_store.py`",
        ]
    );
    assert_eq!(fates(&meeting), [Mended; 9]);
    // A resumed run does not look at the files again.
    drop(dir);
    let again = meeting.replayed(meeting.entries.len());
    assert_eq!(again.review, meeting.state.review);
}

/// A finding that a writer answered is not sent back, even if the amended plan lacks less: a declined
/// one stays declined, one that is called mended and is still there stays open.
#[test]
fn what_the_check_found_and_a_writer_answered_does_not_go_back() {
    for (called_mended, fate) in [(false, Declined), (true, Open)] {
        let meeting = answered(called_mended, false);
        // The opening was written before the finding was answered.
        assert_eq!(words_written(&meeting), [1, 2]);
        assert_eq!(asked(&meeting)[5..], ["SD system_design 2"]);
        let about = meeting.state.review.findings.iter();
        let about: Vec<_> = about.map(|one| (one.about.as_str(), one.fate)).collect();
        assert_eq!(about, [("gone.py", Mended), ("store.py", fate)]);
        let left = &meeting.state.review.findings[1];
        assert_eq!(left.answers.len(), 1);
        assert!(left.text.ends_with("callers: `more.py`"), "{}", left.text);
        let again = meeting.replayed(meeting.entries.len());
        assert_eq!(again.review, meeting.state.review);
    }
}

/// What a writer has not answered is put to it, though it is about the same file as what it has.
#[test]
fn what_an_amendment_newly_leaves_out_goes_to_its_writer() {
    for called_mended in [false, true] {
        let meeting = answered(called_mended, true);
        assert_eq!(
            asked(&meeting)[5..],
            ["SD system_design 2", "SD system_design 3"]
        );
        let found = &meeting.state.review.findings;
        let ends: Vec<_> = found
            .iter()
            .skip(1)
            .map(|one| (&*one.text, one.fate))
            .collect();
        let [(_, Mended), (text, Mended)] = ends[..] else {
            panic!("{ends:?}");
        };
        assert!(text.contains("`drop`"), "{text}");
        assert!(text.ends_with("callers: `extra.py`, `more.py`"), "{text}");
        let again = meeting.replayed(meeting.entries.len());
        assert_eq!(again.review, meeting.state.review);
    }
}

/// A run whose design leaves out callers of two symbols, and still leaves out some when its writer
/// has answered, and those of a third symbol `with_more`.
fn answered(called_mended: bool, with_more: bool) -> Meeting {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in [
        (
            "store.py",
            "def upsert(row):\n    return row\n\ndef erase(row):\n    return row\n\ndef drop():\n    pass\n",
        ),
        ("jobs.py", "upsert(1)\n"),
        ("more.py", "upsert(2)\nerase(1)\n"),
        ("extra.py", "drop()\n"),
    ] {
        std::fs::write(dir.path().join(path), text).unwrap();
    }
    let impacts = [
        impact(
            "store.py",
            Change::Modify,
            &[
                ("upsert", SymbolChange::Modify),
                ("erase", SymbolChange::Remove),
            ],
        ),
        impact("gone.py", Change::Modify, &[]),
    ];
    let mut basics = agreeable(1);
    let mut meeting = Meeting::open("two things", reviewed());
    meeting.tree = Some(dir.path().to_owned());
    meeting.run(&mut |state, call| match call.purpose {
        Purpose::Document(DocumentKind::SystemDesign) if !call.amends() => {
            naming(&impacts, &basics(state, call))
        }
        Purpose::Document(_) if call.amends() => {
            let change = |document: &mut Document| {
                if let Document::SystemDesign(design) = document {
                    design.file_impacts.truncate(1);
                    design.architecture = "Not touched: jobs.py.".to_owned();
                    if with_more && call.turn == 2 {
                        design.file_impacts[0].symbols.push(Symbol {
                            name: "drop".to_owned(),
                            change: SymbolChange::Remove,
                        });
                    }
                    if call.turn == 3 {
                        design.architecture =
                            "Not looked at: jobs.py, more.py, extra.py.".to_owned();
                    }
                }
            };
            amendment(state, call, change, |one| {
                called_mended || one.about == "gone.py" || call.turn == 3
            })
        }
        _ => basics(state, call),
    });
    meeting
}

#[test]
fn only_a_blocking_finding_that_its_finder_upholds_is_no_agreement() {
    type Case = (
        PlanFinding,
        bool,
        bool,
        FindingFate,
        bool,
        &'static [&'static str],
    );
    let cases: [Case; 7] = [
        (
            found("AC-1", true),
            true,
            true,
            Mended,
            true,
            &["PP product_plan 2"],
        ),
        (
            found("W-1", true),
            false,
            false,
            Withdrawn,
            true,
            &["Dev dev_plan 2", "TP verdict 1"],
        ),
        (
            found("DEC-1", true),
            false,
            true,
            Upheld,
            false,
            &["SD system_design 2", "TP verdict 1"],
        ),
        (
            found("R-1", false),
            false,
            true,
            Declined,
            true,
            &["RP risk_assessment 2"],
        ),
        (
            found("C-1", true),
            false,
            true,
            Upheld,
            false,
            &["TP verdict 1"],
        ),
        (
            found("C-1", true),
            false,
            false,
            Withdrawn,
            true,
            &["TP verdict 1"],
        ),
        (found("C-1", false), false, true, LeftToHuman, true, &[]),
    ];
    for (finding, mended, upholds, fate, agreed, calls) in cases {
        let about = format!("{finding:?}, {mended}, {upholds}");
        let meeting = held(&mut one_finding("TP", finding, mended, upholds));
        let state = &meeting.state;
        assert_eq!(fates(&meeting), [fate], "{about}");
        assert_eq!(asked(&meeting)[5..], *calls, "{about}");
        assert_eq!(state.ending.is_agreed(), agreed, "{about}");
        let stop = state.ending.stop.as_ref().unwrap();
        if !agreed {
            assert_eq!(
                (stop.reason, stop.value),
                (StopReason::Review, 1),
                "{about}"
            );
        }
        let finding = &state.review.findings[0];
        assert_eq!(finding.id.to_string(), "FI-1");
        assert_eq!(finding.by.as_ref().unwrap().as_str(), "TestPlanner");
    }
}

/// A blocking finding about an agreed text is a decision for the reader; a minor one is shown with
/// the text.
#[test]
fn what_is_small_about_an_agreed_text_is_nothing_to_decide() {
    for (kind, blocking, rows) in [
        (FindingKind::Missing, false, 0),
        (FindingKind::Missing, true, 1),
        (FindingKind::Contradictory, false, 0),
    ] {
        let finding = PlanFinding {
            kind,
            ..found("C-1", blocking)
        };
        let meeting = held(&mut one_finding("TP", finding, false, true));
        let decided = decide(&meeting.state);
        let found = decided.iter().filter(|row| row.kind == DecideKind::Finding);
        assert_eq!(found.count(), rows, "{kind:?}, {blocking}");
        assert_eq!(meeting.state.review.left_open().count(), 1);
    }
}

#[test]
fn a_discussion_that_ended_otherwise_keeps_its_ending() {
    let mut inputs = reviewed();
    inputs.limits.max_rounds = 1;
    let mut script = one_finding("RP", found("T-1", true), false, true);
    let meeting = held_with(inputs, &mut |state, call| match call.purpose {
        Purpose::Summary => agreeable(9)(state, call),
        _ => script(state, call),
    });
    let stop = meeting.stop();
    assert_eq!(stop.reason, StopReason::RoundLimit);
    assert_eq!(fates(&meeting), [Upheld]);
}

/// A writer that claims a fix without a change is told once; after that the finding counts as not
/// fixed.
#[test]
fn what_is_called_mended_and_has_not_changed_is_not_mended() {
    let mut basics = agreeable(1);
    let meeting = held(&mut |state, call| match call.purpose {
        Purpose::Review if code(state, call) == "SD" => {
            reviewing(vec![found("T-1", true), found("W-1", true)])
        }
        // Claims a fix without a change.
        Purpose::Document(DocumentKind::TestPlan) if call.amends() => {
            amendment(state, call, |_| {}, |_| true)
        }
        // At first gives no answer to the finding, then fixes it.
        Purpose::Document(_) if call.amends() && call.attempt == 1 => {
            let mut said: serde_json::Value =
                serde_json::from_str(&amendment(state, call, reworded, |_| true)).unwrap();
            said["findings"] = serde_json::json!([]);
            said.to_string()
        }
        Purpose::Document(_) if call.amends() => amendment(state, call, reworded, |_| true),
        Purpose::Verdict => verdicts(state, call, true),
        _ => basics(state, call),
    });
    assert_eq!(fates(&meeting), [Upheld, Mended]);
    let rejected = meeting.rejections();
    assert_eq!(rejected.len(), 2, "{rejected:?}");
    let told = ["the document is the same", "`findings` leaves out FI-2"];
    for words in told {
        let once = rejected.iter().filter(|reason| reason.contains(words));
        assert_eq!(once.count(), 1, "{rejected:?}");
    }
}

/// A criterion added by an amendment is cited by later amendments under the number that the engine
/// assigned.
#[test]
fn amendments_cite_what_earlier_ones_added() {
    let mut basics = agreeable(1);
    let meeting = held(&mut |state, call| match call.purpose {
        Purpose::Review if code(state, call) == "RP" => reviewing(
            ["AC-1", "M-1", "W-1", "T-1"]
                .map(|about| found(about, true))
                .to_vec(),
        ),
        Purpose::Document(_) if call.amends() => {
            let newest = state.run.counters.documents["AC"];
            let change = |document: &mut Document| match document {
                Document::ProductPlan(plan) => {
                    let mut new = plan.criteria[0].clone();
                    new.id = "new".to_owned();
                    new.then = "as M-2 has it".to_owned();
                    plan.criteria.push(new);
                }
                Document::SystemDesign(design) => {
                    let mut new = design.modules[0].clone();
                    new.id = "new".to_owned();
                    new.covers = vec![format!("AC-{newest}")];
                    design.modules.push(new);
                }
                Document::DevPlan(plan) => plan.work[0].covers.push(format!("AC-{newest}")),
                Document::TestPlan(plan) => plan.cases[0].covers.push(format!("AC-{newest}")),
                Document::RiskAssessment(_) => {}
            };
            amendment(state, call, change, |_| true)
        }
        _ => basics(state, call),
    });
    assert_eq!(fates(&meeting), [Mended; 4]);
    let state = &meeting.state;
    let items = |kind| {
        let items = document_items(&state.documents.written[&kind].content).into_iter();
        items.map(|item| item.id.to_owned()).collect::<Vec<_>>()
    };
    let before = |prefix: &str| format!("{prefix}-{}", state.run.counters.documents[prefix]);
    assert_eq!(items(DocumentKind::ProductPlan).last(), Some(&before("AC")));
    assert!(items(DocumentKind::SystemDesign).contains(&before("M")));
    let Document::SystemDesign(design) =
        &state.documents.written[&DocumentKind::SystemDesign].content
    else {
        panic!("no design");
    };
    assert_eq!(design.modules.last().unwrap().covers, [before("AC")]);
    assert!(
        aitc::check::for_review(state, &aitc::check::paths_alone(|_| true))
            .found
            .is_empty()
    );
}

/// Findings of the automatic check go to the writers twice; after that they stay open, which does
/// not prevent agreement.
#[test]
fn what_the_check_finds_goes_back_twice_and_is_then_marked() {
    for mends in [false, true] {
        let mut basics = agreeable(1);
        let meeting = held(&mut |state, call| match call.purpose {
            Purpose::Review if code(state, call) == "PP" => reviewing(vec![found("AC-1", false)]),
            Purpose::Document(DocumentKind::ProductPlan) if call.amends() => {
                // Adds a criterion that nothing covers.
                let change = |document: &mut Document| {
                    if let Document::ProductPlan(plan) = document {
                        let mut new = plan.criteria[0].clone();
                        new.id = "new".to_owned();
                        plan.criteria.push(new);
                    }
                };
                amendment(state, call, change, |_| true)
            }
            Purpose::Document(_) if call.amends() => {
                let newest = format!("AC-{}", state.run.counters.documents["AC"]);
                let change = |document: &mut Document| match document {
                    Document::DevPlan(plan) if mends => plan.work[0].covers.push(newest),
                    Document::TestPlan(plan) if mends => plan.cases[0].covers.push(newest),
                    other => reworded(other),
                };
                amendment(state, call, change, |_| true)
            }
            _ => basics(state, call),
        });
        let fate = if mends { Mended } else { Open };
        assert_eq!(fates(&meeting), [Mended, fate, fate], "{mends}");
        assert_eq!(
            asked(&meeting)[5..],
            ["PP product_plan 2", "Dev dev_plan 3", "TP test_plan 3"]
        );
        assert_eq!(meeting.state.review.checks, 3);
        assert!(meeting.state.ending.is_agreed());
    }
}

/// A format whose result is reviewed.
#[derive(Debug, Clone, Copy)]
struct Reviewed {
    format: Format,
    /// The subject of TP's finding.
    about: &'static str,
    /// The member that amends it.
    writer: &'static str,
    /// The purpose of the amending call.
    amends: Purpose,
}

const REVIEWED: [Reviewed; 2] = [
    Reviewed {
        format: Format::Workshop,
        about: "W-1",
        writer: "SeniorDeveloper",
        amends: Purpose::Document(DocumentKind::DevPlan),
    },
    Reviewed {
        format: Format::Team,
        about: "P-4",
        writer: "Coach",
        amends: Purpose::Report,
    },
];

/// Answers every call of a review.
type Course = Box<dyn FnMut(&State, &CallId) -> String>;

impl Reviewed {
    fn inputs(self) -> Inputs {
        Inputs {
            format: self.format,
            ..reviewed()
        }
    }

    /// TP has a blocking finding, the writer fixes or declines it, and TP upholds or withdraws it.
    fn course(self, mended: bool, upholds: bool) -> Course {
        match self.format {
            Format::Team => Box::new(synthesis::one_finding(true, mended, upholds)),
            _ => Box::new(one_finding("TP", found(self.about, true), mended, upholds)),
        }
    }
}

#[test]
fn whoever_fails_is_named_and_the_review_goes_on() {
    let nothing = || "I would rather talk about the weather.".to_owned();
    for kind in REVIEWED {
        for (part, who, fate) in [
            (MissedPart::Review, "RiskPlanner", Mended),
            (MissedPart::Amendment, kind.writer, Upheld),
            (MissedPart::Verdict, "TestPlanner", Upheld),
        ] {
            let what = format!("{:?}, {part:?}", kind.format);
            let is_mended = fate == Mended;
            let mut script = kind.course(is_mended, false);
            let meeting = held_with(kind.inputs(), &mut |state, call| {
                let fails = match part {
                    MissedPart::Review => {
                        call.purpose == Purpose::Review && code(state, call) == "RP"
                    }
                    MissedPart::Amendment => call.purpose == kind.amends && call.amends(),
                    MissedPart::Verdict => call.purpose == Purpose::Verdict,
                };
                match fails {
                    true => nothing(),
                    false => script(state, call),
                }
            });
            let missing = meeting.state.review.missing.iter();
            let missing: Vec<_> = missing.map(|one| (one.member.as_str(), one.part)).collect();
            assert_eq!(missing, [(who, part)], "{what}");
            assert_eq!(fates(&meeting), [fate], "{what}");
            assert_eq!(meeting.state.ending.is_agreed(), is_mended, "{what}");
            let words = meeting.state.synthesis();
            let keeps = words.is_none_or(|it| it.result.contains("for how long") == is_mended);
            assert!(keeps, "{what}: a failed amendment changes nothing");
        }
    }
    let mut basics = agreeable(1);
    let meeting = held(&mut |state, call| match call.purpose {
        Purpose::Review => nothing(),
        _ => basics(state, call),
    });
    assert_eq!(meeting.state.review.unheld, Some(Unreviewed::NoReviewer));
    assert!(meeting.state.ending.is_agreed());
}

#[test]
fn small_work_and_a_switch_leave_the_review_out() {
    let off = inputs();
    let mut light = reviewed();
    light.light = true;
    for (inputs, why) in [(off, Unreviewed::Off), (light, Unreviewed::Light)] {
        let meeting = held_with(inputs, &mut agreeable(1));
        assert_eq!(asked(&meeting), Vec::<String>::new());
        assert_eq!(meeting.state.review.unheld, Some(why));
    }
}

/// If the coach judges the work small, the machine applies the short form, within limits.
#[test]
fn work_that_the_coach_calls_small_is_held_short_within_bounds() {
    let says_small = "judges this small work";
    // The coach's judgment, number of issues, the round in which they are settled, number of
    // changed files, `--full`; then the expected number of rounds, whether the plan is reviewed,
    // and the message.
    for (size, issues, settle_in, files, full, rounds, is_reviewed, told) in [
        (WorkSize::Small, 2, 1, 3, false, 1, false, says_small),
        (
            WorkSize::Small,
            3,
            1,
            1,
            false,
            1,
            true,
            "but there are 3 issues",
        ),
        (
            WorkSize::Small,
            2,
            2,
            1,
            false,
            2,
            true,
            "2 still blocking after round 1",
        ),
        (
            WorkSize::Small,
            2,
            3,
            1,
            false,
            3,
            true,
            "2 still blocking after round 1",
        ),
        (WorkSize::Small, 1, 1, 4, false, 1, true, "4 files change"),
        (WorkSize::Small, 1, 1, 1, true, 1, true, ""),
        (WorkSize::Usual, 1, 1, 1, false, 1, true, ""),
        (WorkSize::Large, 1, 1, 1, false, 1, true, ""),
    ] {
        let mut inputs = reviewed();
        inputs.full = full;
        let mut basics = agreeable(settle_in);
        let meeting = held_with(inputs, &mut |state, call| match call.purpose {
            Purpose::Judgment => {
                let new_issues = (0..issues).map(|n| {
                    let severity = aitc::reply::Severity::Blocking;
                    new_issue(&format!("n{n}"), &format!("need {n}"), severity)
                });
                let mut said = contribution("It is small.");
                said.new_issues = new_issues.collect();
                said.coach = Some(CoachPart {
                    size: Some(size),
                    ..CoachPart::default()
                });
                text(&said)
            }
            Purpose::Document(DocumentKind::SystemDesign) => {
                let said = basics(state, call);
                let mut design: serde_json::Value = serde_json::from_str(&said).unwrap();
                let impacts = (0..files).map(|n| {
                    serde_json::json!({
                        "path": format!("src/{n}.rs"), "change": "create", "what": "new",
                        "symbols": [], "modules": [],
                    })
                });
                design["file_impacts"] = impacts.collect();
                design.to_string()
            }
            _ => basics(state, call),
        });
        let state = &meeting.state;
        let what = format!("{size:?}, {issues} issues, {files} files, full: {full}");
        assert_eq!(state.round, rounds, "{what}");
        let unheld = (!is_reviewed).then_some(Unreviewed::Light);
        assert_eq!(state.review.unheld, unheld, "{what}");
        assert_eq!(
            aitc::artifact::structured(state).light,
            !is_reviewed,
            "{what}"
        );
        let mut so_far = State::open(&meeting.entries[0]).unwrap();
        let mut lines = String::new();
        for entry in &meeting.entries[1..] {
            so_far.apply(entry).unwrap();
            lines += &aitc::ui::view::line(&so_far, entry, &style(200)).unwrap_or_default();
        }
        let notes = ["judges this small work", "no longer small"];
        let is_told = notes.iter().any(|note| lines.contains(note));
        assert_eq!(is_told, !told.is_empty(), "{what}: {lines}");
        assert!(lines.contains(told), "{what}: {lines}");
    }
}

/// The budget has no room for the rest of the review: findings that were not fixed remain.
#[test]
fn a_review_may_be_cut_by_a_budget_alone() {
    for kind in REVIEWED {
        for (purpose, unheld, agreed) in [
            (Purpose::Review, Some(Unreviewed::Budget), true),
            (kind.amends, None, false),
        ] {
            let mut inputs = kind.inputs();
            inputs.limits.max_tokens = Some(1_000_000);
            let mut script = kind.course(true, true);
            let mut meeting = Meeting::open("two things", inputs);
            let is_due = |state: &State| {
                let mut due = calls_due(state).into_iter();
                state.stage == Stage::Reviewing && due.any(|call| call.purpose == purpose)
            };
            while !is_due(&meeting.state) {
                assert!(meeting.step(&mut script), "{purpose:?} is never due");
            }
            let closed = ReviewClosed::of(&meeting.state, Some(Unreviewed::Budget));
            let cut = Event::ReviewClosed(closed);
            meeting.state.inputs.limits.max_tokens = None;
            assert!(meeting.try_record(cut.clone()).is_err(), "no budget");
            meeting.state.inputs.limits.max_tokens = Some(1_000_000);
            meeting.record(cut);
            assert_eq!(meeting.state.review.unheld, unheld);
            assert_eq!(meeting.state.ending.is_agreed(), agreed);
            // The report's opening is written from the current documents.
            let next = next_actions(&meeting.state);
            let is_written = matches!(&next[..], [Action::Call(call)]
                if call.purpose == Purpose::Report);
            let ends = match kind.format {
                Format::Team => next == [Action::Close],
                _ => is_written,
            };
            assert!(ends, "{next:?}");
        }
    }
}

/// An open finding becomes an issue of the next version, and can be traced.
#[test]
fn what_is_left_open_is_an_issue_of_the_next_version() {
    let meeting = held(&mut one_finding("TP", found("W-1", true), false, true));
    let previous = Previous::of(&meeting.state, &"0".repeat(64));
    let last = previous.issues.last().unwrap();
    assert!(
        last.is_blocking() && last.title == "W-1 does not hold",
        "{last:?}"
    );
    assert!(
        last.detail.contains("FI-1 (W-1): say of W-1 what holds"),
        "{last:?}"
    );
    assert_eq!(previous.counters.issue, last.id.0);
    let trace = aitc::check::why(&meeting.state, "fi-1", Lang::En).unwrap();
    let told = listed("trace", &trace, Lang::En);
    holds(
        &told,
        &[
            "FI-1",
            "W-1 does not hold (upheld: that is how it is / FI-1 was looked at)",
            "AC-1",
        ],
    );
}

/// In both languages, each prompt of a review contains its subject, and the report shows the
/// result.
#[test]
fn prompts_and_report_say_what_was_found_in_both_languages() {
    for (lang, heading, order, words) in [
        (
            Lang::En,
            "## Review findings",
            ["Now review, as ", "Now amend, as ", "Now say, as "],
            "left these findings open",
        ),
        (
            Lang::Zh,
            "## 评审意见",
            ["的身份评审", "的身份修订", "是否仍然成立"],
            "以下意见没有解决",
        ),
    ] {
        for kind in REVIEWED {
            let is_team = kind.format == Format::Team;
            let mut inputs = states::inputs(lang);
            inputs.questions = QuestionMode::Assume;
            (inputs.format, inputs.review) = (kind.format, true);
            let prompter = aitc::prompt::Prompter::new(&inputs).unwrap();
            let mut script = kind.course(false, true);
            let found = format!("{} does not hold", kind.about);
            let reviewed: &[&str] = match is_team {
                true => &["TP did P-4 at 1", "Store them as text (P-2)."],
                false => &["write the exporter"],
            };
            let mut seen = [0; 3];
            let meeting = held_with(inputs, &mut |state, call| {
                let request = prompter.request(state, call).unwrap();
                let last = &request.messages.last().unwrap().content;
                let which = match call.purpose {
                    Purpose::Report if !is_team => {
                        holds(last, &[words, "FI-1", &found]);
                        return script(state, call);
                    }
                    Purpose::Review => 0,
                    Purpose::Verdict => 2,
                    _ if call.amends() => 1,
                    _ => return script(state, call),
                };
                assert!(last.contains(order[which]), "{last}");
                assert!(which == 0 || last.contains(&found), "{last}");
                assert!(which != 2 || last.contains("FI-1 was looked at"), "{last}");
                let all = messages(&request);
                for part in reviewed {
                    assert!(all.contains(part), "{all}");
                }
                // The report's opening is not reviewed.
                assert!(!all.contains("A plan"), "{all}");
                seen[which] += 1;
                script(state, call)
            });
            assert_eq!(seen, [5, 1, 1]);
            let report = file(&meeting.state, kind.format.report());
            holds(
                &report,
                &[
                    heading,
                    "**FI-1**",
                    "FI-1 was looked at",
                    "that is how it is",
                ],
            );
        }
    }
}

/// The opening is written at the same time as the last amendments, and again only if findings
/// remain that it does not mention.
#[test]
fn the_words_of_the_report_are_written_beside_the_last_amendments() {
    for (finding, mended, words) in [
        (found("W-1", true), true, vec![1]),
        (found("W-1", false), true, vec![1]),
        (found("W-1", false), false, vec![1, 2]),
        (found("W-1", true), false, vec![1, 2]),
        // Only the user can change an agreed item, so nothing is amended and the opening is written
        // last.
        (found("C-1", false), false, vec![1]),
    ] {
        let what = format!("{finding:?}, {mended}");
        let meeting = held(&mut one_finding("TP", finding, mended, false));
        assert_eq!(words_written(&meeting), words, "{what}");
    }
}

/// If the limit leaves no room for writing it again, the first opening is kept.
#[test]
fn words_that_cannot_be_written_anew_stay_as_they_are() {
    let mut inputs = reviewed();
    inputs.limits.max_tokens = Some(1_000_000_000);
    let mut meeting = Meeting::open("two things", inputs);
    let mut script = one_finding("TP", found("W-1", false), false, false);
    while meeting.state.stage != Stage::Reporting {
        assert!(meeting.step(&mut script));
    }
    let before = meeting.state.documents.report.clone();
    assert!(before.is_some());
    meeting.record(Event::Report {
        receipt: None,
        words: Default::default(),
        notes: Vec::new(),
    });
    let state = &meeting.state;
    assert_eq!(state.documents.report, before);
    assert!(!state.documents.report_without_model);
    assert_eq!(state.stage, Stage::Complete);
}

/// A plan as one text with omissions is sent back only if the limit has room for another answer;
/// otherwise this one would be lost.
#[test]
fn a_plan_as_one_text_goes_back_where_there_is_room_for_another() {
    let mut inputs = reviewed();
    inputs.templates = BTreeMap::from([(ONE_TEXT.to_owned(), String::new())]).into();
    let mut meeting = Meeting::open("two things", inputs);
    let call = meeting.until(Purpose::Report, &mut agreeable(1));
    meeting.record(started(&call));
    let words = text(&ReportWords {
        title: "A plan".to_owned(),
        in_short: "It is done.".to_owned(),
        decide: Vec::new(),
        plan: Some(one_text(&[])),
    });
    let mut state = meeting.state;
    let room = state.calls.committed() + 100;
    for (cap, goes_back) in [(None, true), (Some(room), true), (Some(room - 1), false)] {
        state.inputs.limits.max_tokens = cap;
        let event = event_of(&state, receipt(&call), &words, FinishReason::Stop);
        let rejected = matches!(event, Event::ReplyRejected { .. });
        assert_eq!(rejected, goes_back, "{cap:?}: {event:?}");
    }
}

/// Two rounds, documents, review and an amendment of every document: the number of consecutive
/// calls, and its estimate. The plan as one text comes last.
#[test]
fn a_usual_plan_is_a_chain_of_twenty_calls_and_the_text_itself() {
    for one_text in [false, true] {
        let mut inputs = reviewed();
        inputs.model.provider = "openai".to_owned();
        if one_text {
            inputs.templates = BTreeMap::from([(ONE_TEXT.to_owned(), String::new())]).into();
        }
        let mut basics = agreeable(2);
        let mut script = |state: &State, call: &CallId| match call.purpose {
            Purpose::Review if code(state, call) == "TP" => reviewing(
                ["AC-1", "M-1", "W-1", "T-1", "R-1"]
                    .map(|about| found(about, true))
                    .to_vec(),
            ),
            Purpose::Document(_) if call.amends() => amendment(state, call, reworded, |_| true),
            _ => basics(state, call),
        };
        let mut meeting = Meeting::open("two things", inputs);
        let forecast = Forecast::of(&meeting.state, 1_000).unwrap();
        let mut chain = 0;
        loop {
            chain += u64::from(!calls_due(&meeting.state).is_empty());
            if !meeting.step(&mut script) {
                break;
            }
        }
        let state = &meeting.state;
        assert_eq!((state.stage, state.round), (Stage::Published, 2));
        assert_eq!(state.review.amended.len(), 5, "{:?}", state.review);
        let most = 20 + u64::from(one_text);
        assert_eq!((chain, forecast.chain), (most, most));
        // The text is written from the published documents.
        let text = state.documents.report.as_ref().unwrap().plan.is_some();
        assert_eq!((text, words_written(&meeting)), (one_text, vec![1]));
    }
}

/// Wherever a review is interrupted, the resumed run gives the same result.
#[test]
fn a_review_that_is_taken_up_again_goes_on_where_it_was() {
    for kind in REVIEWED {
        let whole = held_with(kind.inputs(), &mut kind.course(false, true));
        let is_written =
            |event: &Event| matches!(event, Event::PlanChecked(_) | Event::TeamSynthesis(_));
        let from = whole.events().position(is_written).unwrap();
        let script = || kind.course(false, true);
        cut_off_anywhere(
            &whole,
            from..whole.entries.len() - 1,
            script,
            |state, cut| {
                let then = &whole.state;
                assert_eq!(state.review, then.review, "after line {cut}");
                assert_eq!(state.ending.stop, then.ending.stop, "after line {cut}");
                assert_eq!(state.documents, then.documents, "after line {cut}");
                assert_eq!(state.synthesis(), then.synthesis(), "after line {cut}");
            },
        );
    }
}

/// Reviewers may look, concurrently, and so may a writer before it amends.
#[test]
fn who_reviews_or_amends_may_look_first() {
    let mut answers = one_finding("TP", found("W-1", true), true, false);
    let mut script = |state: &State, call: &CallId| {
        let looks = matches!(call.purpose, Purpose::Review) || call.amends();
        if looks && call.look == 0 {
            let mut wish = contribution("Not heeded.");
            wish.looks = vec![reading("a.rs", 1)];
            return text(&wish);
        }
        answers(state, call)
    };
    let mut meeting = Meeting::open("two things", reviewed());
    meeting.survey = survey();
    meeting.run(&mut script);
    assert_eq!(meeting.state.stage, Stage::Published);
    assert_eq!(fates(&meeting), [Mended]);
    // Five reviewers and one writer.
    assert_eq!(meeting.state.grounding.looks.all.len(), 6);
}

/// An amendment contains only changes: everything else stays identical, and a finding whose fix
/// names items of two documents goes to both writers.
#[test]
fn an_amendment_names_what_changes_and_reaches_every_writer_it_needs() {
    let finding = PlanFinding {
        mend: "AC-1 says when, and T-1 proves it.".to_owned(),
        ..found("AC-1", true)
    };
    let mut basics = agreeable(1);
    let meeting = held(&mut |state, call| match call.purpose {
        Purpose::Review if code(state, call) == "TP" => reviewing(vec![finding.clone()]),
        Purpose::Document(kind) if call.amends() => {
            let list = match kind {
                DocumentKind::ProductPlan => "criteria",
                DocumentKind::TestPlan => "cases",
                other => panic!("{other} is not concerned"),
            };
            let document = serde_json::to_value(&state.documents.written[&kind].content).unwrap();
            let mut item = document[list][0].clone();
            let text = if list == "cases" { "expected" } else { "then" };
            item[text] = "it is done within a minute".into();
            let mut change = document;
            for (name, value) in change.as_object_mut().unwrap() {
                match value {
                    serde_json::Value::Array(all) if name == list => *all = vec![item.clone()],
                    serde_json::Value::Array(all) => all.clear(),
                    other => *other = "".into(),
                }
            }
            change.as_object_mut().unwrap().remove("document");
            let mut written = serde_json::to_value(Written::new(change)).unwrap();
            written["findings"] = serde_json::json!([
                {"finding": "FI-1", "mended": true, "because": "it says when"}
            ]);
            written.to_string()
        }
        _ => basics(state, call),
    });
    assert_eq!(fates(&meeting), [Mended]);
    let found = &meeting.state.review.findings[0];
    let kinds = [DocumentKind::ProductPlan, DocumentKind::TestPlan];
    assert_eq!(found.documents, kinds.map(Into::into));
    let first = meeting.events().filter_map(|event| match event {
        Event::Document { kind, content, .. } => Some((*kind, content)),
        _ => None,
    });
    for (kind, before) in first {
        let json = |document: &Document| serde_json::to_value(document).unwrap();
        let now = json(&meeting.state.documents.written[&kind].content);
        let mut expected = json(before);
        let changed = match kind {
            DocumentKind::ProductPlan => Some(("criteria", "then")),
            DocumentKind::TestPlan => Some(("cases", "expected")),
            _ => None,
        };
        if let Some((list, text)) = changed {
            expected[list][0][text] = "it is done within a minute".into();
        }
        assert_eq!(now, expected);
    }
}
