//! What events are made of.

use super::*;

pub(super) fn usage() -> Usage {
    Usage {
        input: 12_345,
        cached_input: 8_000,
        output: 1_234,
        reasoning: 0,
    }
}

pub(super) fn receipt(purpose: Purpose, member: &str) -> Receipt {
    Receipt {
        call: call(purpose, member),
        model: "some-model".to_owned(),
        usage: usage(),
        latency_ms: 900,
        request_id: None,
        answer_format: None,
        redacted: 0,
    }
}

pub(super) fn call(purpose: Purpose, member: &str) -> CallId {
    CallId {
        scope: Scope::Root,
        purpose,
        member: RoleId::from(member),
        round: 1,
        turn: 1,
        attempt: 1,
    }
}

/// An inquiry for one question: places by path, first and last line.
pub(super) fn looked_for(question: u32, places: &[(&str, u32, u32)]) -> Event {
    Event::Inquiry {
        files: 132,
        looked: vec![Looked {
            question: QuestionId(question),
            terms: vec!["export".to_owned()],
            finds: places
                .iter()
                .map(|(path, from, to)| find(path, *from, *to))
                .collect(),
        }],
    }
}

pub(super) fn find(path: &str, from: u32, to: u32) -> Find {
    Find {
        path: path.to_owned(),
        from,
        to,
        text: "Exports hold 50,000 rows.".to_owned(),
    }
}

pub(super) fn skipped(purpose: Purpose, member: &str, reason: &str) -> Event {
    Event::ClarificationSkipped {
        call: call(purpose, member),
        reason: reason.to_owned(),
    }
}

pub(super) fn entered(id: u32) -> EnteredIssue {
    EnteredIssue {
        id: IssueId(id),
        title: "t".to_owned(),
        detail: "d".to_owned(),
        severity: Severity::Blocking,
        origin: Origin::Requirement,
    }
}

pub(super) fn change(id: u32, to: IssueStatus) -> IssueChange {
    IssueChange {
        issue: IssueId(id),
        round: 1,
        to,
        reason: None,
    }
}

pub(super) fn summed_up() -> Event {
    let supporter = Supporter {
        member: RoleId::from("SystemDesigner"),
        round: 1,
    };
    Event::ConsensusSummary {
        receipt: receipt(Purpose::Summary, "Coach"),
        output: "Columns are settled; who may export is not. More.".to_owned(),
        summary: Contribution::default(),
        consensus: [1, 2]
            .map(|n| ConsensusItem {
                id: ConsensusId(n),
                issue: IssueId(1),
                text: "t".to_owned(),
                wording: None,
                proposed_by: RoleId::from("ProductPlanner"),
                debate: None,
                proposed_round: 1,
                round: 1,
                supporters: vec![supporter.clone()],
                version: 2,
            })
            .to_vec(),
        changes: vec![
            change(
                1,
                IssueStatus::Settled {
                    by: vec![ConsensusId(1)],
                },
            ),
            change(
                4,
                IssueStatus::Refined {
                    into: vec![IssueId(6), IssueId(7)],
                },
            ),
            change(5, IssueStatus::Merged { into: IssueId(2) }),
            change(8, IssueStatus::Dropped),
            change(9, IssueStatus::Deferred),
        ],
        new_issues: vec![entered(6), entered(7)],
        reminders: vec![Reminder {
            member: "SD".to_owned(),
            text: "Keep to the columns.".to_owned(),
        }],
        refused: vec![Refusal {
            said: None,
            rule: Rule::ObjectionStands,
            about: "I-2".to_owned(),
            detail: "SD objects: the log is missing, and without it nobody can say who took what"
                .to_owned(),
        }],
        proposes_end: false,
        calls_vote: None,
        divergence: None,
        more_divergences: Vec::new(),
    }
}

pub(super) fn product_plan() -> Document {
    let criterion = Criterion {
        id: "AC-1".to_owned(),
        same_as: None,
        given: "g".to_owned(),
        when: "w".to_owned(),
        then: "t".to_owned(),
        from: Vec::new(),
    };
    Document::ProductPlan(ProductPlan {
        understanding: "u".to_owned(),
        scope: Vec::new(),
        non_goals: Vec::new(),
        criteria: vec![criterion],
    })
}
