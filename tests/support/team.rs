//! The scripted workshop as a model of a run in this process.

use std::collections::BTreeMap;
use std::sync::Mutex;

use aitc::chat::{ChatRequest, ChatResponse, ChatRole, Usage};
use aitc::edge::model::{Answering, CallFailure, ChatModel};
use aitc::machine::{CallId, FailureKind, FirstRound, Format, Purpose};
use aitc::reply::*;

use super::fake::{WorkshopScript, identify};
use super::meeting::{new_issue, spoken, text};
use super::quarrel::turned;
use super::search::{claiming, reading};

/// What a team does apart from the usual course.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum Course {
    /// One question in round 1, agreement in round 2.
    #[default]
    Usual,
    /// Two members object to each other on I-1 in round 1, which is debated.
    Divided,
    /// A member gives no answer at first, and another proposes the end while a blocking issue is
    /// open.
    Restive,
    /// It revises v1.
    Revising,
    /// The coach, two members and two writers look before they answer.
    Looking,
    /// A member requests trials in its first two answers.
    Trying,
}

/// A model that plays [`WorkshopScript`] and records its calls.
#[derive(Default)]
pub struct Team {
    pub asked: Mutex<Vec<CallId>>,
    course: Course,
    /// The format of the run.
    pub format: Format,
    /// The kind of its first round.
    pub first_round: FirstRound,
    /// Whether it reviews its plan.
    pub reviews: bool,
}

impl Team {
    fn of(course: Course) -> Self {
        Self {
            course,
            ..Self::default()
        }
    }

    /// A team with three needs, in which two members object to each other.
    pub fn divided() -> Self {
        Self::of(Course::Divided)
    }

    /// A team in which one member gives no answer at first and another proposes the end while a
    /// blocking issue is open.
    pub fn restive() -> Self {
        Self::of(Course::Restive)
    }

    /// A team that revises v1; its feedback affects agreed items.
    pub fn revising() -> Self {
        Self::of(Course::Revising)
    }

    /// A team in which one member requests trials before it speaks, twice.
    pub fn trying() -> Self {
        Self::of(Course::Trying)
    }

    /// A team that looks before it answers: the coach, two members and two writers.
    pub fn looking(first_round: FirstRound) -> Self {
        Self {
            first_round,
            ..Self::of(Course::Looking)
        }
    }

    /// A team with a blind first round.
    pub fn blind() -> Self {
        Self {
            first_round: FirstRound::Blind,
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

    /// A team that reviews its plan: a document is amended, and a finding is withdrawn.
    pub fn reviewing() -> Self {
        Self {
            reviews: true,
            ..Self::default()
        }
    }

    /// The name of the version it makes.
    pub fn version(&self) -> &'static str {
        if self.course == Course::Revising {
            "v2"
        } else {
            "v1"
        }
    }

    pub fn counts(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for call in self.asked.lock().unwrap().iter() {
            *counts.entry(call.to_string()).or_default() += 1;
        }
        counts
    }

    fn script(&self) -> WorkshopScript {
        let withdrawn = ("C-1".to_owned(), "F-1".to_owned());
        match self.course {
            Course::Divided => WorkshopScript {
                needs: 3,
                ..WorkshopScript::default()
            },
            Course::Revising => WorkshopScript {
                withdraw: vec![withdrawn],
                ..WorkshopScript::default()
            },
            _ => WorkshopScript::asking(1),
        }
    }

    /// The answer to a call that is no separate question.
    pub fn answer(&self, request: &ChatRequest) -> String {
        let messages = request.messages.iter().map(|message| {
            let is_answer = message.role == ChatRole::Assistant;
            let role = if is_answer { "assistant" } else { "user" };
            (role.to_owned(), message.content.to_string())
        });
        let messages: Vec<(String, String)> = messages.collect();
        let texts: Vec<&str> = messages.iter().map(|(_, text)| text.as_str()).collect();
        let (prompt, last) = (texts.join("\n"), texts[texts.len().max(3) - 3..].join("\n"));
        let turn = identify(&messages, Some(request.schema.name)).expect("a call of a workshop");
        let call = &request.call;
        let looks = match self.course {
            Course::Looking if call.look < looks_of(call) => looked_at(call),
            Course::Trying => tried(call),
            _ => Vec::new(),
        };
        if !looks.is_empty() {
            return text(&Contribution {
                looks,
                ..Contribution::default()
            });
        }
        let reviewed = super::review::answer(&last).filter(|_| self.reviews);
        let usual = reviewed.unwrap_or_else(|| self.script().answer(&turn, &prompt));
        let speech = (call.purpose == Purpose::Speech).then_some((call.round, call.turn));
        let change = |change: &dyn Fn(&mut Contribution)| {
            let mut said = spoken(&usual);
            change(&mut said);
            text(&said)
        };
        match (self.course, speech) {
            (Course::Divided, _) => {
                let ruling = if prompt.contains("D-2") { "D-2" } else { "D-1" };
                turned(&turn.key(), ruling, &usual)
            }
            // Not by attempt: an interrupted attempt is repeated under the next number.
            (Course::Restive, Some((1, 1))) if !prompt.contains("Your turn is not over") => {
                String::new()
            }
            // It proposes the end again after the nudge.
            (Course::Restive, Some((1, 3))) => change(&|said| said.analysis += "\n<!-- END -->"),
            (Course::Looking, Some(_)) if call.look > 0 => {
                change(&|said| said.evidence = vec![claiming("It is there.", "README.md")])
            }
            (Course::Usual, Some((1, 5))) => change(&|said| {
                let found = new_issue("x", "who cleans up", IssueSeverity::Blocking);
                said.new_issues.push(found);
            }),
            _ => usual,
        }
    }
}

impl ChatModel for Team {
    fn chat<'a>(&'a self, request: &'a ChatRequest) -> Answering<'a> {
        self.asked.lock().unwrap().push(request.call.clone());
        match request.call.ask {
            0 => responding(self.answer(request)),
            ask => asked_apart(request, ask),
        }
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

/// The separate question of a looking team to its own model.
const QUESTION: &str = "Does CSV need a byte order mark?";

/// The answer to a separate question: only the first one is answered.
fn asked_apart(request: &ChatRequest, ask: u32) -> Answering<'static> {
    let [message] = &request.messages[..] else {
        panic!("it is given more than the question");
    };
    assert!(message.content.contains(QUESTION), "{}", message.content);
    match ask {
        1 => responding(serde_json::json!({"answer": "Only for old programs."}).to_string()),
        _ => Box::pin(async { Err(CallFailure::new(FailureKind::Server, true, "gone")) }),
    }
}

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

fn looked_at(call: &CallId) -> Vec<Look> {
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
    looks
}

/// Two commands; the second time, one of them again and a new one.
fn tried(call: &CallId) -> Vec<Look> {
    let run = |word: &str| super::trial::trying(&["echo", word]);
    let is_first_speech = call.purpose == Purpose::Speech && (call.round, call.turn) == (1, 2);
    match call.look {
        0 if is_first_speech => vec![run("one"), run("two")],
        1 if is_first_speech => vec![run("two"), run("three")],
        _ => Vec::new(),
    }
}
