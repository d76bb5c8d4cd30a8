//! A state and events for tests of the view, hostile texts included.

mod later;
mod parts;

use std::collections::BTreeMap;

use serde_json::json;

use super::Style;
use crate::chat::{FinishReason, Usage};
use crate::machine::debate::{
    ArgumentMissing, DebateConfig, DebateResolved, DebateRoundSummary, DebateStarted, Dissent,
    ExpertArgument, Motion, Trigger, Unheld,
};
use crate::machine::similarity::{IssuePair, Measurement, Score};
use crate::machine::{
    AnswerSource, Assumption, AssumptionId, Ballot, CallBook, CallId, Channel, ConsensusDraft,
    ConsensusId, ConsensusItem, Counters, DebateId, DebatePart, DecidedBy, Edition, EndMethod,
    EnteredIssue, Entry, Event, FailureKind, Find, FirstRound, Hit, Idle, InputContext, Inputs,
    Intent, IssueChange, IssueId, IssueLedger, IssueStatus, Lang, Limits, Looked, MessageKind,
    ModelChoice, Note, Origin, Purpose, Question, QuestionId, QuestionMode, QuestionStatus,
    Receipt, Refusal, RelayDecision, Rule, Scope, SpeakingOrder, SpeechRecord, Stage, State, Stop,
    StopReason, SummaryRecord, Supporter, Survey,
};
use crate::reply::{
    AskedQuestion, Contribution, Criterion, Decision, Document, DocumentKind, Position,
    ProductPlan, Reminder, ReportWords, Severity, Stance, ToDecide,
};
use crate::role::{RoleId, RoleSet, RoleSpec};
use later::{about_the_end, debate, team};
use parts::*;

/// A plain terminal of 80 columns.
pub(crate) fn style() -> Style {
    Style {
        width: 80,
        color: false,
        plain: false,
        lang: Lang::En,
        verbose: 0,
    }
}

fn role(id: &str, code: &str, document: Option<DocumentKind>) -> RoleSpec {
    RoleSpec {
        id: RoleId::from(id),
        code: code.to_owned(),
        order: 1,
        document,
        shadow: false,
        summary: String::new(),
        thinking_style: None,
        speaking_style: None,
        tools: Vec::new(),
        persona: "p".to_owned(),
        source: "built-in".to_owned(),
    }
}

fn inputs() -> Inputs {
    Inputs {
        tool: "0.1.0".to_owned(),
        version: 2,
        format: crate::machine::Format::Workshop,
        doc_lang: Lang::En,
        roles: RoleSet {
            coach: role("Coach", "Coach", None),
            members: vec![
                role("ProductPlanner", "PP", Some(DocumentKind::ProductPlan)),
                role("SystemDesigner", "SD", Some(DocumentKind::SystemDesign)),
            ],
        },
        templates: Default::default(),
        template_sources: BTreeMap::new(),
        edition: Edition::CURRENT,
        limits: Limits::default(),
        ending: Default::default(),
        questions: QuestionMode::Pause,
        first_round: FirstRound::Sequential,
        order: SpeakingOrder::Fixed,
        light: false,
        model: ModelChoice {
            provider: "openai".to_owned(),
            model: "some-model".to_owned(),
            temperature: None,
            seed: None,
            price: None,
        },
        role_models: BTreeMap::new(),
        similarity: Default::default(),
        own_addresses: Default::default(),
        commit: None,
    }
}

fn question(id: u32, text: &str, options: &[&str], recommended: &str) -> Question {
    Question {
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

/// A run in its first round, with two questions waiting.
pub(crate) fn state() -> State {
    let speech = Contribution {
        analysis: "Three columns are enough.\n\nThe rest can wait.".to_owned(),
        ..Contribution::default()
    };
    State {
        run_id: "run".to_owned(),
        requirement: "Export the customer list as CSV. Quickly.".to_owned(),
        inputs: inputs(),
        previous: None,
        feedback: Vec::new(),
        survey: None,
        stage: Stage::Speaking,
        round: 1,
        judgment: None,
        invited: Vec::new(),
        judgment_refused: Vec::new(),
        agenda: vec![IssueId(1)],
        speeches: vec![SpeechRecord {
            member: RoleId::from("ProductPlanner"),
            round: 1,
            turn: 1,
            speech,
            issues: Vec::new(),
            questions: Vec::new(),
            notes: Vec::new(),
        }],
        waiting_speeches: BTreeMap::new(),
        passed_over: Vec::new(),
        said: Vec::new(),
        summaries: vec![summary()],
        initial_issues: 3,
        team: None,
        docket: Default::default(),
        debates: Vec::new(),
        ledger: ledger(),
        draft: ConsensusDraft::default(),
        questions: vec![
            question(
                1,
                "Who may export?",
                &["Everybody", "Administrators only"],
                "Administrators only",
            ),
            question(2, "How long is the file kept?", &[], "30 days"),
        ],
        looked: BTreeMap::from([(QuestionId(2), vec![find("docs/limits.md", 3, 5)])]),
        assumptions: Vec::new(),
        documents: BTreeMap::new(),
        report: None,
        report_without_model: false,
        stop: None,
        warned: std::collections::BTreeSet::new(),
        ending: Default::default(),
        measurements: Default::default(),
        calls: CallBook {
            answered: 7,
            failed: 1,
            used: usage(),
            ..CallBook::default()
        },
        counters: Counters::default(),
        messages: std::collections::BTreeSet::new(),
        resumed: 0,
        accepted_drift: Vec::new(),
        redacted: 0,
        seq: 12,
        started_at: "2026-01-01T00:00:00.000Z".to_owned(),
        last_activity_at: "2026-01-01T00:01:00.000Z".to_owned(),
        active_ms: 60_000,
    }
}

/// The same run, published with a limit reached.
pub(crate) fn finished() -> State {
    let words = ReportWords {
        title: "CSV export".to_owned(),
        in_short: "Short.".to_owned(),
        decide: vec![ToDecide {
            what: "Are deleted customers part of the file?".to_owned(),
            recommended: "no".to_owned(),
            otherwise: "A filter is needed.".to_owned(),
            about: vec!["I-1".to_owned()],
        }],
    };
    State {
        stage: Stage::Published,
        report: Some(words),
        stop: Some(Stop {
            reason: StopReason::RoundLimit,
            round: 1,
            value: 1,
            limit: 1,
            sign: None,
        }),
        assumptions: vec![Assumption {
            id: AssumptionId(1),
            question: QuestionId(2),
            text: "Files are kept for 30 days.".to_owned(),
            why: "not asked".to_owned(),
            round: 1,
        }],
        ..state()
    }
}

/// Events of a run, at least one of every kind.
pub(crate) fn events() -> Vec<Event> {
    let id = QuestionId(1);
    let mut events = vec![
        Event::UserInput {
            content: "Export the customer list as CSV. Quickly.".to_owned(),
            run_id: "run".to_owned(),
            inputs: Box::new(inputs()),
            from: None,
            feedback: Vec::new(),
        },
        Event::KnowledgeSearch {
            survey: Survey {
                files: 132,
                hits: vec![Hit {
                    path: "src/customers.rs".to_owned(),
                    terms: Vec::new(),
                    line: String::new(),
                    number: 0,
                }],
                ..Survey::default()
            },
        },
        Event::CallStarted {
            call: call(Purpose::Judgment, "Coach"),
            model: "some-model".to_owned(),
            input_context: InputContext {
                ids: Vec::new(),
                prompt: String::new(),
                bytes: 0,
            },
            reserve: 1,
            reserve_usd: None,
        },
        Event::CallFailed {
            call: call(Purpose::Judgment, "Coach"),
            kind: FailureKind::RateLimited,
            detail: "`openai`: 429: slow\x1b[2J down".to_owned(),
            retryable: true,
            retry_after_ms: None,
            latency_ms: 1,
        },
        Event::CoachInitialJudgment {
            receipt: receipt(Purpose::Judgment, "Coach"),
            info: "Three needs can be told apart.".to_owned(),
            judgment: Contribution::default(),
            issues: vec![entered(1), entered(2), entered(3)],
            invited: Vec::new(),
            withdrawn: Vec::new(),
            refused: Vec::new(),
        },
        Event::RoundStarted {
            issues: vec![IssueId(1), IssueId(2), IssueId(3)],
        },
        Event::Speaking {
            turn: 1,
            receipt: receipt(Purpose::Speech, "ProductPlanner"),
            output: "# View\n\nThe export needs **three** columns, in this order: identifier, name, e-mail address, and nothing else for now. More.".to_owned(),
            speech: Contribution::default(),
            notes: vec![Note {
                about: "I-99".to_owned(),
                text: "no open issue has this id; the position is left out".to_owned(),
                said: None,
            }],
            proposes_end: false,
        },
        Event::Speaking {
            turn: 2,
            receipt: receipt(Purpose::Speech, "SystemDesigner"),
            output: "导出应当以流的方式写出，避免把整个客户列表一次性读入内存，否则在大型租户上会耗尽内存。其余同意。".to_owned(),
            speech: Contribution::default(),
            notes: Vec::new(),
            proposes_end: true,
        },
        Event::ReplyRejected {
            receipt: receipt(Purpose::Speech, "SystemDesigner"),
            output: String::new(),
            reason: "the reply is empty".to_owned(),
            finish: FinishReason::Stop,
        },
        Event::PassedOver {
            turn: 2,
            member: RoleId::from("SystemDesigner"),
            reason: "the reply is empty".to_owned(),
            phase_id: None,
        },
        looked_for(2, &[("docs/limits.md", 3, 5), ("src/\u{1b}[31mexport.rs", 7, 7)]),
        looked_for(2, &[]),
        Event::ClarificationRelayed {
            receipt: receipt(Purpose::Relay, "Coach"),
            decisions: vec![RelayDecision {
                question: QuestionId(2),
                answer: Some("30 days".to_owned()),
                cites: Some("C-1".to_owned()),
            }],
            notes: Vec::new(),
            said: None,
        },
        Event::UserClarificationNeeded {
            question: id,
            asked: "Who may export?".to_owned(),
            issue: Some(IssueId(2)),
        },
        Event::UserClarificationDialogue {
            id,
            question: "Who may export?".to_owned(),
            user_reply: "Administrators only".to_owned(),
            source: AnswerSource::Recommended,
            message: None,
        },
        Event::ClarificationFollowedUp {
            receipt: receipt(Purpose::FollowUp, "SystemDesigner"),
            question: id,
            follow_up: Some("Also in the test system?".to_owned()),
            repeated: None,
            asked: None,
            said: None,
        },
        Event::ClarificationFollowedUp {
            receipt: receipt(Purpose::FollowUp, "SystemDesigner"),
            question: id,
            follow_up: None,
            repeated: None,
            asked: None,
            said: None,
        },
        Event::ClarificationFollowedUp {
            receipt: receipt(Purpose::FollowUp, "SystemDesigner"),
            question: id,
            follow_up: None,
            repeated: Some("In which system?".to_owned()),
            asked: None,
            said: None,
        },
        skipped(Purpose::Relay, "Coach", "the reply holds no JSON object: there is no `{`"),
        skipped(
            Purpose::FollowUp,
            "SystemDesigner",
            "the provider's content filter cut the reply",
        ),
        Event::SimilarityMeasured {
            measurement: Measurement {
                measure: "lexical".to_owned(),
                members: Vec::new(),
                duplicates: vec![IssuePair {
                    into: IssueId(1),
                    issue: IssueId(2),
                    score: Score::from_thousandths(845),
                }],
                asked: None,
                fallback: Some(
                    "`ollama`: no connection (Connection refused (os error 111))"
                        .to_owned(),
                ),
            },
        },
        summed_up(),
    ];
    events.extend(debate());
    events.extend([
        Event::GuardWarned {
            guard: StopReason::RoundLimit,
            value: 8,
            limit: 10,
            sign: None,
        },
        Event::GuardFired {
            guard: StopReason::TimeLimit,
            value: 30,
            limit: 30,
            sign: None,
        },
        Event::GuardFired {
            guard: StopReason::Consensus,
            value: 0,
            limit: 0,
            sign: None,
        },
        Event::Document {
            receipt: Some(receipt(
                Purpose::Document(DocumentKind::ProductPlan),
                "ProductPlanner",
            )),
            kind: DocumentKind::ProductPlan,
            content: product_plan(),
            notes: Vec::new(),
        },
        Event::Report {
            receipt: None,
            words: ReportWords {
                title: "CSV export".to_owned(),
                ..ReportWords::default()
            },
            notes: Vec::new(),
        },
        Event::Resumed {
            tool: "0.1.0".to_owned(),
            accepted_drift: vec!["roles/PP.md".to_owned()],
            watched: false,
        },
        Event::Published {
            stop: StopReason::Consensus,
            blocking: Vec::new(),
            open: Vec::new(),
        },
    ]);
    events
}

/// The same as entries.
pub(crate) fn entries() -> Vec<Entry> {
    let entry = |(n, event): (usize, Event)| Entry {
        v: 1,
        seq: n as u64 + 1,
        ts: "2026-01-01T00:00:00.000Z".to_owned(),
        active_ms: 0,
        round: 1,
        actor: "engine".to_owned(),
        event,
    };
    events()
        .into_iter()
        .chain(about_the_end())
        .chain(team())
        .enumerate()
        .map(entry)
        .collect()
}
