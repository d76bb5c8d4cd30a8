//! The fake server itself: it must know every call of a workshop, or tests that use it prove nothing.

use aitc::chat::{AnswerSchema, ChatRequest, ChatRole, Message};
use aitc::edge::model::ChatModel;
use aitc::reply::{
    Document, DocumentKind, FateKind, contribution_schema, document_schema, read_contribution,
    read_document, read_report, report_schema,
};

use super::{model, request};
use crate::support::fake::{Fake, WorkshopScript, identify, workshop};

/// Prompts as a run sends them, cut down to what the fake reads.
fn played(language: &str, task: &str) -> Vec<(String, String)> {
    let list = match language {
        "zh" => {
            "# 第 2 轮的未决议题\n\n~~~issues\nI-2（阻塞，来自 I-1）标题\n  细节 I-9\n~~~\n- 新议题 I-4（次要）标题：细节"
        }
        _ => {
            "# Open issues of round 2\n\n~~~issues\nI-2 (blocking, from I-1) Title\n  Detail I-9\n~~~\n- new issue I-4 (minor) Title: detail"
        }
    };
    let old = "Now speak as Coach and sum up round 1. AC-1 AC-2 C-7 DEC-3";
    let user = format!("{old}\n\n{list}\n\n{task}");
    vec![
        ("system".to_owned(), "rules".to_owned()),
        ("user".to_owned(), user),
    ]
}

#[test]
fn the_fake_knows_every_call_by_its_prompt() {
    for (language, task, schema, key) in [
        (
            "en",
            "Now speak as SystemDesigner (SD): round 2, turn 2 of 5. Answer",
            "contribution",
            "speech/SystemDesigner/r2",
        ),
        (
            "zh",
            "现在请以 SystemDesigner（SD）的身份发言：第 2 轮，本轮第 2 位，共 5 位。",
            "contribution",
            "speech/SystemDesigner/r2",
        ),
        (
            "en",
            "Now speak as Coach, before the first round. Judge",
            "contribution",
            "judgment/Coach",
        ),
        (
            "zh",
            "现在请以 Coach 的身份发言，第一轮尚未开始。",
            "contribution",
            "judgment/Coach",
        ),
        (
            "en",
            "Now speak as Coach and sum up round 12. `coach.fates`",
            "contribution",
            "summary/Coach/r12",
        ),
        (
            "zh",
            "现在请以 Coach 的身份总结第 12 轮。",
            "contribution",
            "summary/Coach/r12",
        ),
        (
            "en",
            "Now speak as Coach and deal with what was asked: Q-1, Q-2.",
            "contribution",
            "relay/Coach/Q-1,Q-2",
        ),
        (
            "zh",
            "现在请以 Coach 的身份处理这些提问：Q-1、Q-2。",
            "contribution",
            "relay/Coach/Q-1,Q-2",
        ),
        (
            "en",
            "Now speak as RiskPlanner (RP), who asked Q-3. The human",
            "contribution",
            "follow_up/RiskPlanner/Q-3",
        ),
        (
            "zh",
            "现在请以 RiskPlanner（RP）的身份发言，Q-3 是你提的。",
            "contribution",
            "follow_up/RiskPlanner/Q-3",
        ),
        (
            "en",
            "Now write, as TestPlanner (TP), the document `test_plan`. This",
            "test_plan",
            "test_plan/TestPlanner",
        ),
        (
            "zh",
            "现在请以 TestPlanner（TP）的身份撰写文档 `test_plan`。",
            "test_plan",
            "test_plan/TestPlanner",
        ),
        (
            "en",
            "Now write, as Coach, the words that open the report. This",
            "report",
            "report/Coach",
        ),
        (
            "zh",
            "现在请以 Coach 的身份撰写报告开头的文字。",
            "report",
            "report/Coach",
        ),
    ] {
        let messages = played(language, task);
        // An endpoint that takes no schema is sent none: then the words must do.
        for schema in [Some(schema), None] {
            let turn = identify(&messages, schema).unwrap();
            assert_eq!(turn.key(), key, "{schema:?}");
        }
    }
    assert_eq!(
        identify(&[("user".to_owned(), "hello".to_owned())], None),
        None
    );
}

#[tokio::test]
async fn the_fake_plays_a_workshop() {
    let script = WorkshopScript {
        questions: 1,
        bad_replies: vec!["judgment/Coach".to_owned()],
        ..WorkshopScript::default()
    };
    let fake = Fake::start(workshop(script));
    let model = model(&fake);
    let ask = async |task: &str, schema: AnswerSchema| {
        let mut messages = played("en", task);
        let (_, content) = messages.pop().unwrap();
        let user = Message {
            role: ChatRole::User,
            content: content.into(),
        };
        let request = ChatRequest {
            messages: vec![user],
            schema,
            ..request()
        };
        model.chat(&request).await.unwrap().text
    };
    let judgment = "Now speak as Coach, before the first round. Judge";
    assert!(read_contribution(&ask(judgment, contribution_schema()).await).is_err());
    let answer = read_contribution(&ask(judgment, contribution_schema()).await).unwrap();
    assert_eq!(answer.new_issues.len(), 2);

    let speech = "Now speak as ProductPlanner (PP): round 1, turn 1 of 5.";
    let answer = read_contribution(&ask(speech, contribution_schema()).await).unwrap();
    let issues: Vec<_> = answer.positions.iter().map(|p| p.issue.as_str()).collect();
    assert_eq!((issues, answer.questions.len()), (vec!["I-2", "I-4"], 1));

    for (round, fate) in [(1, FateKind::Open), (2, FateKind::Settled)] {
        let tally = "I-2 (blocking): object: nobody\n  X-1 by PP, backed by PP, SD: may be settled\nI-4 (minor): no text stands; object: nobody";
        let summary = format!("Now speak as Coach and sum up round {round}.\n\n{tally}");
        let answer = read_contribution(&ask(&summary, contribution_schema()).await).unwrap();
        let fates = answer.coach.unwrap().fates;
        assert_eq!((fates[0].fate, fates[1].fate), (fate, FateKind::Open));
        assert_eq!(fates[0].cites.is_some(), fate == FateKind::Settled);
    }
    for kind in DocumentKind::ALL {
        let task = format!("Now write, as X (X), the document `{}`.", kind.name());
        let document = read_document(kind, &ask(&task, document_schema(kind)).await).unwrap();
        match document.said.document.unwrap() {
            Document::ProductPlan(plan) => assert_eq!(plan.criteria[0].from, ["C-7"]),
            Document::SystemDesign(plan) => assert_eq!(plan.modules[0].covers, ["AC-1", "AC-2"]),
            Document::DevPlan(plan) => assert_eq!(plan.work.len(), 2),
            Document::TestPlan(plan) => assert_eq!(plan.cases[1].covers, ["AC-2"]),
            Document::RiskAssessment(plan) => assert_eq!(plan.risks[0].affects, ["AC-1"]),
        }
    }
    let report = "Now write, as Coach, the words that open the report.";
    read_report(&ask(report, report_schema()).await).unwrap();
    assert_eq!(fake.calls("judgment/Coach"), 2);
    assert_eq!(fake.calls("summary/Coach/r1"), 1);
}
