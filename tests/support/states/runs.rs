//! The sample workshop: in discussion, agreed, unresolved, and revised.

use std::collections::BTreeSet;

use aitc::chat::Usage;
use aitc::machine::*;
use aitc::reply::*;
use aitc::role::RoleId;

use super::{
    agreed_line, documents, draft, issue, item, ledger, opening, position, summary, t, take,
    waiting_question,
};

fn speech(member: &str, round: u32, turn: u32, speech: Contribution) -> SpeechRecord {
    SpeechRecord {
        member: RoleId::from(member),
        round,
        turn,
        issues: (1..=speech.new_issues.len() as u32)
            .map(|n| IssueId(n + 2))
            .collect(),
        questions: (1..=speech.questions.len() as u32)
            .map(QuestionId)
            .collect(),
        speech,
        notes: Vec::new(),
    }
}

fn settled(id: u32) -> IssueStatus {
    IssueStatus::Settled {
        by: vec![ConsensusId(id)],
    }
}

/// Round 1 after its first two speeches, with a waiting question.
pub fn discussing(lang: Lang) -> State {
    let mut state = opening(lang);
    state.stage = Stage::Speaking;
    state.round = 1;
    state.discussion.agenda = vec![IssueId(1), IssueId(2)];
    state.judgment.text = Some(t(lang, "Two needs: the file, and who may have it.").to_owned());
    state.ledger = ledger([
        issue(
            1,
            t(lang, "What the file holds"),
            Severity::Blocking,
            IssueStatus::Open,
        ),
        issue(
            2,
            t(lang, "Who may export"),
            Severity::Blocking,
            IssueStatus::Open,
        ),
    ]);
    let asked = waiting_question(lang);
    state.discussion.speeches = vec![
        speech(
            "ProductPlanner",
            1,
            1,
            Contribution {
                analysis: t(lang, "## Why\n\nOwners need *all* orders.").to_owned(),
                positions: vec![Position {
                    issue: "I-1".to_owned(),
                    stance: Stance::Agree,
                    proposal: Some(t(lang, "One row an order.").to_owned()),
                    why: t(lang, "It is what spreadsheets expect.").to_owned(),
                    changed_because: None,
                    backs: None,
                    against: None,
                }],
                ..Contribution::default()
            },
        ),
        speech(
            "TestPlanner",
            1,
            4,
            Contribution {
                analysis: t(lang, "How large can it get?").to_owned(),
                questions: vec![AskedQuestion {
                    of: aitc::reply::Asked::Human,
                    question: asked.text.clone(),
                    why: asked.why.clone(),
                    blocks: Some("I-2".to_owned()),
                    options: asked.options.clone(),
                    recommended: asked.recommended.clone(),
                }],
                ..Contribution::default()
            },
        ),
    ];
    state.questions.asked = vec![asked];
    state
}

/// Both issues settled after two rounds, with one assumption and all documents.
pub fn agreed(lang: Lang) -> State {
    let mut state = discussing(lang);
    state.stage = Stage::Complete;
    state.round = 2;
    let texts = [
        t(lang, "One row an order, with a header."),
        t(lang, "Only owners and staff with the export right."),
    ];
    let mut issues = [
        issue(
            1,
            t(lang, "What the file holds"),
            Severity::Blocking,
            settled(1),
        ),
        issue(2, t(lang, "Who may export"), Severity::Blocking, settled(2)),
    ];
    let first = vec![
        position(
            "ProductPlanner",
            1,
            Stance::Agree,
            Some(texts[0]),
            t(lang, "It is what spreadsheets expect."),
        ),
        position(
            "SystemDesigner",
            1,
            Stance::Agree,
            None,
            t(lang, "It can be streamed."),
        ),
    ];
    take(&mut issues[0], 1, first);
    let second = vec![
        position(
            "RiskPlanner",
            1,
            Stance::Object,
            None,
            t(lang, "Orders hold addresses."),
        ),
        position(
            "SystemDesigner",
            2,
            Stance::Refine,
            Some(texts[1]),
            t(lang, "The right exists."),
        ),
        position(
            "RiskPlanner",
            2,
            Stance::Agree,
            None,
            t(lang, "That protects them."),
        ),
    ];
    take(&mut issues[1], 2, second);
    state.ledger = ledger(issues);
    state.draft = draft([
        agreed_line(item(1, 1, texts[0], "ProductPlanner", 1)),
        agreed_line(item(2, 2, texts[1], "SystemDesigner", 1)),
    ]);
    state.discussion.summaries = vec![
        summary(1, &[1, 2], &[1], &[1]),
        summary(2, &[2], &[2], &[2]),
    ];
    state.questions.asked[0].status = QuestionStatus::Closed {
        source: AnswerSource::Assumed,
        answer: "50000".to_owned(),
    };
    state.questions.assumptions = vec![Assumption {
        id: AssumptionId(1),
        question: QuestionId(1),
        text: t(lang, "At most 50,000 orders an export.").to_owned(),
        why: t(lang, "Nobody was asked.").to_owned(),
        round: 1,
    }];
    state.documents.written = documents(lang, false);
    state.documents.report = Some(ReportWords {
        title: t(lang, "Orders as CSV").to_owned(),
        in_short: t(lang, "Owners press a button and get their orders as CSV. The server streams the rows, so size hardly matters. Two steps, three days.")
        .to_owned(),
        decide: vec![ToDecide {
            what: t(lang, "May staff export?").to_owned(),
            recommended: t(lang, "Only with the export right.").to_owned(),
            otherwise: t(lang, "AC-2 goes, and a privacy review is needed.").to_owned(),
            about: vec!["C-2".to_owned(), "AC-2".to_owned()],
        }],
        plan: None,
    });
    state.ending.stop = Some(Stop {
        reason: StopReason::Consensus,
        round: 2,
        value: 0,
        limit: 0,
        sign: None,
    });
    count_usage(&mut state);
    state
}

fn count_usage(state: &mut State) {
    let usage = Usage {
        input: 4000,
        cached_input: 2800,
        output: 500,
        reasoning: 0,
        estimated: false,
    };
    for role in std::iter::once(&state.inputs.roles.coach).chain(&state.inputs.roles.members) {
        state.calls.by_member.insert(role.id.clone(), usage);
        state
            .calls
            .models
            .insert(role.id.clone(), BTreeSet::from(["sample-1".to_owned()]));
        state.calls.used += usage;
    }
    state.calls.answered = 20;
    state.calls.rejected = 1;
}

/// The round limit was reached while an objection remained; the report was generated from the
/// ledger.
pub fn unresolved(lang: Lang) -> State {
    let mut state = agreed(lang);
    let mut issues: Vec<IssueRecord> = state.ledger.iter().cloned().collect();
    issues[1].status = IssueStatus::Open;
    issues[1].history.clear();
    let mut positions = issues[1].positions.to_vec();
    positions[2] = position(
        "RiskPlanner",
        2,
        Stance::Object,
        Some(t(lang, "Only owners.")),
        t(lang, "Staff rights are never reviewed."),
    );
    take(&mut issues[1], 2, positions);
    issues.push(issue(
        3,
        t(lang, "Colour of the button"),
        Severity::Minor,
        IssueStatus::Open,
    ));
    state.ledger = ledger(issues);
    let first = state.draft.find(ConsensusId(1)).cloned().unwrap();
    state.draft = draft([agreed_line(first)]);
    state.discussion.summaries[1] = summary(2, &[2], &[], &[]);
    state.discussion.summaries[1].entered = vec![IssueId(3)];
    state.discussion.summaries[1].refused = vec![Refusal {
        said: None,
        rule: Rule::ObjectionStands,
        about: "I-2".to_owned(),
        detail: t(lang, "SD's text was proposed; RP objects.").to_owned(),
    }];
    state.discussion.passed_over = vec![PassedOver {
        member: RoleId::from("TestPlanner"),
        round: 2,
        reason: t(lang, "three empty replies").to_owned(),
    }];
    state.ending.stop = Some(Stop {
        reason: StopReason::RoundLimit,
        round: 2,
        value: 2,
        limit: 2,
        sign: None,
    });
    if let Some(words) = &mut state.documents.report {
        words.decide.clear();
    }
    state
}

/// As [`agreed`], with 40 criteria and 25 work items, each with its own text.
pub fn large(lang: Lang) -> State {
    let mut state = agreed(lang);
    for record in state.documents.written.values_mut() {
        match &mut record.content {
            Document::ProductPlan(plan) => {
                for n in plan.criteria.len() + 1..=40 {
                    let mut one = plan.criteria[0].clone();
                    one.id = format!("AC-{n}");
                    one.then += &format!(" ({n})");
                    plan.criteria.push(one);
                }
            }
            Document::DevPlan(plan) => {
                for n in plan.work.len() + 1..=25 {
                    let mut one = plan.work[0].clone();
                    one.id = format!("W-{n}");
                    one.title += &format!(" ({n})");
                    one.covers = vec![format!("AC-{n}")];
                    plan.order.push(one.id.clone());
                    plan.work.push(one);
                }
            }
            _ => {}
        }
    }
    state
}

/// v2 of [`agreed`]: of three points of feedback, one changed the plan, one was declined, one
/// continues in another issue.
pub fn revised(lang: Lang) -> State {
    let first = agreed(lang);
    let mut state = agreed(lang);
    state.inputs.version = 2;
    state.run.id = "0190b5c0-0000-7000-8000-000000000002".to_owned();
    state.task.previous = Some(Previous {
        version: 1,
        run_id: first.run.id.clone(),
        head: "aa11".repeat(16),
        requirement: state.task.requirement.clone(),
        consensus: first.draft.standing().cloned().collect(),
        issues: first.ledger.iter().cloned().collect(),
        questions: first.questions.asked.clone(),
        assumptions: first.questions.assumptions.clone(),
        written: first
            .documents
            .written
            .iter()
            .map(|(kind, record)| (*kind, WrittenIn::of(&first, record)))
            .collect(),
        documents: first
            .documents
            .written
            .into_iter()
            .map(|(kind, record)| (kind, record.content))
            .collect(),
        evidence: Vec::new(),
        trials: Vec::new(),
        report: None,
        counters: Counters::default(),
    });
    let points = [
        t(lang, "Amounts need their currency."),
        t(lang, "Make the button red."),
        t(lang, "Do not tell strangers which shops exist."),
    ];
    state.task.feedback = (1..)
        .zip(points)
        .map(|(n, text)| FeedbackItem::said(FeedbackId(n), text.to_owned()))
        .collect();
    let new = t(
        lang,
        "One row an order, with a header and the currency beside each amount.",
    );
    let hidden = t(lang, "Without the right the answer is 404.");
    let mut issues: Vec<IssueRecord> = state.ledger.iter().cloned().collect();
    let from_feedback = |id: u32, n: u32, status: IssueStatus| IssueRecord {
        origin: Origin::Feedback {
            feedback: FeedbackId(n),
        },
        ..issue(id, points[n as usize - 1], Severity::Blocking, status)
    };
    issues.push(from_feedback(3, 1, settled(3)));
    issues.push(from_feedback(4, 2, IssueStatus::Dropped));
    issues[3].history[0].reason =
        Some(t(lang, "Red means danger in this shop's style guide.").to_owned());
    issues.push(from_feedback(
        5,
        3,
        IssueStatus::Refined {
            into: vec![IssueId(6)],
        },
    ));
    issues.push(issue(
        6,
        t(lang, "What is answered without the right"),
        Severity::Blocking,
        settled(4),
    ));
    state.ledger = ledger(issues);
    let lines = state.draft.lines().to_vec();
    state.draft = draft(lines.into_iter().chain([
        DraftLine::Withdrawn {
            item: ConsensusId(1),
            feedback: Some(FeedbackId(1)),
            reason: t(lang, "It says nothing about currency.").to_owned(),
            round: 0,
        },
        agreed_line(item(3, 3, new, "ProductPlanner", 2)),
        agreed_line(item(4, 6, hidden, "SystemDesigner", 2)),
    ]));
    state.discussion.summaries = vec![
        summary(1, &[3, 4, 5], &[3, 4, 5], &[3]),
        summary(2, &[6], &[6], &[4]),
    ];
    state.discussion.summaries[0].entered = vec![IssueId(6)];
    state.discussion.summaries[0].blocking_left = 1;
    state.documents.written = documents(lang, true);
    let risks = state
        .documents
        .written
        .get_mut(&DocumentKind::RiskAssessment);
    risks.unwrap().carried = Some(1);
    state
}
