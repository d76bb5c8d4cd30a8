//! Entries made by hand: one of every kind of event, with small values.
//!
//! They are well-formed lines, not a sensible workshop: no state is built from them.

mod documents;
mod frozen;
mod later;

use std::collections::{BTreeMap, BTreeSet};

use aitc::chat::{FinishReason, Usage};
use aitc::machine::debate::*;
use aitc::machine::party::Invitation;
use aitc::machine::similarity::*;
use aitc::machine::*;
use aitc::reply::*;
use aitc::role::{RoleId, RoleSet, RoleSpec};
use documents::{documents, product_plan};
use frozen::{inputs, item, previous};
use later::{about_the_end, debate, team};

macro_rules! kinds {
    ($($name:ident),* $(,)?) => {
        /// Exhaustive: a new event does not compile before it is named here.
        fn kind(event: &Event) -> &'static str {
            match event { $(Event::$name { .. } => stringify!($name)),* }
        }
        const KINDS: &[&str] = &[$(stringify!($name)),*];
    };
}

kinds! {
    UserInput, KnowledgeSearch, CallStarted, CallFailed, ReplyRejected, CoachInitialJudgment,
    RoundStarted, Speaking, PassedOver, Inquiry, ClarificationRelayed, UserClarificationNeeded,
    UserClarificationDialogue, ClarificationFollowedUp, ClarificationSkipped, SimilarityMeasured, ConsensusSummary, GuardWarned, GuardFired,
    DiligencePush, DiligenceExhausted, DiligenceOff, EndProposal, EndDecision, UserIntervention,
    VoteCast, VoteClosed, DebateStarted, DivergenceUnjudged, DebateVoided, ExpertArgument, ArgumentMissing, DebateRoundSummary,
    DebateResolved, TeamFormed, PlanRevised, PhaseStarted, ExpertStep, ExpertResult, TeamSynthesis, Document,
    Report, Resumed, Published,
}

/// One entry of every kind of event, numbered from 1; the closing one stands last.
pub fn every_event() -> Vec<Entry> {
    let mut events = opening();
    events.extend(discussion());
    events.extend(clarification());
    events.extend(about_the_end());
    events.extend(debate());
    events.extend(team());
    events.extend(closing());
    let entries: Vec<Entry> = (1..)
        .zip(events)
        .map(|(seq, event)| Entry {
            v: FORMAT,
            seq,
            ts: "2026-01-31T08:00:00.000Z".into(),
            active_ms: seq * 10,
            round: 1,
            actor: "engine".into(),
            event,
        })
        .collect();
    let there: BTreeSet<&str> = entries.iter().map(|entry| kind(&entry.event)).collect();
    let wanted: BTreeSet<&str> = KINDS.iter().copied().collect();
    assert_eq!(there, wanted, "an event is missing from the sample");
    entries
}

/// `n` small entries, numbered on from `after`.
pub fn rounds(after: u64, n: u64) -> Vec<Entry> {
    (after + 1..=after + n)
        .map(|seq| Entry {
            v: FORMAT,
            seq,
            ts: "2026-01-31T08:00:00.000Z".into(),
            active_ms: seq,
            round: 1,
            actor: "engine".into(),
            event: Event::RoundStarted {
                issues: vec![IssueId(1)],
            },
        })
        .collect()
}

fn s(text: &str) -> String {
    text.to_owned()
}

fn receipt(call: &str) -> Receipt {
    Receipt {
        call: call.parse().unwrap(),
        model: s("m"),
        usage: Usage {
            input: 10,
            cached_input: 5,
            output: 3,
            reasoning: 0,
        },
        latency_ms: 7,
        request_id: Some(s("r-1")),
        answer_format: Some(aitc::chat::AnswerFormat::JsonSchema),
        redacted: 1,
    }
}

fn entered() -> EnteredIssue {
    EnteredIssue {
        id: IssueId(2),
        title: s("导出"),
        detail: s("Which format? \"CSV\"\n\u{1}"),
        severity: Severity::Blocking,
        origin: Origin::Feedback {
            feedback: FeedbackId(1),
        },
    }
}

fn change() -> IssueChange {
    IssueChange {
        issue: IssueId(1),
        round: 1,
        to: IssueStatus::Merged { into: IssueId(2) },
        reason: Some(s("same")),
    }
}

fn contribution() -> Contribution {
    Contribution {
        analysis: s("I **agree** ✓"),
        positions: vec![Position {
            issue: s("I-1"),
            stance: Stance::Refine,
            proposal: Some(s("CSV")),
            why: s("simple"),
            changed_because: None,
        }],
        corrections: vec![Correction {
            whom: s("SD"),
            about: s("x"),
        }],
        questions: vec![AskedQuestion {
            question: s("q?"),
            why: s("w"),
            blocks: Some(s("I-1")),
            options: Vec::new(),
            recommended: s("yes"),
        }],
        new_issues: vec![NewIssue {
            key: s("n1"),
            title: s("t"),
            detail: s("d"),
            severity: Severity::Minor,
        }],
        coach: Some(CoachPart {
            fates: vec![Fate {
                issue: s("I-1"),
                fate: FateKind::Merged,
                cites: None,
                wording: None,
                into: vec![s("I-2")],
                reason: Some(s("same")),
            }],
            ..CoachPart::default()
        }),
    }
}

fn note() -> Vec<Note> {
    vec![Note {
        about: s("I-9"),
        text: s("left out"),
        said: Some(s("all of it")),
    }]
}

fn refused() -> Vec<Refusal> {
    vec![Refusal {
        rule: Rule::NoSupport,
        about: s("I-1"),
        detail: s("d"),
        said: Some(s("all of it")),
    }]
}

fn opening() -> Vec<Event> {
    vec![
        Event::UserInput {
            content: s("Export the list / 导出"),
            run_id: s("00000000-0000-7000-8000-000000000001"),
            inputs: Box::new(inputs()),
            from: Some(Box::new(previous())),
            feedback: vec![FeedbackItem {
                id: FeedbackId(1),
                text: s("smaller"),
            }],
        },
        Event::KnowledgeSearch {
            survey: Survey {
                files: 1,
                terms: vec![s("list")],
                hits: vec![Hit {
                    path: s("a.rs"),
                    terms: vec![s("list")],
                    line: s("fn list()"),
                    number: 3,
                }],
                uses: Vec::new(),
                tree: vec![s("a.rs")],
                knowledge: vec![Passage {
                    path: s("k.md"),
                    text: s("t"),
                }],
                knowledge_files: 2,
            },
        },
        Event::CallStarted {
            call: "root/judgment/Coach/r0/t1/a1".parse().unwrap(),
            model: s("m"),
            input_context: InputContext {
                ids: vec![s("I-1")],
                prompt: s("00"),
                bytes: 1200,
            },
            reserve: 4096,
            reserve_usd: Some("0.02".parse().unwrap()),
        },
        Event::CallFailed {
            call: "root/judgment/Coach/r0/t1/a1".parse().unwrap(),
            kind: FailureKind::RateLimited,
            detail: s("429"),
            retryable: true,
            retry_after_ms: Some(1000),
            latency_ms: 5,
        },
        Event::ReplyRejected {
            receipt: receipt("root/judgment/Coach/r0/t1/a2"),
            output: s("{"),
            reason: s("cut"),
            finish: FinishReason::Length,
        },
        Event::CoachInitialJudgment {
            receipt: receipt("root/judgment/Coach/r0/t1/a3"),
            info: s("enough"),
            judgment: contribution(),
            issues: vec![entered()],
            invited: vec![Invitation {
                member: RoleId::from("RiskPlanner"),
                asked: s("what can go wrong"),
            }],
            withdrawn: vec![WithdrawnItem {
                item: ConsensusId(1),
                feedback: Some(FeedbackId(1)),
                reason: s("touched"),
            }],
            refused: refused(),
        },
    ]
}

fn measurement() -> Measurement {
    let half = Score::from_thousandths(512);
    Measurement {
        measure: s("embeddings:e5"),
        members: vec![MemberSimilarity {
            member: RoleId::from("TestPlanner"),
            own: vec![EarlierScore {
                round: 1,
                score: half,
            }],
            echo: Some(Echo {
                of: RoleId::from("RiskPlanner"),
                score: Score::ONE,
            }),
        }],
        duplicates: vec![IssuePair {
            into: IssueId(1),
            issue: IssueId(2),
            score: Score::from_thousandths(930),
        }],
        asked: Some(Asked {
            provider: s("ollama"),
            texts: 3,
            tokens: 40,
            latency_ms: 5,
        }),
        fallback: Some(s("the endpoint broke")),
    }
}

fn discussion() -> Vec<Event> {
    vec![
        Event::RoundStarted {
            issues: vec![IssueId(1), IssueId(2)],
        },
        Event::SimilarityMeasured {
            measurement: measurement(),
        },
        Event::Speaking {
            turn: 1,
            receipt: receipt("root/speech/TestPlanner/r1/t1/a1"),
            output: s("I **agree** ✓"),
            speech: contribution(),
            notes: note(),
            proposes_end: true,
        },
        Event::PassedOver {
            turn: 2,
            member: RoleId::from("SystemDesigner"),
            reason: s("empty"),
            phase_id: Some("P-1".into()),
        },
        Event::ConsensusSummary {
            receipt: receipt("root/summary/Coach/r1/t3/a1"),
            output: s("done"),
            summary: contribution(),
            consensus: vec![item()],
            changes: vec![change()],
            new_issues: vec![entered()],
            reminders: vec![Reminder {
                member: s("SD"),
                text: s("focus"),
            }],
            refused: refused(),
            proposes_end: true,
            calls_vote: None,
            divergence: Some(Divergence {
                issue: Some(IssueId(1)),
                phase: None,
                question: s("which?"),
                sides: Vec::new(),
                trigger: Trigger::Objections,
            }),
            more_divergences: Vec::new(),
        },
    ]
}

fn clarification() -> Vec<Event> {
    vec![
        Event::Inquiry {
            files: 3,
            looked: vec![Looked {
                question: QuestionId(1),
                terms: vec![s("limit"), s("上限")],
                finds: vec![Find {
                    path: s("docs/limits.md"),
                    from: 3,
                    to: 4,
                    text: s("上限：\n5 MB"),
                }],
            }],
        },
        Event::ClarificationRelayed {
            receipt: receipt("Q-1/relay/Coach/r1/t1/a1"),
            decisions: vec![RelayDecision {
                question: QuestionId(1),
                answer: Some(s("yes")),
                cites: Some(s("TP")),
            }],
            notes: note(),
            said: Some(contribution()),
        },
        Event::UserClarificationNeeded {
            question: QuestionId(1),
            asked: s("q?"),
            issue: Some(IssueId(1)),
        },
        Event::UserClarificationDialogue {
            id: QuestionId(1),
            question: s("q?"),
            user_reply: s("yes"),
            source: AnswerSource::Command,
            message: Some(s("00000000-0000-7000-8000-000000000002")),
        },
        Event::ClarificationFollowedUp {
            receipt: receipt("Q-1/follow_up/TestPlanner/r1/t2/a1"),
            question: QuestionId(1),
            follow_up: Some(s("and then?")),
            repeated: Some(s("q?")),
            asked: None,
            said: Some(contribution()),
        },
        Event::ClarificationSkipped {
            call: "Q-1/relay/Coach/r1/t1/a1".parse().unwrap(),
            reason: s("no JSON object"),
        },
    ]
}

fn closing() -> Vec<Event> {
    let mut events = vec![
        Event::GuardWarned {
            guard: StopReason::RoundLimit,
            value: 8,
            limit: 10,
            sign: None,
        },
        Event::GuardFired {
            guard: StopReason::Consensus,
            value: 0,
            limit: 0,
            sign: None,
        },
    ];
    events.extend(documents().into_iter().map(|content| Event::Document {
        receipt: Some(receipt("root/product_plan/TestPlanner/r1/t1/a1")),
        kind: content.kind(),
        content,
        notes: note(),
    }));
    events.push(Event::Report {
        receipt: None,
        words: ReportWords {
            title: s("Export"),
            in_short: s("CSV."),
            decide: vec![ToDecide {
                what: s("format"),
                recommended: s("CSV"),
                otherwise: s("more work"),
                about: vec![s("C-1")],
            }],
        },
        notes: note(),
    });
    events.push(Event::Resumed {
        tool: s("0.1.0"),
        accepted_drift: vec![s("prompt/shared.j2")],
        watched: false,
    });
    events.push(Event::Published {
        stop: StopReason::Consensus,
        blocking: Vec::new(),
        open: vec![IssueId(2)],
    });
    events
}
