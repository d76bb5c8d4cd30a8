//! What a revision takes over from a finished run.

use std::collections::BTreeSet;

use super::carry_over::DocumentOrigin;
use super::feedback::points;
use super::inputs::{FeedbackItem, PreviousVersion};
use super::issue::{IssueOrigin, IssueRecord};
use super::notes::titled;
use super::question::{AnswerSource, Assumption, Question, QuestionStatus};
use super::review::ReviewFinding;
use super::state::State;
use super::visible_text::shown;
use crate::ids::{FeedbackId, IssueId, QuestionId};
use crate::lang::Lang;
use crate::reply::IssueSeverity;

impl PreviousVersion {
    /// Returns what a revision of this run takes over. `head` is the hash of its transcript's last
    /// line.
    pub fn of(state: &State, head: &str) -> Self {
        let mut counters = state.run.counters.clone();
        let found: Vec<IssueRecord> = state
            .review
            .left_open()
            .map(|finding| found_issue(counters.next_issue(), finding))
            .collect();
        Self {
            version: state.inputs.version,
            run_id: state.run.id.clone(),
            head: head.to_owned(),
            requirement: state.task.requirement.clone(),
            consensus: state.draft.standing().cloned().collect(),
            issues: state
                .ledger
                .iter()
                .map(|issue| handed_on(state, issue))
                .chain(found)
                .collect(),
            questions: state
                .questions
                .asked
                .iter()
                // Whether to continue after nudges was only about that run.
                .filter(|q| !state.ending.diligence.forced.contains_key(&q.id))
                .map(handed_on_question)
                .collect(),
            assumptions: state.questions.assumptions.clone(),
            documents: state
                .documents
                .written
                .iter()
                .map(|(kind, record)| (*kind, record.content.clone()))
                .collect(),
            written: state
                .documents
                .written
                .iter()
                .map(|(kind, record)| (*kind, DocumentOrigin::of(state, record)))
                .collect(),
            evidence: state.grounding.evidence.clone(),
            trials: super::evidence::trials_cited(state),
            report: state
                .documents
                .report
                .clone()
                .filter(|_| !state.documents.report_without_model),
            counters,
        }
    }

    /// Returns the question that a point of feedback answers, and the answer: `Q-1: …`, or `A-2: …`
    /// by the assumption made in its place.
    pub fn answered_by<'t>(&self, feedback: &'t str) -> Option<(&Question, &'t str)> {
        let (id, answer) = feedback.split_once([':', '：'])?;
        let id = id.trim();
        let assumed = self.assumptions.iter().find(|a| a.id.to_string() == id);
        let is = |question: &&Question| match assumed {
            Some(assumption) => question.id == assumption.question,
            None => question.id.to_string() == id,
        };
        let question = self.questions.iter().find(is)?;
        Some((question, answer.trim().trim_end_matches(['.', '。'])))
    }

    /// Returns the assumptions still in force: those that feedback has neither answered nor
    /// approved since.
    pub fn assumed(&self) -> impl Iterator<Item = &Assumption> {
        let is_answered = |question: &&Question| {
            matches!(
                question.status,
                QuestionStatus::Closed {
                    source: AnswerSource::Feedback | AnswerSource::Recommended,
                    ..
                }
            )
        };
        let answered = self.questions.iter().filter(is_answered);
        let answered: BTreeSet<QuestionId> = answered.map(|question| question.id).collect();
        let all = self.assumptions.iter();
        all.filter(move |assumption| !answered.contains(&assumption.question))
    }

    /// Returns the changes in the requirement, as one more point after `feedback`; `None` if
    /// nothing changed.
    pub fn requirement_change(
        &self,
        new: &str,
        feedback: &[FeedbackItem],
        lang: Lang,
    ) -> Option<FeedbackItem> {
        let [old, new] = [&self.requirement, new].map(shown);
        let [before, now] = [&old, &new].map(|text| points(text));
        let of = |some: &[String], others: &[String]| {
            let own = some.iter().filter(|one| !others.contains(one));
            own.map(|one| format!("“{one}”")).collect::<Vec<_>>()
        };
        let (added, gone) = (of(&now, &before), of(&before, &now));
        if added.is_empty() && gone.is_empty() {
            return None;
        }
        let said = |parts: &[String], label: (&str, &str)| match lang {
            _ if parts.is_empty() => String::new(),
            Lang::En => format!(" {}: {}.", label.0, parts.join(", ")),
            Lang::Zh => format!("{}：{}。", label.1, parts.join("、")),
        };
        let changed = match lang {
            Lang::En => "The requirement has changed.",
            Lang::Zh => "需求已更改。",
        };
        let text = [
            changed.to_owned(),
            said(&added, ("New in it", "新增")),
            said(&gone, ("No longer in it", "不再包含")),
        ];
        let last = feedback
            .last()
            .map_or(self.counters.feedback, |item| item.id.0);
        let id = FeedbackId(last.saturating_add(1));
        Some(FeedbackItem::said(id, text.concat()))
    }

    /// Records an answer to a question; the assumption made in its place is removed.
    pub fn answer(&mut self, id: QuestionId, source: AnswerSource, answer: &str) {
        for question in self.questions.iter_mut().filter(|q| q.id == id) {
            question.status = QuestionStatus::Closed {
                source,
                answer: answer.to_owned(),
            };
        }
    }
}

/// Returns a finding that the review left open as an issue of the next version.
fn found_issue(id: IssueId, finding: &ReviewFinding) -> IssueRecord {
    let detail = format!("{} ({}): {}", finding.id, finding.about, finding.mend);
    let severity = match finding.blocking {
        true => IssueSeverity::Blocking,
        false => IssueSeverity::Minor,
    };
    let words = titled(&finding.text, &detail);
    IssueRecord::new(id, words, severity, IssueOrigin::Previous, 0)
}

/// Returns an issue as the next version takes it over: with the version that its positions are
/// from, unless it was settled before this one.
fn handed_on(state: &State, issue: &IssueRecord) -> IssueRecord {
    let was_settled = state
        .task
        .previous
        .iter()
        .flat_map(|previous| &previous.issues)
        .any(|earlier| earlier.id == issue.id && !earlier.is_open());
    let mut issue = issue.clone();
    if !was_settled {
        issue.held_in = Some(state.inputs.version);
    }
    issue.forget_turns();
    issue
}

/// Returns a question as the next version takes it over: an answer stays, and an unanswered
/// question is to be put to the user.
fn handed_on_question(question: &Question) -> Question {
    let status = match &question.status {
        QuestionStatus::Raised => QuestionStatus::Passed { follow_up: None },
        QuestionStatus::Waiting { follow_up } => QuestionStatus::Passed {
            follow_up: follow_up.clone(),
        },
        other => other.clone(),
    };
    Question {
        status,
        ..question.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::feedback::split_feedback;
    use crate::machine::inputs::Counters;

    #[test]
    fn a_requirement_that_changed_is_one_more_point_of_feedback() {
        let previous = PreviousVersion {
            requirement: "Export the list as CSV. Only admins may export.".to_owned(),
            ..PreviousVersion::default()
        };
        let feedback = split_feedback("Use XLSX.", &Counters::default());
        let change = |new, lang| {
            let change = previous.requirement_change(new, &feedback, lang);
            change.map(|item| (item.id.0, item.text))
        };
        let new = "Export the list as XLSX.\nOnly admins may export.";
        let told = "The requirement has changed. New in it: “Export the list as XLSX.”. \
                    No longer in it: “Export the list as CSV.”.";
        assert_eq!(change(new, Lang::En), Some((2, told.to_owned())));
        let told = "需求已更改。新增：“Log it.”。";
        let new = format!("{} Log it.", previous.requirement);
        assert_eq!(change(&new, Lang::Zh), Some((2, told.to_owned())));
        // Line breaks alone are not a change.
        let same = previous.requirement.replace(". ", ".\n");
        assert_eq!(change(&same, Lang::En), None);
    }
}
