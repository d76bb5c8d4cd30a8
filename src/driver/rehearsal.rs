//! The first prompts of a run before there is a run: what `--dry-run` prints,
//! and the proof that frozen templates render, with nothing on disk yet.

use super::empty_journal;
use crate::artifact::Renderer;
use crate::chat::{ChatRequest, Terms, Usage};
use crate::fault::Fault;
use crate::machine::team::{self, TeamFormed};
use crate::machine::{
    CallId, EnteredIssue, Entry, Event, FORMAT, Format, Origin, Purpose, Receipt, Scope, State,
    Survey,
};
use crate::prompt::Prompter;
use crate::reply::{Contribution, Severity};
use crate::role::RoleId;

/// Longest title of the issue that stands for the requirement, in characters.
const TITLE: usize = 80;

/// The requests a run begins with, in order: the coach's judgment, then each
/// member's first speech; in a team its work on a phase.
///
/// Nobody knows the judgment before it is made, so that the speeches are
/// rendered with the requirement as the only issue, and without what earlier
/// speakers say.
///
/// # Errors
/// A frozen template cannot be used, or `first` is no `user_input`.
pub fn rehearse(first: Event, survey: Survey) -> Result<Vec<ChatRequest>, Fault> {
    let mut state = State::open(&entry(1, first)).ok_or_else(empty_journal)?;
    let prompter = Prompter::new(&state.inputs)?;
    Renderer::new(&state.inputs)?;
    state.apply(&entry(2, Event::KnowledgeSearch { survey }));
    let judgment = call(Purpose::Judgment, RoleId::coach(), 0, 1);
    let mut requests = vec![prompter.request(&state, &judgment)?];
    if state.inputs.format == Format::Team {
        requests.extend(in_team(&mut state, &prompter)?);
        return Ok(requests);
    }
    state.apply(&entry(3, judged(&state, judgment)));
    let issues = state.ledger.open().map(|issue| issue.id).collect();
    state.apply(&entry(4, Event::RoundStarted { issues }));
    for (turn, member) in (1..).zip(state.speakers(1)) {
        let speech = call(Purpose::Speech, member.clone(), 1, turn);
        requests.push(prompter.request(&state, &speech)?);
    }
    Ok(requests)
}

/// Every member's request in a team whose task is one phase in the hands of all.
fn in_team(state: &mut State, prompter: &Prompter) -> Result<Vec<ChatRequest>, Fault> {
    let members: Vec<RoleId> = state.speakers(1).into_iter().cloned().collect();
    let formed = Event::TeamFormed(TeamFormed {
        receipt: None,
        info: String::new(),
        phases: team::fallback(&state.subject(), &state.inputs.roles),
        fallback: None,
    });
    state.apply(&entry(3, formed));
    state.apply(&entry(4, Event::RoundStarted { issues: Vec::new() }));
    let steps = members.into_iter().map(|member| {
        let step = CallId {
            scope: Scope::Phase(1),
            ..call(Purpose::Step, member, 1, 1)
        };
        prompter.request(state, &step)
    });
    steps.collect()
}

fn call(purpose: Purpose, member: RoleId, round: u32, turn: u32) -> CallId {
    CallId::new(Scope::Root, purpose, member, round, turn)
}

fn entry(seq: u64, event: Event) -> Entry {
    Entry {
        v: FORMAT,
        seq,
        ts: String::new(),
        active_ms: 0,
        round: 1,
        actor: String::new(),
        event,
    }
}

/// A judgment that enters the requirement as it stands.
fn judged(state: &State, call: CallId) -> Event {
    let subject = state.subject();
    let line = subject.lines().find(|line| !line.trim().is_empty());
    let issue = EnteredIssue {
        id: state.counters.clone().next_issue(),
        title: line
            .unwrap_or_default()
            .trim()
            .chars()
            .take(TITLE)
            .collect(),
        detail: subject.clone(),
        severity: Severity::Blocking,
        origin: Origin::Requirement,
    };
    Event::CoachInitialJudgment {
        receipt: Receipt {
            call,
            model: String::new(),
            usage: Usage::default(),
            latency_ms: 0,
            request_id: None,
            answer_format: None,
            terms: Terms::default(),
            redacted: 0,
        },
        info: String::new(),
        judgment: Contribution::default(),
        issues: vec![issue],
        invited: Vec::new(),
        withdrawn: Vec::new(),
        refused: Vec::new(),
    }
}
