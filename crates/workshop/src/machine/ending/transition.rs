//! What events about the ending change: proposals, decisions, votes, and what the user says.

use std::collections::BTreeMap;

use super::EndCause;
use crate::machine::debate::RequestRefusal;
use crate::machine::event::{Event, ReopenedIssue, StopReason, WithdrawnItem};
use crate::machine::illegal::{Verdict, ensure};
use crate::machine::intervention::{self, Intent, ReopenedItem, UserWords};
use crate::machine::proposal::{self, DecidedBy, EndProposal};
use crate::machine::state::{DiscussionItem, Stage, State};
use crate::machine::transition::DISCUSSION;
use crate::machine::vote::{Ballot, Vote, VoteCaller, VoteFigures};
use crate::role::RoleId;

impl State {
    /// Applies an event about the ending; ignores any other.
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
                self.ending.interventions += u32::from(by.is_user());
                // The figure must be that of the moment of the decision.
                self.run.active_ms = now_ms;
                self.take_decision(*guard, *confirmed, *granted);
                if !confirmed && by.is_user() && !reason.trim().is_empty() {
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
                ensure!(receipt.call.member == *member, "somebody else was asked");
                self.take_ballot(member, *ballot);
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
                    Some(VoteCaller::Coach) => self.take_coachs_vote(),
                    Some(VoteCaller::User) => {
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

    pub(in crate::machine) fn take_ballot(&mut self, member: &RoleId, ballot: Ballot) {
        if let Some(vote) = &mut self.ending.vote {
            vote.cast.insert(member.clone(), ballot);
        }
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
        if *by == DecidedBy::Settings {
            // Settled by the rules alone.
            return Ok(());
        }
        self.ensure_at(&DISCUSSION)?;
        self.ensure_new(message.as_ref())?;
        if *by == DecidedBy::Unattended && !self.ending.attended {
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

    /// Checks that only a debate, a vote, skipping a debate or an answer is refused, and only for
    /// the reason that applies; a requested debate must have a topic.
    fn ensure_wanted(
        &self,
        intent: Intent,
        content: &str,
        refused: Option<RequestRefusal>,
    ) -> Verdict {
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

    /// Checks that only items in the draft are reopened, and always with the issue that follows
    /// from the user's words.
    fn ensure_reopening(
        &self,
        intent: Intent,
        content: &str,
        reopens: Option<&ReopenedIssue>,
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

    /// Records that a reply ended with the marker.
    pub(in crate::machine) fn take_marker(
        &mut self,
        member: &RoleId,
        clean: &str,
        response: Option<&String>,
    ) {
        let response = response.map_or("", String::as_str);
        // If parallel speakers propose to end, the first proposal counts.
        let new = || EndProposal::new(member, clean, response);
        self.ending.proposal.get_or_insert_with(new);
    }

    /// Takes a vote that the coach called and the members carried. If a user watches and
    /// confirmation is required, it is put to the user like any proposal; otherwise the vote itself
    /// confirms it.
    fn take_coachs_vote(&mut self) {
        let asks = self.ending.attended && self.inputs.rules.ending.marker.require_confirmation;
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
        let end = EndCause::now(self, guard);
        if guard == StopReason::Proposal {
            self.ending.proposal = None;
            self.ending.proposals.1 += u32::from(confirmed);
        }
        if confirmed {
            self.ending.decided = Some(end);
            return;
        }
        // Warn again before the extended limit.
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
            // A reopening takes effect with the item it names; an answer that nobody waits for is
            // only recorded.
            Intent::Reopen | Intent::Answer => {}
            Intent::VoteToEnd => self.open_vote(VoteCaller::User),
        }
    }

    /// Opens a vote of all members; does nothing while a vote is in progress.
    pub(in crate::machine) fn open_vote(&mut self, caller: VoteCaller) {
        if self.ending.vote.is_some() {
            return;
        }
        self.ending.votes.0 += 1;
        self.ending.voted_in = Some(self.round);
        self.ending.vote = Some(Vote {
            caller,
            number: self.ending.votes.0,
            asked: self.participants().cloned().collect(),
            cast: BTreeMap::new(),
        });
    }

    fn decide_end(&mut self, reason: StopReason) {
        // A proposal on record is answered by an event of its own.
        self.ending.proposal.take_if(|proposal| !proposal.on_record);
        self.ending.decided = Some(EndCause::now(self, reason));
    }

    /// Shows the user's words to the next speaker; between rounds they wait for the next round.
    pub(in crate::machine) fn take_words(&mut self, text: &str) {
        self.hear(text, None);
    }

    /// Withdraws an agreed item, puts an issue in its place, and shows everybody why.
    fn take_reopening(&mut self, reopened: &ReopenedIssue, content: &str) {
        let why = intervention::reason(content);
        self.withdraw(&[WithdrawnItem {
            item: reopened.item,
            feedback: None,
            reason: why.to_owned(),
        }]);
        self.enter_issues(std::slice::from_ref(&reopened.issue));
        let (item, issue) = (reopened.item, reopened.issue.id);
        self.hear(why, Some(ReopenedItem { item, issue }));
    }

    fn hear(&mut self, text: &str, reopens: Option<ReopenedItem>) {
        let nth = self.ending.words.len();
        self.ending.words.push(UserWords {
            text: text.trim().to_owned(),
            round: self.round,
            reopens,
        });
        if matches!(self.stage, Stage::Speaking | Stage::Summarising) {
            self.discussion.said.push(DiscussionItem::User(nth));
        } else {
            self.ending.unheard.push(nth);
        }
    }

    /// Begins a round with the user's messages since the last one.
    pub(in crate::machine) fn hear_words(&mut self) {
        let unheard = std::mem::take(&mut self.ending.unheard);
        self.discussion
            .said
            .extend(unheard.into_iter().map(DiscussionItem::User));
    }
}
