//! A round: it begins, members speak in turn or in parallel up to a barrier, the coach summarises.

use std::collections::BTreeSet;

use crate::call::Purpose;
use crate::ids::{IssueId, QuestionId, TextId};
use crate::machine::consensus::DraftLine;
use crate::machine::debate;
use crate::machine::decide::{flips, parse_id};
use crate::machine::event::Event;
use crate::machine::illegal::{Illegal, Verdict, ensure, refuse};
use crate::machine::issue::{IssueOrigin, IssueRecord};
use crate::machine::notes::note;
use crate::machine::question::{Question, QuestionStatus};
use crate::machine::state::{
    Absence, DiscussionItem, PastRound, SpeechRecord, Stage, State, SummaryRecord,
};
use crate::machine::vote::{self, VoteCaller};
use crate::reply::{Contribution, FateKind, Position};
use crate::role::RoleId;

impl State {
    pub(super) fn round_started(&mut self, issues: &[IssueId]) {
        let kept = self.looks_kept();
        let said = std::mem::replace(&mut self.discussion.said, kept);
        if self.round > 0 {
            let round = self.round;
            self.discussion.past_rounds.push(PastRound { round, said });
        }
        self.round += 1;
        self.debates.begin_round();
        self.discussion.turns.begin_round();
        self.discussion.agenda = issues.to_vec();
        self.hear_words();
        self.stage = Stage::Speaking;
        if let Some(team) = &mut self.team {
            team.begin_layer();
        }
        self.reach_barrier();
    }

    pub(super) fn spoken(&mut self, event: &Event) -> Verdict {
        let Event::Speaking {
            turn,
            receipt,
            input_context,
            speech,
            notes,
            output,
            proposes_end,
            response_text,
        } = event
        else {
            return Ok(());
        };
        let call = &receipt.call;
        ensure!(*turn == call.turn, "the turn is not the call's");
        let started = self.calls.open.get(call);
        let given = started.map(|open| &open.input_context);
        let is_given = input_context.is_none() || input_context.as_ref() == given;
        ensure!(is_given, "the input is not the call's");
        self.ensure_speech(&call.member, speech)?;
        if *proposes_end {
            self.take_marker(&call.member, output, response_text.as_ref());
        }
        let record = SpeechRecord {
            member: call.member.clone(),
            round: self.round,
            turn: *turn,
            speech: speech.clone(),
            issues: Vec::new(),
            questions: Vec::new(),
            notes: notes.clone(),
        };
        self.discussion.waiting_speeches.insert(*turn, record);
        self.reach_barrier();
        Ok(())
    }

    /// Checks a speech: one position per issue, on open issues, none reversed without a reason.
    fn ensure_speech(&self, member: &RoleId, speech: &Contribution) -> Verdict {
        ensure!(
            speech.coach.is_none(),
            "a member filled in the coach's part"
        );
        let mut seen = BTreeSet::new();
        for position in &speech.positions {
            let issue = position.issue.parse().ok();
            let issue = issue.and_then(|id: IssueId| self.ledger.find(id));
            let Some(issue) = issue.filter(|issue| issue.is_open()) else {
                refuse!("`{}` is no open issue", position.issue);
            };
            let id = issue.id;
            ensure!(seen.insert(id), "two positions on `{id}` in one speech");
            for name in position.backs.iter().chain(&position.against) {
                let text = name.parse().ok().and_then(|id| issue.text(id));
                ensure!(text.is_some(), "`{name}` is no text on `{id}`");
            }
            let is_silent = position.changed_because.is_none();
            let turns = is_silent && flips(issue, member, position);
            ensure!(!turns, "the stance on `{id}` flipped without a reason");
        }
        Ok(())
    }

    pub(super) fn pass_over(&mut self, member: &RoleId, reason: &str) {
        self.discussion.passed_over.push(Absence {
            member: member.clone(),
            round: self.round,
            reason: reason.to_owned(),
        });
        let blind = self.is_blind_round();
        self.discussion.turns.take([member].into_iter(), blind);
        if !blind {
            self.discussion.said.push(DiscussionItem::PassedOver(
                self.discussion.passed_over.len() - 1,
            ));
        }
        self.reach_barrier();
    }

    pub(super) fn summed_up(&mut self, event: &Event) -> Verdict {
        let Event::ConsensusSummary {
            receipt,
            output,
            summary,
            consensus,
            changes,
            new_issues,
            reminders,
            refused,
            proposes_end,
            response_text,
            calls_vote,
            divergence,
            more_divergences,
        } = event
        else {
            return Ok(());
        };
        self.ensure_numbered(new_issues)?;
        self.ensure_admissible(consensus, changes)?;
        self.ensure_changes(changes, consensus, new_issues)?;
        if calls_vote.is_some() {
            vote::may_call(self).map_err(|why| Illegal(why.to_owned()))?;
        }
        let is_changed = |id| changes.iter().any(|change| change.issue == id);
        let found = || divergence.iter().chain(more_divergences);
        debate::check_divergences(self, found(), is_changed)?;
        self.debates.found = found().cloned().collect();
        self.debates.declined = debate::declined(summary).collect();
        if *proposes_end {
            self.take_marker(&receipt.call.member, output, response_text.as_ref());
        }
        let raised = self
            .discussion
            .speeches_of(self.round)
            .flat_map(|speech| &speech.issues);
        let entered = raised
            .copied()
            .chain(new_issues.iter().map(|issue| issue.id));
        let entered = entered.collect();
        self.enter_issues(new_issues);
        for item in consensus {
            self.run.counters.consensus = self.run.counters.consensus.max(item.id.0);
            self.draft.push(DraftLine::Agreed { item: item.clone() });
        }
        self.change_issues(changes);
        let fates = summary.coach.iter().flat_map(|coach| &coach.fates);
        let left_open = fates.filter(|fate| fate.fate == FateKind::Open);
        self.discussion.summaries.push(SummaryRecord {
            round: self.round,
            text: output.clone(),
            admitted: consensus.iter().map(|item| item.id).collect(),
            discussed: self.discussion.agenda.clone(),
            left_open: left_open.filter_map(|fate| parse_id(&fate.issue)).collect(),
            entered,
            closed: changes.iter().map(|change| change.issue).collect(),
            reminders: reminders.clone(),
            refused: refused.clone(),
            blocking_left: self.ledger.blocking().count(),
        });
        self.stage = Stage::Between;
        if calls_vote.is_some() {
            self.open_vote(VoteCaller::Coach);
        }
        Ok(())
    }

    /// Records parallel speeches once everybody is accounted for, in order of turns, so that ids do
    /// not depend on who answered first.
    pub(in crate::machine) fn reach_barrier(&mut self) {
        let blind = self.is_blind_round();
        if blind && !self.next_speakers().is_empty() {
            return;
        }
        self.take_waiting();
        if blind {
            let of_this_round = self.passed_over_in(self.round).count();
            let all = self.discussion.passed_over.len();
            self.discussion
                .said
                .extend((all - of_this_round..all).map(DiscussionItem::PassedOver));
        }
        let works = self.team.as_ref().is_some_and(|team| team.is_working());
        if !works && self.next_speakers().is_empty() {
            self.stage = Stage::Summarising;
        }
    }

    /// Finishes the round early once the end is decided: parallel speeches are recorded when no
    /// call is open any more, and the user's answers so far are kept, so that both can be
    /// summarised.
    pub(in crate::machine) fn finish_round(&mut self) {
        let rounds = Stage::Between..=Stage::Summarising;
        if self.ending.decided.is_none() || !rounds.contains(&self.stage) {
            return;
        }
        let is_asked = |state: &Self, purpose| {
            let mut open = state.calls.open.keys();
            open.any(|call| call.purpose == purpose)
        };
        if self.stage == Stage::Speaking && !is_asked(self, Purpose::Speech) {
            self.take_waiting();
        }
        if !is_asked(self, Purpose::FollowUp) {
            self.close_what_was_answered();
        }
    }

    pub(in crate::machine) fn take_waiting(&mut self) {
        for (_, record) in std::mem::take(&mut self.discussion.waiting_speeches) {
            self.take_speech(record);
        }
    }

    pub(in crate::machine) fn take_speech(&mut self, mut record: SpeechRecord) {
        let blind = self.inputs.is_blind(record.round);
        if blind {
            self.join_looks(&record.member.clone(), record.round);
            self.leave_out_doubles(&mut record);
        }
        let at = self
            .discussion
            .turns
            .take([&record.member].into_iter(), blind);
        for position in &record.speech.positions {
            self.take_position((&record.member, record.round, at), position);
        }
        for new in &record.speech.new_issues {
            let id = self.run.counters.next_issue();
            record.issues.push(id);
            let origin = IssueOrigin::Member {
                member: record.member.clone(),
            };
            let words = (new.title.clone(), new.detail.clone());
            let issue = IssueRecord::new(id, words, new.severity, origin, record.round);
            self.ledger.enter(issue);
        }
        self.claim(&record.member.clone(), &record.speech.evidence);
        record.questions = self.ask(&record.member.clone(), &record.speech.clone());
        self.discussion.speeches.push(record);
        self.discussion
            .said
            .push(DiscussionItem::Speech(self.discussion.speeches.len() - 1));
    }

    /// Leaves out issues and questions that another member raised in the same round with the same
    /// words: parallel speakers cannot see each other. Issues with the same title become one, with
    /// the higher severity and both details.
    fn leave_out_doubles(&mut self, record: &mut SpeechRecord) {
        let round = record.round;
        let mut notes = Vec::new();
        record.speech.new_issues.retain(|new| {
            let is_same = |issue: &&IssueRecord| {
                let of_now = issue.round == round && issue.is_open();
                of_now && issue.title.trim() == new.title.trim()
            };
            let same = self.ledger.iter().find(is_same);
            let Some(id) = same.map(|issue| issue.id) else {
                return true;
            };
            if let Some(issue) = self.ledger.find_mut(id) {
                issue.join(&new.detail, new.severity);
            }
            let text = format!("raised in the same round; it is `{id}`");
            notes.push(note(&new.title, &text));
            false
        });
        record.speech.questions.retain(|asked| {
            let mut questions = self.questions.asked.iter_mut();
            let Some(same) = questions.find(|one| one.text == asked.question) else {
                return true;
            };
            // Only one issue can wait for the question: the first one named.
            let blocks = asked.blocks.as_deref().and_then(|id| id.parse().ok());
            same.blocks = same.blocks.or(blocks);
            let text = format!("asked in the same round; it is `{}`", same.id);
            notes.push(note(&asked.question, &text));
            false
        });
        record.notes.extend(notes);
    }

    pub(in crate::machine) fn take_position(
        &mut self,
        who: (&RoleId, u32, u32),
        position: &Position,
    ) {
        let issue = position.issue.parse().ok();
        let counters = &mut self.run.counters;
        if let Some(issue) = issue.and_then(|id| self.ledger.find_mut(id)) {
            issue.hear(who, position, || TextId::Proposed(counters.next_text()));
        }
    }

    pub(in crate::machine) fn ask(
        &mut self,
        member: &RoleId,
        contribution: &Contribution,
    ) -> Vec<QuestionId> {
        let mut ids = Vec::new();
        for asked in &contribution.questions {
            let id = self.run.counters.next_question();
            ids.push(id);
            self.questions.asked.push(Question {
                id,
                asked_by: member.clone(),
                round: self.round,
                of: asked.of,
                text: asked.question.clone(),
                why: asked.why.clone(),
                blocks: asked.blocks.as_deref().and_then(|id| id.parse().ok()),
                options: asked.options.clone(),
                recommended: asked.recommended.clone(),
                status: QuestionStatus::Raised,
                further: None,
                dialogue: Vec::new(),
            });
        }
        ids
    }
}
