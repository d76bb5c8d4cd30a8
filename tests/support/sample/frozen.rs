//! What a run is held with: roles, inputs, an earlier version.

use super::*;

fn role(id: &str, code: &str, document: Option<DocumentKind>) -> RoleSpec {
    RoleSpec {
        id: id.into(),
        code: s(code),
        order: 1,
        document,
        shadow: false,
        summary: s("speaks"),
        thinking_style: None,
        speaking_style: None,
        tools: Vec::new(),
        persona: s("You are “brief”.\n"),
        source: s("built-in"),
    }
}

pub(super) fn inputs() -> Inputs {
    let model = ModelChoice {
        provider: s("scripted"),
        model: s("fixtures"),
        temperature: Some(0.25),
        seed: Some(7),
        price: None,
    };
    Inputs {
        tool: s("0.1.0"),
        version: 2,
        format: aitc::machine::Format::Workshop,
        doc_lang: Lang::Zh,
        roles: RoleSet {
            coach: role("Coach", "CO", None),
            members: vec![role("TestPlanner", "TP", Some(DocumentKind::TestPlan))],
        },
        templates: BTreeMap::from([(s("prompt/shared.j2"), s("{{ x }}\n"))]).into(),
        template_sources: BTreeMap::new(),
        edition: aitc::machine::Edition::CURRENT,
        limits: Limits::default(),
        ending: Default::default(),
        questions: QuestionMode::Pause,
        first_round: FirstRound::Blind,
        order: SpeakingOrder::Rotate,
        light: true,
        role_models: BTreeMap::from([(s("TestPlanner"), model.clone())]),
        similarity: Default::default(),
        model,
        own_addresses: Default::default(),
        commit: Some(s("abc")),
    }
}

pub(super) fn item() -> ConsensusItem {
    ConsensusItem {
        id: ConsensusId(1),
        issue: IssueId(1),
        text: s("CSV"),
        wording: Some(s("As CSV")),
        proposed_by: RoleId::from("TestPlanner"),
        debate: Some(DebateId(1)),
        proposed_round: 1,
        round: 1,
        supporters: vec![Supporter {
            member: RoleId::from("TestPlanner"),
            round: 1,
        }],
        version: 1,
    }
}

pub(super) fn previous() -> Previous {
    Previous {
        version: 1,
        run_id: s("00000000-0000-7000-8000-000000000000"),
        head: s("00"),
        requirement: "an earlier requirement".to_owned(),
        consensus: vec![item()],
        issues: vec![IssueRecord {
            left_by: None,
            held_in: None,
            id: IssueId(1),
            title: s("t"),
            detail: s("d"),
            severity: Severity::Minor,
            origin: Origin::Requirement,
            round: 0,
            status: IssueStatus::Settled {
                by: vec![ConsensusId(1)],
            },
            positions: vec![PositionRecord {
                member: RoleId::from("TestPlanner"),
                round: 1,
                stance: Stance::Object,
                proposal: Some(s("p")),
                backs: None,
                why: s("w"),
                changed_because: None,
            }]
            .into(),
            history: vec![change()],
            conclusions: vec![Conclusion {
                debate: DebateId(1),
                round: 1,
                text: s("CSV"),
            }],
        }],
        questions: vec![Question {
            id: QuestionId(1),
            asked_by: RoleId::coach(),
            round: 0,
            text: s("q"),
            why: s("w"),
            blocks: Some(IssueId(1)),
            options: vec![s("a")],
            recommended: s("a"),
            status: QuestionStatus::Closed {
                source: AnswerSource::Assumed,
                answer: s("a"),
            },
            further: None,
            dialogue: vec![Exchange {
                question: s("q"),
                reply: s("a"),
                source: AnswerSource::Command,
            }],
        }],
        assumptions: vec![Assumption {
            id: AssumptionId(1),
            question: QuestionId(1),
            text: s("a"),
            why: s("nobody was asked"),
            round: 0,
        }],
        documents: BTreeMap::from([(DocumentKind::ProductPlan, product_plan())]),
        counters: Counters {
            issue: 1,
            documents: BTreeMap::from([(s("AC"), 1)]),
            ..Counters::default()
        },
    }
}
