//! The decisions left to the reviewer: the table that opens the report.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::markup;
use super::report::subject;
use crate::fault::Text;
use crate::lang::Lang;
use crate::machine::review::{FindingFate, ReviewFinding};
use crate::machine::{Assumption, IssueRecord, Question, State, TextNames};

/// Where a row comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OpenDecisionKind {
    /// A choice that the coach puts to the reader.
    #[default]
    Choice,
    /// An answer taken without the user.
    Assumption,
    /// An answer taken because the user was asked and gave none.
    Declined,
    /// A blocking issue that was not settled, or a question that was not answered.
    Open,
    /// Something the review found that only the user decides, or that still holds.
    Finding,
}

/// A decision that is left to the reviewer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpenDecision {
    /// What the decision comes from.
    pub kind: OpenDecisionKind,
    /// The decision to make, one line.
    pub what: String,
    /// What the members recommend, or took.
    pub recommended: String,
    /// The other answer, and what follows from it.
    pub otherwise: String,
    /// Objections of members to what is recommended.
    pub against: String,
    /// Reason for which it needs the reader.
    pub why: String,
    /// Ids of the items it concerns.
    pub about: Vec<String>,
    /// Answers that a revision can take, the first by the letter `a`: what is recommended or
    /// taken, then the others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<String>,
}

impl OpenDecision {
    /// The feedback that chooses the answer with this letter. `None` if there is no such answer, or
    /// if the plan already follows it.
    pub fn taken(&self, letter: char, lang: Lang) -> Option<String> {
        const CHOICE: Text = Text(
            "“{what}”: not “{recommended}” but “{answer}” ({about})",
            "“{what}”：不采用“{recommended}”，改为“{answer}”（{about}）",
        );
        let place = u32::from(letter).checked_sub(u32::from('a'))?;
        let answer = self.answers.get(usize::try_from(place).ok()?)?;
        let [what, recommended, answer] =
            [&self.what, &self.recommended, answer].map(|text| one_line(text));
        let about = self.about.join(", ");
        match self.kind {
            OpenDecisionKind::Choice if place == 0 => None,
            OpenDecisionKind::Choice => {
                let values = [
                    ("what", &*what),
                    ("recommended", &recommended),
                    ("answer", &answer),
                    ("about", &about),
                ];
                Some(CHOICE.with(lang, &values))
            }
            OpenDecisionKind::Finding => Some(format!("{about}: {answer}")),
            // The feedback starts with the first id; if that is a question's, it answers the
            // question.
            _ => Some(format!("{}: {answer}", self.about.first()?)),
        }
    }
}

/// The coach's decisions for the reviewer, then findings of the review, then open blocking issues,
/// unanswered questions and assumptions that the coach's decisions do not name.
pub fn decide(state: &State) -> Vec<OpenDecision> {
    let words = state
        .documents
        .report
        .iter()
        .flat_map(|words| &words.decide);
    let named: Vec<&str> = words
        .clone()
        .flat_map(|line| line.about.iter().map(String::as_str))
        .collect();
    let choices = words.map(|line| OpenDecision {
        kind: OpenDecisionKind::Choice,
        what: line.what.clone(),
        recommended: line.recommended.clone(),
        otherwise: line.otherwise.clone(),
        about: line.about.clone(),
        answers: match line.otherwise.trim() {
            "" => Vec::new(),
            _ => vec![line.recommended.clone(), line.otherwise.clone()],
        },
        ..OpenDecision::default()
    });
    let open = state
        .ledger
        .blocking()
        .filter(|issue| !named.contains(&issue.id.to_string().as_str()))
        .map(|issue| decide_open(state, issue));
    let unanswered = state
        .questions
        .pending()
        .filter(|question| !named.contains(&question.id.to_string().as_str()))
        .map(decide_unanswered);
    let assumed = state
        .questions
        .assumptions
        .iter()
        .filter(|a| !named.contains(&a.id.to_string().as_str()))
        .map(|assumption| decide_assumed(state, assumption));
    let found = state.review.findings.iter().filter(|finding| {
        // A minor finding needs no decision: the plan's text covers it, and it is listed with the
        // review's findings.
        match finding.fate {
            FindingFate::Upheld => true,
            FindingFate::LeftToUser => finding.blocking,
            _ => false,
        }
    });
    let rows = choices
        .chain(found.map(|finding| decide_found(state, finding)))
        .chain(open)
        .chain(unanswered)
        .chain(assumed);
    TextNames::of(state).put_in(rows.collect())
}

fn decide_open(state: &State, issue: &IssueRecord) -> OpenDecision {
    let code = |id| state.inputs.roles.code(id);
    let proposals: Vec<String> = issue
        .standing_texts()
        .map(|text| {
            let backers = issue.backers(text);
            let codes = backers.iter().map(|s| state.inputs.roles.code(&s.member));
            let codes: Vec<&str> = codes.collect();
            format!("{}: {}", codes.join(", "), text.text)
        })
        .collect();
    let objections: Vec<String> = issue
        .latest()
        .filter(|p| p.stance == crate::reply::Stance::Object)
        .map(|p| format!("{}: {}", code(&p.member), p.why))
        .collect();
    OpenDecision {
        kind: OpenDecisionKind::Open,
        what: subject(state, issue),
        recommended: proposals.join(" / "),
        against: objections.join(" / "),
        about: vec![issue.id.to_string()],
        answers: issue
            .standing_texts()
            .map(|text| text.text.clone())
            .collect(),
        ..OpenDecision::default()
    }
}

fn decide_found(state: &State, finding: &ReviewFinding) -> OpenDecision {
    let reasons = finding.reasons().map(|answer| answer.because.as_str());
    let by = finding.by.as_ref();
    let by = by.map_or_else(String::new, |by| state.inputs.roles.code(by).to_owned());
    OpenDecision {
        kind: OpenDecisionKind::Finding,
        what: format!("{by}: {}", finding.text),
        recommended: finding.mend.clone(),
        against: reasons.collect::<Vec<_>>().join(" / "),
        about: vec![finding.id.to_string(), finding.about.clone()],
        answers: vec![finding.mend.clone()],
        ..OpenDecision::default()
    }
}

fn decide_unanswered(question: &Question) -> OpenDecision {
    let answers = answers(question.current_options(), question.current_recommended());
    OpenDecision {
        kind: OpenDecisionKind::Open,
        what: question.current_text().to_owned(),
        recommended: question.current_recommended().to_owned(),
        otherwise: answers[1..].join(" / "),
        why: question.current_why().to_owned(),
        about: vec![question.id.to_string()],
        answers,
        ..OpenDecision::default()
    }
}

fn decide_assumed(state: &State, assumption: &Assumption) -> OpenDecision {
    let question = state.questions.find(assumption.question);
    let kind = match question.is_some_and(Question::is_declined) {
        true => OpenDecisionKind::Declined,
        false => OpenDecisionKind::Assumption,
    };
    let options = question.map_or(&[][..], |question| &question.options);
    let answers = answers(options, &assumption.text);
    OpenDecision {
        kind,
        what: question.map_or_else(String::new, |question| question.text.clone()),
        recommended: assumption.text.clone(),
        otherwise: answers[1..].join(" / "),
        why: question.map_or_else(String::new, |question| question.why.clone()),
        about: vec![assumption.id.to_string(), assumption.question.to_string()],
        answers,
        ..OpenDecision::default()
    }
}

/// The text in one line, without its final full stop.
fn one_line(text: &str) -> String {
    markup::one_line(text)
        .trim_end_matches(['.', '。'])
        .to_owned()
}

/// The chosen answer, then the others.
fn answers(options: &[String], taken: &str) -> Vec<String> {
    let others = options.iter().filter(|option| *option != taken);
    std::iter::once(taken.to_owned())
        .chain(others.cloned())
        .collect()
}
