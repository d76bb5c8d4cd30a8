//! A whole workshop played by one script, with sensible answers to every call of a plan.
//!
//! Answers depend on the prompt alone, so the script keeps no state and gives a repeated call the
//! same answer, as crash tests need.

use aitc::machine::{DebatePart, Purpose};
use aitc::reply::{CoachPart, Contribution};
use serde::Serialize;
use serde_json::{Value, json};

use super::super::meeting::{accounted, accounts_asked, merge};
use super::members::documents::{document, report};
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
    /// The answer to a call.
    pub fn answer(&self, turn: &Turn, prompt: &str) -> String {
        let answer = match turn.purpose {
            Purpose::Judgment if turn.task.contains("`phases`") => return team_plan().to_string(),
            Purpose::Judgment => self.judgment(turn),
            Purpose::Speech => self.speech(turn, prompt),
            Purpose::Summary if turn.task.contains("layer") => self.review(turn),
            Purpose::Summary => self.summary(turn),
            Purpose::Debate(part) => in_debate(part, turn),
            Purpose::Step => {
                let phase = turn.phase.as_deref().unwrap_or_default();
                said(&format!("{} did {phase}.", turn.member))
            }
            Purpose::Relay => relay(turn),
            Purpose::Vote => json!({
                "analysis": "",
                "positions": [{"issue": "END", "stance": "object", "proposal": null,
                    "why": "something is still open", "changed_because": null}],
            }),
            Purpose::Review | Purpose::Verdict => said("I could start tomorrow."),
            Purpose::FollowUp => said("That will do."),
            Purpose::Document(kind) => return document(turn, prompt, kind),
            Purpose::Report if turn.task.contains("`result`") => {
                let synthesis = json!({
                    "title": "Receipts as text", "in_short": "Text, with a photo for a month.",
                    "result": "Store them as text (P-2), for what P-3 found.", "decide": [],
                });
                return synthesis.to_string();
            }
            Purpose::Report => return report(turn, prompt),
        };
        // Every field is there, as strict schemas require.
        let mut whole = json!(Contribution::default());
        if answer["coach"].is_object() {
            whole["coach"] = json!(CoachPart::default());
        }
        merge(&mut whole, answer);
        whole.to_string()
    }

    fn judgment(&self, turn: &Turn) -> Value {
        let is_revision = turn.task.contains("`coach.withdraw`");
        let needs = if is_revision { 0 } else { self.needs };
        let need = |n: usize| {
            json!({
                "key": format!("n{n}"), "title": format!("Need number {n}"),
                "detail": format!("What exactly need {n} means and how one sees that it is met."),
                "severity": "blocking",
            })
        };
        let withdraw = self.withdraw.iter().filter(|_| is_revision);
        let withdraw = withdraw.map(|(item, feedback)| {
            let reason = "The feedback speaks against it.";
            json!({"item": item, "feedback": feedback, "reason": reason})
        });
        json!({
            "analysis": format!("There is enough to start with {needs} needs."),
            "new_issues": (1..=needs).map(need).collect::<Vec<_>>(),
            "coach": {"withdraw": withdraw.collect::<Vec<_>>()},
        })
    }

    fn speech(&self, turn: &Turn, prompt: &str) -> Value {
        let (member, round) = (turn.member.as_str(), turn.round);
        let issues = open_issues(prompt);
        let asks = if round == 1 && member == "ProductPlanner" {
            self.questions
        } else {
            0
        };
        let positions = issues
            .iter()
            .map(|issue| self.position(issue, turn, prompt));
        let question = |n| {
            json!({
                "for": "human", "question": format!("Which limit holds for case {n}?"),
                "why": "The design depends on it.", "blocks": issues.first(),
                "options": ["10", "100"], "recommended": "100",
            })
        };
        json!({
            "analysis": self.words(member, round),
            "positions": positions.collect::<Vec<_>>(),
            "questions": (1..=asks).map(question).collect::<Vec<_>>(),
        })
    }

    /// All members agree, except the objector until its last round.
    fn position(&self, issue: &str, turn: &Turn, prompt: &str) -> Value {
        let (member, round) = (turn.member.as_str(), turn.round);
        let until = self.objector.as_ref().filter(|(name, _)| name == member);
        let until = until.map(|(_, until)| *until);
        // If SD does not take part, every member proposes texts.
        let writes = member == "SystemDesigner" || !prompt.contains("SystemDesigner (SD)");
        let built = text_of(prompt, issue, "SD");
        let proposal = (writes && built.is_none())
            .then(|| format!("{issue} is done the way {member} words it in round {round}."));
        let is_turned = until.is_some_and(|until| round == until + 1);
        json!({
            "issue": issue,
            "stance": if until.is_some_and(|until| round <= until) { "object" } else { "agree" },
            "proposal": proposal, "why": format!("The figures of round {round} speak for it."),
            "backs": built,
            "changed_because": is_turned.then(|| format!("What was said in round {}.", round - 1)),
        })
    }

    /// The check of a team's layer: names the disputed result once it exists.
    fn review(&self, turn: &Turn) -> Value {
        let disputed = self.disputed.as_ref().filter(|_| turn.round == 2);
        let side =
            |code: &str| json!({"member": code, "stands_for": format!("what {code} brought")});
        let divergence = disputed.map(|phase| {
            json!({
                "issue": phase, "criterion": "contradiction", "question": "Photo or text?",
                "sides": [side("SD"), side("RP")],
            })
        });
        json!({
            "analysis": format!("Layer {} is there.", turn.round),
            "coach": {"divergence": divergence},
        })
    }

    fn summary(&self, turn: &Turn) -> Value {
        let round = turn.round;
        let settles = round >= self.rounds_to_converge;
        let fates = tally(&turn.task).into_iter();
        let fates = fates.map(|(issue, texts)| match texts.last() {
            Some(code) if settles => json!({
                "issue": issue, "fate": "settled", "cites": code, "wording": null, "into": [],
                "reason": null,
            }),
            _ => json!({
                "issue": issue, "fate": "open", "cites": null, "wording": null, "into": [],
                "reason": format!("Round {round} brought new figures on {issue}; they need a look."),
            }),
        });
        json!({
            "analysis": format!("Round {round} in short: everybody supports the proposals of SD."),
            "coach": {"fates": fates.collect::<Vec<_>>()},
        })
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

fn said(analysis: &str) -> Value {
    json!({"analysis": analysis})
}

/// One phase, then two concurrent ones, one of them with two members, then a last one.
fn team_plan() -> Value {
    let phase = |key: &str, members: &[&str], depends_on: &[&str]| {
        let task = format!("Do part {key}");
        json!({"key": key, "task": task, "members": members, "depends_on": depends_on})
    };
    json!({
        "analysis": "Four parts.",
        "phases": [
            phase("a", &["PP"], &[]),
            phase("b", &["SD", "Dev"], &["a"]),
            phase("c", &["RP"], &["a"]),
            phase("d", &["TP"], &["b", "c"]),
        ],
    })
}

/// Every member keeps its own text; the coach rules a compromise.
fn in_debate(part: DebatePart, turn: &Turn) -> Value {
    let who = turn.member.as_str();
    let mut answer = said(&format!("{who} in round {} of the debate.", turn.round));
    match part {
        DebatePart::Argument => {
            let issues = ids(&turn.task, "I");
            let subject = issues.first().or(turn.debate.as_ref());
            let position = subject.map(|subject| {
                json!({
                    "issue": subject, "stance": "object",
                    "proposal": format!("{subject} as {who} argues in round {}.", turn.round),
                    "why": "The other text misses a case.",
                    "changed_because": "What the others said.",
                })
            });
            answer["positions"] = position.into_iter().collect();
        }
        DebatePart::Ruling => {
            answer["coach"] = json!({"ruling": {
                "decision": "compromise", "rationale": "It serves both sides.",
                "conclusion": "Both, one after the other.",
            }});
        }
        DebatePart::Opening | DebatePart::Summary => {}
    }
    answer
}

fn relay(turn: &Turn) -> Value {
    let relays = turn.questions.iter();
    let relays =
        relays.map(|question| json!({"question": question, "answer": null, "cites": null}));
    json!({
        "analysis": "Only the human knows this.",
        "coach": {"relays": relays.collect::<Vec<_>>()},
    })
}
