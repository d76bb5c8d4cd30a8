//! When a debate is held: what triggers one and what prevents one.

use super::debates::{self, WantedDebate, named, standing};
use super::divergence::{Divergence, may_be_debated, question, sides};
use super::motion::{DebateConfig, DebateTrigger, MAX_DEBATES, Motion, RequestRefusal};
use super::record::Debate;
use crate::fault::values;
use crate::ids::{DebateId, IssueId};
use crate::machine::ending;
use crate::machine::event::StopReason;
use crate::machine::intervention;
use crate::machine::state::{Stage, State};
use crate::machine::team::TeamWork;
use crate::words::word;

/// Maximum number of initial issues of small work, which gets no automatic debate.
pub const MAX_SMALL_ISSUES: usize = 2;

/// Returns whether this is small work: `--light`, or at most two initial issues or phases.
pub fn is_too_small_for_debates(state: &State) -> bool {
    let team = state.team.as_ref();
    // A debate that became a phase does not count as work.
    let planned = |team: &TeamWork| team.plan.work().count();
    let parts = team.map_or(state.judgment.initial_issues, planned);
    state.inputs.light || parts <= MAX_SMALL_ISSUES
}

/// Returns the subject of the next debate, if one is due now: only between rounds and while no
/// other debate is in progress. The caller has already handled questions and guards.
pub(super) fn motion(state: &State) -> Option<Motion> {
    if state.stage != Stage::Between || state.open_debate().is_some() || !has_room(state) {
        return None;
    }
    let mut motion = match state.debates.wanted.first() {
        Some(wanted) => by_hand(state, wanted)?,
        None => {
            let mut found = state.debates.found.iter();
            found
                .find(|divergence| is_still_open(state, divergence))
                .map(|divergence| about_divergence(state, divergence))
                .or_else(|| review(state))?
        }
    };
    motion.debate_config.skip = state.debates.skips;
    Some(motion)
}

/// Returns the debate that would be opened now, with the id it would get.
pub fn due_motion(state: &State) -> Option<(DebateId, Motion)> {
    Some((state.run.counters.clone().next_debate(), motion(state)?))
}

/// Returns whether a debate that the user asked for is held now, before the guards are checked.
/// There is none once the end is decided or time is up.
pub(in crate::machine) fn is_wanted(state: &State) -> bool {
    !state.debates.wanted.is_empty()
        && state.stage == Stage::Between
        && has_room(state)
        && !is_time_up(state)
}

/// Returns whether a debate comes before the discussion may end by itself: one that the user asked
/// for, or one about the results of a team's last layer, on which the synthesis rests.
pub(in crate::machine) fn comes_first(state: &State) -> bool {
    let is_done = |team: &TeamWork| team.is_done();
    is_wanted(state)
        || state.team.as_ref().is_some_and(is_done) && !is_time_up(state) && motion(state).is_some()
}

/// Returns why another debate that the user asks for now would not be held; `None` if it would.
pub fn refusal(state: &State, topic: &str) -> Option<RequestRefusal> {
    if intervention::is_over(state) {
        return Some(RequestRefusal::Over);
    }
    if state.ending.decided.is_some() {
        return Some(RequestRefusal::Ending);
    }
    if named(topic).is_some_and(|id| standing(state, id).is_none()) {
        return Some(RequestRefusal::NotOpen);
    }
    if let Some(why) = debates::phase_refusal(state, topic) {
        return Some(why);
    }
    (room(state) == 0).then_some(RequestRefusal::NoRoom)
}

/// Returns how many more debates may be requested; held and queued debates both count.
pub fn room(state: &State) -> usize {
    let spoken_for = state.debates.held.len() + state.debates.wanted.len();
    (most(state) as usize).saturating_sub(spoken_for)
}

/// Returns why no debate can be skipped now; `None` if one can.
pub(in crate::machine) fn skip_refusal(state: &State) -> Option<RequestRefusal> {
    (!debates::is_skippable(state)).then_some(RequestRefusal::NoDebate)
}

/// Returns the maximum number of debates of this run, at most [`MAX_DEBATES`].
pub fn most(state: &State) -> u32 {
    state.inputs.rules.limits.debates.max.min(MAX_DEBATES)
}

/// Returns whether divergences are looked for in the round that is being summed up.
pub fn looks_for_divergence(state: &State) -> bool {
    state.inputs.rules.limits.debates.divergence
        && has_room(state)
        && !is_too_small_for_debates(state)
        // Members need another round to take positions on the conclusion; in a team the synthesis
        // takes it up.
        && (state.team.is_some() || state.round < ending::max_rounds(state))
}

pub(super) fn was_debated(state: &State, issue: IssueId) -> bool {
    let mut debates = state.debates.held.iter();
    debates.any(|debate| debate.motion.about == Some(issue))
}

/// Returns whether one more debate may be held. Every debate counts, however it came about.
pub(super) fn has_room(state: &State) -> bool {
    state.debates.held.len() < most(state) as usize
}

/// Returns whether the discussion's time is up, or its end decided. A debate in progress is then
/// ruled on at once.
pub(super) fn is_time_up(state: &State) -> bool {
    state.ending.decided.is_some() || ending::is_reached(state, StopReason::TimeLimit)
}

fn is_still_open(state: &State, divergence: &Divergence) -> bool {
    let Some(id) = divergence.issue else {
        let phase = divergence.phase.as_ref().zip(state.team.as_ref());
        return phase.is_some_and(|(id, team)| may_be_debated(team, id));
    };
    let is_open = state.ledger.find(id).is_some_and(|issue| issue.is_open());
    is_open && !was_debated(state, id)
}

fn about_divergence(state: &State, divergence: &Divergence) -> Motion {
    let participants = divergence.sides.iter().map(|side| side.member.clone());
    Motion {
        debate_config: DebateConfig {
            topic: divergence.question.clone(),
            participants: participants.collect(),
            max_rounds: state.inputs.rules.limits.debates.rounds,
            skip: false,
        },
        about: divergence.issue,
        sides: divergence.sides.clone(),
        trigger: divergence.trigger,
    }
}

/// Returns the debate that the user asked for, in which everybody argues. If its topic begins with
/// the id of an issue that was open then, it is about that issue; `None` if the issue is closed by
/// now.
fn by_hand(state: &State, wanted: &WantedDebate) -> Option<Motion> {
    let lang = state.inputs.doc_lang;
    let is_id_alone = !wanted.topic.contains(' ');
    let Some(about) = wanted.about else {
        let team = state.team.as_ref().filter(|_| is_id_alone);
        let phase = wanted.phase_id.as_ref().zip(team);
        let phase = phase.and_then(|(id, team)| team.plan.find(id));
        let topic = phase.map(|phase| {
            let (id, task) = (&phase.id, &phase.task);
            word("plain.disputed").with(lang, values![id, task])
        });
        let topic = topic.unwrap_or_else(|| wanted.topic.clone());
        return Some(everybody(state, topic, DebateTrigger::User));
    };
    let issue = standing(state, about)?;
    let topic = match is_id_alone {
        true => question(state, issue),
        false => wanted.topic.clone(),
    };
    Some(Motion {
        about: Some(issue.id),
        sides: sides(state, issue),
        ..everybody(state, topic, DebateTrigger::User)
    })
}

/// Returns whether a review of the first issue list, or of a team's phases, was requested but is
/// left out because the work is small.
pub fn leaves_review_out(state: &State) -> bool {
    let is_asked_for = state.inputs.rules.limits.debates.review && has_room(state);
    is_asked_for && is_too_small_for_debates(state)
}

/// Returns the review of the first issue list, held before round 1.
fn review(state: &State) -> Option<Motion> {
    let wanted = state.inputs.rules.limits.debates.review && !is_too_small_for_debates(state);
    let held = |debate: &Debate| debate.motion.trigger == DebateTrigger::Review;
    if !wanted || state.round > 0 || state.debates.held.iter().any(held) {
        return None;
    }
    let topic = word(match state.team {
        Some(_) => "plain.review_of_phases",
        None => "plain.review_of_issues",
    });
    let topic = topic.of(state.inputs.doc_lang).to_owned();
    Some(everybody(state, topic, DebateTrigger::Review))
}

/// Returns a debate of all members that is not about a single issue.
fn everybody(state: &State, topic: String, trigger: DebateTrigger) -> Motion {
    Motion {
        debate_config: DebateConfig {
            topic,
            participants: state.participants().cloned().collect(),
            max_rounds: state.inputs.rules.limits.debates.rounds,
            skip: false,
        },
        about: None,
        sides: Vec::new(),
        trigger,
    }
}
