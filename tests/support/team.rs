//! A scripted model that plays a whole meeting.

use std::collections::BTreeMap;
use std::sync::Mutex;

use aitc::chat::{ChatRequest, ChatResponse, Usage};
use aitc::edge::model::{Answering, CallFailure, ChatModel};
use aitc::machine::{CallId, DebatePart, FailureKind, FirstRound, Format, Purpose};
use aitc::reply::*;

use super::fake::{one_text, standing};
use super::meeting::{
    self, accounted, accounts_asked, coach, contribution, divergence, document, fate, new_issue,
    position, settled, spoken, text,
};
use super::search::{claiming, reading};

/// A model that asks one question in round 1 and agrees in round 2. It records its calls.
#[derive(Default)]
pub struct Team {
    pub asked: Mutex<Vec<CallId>>,
    /// Whether two members object to each other on I-2 in round 1.
    divided: bool,
    /// Whether a member gives no answer at first, and another proposes the end early.
    restive: bool,
    /// The format of the meeting.
    pub format: Format,
    /// The kind of its first round.
    pub first_round: FirstRound,
    /// Whether it revises an existing version.
    revising: bool,
    /// Whether some members look before they answer.
    looking: bool,
    /// Whether a member requests trials before it speaks.
    trying: bool,
    /// Whether it reviews its plan.
    pub reviews: bool,
}

impl Team {
    /// A team with three needs, in which two members object to each other.
    pub fn divided() -> Self {
        Self {
            divided: true,
            ..Self::default()
        }
    }

    /// A team in which one member gives no answer at first and another proposes the end while a
    /// blocking issue is open.
    pub fn restive() -> Self {
        Self {
            restive: true,
            ..Self::default()
        }
    }

    /// A team that works on four phases, two of them concurrent, and reviews the synthesis.
    pub fn working() -> Self {
        Self {
            format: Format::Team,
            reviews: true,
            ..Self::default()
        }
    }

    /// A team with a blind first round.
    pub fn blind() -> Self {
        Self {
            first_round: FirstRound::Blind,
            ..Self::default()
        }
    }

    /// A team that revises v1; its feedback affects agreed items.
    pub fn revising() -> Self {
        Self {
            revising: true,
            ..Self::default()
        }
    }

    /// A team that looks before it answers: the coach, two members and a writer.
    pub fn looking(first_round: FirstRound) -> Self {
        Self {
            looking: true,
            first_round,
            ..Self::default()
        }
    }

    /// A team in which one member requests trials before it speaks, twice.
    pub fn trying() -> Self {
        Self {
            trying: true,
            ..Self::default()
        }
    }

    /// A team that reviews its plan: a document is amended, and a finding is withdrawn.
    pub fn reviewing() -> Self {
        Self {
            reviews: true,
            ..Self::default()
        }
    }

    /// The name of the version it makes.
    pub fn version(&self) -> &'static str {
        if self.revising { "v2" } else { "v1" }
    }

    pub fn counts(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for call in self.asked.lock().unwrap().iter() {
            *counts.entry(call.to_string()).or_default() += 1;
        }
        counts
    }
}

impl ChatModel for Team {
    fn chat<'a>(&'a self, request: &'a ChatRequest) -> Answering<'a> {
        self.asked.lock().unwrap().push(request.call.clone());
        let last = request.messages.iter().rev().take(3).rev();
        let prompt: Vec<&str> = last.map(|message| &*message.content).collect();
        let reviewed = super::review::answer(&prompt.join("\n")).filter(|_| self.reviews);
        if request.call.ask > 0 {
            return asked_apart(request);
        }
        let text = if let Some(text) = reviewed {
            text
        } else if self.looking && request.call.look < looks_of(&request.call) {
            looking(&request.call)
        } else if self.looking && request.call.look > 0 {
            claimed(&request.call)
        } else if self.trying && tries(&request.call) {
            trying(&request.call)
        } else if self.format == Format::Team {
            worked(&request.call)
        } else if self.divided {
            divided(&request.call)
        } else if self.restive {
            restive(request)
        } else if self.revising {
            revised(&request.call)
        } else if self.first_round == FirstRound::Blind {
            blind(&request.call)
        } else {
            answer(&request.call)
        };
        responding(match request.call.purpose {
            Purpose::Document(_) if !request.call.amends() => {
                accounted(text, accounts_asked(&prompt.join("\n")))
            }
            Purpose::Report if self.format == Format::Workshop => {
                let mut words: ReportWords = serde_json::from_str(&text).unwrap();
                let all: Vec<&str> = request.messages.iter().map(|one| &*one.content).collect();
                words.plan = Some(one_text(&standing(&all.join("\n"))));
                serde_json::to_string(&words).unwrap()
            }
            _ => text,
        })
    }
}

fn responding(text: String) -> Answering<'static> {
    Box::pin(async move {
        Ok(ChatResponse {
            usage: Usage {
                input: 100,
                cached_input: 60,
                output: 30,
                reasoning: 0,
                estimated: false,
            },
            ..ChatResponse::plain(text, "team-1")
        })
    })
}

/// The answer to a separate question: only the first one is answered.
fn asked_apart(request: &ChatRequest) -> Answering<'static> {
    let [message] = &request.messages[..] else {
        panic!("it is given more than the question");
    };
    assert!(message.content.contains(QUESTION), "{}", message.content);
    match request.call.ask {
        1 => responding(serde_json::json!({"answer": "Only for old programs."}).to_string()),
        _ => Box::pin(async { Err(CallFailure::new(FailureKind::Server, true, "gone")) }),
    }
}

/// The separate question of a looking team to its own model.
const QUESTION: &str = "Does CSV need a byte order mark?";

/// How often a looking team looks in one turn.
fn looks_of(call: &CallId) -> u32 {
    match (call.purpose, call.turn, call.round) {
        (Purpose::Judgment, _, _) => 1,
        (Purpose::Speech, 2, 1) => 2,
        (Purpose::Speech, 4, 1) => 1,
        (Purpose::Document(DocumentKind::SystemDesign | DocumentKind::TestPlan), _, _) => 1,
        _ => 0,
    }
}

/// The usual answer with evidence from a look.
fn claimed(call: &CallId) -> String {
    let usual = answer(call);
    if call.purpose != Purpose::Speech {
        return usual;
    }
    let mut speech = spoken(&usual);
    speech.evidence = vec![claiming("It is there.", "README.md")];
    text(&speech)
}

fn looking(call: &CallId) -> String {
    let path = format!("src/{}.rs", call.member.as_str().to_lowercase());
    let mut looks = vec![reading(&path, call.look + 1), reading("README.md", 1)];
    let asking = || Look {
        kind: LookKind::Ask,
        from: None,
        to: None,
        ..reading(QUESTION, 1)
    };
    if call.look == 1 {
        looks.extend([asking(), asking(), asking()]);
    }
    text(&Contribution {
        looks,
        ..Contribution::default()
    })
}

/// Whether the call's member requests trials, which it does in its first two answers.
fn tries(call: &CallId) -> bool {
    call.purpose == Purpose::Speech && (call.round, call.turn) == (1, 2) && call.look < 2
}

/// Two commands; the second time, one of them again and a new one.
fn trying(call: &CallId) -> String {
    let run = |word: &str| super::trial::trying(&["echo", word]);
    let looks = match call.look {
        0 => vec![run("one"), run("two")],
        _ => vec![run("two"), run("three")],
    };
    text(&Contribution {
        looks,
        ..Contribution::default()
    })
}

/// The usual answers, except in two turns of the first round.
fn restive(request: &ChatRequest) -> String {
    let call = &request.call;
    let usual = answer(call);
    // Not by attempt: an interrupted attempt is repeated under the next number.
    let nudged =
        |message: &aitc::chat::Message| message.content.starts_with("Your turn is not over");
    match (call.purpose, call.round, call.turn) {
        (Purpose::Speech, 1, 1) if !request.messages.iter().any(nudged) => String::new(),
        // It proposes the end again after the nudge.
        (Purpose::Speech, 1, 3) => {
            let mut speech = spoken(&usual);
            speech.analysis += "\n<!-- END -->";
            text(&speech)
        }
        _ => usual,
    }
}

/// The usual answers; texts proposed concurrently are settled once the others have seen them.
fn blind(call: &CallId) -> String {
    if call.purpose != Purpose::Summary || call.round != 2 {
        return answer(call);
    }
    let mut said = spoken(&answer(call));
    let part = said.coach.as_mut().unwrap();
    part.fates.push(settled("I-1", "SD"));
    text(&said)
}

/// The answers of a team with two points of feedback, `I-4` and `I-5`.
fn revised(call: &CallId) -> String {
    match call.purpose {
        Purpose::Judgment => text(&Contribution {
            coach: Some(CoachPart {
                withdraw: vec![Withdrawal {
                    item: "C-1".to_owned(),
                    feedback: "F-1".to_owned(),
                    reason: "it says commas".to_owned(),
                }],
                ..CoachPart::default()
            }),
            ..contribution("One item is touched.")
        }),
        Purpose::Speech => {
            let words = |issue: &str| {
                let writes = matches!(
                    (issue, call.member.as_str()),
                    ("I-4", "SystemDesigner") | ("I-5", "ProductPlanner")
                );
                writes.then(|| format!("{} writes {issue} anew", call.member))
            };
            let mut speech = contribution(&format!("{} looks again.", call.member));
            speech.positions = ["I-4", "I-5"]
                .map(|issue| position(issue, Stance::Agree, words(issue).as_deref()))
                .to_vec();
            text(&speech)
        }
        Purpose::Summary => text(&coach(vec![settled("I-4", "SD"), settled("I-5", "PP")])),
        _ => answer(call),
    }
}

/// The answers of a team that works in phases.
fn worked(call: &CallId) -> String {
    let phase = |key: &str, members: &[&str], needs: &[&str]| PlannedPhase {
        key: key.to_owned(),
        task: format!("do {key}"),
        members: members.iter().map(|m| (*m).to_owned()).collect(),
        depends_on: needs.iter().map(|n| (*n).to_owned()).collect(),
    };
    match call.purpose {
        Purpose::Judgment => text(&TeamPlan {
            analysis: "Four parts.".to_owned(),
            phases: vec![
                phase("a", &["PP"], &[]),
                phase("b", &["SD", "Dev"], &["a"]),
                phase("c", &["RP"], &["a"]),
                phase("d", &["TP"], &["b", "c"]),
            ],
        }),
        Purpose::Report => text(&Synthesis {
            title: "Done".to_owned(),
            in_short: "It is done.".to_owned(),
            result: "All of it (P-4).".to_owned(),
            decide: Vec::new(),
        }),
        _ => text(&contribution(&format!(
            "{} did it at {}.",
            call.member, call.turn
        ))),
    }
}

/// The answers of a team that holds a debate after round 1.
fn divided(call: &CallId) -> String {
    match call.purpose {
        Purpose::Judgment => text(&super::divided::needs()),
        Purpose::Speech => {
            let mut speech = spoken(&answer(call));
            for said in &mut speech.positions {
                let objects = said.issue == "I-2" && call.round == 1 && call.turn <= 2;
                if said.issue == "I-2" && call.round > 1 {
                    said.proposal = None;
                } else if said.issue == "I-2" && !objects {
                    said.stance = Stance::Abstain;
                }
                if objects {
                    said.stance = Stance::Object;
                    said.proposal = Some(format!("{} writes {} so", call.member, said.issue));
                }
                said.changed_because = (call.round > 1).then(|| "the ruling".to_owned());
            }
            let third = position("I-3", Stance::Agree, Some("As large as it gets."));
            speech.positions.extend((call.round == 1).then_some(third));
            text(&speech)
        }
        Purpose::Summary if call.round == 1 => {
            let mut said = coach(vec![
                settled("I-1", "SD"),
                fate("I-2", FateKind::Open),
                settled("I-3", "SD"),
                fate("I-4", FateKind::Open),
            ]);
            let divided = divergence("I-2", "Whose text?", &["PP", "SD"]);
            said.coach.as_mut().unwrap().divergence = Some(divided);
            text(&said)
        }
        Purpose::Summary => {
            let mut dropped = fate("I-4", FateKind::Dropped);
            dropped.reason = Some("nothing is left behind".to_owned());
            text(&coach(vec![settled("I-2", "D-1"), dropped]))
        }
        _ => answer(call),
    }
}

/// The team's usual answer to a call.
pub fn answer(call: &CallId) -> String {
    match call.purpose {
        Purpose::Judgment => text(&Contribution {
            new_issues: vec![
                new_issue("a", "first need", Severity::Blocking),
                new_issue("b", "second need", Severity::Blocking),
            ],
            ..contribution("Two needs.")
        }),
        Purpose::Speech => {
            // SD proposes a text on I-1 in round 1, PP one on I-2 in every round; the others agree.
            let words = |issue: &str| {
                let writes = matches!(
                    (issue, call.member.as_str(), call.round),
                    ("I-1", "SystemDesigner", 1) | ("I-2", "ProductPlanner", _)
                );
                let words = format!("{} writes {issue} in round {}", call.member, call.round);
                writes.then_some(words)
            };
            let mut speech =
                contribution(&format!("{} speaks in round {}.", call.member, call.round));
            for issue in ["I-1", "I-2"] {
                speech
                    .positions
                    .push(position(issue, Stance::Agree, words(issue).as_deref()));
            }
            if call.round == 1 && call.turn == 2 {
                speech.questions.push(AskedQuestion {
                    options: vec!["all".to_owned(), "new ones".to_owned()],
                    recommended: "new ones".to_owned(),
                    ..meeting::question("Which rows?")
                });
            }
            if call.round == 1 && call.turn == 5 {
                speech
                    .new_issues
                    .push(new_issue("x", "who cleans up", Severity::Blocking));
            }
            text(&speech)
        }
        Purpose::Summary if call.round == 1 => text(&coach(vec![
            settled("I-1", "SD"),
            fate("I-2", FateKind::Open),
            fate("I-3", FateKind::Open),
        ])),
        Purpose::Summary => {
            let mut dropped = fate("I-3", FateKind::Dropped);
            dropped.reason = Some("nothing is left behind".to_owned());
            text(&coach(vec![settled("I-2", "PP"), dropped]))
        }
        Purpose::Debate(part) => text(&debated(call, part)),
        Purpose::Relay => text(&coach(Vec::new())),
        Purpose::Step => unreachable!("no team works here"),
        Purpose::Vote => meeting::vote(Stance::Object),
        Purpose::FollowUp => text(&contribution("That will do.")),
        Purpose::Review | Purpose::Verdict => text(&contribution("I could start tomorrow.")),
        Purpose::Document(kind) => document(kind),
        Purpose::Report => text(&ReportWords {
            title: "A plan".to_owned(),
            in_short: "It is done like this.".to_owned(),
            decide: Vec::new(),
            plan: None,
        }),
    }
}

/// Two participants who keep their positions, and a compromise.
fn debated(call: &CallId, part: DebatePart) -> Contribution {
    match part {
        DebatePart::Argument => {
            let mut said = contribution(&format!("{} argues in {}.", call.member, call.turn));
            let words = format!("{} argues {} so", call.member, call.turn);
            let stance = position("I-2", Stance::Object, Some(&words));
            said.positions = vec![stance];
            said.positions[0].changed_because = Some("the other side's words".to_owned());
            said
        }
        DebatePart::Ruling => meeting::ruling(Decision::Compromise, "Both, one after the other."),
        _ => contribution("They are apart."),
    }
}
