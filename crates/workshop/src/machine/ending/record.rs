//! What the state knows of its ending.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::ids::{ConsensusId, IssueId};
use crate::machine::debate::Unheld;
use crate::machine::diligence::DiligenceBook;
use crate::machine::event::{Event, Reopened, Sign, StopReason, WithdrawnItem};
use crate::machine::illegal::{Verdict, ensure};
use crate::machine::inputs::{Inputs, QuestionMode};
use crate::machine::intervention::{self, HumanWords, Intent};
use crate::machine::proposal::{self, DecidedBy, EndProposal};
use crate::machine::similarity::Keywords;
use crate::machine::state::{Said, Stage, State};
use crate::machine::transition::DISCUSSION;
use crate::machine::vote::{Caller, Vote, VoteFigures};
use crate::role::RoleId;

/// Why, where and with which figures the discussion ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// The reason.
    pub reason: StopReason,
    /// After which round.
    pub round: u32,
    /// The figure seen.
    pub value: u64,
    /// The limit.
    pub limit: u64,
    /// What a detector found, if one ended it.
    pub sign: Option<Sign>,
}

/// An end that is decided and not carried out yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decided {
    /// The reason.
    pub reason: StopReason,
    /// The figure seen; 0 where nothing is counted.
    pub value: u64,
    /// The limit; 0 where nothing is counted.
    pub limit: u64,
    /// What was found, if nobody decided it.
    pub sign: Option<Sign>,
}

/// Everything about the ending that is no limit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EndingState {
    /// How the discussion ended.
    pub stop: Option<Stop>,
    /// Guards that have warned.
    pub warned: BTreeSet<StopReason>,
    /// Whether somebody can be asked now.
    pub watched: bool,
    /// Whether limits and detectors end the run by themselves.
    pub auto_exit: bool,
    /// Indicator words, where they are looked for; read once.
    pub keywords: Option<Arc<Keywords>>,
    /// An end that is decided: what is left of the round is summed up first.
    pub decided: Option<Decided>,
    /// Rounds granted beyond the limit.
    pub granted_rounds: u64,
    /// Minutes granted beyond the limit.
    pub granted_minutes: u64,
    /// A proposal to end that is not decided.
    pub proposal: Option<EndProposal>,
    /// Proposals on record, and how many of them were confirmed.
    pub proposals: (u32, u32),
    /// A vote that is going on.
    pub vote: Option<Vote>,
    /// Votes so far, and how many of them were carried.
    pub votes: (u32, u32),
    /// What ended it where the user let the members vote.
    pub ended_by_vote: Option<VoteFigures>,
    /// In which round the last one was called.
    pub voted_in: Option<u32>,
    /// How often the user stepped in: words, commands, decisions.
    pub interventions: u32,
    /// What the user said to the members, in order.
    pub words: Vec<HumanWords>,
    /// Words no round has heard yet: indices into `words`.
    pub unheard: Vec<usize>,
    /// Nudges.
    pub diligence: DiligenceBook,
}

impl EndingState {
    /// As a run begins.
    pub fn of(inputs: &Inputs) -> Self {
        Self {
            watched: inputs.questions == QuestionMode::Ask,
            auto_exit: inputs.ending.auto_exit_enabled,
            // A list that cannot be read is refused before a run begins.
            keywords: Keywords::of(inputs)
                .ok()
                .filter(|_| inputs.ending.consensus_enabled),
            ..Self::default()
        }
    }

    /// Returns whether the run is agreed: it ended because no blocking issue was open.
    pub fn is_agreed(&self) -> bool {
        self.stop
            .as_ref()
            .is_some_and(|stop| stop.reason == StopReason::Consensus)
    }
}

impl State {
    /// Takes in an event about the ending; others are left alone.
    pub(in crate::machine) fn take_ending(&mut self, event: &Event, now_ms: u64) -> Verdict {
        match event {
            Event::EndProposal { .. } => {
                self.ending.proposals.0 += 1;
                if let Some(proposal) = &mut self.ending.proposal {
                    proposal.on_record = true;
                }
            }
            Event::EndDecision {
                guard,
                confirmed,
                by,
                reason,
                granted,
                message,
            } => {
                self.ensure_decision(event)?;
                self.run.messages.extend(message.clone());
                self.ending.interventions += u32::from(by.is_human());
                // The figure is that of the moment in which it was decided.
                self.run.active_ms = now_ms;
                self.take_decision(*guard, *confirmed, *granted);
                if !confirmed && by.is_human() && !reason.trim().is_empty() {
                    self.take_words(reason);
                }
            }
            Event::UserIntervention {
                intent,
                content,
                reopens,
                message,
                refused,
                ..
            } => {
                self.ensure_new(message.as_ref())?;
                self.ensure_wanted(*intent, content, *refused)?;
                self.ensure_reopening(*intent, content, reopens.as_ref())?;
                self.run.messages.extend(message.clone());
                self.ending.interventions += 1;
                match reopens {
                    Some(reopened) => self.take_reopening(reopened, content),
                    None if refused.is_none() => self.take_intent(*intent, content),
                    None => {}
                }
            }
            Event::VoteCast {
                receipt,
                member,
                ballot,
                ..
            } => {
                let asked = receipt.as_ref().map(|receipt| &receipt.call.member);
                ensure!(
                    asked.is_none_or(|asked| asked == member),
                    "somebody else was asked"
                );
                if let Some(vote) = &mut self.ending.vote {
                    vote.cast.insert(member.clone(), *ballot);
                }
            }
            Event::VoteClosed {
                carried,
                end,
                asked,
                ..
            } => {
                let vote = self.ending.vote.take();
                self.ending.votes.1 += u32::from(*carried);
                match vote.filter(|_| *carried).map(|vote| vote.caller) {
                    Some(Caller::Coach) => self.take_coachs_vote(),
                    Some(Caller::Human) => {
                        let (end, asked) = (*end, *asked);
                        self.ending.ended_by_vote = Some(VoteFigures { end, asked });
                        self.decide_end(StopReason::User);
                    }
                    None => {}
                }
            }
            Event::DiligencePush { .. } | Event::DiligenceExhausted { .. } => {
                self.take_idle(event)?;
            }
            Event::DiligenceOff {
                source, members, ..
            } => self.ending.diligence.off = Some((source.clone(), members.clone())),
            _ => {}
        }
        Ok(())
    }

    /// Something is to be decided, and who decided may decide so.
    fn ensure_decision(&self, event: &Event) -> Verdict {
        let Event::EndDecision {
            guard,
            confirmed,
            by,
            granted,
            message,
            ..
        } = event
        else {
            return Ok(());
        };
        if matches!(by, DecidedBy::Settings | DecidedBy::Overtaken) {
            // The rules decide alone.
            return Ok(());
        }
        self.ensure_at(&DISCUSSION)?;
        self.ensure_new(message.as_ref())?;
        if *by == DecidedBy::Unattended && !self.ending.watched {
            return Ok(());
        }
        let asked = super::asks(self);
        ensure!(asked == Some(*guard), "nobody is asked about {guard:?}");
        let extension = match confirmed {
            true => 0,
            false => super::extension(self, *guard),
        };
        ensure!(*granted == extension, "{granted} more cannot be granted");
        let is_allowed = match (by, guard) {
            (DecidedBy::Unattended, StopReason::Proposal) => proposal::unattended(self) == *event,
            (DecidedBy::Unattended, _) => *confirmed,
            _ => true,
        };
        ensure!(is_allowed, "nobody was there to decide so");
        Ok(())
    }

    /// Only a debate, a vote, leaving a debate out or an answer can be refused, and only when
    /// there is none; a debate that is asked for has a topic.
    fn ensure_wanted(&self, intent: Intent, content: &str, refused: Option<Unheld>) -> Verdict {
        let is_refused = refused == intervention::refusal(self, intent, content);
        ensure!(
            is_refused,
            "what was asked for is refused, or not, against the rule"
        );
        let is_late = intent != Intent::Answer || refused.is_some();
        ensure!(is_late, "a question waits for this answer");
        let has_topic = intent != Intent::Debate || intervention::topic(content).is_some();
        ensure!(has_topic, "a debate about nothing");
        Ok(())
    }

    /// Only items in the draft are put in question, and never silently: the issue in their place
    /// follows from the words.
    fn ensure_reopening(
        &self,
        intent: Intent,
        content: &str,
        reopens: Option<&Reopened>,
    ) -> Verdict {
        if intent != Intent::Reopen || intervention::is_over(self) {
            ensure!(reopens.is_none(), "nothing is reopened by that");
            return Ok(());
        }
        let name = intervention::target(content).map_or("", |(name, _)| name);
        let upper = name.to_uppercase();
        ensure!(reopens.is_some(), "`{upper}` is not in the draft");
        let is_begun = DISCUSSION.contains(&self.stage);
        ensure!(is_begun, "nothing is put in question before round 1");
        let is_it = reopens == intervention::reopened(self, content).as_ref();
        ensure!(is_it, "what is reopened is not what `{name}` stands for");
        Ok(())
    }

    /// A reply ended in the marker.
    pub(in crate::machine) fn take_marker(
        &mut self,
        member: &RoleId,
        clean: &str,
        response: Option<&String>,
    ) {
        let marker = &self.inputs.ending.marker.end_marker;
        // A line of an earlier program holds no reply as it came.
        let response = response.map_or_else(|| format!("{clean}\n{marker}"), String::clone);
        // Of members that speak side by side, the first to propose is asked about.
        let new = || EndProposal::new(member, clean, &response);
        self.ending.proposal.get_or_insert_with(new);
    }

    /// The members want what the coach asked them for: where somebody watches it is
    /// put to the user like any proposal; elsewhere their votes are what confirms it.
    fn take_coachs_vote(&mut self) {
        let asks = self.ending.watched && self.inputs.ending.marker.require_confirmation;
        if !asks {
            return self.decide_end(StopReason::Proposal);
        }
        self.ending.proposals.0 += 1;
        self.ending.proposal = Some(EndProposal {
            on_record: true,
            ..EndProposal::new(&self.inputs.roles.coach.id, "", "")
        });
    }

    fn take_decision(&mut self, guard: StopReason, confirmed: bool, granted: u64) {
        let (value, limit) = super::figures(self, guard);
        if guard == StopReason::Proposal {
            self.ending.proposal = None;
            self.ending.proposals.1 += u32::from(confirmed);
        }
        if confirmed {
            self.ending.decided = Some(Decided {
                reason: guard,
                value,
                limit,
                sign: None,
            });
            return;
        }
        // The limit that was granted is warned of anew.
        self.ending.warned.remove(&guard);
        match guard {
            StopReason::RoundLimit => self.ending.granted_rounds += granted,
            StopReason::TimeLimit => self.ending.granted_minutes += granted,
            _ => {}
        }
    }

    fn take_intent(&mut self, intent: Intent, content: &str) {
        match intent {
            Intent::Say => self.take_words(content),
            Intent::Debate => self.want_debate(content),
            Intent::Skip => self.debates.skips = true,
            Intent::Stop => self.decide_end(StopReason::User),
            Intent::AutoExitOn => self.ending.auto_exit = true,
            Intent::AutoExitOff => self.ending.auto_exit = false,
            // Only legal with the item it names; only on record when nobody waits for it.
            Intent::Reopen | Intent::Answer => {}
            Intent::VoteToEnd => self.open_vote(Caller::Human),
        }
    }

    /// Every member is to be asked; while a vote is going on, nothing.
    pub(in crate::machine) fn open_vote(&mut self, caller: Caller) {
        if self.ending.vote.is_some() {
            return;
        }
        self.ending.votes.0 += 1;
        self.ending.voted_in = Some(self.round);
        let members = self.inputs.roles.members.iter();
        let members = members.filter(|role| self.takes_part(&role.id));
        self.ending.vote = Some(Vote {
            caller,
            number: self.ending.votes.0,
            asked: members.map(|role| role.id.clone()).collect(),
            cast: BTreeMap::new(),
        });
    }

    fn decide_end(&mut self, reason: StopReason) {
        // A recorded one is answered by its own event.
        self.ending.proposal.take_if(|proposal| !proposal.on_record);
        let (value, limit) = super::figures(self, reason);
        self.ending.decided = Some(Decided {
            reason,
            value,
            limit,
            sign: None,
        });
    }

    /// The user's words are shown to the next speaker; between rounds they wait for the next one.
    pub(in crate::machine) fn take_words(&mut self, text: &str) {
        self.hear(text, None);
    }

    /// What was agreed is withdrawn, an issue takes its place, and everybody hears why.
    fn take_reopening(&mut self, reopened: &Reopened, content: &str) {
        let why = intervention::reason(content);
        self.withdraw(&[WithdrawnItem {
            item: reopened.item,
            feedback: None,
            reason: why.to_owned(),
        }]);
        self.enter_issues(std::slice::from_ref(&reopened.issue));
        self.hear(why, Some((reopened.item, reopened.issue.id)));
    }

    fn hear(&mut self, text: &str, reopens: Option<(ConsensusId, IssueId)>) {
        let nth = self.ending.words.len();
        self.ending.words.push(HumanWords {
            text: text.trim().to_owned(),
            round: self.round,
            reopens,
        });
        if matches!(self.stage, Stage::Speaking | Stage::Summarising) {
            self.discussion.said.push(Said::Human(nth));
        } else {
            self.ending.unheard.push(nth);
        }
    }

    /// A round begins with what the user said since the last one.
    pub(in crate::machine) fn hear_words(&mut self) {
        let unheard = std::mem::take(&mut self.ending.unheard);
        self.discussion
            .said
            .extend(unheard.into_iter().map(Said::Human));
    }
}
