//! What the events of a debate change in the state.

use super::event::{
    ArgumentMissing, DebateResolved, DebateRoundSummary, DebateStarted, ExpertArgument,
};
use super::motion::Trigger;
use super::record::{Argument, Debate, Resolution, Turn};
use crate::machine::state::{Stage, State};
use crate::reply::Decision;
use crate::role::RoleId;

impl State {
    /// The debate that goes on.
    pub fn open_debate(&self) -> Option<&Debate> {
        self.debates.last().filter(|debate| debate.is_open())
    }

    /// What could not be judged divides nobody: the work goes on.
    pub(in crate::machine) fn divergence_unjudged(&mut self) {
        self.docket.found.clear();
        self.stage = Stage::Between;
    }

    pub(in crate::machine) fn debate_started(&mut self, started: &DebateStarted) {
        if let Some(receipt) = &started.receipt {
            self.settle_call(receipt);
        }
        self.counters.debate = self.counters.debate.max(started.debate.0);
        self.take_divergence(started);
        if started.motion.trigger == Trigger::Human && !self.docket.wanted.is_empty() {
            self.docket.wanted.remove(0);
        }
        self.docket.skips = false;
        self.debates.push(Debate::open(
            started.debate,
            started.motion.clone(),
            self.round,
            started.output.clone(),
            started.ruling.clone(),
        ));
    }

    pub(in crate::machine) fn argued(&mut self, argued: &ExpertArgument) {
        self.settle_call(&argued.receipt);
        let turn = Turn::Argued(Box::new(Argument {
            said: argued.argument.clone(),
            notes: argued.notes.clone(),
        }));
        self.take_debate_turn(argued.debate_round, &argued.receipt.call.member, turn);
    }

    pub(in crate::machine) fn argument_missing(&mut self, missing: &ArgumentMissing) {
        let turn = Turn::Missing {
            reason: missing.reason.clone(),
        };
        self.take_debate_turn(missing.debate_round, &missing.member, turn);
    }

    pub(in crate::machine) fn debate_summed_up(&mut self, summary: &DebateRoundSummary) {
        if let Some(receipt) = &summary.receipt {
            self.settle_call(receipt);
        }
        if let Some(debate) = self.debates.last_mut() {
            debate.early.clone_from(&summary.ruling);
            if let Some(round) = debate.rounds.last_mut() {
                round.summary = Some(summary.output.clone());
            }
        }
    }

    /// The conclusion goes back to the issue as a proposal, unless it was shelved.
    pub(in crate::machine) fn debate_resolved(&mut self, resolved: &DebateResolved) {
        if let Some(receipt) = &resolved.receipt {
            self.settle_call(receipt);
        }
        let complete = self.open_debate().is_none_or(Debate::is_round_complete);
        if !complete {
            // Cut off in the middle of a round: what was argued in it counts.
            self.enter_arguments();
        }
        let round = self.round;
        let at = self.turns.take([].into_iter(), false);
        let Some(debate) = self.debates.last_mut() else {
            return;
        };
        debate.resolution = Some(Resolution {
            ruling: resolved.ruling(),
            dissent: resolved.dissent.clone(),
            plain: resolved.plain,
        });
        let (id, about) = (debate.id, debate.motion.about);
        self.docket.skips = false;
        self.phase_debated(id, &resolved.conclusion);
        let issue = about.and_then(|about| self.ledger.find_mut(about));
        if let Some(issue) = issue.filter(|_| resolved.decision != Decision::Shelve) {
            issue.conclude(id, round, resolved.decision, &resolved.conclusion, at);
        }
    }

    /// What is debated now no longer waits. In a team the debate becomes a phase: on the
    /// result it disputes, or between what is done and everything else.
    fn take_divergence(&mut self, started: &DebateStarted) {
        let motion = &started.motion;
        let is_found = matches!(motion.trigger, Trigger::Objections | Trigger::Coach { .. });
        let mut disputed = match motion.trigger {
            Trigger::Human => {
                let wanted = self.docket.wanted.first();
                wanted.and_then(|wanted| wanted.phase.clone())
            }
            _ => None,
        };
        let debated = self
            .docket
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
            disputed = self.docket.found.remove(debated).phase;
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

    fn take_debate_turn(&mut self, round: u32, member: &RoleId, turn: Turn) {
        let Some(debate) = self.debates.last_mut() else {
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

    /// Positions of a round enter the ledger together, in speaking order: what
    /// the issue's history says does not depend on who answered first.
    fn enter_arguments(&mut self) {
        let round = self.round;
        let Some(debate) = self.debates.last().filter(|d| d.motion.about.is_some()) else {
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
                Turn::Argued(argument) => Some((member, argument.position().cloned())),
                Turn::Missing { .. } => None,
            }
        });
        let argued: Vec<_> = argued.collect();
        let at = self
            .turns
            .take(argued.iter().map(|(member, _)| member), false);
        for (member, position) in argued {
            if let Some(position) = position {
                self.take_position((&member, round, at), &position);
            }
        }
    }
}
