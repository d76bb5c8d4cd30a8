//! Which events may follow in a debate, and what they change in the state.

use super::answers::turns_round;
use super::due;
use super::event::{DebateResolved, DebateRoundSummary, DebateStarted, ExpertArgument};
use super::motion::DebateTrigger;
use super::record::{Argument, Debate, DebateStep, DebateTurn, Resolution};
use super::steps;
use crate::call::{CallId, DebatePart, Purpose, Scope};
use crate::ids::DebateId;
use crate::machine::illegal::{Illegal, Verdict, ensure};
use crate::machine::state::{Stage, State};
use crate::reply::Decision;
use crate::role::RoleId;

/// Returns whether an answer to a debate call is expected.
///
/// Time may run out while parallel calls are being started, so a ruling may be due beside the calls
/// that were due before.
pub(in crate::machine) fn is_due(state: &State, call: &CallId) -> bool {
    let (Purpose::Debate(part), Scope::Debate(n)) = (call.purpose, &call.scope) else {
        return false;
    };
    let is = |wanted: DebatePart, turn: u32| {
        part == wanted
            && call.turn == turn
            && (part == DebatePart::Argument || call.member.is_coach())
    };
    let Some(debate) = state.open_debate() else {
        let is_next = steps::next_id(state).0 == *n && is(DebatePart::Opening, 1);
        return is_next && due::motion(state).is_some();
    };
    if debate.id.0 != *n || state.stage != Stage::Between {
        return false;
    }
    let step = match debate.next() {
        DebateStep::Argue { .. } | DebateStep::Summarise { .. } if is(DebatePart::Ruling, 1) => {
            steps::next(state, debate)
        }
        step => step,
    };
    match step {
        DebateStep::Argue { round, places } => {
            let mut due = places
                .iter()
                .filter_map(|place| debate.participants().get(*place));
            is(DebatePart::Argument, round) && due.any(|member| *member == call.member)
        }
        DebateStep::Summarise { round } => is(DebatePart::Summary, round),
        DebateStep::Rule => is(DebatePart::Ruling, 1),
        DebateStep::Resolve(_) | DebateStep::Skip | DebateStep::Done => false,
    }
}

impl State {
    /// Returns the debate in progress.
    pub fn open_debate(&self) -> Option<&Debate> {
        self.debates.held.last().filter(|debate| debate.is_open())
    }

    /// Results that could not be judged count as consistent: the work continues.
    pub(in crate::machine) fn divergence_unjudged(&mut self) {
        self.debates.found.clear();
        self.stage = Stage::Between;
    }

    /// Begins a debate: between rounds, while the limit is not reached, on the subject that is due.
    pub(in crate::machine) fn debate_started(&mut self, started: &DebateStarted) -> Verdict {
        self.ensure_no_question()?;
        let id = steps::next_id(self);
        ensure!(
            started.debate == id,
            "`{}` should be `{id}`",
            started.debate
        );
        let topic = &started.motion.debate_config.topic;
        let is_due = due::motion(self).as_ref() == Some(&started.motion);
        ensure!(is_due, "no debate about “{topic}” is due");
        self.run.counters.debate = self.run.counters.debate.max(started.debate.0);
        self.take_divergence(started);
        if started.motion.trigger == DebateTrigger::User && !self.debates.wanted.is_empty() {
            self.debates.wanted.remove(0);
        }
        self.debates.skips = false;
        self.debates.held.push(Debate {
            id: started.debate,
            motion: started.motion.clone(),
            after_round: self.round,
            opening: started.output.clone(),
            rounds: Vec::new(),
            early: started.ruling.clone(),
            resolution: None,
        });
        Ok(())
    }

    /// Records an argument: one position on the subject of the debate, which reverses an earlier
    /// one only with a reason.
    pub(in crate::machine) fn argued(&mut self, argued: &ExpertArgument) -> Verdict {
        let (call, said) = (&argued.receipt.call, &argued.argument);
        let debate = self.debate(argued.debate)?;
        ensure!(
            argued.debate_round == call.turn,
            "the round is not the call's"
        );
        ensure!(said.coach.is_none(), "a member filled in the coach's part");
        let opens_nothing = said.questions.is_empty() && said.new_issues.is_empty();
        ensure!(opens_nothing, "a debate opens nothing new");
        ensure!(said.positions.len() <= 1, "two positions in one argument");
        if let Some(position) = said.positions.first() {
            let issue = &position.issue;
            ensure!(
                *issue == debate.subject(),
                "`{issue}` is not what is debated"
            );
            let is_silent = position.changed_because.is_none();
            let turns = is_silent && turns_round(self, debate, &call.member, position);
            ensure!(!turns, "the stance on `{issue}` flipped without a reason");
        }
        let turn = DebateTurn::Argued(Box::new(Argument {
            said: said.clone(),
            notes: argued.notes.clone(),
        }));
        self.take_debate_turn(argued.debate_round, &call.member, turn);
        Ok(())
    }

    /// A participant gave no usable argument; the debate goes on without it.
    pub(in crate::machine) fn argument_missing(&mut self, call: &CallId, reason: &str) {
        let reason = reason.to_owned();
        self.take_debate_turn(call.turn, &call.member, DebateTurn::Missing { reason });
    }

    pub(in crate::machine) fn debate_summed_up(&mut self, summary: &DebateRoundSummary) -> Verdict {
        let (debate, round) = (self.debate(summary.debate)?, summary.debate_round);
        let is_due = debate.next() == (DebateStep::Summarise { round });
        ensure!(
            is_due,
            "round {round} of `{}` is not to be summed up",
            debate.id
        );
        if let Some(debate) = self.debates.held.last_mut() {
            debate.early.clone_from(&summary.ruling);
            if let Some(round) = debate.rounds.last_mut() {
                round.summary = Some(summary.output.clone());
            }
        }
        Ok(())
    }

    /// Ends a debate: the conclusion goes back to the issue as a proposal unless it was shelved,
    /// and remaining objectors are named.
    pub(in crate::machine) fn debate_resolved(&mut self, resolved: &DebateResolved) -> Verdict {
        let debate = self.debate(resolved.debate)?;
        let is_named = resolved.dissent == steps::dissent(self, debate);
        ensure!(is_named, "those who object are others");
        let is_shelved = resolved.decision == Decision::Shelve;
        let concludes = is_shelved || !resolved.conclusion.trim().is_empty();
        ensure!(concludes, "a ruling without a conclusion");
        if resolved.receipt.is_some() {
            ensure!(
                resolved.plain.is_none(),
                "a ruling of the coach is no plain line"
            );
        }
        if !debate.is_round_complete() {
            // Arguments count even if the debate was cut off in the middle of their round.
            self.enter_arguments();
        }
        let round = self.round;
        let at = self.discussion.turns.take([].into_iter(), false);
        let Some(debate) = self.debates.held.last_mut() else {
            return Ok(());
        };
        debate.resolution = Some(Resolution {
            ruling: resolved.ruling(),
            dissent: resolved.dissent.clone(),
            plain: resolved.plain,
        });
        let (id, about) = (debate.id, debate.motion.about);
        self.debates.skips = false;
        self.phase_debated(id, &resolved.conclusion);
        let issue = about.and_then(|about| self.ledger.find_mut(about));
        if let Some(issue) = issue.filter(|_| !is_shelved) {
            issue.conclude(id, round, resolved.decision, &resolved.conclusion, at);
        }
        Ok(())
    }

    /// Returns the debate of that id, which must be in progress.
    fn debate(&self, id: DebateId) -> Result<&Debate, Illegal> {
        let debate = self.open_debate().filter(|debate| debate.id == id);
        debate.ok_or_else(|| Illegal(format!("`{id}` does not go on")))
    }

    /// Removes the debated divergence from the queue. In a team the debate becomes a phase: after
    /// the phase whose result it disputes, or between the finished phases and the rest.
    fn take_divergence(&mut self, started: &DebateStarted) {
        let motion = &started.motion;
        let is_found = matches!(
            motion.trigger,
            DebateTrigger::Objections | DebateTrigger::Coach { .. }
        );
        let mut disputed = match motion.trigger {
            DebateTrigger::User => {
                let wanted = self.debates.wanted.first();
                wanted.and_then(|wanted| wanted.phase_id.clone())
            }
            _ => None,
        };
        let debated = self
            .debates
            .found
            .iter()
            .position(|found| match &found.issue {
                Some(issue) => motion.about == Some(*issue),
                None => match &disputed {
                    Some(phase) => found.phase.as_ref() == Some(phase),
                    None => is_found && found.question == motion.debate_config.topic,
                },
            });
        if let Some(debated) = debated {
            disputed = self.debates.found.remove(debated).phase;
        }
        let Some(team) = &mut self.team else {
            return;
        };
        let config = motion.debate_config.clone();
        let inserted = match disputed {
            Some(phase) => team.plan.insert_debate(&phase, config),
            None => Ok(team.insert_debate(config)),
        };
        if let Ok(inserted) = inserted {
            team.debates.insert(started.debate, inserted);
        }
    }

    fn take_debate_turn(&mut self, round: u32, member: &RoleId, turn: DebateTurn) {
        let Some(debate) = self.debates.held.last_mut() else {
            return;
        };
        let place = debate.participants().iter().position(|p| p == member);
        if let Some(place) = place {
            debate.take_turn(round, place, turn);
        }
        if debate.is_round_complete() {
            self.enter_arguments();
        }
    }

    /// Enters the positions of a round into the ledger together, in speaking order, so that the
    /// issue's history does not depend on who answered first.
    fn enter_arguments(&mut self) {
        let round = self.round;
        let Some(debate) = self
            .debates
            .held
            .last()
            .filter(|d| d.motion.about.is_some())
        else {
            return;
        };
        let turns = debate
            .rounds
            .last()
            .into_iter()
            .flat_map(|last| &last.turns);
        let argued = turns.filter_map(|(place, turn)| {
            let member = debate.participants().get(*place)?.clone();
            match turn {
                DebateTurn::Argued(argument) => Some((member, argument.position().cloned())),
                DebateTurn::Missing { .. } => None,
            }
        });
        let argued: Vec<_> = argued.collect();
        let at = self
            .discussion
            .turns
            .take(argued.iter().map(|(member, _)| member), false);
        for (member, position) in argued {
            if let Some(position) = position {
                self.take_position((&member, round, at), &position);
            }
        }
    }
}
