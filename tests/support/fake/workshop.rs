//! A whole workshop played by one script, with sensible answers to every call of a plan.
//!
//! Answers depend on the prompt alone, so the script keeps no state and gives a repeated call the
//! same answer, as crash tests need.

use aitc::machine::{DebatePart, Purpose};
use aitc::reply::*;
use serde::Serialize;

use super::super::meeting::{accounted, accounts_asked};
use super::documents::{dev_plan, product_plan, report, risks, system_design, test_plan};
use super::turn::{Turn, ids, open_issues, tally, text_of};
use super::{Reply, Seen};

/// The course of the workshop.
#[derive(Debug, Clone)]
pub struct WorkshopScript {
    /// Number of issues that the judgment raises; none in a revision.
    pub needs: usize,
    /// The round whose summary settles everything.
    pub rounds_to_converge: u32,
    /// Number of questions that ProductPlanner asks in round 1; all go to the user.
    pub questions: usize,
    /// Approximate number of words in the analysis of every speech.
    pub speech_words: usize,
    /// Keys, such as `speech/SystemDesigner/r1`, whose first answer is unusable.
    pub bad_replies: Vec<String>,
    /// A member, by full name, that objects to every issue up to and including this round.
    pub objector: Option<(String, u32)>,
    /// A phase of a team, such as `P-2`, whose result is disputed after its layer.
    pub disputed: Option<String>,
    /// Pairs of agreed item and feedback that the judgment of a revision withdraws.
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

impl WorkshopScript {
    /// A workshop that agrees in this round.
    pub fn agreeing_in(round: u32) -> Self {
        Self {
            rounds_to_converge: round,
            ..Self::default()
        }
    }

    /// A workshop that asks the user this many questions.
    pub fn asking(questions: usize) -> Self {
        Self {
            questions,
            ..Self::default()
        }
    }
}

/// The script as a server's function. An unknown call gets status 400 and its key.
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
    pub(super) fn answer(&self, turn: &Turn, prompt: &str) -> String {
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
                    backs: None,
                    against: None,
                }],
                ..Contribution::default()
            }),
            Purpose::Review | Purpose::Verdict => text(&Contribution {
                analysis: "I could start tomorrow.".to_owned(),
                ..Contribution::default()
            }),
            Purpose::FollowUp => text(&Contribution {
                analysis: "That will do.".to_owned(),
                ..Contribution::default()
            }),
            Purpose::Document(DocumentKind::ProductPlan) => written(prompt, &product_plan(prompt)),
            Purpose::Document(DocumentKind::SystemDesign) => {
                written(prompt, &system_design(prompt))
            }
            Purpose::Document(DocumentKind::DevPlan) => written(prompt, &dev_plan(prompt)),
            Purpose::Document(DocumentKind::TestPlan) => written(prompt, &test_plan(prompt)),
            Purpose::Document(DocumentKind::RiskAssessment) => written(prompt, &risks(prompt)),
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
                .map(|issue| position(issue, turn, prompt, &mood))
                .collect(),
            questions: (1..=asks).map(|n| question(n, issues.first())).collect(),
            ..Contribution::default()
        }
    }

    /// The check of a team's layer: names the disputed result once it exists.
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
        let fates = tally(&turn.task)
            .into_iter()
            .map(|(issue, texts)| match texts.last() {
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

    /// Text that differs by member and round.
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

/// A document with the accounts that its prompt requests.
pub(super) fn written(prompt: &str, document: &impl Serialize) -> String {
    accounted(text(document), accounts_asked(prompt))
}

pub(super) fn text(answer: &impl Serialize) -> String {
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

/// The objector's state; all other members agree.
struct Mood {
    objects: bool,
    came_round: bool,
}

fn position(issue: &str, turn: &Turn, prompt: &str, mood: &Mood) -> Position {
    let (member, round) = (turn.member.as_str(), turn.round);
    // If SD does not take part, every member proposes texts.
    let writes = member == "SystemDesigner" || !prompt.contains("SystemDesigner (SD)");
    let built = text_of(prompt, issue, "SD");
    Position {
        issue: issue.to_owned(),
        stance: if mood.objects {
            Stance::Object
        } else {
            Stance::Agree
        },
        proposal: (writes && built.is_none())
            .then(|| format!("{issue} is done the way {member} words it in round {round}.")),
        why: format!("The figures of round {round} speak for it."),
        backs: built,
        against: None,
        changed_because: mood
            .came_round
            .then(|| format!("What was said in round {}.", round - 1)),
    }
}

/// One phase, then two concurrent ones, one of them with two members, then a last one.
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

/// Every member keeps its own text; the coach rules a compromise.
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
                    backs: None,
                    against: None,
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
        of: aitc::reply::Asked::Human,
        question: format!("Which limit holds for case {n}?"),
        why: "The design depends on it.".to_owned(),
        blocks: issue.cloned(),
        options: vec!["10".to_owned(), "100".to_owned()],
        recommended: "100".to_owned(),
    }
}

fn relay(turn: &Turn) -> Contribution {
    let relays = turn.questions.iter().map(|question| Relay {
        of: None,
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
