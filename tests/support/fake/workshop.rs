//! A whole workshop, played by one script: sensible answers to every call of a plan.
//!
//! Everything is read from the prompt, so the script keeps nothing between
//! calls and answers a repeated call in the same words: what a crash test needs.

use aitc::reply::{
    AskedQuestion, Change, CoachPart, Contribution, CoverageTarget, Criterion, Debt, Decision,
    DesignDecision, DevPlan, DivergenceKind, DocumentKind, ExternalDependency, Fate, FateKind,
    FileImpact, FoundDivergence, FoundSide, Level, Module, NewIssue, NonGoal, PlanAssumption,
    PlannedPhase, Position, ProductPlan, Rejected, Relay, ReportWords, Risk, RiskAssessment,
    Ruling, ScopeItem, Severity, Size, Stance, Synthesis, SystemDesign, TeamPlan, TestCase,
    TestLevel, TestPlan, ToDecide, Withdrawal, WorkItem,
};
use aitc::workshop::{DebatePart, Purpose};
use serde::Serialize;

use super::turn::{Turn, ids, open_issues, tally};
use super::{Reply, Seen};

/// How the workshop goes.
#[derive(Debug, Clone)]
pub struct WorkshopScript {
    /// Issues the judgment enters; none in a revision.
    pub needs: usize,
    /// The round whose summary settles everything.
    pub rounds_to_converge: u32,
    /// Questions ProductPlanner asks in round 1; all go to the human.
    pub questions: usize,
    /// Words in the analysis of every speech, about.
    pub speech_words: usize,
    /// Keys, such as `speech/SystemDesigner/r1`, whose first answer is unusable.
    pub bad_replies: Vec<String>,
    /// A member, by full name, who objects to every issue up to and including a round.
    pub objector: Option<(String, u32)>,
    /// A phase of a team whose result is in dispute after its layer, such as `P-2`.
    pub disputed: Option<String>,
    /// In the judgment of a revision: pairs of agreed item and feedback to withdraw.
    pub withdraw: Vec<(String, String)>,
}

impl Default for WorkshopScript {
    fn default() -> Self {
        Self {
            needs: 2,
            rounds_to_converge: 2,
            questions: 0,
            speech_words: 30,
            bad_replies: Vec::new(),
            objector: None,
            disputed: None,
            withdraw: Vec::new(),
        }
    }
}

/// The script as a server takes it. A call it does not know is answered with 400 and its key.
pub fn workshop(script: WorkshopScript) -> impl Fn(&Seen) -> Reply + Send + Sync + 'static {
    move |seen| {
        if seen.times == 1 && script.bad_replies.contains(&seen.key) {
            return Reply::Text("I would rather talk about the weather.".to_owned());
        }
        let Some(turn) = &seen.turn else {
            let body = format!(
                r#"{{"error":{{"message":"no call of a workshop: {}"}}}}"#,
                seen.key
            );
            return Reply::status(400, Vec::new(), &body);
        };
        Reply::Text(script.answer(turn, &seen.text()))
    }
}

impl WorkshopScript {
    fn answer(&self, turn: &Turn, prompt: &str) -> String {
        match turn.purpose {
            Purpose::Judgment if turn.task.contains("`phases`") => text(&team_plan()),
            Purpose::Judgment => text(&self.judgment(turn)),
            Purpose::Speech => text(&self.speech(turn, prompt)),
            Purpose::Summary if turn.task.contains("layer") => text(&self.review(turn)),
            Purpose::Summary => text(&self.summary(turn)),
            Purpose::Debate(part) => text(&in_debate(part, turn)),
            Purpose::Step => text(&step(turn)),
            Purpose::Relay => text(&relay(turn)),
            Purpose::Vote => text(&Contribution {
                positions: vec![Position {
                    issue: "END".to_owned(),
                    stance: Stance::Object,
                    proposal: None,
                    why: "something is still open".to_owned(),
                    changed_because: None,
                }],
                ..Contribution::default()
            }),
            Purpose::FollowUp => text(&Contribution {
                analysis: "That will do.".to_owned(),
                ..Contribution::default()
            }),
            Purpose::Document(DocumentKind::ProductPlan) => text(&product_plan(prompt)),
            Purpose::Document(DocumentKind::SystemDesign) => text(&system_design(prompt)),
            Purpose::Document(DocumentKind::DevPlan) => text(&dev_plan(prompt)),
            Purpose::Document(DocumentKind::TestPlan) => text(&test_plan(prompt)),
            Purpose::Document(DocumentKind::RiskAssessment) => text(&risks(prompt)),
            Purpose::Report if turn.task.contains("`result`") => text(&synthesis()),
            Purpose::Report => text(&report(prompt)),
        }
    }

    fn judgment(&self, turn: &Turn) -> Contribution {
        let is_revision = turn.task.contains("`coach.withdraw`");
        let needs = if is_revision { 0 } else { self.needs };
        Contribution {
            analysis: format!("There is enough to start with {needs} needs."),
            new_issues: (1..=needs).map(need).collect(),
            coach: Some(CoachPart {
                withdraw: self
                    .withdraw
                    .iter()
                    .filter(|_| is_revision)
                    .map(|(item, feedback)| Withdrawal {
                        item: item.clone(),
                        feedback: feedback.clone(),
                        reason: "The feedback speaks against it.".to_owned(),
                    })
                    .collect(),
                ..CoachPart::default()
            }),
            ..Contribution::default()
        }
    }

    fn speech(&self, turn: &Turn, prompt: &str) -> Contribution {
        let (member, round) = (&turn.member, turn.round);
        let objector = self
            .objector
            .as_ref()
            .filter(|(name, _)| name == member.as_str());
        let mood = Mood {
            objects: objector.is_some_and(|(_, until)| round <= *until),
            came_round: objector.is_some_and(|(_, until)| round == *until + 1),
        };
        let issues = open_issues(prompt);
        let asks = if round == 1 && member.as_str() == "ProductPlanner" {
            self.questions
        } else {
            0
        };
        Contribution {
            analysis: self.words(member.as_str(), round),
            positions: issues
                .iter()
                .map(|issue| position(issue, turn, &mood))
                .collect(),
            questions: (1..=asks).map(|n| question(n, issues.first())).collect(),
            ..Contribution::default()
        }
    }

    /// A look at a layer of a team: the disputed result, once it is there.
    fn review(&self, turn: &Turn) -> Contribution {
        let disputed = self.disputed.as_ref().filter(|_| turn.round == 2);
        let divergence = disputed.map(|phase| FoundDivergence {
            issue: phase.clone(),
            criterion: DivergenceKind::Contradiction,
            question: "Photo or text?".to_owned(),
            sides: ["SD", "RP"]
                .map(|code| FoundSide {
                    member: code.to_owned(),
                    stands_for: format!("what {code} brought"),
                })
                .to_vec(),
        });
        Contribution {
            analysis: format!("Layer {} is there.", turn.round),
            coach: Some(CoachPart {
                divergence,
                ..CoachPart::default()
            }),
            ..Contribution::default()
        }
    }

    fn summary(&self, turn: &Turn) -> Contribution {
        let settles = turn.round >= self.rounds_to_converge;
        let fates = tally(&turn.task).into_iter().map(|(issue, codes)| {
            let cited = codes.iter().find(|code| *code == "SD").or(codes.first());
            match cited {
                Some(code) if settles => Fate {
                    issue,
                    fate: FateKind::Settled,
                    cites: Some(code.clone()),
                    wording: None,
                    into: Vec::new(),
                    reason: None,
                },
                _ => Fate {
                    reason: Some(format!(
                        "Round {} brought new figures on {issue}; they need a look.",
                        turn.round
                    )),
                    issue,
                    fate: FateKind::Open,
                    cites: None,
                    wording: None,
                    into: Vec::new(),
                },
            }
        });
        Contribution {
            analysis: format!("Round {} in short: the proposals of SD carry.", turn.round),
            coach: Some(CoachPart {
                fates: fates.collect(),
                ..CoachPart::default()
            }),
            ..Contribution::default()
        }
    }

    /// Words that differ from member to member and from round to round.
    fn words(&self, member: &str, round: u32) -> String {
        const WORDS: [&str; 12] = [
            "storage", "limits", "errors", "order", "names", "cost", "tests", "users", "files",
            "speed", "safety", "format",
        ];
        let seed = member.len() + round as usize * 5;
        let words =
            (0..self.speech_words).map(|n| WORDS[(seed + n * (1 + seed % 7)) % WORDS.len()]);
        format!(
            "{member} in round {round} on {}.",
            words.collect::<Vec<_>>().join(" ")
        )
    }
}

fn text(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).unwrap()
}

fn need(n: usize) -> NewIssue {
    NewIssue {
        key: format!("n{n}"),
        title: format!("Need number {n}"),
        detail: format!("What exactly need {n} means and how one sees that it is met."),
        severity: Severity::Blocking,
    }
}

/// Where the objector stands; everybody else is content.
struct Mood {
    objects: bool,
    came_round: bool,
}

fn position(issue: &str, turn: &Turn, mood: &Mood) -> Position {
    let (member, round) = (turn.member.as_str(), turn.round);
    Position {
        issue: issue.to_owned(),
        stance: if mood.objects {
            Stance::Object
        } else {
            Stance::Agree
        },
        proposal: Some(format!(
            "{issue} is done the way {member} words it in round {round}."
        )),
        why: format!("The figures of round {round} speak for it."),
        changed_because: mood
            .came_round
            .then(|| format!("What was said in round {}.", round - 1)),
    }
}

/// One phase, two side by side after it, one of them in two hands, one at the end.
fn team_plan() -> TeamPlan {
    let phase = |key: &str, members: &[&str], depends_on: &[&str]| PlannedPhase {
        key: key.to_owned(),
        task: format!("Do part {key}"),
        members: members.iter().map(|code| (*code).to_owned()).collect(),
        depends_on: depends_on.iter().map(|key| (*key).to_owned()).collect(),
    };
    TeamPlan {
        analysis: "Four parts.".to_owned(),
        phases: vec![
            phase("a", &["PP"], &[]),
            phase("b", &["SD", "Dev"], &["a"]),
            phase("c", &["RP"], &["a"]),
            phase("d", &["TP"], &["b", "c"]),
        ],
    }
}

fn step(turn: &Turn) -> Contribution {
    let phase = turn.phase.as_deref().unwrap_or_default();
    Contribution {
        analysis: format!("{} did {phase}.", turn.member),
        ..Contribution::default()
    }
}

fn synthesis() -> Synthesis {
    Synthesis {
        title: "Receipts as text".to_owned(),
        in_short: "Text, with a photo for a month.".to_owned(),
        result: "Store them as text (P-2), for what P-3 found.".to_owned(),
        decide: Vec::new(),
    }
}

/// Everybody holds on to a text of its own; the coach rules a compromise.
fn in_debate(part: DebatePart, turn: &Turn) -> Contribution {
    let who = turn.member.as_str();
    let analysis = format!("{who} in round {} of the debate.", turn.round);
    let mut answer = Contribution {
        analysis,
        ..Contribution::default()
    };
    match part {
        DebatePart::Argument => {
            let issues = ids(&turn.task, "I");
            let subject = issues.first().or(turn.debate.as_ref());
            answer.positions = subject
                .map(|subject| Position {
                    issue: subject.clone(),
                    stance: Stance::Object,
                    proposal: Some(format!(
                        "{subject} as {who} argues in round {}.",
                        turn.round
                    )),
                    why: "The other text misses a case.".to_owned(),
                    changed_because: Some("What the others said.".to_owned()),
                })
                .into_iter()
                .collect();
        }
        DebatePart::Ruling => {
            answer.coach = Some(CoachPart {
                ruling: Some(Ruling {
                    decision: Decision::Compromise,
                    rationale: "It serves both sides.".to_owned(),
                    conclusion: "Both, one after the other.".to_owned(),
                }),
                ..CoachPart::default()
            });
        }
        DebatePart::Opening | DebatePart::Summary => {}
    }
    answer
}

fn question(n: usize, issue: Option<&String>) -> AskedQuestion {
    AskedQuestion {
        question: format!("Which limit holds for case {n}?"),
        why: "The design depends on it.".to_owned(),
        blocks: issue.cloned(),
        options: vec!["10".to_owned(), "100".to_owned()],
        recommended: "100".to_owned(),
    }
}

fn relay(turn: &Turn) -> Contribution {
    let relays = turn.questions.iter().map(|question| Relay {
        question: question.clone(),
        answer: None,
        cites: None,
    });
    Contribution {
        analysis: "Only the human knows this.".to_owned(),
        coach: Some(CoachPart {
            relays: relays.collect(),
            ..CoachPart::default()
        }),
        ..Contribution::default()
    }
}

/// The item of the previous version at the same place, if the prompt shows one.
fn same_as(prompt: &str, prefix: &str, index: usize) -> Option<String> {
    ids(prompt, prefix).into_iter().nth(index)
}

fn product_plan(prompt: &str) -> ProductPlan {
    let agreed = ids(prompt, "C");
    let criterion = |(i, from): (usize, &String)| Criterion {
        id: format!("ac{}", i + 1),
        same_as: same_as(prompt, "AC", i),
        given: format!("what {from} describes"),
        when: format!("a user does what {from} is about"),
        then: "it is done within one second".to_owned(),
        from: vec![from.clone()],
    };
    ProductPlan {
        understanding: "A small thing that does what was asked for.".to_owned(),
        scope: agreed
            .iter()
            .map(|from| ScopeItem {
                text: format!("What {from} says."),
                from: vec![from.clone()],
            })
            .collect(),
        non_goals: vec![NonGoal {
            text: "No second user interface.".to_owned(),
            why: "Nobody asked for one.".to_owned(),
        }],
        criteria: agreed.iter().enumerate().map(criterion).collect(),
    }
}

fn system_design(prompt: &str) -> SystemDesign {
    let agreed = ids(prompt, "C");
    SystemDesign {
        architecture: "One module behind one interface.".to_owned(),
        modules: vec![Module {
            id: "m1".to_owned(),
            same_as: same_as(prompt, "M", 0),
            name: "Core".to_owned(),
            purpose: "Does what was agreed.".to_owned(),
            covers: ids(prompt, "AC"),
        }],
        decisions: agreed
            .iter()
            .enumerate()
            .map(|(i, from)| DesignDecision {
                id: format!("d{}", i + 1),
                same_as: same_as(prompt, "DEC", i),
                title: format!("How {from} is built"),
                choice: "The plain way.".to_owned(),
                why: "It is the cheapest that works.".to_owned(),
                rejected: vec![Rejected {
                    option: "A framework".to_owned(),
                    why: "Too large for this.".to_owned(),
                }],
                from: vec![from.clone()],
            })
            .collect(),
        file_impacts: vec![FileImpact {
            path: "src/core_of_the_plan.rs".to_owned(),
            change: Change::Create,
            what: "Holds the module.".to_owned(),
            modules: vec!["m1".to_owned()],
        }],
        diagram: "flowchart LR\n  User --> Core".to_owned(),
    }
}

fn dev_plan(prompt: &str) -> DevPlan {
    let work = |(i, criterion): (usize, &String)| WorkItem {
        id: format!("w{}", i + 1),
        same_as: same_as(prompt, "W", i),
        title: format!("Build what {criterion} asks for"),
        detail: format!("Done when {criterion} holds."),
        size: Size::M,
        covers: vec![criterion.clone()],
        depends_on: (i > 0).then(|| format!("w{i}")).into_iter().collect(),
    };
    DevPlan {
        feasibility: "It can be done with what is there.".to_owned(),
        work: ids(prompt, "AC").iter().enumerate().map(work).collect(),
        technical_debt: vec![Debt {
            text: "No cache.".to_owned(),
            repayment: "When it is slow.".to_owned(),
        }],
        order: Vec::new(),
        critical_path: Vec::new(),
    }
}

fn test_plan(prompt: &str) -> TestPlan {
    let case = |(i, criterion): (usize, &String)| TestCase {
        id: format!("t{}", i + 1),
        same_as: same_as(prompt, "T", i),
        title: format!("Shows that {criterion} holds"),
        level: TestLevel::EndToEnd,
        covers: vec![criterion.clone()],
        steps: "Do it as a user would.".to_owned(),
        expected: format!("What {criterion} says."),
    };
    TestPlan {
        strategy: "End to end first.".to_owned(),
        cases: ids(prompt, "AC").iter().enumerate().map(case).collect(),
        coverage_targets: vec![CoverageTarget {
            area: "core".to_owned(),
            target: "every criterion".to_owned(),
        }],
        data: vec!["A small sample".to_owned()],
        environments: vec!["Continuous integration".to_owned()],
    }
}

fn risks(prompt: &str) -> RiskAssessment {
    let risk = |(i, criterion): (usize, &String)| Risk {
        id: format!("r{}", i + 1),
        same_as: same_as(prompt, "R", i),
        title: format!("{criterion} turns out harder than thought"),
        chance: Level::Low,
        impact: Level::Medium,
        mitigation: "Build it first.".to_owned(),
        early_sign: "The first work item takes longer.".to_owned(),
        affects: vec![criterion.clone()],
    };
    RiskAssessment {
        risks: ids(prompt, "AC").iter().enumerate().map(risk).collect(),
        dependencies: vec![ExternalDependency {
            name: "The compiler".to_owned(),
            if_missing: "Nothing is built.".to_owned(),
        }],
        assumptions: ids(prompt, "A")
            .into_iter()
            .map(|id| PlanAssumption {
                text: format!("What {id} assumes holds."),
                from: Some(id),
            })
            .collect(),
    }
}

fn report(prompt: &str) -> ReportWords {
    ReportWords {
        title: "A small plan".to_owned(),
        in_short: "What was asked for is built in the plain way, step by step.".to_owned(),
        decide: vec![ToDecide {
            what: "Whether to begin".to_owned(),
            recommended: "Begin.".to_owned(),
            otherwise: "Nothing is built.".to_owned(),
            about: ids(prompt, "C").into_iter().take(1).collect(),
        }],
    }
}
