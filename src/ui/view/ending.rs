//! Proposals, decisions, votes, nudges and the user's words as lines, and the
//! question whether the discussion ends.

use super::event::View;
use super::layout::{Mark, dot, labelled, marked};
use super::status::standing_of_round;
use super::text::{self, say};
use super::{Style, clean, gist};
use crate::fault::{Text, recorded, values};
use crate::machine::debate::{self, Unheld};
use crate::machine::{
    DecidedBy, Event, Intent, Reopened, Sign, State, StopReason, Usd, budget, ending, intervention,
};
use crate::role::RoleId;

/// The menu of a run that goes on.
pub fn menu(style: &Style) -> String {
    say(style, text::MENU, &[])
}

/// The status of a run in progress, in one line.
pub fn standing(state: &State, style: &Style) -> String {
    let open = state.ledger.open().map(|issue| issue.id.to_string());
    let open: Vec<_> = open.collect();
    let mut parts = vec![standing_of_round(state, style)];
    parts.extend((!open.is_empty()).then(|| open.join(", ")));
    let waiting: Vec<_> = state
        .questions
        .waiting()
        .map(|q| q.id.to_string())
        .collect();
    let values = values![ids = waiting.join(", ")];
    parts.extend((!waiting.is_empty()).then(|| say(style, text::WAITS_FOR, values)));
    parts.join(dot(style))
}

/// The question whether the discussion ends, up to where the answer is typed.
pub fn end_question(state: &State, guard: StopReason, style: &Style) -> String {
    if guard == StopReason::Proposal {
        let proposal = state.ending.proposal.as_ref();
        let who = proposal.map_or("", |p| state.inputs.roles.code(&p.agent));
        let asked = say(style, text::PROPOSES_END, values![who = clean(who)]);
        let mut lines = vec![marked(Mark::Asked, &asked, style)];
        let said = proposal.map_or_else(String::new, |p| gist(&p.clean));
        lines.extend((!said.is_empty()).then(|| labelled("", &said, style)));
        lines.push(text::CONFIRM_END.of(style.lang).to_owned());
        return lines.join("\n");
    }
    let (value, limit) = ending::figures(state, guard);
    let values = values![guard = text::name_of("ended", &guard), value, limit];
    let reached = marked(Mark::Asked, &say(style, text::REACHED, values), style);
    let granted = ending::extension(state, guard);
    let prompt = say(style, text::CONFIRM_LIMIT, values![granted]);
    format!("{reached}\n{prompt}")
}

impl View<'_> {
    /// A limit that is near, or what a detector saw.
    pub(super) fn near(
        &self,
        guard: StopReason,
        sign: Option<Sign>,
        value: u64,
        limit: u64,
    ) -> String {
        if let Some(sign) = sign {
            let what = text::found(sign, value, limit, self.style);
            return self.told(Mark::Warning, text::SEEN, values![what]);
        }
        let near = self.warn(&self.guard(text::GUARD_NEAR, guard, value, limit));
        if !self.state.ending.watched {
            return near;
        }
        format!("{near}\n{}", self.told(Mark::Note, text::GUARD_HINT, &[]))
    }

    /// The discussion ended.
    pub(super) fn fired(
        &self,
        guard: StopReason,
        sign: Option<Sign>,
        value: u64,
        limit: u64,
    ) -> String {
        if guard == StopReason::Consensus {
            let ended = match self.state.team {
                Some(_) => text::ENDED_COMPLETE,
                None => text::ENDED_AGREED,
            };
            return format!("\n{}", self.told(Mark::Done, ended, &[]));
        }
        let ended = match (guard, sign) {
            (_, Some(sign)) => {
                let what = text::found(sign, value, limit, self.style);
                self.say(text::ENDED_BY_SIGN, values![what])
            }
            (StopReason::Incomplete, None) => {
                self.guard(text::ENDED_INCOMPLETE, guard, value, limit)
            }
            (StopReason::SmallModel, None) => text::ENDED_SMALL.of(self.style.lang).to_owned(),
            (StopReason::User, None) => self.ended_by_user(),
            (StopReason::Proposal, None) => {
                self.say(text::ENDED_BY_PROPOSAL, values![open = value])
            }
            (StopReason::Budget, None) => self.guard(text::ENDED_BY_BUDGET, guard, value, limit),
            _ => self.guard(text::ENDED_BY, guard, value, limit),
        };
        format!("\n{}", self.warn(&ended))
    }

    /// By the user's own word, or by the members that were asked on it.
    fn ended_by_user(&self) -> String {
        let Some(vote) = self.state.ending.ended_by_vote else {
            return text::ENDED_BY_USER.of(self.style.lang).to_owned();
        };
        let values = values![end = vote.end, asked = vote.asked];
        self.say(text::ENDED_BY_VOTE, values)
    }

    fn guard(&self, template: Text, guard: StopReason, value: u64, limit: u64) -> String {
        let money = guard == StopReason::Budget && budget::is_money(self.state, limit);
        let shown = |figure: u64| match money {
            true => format!("${}", Usd::from_nanos(figure)),
            false => figure.to_string(),
        };
        let name = match money {
            true => text::word("money_guard"),
            false => text::name_of("ended", &guard),
        };
        let values = values![guard = name, value = shown(value), limit = shown(limit)];
        self.say(template, values)
    }

    /// Everything about the ending but guards.
    pub(super) fn ending(&self, event: &Event) -> Option<String> {
        Some(match event {
            Event::EndProposal {
                agent_name,
                response_clean,
                ..
            } => {
                let who = self.code(agent_name);
                let line = text::proposes_end(&who, &gist(response_clean), self.style);
                marked(Mark::Asked, &line, self.style)
            }
            Event::EndDecision {
                guard,
                confirmed,
                by,
                reason,
                ..
            } => self.decided(*guard, *confirmed, *by, reason),
            Event::UserIntervention {
                reopens: Some(reopened),
                content,
                ..
            } => self.reopened(reopened, content),
            Event::UserIntervention {
                intent,
                content,
                refused,
                ..
            } => {
                let said = self.said_by_human(*intent, content);
                match refused {
                    Some(why) => format!("{said}\n{}", self.unheld(*why)),
                    None => said,
                }
            }
            Event::VoteCast {
                member,
                ballot,
                why,
                notes,
                ..
            } => {
                let template = text::name_of("votes", ballot);
                let voted = self.say(template, values![why = gist(why)]);
                self.noted(self.done(&self.code(member), &voted, ""), member, notes)
            }
            Event::VoteClosed {
                number,
                end,
                asked,
                carried,
                ..
            } => {
                let template = if *carried {
                    text::VOTE_CARRIED
                } else {
                    text::VOTE_LOST
                };
                self.told(Mark::Note, template, values![n = number, end, asked])
            }
            other => return self.diligence(other),
        })
    }

    fn decided(&self, guard: StopReason, confirmed: bool, by: DecidedBy, reason: &str) -> String {
        let (template, mark) = if confirmed {
            (text::END_CONFIRMED, Mark::Done)
        } else if by == DecidedBy::Overtaken {
            (text::END_OVERTAKEN, Mark::Note)
        } else {
            (text::END_DECLINED, Mark::Note)
        };
        let reason = match gist(&recorded::told(reason, self.style.lang)) {
            said if said.is_empty() => text::GOES_ON.of(self.style.lang).to_owned(),
            said => said,
        };
        let values = values![
            guard = text::name_of("ended", &guard),
            by = text::name_of("decided_by", &by),
            reason
        ];
        self.told(mark, template, values)
    }

    /// A member that is not nudged, and the file that says so.
    fn nudges_off(&self, source: &str, members: &[RoleId]) -> String {
        let who: Vec<String> = members.iter().map(|id| self.code(id)).collect();
        let values = values![who = who.join(", "), source = clean(source)];
        self.told(Mark::Note, text::NUDGES_OFF, values)
    }

    fn unheld(&self, why: Unheld) -> String {
        let n = debate::most(self.state);
        self.told(Mark::Warning, text::name_of("unheld", &why), values![n])
    }

    fn said_by_human(&self, intent: Intent, content: &str) -> String {
        let line = match intent {
            Intent::Say => self.say(text::YOU_SAY, values![text = clean(content)]),
            Intent::Debate => {
                let topic = intervention::topic(content).unwrap_or_default();
                self.say(text::YOU_DEBATE, values![topic = clean(&topic)])
            }
            Intent::Stop => self.stopped(),
            Intent::VoteToEnd => text::YOU_VOTE.of(self.style.lang).to_owned(),
            Intent::Skip => text::YOU_SKIP.of(self.style.lang).to_owned(),
            Intent::Answer => {
                let (id, text) = intervention::answered(content).unzip();
                let id = id.map(|id| id.to_string()).unwrap_or_default();
                let values = values![id, text = clean(text.unwrap_or_default())];
                self.say(text::YOU_ANSWER_LATE, values)
            }
            Intent::AutoExitOn => text::AUTO_EXIT_ON.of(self.style.lang).to_owned(),
            Intent::AutoExitOff => text::AUTO_EXIT_OFF.of(self.style.lang).to_owned(),
            // Without an item it is not legal.
            Intent::Reopen => clean(content),
        };
        marked(Mark::Answered, &line, self.style)
    }

    /// The user ends it: what becomes of the round, and of what waits for an answer.
    fn stopped(&self) -> String {
        let clauses = [
            (ending::has_to_be_summed_up(self.state), text::STOP_SUMS_UP),
            (ending::is_pending(self.state), text::STOP_LEAVES_OPEN),
        ];
        let told = clauses.into_iter().filter(|(holds, _)| *holds);
        told.fold(
            text::YOU_STOP.of(self.style.lang).to_owned(),
            |line, (_, clause)| line + clause.of(self.style.lang),
        )
    }

    /// The coach has the members vote.
    pub(super) fn called_vote(&self, why: &str) -> String {
        self.told(Mark::Note, text::COACH_CALLS_VOTE, values![why = gist(why)])
    }

    fn reopened(&self, reopened: &Reopened, content: &str) -> String {
        let why = text::because(intervention::reason(content), self.style.lang);
        let values = values![item = reopened.item, issue = reopened.issue.id, why];
        self.told(Mark::Answered, text::YOU_REOPEN, values)
    }

    /// Nudges are shown as the user's messages they are; `-v` adds the log line.
    fn diligence(&self, event: &Event) -> Option<String> {
        Some(match event {
            Event::DiligencePush {
                receipt,
                why,
                content,
                left,
                notes,
                ..
            } => {
                let who = self.code(&receipt.call.member);
                let values = values![who, why = text::name_of("idle", why), text = gist(content)];
                let left_over = self.say(text::NUDGE_LEFT, values![n = left]);
                let aside = text::aside(&left_over, self.style.lang);
                let line = self.say(text::NUDGED, values) + &aside;
                let told = marked(Mark::Answered, &line, self.style);
                self.noted(told, &receipt.call.member, notes)
            }
            Event::DiligenceExhausted { receipt, why, .. } => {
                let who = self.code(&receipt.call.member);
                let values = values![who, why = text::name_of("idle", why)];
                self.told(Mark::Warning, text::NUDGES_USED, values)
            }
            Event::DiligenceOff {
                source, members, ..
            } => self.nudges_off(source, members),
            _ => return None,
        })
    }
}
