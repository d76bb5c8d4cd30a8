//! A state and events for tests of the view, including hostile texts.

use std::collections::BTreeMap;

use serde_json::json;

use super::Style;
use crate::chat::Usage;
use crate::machine::{
    Assumption, AssumptionId, CallBook, ConsensusId, Entry, Excerpt, InquiryId, IssueId,
    IssueLedger, Lang, Question, QuestionId, QuestionStatus, SpeechRecord, Stage, State, Stop,
    StopReason, SummaryRecord,
};
use crate::reply::{Contribution, DecisionRow, ReportWords};
use crate::role::RoleId;

/// A plain terminal with 80 columns.
pub(crate) fn style() -> Style {
    Style {
        width: 80,
        color: false,
        plain: false,
        lang: Lang::En,
        verbose: 0,
    }
}

fn question(id: u32, text: &str, options: &[&str], recommended: &str) -> Question {
    Question {
        of: Default::default(),
        id: QuestionId(id),
        asked_by: RoleId::from("SystemDesigner"),
        round: 1,
        text: text.to_owned(),
        why: "The file holds personal data, and who may see it decides where the check stands."
            .to_owned(),
        blocks: Some(IssueId(2)),
        options: options.iter().map(|o| (*o).to_owned()).collect(),
        recommended: recommended.to_owned(),
        status: QuestionStatus::Waiting { follow_up: None },
        further: None,
        dialogue: Vec::new(),
    }
}

fn ledger() -> IssueLedger {
    let issue = |id: u32, title: &str, status: serde_json::Value, severity: &str| {
        json!({
            "id": format!("I-{id}"), "title": title, "detail": "Columns and their order.",
            "severity": severity, "origin": {"is": "member", "member": "SystemDesigner"},
            "round": 1, "status": status,
            "positions": [{"member": "ProductPlanner", "round": 1, "stance": "refine",
                "proposal": "Export id, name and e-mail.", "why": "w", "changed_because": null}],
            "history": [{"issue": format!("I-{id}"), "round": 1, "to": status, "reason": "because"}],
        })
    };
    let settled = json!({"is": "settled", "by": ["C-1"]});
    serde_json::from_value(json!({"issues": {
        "I-1": issue(1, "Which columns are exported?", settled, "blocking"),
        "I-2": issue(2, "谁可以导出客户数据，以及如何记录每一次导出操作以备日后审计核查之用？", json!({"is": "open"}), "blocking"),
        "I-3": issue(3, "Encoding \u{1b}[31mof the\r file\u{202e}", json!({"is": "open"}), "minor"),
    }}))
    .expect("a ledger")
}

fn summary() -> SummaryRecord {
    SummaryRecord {
        round: 1,
        text: "Columns are settled.".to_owned(),
        admitted: vec![ConsensusId(1)],
        discussed: vec![IssueId(1)],
        left_open: vec![IssueId(2), IssueId(3)],
        entered: Vec::new(),
        closed: vec![IssueId(1)],
        reminders: Vec::new(),
        refused: Vec::new(),
        blocking_left: 1,
    }
}

/// A run in its first round, with two waiting questions.
pub(crate) fn state() -> State {
    let speech = Contribution {
        analysis: "Three columns are enough.\n\nThe rest can wait.".to_owned(),
        ..Contribution::default()
    };
    let limit = Excerpt {
        path: "docs/limits.md".to_owned(),
        from: 3,
        to: 5,
        text: "Exports hold 50,000 rows.".to_owned(),
    };
    let mut state = State::open(&entries()[0]).expect("a run");
    state.stage = Stage::Speaking;
    state.round = 1;
    state.discussion.agenda = vec![IssueId(1)];
    state.discussion.speeches = vec![SpeechRecord {
        member: RoleId::from("ProductPlanner"),
        round: 1,
        turn: 1,
        speech,
        issues: Vec::new(),
        questions: Vec::new(),
        notes: Vec::new(),
    }];
    state.discussion.summaries = vec![summary()];
    state.judgment.initial_issues = 3;
    state.ledger = ledger();
    state.questions.asked = vec![
        question(
            1,
            "Who may export?",
            &["Everybody", "Administrators only"],
            "Administrators only",
        ),
        question(2, "How long is the file kept?", &[], "30 days"),
    ];
    state.grounding.looked = BTreeMap::from([(InquiryId::Question(QuestionId(2)), vec![limit])]);
    state.calls = CallBook {
        answered: 7,
        failed: 1,
        used: Usage {
            input: 12_345,
            cached_input: 8_000,
            output: 1_234,
            reasoning: 0,
            estimated: false,
        },
        ..CallBook::default()
    };
    state.run.seq = 12;
    state.run.last_activity_at = "2026-01-01T00:01:00.000Z".to_owned();
    state.run.active_ms = 60_000;
    state
}

/// The same run after it was published, with a limit reached.
pub(crate) fn finished() -> State {
    let words = ReportWords {
        title: "CSV export".to_owned(),
        in_short: "Short.".to_owned(),
        decide: vec![DecisionRow {
            what: "Are deleted customers part of the file?".to_owned(),
            recommended: "no".to_owned(),
            otherwise: "A filter is needed.".to_owned(),
            about: vec!["I-1".to_owned()],
        }],
        plan: None,
    };
    let mut state = state();
    state.stage = Stage::Published;
    state.documents.report = Some(words);
    state.ending.stop = Some(Stop {
        reason: StopReason::RoundLimit,
        round: 1,
        value: 1,
        limit: 1,
        sign: None,
    });
    state.questions.assumptions = vec![Assumption {
        id: AssumptionId(1),
        question: QuestionId(2),
        text: "Files are kept for 30 days.".to_owned(),
        why: "not asked".to_owned(),
        round: 1,
    }];
    state
}

/// Entries of a run, at least one of every kind of event.
pub(crate) fn entries() -> Vec<Entry> {
    include_str!("samples/entries.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("an entry"))
        .collect()
}
