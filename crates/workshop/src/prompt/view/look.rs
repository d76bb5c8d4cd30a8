//! What was looked at, as prompts show it.

use serde_json::{Value, json};

use super::super::measure::quarter_tokens;
use super::super::text::{line, split_tokens};
use crate::machine::{CallId, Find, Purpose, Said, Seen, State, TrialRecord, trial};

/// What stands before the reader already, and how much more may.
pub(in crate::prompt) struct Shown {
    places: Vec<(String, u32, u32)>,
    left: u64,
    /// Whose looks are shown just now.
    turn: Option<Turn>,
    /// Is it one's own share already, which nobody else takes from?
    is_own: bool,
}

/// A turn whose looks are shown.
struct Turn {
    call: CallId,
    /// What is left of its share, in tokens.
    share: u64,
    has_seen: bool,
}

impl Shown {
    /// Of a round, where everybody sees what one has looked at.
    pub fn in_round(state: &State) -> Self {
        Self {
            places: Vec::new(),
            left: state.inputs.grounding.round_tokens,
            turn: None,
            is_own: false,
        }
    }

    /// Of one among several who look side by side, each with an equal share.
    pub fn apart(state: &State, purpose: Purpose) -> Self {
        let several = match purpose {
            Purpose::Document(_) => state.document_kinds().len(),
            _ => state.inputs.roles.members.len(),
        };
        let all = Self::in_round(state);
        Self {
            left: all.left / (several as u64).max(1),
            is_own: true,
            ..all
        }
    }

    /// Leaves the turn of a call its share: what is left, divided among those who have yet
    /// to speak, so that the first ones leave something for the last.
    fn begin(&mut self, state: &State, call: &CallId) {
        let turn = call.unlooked();
        if self.turn.as_ref().is_some_and(|last| last.call == turn) {
            return;
        }
        let members = state.inputs.roles.members.len() as u64;
        let sharers = match call.purpose {
            _ if self.is_own => 1,
            Purpose::Speech => (members + 1).saturating_sub(call.turn.into()).max(1),
            _ => members + 1,
        };
        self.turn = Some(Turn {
            call: turn,
            share: self.left / sharers,
            has_seen: false,
        });
    }

    /// Of code, about how many lines more the turn may see.
    fn lines_left(&self) -> u64 {
        const TOKENS_A_LINE: u64 = 12;
        self.turn
            .as_ref()
            .map_or(0, |turn| turn.share / TOKENS_A_LINE)
    }

    /// How a place is shown: whole, or why not.
    fn take(&mut self, find: &Find) -> Result<(), &'static str> {
        let is_there = |(path, from, to): &(String, u32, u32)| {
            *path == find.path && *from <= find.from && find.to <= *to && find.from > 0
        };
        if self.places.iter().any(is_there) {
            return Err("above");
        }
        let cost = quarter_tokens(&find.text).div_ceil(4);
        let left = self.left;
        let Some(turn) = &mut self.turn else {
            return Err("full");
        };
        // One place is shown even if it is larger than the share: it was asked for first.
        let fits = cost <= turn.share || (!turn.has_seen && cost <= left);
        if !fits {
            return Err("full");
        }
        turn.share = turn.share.saturating_sub(cost);
        turn.has_seen = true;
        self.left -= cost;
        self.places.push((find.path.clone(), find.from, find.to));
        Ok(())
    }
}

/// The look of a round as everybody sees it, after all that were shown before it.
pub(in crate::prompt) fn looked_in_round(state: &State, index: usize) -> Value {
    let mut shown = Shown::in_round(state);
    let before = state.said.iter().map_while(|said| match said {
        Said::Look(other) if *other == index => None,
        Said::Look(other) => Some(Some(*other)),
        _ => Some(None),
    });
    for earlier in before.flatten() {
        looked(state, earlier, &mut shown);
    }
    looked(state, index, &mut shown)
}

/// Did a look bring what there was no room to show, and nothing else?
pub(in crate::prompt) fn is_out_of_room(look: &Value) -> bool {
    let is_some = |list: &str| {
        let seen = look["seen"].as_array().into_iter().flatten();
        seen.filter_map(|one| one[list].as_array())
            .any(|all| !all.is_empty())
    };
    is_some("full") && !is_some("found")
}

/// One answer's looks with what was found; what stands there already is named only.
pub(in crate::prompt) fn looked(state: &State, index: usize, shown: &mut Shown) -> Value {
    let Some(record) = state.looks.all.get(index) else {
        return Value::Null;
    };
    shown.begin(state, &record.call);
    let seen: Vec<Value> = record.seen.iter().map(|one| seen(one, shown)).collect();
    let code = state.inputs.roles.code(&record.call.member);
    json!({"is": "look", "code": code, "seen": seen, "lines": shown.lines_left()})
}

/// A trial whose result did not reach whoever asked for it: how it ended, or null where that
/// is lost.
pub(in crate::prompt) fn cut_off(state: &State, one: &TrialRecord) -> Value {
    let look = &one.seen.look;
    let command: Vec<_> = look.command.iter().map(|word| line(word)).collect();
    let ended = |trial| line(&trial::ended(trial, state.inputs.doc_lang));
    let end = one.seen.trial.as_ref().filter(|_| one.waits).map(ended);
    json!({"id": one.id, "what": line(&look.what), "command": command, "end": end})
}

fn seen(one: &Seen, shown: &mut Shown) -> Value {
    let (mut found, mut above, mut full) = (Vec::new(), Vec::new(), Vec::new());
    for find in &one.found {
        let place = line(&find.place());
        match shown.take(find) {
            Ok(()) => found.push(json!({"place": place, "text": numbered(find)})),
            Err("above") => above.push(place),
            Err(_) => full.push(place),
        }
    }
    let look = &one.look;
    json!({
        "kind": look.kind.name(), "what": line(&look.what),
        "command": look.command.iter().map(|word| line(word)).collect::<Vec<_>>(),
        "files": look.files.iter().map(|file| line(&file.path)).collect::<Vec<_>>(),
        "base": look.base.as_deref().map(line),
        "from": look.from, "to": look.to,
        "glob": look.glob.as_deref().map(line),
        "is_empty": one.found.is_empty(), "found": found, "above": above, "full": full,
        "remark": one.remark.as_deref().map(line),
    })
}

/// The lines with their numbers, where they have some.
fn numbered(find: &Find) -> String {
    let text = split_tokens(&find.text);
    if find.from == 0 {
        return text;
    }
    let lines = (find.from..).zip(text.lines());
    let lines: Vec<String> = lines.map(|(n, line)| format!("{n:>5}  {line}")).collect();
    lines.join("\n")
}
