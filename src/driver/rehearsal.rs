//! Renders the first prompts of a run before it starts: `--dry-run` prints them, and rendering
//! shows that the frozen templates work before anything is written to disk.

use super::{empty_journal, not_legal};
use crate::artifact::Renderer;
use crate::chat::ChatRequest;
use crate::fault::Fault;
use crate::machine::{
    CallId, Entry, Event, Format, Purpose, Scope, State, Survey, TRANSCRIPT_FORMAT, team,
};
use crate::prompt::Prompter;
use crate::role::RoleId;

/// The first requests of a run, in order: the coach's judgment, then each member's first speech; in
/// a team each member's work on a phase.
///
/// The judgment is not known yet, so the speeches are rendered as if the coach had added no issue,
/// and without the speeches of earlier members.
///
/// # Errors
/// A frozen template cannot be used, or `first` is not a `user_input`.
pub fn first_prompts(first: Event, survey: Survey) -> Result<Vec<ChatRequest>, Fault> {
    let mut state = State::open(&entry(1, first)).ok_or_else(empty_journal)?;
    let prompter = Prompter::new(&state.inputs)?;
    Renderer::new(&state.inputs)?;
    let searched = entry(2, Event::KnowledgeSearch { survey });
    state.apply(&searched).map_err(not_legal)?;
    let judgment = CallId::new(Scope::Root, Purpose::Judgment, RoleId::coach(), 0, 1);
    let mut requests = vec![prompter.request(&state, &judgment)?];
    let members: Vec<RoleId> = state.speakers(1).into_iter().cloned().collect();
    let is_team = state.inputs.format == Format::Team;
    // A single phase in which everybody takes part.
    let plan = is_team.then(|| team::fallback(&state.subject(), &state.inputs.roles));
    state.suppose_begun(plan);
    for (turn, member) in (1..).zip(members) {
        let call = match is_team {
            true => CallId::new(Scope::Phase(1), Purpose::Step, member, 1, 1),
            false => CallId::new(Scope::Root, Purpose::Speech, member, 1, turn),
        };
        requests.push(prompter.request(&state, &call)?);
    }
    Ok(requests)
}

fn entry(seq: u64, event: Event) -> Entry {
    Entry {
        v: TRANSCRIPT_FORMAT,
        seq,
        ts: String::new(),
        active_ms: 0,
        round: 1,
        actor: String::new(),
        event,
    }
}
