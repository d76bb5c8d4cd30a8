//! The state of a run, from the entries of its journal. Every reader of a version uses it; a
//! resumption reads the journal once to compare it with the current files, and once to go on.

use crate::config;
use crate::machine::{Entry, State};

/// Folds the entries of a journal into a state, each checked against the one before.
#[derive(Debug, Default)]
pub struct Replay {
    /// The state so far; `None` before line 1.
    pub state: Option<State>,
}

impl Replay {
    /// Takes one more entry.
    ///
    /// # Errors
    /// The entry is invalid after those before it; the text says why.
    pub fn apply(&mut self, entry: &Entry) -> Result<(), String> {
        match &mut self.state {
            None => {
                let state = State::open(entry).ok_or("line 1 must be `user_input`")?;
                if let Some(why) = config::unfit(&state.inputs) {
                    return Err(why);
                }
                self.state = Some(state);
            }
            Some(state) => {
                if entry.active_ms < state.run.active_ms {
                    let (before, now) = (state.run.active_ms, entry.active_ms);
                    return Err(format!("`active_ms` goes back from {before} to {now}"));
                }
                state.apply(entry).map_err(|illegal| illegal.to_string())?;
            }
        }
        Ok(())
    }
}
