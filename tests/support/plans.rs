//! Hand-written plans: a good one and its revision.

use aitc::machine::*;
use aitc::reply::*;
use aitc::role::RoleId;
use serde_json::{Value, json};

use crate::support::meeting::{self, Meeting};

/// Strings from literals.
pub fn list(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// A run with only its requirement.
pub fn empty(version: u32, run_id: &str, requirement: &str) -> State {
    let mut inputs = meeting::inputs();
    inputs.version = version;
    let mut state = Meeting::open(requirement, inputs).state;
    state.run.id = run_id.to_owned();
    state.stage = Stage::Closing;
    state.round = 1;
    state
}

fn position(member: &str, stance: &str, proposal: Option<&str>) -> Value {
    json!({"member": member, "round": 1, "stance": stance, "proposal": proposal,
        "why": "it is what was asked", "changed_because": null})
}

/// An issue in the form of the ledger; a proposal on it is a text with the same number.
pub fn issue(id: &str, title: &str, origin: Value, status: Value, positions: Vec<Value>) -> Value {
    let proposed = positions
        .iter()
        .filter(|position| position["proposal"].is_string());
    let texts = proposed.map(|position| {
        json!({"id": format!("X-{}", &id[2..]), "text": position["proposal"],
            "authors": [{"member": position["member"], "round": position["round"]}]})
    });
    json!({"id": id, "title": title, "detail": "what and how", "severity": "blocking",
        "origin": origin, "round": 0, "status": status, "texts": texts.collect::<Vec<_>>(),
        "positions": positions, "history": []})
}

/// A ledger with these issues.
pub fn ledger(issues: &[Value]) -> IssueLedger {
    let by_id: serde_json::Map<String, Value> = issues
        .iter()
        .map(|issue| (issue["id"].as_str().unwrap().to_owned(), issue.clone()))
        .collect();
    serde_json::from_value(json!({ "issues": by_id })).unwrap()
}

/// A line of the draft with an agreed item.
pub fn agreed(id: &str, issue: &str, text: &str) -> Value {
    json!({"is": "agreed", "item": {"id": id, "issue": issue, "text": text,
        "text_id": format!("X-{}", &id[2..]), "proposed_by": "ProductPlanner", "proposed_round": 1, "round": 1,
        "supporters": [{"member": "SystemDesigner", "round": 1}], "version": 1}})
}

/// A draft with these lines.
pub fn draft(lines: &[Value]) -> ConsensusDraft {
    serde_json::from_value(json!({ "lines": lines })).unwrap()
}

fn speech(member: &str, turn: u32, words: &str) -> SpeechRecord {
    SpeechRecord {
        member: RoleId::from(member),
        round: 1,
        turn,
        speech: Contribution {
            analysis: words.to_owned(),
            ..Contribution::default()
        },
        issues: Vec::new(),
        questions: Vec::new(),
        notes: Vec::new(),
    }
}

/// The good plan after its discussion, before any document.
pub fn discussed() -> State {
    let mut state = empty(1, "run-one", "Export the orders as CSV.");
    let settled = |by: &str| json!({"is": "settled", "by": [by]});
    let words = "The export writes UTF-8 CSV with a header line";
    let both = vec![
        position("ProductPlanner", "refine", Some(words)),
        position("SystemDesigner", "agree", None),
    ];
    let raised = json!({"is": "member", "member": "SystemDesigner"});
    let streamed = position("SystemDesigner", "refine", Some("Rows are streamed"));
    state.ledger = ledger(&[
        issue(
            "I-1",
            "Which format",
            json!({"is": "requirement"}),
            settled("C-1"),
            both,
        ),
        issue(
            "I-2",
            "How large an export may be",
            raised,
            settled("C-2"),
            vec![streamed],
        ),
    ]);
    state.draft = draft(&[
        agreed("C-1", "I-1", words),
        agreed("C-2", "I-2", "Rows are streamed"),
    ]);
    state.discussion.speeches = vec![
        speech("ProductPlanner", 1, "Users open the file in a spreadsheet."),
        speech("SystemDesigner", 2, "Memory must not grow with the rows."),
    ];
    state.discussion.speeches[1].issues = vec![IssueId(2)];
    state.discussion.speeches[1].questions = vec![QuestionId(1)];
    state.questions.asked = vec![Question {
        of: Default::default(),
        id: QuestionId(1),
        asked_by: RoleId::from("SystemDesigner"),
        round: 1,
        text: "How many orders are there?".to_owned(),
        why: "decides between a list and a stream".to_owned(),
        blocks: Some(IssueId(2)),
        options: Vec::new(),
        recommended: "a million".to_owned(),
        status: QuestionStatus::Closed {
            source: AnswerSource::Assumed,
            answer: "a million".to_owned(),
        },
        further: None,
        dialogue: Vec::new(),
    }];
    state.questions.assumptions = vec![Assumption {
        id: AssumptionId(1),
        question: QuestionId(1),
        text: "There are a million orders at most".to_owned(),
        why: "nobody was asked".to_owned(),
        round: 1,
    }];
    state.ending.stop = Some(Stop {
        reason: StopReason::Consensus,
        round: 1,
        value: 0,
        limit: 0,
        sign: None,
    });
    state.run.counters = Counters {
        issue: 2,
        consensus: 2,
        question: 1,
        assumption: 1,
        ..Counters::default()
    };
    state
}

/// Records a reply as the machine does.
pub fn record(state: &mut State, reply: Document) -> Vec<Note> {
    let (content, notes) = normalize_document(state, reply);
    check_document(state, &content).unwrap();
    advance_counters(&mut state.run.counters, &content);
    let kind = content.kind();
    let record = DocumentRecord {
        evidence: Vec::new(),
        content,
        without_model: false,
        carried: None,
        accounts: Vec::new(),
        notes: notes.clone(),
    };
    state.documents.written.insert(kind, record);
    notes
}

/// A criterion in the form of a reply.
pub fn criterion(key: &str, then: &str, from: &[&str]) -> Criterion {
    Criterion {
        id: key.to_owned(),
        same_as: None,
        given: "a list of orders".to_owned(),
        when: "the user presses Export".to_owned(),
        then: then.to_owned(),
        from: list(from),
    }
}

/// A work item in the form of a reply.
pub fn work(key: &str, size: Size, covers: &[&str], depends_on: &[&str]) -> WorkItem {
    WorkItem {
        id: key.to_owned(),
        same_as: None,
        title: format!("Step {key}"),
        detail: "done when its tests pass".to_owned(),
        size,
        covers: list(covers),
        depends_on: list(depends_on),
    }
}

/// A test case in the form of a reply.
pub fn case(key: &str, covers: &[&str]) -> TestCase {
    TestCase {
        id: key.to_owned(),
        same_as: None,
        title: format!("Case {key}"),
        level: TestLevel::Integration,
        covers: list(covers),
        steps: "export ten orders".to_owned(),
        expected: "eleven lines".to_owned(),
    }
}

/// The replies of the good plan, in order.
pub fn replies() -> [Document; 5] {
    let all = include_str!("plans/replies.jsonl").lines();
    let all: Vec<Document> = all.map(|it| serde_json::from_str(it).unwrap()).collect();
    all.try_into().unwrap()
}

/// A plan that breaks no rule.
pub fn good() -> State {
    let mut state = discussed();
    for reply in replies() {
        let notes = record(&mut state, reply);
        assert_eq!(notes, Vec::new());
    }
    state.documents.report = Some(ReportWords {
        title: "CSV export".to_owned(),
        in_short: "Orders can be exported.".to_owned(),
        decide: vec![ToDecide {
            what: "Stream or list".to_owned(),
            recommended: "stream".to_owned(),
            otherwise: "memory grows".to_owned(),
            about: list(&["DEC-1", "C-2"]),
        }],
        plan: None,
    });
    state.stage = Stage::Complete;
    state
}

/// What a revision takes over from `base`.
pub fn previous(base: &State) -> Previous {
    Previous {
        version: base.inputs.version,
        run_id: base.run.id.clone(),
        head: String::new(),
        requirement: "an earlier requirement".to_owned(),
        consensus: base.draft.standing().cloned().collect(),
        issues: base.ledger.iter().cloned().collect(),
        questions: base.questions.asked.clone(),
        assumptions: base.questions.assumptions.clone(),
        documents: base
            .documents
            .written
            .iter()
            .map(|(kind, record)| (*kind, record.content.clone()))
            .collect(),
        written: Default::default(),
        evidence: Vec::new(),
        trials: Vec::new(),
        report: None,
        counters: base.run.counters.clone(),
    }
}

/// The revised good plan: feedback F-1 became I-3, which was settled as C-3; without documents.
pub fn revised() -> State {
    let base = good();
    let mut state = empty(2, "run-two", &base.task.requirement);
    state.task.previous = Some(previous(&base));
    state.task.feedback = vec![FeedbackItem::said(
        FeedbackId(1),
        "Semicolons, please".to_owned(),
    )];
    let origin = json!({"is": "feedback", "feedback": "F-1"});
    let semicolons = position(
        "ProductPlanner",
        "refine",
        Some("Fields are split by semicolons"),
    );
    let settled = json!({"is": "settled", "by": ["C-3"]});
    state.ledger = ledger(&[issue("I-3", "Separator", origin, settled, vec![semicolons])]);
    state.draft = draft(&[
        agreed(
            "C-1",
            "I-1",
            "The export writes UTF-8 CSV with a header line",
        ),
        agreed("C-2", "I-2", "Rows are streamed"),
        agreed("C-3", "I-3", "Fields are split by semicolons"),
    ]);
    state.ending.stop = base.ending.stop.clone();
    state.run.counters = Counters {
        issue: 3,
        consensus: 3,
        feedback: 1,
        ..base.run.counters.clone()
    };
    state
}
