//! Debates and endings.

use super::*;
use crate::machine::Sign;
use crate::machine::debate::{DebateVoided, DivergenceUnjudged};
use crate::machine::phase::PhaseId;
use crate::machine::team::{
    ExpertResult, ExpertStep, PhaseStarted, PlanRevised, TeamFormed, TeamSynthesis,
    fallback as fallback_plan,
};

/// A debate from its opening to a ruling that one side does not share.
pub(super) fn debate() -> Vec<Event> {
    let debate = DebateId(1);
    let argument = |member: &str, stance, said: &str, changed: Option<&str>| {
        let receipt = receipt(Purpose::Debate(DebatePart::Argument), member);
        Event::ExpertArgument(ExpertArgument {
            receipt,
            debate,
            debate_round: 1,
            output: said.to_owned(),
            argument: Contribution {
                analysis: said.to_owned(),
                positions: vec![Position {
                    issue: "I-2".to_owned(),
                    stance,
                    proposal: Some("Administrators export; each export is logged.".to_owned()),
                    why: "w".to_owned(),
                    changed_because: changed.map(str::to_owned),
                }],
                ..Contribution::default()
            },
            notes: Vec::new(),
        })
    };
    vec![
        Event::DebateStarted(DebateStarted {
            receipt: Some(receipt(Purpose::Debate(DebatePart::Opening), "Coach")),
            debate,
            motion: Motion {
                debate_config: DebateConfig {
                    topic: "Who may export, and who\u{1b}[31m sees it?".to_owned(),
                    participants: vec![
                        RoleId::from("ProductPlanner"),
                        RoleId::from("SystemDesigner"),
                    ],
                    max_rounds: 2,
                    skip: false,
                },
                about: Some(IssueId(2)),
                sides: Vec::new(),
                trigger: Trigger::Objections,
            },
            output: "Both want it safe. They differ in the price.".to_owned(),
            ruling: None,
            notes: Vec::new(),
        }),
        argument(
            "ProductPlanner",
            Stance::Refine,
            "A log is cheap. So I take it over.",
            Some("nobody could say who took what"),
        ),
        argument(
            "SystemDesigner",
            Stance::Object,
            "导出记录必须写入审计日志，否则事后无法核查是谁在什么时候拿走了哪些客户数据。",
            None,
        ),
        Event::ArgumentMissing(ArgumentMissing {
            debate,
            debate_round: 2,
            member: RoleId::from("SystemDesigner"),
            reason: "the reply is empty".to_owned(),
        }),
        Event::DebateRoundSummary(DebateRoundSummary {
            receipt: Some(receipt(Purpose::Debate(DebatePart::Summary), "Coach")),
            debate,
            debate_round: 1,
            output: "One side moved. The log is still between them.".to_owned(),
            ruling: None,
            notes: vec![Note {
                about: "Who pays for the log?".to_owned(),
                text: "a debate asks nobody; left out".to_owned(),
                said: None,
            }],
        }),
        Event::DebateResolved(DebateResolved {
            receipt: Some(receipt(Purpose::Debate(DebatePart::Ruling), "Coach")),
            debate,
            decision: Decision::Compromise,
            rationale: "PP names the case that decides it: nobody could say who took what."
                .to_owned(),
            conclusion:
                "Administrators export; each export is logged with who, when and how many rows."
                    .to_owned(),
            dissent: vec![Dissent {
                member: RoleId::from("SystemDesigner"),
                why: "The log can be deleted by the same person. That is not enough.".to_owned(),
            }],
            plain: None,
            output: "That settles it.".to_owned(),
            notes: Vec::new(),
        }),
    ]
}

/// Proposals, decisions, the human's words, votes and nudges.
pub(super) fn about_the_end() -> Vec<Event> {
    let member = RoleId::from("SystemDesigner");
    let asked = AskedQuestion {
        question: "Go on or stop?".to_owned(),
        why: "It costs a call.".to_owned(),
        blocks: None,
        options: vec!["continue".to_owned(), "stop".to_owned()],
        recommended: "stop".to_owned(),
    };
    let push = |purpose| receipt(purpose, "SystemDesigner");
    let intervention = |intent, content: &str| Event::UserIntervention {
        intent,
        content: content.to_owned(),
        channel: Channel::Message,
        reopens: None,
        message: None,
        refused: None,
    };
    let refused = |why| Event::UserIntervention {
        intent: Intent::Debate,
        content: "/debate which columns".to_owned(),
        channel: Channel::Message,
        message: None,
        refused: Some(why),
        reopens: None,
    };
    let decision = |guard, confirmed, by, reason: &str| Event::EndDecision {
        guard,
        confirmed,
        by,
        reason: reason.to_owned(),
        granted: 2,
        message: None,
    };
    let mut events = vec![
        Event::DiligenceOff {
            source: ".ai-tools-chain/diligence.md".to_owned(),
            language: Lang::Zh,
            members: vec![member.clone()],
        },
        Event::DiligencePush {
            kind: MessageKind::PromptingMsg,
            role: crate::chat::ChatRole::User,
            content: "Take a position on every open issue that concerns you.\u{1b}[2J".to_owned(),
            why: Idle::NoOpenIssue,
            source: "built-in".to_owned(),
            language: Lang::En,
            left: 2,
            notes: Vec::new(),
            receipt: push(Purpose::Speech),
            output: "{}".to_owned(),
        },
        Event::DiligenceExhausted {
            question: QuestionId(3),
            asked,
            why: Idle::EmptyReply,
            receipt: push(Purpose::Speech),
            output: String::new(),
        },
        Event::EndProposal {
            agent_name: member.clone(),
            response_text: "We are done.\n<!-- END -->".to_owned(),
            response_clean: "We are done.".to_owned(),
            method: EndMethod::Marker,
            reason: "the end marker is the last thing in the reply".to_owned(),
            confirmed: false,
        },
        decision(
            StopReason::Proposal,
            false,
            DecidedBy::Terminal,
            "Not before the \u{202e}limit is settled",
        ),
        decision(StopReason::RoundLimit, true, DecidedBy::Unattended, ""),
        decision(
            StopReason::Proposal,
            false,
            DecidedBy::Overtaken,
            "the discussion has ended",
        ),
        intervention(Intent::Say, "Leave the \u{1b}[31mmobile app out, please"),
        intervention(Intent::Debate, "/debate Which \u{1b}[1mcolumns?"),
        refused(Unheld::NoRoom),
        refused(Unheld::Ending),
        refused(Unheld::Voting),
        refused(Unheld::NotOpen),
        refused(Unheld::NoPhase),
        refused(Unheld::NoResult),
        refused(Unheld::Debated),
        refused(Unheld::NoDebate),
        refused(Unheld::NotAsked),
        intervention(Intent::Answer, "/answer Q-1 as \u{1b}[1mrows"),
        intervention(Intent::Skip, "/skip"),
        Event::DebateVoided(DebateVoided {
            topic: "I-2 which \u{1b}[1mcolumns".to_owned(),
            about: Some(IssueId(2)),
            phase_id: None,
        }),
        Event::DivergenceUnjudged(DivergenceUnjudged {
            call: "root/summary/Coach/r1/t6/a1".parse().expect("a call"),
            reason: "the reply is empty".to_owned(),
        }),
        Event::DebateVoided(DebateVoided {
            topic: "p-2".to_owned(),
            about: None,
            phase_id: Some("P-2".into()),
        }),
        intervention(Intent::Stop, "quit"),
        intervention(Intent::VoteToEnd, "/vote"),
        intervention(Intent::AutoExitOn, "/auto-exit on"),
        intervention(Intent::AutoExitOff, "/auto-exit off"),
    ];
    let ballots = [Ballot::End, Ballot::GoOn, Ballot::Abstain];
    events.extend(ballots.map(|ballot| Event::VoteCast {
        receipt: None,
        member: member.clone(),
        ballot,
        why: "Nothing new was said.".to_owned(),
        output: String::new(),
        notes: Vec::new(),
    }));
    events.extend([true, false].map(|carried| Event::VoteClosed {
        number: 1,
        end: 2,
        go_on: 1,
        asked: 3,
        carried,
    }));
    events.extend(signs());
    events
}

/// Everything a detector finds, told as a warning and as the end.
fn signs() -> impl Iterator<Item = Event> {
    let found = [
        (StopReason::Similarity, Sign::Repetition, 870, 850),
        (StopReason::Similarity, Sign::Convergence, 4, 5),
        (StopReason::Silence, Sign::Standstill, 3, 3),
        (StopReason::Silence, Sign::Unanswered, 5, 5),
        (StopReason::Silence, Sign::NudgesUsedUp, 3, 3),
    ];
    found.into_iter().flat_map(|(guard, sign, value, limit)| {
        let sign = Some(sign);
        [
            Event::GuardWarned {
                guard,
                value,
                limit,
                sign,
            },
            Event::GuardFired {
                guard,
                value,
                limit,
                sign,
            },
        ]
    })
}

/// A team from its plan to the synthesis, with one phase that brought nothing.
pub(super) fn team() -> Vec<Event> {
    let phase_id = PhaseId::from("P-1");
    let member = RoleId::from("SystemDesigner");
    let question = "Compare three ways to store \u{1b}[31mreceipts";
    let formed = |fallback: Option<&str>| {
        Event::TeamFormed(TeamFormed {
            receipt: Some(receipt(Purpose::Judgment, "Coach")),
            info: "One part is enough.".to_owned(),
            phases: fallback_plan(question, &state().inputs.roles),
            fallback: fallback.map(str::to_owned),
        })
    };
    let revised = |kept: Option<&str>| {
        let plan = fallback_plan(question, &state().inputs.roles);
        Event::PlanRevised(PlanRevised {
            receipt: kept.is_none().then(|| receipt(Purpose::Judgment, "Coach")),
            info: "One part, and \u{1b}[31msmaller.".to_owned(),
            phases: kept.is_none().then_some(plan),
            kept: kept.map(str::to_owned),
        })
    };
    let finished = |missing: bool| {
        Event::ExpertResult(ExpertResult {
            receipt: (!missing).then(|| receipt(Purpose::Step, "SystemDesigner")),
            phase_id: phase_id.clone(),
            output: "Text is smaller and can be searched.".to_owned(),
            questions: Vec::new(),
            notes: Vec::new(),
            missing: missing.then(|| Note {
                about: member.to_string(),
                text: "the reply does not fit the schema: missing field `analysis`".to_owned(),
                said: None,
            }),
        })
    };
    vec![
        revised(None),
        revised(Some("the plan holds no phase")),
        formed(None),
        formed(Some("the phases have no order: a circle: P-1 -> P-2")),
        Event::PhaseStarted(PhaseStarted {
            phase_id: phase_id.clone(),
            task: question.to_owned(),
            members: vec![member.clone()],
        }),
        Event::ExpertStep(ExpertStep {
            receipt: receipt(Purpose::Step, "SystemDesigner"),
            phase_id: phase_id.clone(),
            step: 1,
            output: "A first draft.".to_owned(),
            questions: Vec::new(),
            notes: Vec::new(),
        }),
        Event::PassedOver {
            turn: 1,
            member: member.clone(),
            reason: "the reply is empty".to_owned(),
            phase_id: Some(phase_id.clone()),
        },
        finished(false),
        finished(true),
        Event::TeamSynthesis(TeamSynthesis {
            receipt: Some(receipt(Purpose::Report, "Coach")),
            synthesis: crate::reply::Synthesis {
                title: "Receipts as text".to_owned(),
                ..Default::default()
            },
        }),
    ]
}
