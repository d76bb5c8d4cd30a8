//! What happens besides the rounds: the end, and debates.

use super::*;
use aitc::machine::team::{
    ExpertResult, ExpertStep, PhaseStarted, PlanRevised, TeamFormed, TeamSynthesis,
};
use aitc::reply::Synthesis;

pub(super) fn about_the_end() -> Vec<Event> {
    let asked = AskedQuestion {
        question: s("Continue or stop?"),
        why: s("It costs a call."),
        blocks: None,
        options: vec![s("continue"), s("stop")],
        recommended: s("stop"),
    };
    vec![
        Event::DiligenceOff {
            source: s(".ai-tools-chain/diligence.md"),
            language: Lang::En,
            members: vec![RoleId::from("TestPlanner")],
        },
        Event::DiligencePush {
            kind: MessageKind::PromptingMsg,
            role: aitc::chat::ChatRole::User,
            content: s("Go on."),
            why: Idle::NoOpenIssue,
            source: s("built-in"),
            language: Lang::En,
            left: 2,
            notes: super::note(),
            receipt: receipt("root/speech/TestPlanner/r1/t1/a1"),
            output: s("{}"),
        },
        Event::DiligenceExhausted {
            question: QuestionId(2),
            asked,
            why: Idle::EmptyReply,
            receipt: receipt("root/speech/TestPlanner/r1/t1/a2"),
            output: s(""),
        },
        Event::UserIntervention {
            intent: Intent::Say,
            content: s("No mobile app."),
            channel: Channel::Message,
            reopens: None,
            message: Some(s("00000000-0000-7000-8000-000000000003")),
            refused: None,
        },
        Event::EndProposal {
            agent_name: RoleId::from("TestPlanner"),
            response_text: s("Done.\n<!-- END -->"),
            response_clean: s("Done."),
            method: EndMethod::Marker,
            reason: s("marker"),
            confirmed: false,
        },
        Event::EndDecision {
            guard: StopReason::Proposal,
            confirmed: false,
            by: DecidedBy::Message,
            reason: s("Not yet."),
            granted: 0,
            message: Some(s("00000000-0000-7000-8000-000000000004")),
        },
        Event::VoteCast {
            receipt: Some(receipt("root/vote/TestPlanner/r1/t1/a1")),
            member: RoleId::from("TestPlanner"),
            ballot: Ballot::GoOn,
            why: s("too early"),
            output: s("Not yet."),
            notes: note(),
        },
        Event::VoteClosed {
            number: 1,
            end: 0,
            go_on: 1,
            asked: 1,
            carried: false,
        },
    ]
}

pub(super) fn debate() -> Vec<Event> {
    let debate = DebateId(1);
    vec![
        Event::DebateVoided(DebateVoided {
            topic: "I-2".to_owned(),
            about: Some(IssueId(2)),
            phase_id: Some("P-2".into()),
        }),
        Event::DivergenceUnjudged(DivergenceUnjudged {
            call: "root/summary/Coach/r1/t6/a1".parse().unwrap(),
            reason: s("r"),
        }),
        Event::DebateStarted(DebateStarted {
            receipt: Some(receipt("D-1/debate_opening/Coach/r1/t1/a1")),
            debate,
            motion: Motion {
                debate_config: DebateConfig {
                    topic: s("which?"),
                    participants: vec![RoleId::from("TestPlanner")],
                    max_rounds: 2,
                    skip: false,
                },
                about: Some(IssueId(1)),
                sides: vec![Side {
                    member: RoleId::from("TestPlanner"),
                    stands_for: s("CSV"),
                }],
                trigger: Trigger::Coach {
                    criterion: DivergenceKind::Alternatives,
                },
            },
            output: s("Two ways."),
            ruling: None,
            notes: note(),
        }),
        Event::ExpertArgument(ExpertArgument {
            receipt: receipt("D-1/argument/TestPlanner/r1/t1/a1"),
            debate,
            debate_round: 1,
            output: s("CSV."),
            argument: contribution(),
            notes: note(),
        }),
        Event::ArgumentMissing(ArgumentMissing {
            debate,
            debate_round: 2,
            member: RoleId::from("TestPlanner"),
            reason: s("empty"),
        }),
        Event::DebateRoundSummary(DebateRoundSummary {
            receipt: None,
            debate,
            debate_round: 2,
            output: s("Apart."),
            ruling: Some(ruling()),
            notes: note(),
        }),
        Event::DebateResolved(DebateResolved {
            receipt: None,
            debate,
            decision: Decision::Shelve,
            rationale: s("no figures"),
            conclusion: s("figures"),
            dissent: vec![Dissent {
                member: RoleId::from("TestPlanner"),
                why: s("slow"),
            }],
            plain: Some(Plain::NoReply),
            output: s("So be it."),
            notes: note(),
        }),
    ]
}

fn ruling() -> Ruling {
    Ruling {
        decision: Decision::Adopt,
        rationale: s("plain"),
        conclusion: s("CSV"),
    }
}

/// A team from its plan to the synthesis.
pub(super) fn team() -> Vec<Event> {
    let phase_id = aitc::machine::phase::PhaseId::from("P-1");
    let phases = aitc::machine::team::fallback("compare", &super::inputs().roles);
    let members = vec![RoleId::from("TestPlanner")];
    let note = Note {
        about: s("TestPlanner"),
        text: s("no object"),
        said: Some(s("all of it")),
    };
    let phases_again = phases.clone();
    vec![
        Event::TeamFormed(TeamFormed {
            receipt: Some(receipt("root/judgment/Coach/r0/t1/a1")),
            info: s("one part"),
            phases,
            fallback: Some(s("a circle")),
        }),
        Event::PlanRevised(PlanRevised {
            receipt: Some(receipt("root/judgment/Coach/r0/t2/a1")),
            info: s("one part less"),
            phases: Some(phases_again),
            kept: Some(s("a circle")),
        }),
        Event::PhaseStarted(PhaseStarted {
            phase_id: phase_id.clone(),
            task: s("compare"),
            members,
        }),
        Event::ExpertStep(ExpertStep {
            receipt: receipt("P-1/step/TestPlanner/r1/t1/a1"),
            phase_id: phase_id.clone(),
            step: 1,
            output: s("half of it"),
            questions: Vec::new(),
            notes: vec![note.clone()],
        }),
        Event::ExpertResult(ExpertResult {
            receipt: None,
            phase_id,
            output: s("half of it"),
            questions: Vec::new(),
            notes: Vec::new(),
            missing: Some(note),
        }),
        Event::TeamSynthesis(TeamSynthesis {
            receipt: Some(receipt("root/report/Coach/r1/t1/a1")),
            synthesis: Synthesis {
                title: s("Compared"),
                in_short: s("CSV."),
                result: s("CSV (P-1)."),
                decide: Vec::new(),
            },
        }),
    ]
}
