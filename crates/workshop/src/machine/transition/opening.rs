//! Line 1, with what the run takes over from an earlier version, and the coach's judgment.

use crate::ids::IssueId;
use crate::machine::consensus::{ConsensusDraft, DraftLine};
use crate::machine::debate::Debates;
use crate::machine::decide;
use crate::machine::ending::EndingState;
use crate::machine::event::{EnteredIssue, Entry, Event, WithdrawnItem};
use crate::machine::illegal::Verdict;
use crate::machine::inputs::{FeedbackItem, Inputs, PreviousVersion};
use crate::machine::issue::{IssueLedger, IssueOrigin};
use crate::machine::party::{self, Invitation};
use crate::machine::phase::PhasePlan;
use crate::machine::question::{Assumption, Question, QuestionStatus};
use crate::machine::review::Review;
use crate::machine::state::{
    CallBook, Discussion, DocumentSet, GroundingRecord, JudgmentRecord, Questions, RunRecord,
    Stage, State, Task,
};
use crate::machine::team::TeamWork;
use crate::reply::Contribution;
use crate::role::RoleId;

impl State {
    /// Returns the state after line 1, a `user_input`; `None` for any other event.
    pub fn open(entry: &Entry) -> Option<Self> {
        let Event::UserInput {
            content,
            run_id,
            inputs,
            from,
            feedback,
        } = &entry.event
        else {
            return None;
        };
        let mut state = Self::empty(run_id, content, inputs, from.as_deref(), feedback);
        state.stamp(entry);
        state.run.started_at.clone_from(&entry.ts);
        Some(state)
    }

    /// Records the coach's first answer, which opens the issues and may reopen agreed items.
    pub(super) fn judge(
        &mut self,
        judgment: &Contribution,
        issues: &[EnteredIssue],
        invited: &[Invitation],
        withdrawn: &[WithdrawnItem],
    ) -> Verdict {
        self.ensure_first_issues(issues)?;
        party::check_invited(self, invited)?;
        self.ensure_withdrawn(withdrawn)?;
        self.judgment.invited = invited.to_vec();
        self.judgment.size = judgment.coach.as_ref().and_then(|coach| coach.size);
        self.withdraw(withdrawn);
        self.enter_issues(issues);
        self.judgment.initial_issues = self.ledger.open().count();
        self.stage = Stage::Between;
        Ok(())
    }

    pub(in crate::machine) fn empty(
        run_id: &str,
        requirement: &str,
        inputs: &Inputs,
        from: Option<&PreviousVersion>,
        feedback: &[FeedbackItem],
    ) -> Self {
        let mut state = Self {
            inputs: inputs.clone(),
            task: Task {
                requirement: requirement.to_owned(),
                previous: from.cloned(),
                feedback: feedback.to_vec(),
            },
            stage: Stage::Opening,
            round: 0,
            judgment: JudgmentRecord::default(),
            debates: Debates::default(),
            ledger: IssueLedger::default(),
            draft: ConsensusDraft::default(),
            grounding: GroundingRecord::default(),
            questions: Questions::default(),
            team: None,
            documents: DocumentSet::default(),
            review: Review::default(),
            ending: EndingState::of(inputs),
            discussion: Discussion::default(),
            calls: CallBook::default(),
            run: RunRecord {
                id: run_id.to_owned(),
                counters: from.map(|p| p.counters.clone()).unwrap_or_default(),
                ..RunRecord::default()
            },
        };
        if let Some(previous) = from {
            state.take_over(previous);
        }
        if let Some(last) = feedback.last() {
            state.run.counters.feedback = state.run.counters.feedback.max(last.id.0);
        }
        state
    }

    /// Pretends that members speak in the first round, as if the coach had added no issue, or work
    /// on a plan. A rehearsal uses it to show a run that nobody has judged yet.
    pub fn suppose_begun(&mut self, plan: Option<PhasePlan>) {
        self.judgment.text = Some(String::new());
        if plan.is_none() {
            self.enter_issues(&decide::first_issues(self, &[], &mut Vec::new()));
        }
        self.judgment.initial_issues = self.ledger.open().count();
        self.team = plan.map(|plan| TeamWork::new(plan, None));
        let open: Vec<IssueId> = self.ledger.open().map(|issue| issue.id).collect();
        self.round_started(&open);
    }

    /// Takes over an earlier version: its agreed items are kept, and its open issues are open
    /// again, without positions.
    pub(in crate::machine) fn take_over(&mut self, previous: &PreviousVersion) {
        for item in &previous.consensus {
            self.draft.push(DraftLine::Agreed { item: item.clone() });
        }
        let assumed: Vec<Assumption> = previous.assumed().cloned().collect();
        for question in &previous.questions {
            self.draft_answer(question, &assumed);
        }
        for issue in &previous.issues {
            let mut issue = issue.clone();
            if issue.is_open() {
                issue.positions.clear();
                issue.texts.clear();
                issue.origin = IssueOrigin::Previous;
                issue.left_by = Some(previous.version);
                issue.held_in = None;
            }
            self.ledger.enter(issue);
        }
        self.questions.asked.clone_from(&previous.questions);
        let roles = &self.inputs.roles;
        for question in &mut self.questions.asked {
            // If the asker no longer exists, the coach asks instead, without follow-ups.
            if roles.find(question.asked_by.as_str()).is_none() {
                question.asked_by = RoleId::coach();
            }
        }
        self.questions.assumptions = assumed;
        self.grounding.trials.take_over(&previous.trials);
        self.take_over_evidence(&previous.evidence);
    }

    pub(in crate::machine) fn draft_answer(
        &mut self,
        question: &Question,
        assumptions: &[Assumption],
    ) {
        let QuestionStatus::Closed { answer, .. } = &question.status else {
            return;
        };
        let assumed = assumptions.iter().find(|a| a.question == question.id);
        self.draft.push(match assumed {
            Some(assumption) => DraftLine::Assumed {
                assumption: assumption.id,
                question: question.id,
                text: assumption.text.clone(),
            },
            None => DraftLine::Answered {
                question: question.id,
                text: question.text.clone(),
                answer: answer.clone(),
            },
        });
    }
}
